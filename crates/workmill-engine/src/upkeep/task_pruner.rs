//! Removes finished tasks that have been kept as long as their namespace says, oldest first.
//!
//! A turn takes some batches, each with its own commit. Where tasks are kept for their graph, or
//! for ever, it goes past them and comes back when it has been through.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use workmill_core::ids::Namespace;
use workmill_store::StoreError;
use workmill_store::upkeep::retention::Position as Place;
use workmill_store::upkeep::retention::removal::RemoveFinished;

use crate::engine::Engine;

/// Tasks that one transaction looks at.
const BATCH: i64 = 500;

/// Batches of one namespace at one turn: ten thousand tasks.
const MOST_BATCHES: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    pub tasks: usize,
    pub graphs: usize,
}

/// How far it has come in each namespace.
#[derive(Debug, Default)]
pub struct Position {
    places: Mutex<BTreeMap<Namespace, Place>>,
}

impl Position {
    fn take(&self, ns: Namespace) -> Place {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.remove(&ns).unwrap_or(Place::FIRST)
    }

    fn put(&self, ns: Namespace, place: Place) {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.insert(ns, place);
    }
}

pub async fn run_once(
    engine: &Engine,
    now: Timestamp,
    position: &Position,
) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let store = engine.store();
    let found = store.namespaces(store.find_namespaces_with_old_tasks(now));
    for ns in found.await? {
        let mut after = position.take(ns);
        for _ in 0..MOST_BATCHES {
            let most = BATCH;
            let removed = engine.run(&RemoveFinished { ns, after, most }).await?;
            report.tasks += removed.tasks;
            report.graphs += removed.graphs;
            // At the end, from the beginning at the next turn.
            let Some(next) = removed.next else {
                after = Place::FIRST;
                break;
            };
            after = next;
        }
        position.put(ns, after);
    }
    Ok(report)
}
