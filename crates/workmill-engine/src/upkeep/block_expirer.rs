//! Fails the attempts of blocked tasks that nobody answered in time.

use jiff::Timestamp;
use workmill_store::StoreError;
use workmill_store::settlement::answer::ExpireBlocks;

use crate::engine::Engine;

const MOST_AT_ONCE: i64 = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    pub expired: usize,
}

pub async fn run_once(engine: &Engine, now: Timestamp) -> Result<Report, StoreError> {
    let mut report = Report::default();
    for (ns, tasks) in engine
        .store()
        .find_expired_blocks(now, MOST_AT_ONCE)
        .await?
    {
        report.expired += engine
            .run(&ExpireBlocks {
                ns,
                tasks,
                random: rand::random(),
            })
            .await?;
    }
    Ok(report)
}
