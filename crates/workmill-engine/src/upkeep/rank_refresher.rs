//! Stores ranks anew where a deadline has moved them by a point or more.

use jiff::Timestamp;
use workmill_store::StoreError;
use workmill_store::upkeep::deadlines::RefreshRanks;

use crate::engine::Engine;

const MOST_AT_ONCE: i64 = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    pub refreshed: usize,
}

pub async fn run_once(engine: &Engine, now: Timestamp) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let store = engine.store();
    let found = store.namespaces(store.find_namespaces_with_pressing_tasks(now));
    for ns in found.await? {
        let ranks = store.find_ranks_to_refresh(ns, now, MOST_AT_ONCE).await?;
        if ranks.is_empty() {
            continue;
        }
        report.refreshed += engine.run(&RefreshRanks { ns, ranks }).await?;
    }
    Ok(report)
}
