//! The schema with its growing tables partitioned by namespace.
//!
//! A statement that says `ns = …` for every table that it touches is answered by one partition of
//! each; on a distributed engine, by one machine. Tests find those that do not.

use anyhow::{Context, Result};

pub const PARTITIONS: usize = 4;

/// What grows with the work.
pub const TABLES: &[&str] = &[
    "state",
    "ready",
    "lease",
    "due",
    "spec",
    "edge",
    "attempt",
    "result",
    "finished",
    "event_pending",
    "event_order",
    "checkpoint",
    "audit",
    "attempt_tally",
    "daily_spend",
];

/// The script that makes the schema, with [`TABLES`] partitioned.
pub fn partition(script: &str) -> Result<String> {
    TABLES.iter().try_fold(script.to_owned(), |script, table| {
        partition_table(&script, table)
            .with_context(|| format!("the migrations do not create {table} as expected"))
    })
}

/// What is said about storage goes to the partitions.
fn partition_table(script: &str, table: &str) -> Option<String> {
    let start = script.find(&format!("create table workmill.{table} (\n"))?;
    let columns_end = start + script[start..].find("\n)")? + "\n)".len();
    let end = columns_end + script[columns_end..].find(';')?;
    let storage = &script[columns_end..end];
    let mut parts = vec![format!("{} partition by hash (ns)", &script[..columns_end])];
    parts.extend((0..PARTITIONS).map(|remainder| {
        format!(
            "create table workmill.{table}_p{remainder} partition of workmill.{table} \
             for values with (modulus {PARTITIONS}, remainder {remainder}){storage}"
        )
    }));
    Some(parts.join(";\n") + &alter_partitions(&script[end..], table))
}

/// Storage settings that a later migration changes go to the partitions, too.
fn alter_partitions(script: &str, table: &str) -> String {
    let begin_of = |name: &str| format!("alter table workmill.{name} set (");
    let Some((before, settings)) = script.split_once(&begin_of(table)) else {
        return script.to_owned();
    };
    let Some((settings, after)) = settings.split_once(';') else {
        return script.to_owned();
    };
    let statements = (0..PARTITIONS)
        .map(|remainder| format!("{}{settings};", begin_of(&format!("{table}_p{remainder}"))));
    let statements: Vec<String> = statements.collect();
    format!("{before}{}{after}", statements.join("\n"))
}
