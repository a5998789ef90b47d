//! What attempts that end give back to the gates, what they have cost, and who goes on therefore.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{TryFutureExt, try_join};
use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::gate::{Gate, Purse};
use workmill_core::ids::{GraphId, LeaseId, TaskId};
use workmill_core::lane::LaneId;
use workmill_queries::client::Params;
use workmill_queries::queries::gates::gates as statements;

use super::rows::{Gates, read_gate_row};
use super::waiters::{self, Waiter};
use crate::column::column;
use crate::error::StoreError;
use crate::operation::Work;

/// An attempt that ends, or what came in after its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ending<'a> {
    pub(crate) lease: LeaseId,
    pub(crate) graph: GraphId,
    pub(crate) agent: &'a str,
    pub(crate) claimed_at: Timestamp,
    /// What it has cost that was not counted before.
    pub(crate) cost_micros: i64,
    pub(crate) has_holds: bool,
    pub(crate) was_lost: bool,
}

/// What changes at the gates; written with the rest.
#[derive(Debug, Default)]
pub(crate) struct Release {
    gates: Gates,
    tasks: Vec<Uuid>,
    epochs: Vec<i32>,
    locks: Vec<(String, TaskId)>,
    returning: Vec<Waiter>,
}

impl Release {
    /// Settles it under the lock; nothing is written yet. Attempts that no gate has to do with
    /// cost nothing.
    pub(crate) async fn settle(
        work: &mut Work<'_>,
        endings: &[Ending<'_>],
    ) -> Result<Release, StoreError> {
        let mut release = Release::default();
        if endings.is_empty() {
            return Ok(release);
        }
        work.know_gates().await?;
        let known = work.gates();
        // An attempt can end and have something to say too late, in one call.
        let mut seen = BTreeSet::new();
        for ending in endings {
            let (task, epoch) = (ending.lease.task.0, ending.lease.epoch);
            if (ending.has_holds || !known.is_empty()) && seen.insert((task, epoch)) {
                release.tasks.push(task);
                release.epochs.push(epoch);
            }
        }
        if release.tasks.is_empty() {
            return Ok(release);
        }
        let mut paid: BTreeMap<LeaseId, BTreeSet<Gate>> = BTreeMap::new();
        for ending in endings.iter().filter(|ending| ending.cost_micros != 0) {
            paid.insert(ending.lease, purses(work, ending).into_iter().collect());
        }
        let holds = release
            .read(work, paid.values().flatten().cloned().collect())
            .await?;
        for hold in &holds {
            let lease = LeaseId {
                task: TaskId(hold.task),
                epoch: hold.epoch,
            };
            let budgets = hold.gates.iter().filter_map(|gate| gate.parse().ok());
            let budgets = budgets.filter(|gate| matches!(gate, Gate::Budget(_)));
            if let Some(paid) = paid.get_mut(&lease) {
                paid.extend(budgets);
            }
        }
        release.give_back(work, endings, holds);
        let counts = !work.is_planted("cost not counted");
        for ending in endings.iter().filter(|_| counts) {
            for gate in paid.get(&ending.lease).into_iter().flatten() {
                if let Some(row) = release.gates.rows.get_mut(gate) {
                    row.capacity.used += ending.cost_micros;
                    row.spent += ending.cost_micros;
                }
            }
        }
        release.choose(work).await?;
        release.gates.tell(work);
        waiters::announce(work, &release.returning);
        Ok(release)
    }

    /// Takes the lock and reads what the attempts hold, and of which gates.
    async fn read(
        &mut self,
        work: &Work<'_>,
        more: BTreeSet<Gate>,
    ) -> Result<Vec<statements::FindHolds>, StoreError> {
        let more: Vec<String> = more.iter().map(ToString::to_string).collect();
        let (lock, find_holds) = (statements::lock_anchor(), statements::find_holds());
        let find_gates = statements::find_gates_of_holds();
        let (_, holds, gates) = try_join!(
            lock.bind(work.transaction, &work.ns)
                .opt()
                .map_err(|error| work.failed(error)),
            find_holds
                .bind(work.transaction, &self.tasks, &self.epochs, &work.ns)
                .all()
                .map_err(|error| work.failed(error)),
            find_gates
                .bind(work.transaction, &self.tasks, &self.epochs, &work.ns, &more)
                .all()
                .map_err(|error| work.failed(error)),
        )?;
        for row in gates {
            let (gate, row) = read_gate_row!(row)?;
            self.gates.add(gate, row);
        }
        Ok(holds)
    }

    fn give_back(
        &mut self,
        work: &Work<'_>,
        endings: &[Ending<'_>],
        holds: Vec<statements::FindHolds>,
    ) {
        let lost: BTreeSet<Uuid> = endings
            .iter()
            .filter(|ending| ending.was_lost)
            .map(|ending| ending.lease.task.0)
            .collect();
        for hold in holds {
            let is_leaked = |gate: &Gate| {
                let leaks_money = work.is_planted("reservation leaked on a crash");
                let leaks_slots = work.is_planted("limit leaked on a crash");
                lost.contains(&hold.task)
                    && match gate {
                        Gate::Budget(_) => leaks_money,
                        _ => leaks_slots,
                    }
            };
            for (gate, amount) in hold.gates.iter().zip(&hold.amounts) {
                let Ok(gate) = gate.parse::<Gate>() else {
                    continue;
                };
                if let Gate::Locks(root) = &gate {
                    self.locks.push((root.clone(), TaskId(hold.task)));
                }
                if is_leaked(&gate) {
                    continue;
                }
                if let Some(row) = self.gates.rows.get_mut(&gate) {
                    row.capacity.used -= amount;
                    if work.is_planted("given back twice") {
                        row.capacity.used -= amount;
                    }
                }
            }
        }
    }

    /// Chooses those who go back to their lanes.
    async fn choose(&mut self, work: &Work<'_>) -> Result<(), StoreError> {
        let wanted = waiters::with_room(&self.gates.rows, waiters::MOST_LOOKED_AT);
        if wanted.is_empty() || work.is_planted("nobody returns from a gate") {
            return Ok(());
        }
        let below = waiters::below(&wanted);
        // What is given back is free, though it is not written yet.
        let freed: BTreeSet<Uuid> = self.locks.iter().map(|(_, task)| task.0).collect();
        let freed: Vec<Uuid> = freed.into_iter().collect();
        let (waiting, held) = try_join!(
            waiters::lock_waiters(work, &wanted),
            waiters::find_held_locks(work, &below, &freed),
        )?;
        self.returning = waiters::choose(waiting, &self.gates, held);
        Ok(())
    }

    /// The tasks that go back to their lanes.
    pub(crate) fn returning(&self) -> impl Iterator<Item = (TaskId, LaneId)> {
        self.returning.iter().map(|one| (one.task, one.lane))
    }

    pub(crate) async fn write(&self, work: &Work<'_>) -> Result<(), StoreError> {
        try_join!(
            self.delete_holds(work),
            self.delete_locks(work),
            self.gates.write(work),
            waiters::put_back(work, &self.returning),
        )?;
        Ok(())
    }

    async fn delete_holds(&self, work: &Work<'_>) -> Result<(), StoreError> {
        if self.tasks.is_empty() {
            return Ok(());
        }
        let parameters = statements::DeleteHoldsParams {
            ns: work.ns,
            tasks: self.tasks.as_slice(),
            epochs: self.epochs.as_slice(),
        };
        statements::delete_holds()
            .params(work.transaction, &parameters)
            .await?;
        Ok(())
    }

    async fn delete_locks(&self, work: &Work<'_>) -> Result<(), StoreError> {
        delete_locks(work, &self.locks).await
    }
}

pub(super) async fn delete_locks(
    work: &Work<'_>,
    locks: &[(String, TaskId)],
) -> Result<(), StoreError> {
    if locks.is_empty() {
        return Ok(());
    }
    let parameters = statements::DeleteHeldLocksParams {
        ns: work.ns,
        roots: column(locks, |(root, _)| root.as_str()),
        tasks: column(locks, |(_, task)| task.0),
    };
    statements::delete_held_locks()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}

/// The budgets that an attempt is paid from: those of the day it was claimed.
fn purses(work: &Work<'_>, ending: &Ending<'_>) -> Vec<Gate> {
    let known = work.gates();
    let purses = [
        Purse::Namespace,
        Purse::Day(known.day(ending.claimed_at)),
        Purse::Graph(ending.graph),
        Purse::Agent(ending.agent.to_owned()),
    ];
    let gates = purses.into_iter().map(Gate::Budget);
    gates.filter(|gate| known.contains(gate)).collect()
}
