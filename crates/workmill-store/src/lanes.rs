//! The lanes of each namespace, remembered by this process.
//!
//! Lanes are only ever added, and a lane's id is a hash of what it asks, so a memory of them is
//! never wrong, only short. A claim that finds nothing reads them again before it says so.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use workmill_core::lane::{Lane, LaneId};

pub(crate) type Lanes = Arc<BTreeMap<LaneId, Lane>>;

#[derive(Debug, Default)]
pub(crate) struct LaneBook {
    known: RwLock<HashMap<i64, Lanes>>,
}

impl LaneBook {
    pub(crate) fn of(&self, ns: i64) -> Lanes {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(&ns).cloned().unwrap_or_default()
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
