//! Makes retries and scheduled tasks ready when their time has come.

use jiff::Timestamp;
use workmill_store::StoreError;
use workmill_store::upkeep::PromoteDue;

use crate::engine::Engine;

const MOST_AT_ONCE: i64 = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    pub promoted: usize,
}

pub async fn run_once(engine: &Engine, now: Timestamp) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let store = engine.store();
    let found = store.namespaces(store.find_namespaces_with_due_tasks(now));
    for ns in found.await? {
        report.promoted += engine
            .run(&PromoteDue {
                ns,
                most: MOST_AT_ONCE,
            })
            .await?;
    }
    Ok(report)
}
