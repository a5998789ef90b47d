//! Which gates each namespace has: what a transaction knows of them, and what this process remembers.
//!
//! Only their names: how far they are open is read under their lock.
//!
//! A transaction decides with one immutable snapshot at a time. It compares the version of its
//! snapshot with that of the database after it has locked its agents or leases, and again after each
//! time it has picked tasks, so a task is never handed out past a gate that was committed with it or
//! before it. Where the version differs, it takes another snapshot.
//!
//! A snapshot is shared with the other transactions of this process only by a transaction that
//! changes no gates: everything that it reads is committed. So no version number of a transaction that is
//! rolled back is ever remembered. What is remembered is replaced only by a later version. Versions
//! are taken from the clock, so that a number is not used again with other gates, even if a
//! database is restored to an earlier moment.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, MutexGuard, PoisonError, RwLock};

use futures_util::{TryFutureExt, try_join};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use workmill_core::gate::{Gate, Paused, Purse};
use workmill_queries::queries::gates::gates as statements;

use super::asking::Wanted;
use crate::error::StoreError;
use crate::operation::Work;

/// The gates of a namespace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct KnownGates {
    version: i64,
    gates: BTreeSet<Gate>,
    /// Where a day begins; `None` if no budget counts days.
    time_zone: Option<TimeZone>,
}

impl KnownGates {
    pub(crate) fn is_empty(&self) -> bool {
        self.gates.is_empty()
    }

    pub(crate) fn contains(&self, gate: &Gate) -> bool {
        match gate {
            Gate::Budget(Purse::Day(_)) => self.gates.contains(&Gate::Budget(Purse::EachDay)),
            gate => self.gates.contains(gate),
        }
    }

    /// Whether something is paused that what runs can belong to.
    pub(crate) fn pauses_what_runs(&self) -> bool {
        self.gates.iter().any(|gate| {
            matches!(
                gate,
                Gate::Pause(Paused::Namespace | Paused::Graph(_) | Paused::Agent(_))
            )
        })
    }

    /// The namespace's day at this moment.
    pub(crate) fn day(&self, now: Timestamp) -> Date {
        let zone = self.time_zone.clone().unwrap_or(TimeZone::UTC);
        now.to_zoned(zone).date()
    }
}

/// What one transaction knows of the gates of its namespace.
#[derive(Debug, Default)]
pub(crate) struct GatesOfWork {
    /// The version that was read together with the locks; no other one was read since.
    version: Option<i64>,
    known: Option<Arc<KnownGates>>,
    /// The transaction changes gates: what it reads is not committed.
    are_changed: bool,
}

/// What this process remembers, of committed gates only.
#[derive(Debug, Default)]
pub(crate) struct GateCache {
    known: RwLock<HashMap<i64, Arc<KnownGates>>>,
    /// What the last claim of each namespace asked for, where it asked for something: the next one
    /// is likely to ask for the same.
    likely: RwLock<HashMap<i64, Arc<Wanted>>>,
}

/// A claim that asks for more than this asks for too much that is its own, such as budgets of graphs.
const MOST_LIKELY: usize = 64;

impl GateCache {
    fn of(&self, ns: i64) -> Option<Arc<KnownGates>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(&ns).cloned()
    }

    /// Remembers committed gates, unless later ones are remembered.
    fn learn(&self, ns: i64, gates: &Arc<KnownGates>) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let last = known.entry(ns).or_default();
        if gates.version > last.version {
            *last = Arc::clone(gates);
        }
    }

    pub(crate) fn likely(&self, ns: i64) -> Arc<Wanted> {
        let likely = self.likely.read().unwrap_or_else(PoisonError::into_inner);
        likely.get(&ns).cloned().unwrap_or_default()
    }

    fn expect(&self, ns: i64, wanted: Wanted) {
        let is_known = *self.likely(ns) == wanted;
        if is_known {
            return;
        }
        let mut likely = self.likely.write().unwrap_or_else(PoisonError::into_inner);
        if wanted.is_empty() || wanted.len() > MOST_LIKELY {
            likely.remove(&ns);
        } else {
            likely.insert(ns, Arc::new(wanted));
        }
    }
}

