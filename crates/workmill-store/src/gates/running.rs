//! Everything that runs in a namespace, and what it holds of gates.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use workmill_core::admission::{Admission, Ask};
use workmill_core::gate::Gate;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::money::Micros;
use workmill_core::policy::Policy;
use workmill_queries::queries::gates::gates as statements;

use super::admit::Candidate;
use super::asking::all_asks_of;
use super::holds::{read_asks, write_holds};
use super::rows::{GateRow, Gates};
use crate::error::StoreError;
use crate::operation::Work;

#[derive(Debug)]
pub(super) struct RunningAttempt {
    pub(super) task: TaskId,
    pub(super) epoch: i32,
    agent: String,
    pub(super) claimed_at: Timestamp,
    graph: GraphId,
    lane: LaneId,
    spent: Micros,
    /// What it has cost by now, as it reports.
    cost: i64,
    created_by: String,
    admission: Admission,
}

#[derive(Debug)]
pub(super) struct Running {
    pub(super) attempts: Vec<RunningAttempt>,
    pub(super) holds: BTreeMap<(TaskId, i32), Vec<Ask>>,
    adopted: Vec<(TaskId, i32)>,
}

impl Running {
    /// The lock of the namespace's anchor is held.
    pub(super) async fn read(work: &Work<'_>) -> Result<Running, StoreError> {
        let rows = statements::find_running()
            .bind(work.transaction, &work.ns)
            .all()
            .await;
        let mut attempts = Vec::new();
        for row in rows? {
            let task = TaskId(row.task);
            let policy: Policy = serde_json::from_value(row.policy)
                .map_err(|error| StoreError::Corrupt(format!("the policy of {task}: {error}")))?;
            attempts.push(RunningAttempt {
                task,
                epoch: row.epoch,
                agent: row.agent,
                claimed_at: row.claimed_at,
                graph: GraphId(row.graph),
                lane: LaneId(row.lane),
                spent: Micros(row.spent_micros),
                cost: row.cost_micros,
                created_by: row.created_by,
                admission: policy.admission,
            });
        }
        let rows = statements::find_all_holds()
            .bind(work.transaction, &work.ns)
            .all()
            .await;
        let mut holds = BTreeMap::new();
        for row in rows? {
            let asks = read_asks(&row.gates, row.amounts)?;
            holds.insert((TaskId(row.task), row.epoch), asks);
        }
        Ok(Running {
            attempts,
            holds,
            adopted: Vec::new(),
        })
    }

    /// Adds these gates to what attempts hold that would have had to pass them and have not. What
    /// they hold already counts, too.
    pub(super) fn adopt(&mut self, work: &Work<'_>, gates: &mut Gates, new: &BTreeSet<Gate>) {
        for attempt in &self.attempts {
            let key = (attempt.task, attempt.epoch);
            let candidate = Candidate {
                task: attempt.task,
                epoch: attempt.epoch,
                graph: attempt.graph,
                lane: attempt.lane,
                rank: 0,
                spent: attempt.spent,
                created_by: &attempt.created_by,
                admission: &attempt.admission,
            };
            let asks = all_asks_of(work, &candidate, &attempt.agent, attempt.claimed_at);
            for mut ask in asks {
                if matches!(ask.gate, Gate::Budget(_)) {
                    ask.amount = ask.amount.max(attempt.cost);
                }
                if ask.amount == 0 || !new.contains(&ask.gate) {
                    continue;
                }
                let Some(row) = gates.rows.get_mut(&ask.gate) else {
                    continue;
                };
                let held = self.holds.entry(key).or_default();
                if let Some(held) = held.iter().find(|held| held.gate == ask.gate) {
                    take(row, held);
                    continue;
                }
                take(row, &ask);
                held.push(ask);
                self.adopted.push(key);
            }
        }
        self.adopted.dedup();
    }
}

fn take(row: &mut GateRow, ask: &Ask) {
    row.capacity.used += ask.amount;
}

pub(super) async fn write_adopted(work: &Work<'_>, running: &Running) -> Result<(), StoreError> {
    let holds = running.adopted.iter().map(|(task, epoch)| {
        let asks = &running.holds[&(*task, *epoch)];
        (*task, *epoch, &asks[..])
    });
    write_holds(work, holds.collect()).await
}
