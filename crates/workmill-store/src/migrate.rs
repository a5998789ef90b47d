//! The schema: bringing it up to date, and telling whether this server may use it.
//!
//! Migrations only go forward. They expand first and take away a release later, so an older
//! server keeps working on a newer schema; a migration that does take something away raises the
//! schema's minimum server. Several servers may start at once: an advisory lock lets one of them
//! migrate while the others wait.

use std::hash::{DefaultHasher, Hash, Hasher};

use refinery::Runner;
use refinery::error::Kind;
use thiserror::Error;
use tokio_postgres::{Client, NoTls};

use crate::connect::{ACT_AS_OWNER, settings};
use crate::error::StoreError;
use crate::fitness;

mod embedded {
    refinery::embed_migrations!("migrations");
}

/// Which schemas this server understands. Raised together with a migration that takes away
/// what older servers need.
pub const SERVER_GENERATION: i32 = 1;

/// An arbitrary number that only Workmill's migrations lock.
const MIGRATION_LOCK: i64 = 0x776f_726b_6d69_6c6c;

const HISTORY: &str = "workmill.schema_history";

#[derive(Debug, Error)]
pub enum SchemaError {
    #[error("a migration failed: {0}")]
    Migration(#[from] Box<refinery::Error>),
    /// Before the first release, tables are changed where they are made.
    #[error(
        "the database was made by an earlier Workmill whose tables were different ({migration}), \
         and databases of versions before the first release cannot be upgraded. Nothing was changed. Use \
         another database, or another data folder (`--data FOLDER` or WORKMILL_DATA); the old one is \
         kept as it is"
    )]
    MadeOtherwise { migration: String },
    #[error(
        "the database has no Workmill schema, or an unfinished one: run `workmill migrate` \
         on it first, or start the server with `workmill serve --migrate`"
    )]
    Missing,
    #[error(
        "the schema is at version {found} and this server needs {needed}: run `workmill migrate`, \
         or start the server with `workmill serve --migrate`"
    )]
    Behind { found: i32, needed: i32 },
    #[error(
        "the schema needs a newer server: it states generation {minimum} and this server is of \
         generation {SERVER_GENERATION}. Upgrade workmill on this machine"
    )]
    NeedsNewerServer { minimum: i32 },
}

/// What a migration run did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migrated {
    /// Names of the migrations that were applied now.
    pub applied: Vec<String>,
    /// The newest migration that the database has, by this server or a newer one.
    pub version: i32,
}

fn runner() -> Runner {
    let mut runner = embedded::migrations::runner();
    runner.set_migration_table_name(HISTORY);
    // A newer server may have applied migrations that this one does not know.
    runner.set_abort_missing(false).set_abort_divergent(true)
}

/// The newest version that this server knows.
pub fn newest_version() -> i32 {
    runner()
        .get_migrations()
        .iter()
        .map(refinery::Migration::version)
        .max()
        .unwrap_or(0)
}

/// Changes with every migration; names the test databases' template.
pub fn fingerprint() -> u64 {
    let mut hasher = DefaultHasher::new();
    for migration in runner().get_migrations() {
        (migration.version(), migration.sql()).hash(&mut hasher);
    }
    hasher.finish()
}

/// The migrations as they are written, in order; the tests make tables of another kind from them.
pub fn texts() -> Vec<String> {
    let migrations = runner();
    let mut migrations: Vec<_> = migrations.get_migrations().iter().collect();
    migrations.sort_by_key(|migration| migration.version());
    let texts = migrations.iter().filter_map(|migration| migration.sql());
    texts.map(ToOwned::to_owned).collect()
}

/// Brings the database up to date. Waits while another server does.
pub async fn migrate(url: &str) -> Result<Migrated, StoreError> {
    const DOING: &str = "migrate the schema";
    let refused = |error| StoreError::from_statement(DOING, error);
    let mut client = connect_as_owner(url, DOING).await?;
    fitness::check(&client).await?;
    client
        .execute("select pg_advisory_lock($1)", &[&MIGRATION_LOCK])
        .await
        .map_err(refused)?;
    refuse_newer_schema(&client).await?;
    client
        .batch_execute("create schema if not exists workmill")
        .await
        .map_err(refused)?;
    let report = runner()
        .run_async(&mut client)
        .await
        .map_err(failed_migration)?;
    // A newer server may have migrated further.
    let version = applied_version(&client)
        .await?
        .ok_or(SchemaError::Missing)?;
    // The lock goes with the connection.
    Ok(Migrated {
        applied: report
            .applied_migrations()
            .iter()
            .map(ToString::to_string)
            .collect(),
        version,
    })
}

fn failed_migration(error: refinery::Error) -> SchemaError {
    match error.kind() {
        Kind::DivergentVersion(applied, _) => SchemaError::MadeOtherwise {
            migration: applied.to_string(),
        },
        _ => SchemaError::Migration(Box::new(error)),
    }
}

/// Tells whether this server may work on the schema as it is.
pub async fn check(url: &str) -> Result<(), StoreError> {
    let client = connect_as_owner(url, "check the schema").await?;
    fitness::check(&client).await?;
    refuse_newer_schema(&client).await?;
    let needed = newest_version();
    match applied_version(&client).await? {
        None => Err(SchemaError::Missing.into()),
        Some(found) if found < needed => Err(SchemaError::Behind { found, needed }.into()),
        Some(_) => Ok(()),
    }
}

pub(crate) async fn connect(url: &str, doing: &'static str) -> Result<Client, StoreError> {
    let settings = settings(url)?;
    let (client, connection) = settings.connect(NoTls).await.map_err(|source| {
        let unfit = fitness::refused_login(&settings, &source);
        let unavailable = |source| StoreError::Unavailable {
            doing,
            source: Box::new(source),
        };
        unfit.map_or_else(|| unavailable(source), StoreError::Unfit)
    })?;
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection ended");
        }
    });
    Ok(client)
}

/// Connects as the role that owns the schema, if the role of the address may act as it.
pub(crate) async fn connect_as_owner(url: &str, doing: &'static str) -> Result<Client, StoreError> {
    let client = connect(url, doing).await?;
    let set = client.batch_execute(ACT_AS_OWNER).await;
    set.map_err(|error| StoreError::from_statement(doing, error))?;
    Ok(client)
}

async fn refuse_newer_schema(client: &Client) -> Result<(), StoreError> {
    let minimum: Option<i32> = read_if_there(
        client,
        "workmill.compatibility",
        "select minimum_server from workmill.compatibility",
    )
    .await?;
    match minimum {
        Some(minimum) if minimum > SERVER_GENERATION => {
            Err(SchemaError::NeedsNewerServer { minimum }.into())
        }
        _ => Ok(()),
    }
}

pub(crate) async fn applied_version(client: &Client) -> Result<Option<i32>, StoreError> {
    read_if_there(
        client,
        HISTORY,
        "select max(version) from workmill.schema_history",
    )
    .await
}

async fn read_if_there(
    client: &Client,
    table: &str,
    query: &str,
) -> Result<Option<i32>, StoreError> {
    let refused = |error| StoreError::from_statement("read the schema's version", error);
    let there: bool = client
        .query_one("select to_regclass($1) is not null", &[&table])
        .await
        .map_err(refused)?
        .get(0);
    if !there {
        return Ok(None);
    }
    Ok(client
        .query_opt(query, &[])
        .await
        .map_err(refused)?
        .and_then(|row| row.get(0)))
}
