//! Databases that come from a backup: made beside the one in use, checked, and put in its place.
//!
//! In: connection strings. Invariants: the database in use changes only by the last step, which is one
//! transaction; no lease that was granted before or after the backup holds in what was restored.

use crate::error::StoreError;
use crate::migrate;

/// Epochs are raised by this: no task is claimed as often between a backup and its restoration.
const LEAP: i32 = 100_000;

/// What a database holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    pub version: i32,
    pub namespaces: i64,
    pub tasks: i64,
}

/// `None`: the database has no schema of Workmill.
pub async fn contents(url: &str) -> Result<Option<Contents>, StoreError> {
    const DOING: &str = "inspect the database";
    let client = migrate::connect(url, DOING).await?;
    let Some(version) = migrate::applied_version(&client).await? else {
        return Ok(None);
    };
    let row = client
        .query_one(
            "select (select count(*) from workmill.namespace), (select count(*) from workmill.state)",
            &[],
        )
        .await
        .map_err(|error| StoreError::from_statement(DOING, error))?;
    Ok(Some(Contents {
        version,
        namespaces: row.get(0),
        tasks: row.get(1),
    }))
}

/// Makes an empty database; what an interrupted restoration has left of that name goes.
pub async fn create_database(server: &str, name: &str) -> Result<(), StoreError> {
    drop_database(server, name).await?;
    run(
        server,
        "create a database",
        &format!("create database {name}"),
    )
    .await
}

/// Drops a database if it exists.
pub async fn drop_database(server: &str, name: &str) -> Result<(), StoreError> {
    let drop = format!("drop database if exists {name}");
    run(server, "drop a database", &drop).await
}

/// Puts a database in the place of another one, which goes.
pub async fn put_in_place(server: &str, restored: &str, name: &str) -> Result<(), StoreError> {
    let replaced = format!("{name}_replaced");
    drop_database(server, &replaced).await?;
    let swap = format!(
        "begin; alter database {name} rename to {replaced}; \
         alter database {restored} rename to {name}; commit"
    );
    run(server, "put the restored database in place", &swap).await?;
    drop_database(server, &replaced).await
}

/// Takes all leases away. Epochs that were granted after the backup are unknown here and would be granted
/// again: two agents would hold the same lease. So all epochs leap ahead, and with them those of the
/// leases that are in the backup, whose agents may have gone on since.
pub async fn end_leases(url: &str) -> Result<(), StoreError> {
    const DOING: &str = "end the leases of the backup";
    let refused = |error| StoreError::from_statement(DOING, error);
    let client = migrate::connect(url, DOING).await?;
    let namespaces = client.query("select ns from workmill.namespace", &[]).await;
    for row in namespaces.map_err(refused)? {
        let ns: i64 = row.get(0);
        let statements = ["lease", "hold", "state"].map(|table| {
            format!("update workmill.{table} set epoch = epoch + {LEAP} where ns = {ns}")
        });
        let script = format!("begin; {}; commit", statements.join("; "));
        client.batch_execute(&script).await.map_err(refused)?;
    }
    Ok(())
}

async fn run(url: &str, doing: &'static str, script: &str) -> Result<(), StoreError> {
    let client = migrate::connect(url, doing).await?;
    let done = client.batch_execute(script).await;
    done.map_err(|error| StoreError::from_statement(doing, error))
}
