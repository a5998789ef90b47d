//! Forgets idempotency keys whose tasks ended long ago, a page at a time.

use jiff::Timestamp;
use workmill_store::StoreError;
use workmill_store::upkeep::idempotency::Place;

use super::round::Round;
use crate::engine::Engine;

const PAGE: i64 = 500;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    pub forgotten: usize,
}

/// Looks at one page.
pub async fn run_once(
    engine: &Engine,
    now: Timestamp,
    round: &Round<Place>,
) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let Some(after) = round.turn(Place::FIRST) else {
        return Ok(report);
    };
    let page = engine.store().find_served_keys(now, &after, PAGE).await?;
    round.went(page.next);
    for change in &page.changes {
        report.forgotten += engine.run(change).await?;
    }
    Ok(report)
}
