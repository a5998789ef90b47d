//! `workmill backup`: the private database in a file, as it is at one moment.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use serde::Serialize;
use workmill_local_postgres::{LocalPostgresError, url_of_running};

use crate::arguments::{BackupArguments, DataArguments};
use crate::context::CommandContext;
use crate::database::{Database, DatabaseChoice};
use crate::exit::Exit;
use crate::postgres_program;

#[derive(Serialize)]
struct Written {
    file: PathBuf,
    bytes: u64,
}

pub(super) async fn run(context: &CommandContext, arguments: &BackupArguments) -> Result<Exit> {
    let file = &arguments.file;
    let folder = private_folder(context, &arguments.data, "backup")?;
    if file.exists() && !arguments.overwrite {
        let problem = format!("{} exists: say --overwrite to replace it", file.display());
        return Err(Exit::Conflict.because(problem));
    }
    if !folder.join("postgres").exists() {
        let problem = format!("there is no private database in {}", folder.display());
        return Err(Exit::NotFound.because(problem));
    }
    let (url, own) = reach(&folder).await?;
    let dumped = dump(&folder, &url, file).await;
    if let Some(database) = own {
        database.close().await?;
    }
    let written = Written {
        file: file.clone(),
        bytes: dumped?,
    };
    context.output.answer(&written, |written| {
        format!("Wrote {}, {} bytes", written.file.display(), written.bytes)
    })?;
    Ok(Exit::Done)
}

/// The folder of the private database. A database of one's own has its own tools.
pub(super) fn private_folder(
    context: &CommandContext,
    arguments: &DataArguments,
    command: &str,
) -> Result<PathBuf> {
    let named = context.configuration.database_url.is_some();
    if named && arguments.data.is_none() {
        let problem = format!(
            "`workmill {command}` is for the private database, and DATABASE_URL names another one: \
             docs/backup.md says what to do for that, or name the data folder with --data"
        );
        return Err(Exit::Usage.because(problem));
    }
    Ok(context.configuration.data_folder(arguments.data.as_deref()))
}

/// The server that `workmill up` runs; otherwise one that is started for this.
async fn reach(folder: &Path) -> Result<(String, Option<Arc<Database>>)> {
    let choice = DatabaseChoice::Private {
        folder: folder.to_path_buf(),
    };
    match Database::open(choice, "workmill backup".to_owned()).await {
        Ok(database) => Ok((database.url(), Some(database))),
        Err(error) => {
            let is_held = matches!(
                error.downcast_ref::<LocalPostgresError>(),
                Some(LocalPostgresError::HeldByAnother { .. })
            );
            match url_of_running(folder, "workmill") {
                Some(url) if is_held => Ok((url, None)),
                _ => Err(error),
            }
        }
    }
}

/// The file appears when it is whole. Only its owner can read it: it holds the hashes of keys and all
/// that agents have written.
async fn dump(folder: &Path, url: &str, file: &Path) -> Result<u64> {
    let mut unfinished = file.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let unfinished = PathBuf::from(unfinished);
    let create = || {
        let _ = std::fs::remove_file(&unfinished);
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&unfinished)
    };
    create().with_context(|| format!("cannot write {}", unfinished.display()))?;
    let mut command = postgres_program::command("pg_dump", folder, url)?;
    command.args(["--format=custom", "--file"]).arg(&unfinished);
    let dumping =
        tokio::task::spawn_blocking(move || postgres_program::run(command, "write the backup"));
    let dumped = dumping.await.context("writing the backup failed")?;
    let put_in_place = || {
        let written = File::open(&unfinished)?;
        written.sync_all()?;
        std::fs::rename(&unfinished, file)?;
        Ok(written.metadata()?.len())
    };
    let finished = dumped.and_then(|()| {
        let done: std::io::Result<u64> = put_in_place();
        done.with_context(|| format!("cannot write {}", file.display()))
    });
    if finished.is_err() {
        // Half of a backup is none.
        let _ = std::fs::remove_file(&unfinished);
    }
    finished
}
