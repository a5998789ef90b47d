//! Makes stale what did not run before its deadline, and stops what still runs after it.

use jiff::Timestamp;
use workmill_store::StoreError;
use workmill_store::upkeep::deadlines::PassDeadlines;

use crate::engine::Engine;

const MOST_AT_ONCE: i64 = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    pub stale: usize,
    pub stopping: usize,
}

pub async fn run_once(engine: &Engine, now: Timestamp) -> Result<Report, StoreError> {
    let mut report = Report::default();
    for (ns, tasks) in engine
        .store()
        .find_passed_deadlines(now, MOST_AT_ONCE)
        .await?
    {
        let (stale, stopping) = engine.run(&PassDeadlines { ns, tasks }).await?;
        report.stale += stale;
        report.stopping += stopping;
    }
    Ok(report)
}
