//! `workmill key create` without a server: how the first key of a database is made, by whoever may write
//! to it.

use anyhow::Result;
use workmill_core::audit::Actor;
use workmill_core::ids::Namespace;
use workmill_engine::access::check_key_name;
use workmill_protocol::keys::{CreateKey, CreatedKey};
use workmill_server::keys;
use workmill_store::access::{CreateKey as StoreKey, EnsureNamespace};
use workmill_store::{Store, StoreError, migrate};

use super::super::migrate::named_database;
use super::super::up::NAMESPACE;
use crate::context::CommandContext;
use crate::database::explain;
use crate::database_address::address;
use crate::exit::Exit;

/// The key, and where it was made.
pub(super) async fn create(
    context: &CommandContext,
    key: &CreateKey,
) -> Result<(CreatedKey, String)> {
    let database = named_database(context, "key create --on database")?;
    check_key_name(&key.name).map_err(|error| Exit::InvalidInput.because(error.to_string()))?;
    let namespace = key.namespace.as_deref().unwrap_or(NAMESPACE);
    let explained = |error: StoreError| explain(error, database);
    migrate::check(database).await.map_err(explained)?;
    let store = Store::new(database, 1).map_err(explained)?;
    let ns = find_namespace(&store, namespace).await.map_err(explained)?;
    let Some(ns) = ns else {
        return Err(Exit::NotFound.because(format!("there is no namespace `{namespace}`")));
    };
    let token = keys::mint();
    let operation = StoreKey {
        ns,
        name: &key.name,
        role: key.role.name(),
        hash: &keys::hash(&token),
    };
    let (id, _) = store
        .run_by(&actor(), &operation)
        .await
        .map_err(explained)?;
    let created = CreatedKey {
        id,
        name: key.name.clone(),
        role: key.role,
        namespace: namespace.to_owned(),
        token,
    };
    let place = format!(
        "in the database at `{}`, without a server",
        address(database)
    );
    Ok((created, place))
}

/// The usual namespace is made, as `workmill up` does.
async fn find_namespace(store: &Store, name: &str) -> Result<Option<Namespace>, StoreError> {
    if name == NAMESPACE {
        let (ns, _) = store.run(&EnsureNamespace { name }).await?;
        return Ok(Some(ns));
    }
    store.find_namespace(name).await
}

/// No key was shown.
fn actor() -> Actor {
    Actor {
        name: "workmill key".to_owned(),
        key: None,
    }
}
