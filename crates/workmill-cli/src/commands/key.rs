//! `workmill key` and `workmill namespace`: keys, namespaces, and the settings of a namespace.

mod in_database;

use anyhow::Result;
use serde_json::json;
use workmill_protocol::keys::{CreateKey, CreatedKey, KeyList, NamespaceList, RotateKey};

use workmill_core::spawning::SpawnSettings;
use workmill_protocol::settings::NamespaceSettings;

use super::inbox;
use crate::arguments::{KeyCommand, KeyPlace, NamespaceCommand, NamespaceSettingsArguments};
use crate::configuration::Access;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

pub(crate) async fn run(context: &CommandContext, command: &KeyCommand) -> Result<Exit> {
    match command {
        KeyCommand::Create { role, name, on } => {
            let key = CreateKey {
                name: name.clone().unwrap_or_else(|| role.name().to_owned()),
                role: *role,
                namespace: context.configuration.namespace.clone(),
            };
            create(context, &key, *on).await?;
        }
        KeyCommand::Rotate { id, grace } => {
            let client = context.client()?;
            let rotate = RotateKey { grace_sec: *grace };
            show_token(context, &client.rotate_key(read(id)?, &rotate).await?, "")?;
        }
        KeyCommand::Revoke { id } => {
            let client = context.client()?;
            let id = read(id)?;
            client.revoke_key(id).await?;
            let answer = json!({ "id": id, "revoked": true });
            context
                .output
                .answer(&answer, |_| format!("Revoked {id}"))?;
        }
        KeyCommand::List => {
            let client = context.client()?;
            let (mut items, mut cursor) = (Vec::new(), None);
            loop {
                let page = client.keys(cursor.as_deref()).await?;
                items.extend(page.items);
                cursor = page.next_cursor;
                if cursor.is_none() {
                    break;
                }
            }
            let next_cursor = None;
            let all = KeyList { items, next_cursor };
            context.output.answer(&all, render::keys)?;
        }
    }
    Ok(Exit::Done)
}

async fn create(context: &CommandContext, key: &CreateKey, on: Option<KeyPlace>) -> Result<()> {
    let configuration = &context.configuration;
    let usual = || match configuration.access() {
        // No server would take the call.
        Access::Keyless if configuration.database_url.is_some() => KeyPlace::Database,
        Access::Keyless | Access::Named { .. } | Access::Private { .. } => KeyPlace::Server,
    };
    let (created, place) = match on.unwrap_or_else(usual) {
        KeyPlace::Database => in_database::create(context, key).await?,
        KeyPlace::Server => {
            let created = context.client()?.create_key(key).await?;
            (created, format!("by the server at {}", configuration.url))
        }
    };
    show_token(context, &created, &format!(", made {place}"))
}

/// The token alone, so that a script can take it; the rest is for people.
fn show_token(context: &CommandContext, key: &CreatedKey, made: &str) -> Result<()> {
    context.output.answer(key, |key| key.token.clone())?;
    context.output.note(&format!(
        "Key {} with role {} in namespace {}{made}. Its token is not shown again.",
        key.id, key.role, key.namespace
    ));
    Ok(())
}

/// What cannot be a key's id names none.
fn read<T: std::str::FromStr>(id: &str) -> Result<T> {
    let missing = |_| Exit::NotFound.because(format!("there is no key `{id}`"));
    id.parse().map_err(missing)
}

pub(crate) async fn namespaces(
    context: &CommandContext,
    command: &NamespaceCommand,
) -> Result<Exit> {
    match command {
        NamespaceCommand::GrantInbox(arguments) => inbox::grant(context, arguments).await?,
        NamespaceCommand::RevokeInbox(arguments) => inbox::revoke(context, arguments).await?,
        NamespaceCommand::Settings(arguments) => settings(context, arguments).await?,
        NamespaceCommand::Create { name } => {
            let client = context.client()?;
            let created = client.create_namespace(name).await?;
            context
                .output
                .answer(&created, |created| created.name.clone())?;
        }
        NamespaceCommand::List => {
            let client = context.client()?;
            let (mut items, mut cursor) = (Vec::new(), None);
            loop {
                let page = client.namespaces(cursor.as_deref()).await?;
                items.extend(page.items);
                cursor = page.next_cursor;
                if cursor.is_none() {
                    break;
                }
            }
            let next_cursor = None;
            let all = NamespaceList { items, next_cursor };
            context.output.answer(&all, render::namespaces)?;
        }
    }
    Ok(Exit::Done)
}

/// Sets what is named, and shows all of it.
async fn settings(context: &CommandContext, arguments: &NamespaceSettingsArguments) -> Result<()> {
    let NamespaceSettingsArguments {
        name,
        most_tasks_per_lease,
        most_tasks_per_graph,
        most_depth,
        spawn_for,
        spawn_locks,
    } = arguments;
    let client = context.client()?;
    let known = client.namespace_settings(name).await?;
    let before = known.spawning;
    let spawning = SpawnSettings {
        most_tasks_per_lease: most_tasks_per_lease.unwrap_or(before.most_tasks_per_lease),
        most_tasks_per_graph: most_tasks_per_graph.unwrap_or(before.most_tasks_per_graph),
        most_depth: most_depth.unwrap_or(before.most_depth),
        spawn_for: spawn_for.unwrap_or(before.spawn_for),
        locks: spawn_locks.unwrap_or(before.locks),
    };
    let wanted = NamespaceSettings { spawning };
    let settings = if wanted == known {
        known
    } else {
        client.set_namespace_settings(name, &wanted).await?
    };
    context.output.answer(&settings, render::namespace_settings)
}
