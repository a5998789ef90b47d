//! Namespaces: names are resolved to numbers here and nowhere else.

use jiff::Timestamp;
use serde_json::{Value, json};
use workmill_core::audit::{Action, AuditEntry, Subject};
use workmill_core::ids::Namespace;
use workmill_queries::client::Params;
use workmill_queries::queries::access::keys;

use crate::connect::Store;
use crate::error::StoreError;
use crate::operation::{Operation, Work};

/// Finds a namespace by name, or makes it.
#[derive(Debug)]
pub struct EnsureNamespace<'a> {
    pub name: &'a str,
}

impl Operation for EnsureNamespace<'_> {
    type Answer = Namespace;
    const DOING: &'static str = "find a namespace";

    fn namespace(&self) -> Namespace {
        namespace_number(self.name)
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Namespace, StoreError> {
        Ok(ensure(work, self.name).await?.0)
    }
}

/// The same, because somebody asked for it.
#[derive(Debug)]
pub struct CreateNamespace<'a> {
    pub name: &'a str,
}

impl Operation for CreateNamespace<'_> {
    /// Whether it is new.
    type Answer = bool;
    const DOING: &'static str = "create a namespace";

    fn namespace(&self) -> Namespace {
        namespace_number(self.name)
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<bool, StoreError> {
        let (_, is_new) = ensure(work, self.name).await?;
        if is_new {
            let after = json!({"name": self.name});
            let (action, subject) = (Action::NamespaceCreated, Subject::Namespace);
            work.audit(AuditEntry::new(action, subject, Value::Null, after));
        }
        Ok(is_new)
    }
}

/// The namespace, and whether it was made just now.
async fn ensure(work: &mut Work<'_>, name: &str) -> Result<(Namespace, bool), StoreError> {
    let known = keys::find_namespace()
        .bind(work.transaction, &name)
        .opt()
        .await;
    if let Some(ns) = known? {
        return Ok((Namespace(ns), false));
    }
    let now = work.now().await?;
    let parameters = keys::InsertNamespaceParams {
        ns: work.ns,
        name,
        now,
    };
    let inserted = keys::insert_namespace()
        .params(work.transaction, &parameters)
        .await?;
    keys::insert_anchor()
        .bind(work.transaction, &work.ns)
        .await?;
    let found = keys::find_namespace()
        .bind(work.transaction, &name)
        .opt()
        .await?;
    let taken = || {
        StoreError::Corrupt(format!(
            "the number of namespace `{name}` is taken by another"
        ))
    };
    let ns = found.map(Namespace).ok_or_else(taken)?;
    Ok((ns, inserted > 0))
}

/// The number follows from the name, so servers that make it at once agree on it.
fn namespace_number(name: &str) -> Namespace {
    use sha2::{Digest, Sha256};
    let hash: [u8; 32] = Sha256::digest(name.as_bytes()).into();
    let (first, _) = hash
        .split_first_chunk()
        .expect("the hash is longer than eight bytes");
    // Positive and short enough to read.
    Namespace(i64::from_be_bytes(*first) >> 16 & 0x7fff_ffff_ffff)
}

/// A namespace as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedNamespace {
    pub name: String,
    pub created_at: Timestamp,
}

impl Store {
    pub async fn find_namespace(&self, name: &str) -> Result<Option<Namespace>, StoreError> {
        const DOING: &str = "look for a namespace";
        let client = self.client(DOING).await?;
        let found = keys::find_namespace().bind(&client, &name).opt().await;
        let found = found.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(found.map(Namespace))
    }

    /// Namespaces by name, after the one named.
    pub async fn list_namespaces(
        &self,
        after: &str,
        most: i64,
    ) -> Result<Vec<ListedNamespace>, StoreError> {
        const DOING: &str = "list namespaces";
        let client = self.client(DOING).await?;
        let rows = keys::find_namespaces()
            .bind(&client, &after, &most)
            .all()
            .await;
        let rows = rows.map_err(|error| StoreError::from_statement(DOING, error))?;
        let namespaces = rows.into_iter().map(|row| ListedNamespace {
            name: row.name,
            created_at: row.created_at,
        });
        Ok(namespaces.collect())
    }
}
