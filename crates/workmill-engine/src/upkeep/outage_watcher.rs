//! Notices that no server could reach the database for a while, before anything is taken from
//! anybody, and gives every lease its time again.

use jiff::{SignedDuration, Timestamp};
use workmill_store::StoreError;
use workmill_store::upkeep::amnesty::GrantAmnesty;

use crate::engine::Engine;

/// More than two turns of the duties.
pub const LONGEST_SILENCE: SignedDuration = SignedDuration::from_secs(3);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    /// Leases that got their time again.
    pub renewed: u64,
}

/// For when it was so. Only then is it told that somebody is there again: should this server end
/// on the way, another one does it.
pub async fn run_once(engine: &Engine, now: Timestamp) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let store = engine.store();
    for ns in store.namespaces(store.find_namespaces()).await? {
        report.renewed += engine.run(&GrantAmnesty { ns }).await?;
    }
    store.touch_liveness(now).await?;
    Ok(report)
}
