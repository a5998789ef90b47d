//! `workmill migrate`: brings the schema of a named database up to date.

use anyhow::Result;
use serde_json::json;
use workmill_store::migrate;

use crate::context::CommandContext;
use crate::database::explain;
use crate::exit::Exit;

pub(crate) async fn run(context: &CommandContext) -> Result<Exit> {
    let database = named_database(context, "migrate")?;
    let migrated = migrate::migrate(database)
        .await
        .map_err(|error| explain(error, database))?;
    let answer = json!({ "applied": migrated.applied, "version": migrated.version });
    context.output.answer(&answer, |_| {
        let version = migrated.version;
        if migrated.applied.is_empty() {
            return format!("The schema is up to date at version {version}.");
        }
        format!(
            "Applied {}. The schema is at version {version}.",
            migrated.applied.join(", ")
        )
    })?;
    Ok(Exit::Done)
}

/// The database that is named for a command that has none of its own.
pub(super) fn named_database<'a>(context: &'a CommandContext, command: &str) -> Result<&'a str> {
    context
        .configuration
        .database_url
        .as_deref()
        .ok_or_else(|| {
            Exit::Usage.because(format!(
            "`workmill {command}` needs DATABASE_URL: postgres://user:password@host:5432/database. \
             `workmill up` needs none: it runs a database of its own"
        ))
        })
}
