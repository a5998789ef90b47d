//! `workmill restore`: the private database as a backup holds it.
//!
//! The backup is restored into a database beside the one in use, brought up to date and looked at; only
//! then it takes the other one's place. Whatever goes wrong before that changes nothing.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;
use workmill_store::migrate;
use workmill_store::restored::{self, Contents};

use super::backup::private_folder;
use crate::arguments::RestoreArguments;
use crate::context::CommandContext;
use crate::database::{Database, DatabaseChoice};
use crate::exit::Exit;
use crate::postgres_program;
use crate::render::count;

/// The database in use, and the one that is made beside it.
const NAME: &str = "workmill";
const BESIDE: &str = "workmill_restored";

/// How files begin that `pg_dump` has written in its own format.
const BEGINNING: &[u8] = b"PGDMP";

#[derive(Serialize)]
struct Restored {
    tasks: i64,
    namespaces: i64,
    /// Of the schema, as the backup had it.
    version: i32,
    dry_run: bool,
}

pub(super) async fn run(context: &CommandContext, arguments: &RestoreArguments) -> Result<Exit> {
    let folder = private_folder(context, &arguments.data, "restore")?;
    check_is_backup(&arguments.file)?;
    let choice = if arguments.dry_run {
        DatabaseChoice::Temporary
    } else {
        DatabaseChoice::Private { folder }
    };
    let database = Database::open(choice, "workmill restore".to_owned()).await?;
    let held = restore(&database, arguments).await;
    let closed = database.close().await;
    let held = held?;
    closed?;
    let restored = Restored {
        tasks: held.tasks,
        namespaces: held.namespaces,
        version: held.version,
        dry_run: arguments.dry_run,
    };
    context.output.answer(&restored, for_people)?;
    if !arguments.dry_run {
        context
            .output
            .note("All leases in the backup have ended. `workmill up` starts the server.");
    }
    Ok(Exit::Done)
}

fn for_people(restored: &Restored) -> String {
    let number = |number: i64| usize::try_from(number).unwrap_or_default();
    let what = format!(
        "{} in {}",
        count(number(restored.tasks), "task"),
        count(number(restored.namespaces), "namespace")
    );
    if restored.dry_run {
        format!("The backup is whole: {what}. Nothing was changed.")
    } else {
        format!("Restored {what}")
    }
}

fn check_is_backup(file: &Path) -> Result<()> {
    let mut beginning = [0; BEGINNING.len()];
    let opened = std::fs::File::open(file).map_err(|error| {
        let exit = match error.kind() {
            std::io::ErrorKind::NotFound => Exit::NotFound,
            _ => Exit::Error,
        };
        exit.because(format!("cannot read {}: {error}", file.display()))
    });
    if opened?.read_exact(&mut beginning).is_ok() && beginning == BEGINNING {
        return Ok(());
    }
    let problem = format!(
        "{} is no backup that `workmill backup` has written",
        file.display()
    );
    Err(Exit::InvalidInput.because(problem))
}

async fn restore(database: &Database, arguments: &RestoreArguments) -> Result<Contents> {
    let cluster = database
        .cluster()
        .context("the database is not a private one")?;
    if let Some(held) = restored::contents(&cluster.url(NAME)).await?
        && !arguments.dry_run
        && !arguments.overwrite
    {
        let problem = format!(
            "the database in {} holds {} tasks already: say --overwrite to replace it, or \
             --dry-run to only look into the backup",
            database.folder().display(),
            held.tasks
        );
        return Err(Exit::Conflict.because(problem));
    }
    let server = cluster.url("postgres");
    let beside = cluster.url(BESIDE);
    restored::create_database(&server, BESIDE).await?;
    let held = fill(database.folder(), &beside, &arguments.file).await;
    if held.is_err() || arguments.dry_run {
        restored::drop_database(&server, BESIDE).await?;
        return held;
    }
    restored::put_in_place(&server, BESIDE, NAME).await?;
    held
}

async fn fill(folder: &Path, url: &str, file: &Path) -> Result<Contents> {
    let mut command = postgres_program::command("pg_restore", folder, url)?;
    command
        .args([
            "--no-owner",
            "--no-privileges",
            "--exit-on-error",
            "--single-transaction",
        ])
        .arg(file);
    let filling =
        tokio::task::spawn_blocking(move || postgres_program::run(command, "read the backup"));
    filling.await.context("reading the backup failed")??;
    let held = restored::contents(url).await?;
    let held = held.ok_or_else(|| {
        Exit::InvalidInput.because("the backup is of a database that is not Workmill's")
    })?;
    migrate::migrate(url).await?;
    restored::end_leases(url).await?;
    Ok(held)
}
