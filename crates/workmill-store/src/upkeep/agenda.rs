//! What there is to do for the duties: the clock, the last sign of life and one read over all namespaces.
//! An idle server sends nothing else.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use workmill_core::ids::Namespace;
use workmill_core::lane::LaneId;
use workmill_queries::queries::upkeep::agenda as statements;

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
        let now = self.now().await?;
        let alive_at = self.find_liveness().await?;
        let was_away = alive_at.is_some_and(|at| now.duration_since(at) > longest_silence);
        match self.look_at_all(now, waited_in).await {
            Ok(mut agenda) => {
                self.widen();
                agenda.was_away = was_away;
                // Not before: leases that nobody could renew are spared when their machine is back.
                if !was_away {
                    self.touch_liveness(now).await?;
                }
                Ok(agenda)
            }
            Err(refused) => {
                let was_part_away = self.narrow(refused, was_away).await?;
                Ok(Agenda::of_each_namespace(now, was_part_away))
            }
        }
    }

    async fn look_at_all(
        &self,
        now: Timestamp,
        waited_in: &[Namespace],
    ) -> Result<Agenda, StoreError> {
        const DOING: &str = "look for pending work";
        let waited: Vec<i64> = waited_in.iter().map(|ns| ns.0).collect();
        let client = self.client(DOING).await?;
        let read = statements::read_agenda()
            .bind(&client, &now, &waited)
            .one()
            .await;
        let row = read.map_err(|error| StoreError::from_statement(DOING, error))?;
        drop(client);
        let ready = if row.has_ready_tasks {
            self.count_ready_lanes(waited_in).await?
        } else {
            BTreeMap::new()
        };
        Ok(Agenda {
            now,
            was_away: false,
            has_lost_leases: row.has_lost_leases,
            has_expired_blocks: row.has_expired_blocks,
            has_pressing_deadlines: row.has_pressing_deadlines,
            has_due_tasks: row.has_due_tasks,
            has_pending_events: row.has_pending_events,
            has_restless_gates: row.has_restless_gates,
            ready,
        })
    }

    async fn find_liveness(&self) -> Result<Option<Timestamp>, StoreError> {
        const DOING: &str = "look for the last sign of life";
        let client = self.client(DOING).await?;
        let found = statements::find_liveness().bind(&client).opt().await;
        found.map_err(|error| StoreError::from_statement(DOING, error))
    }

    /// Whether a server has reached the whole database within `longest_silence`, or never.
    pub(crate) async fn was_reached(
        &self,
        now: Timestamp,
        longest_silence: SignedDuration,
    ) -> Result<bool, StoreError> {
        let at = self.find_liveness().await?;
        Ok(at.is_none_or(|at| now.duration_since(at) <= longest_silence))
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
