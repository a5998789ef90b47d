//! The lanes of each namespace, remembered by this process.
//!
//! A lane's id is a hash of what it asks, so a memory of lanes is never wrong. It may lack some, and
//! have some that are gone from the database: those that no ready task was in for a while are
//! removed. So what a claim goes by are the lanes that have ready tasks, which the index of `ready`
//! tells. One that is not known is read, and one whose row is gone is told again from a task that is
//! in it: a row that was removed too early strands no task.
//!
//! The lanes with ready tasks are read every few seconds, and as soon as a task becomes ready in a lane
//! that is not known: a task that waited while its server was started anew may be the best one.

mod read;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use jiff::{SignedDuration, Timestamp};
use workmill_core::ids::Namespace;
use workmill_core::lane::{Lane, LaneId};

use crate::connect::Store;

pub(crate) use read::read_lane;

pub(crate) type Lanes = Arc<BTreeMap<LaneId, Lane>>;

/// The lanes that a transaction knows.
#[derive(Debug)]
pub(crate) struct LanesOfWork<'w> {
    /// Those that this process knows.
    known: Lanes,
    /// Those that the transaction writes.
    own: &'w BTreeMap<LaneId, Lane>,
}

impl<'w> LanesOfWork<'w> {
    pub(crate) fn new(known: Lanes, own: &'w BTreeMap<LaneId, Lane>) -> Self {
        LanesOfWork { known, own }
    }

    pub(crate) fn get(&self, id: LaneId) -> Option<&Lane> {
        self.known.get(&id).or_else(|| self.own.get(&id))
    }

    /// How many there are at the most; those that both hold count twice.
    pub(crate) fn count(&self) -> usize {
        self.known.len() + self.own.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&LaneId, &Lane)> {
        let own = self.own.iter();
        let own = own.filter(|(id, _)| !self.known.contains_key(id));
        self.known.iter().chain(own)
    }
}

#[derive(Debug, Default)]
pub(crate) struct LaneCache {
    known: RwLock<HashMap<i64, Lanes>>,
    /// When the lanes with ready tasks were read last.
    readings: RwLock<HashMap<i64, Reading>>,
    /// Those that tasks were submitted to since this was last written down.
    used: Mutex<BTreeMap<i64, BTreeSet<LaneId>>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Reading {
    /// None since a lane was missed.
    at: Option<Timestamp>,
    /// How often a lane was missed.
    missed: u64,
}

/// How long a server may know nothing of a lane that another one has added.
const MEMORY: SignedDuration = SignedDuration::from_secs(5);

impl Store {
    /// The lanes of a namespace, as far as this process knows.
    pub fn known_lanes(&self, ns: Namespace) -> Arc<BTreeMap<LaneId, Lane>> {
        self.lanes.of(ns.0)
    }

    /// Tells that tasks have become ready in these lanes: those that this process does not know are
    /// read by the next claim.
    pub fn lanes_became_ready(&self, ns: Namespace, ready: &BTreeMap<LaneId, usize>) {
        self.lanes.expect(ns.0, ready.keys());
    }
}

impl LaneCache {
    pub(crate) fn of(&self, ns: i64) -> Lanes {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(&ns).cloned().unwrap_or_default()
    }

    /// The namespaces of which any lanes are known.
    pub(crate) fn namespaces(&self) -> Vec<i64> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.keys().copied().collect()
    }

    /// Whether the lanes with ready tasks were read in the last few seconds.
    fn is_fresh(&self, ns: i64, now: Timestamp) -> bool {
        let age = self.reading(ns).at.map(|at| now.duration_since(at));
        age.is_some_and(|age| age < MEMORY)
    }

    fn reading(&self, ns: i64) -> Reading {
        let readings = self.readings.read().unwrap_or_else(PoisonError::into_inner);
        readings.get(&ns).copied().unwrap_or_default()
    }

    /// Remembers that the lanes with ready tasks were read, unless one was missed meanwhile.
    fn was_read(&self, ns: i64, before: Reading, now: Timestamp) {
        let mut readings = self
            .readings
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let reading = readings.entry(ns).or_default();
        if reading.missed == before.missed {
            reading.at = Some(now);
        }
    }

    /// Has the lanes with ready tasks read again if one of these is not known.
    pub(crate) fn expect<'a>(&self, ns: i64, lanes: impl IntoIterator<Item = &'a LaneId>) {
        let known = self.of(ns);
        if lanes.into_iter().all(|lane| known.contains_key(lane)) {
            return;
        }
        let mut readings = self
            .readings
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let reading = readings.entry(ns).or_default();
        reading.missed += 1;
        reading.at = None;
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

    /// Forgets all lanes of a namespace but these.
    pub(crate) fn keep_only(&self, ns: i64, lanes: &BTreeSet<LaneId>) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(of_namespace) = known.get_mut(&ns) {
            Arc::make_mut(of_namespace).retain(|lane, _| lanes.contains(lane));
            if of_namespace.is_empty() {
                known.remove(&ns);
            }
        }
    }

    /// Remembers that tasks are submitted to these lanes.
    pub(crate) fn are_used(&self, ns: i64, lanes: impl IntoIterator<Item = LaneId>) {
        self.lock_used().entry(ns).or_default().extend(lanes);
    }

    /// Takes what was remembered so, to be written down.
    pub(crate) fn take_used(&self, ns: i64) -> BTreeSet<LaneId> {
        self.lock_used().remove(&ns).unwrap_or_default()
    }

    fn lock_used(&self) -> MutexGuard<'_, BTreeMap<i64, BTreeSet<LaneId>>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
