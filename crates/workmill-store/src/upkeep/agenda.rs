//! What there is to do for the duties: one read over all namespaces, with the clock. An idle server sends
//! nothing else; while there are leases, it also records at each turn that it has reached the database.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use jiff::{SignedDuration, Timestamp};
use workmill_core::ids::Namespace;
use workmill_core::lane::LaneId;
use workmill_queries::queries::upkeep::agenda as statements;

use crate::clock::Clock;
use crate::connect::Store;
use crate::error::StoreError;

/// How many tasks of each lane are ready.
pub type Ready = BTreeMap<LaneId, usize>;

/// Hints: each duty looks again.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a list of what there is")]
pub struct Agenda {
    pub now: Timestamp,
    /// No server could reach the database for too long. Until leases were spared and somebody has
    /// shown a sign of life, it stays so.
    pub was_away: bool,
    pub has_lost_leases: bool,
    pub has_expired_blocks: bool,
    pub has_pressing_deadlines: bool,
    pub has_due_tasks: bool,
    pub has_pending_events: bool,
    /// Somebody waits at a gate, or it is to be cleared away.
    pub has_restless_gates: bool,
    /// Where somebody waits: up to a hundred of each lane.
    pub ready: BTreeMap<Namespace, Ready>,
}

impl Store {
    /// Reads the agenda and, unless the database was away for longer than `longest_silence`, records that
    /// this server has reached all of it. If a part cannot be reached, the duties go from namespace to
    /// namespace: see [`super::reach`].
    pub async fn read_agenda(
        &self,
        longest_silence: SignedDuration,
        waited_in: &[Namespace],
    ) -> Result<Agenda, StoreError> {
        let about_now = self.about_now().await?;
        match self.look_at_all(about_now, waited_in).await {
            Ok((mut agenda, has_leases)) => {
                self.widen();
                agenda.was_away = !self.was_reached(agenda.now, longest_silence).await?;
                // Not before: leases that could not be renewed are spared when their machine is back.
                if !agenda.was_away {
                    if has_leases {
                        self.touch_liveness(agenda.now).await?;
                    }
                    self.last_reach.set(agenda.now);
                }
                Ok(agenda)
            }
            Err(refused) => {
                let was_away = !self.was_reached(about_now, longest_silence).await?;
                let was_part_away = self.narrow(refused, was_away).await?;
                Ok(Agenda::of_each_namespace(about_now, was_part_away))
            }
        }
    }

    /// Returns the time of the last turn with what has passed since by the clock of this process: near
    /// enough for hints. The first turn reads the clock.
    async fn about_now(&self) -> Result<Timestamp, StoreError> {
        match (&self.clock, self.last_reach.estimate()) {
            (Clock::Database, Some(estimate)) => Ok(estimate),
            _ => self.now().await,
        }
    }

    /// Reads the agenda, and whether there are leases.
    async fn look_at_all(
        &self,
        about_now: Timestamp,
        waited_in: &[Namespace],
    ) -> Result<(Agenda, bool), StoreError> {
        const DOING: &str = "look for pending work";
        let waited: Vec<i64> = waited_in.iter().map(|ns| ns.0).collect();
        let client = self.client(DOING).await?;
        let read = statements::read_agenda()
            .bind(&client, &about_now, &waited)
            .one()
            .await;
        let row = read.map_err(|error| StoreError::from_statement(DOING, error))?;
        drop(client);
        let ready = if row.has_ready_tasks {
            self.count_ready_lanes(waited_in).await?
        } else {
            BTreeMap::new()
        };
        let agenda = Agenda {
            now: match &self.clock {
                Clock::Manual(clock) => clock.now(),
                Clock::Database => row.now,
            },
            was_away: false,
            has_lost_leases: row.has_lost_leases,
            has_expired_blocks: row.has_expired_blocks,
            has_pressing_deadlines: row.has_pressing_deadlines,
            has_due_tasks: row.has_due_tasks,
            has_pending_events: row.has_pending_events,
            has_restless_gates: row.has_restless_gates,
            ready,
        };
        Ok((agenda, row.has_leases))
    }

    async fn find_liveness(&self) -> Result<Option<Timestamp>, StoreError> {
        const DOING: &str = "look for the last sign of life";
        let client = self.client(DOING).await?;
        let found = statements::find_liveness().bind(&client).opt().await;
        found.map_err(|error| StoreError::from_statement(DOING, error))
    }

    /// Returns whether this server or another one has reached the whole database within
    /// `longest_silence`, or none ever has. Without leases no server records it, and none need be spared.
    pub(crate) async fn was_reached(
        &self,
        now: Timestamp,
        longest_silence: SignedDuration,
    ) -> Result<bool, StoreError> {
        let is_recent = |at: Timestamp| now.duration_since(at) <= longest_silence;
        let own = self.last_reach.get();
        if own.is_some_and(is_recent) {
            return Ok(true);
        }
        let last = self.find_liveness().await?.max(own);
        Ok(last.is_none_or(is_recent))
    }
}

/// When this server last reached the whole database.
#[derive(Debug, Default)]
pub(crate) struct LastReach(Mutex<Option<(Timestamp, Instant)>>);

impl LastReach {
    fn set(&self, at: Timestamp) {
        *self.lock() = Some((at, Instant::now()));
    }

    fn get(&self) -> Option<Timestamp> {
        self.lock().map(|(at, _)| at)
    }

    /// Returns what the clock of the database says now, about.
    fn estimate(&self) -> Option<Timestamp> {
        let (at, since) = (*self.lock())?;
        at.checked_add(since.elapsed()).ok()
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Timestamp, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Agenda {
    /// Each duty is to look for itself. Claims that wait are woken by what the duties make ready.
    fn of_each_namespace(now: Timestamp, was_away: bool) -> Agenda {
        Agenda {
            now,
            was_away,
            has_lost_leases: true,
            has_expired_blocks: true,
            has_pressing_deadlines: true,
            has_due_tasks: true,
            has_pending_events: true,
            has_restless_gates: true,
            ready: BTreeMap::new(),
        }
    }
}
