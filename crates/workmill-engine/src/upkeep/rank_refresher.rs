//! Stores ranks anew where a deadline has moved them by a point or more.

use jiff::Timestamp;
use workmill_store::StoreError;
use workmill_store::upkeep::deadlines::RefreshRanks;

use crate::engine::Engine;

const MOST_AT_ONCE: i64 = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    pub refreshed: usize,
}

pub async fn run_once(engine: &Engine, now: Timestamp) -> Result<Report, StoreError> {
    let mut report = Report::default();
    for (ns, ranks) in engine
        .store()
        .find_ranks_to_refresh(now, MOST_AT_ONCE)
        .await?
    {
        report.refreshed += engine.run(&RefreshRanks { ns, ranks }).await?;
    }
    Ok(report)
}
