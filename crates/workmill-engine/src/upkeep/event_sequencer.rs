//! Gives committed events their place in the order that readers follow.

use workmill_store::StoreError;
use workmill_store::events::SequenceEvents;

use crate::engine::Engine;

const MOST_AT_ONCE: i64 = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    pub batches: usize,
}

pub async fn run_once(engine: &Engine) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let store = engine.store();
    let found = store.namespaces(store.find_namespaces_with_pending_events());
    for ns in found.await? {
        let sequenced = engine
            .run(&SequenceEvents {
                ns,
                most: MOST_AT_ONCE,
            })
            .await?;
        report.batches += sequenced.unwrap_or(0);
    }
    Ok(report)
}
