//! Test databases that Citus distributes, on the server that `CITUS_DATABASE_URL` names. It is coordinator
//! and worker in one: a new database there needs no preparation on other machines.
//!
//! Untested where there is no Citus. The tables are distributed as a server's would be: by `ns`, so that the
//! rows of a namespace are on one machine. Keys and names of namespaces are on each machine. What has a
//! trigger, row-level security or one row stays on the coordinator.

use anyhow::{Context, Result};
use tokio_postgres::Client;

/// The coordinator, if the tests are to run there.
pub(crate) fn url() -> Option<String> {
    let url = std::env::var("CITUS_DATABASE_URL").ok();
    url.filter(|url| !url.is_empty())
}

/// Tables with `ns` that each machine has whole.
const REFERENCE: &[&str] = &["namespace", "api_key"];

/// Tables with `ns` that stay on the coordinator.
const LOCAL: &[&str] = &["inbox", "inbox_grant"];

/// Distributes the tables of a database that was just migrated.
pub(crate) async fn distribute(client: &Client) -> Result<()> {
    client
        .batch_execute("create extension if not exists citus")
        .await
        .context("cannot create the extension citus")?;
    // Partitions follow their table.
    let tables = "select c.relname::text
        from pg_catalog.pg_class c
        join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'ns'
        where c.relnamespace = 'workmill'::regnamespace and c.relkind in ('r', 'p')
            and not c.relispartition
        order by c.relname <> 'anchor', c.relname";
    for row in client.query(tables, &[]).await? {
        let table: String = row.get(0);
        let statement = if REFERENCE.contains(&table.as_str()) {
            format!("select create_reference_table('workmill.{table}')")
        } else if LOCAL.contains(&table.as_str()) {
            continue;
        } else if table == "anchor" {
            "select create_distributed_table('workmill.anchor', 'ns')".to_owned()
        } else {
            format!(
                "select create_distributed_table('workmill.{table}', 'ns', \
                 colocate_with => 'workmill.anchor')"
            )
        };
        let distributed = client.batch_execute(&statement).await;
        distributed.with_context(|| format!("cannot distribute {table}"))?;
    }
    Ok(())
}
