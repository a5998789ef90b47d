//! Makes partitions of events some days ahead, and lets events go that are old enough.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use workmill_core::ids::first_id_at;
use workmill_core::retention::{EventDay, days_wanted};
use workmill_store::StoreError;
use workmill_store::upkeep::events::{Made, RemoveOldEvents};

use crate::engine::Engine;

/// Rows that one transaction deletes.
const BATCH: i64 = 5_000;

/// Batches of one namespace at one turn.
const MOST_BATCHES: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    /// Partitions.
    pub days_made: usize,
    pub days_dropped: usize,
    /// Rows of days that had no partition, and places in the order.
    pub rows: u64,
}

/// Days that got events before they got a partition: trying again would mean reading all of them.
#[derive(Debug, Default)]
pub struct Position {
    too_late: Mutex<BTreeSet<EventDay>>,
}

pub async fn run_once(
    engine: &Engine,
    now: Timestamp,
    position: &Position,
) -> Result<Report, StoreError> {
    let (store, age) = (engine.store(), engine.event_age);
    let mut report = Report::default();
    let days = store.find_event_days().await?;
    for day in days_wanted(now) {
        if days.contains(&day) || position.is_too_late(day) {
            continue;
        }
        match store.make_event_day(day).await? {
            Made::Done => report.days_made += 1,
            Made::NotNow => {}
            Made::TooLate => position.remember(day),
        }
    }
    report.days_dropped = store.drop_old_event_days(&days, now, age).await?;
    let oldest = now.checked_sub(age).unwrap_or(Timestamp::UNIX_EPOCH);
    let before = first_id_at(oldest);
    let found = store.namespaces(store.find_namespaces_with_old_events(before));
    for ns in found.await? {
        for _ in 0..MOST_BATCHES {
            let most = BATCH;
            let rows = engine.run(&RemoveOldEvents { ns, before, most }).await?;
            report.rows += rows;
            if rows == 0 {
                break;
            }
        }
    }
    Ok(report)
}

impl Position {
    fn is_too_late(&self, day: EventDay) -> bool {
        let days = self.too_late.lock().unwrap_or_else(PoisonError::into_inner);
        days.contains(&day)
    }

    fn remember(&self, day: EventDay) {
        let mut days = self.too_late.lock().unwrap_or_else(PoisonError::into_inner);
        days.insert(day);
    }
}
