//! Facts about a database that `workmill doctor` turns into advice. Read-only.

use jiff::Timestamp;

use crate::error::StoreError;
use crate::migrate;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseFacts {
    pub version: String,
    pub version_number: i32,
    /// What the database's clock shows; compare with the moment the answer arrives.
    pub clock: Timestamp,
    pub schema_version: Option<i32>,
    /// Settings that guard what was acknowledged, with their values.
    pub durability: Vec<(String, String)>,
    pub max_connections: i32,
    pub connections_in_use: i64,
    /// A standby takes no writes.
    pub is_in_recovery: bool,
    pub data_directory: Option<String>,
}

pub async fn facts(url: &str) -> Result<DatabaseFacts, StoreError> {
    const DOING: &str = "examine the database";
    let refused = |error| StoreError::from_statement(DOING, error);
    let client = migrate::connect(url, DOING).await?;
    let row = client
        .query_one(
            "select current_setting('server_version'), current_setting('server_version_num')::int,
                    clock_timestamp(), current_setting('max_connections')::int,
                    (select count(*) from pg_stat_activity where backend_type = 'client backend'),
                    pg_is_in_recovery(), current_setting('data_directory', true)",
            &[],
        )
        .await
        .map_err(refused)?;
    let durability = client
        .query(
            "select name, setting from pg_settings
             where name in ('fsync', 'synchronous_commit', 'full_page_writes') order by name",
            &[],
        )
        .await
        .map_err(refused)?;
    Ok(DatabaseFacts {
        version: row.get(0),
        version_number: row.get(1),
        clock: row.get(2),
        max_connections: row.get(3),
        connections_in_use: row.get(4),
        is_in_recovery: row.get(5),
        data_directory: row.get(6),
        schema_version: migrate::applied_version(&client).await?,
        durability: durability
            .iter()
            .map(|row| (row.get(0), row.get(1)))
            .collect(),
    })
}
