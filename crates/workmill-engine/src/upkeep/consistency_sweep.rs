//! Looks through all tasks, a page at a time, for rows that disagree. Must find nothing.

use workmill_store::StoreError;
use workmill_store::upkeep::consistency::{Mend, Place};

use super::round::Round;
use crate::engine::Engine;

/// At one page a second this is some thousandths of a processor.
const PAGE: i64 = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    pub mended: usize,
}

/// Looks at one page.
pub async fn run_once(engine: &Engine, round: &Round<Place>) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let Some(after) = round.turn(Place::FIRST) else {
        return Ok(report);
    };
    let page = engine.store().find_disagreements(after, PAGE).await?;
    round.went(page.next);
    for (ns, tasks) in page.suspects {
        let mended = engine.run(&Mend { ns, tasks }).await?;
        if mended > 0 {
            tracing::error!(
                ns = ns.0,
                mended,
                "rows disagreed and were mended; this is a bug"
            );
        }
        report.mended += mended;
    }
    Ok(report)
}
