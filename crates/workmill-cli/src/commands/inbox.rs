//! `workmill namespace grant-inbox` and `revoke-inbox`: which database roles may put tasks into
//! `workmill.inbox`. Rights of the database are given by who owns it, not by the server.

use anyhow::Result;
use serde_json::json;
use workmill_core::audit::Actor;
use workmill_core::ids::Namespace;
use workmill_store::access::{GrantInbox, NoSuchRole, RevokeInbox};
use workmill_store::{Store, migrate};

use super::migrate::named_database;
use crate::arguments::InboxGrantArguments;
use crate::context::CommandContext;
use crate::database::explain;
use crate::exit::Exit;

pub(super) async fn grant(context: &CommandContext, arguments: &InboxGrantArguments) -> Result<()> {
    let InboxGrantArguments { namespace, role } = arguments;
    let (store, ns) = open(context, "namespace grant-inbox", namespace).await?;
    let operation = GrantInbox {
        ns,
        name: namespace,
        role,
    };
    let (granted, _) = store.run_by(&actor(), &operation).await?;
    let missing = |NoSuchRole| Exit::NotFound.because(format!("PostgreSQL has no role `{role}`"));
    let is_new = granted.map_err(missing)?;
    let answer = json!({ "namespace": namespace, "role": role, "is_new": is_new });
    context.output.answer(&answer, |_| {
        format!("{role} may put tasks into workmill.inbox for {namespace}")
    })
}

pub(super) async fn revoke(
    context: &CommandContext,
    arguments: &InboxGrantArguments,
) -> Result<()> {
    let InboxGrantArguments { namespace, role } = arguments;
    let (store, ns) = open(context, "namespace revoke-inbox", namespace).await?;
    let operation = RevokeInbox {
        ns,
        name: namespace,
        role,
    };
    let (was_there, _) = store.run_by(&actor(), &operation).await?;
    if !was_there {
        let problem = format!("{role} has no grant for {namespace}");
        return Err(Exit::NotFound.because(problem));
    }
    let answer = json!({ "namespace": namespace, "role": role, "revoked": true });
    context.output.answer(&answer, |_| {
        format!("{role} may put no more tasks into workmill.inbox for {namespace}")
    })
}

async fn open(context: &CommandContext, command: &str, name: &str) -> Result<(Store, Namespace)> {
    let database = named_database(context, command)?;
    migrate::check(database)
        .await
        .map_err(|error| explain(error, database))?;
    let store = Store::new(database, 1).map_err(|error| explain(error, database))?;
    let Some(ns) = store.find_namespace(name).await? else {
        return Err(Exit::NotFound.because(format!("there is no namespace `{name}`")));
    };
    Ok((store, ns))
}

/// Nobody has shown a key.
fn actor() -> Actor {
    Actor {
        name: "workmill namespace".to_owned(),
        key: None,
    }
}
