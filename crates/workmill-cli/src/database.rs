//! The database that a server works on: one that is named, or one of our own.

mod watch;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use workmill_local_postgres::{Cluster, Ephemeral, LocalPostgresError, Owner, Settings};
use workmill_store::StoreError;

pub(crate) use watch::Watch;

use crate::database_address::address;
use crate::key_file;

/// What the user asked for.
#[derive(Debug, Clone)]
pub(crate) enum DatabaseChoice {
    /// Somebody else runs it; the folder only holds its key.
    External {
        url: String,
        folder: PathBuf,
    },
    Private {
        folder: PathBuf,
    },
    Temporary,
}

/// A database that answers, or is said to.
#[derive(Debug)]
pub(crate) enum Database {
    External { url: String, folder: PathBuf },
    Private { cluster: Cluster, owner: Owner },
    Temporary(Ephemeral),
}

impl DatabaseChoice {
    /// Who works in the folder already, if somebody does.
    pub(crate) fn held_by_another(&self) -> Option<LocalPostgresError> {
        let DatabaseChoice::Private { folder } = self else {
            return None;
        };
        if !folder.join("owner.lock").exists() {
            return None;
        }
        Owner::take(folder, "a look at who holds the folder")
            .err()
            .filter(|error| matches!(error, LocalPostgresError::HeldByAnother { .. }))
    }
}

impl Database {
    /// `what` is shown to those who want the same folder.
    pub(crate) async fn open(choice: DatabaseChoice, what: String) -> Result<Arc<Database>> {
        let opened = tokio::task::spawn_blocking(move || open(choice, &what)).await;
        Ok(Arc::new(opened.context("starting the database failed")??))
    }

    pub(crate) fn url(&self) -> String {
        match self {
            Database::External { url, .. } => url.clone(),
            Database::Private { .. } | Database::Temporary(_) => self
                .cluster()
                .map(|cluster| cluster.url("workmill"))
                .unwrap_or_default(),
        }
    }

    /// The server behind it, when it is ours.
    pub(crate) fn cluster(&self) -> Option<&Cluster> {
        match self {
            Database::External { .. } => None,
            Database::Private { cluster, .. } => Some(cluster),
            Database::Temporary(ephemeral) => Some(ephemeral.cluster()),
        }
    }

    /// Where this machine keeps what belongs to it.
    pub(crate) fn folder(&self) -> &Path {
        match self {
            Database::External { folder, .. } => folder,
            Database::Private { owner, .. } => owner.data(),
            Database::Temporary(ephemeral) => ephemeral.folder(),
        }
    }

    /// The folder, unless it goes with this process.
    pub(crate) fn lasting_folder(&self) -> Option<&Path> {
        match self {
            Database::External { .. } | Database::Private { .. } => Some(self.folder()),
            Database::Temporary(_) => None,
        }
    }

    pub(crate) fn key_file(&self, name: &str) -> PathBuf {
        match self {
            Database::External { url, folder } => key_file::of_external(folder, url, name),
            Database::Private { .. } | Database::Temporary(_) => {
                key_file::of_private(self.folder(), name)
            }
        }
    }

    /// Stops what was started; everything committed is on disk.
    pub(crate) async fn close(self: Arc<Database>) -> Result<()> {
        let Some(database) = Arc::into_inner(self) else {
            anyhow::bail!("the database is still in use and keeps running");
        };
        tokio::task::spawn_blocking(move || close(database))
            .await
            .context("stopping the database failed")?
    }
}

fn open(choice: DatabaseChoice, what: &str) -> Result<Database> {
    Ok(match choice {
        DatabaseChoice::External { url, folder } => {
            if !folder.join("owner.lock").exists() {
                // Makes it a private folder that a cluster may move into later.
                drop(Owner::take(&folder, what)?);
            }
            Database::External { url, folder }
        }
        DatabaseChoice::Private { folder } => {
            let owner = Owner::take(&folder, what)?;
            let cluster = Cluster::start(&owner, &Settings::default())?;
            Database::Private { cluster, owner }
        }
        DatabaseChoice::Temporary => {
            Database::Temporary(Ephemeral::start_with(&Settings::for_tests())?)
        }
    })
}

fn close(database: Database) -> Result<()> {
    match database {
        Database::External { .. } => Ok(()),
        Database::Private { cluster, owner } => {
            tracing::info!("stopping PostgreSQL");
            let stopped = cluster.stop();
            drop(owner);
            Ok(stopped?)
        }
        Database::Temporary(ephemeral) => {
            tracing::info!("stopping PostgreSQL and removing its folder");
            drop(ephemeral);
            Ok(())
        }
    }
}

/// Adds what to do about a database that cannot be used. The address is told, the password not.
pub(crate) fn explain(error: StoreError, url: &str) -> anyhow::Error {
    let address = address(url);
    let advice = match &error {
        StoreError::Unavailable { .. } => format!(
            "the database at `{address}` cannot be reached. Check that it runs, and that DATABASE_URL \
             has the right host, port, database name, user and password. Without DATABASE_URL, \
             `workmill up` runs a database of its own"
        ),
        StoreError::Settings(_) => "DATABASE_URL cannot be read. It looks like \
             postgres://user:password@host:5432/database"
            .to_owned(),
        _ => return error.into(),
    };
    anyhow::Error::new(error).context(advice)
}
