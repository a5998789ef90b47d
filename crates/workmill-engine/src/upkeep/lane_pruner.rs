//! Removes lanes that are not used: a lane costs nothing while no task is in it, but each namespace
//! may have only so many.

use jiff::Timestamp;
use workmill_store::StoreError;
use workmill_store::upkeep::lanes::PruneLanes;

use crate::engine::Engine;

/// Lanes that one transaction removes.
const BATCH: i64 = 1_000;

/// Batches of one namespace at one turn.
const MOST_BATCHES: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    pub lanes: u64,
}

pub async fn run_once(engine: &Engine, now: Timestamp) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let store = engine.store();
    let found = store.namespaces(store.find_namespaces_with_old_lanes(now));
    for ns in found.await? {
        for _ in 0..MOST_BATCHES {
            let removed = engine.run(&PruneLanes { ns, most: BATCH }).await?;
            report.lanes += removed;
            if removed == 0 {
                break;
            }
        }
        store.forget_removed_lanes(ns).await?;
    }
    Ok(report)
}
