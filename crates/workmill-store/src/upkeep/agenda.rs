//! What there is to do for the duties, in one read. A server with nothing to do asks nothing else.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use workmill_core::ids::Namespace;
use workmill_core::lane::LaneId;
use workmill_queries::client::Params;
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
    /// Reads it and, unless the database was away for longer than that, shows a sign of life.
    pub async fn read_agenda(
        &self,
        longest_silence: SignedDuration,
        waited_in: &[Namespace],
    ) -> Result<Agenda, StoreError> {
        const DOING: &str = "look for pending work";
        let client = self.client(DOING).await?;
        let parameters = statements::ReadAgendaParams {
            now: match &self.clock {
                Clock::Manual(clock) => Some(clock.now()),
                Clock::Database => None,
            },
            longest_silence_ms: i64::try_from(longest_silence.as_millis()).unwrap_or(i64::MAX),
            waited_in: waited_in.iter().map(|ns| ns.0).collect::<Vec<_>>(),
        };
        let read = statements::read_agenda()
            .params(&client, &parameters)
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
            now: row.now,
            was_away: row
                .alive_at
                .is_some_and(|at| row.now.duration_since(at) > longest_silence),
            has_lost_leases: row.has_lost_leases,
            has_expired_blocks: row.has_expired_blocks,
            has_pressing_deadlines: row.has_pressing_deadlines,
            has_due_tasks: row.has_due_tasks,
            has_pending_events: row.has_pending_events,
            has_restless_gates: row.has_restless_gates,
            ready,
        })
    }
}
