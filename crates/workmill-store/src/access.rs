//! Namespaces and keys.
//!
//! Names are resolved to numbers here and nowhere else; a key is known only by its hash.

use serde_json::{Value, json};
use uuid::Uuid;
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
        let known = keys::find_namespace()
            .bind(work.transaction, &self.name)
            .opt()
            .await;
        if let Some(ns) = known.map_err(|error| work.failed(error))? {
            return Ok(Namespace(ns));
        }
        let now = work.now().await?;
        let parameters = keys::InsertNamespaceParams {
            ns: work.ns,
            name: self.name,
            now,
        };
        keys::insert_namespace()
            .params(work.transaction, &parameters)
            .await
            .map_err(|error| work.failed(error))?;
        keys::insert_anchor()
            .bind(work.transaction, &work.ns)
            .await
            .map_err(|error| work.failed(error))?;
        let found = keys::find_namespace()
            .bind(work.transaction, &self.name)
            .opt()
            .await;
        found
            .map_err(|error| work.failed(error))?
            .map(Namespace)
            .ok_or_else(|| {
                StoreError::Corrupt(format!(
                    "the number of namespace `{}` is taken by another",
                    self.name
                ))
            })
    }
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

#[derive(Debug)]
pub struct CreateKey<'a> {
    pub ns: Namespace,
    pub name: &'a str,
    pub role: &'a str,
    pub hash: &'a [u8],
}

impl Operation for CreateKey<'_> {
    type Answer = Uuid;
    const DOING: &'static str = "create a key";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Uuid, StoreError> {
        let id = work.mint().await?;
        let parameters = keys::InsertKeyParams {
            ns: work.ns,
            id,
            name: self.name,
            role: self.role,
            hash: self.hash,
            now: work.now().await?,
        };
        keys::insert_key()
            .params(work.transaction, &parameters)
            .await
            .map_err(|error| work.failed(error))?;
        // Neither the key nor its hash.
        let after = json!({"name": self.name, "role": self.role});
        let subject = Subject::Key(id);
        work.audit(AuditEntry::new(
            Action::KeyCreated,
            subject,
            Value::Null,
            after,
        ));
        Ok(id)
    }
}

/// Refuses a key from now on.
#[derive(Debug)]
pub struct RevokeKey {
    pub ns: Namespace,
    pub id: Uuid,
}

impl Operation for RevokeKey {
    /// Whether there was such a key that was good.
    type Answer = bool;
    const DOING: &'static str = "revoke a key";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<bool, StoreError> {
        let parameters = keys::RevokeKeyParams {
            now: work.now().await?,
            ns: work.ns,
            id: self.id,
        };
        let revoked = keys::revoke_key()
            .params(work.transaction, &parameters)
            .opt()
            .await
            .map_err(|error| work.failed(error))?;
        let Some(key) = revoked else { return Ok(false) };
        work.audit(AuditEntry::new(
            Action::KeyRevoked,
            Subject::Key(self.id),
            json!({"name": key.name, "role": key.role}),
            Value::Null,
        ));
        Ok(true)
    }
}

/// A key that was presented and is good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownKey {
    pub ns: Namespace,
    pub id: Uuid,
    pub name: String,
    pub role: String,
}

impl Store {
    pub async fn find_key(&self, hash: &[u8]) -> Result<Option<KnownKey>, StoreError> {
        const DOING: &str = "look up a key";
        let client = self.client(DOING).await?;
        let found = keys::find_key_by_hash()
            .bind(&client, &hash)
            .opt()
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(found.map(|key| KnownKey {
            ns: Namespace(key.ns),
            id: key.id,
            name: key.name,
            role: key.role,
        }))
    }
}
