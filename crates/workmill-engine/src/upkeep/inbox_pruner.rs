//! Removes rows of the inbox that were handled long ago, accepted and refused alike.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use workmill_store::StoreError;
use workmill_store::intake::inbox::RemoveLetters;

use crate::engine::Engine;

/// How long rows are kept after they were handled, unless somebody says otherwise.
pub const USUAL_AGE: Duration = Duration::from_hours(7 * 24);

/// How many turns it takes from one look to the next: what is kept for days can wait for minutes.
const TURNS: u32 = 20;

/// Rows that one transaction deletes.
const BATCH: i64 = 1_000;

/// Batches of one namespace at one look.
const MOST_BATCHES: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    pub rows: u64,
}

/// How many turns it had.
#[derive(Debug, Default)]
pub struct Position {
    turns: AtomicU32,
}

pub async fn run_once(
    engine: &Engine,
    now: Timestamp,
    position: &Position,
) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let turn = position.turns.fetch_add(1, Ordering::Relaxed);
    if !turn.is_multiple_of(TURNS) {
        return Ok(report);
    }
    let age = engine.inbox_age;
    let handled_before = now.checked_sub(age).unwrap_or(Timestamp::UNIX_EPOCH);
    for name in engine.store().find_old_inboxes(handled_before).await? {
        for _ in 0..MOST_BATCHES {
            let operation = RemoveLetters {
                name: &name,
                handled_before,
                most: BATCH,
            };
            let rows = engine.run(&operation).await?;
            report.rows += rows;
            if rows == 0 {
                break;
            }
        }
    }
    Ok(report)
}
