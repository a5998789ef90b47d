//! Facts about a database that `workmill doctor` turns into advice. Read-only.

use jiff::Timestamp;

use crate::error::StoreError;
use crate::fitness::{self, Unfit};
use crate::migrate;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseFacts {
    pub version: String,
    /// What the database's clock shows; compare with the moment the answer arrives.
    pub clock: Timestamp,
    pub schema_version: Option<i32>,
    /// Settings that guard what was acknowledged, with their values.
    pub durability: Vec<(String, String)>,
    pub max_connections: i32,
    pub connections_in_use: i64,
    /// Why Workmill cannot work on it with this role.
    pub unfit: Option<Unfit>,
}

pub async fn facts(url: &str) -> Result<DatabaseFacts, StoreError> {
    const DOING: &str = "examine the database";
    let refused = |error| StoreError::from_statement(DOING, error);
    let client = migrate::connect_as_owner(url, DOING).await?;
    let unfit = match fitness::check(&client).await {
        Ok(()) => None,
        Err(StoreError::Unfit(unfit)) => Some(unfit),
        Err(error) => return Err(error),
    };
    // Of everything here an ordinary role may ask.
    let row = client
        .query_one(
            "select current_setting('server_version'), clock_timestamp(), current_setting('max_connections')::int,
                    (select coalesce(sum(numbackends), 0) from pg_stat_database)",
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
        clock: row.get(1),
        max_connections: row.get(2),
        connections_in_use: row.get(3),
        // A role without rights may not even look.
        schema_version: match unfit {
            None => migrate::applied_version(&client).await?,
            Some(_) => None,
        },
        unfit,
        durability: durability
            .iter()
            .map(|row| (row.get(0), row.get(1)))
            .collect(),
    })
}
