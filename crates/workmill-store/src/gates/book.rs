//! Which gates each namespace has, remembered by this process.
//!
//! Only their names: how far they are open is read under their lock. A claim compares the version
//! of what it remembers with that of the database after it has picked tasks, so a task is never handed out past a gate
//! that was there before it. What is claimed while a gate is being set up
//! passes it unseen; [`keep`](super::keep) adds it to what it holds.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use workmill_core::gate::{Gate, Paused, Purse};
use workmill_queries::queries::gates::gates as statements;

use super::asking::Wanted;
use crate::error::StoreError;
use crate::operation::Work;

/// The gates of a namespace.
#[derive(Debug, Clone, Default)]
pub(crate) struct KnownGates {
    version: i64,
    gates: BTreeSet<Gate>,
    /// Where a day begins; none: nobody counts days.
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

#[derive(Debug, Default)]
pub(crate) struct GateBook {
    known: RwLock<HashMap<i64, (Timestamp, Arc<KnownGates>)>>,
    /// What the last claim of each namespace asked for, where it asked for something: the next one
    /// is likely to ask for the same.
    likely: RwLock<HashMap<i64, Arc<Wanted>>>,
}

/// Who asks for more than this asks for too much of his own, such as budgets of graphs.
const MOST_LIKELY: usize = 64;

/// How long a server that claims nothing may know nothing of a change that another one has made.
const MEMORY: SignedDuration = SignedDuration::from_secs(1);

impl GateBook {
    pub(crate) fn of(&self, ns: i64) -> Arc<KnownGates> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known
            .get(&ns)
            .map(|(_, gates)| Arc::clone(gates))
            .unwrap_or_default()
    }

    fn is_fresh(&self, ns: i64, now: Timestamp) -> bool {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known
            .get(&ns)
            .is_some_and(|(read_at, _)| now.duration_since(*read_at) < MEMORY)
    }

    fn learn(&self, ns: i64, now: Timestamp, gates: Arc<KnownGates>) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(ns, (now, gates));
    }

    pub(crate) fn likely(&self, ns: i64) -> Arc<Wanted> {
        let likely = self.likely.read().unwrap_or_else(PoisonError::into_inner);
        likely.get(&ns).cloned().unwrap_or_default()
    }

    pub(crate) fn expect(&self, ns: i64, wanted: Wanted) {
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

    /// They were changed here: the next look reads them again. Until then they are known as they
    /// were: who is just at the gates shall not find none at all.
    pub(crate) fn expire(&self, ns: i64) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if let Some((read_at, _)) = known.get_mut(&ns) {
            *read_at = Timestamp::MIN;
        }
    }
}

impl Work<'_> {
    pub(crate) fn gates(&self) -> Arc<KnownGates> {
        self.gate_book().of(self.ns)
    }

    /// Reads which gates there are, unless they are of this version; tells whether they are not.
    pub(crate) async fn expect_gates(
        &self,
        version: i64,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        if version == self.gates().version {
            return Ok(false);
        }
        self.read_gates(version, now).await?;
        Ok(true)
    }

    /// Reads which gates there are, if that was not done in the last second.
    pub(crate) async fn refresh_gates(&self, now: Timestamp) -> Result<(), StoreError> {
        let book = self.gate_book();
        if book.is_fresh(self.ns, now) {
            return Ok(());
        }
        let version = statements::find_gates_version()
            .bind(self.transaction, &self.ns)
            .opt()
            .await
            .map_err(|error| self.failed(error))?
            .unwrap_or(0);
        let known = book.of(self.ns);
        if version == known.version {
            book.learn(self.ns, now, known);
            return Ok(());
        }
        self.read_gates(version, now).await
    }

    async fn read_gates(&self, version: i64, now: Timestamp) -> Result<(), StoreError> {
        let rows = statements::find_all_gates()
            .bind(self.transaction, &self.ns)
            .all()
            .await
            .map_err(|error| self.failed(error))?;
        let mut known = KnownGates {
            version,
            ..KnownGates::default()
        };
        for row in rows.into_iter().filter(|row| !row.is_removed) {
            let gate = row.gate.parse();
            let gate: Gate = gate.map_err(|error| StoreError::Corrupt(format!("{error}")))?;
            if gate == Gate::Budget(Purse::EachDay) {
                let zone = row.time_zone.as_deref().unwrap_or("UTC");
                let zone = TimeZone::get(zone)
                    .map_err(|error| StoreError::Corrupt(format!("time zone {zone}: {error}")))?;
                known.time_zone = Some(zone);
            }
            known.gates.insert(gate);
        }
        self.gate_book().learn(self.ns, now, Arc::new(known));
        Ok(())
    }
}
