//! Lets tallies of how attempts ended go that are old enough.

use jiff::Timestamp;
use workmill_store::StoreError;
use workmill_store::experience::tally::{RemoveOldTallies, kept_since};

use crate::engine::Engine;

/// Rows that one transaction deletes.
const BATCH: i64 = 1_000;

/// Batches of one namespace at one turn.
const MOST_BATCHES: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    pub rows: u64,
}

pub async fn run_once(engine: &Engine, now: Timestamp) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let before = kept_since(now);
    let store = engine.store();
    let found = store.namespaces(store.find_namespaces_with_old_tallies(before));
    for ns in found.await? {
        for _ in 0..MOST_BATCHES {
            let most = BATCH;
            let rows = engine.run(&RemoveOldTallies { ns, before, most }).await?;
            report.rows += rows;
            if rows == 0 {
                break;
            }
        }
    }
    Ok(report)
}
