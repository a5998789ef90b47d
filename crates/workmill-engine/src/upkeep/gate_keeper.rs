//! Lets in what waits at a gate although there is room, and compares the figures of gates with
//! what runs. Must mend nothing.

use std::sync::atomic::{AtomicU32, Ordering};

use workmill_store::StoreError;
use workmill_store::gates::keep::KeepGates;

use crate::engine::Engine;

/// How many turns it takes from one comparison to the next.
const TURNS: u32 = 30;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    pub returned: usize,
    pub adopted: usize,
    pub mended: usize,
}

/// How many turns it had.
#[derive(Debug, Default)]
pub struct Position {
    turns: AtomicU32,
}

pub async fn run_once(engine: &Engine, position: &Position) -> Result<Report, StoreError> {
    let turn = position.turns.fetch_add(1, Ordering::Relaxed);
    let mut report = Report::default();
    for ns in engine.store().find_namespaces_with_gates().await? {
        let reconciles = turn.is_multiple_of(TURNS);
        let kept = engine.run(&KeepGates { ns, reconciles }).await?;
        report.returned += kept.returned;
        report.adopted += kept.adopted;
        report.mended += kept.mended;
        if kept.mended > 0 {
            tracing::error!(
                ns = ns.0,
                mended = kept.mended,
                "gates disagreed with what runs and were mended; this is a bug"
            );
        }
    }
    Ok(report)
}
