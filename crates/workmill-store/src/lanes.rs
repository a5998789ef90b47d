//! The lanes of each namespace, remembered by this process.
//!
//! Lanes are only ever added, and a lane's id is a hash of what it asks, so a memory of them is
//! never wrong, only short. A claim that finds nothing reads them again before it says so, and
//! one that finds something does so every few seconds: other servers may have added a lane with
//! more urgent work.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use jiff::{SignedDuration, Timestamp};
use workmill_core::ids::Namespace;
use workmill_core::lane::{Lane, LaneId};

use crate::connect::Store;

pub(crate) type Lanes = Arc<BTreeMap<LaneId, Lane>>;

#[derive(Debug, Default)]
pub(crate) struct LaneBook {
    known: RwLock<HashMap<i64, Lanes>>,
    /// When the whole namespace was read last.
    read_at: RwLock<HashMap<i64, Timestamp>>,
}

/// How long a server may know nothing of a lane that another one has added.
const MEMORY: SignedDuration = SignedDuration::from_secs(5);

impl Store {
    /// The lanes of a namespace, as far as this process knows.
    pub fn known_lanes(&self, ns: Namespace) -> Arc<BTreeMap<LaneId, Lane>> {
        self.lanes.of(ns.0)
    }
}

impl LaneBook {
    pub(crate) fn of(&self, ns: i64) -> Lanes {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(&ns).cloned().unwrap_or_default()
    }

    /// Whether the namespace was read as a whole in the last few seconds.
    pub(crate) fn is_fresh(&self, ns: i64, now: Timestamp) -> bool {
        let read_at = self.read_at.read().unwrap_or_else(PoisonError::into_inner);
        let age = read_at.get(&ns).map(|at| now.duration_since(*at));
        age.is_some_and(|age| age < MEMORY)
    }

    pub(crate) fn was_read(&self, ns: i64, now: Timestamp) {
        let mut read_at = self.read_at.write().unwrap_or_else(PoisonError::into_inner);
        read_at.insert(ns, now);
    }

    /// Remembers what was read or, after its commit, written.
    pub(crate) fn learn(&self, ns: i64, lanes: impl IntoIterator<Item = (LaneId, Lane)>) {
        let mut lanes = lanes.into_iter().peekable();
        if lanes.peek().is_none() {
            return;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let of_namespace = known.entry(ns).or_default();
        Arc::make_mut(of_namespace).extend(lanes);
    }
}