impl Work<'_> {
    fn gates_of_work(&self) -> MutexGuard<'_, GatesOfWork> {
        let gates = self.gates.lock();
        gates.unwrap_or_else(PoisonError::into_inner)
    }

    /// The snapshot that this transaction decides with. There is one after `know_gates` and
    /// `expect_gates`.
    pub(crate) fn gates(&self) -> Arc<KnownGates> {
        if self.is_planted("uncommitted gates shared") {
            return self.gate_cache().of(self.ns).unwrap_or_default();
        }
        let known = self.gates_of_work().known.clone();
        debug_assert!(known.is_some(), "the gates were not looked up");
        known.unwrap_or_default()
    }

    /// Reads the clock and the version of the gates, sent together behind the locks.
    pub(crate) async fn read_moment(&self) -> Result<(), StoreError> {
        let find_version = statements::find_gates_version();
        let version = find_version.bind(self.transaction, &self.ns).opt();
        let version = version.map_err(|error| self.failed(error));
        let (_, version) = try_join!(self.now(), version)?;
        // A namespace without an anchor has no gates.
        self.gates_of_work().version = Some(version.unwrap_or(0));
        Ok(())
    }

    /// Makes sure that there is a snapshot, of the version that was read with the locks, or of now.
    pub(crate) async fn know_gates(&self) -> Result<(), StoreError> {
        let version = self.gates_of_work().version;
        let version = if let Some(version) = version {
            version
        } else {
            self.read_moment().await?;
            self.gates_of_work().version.unwrap_or(0)
        };
        self.expect_gates(version).await.map(drop)
    }

    /// Makes sure that the snapshot is of this version or a later one. Returns whether it was not.
    pub(crate) async fn expect_gates(&self, version: i64) -> Result<bool, StoreError> {
        if self.is_planted("uncommitted gates shared") {
            return self.share_uncommitted_gates(version).await;
        }
        let (known, are_changed) = {
            let gates = self.gates_of_work();
            (gates.known.clone(), gates.are_changed)
        };
        if known.is_some_and(|known| known.version == version) {
            return Ok(false);
        }
        let shared = self.gate_cache().of(self.ns);
        let shared = shared.filter(|shared| shared.version == version && !are_changed);
        let gates = match shared {
            Some(shared) => shared,
            None => Arc::new(self.read_gates().await?),
        };
        if !are_changed {
            self.gate_cache().learn(self.ns, &gates);
        }
        self.gates_of_work().known = Some(gates);
        Ok(true)
    }

    /// The planted fault: all transactions of the process share one memory, whatever they read.
    async fn share_uncommitted_gates(&self, version: i64) -> Result<bool, StoreError> {
        let cache = self.gate_cache();
        if cache
            .of(self.ns)
            .is_some_and(|known| known.version == version)
        {
            return Ok(false);
        }
        let gates = Arc::new(self.read_gates().await?);
        let mut known = cache.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(self.ns, gates);
        Ok(true)
    }

    /// Locks out every other change of gates, and makes a new version of them. The anchor is locked.
    pub(crate) async fn change_gates(&self) -> Result<(), StoreError> {
        let now = self.now().await?;
        statements::bump_gates_version()
            .bind(self.transaction, &now.as_microsecond(), &self.ns)
            .await?;
        *self.gates_of_work() = GatesOfWork {
            are_changed: true,
            ..GatesOfWork::default()
        };
        Ok(())
    }

    /// Remembers what a claim asked of the gates, for the next one.
    pub(super) fn expect_to_ask(&self, wanted: Wanted) {
        if !self.gates_of_work().are_changed {
            self.gate_cache().expect(self.ns, wanted);
        }
    }

    /// Reads version and gates in one statement, so that they belong together.
    async fn read_gates(&self) -> Result<KnownGates, StoreError> {
        let rows = statements::find_known_gates()
            .bind(self.transaction, &self.ns)
            .all()
            .await?;
        let mut known = KnownGates::default();
        for row in rows {
            known.version = row.gates_version;
            let Some(gate) = row.gate else { continue };
            let gate: Gate = gate
                .parse()
                .map_err(|error| StoreError::Corrupt(format!("{error}")))?;
            if gate == Gate::Budget(Purse::EachDay) {
                let zone = row.time_zone.as_deref().unwrap_or("UTC");
                let zone = TimeZone::get(zone)
                    .map_err(|error| StoreError::Corrupt(format!("time zone {zone}: {error}")))?;
                known.time_zone = Some(zone);
            }
            known.gates.insert(gate);
        }
        Ok(known)
    }
}
