//! Attempts that cost more than was reserved for them, while they run: more is reserved, and where
//! there is no more, or the task may not cost more, they are told to stop.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;
use workmill_core::admission::Ask;
use workmill_core::failure::Reason;
use workmill_core::gate::Gate;
use workmill_core::ids::{GraphId, LeaseId, TaskId};
use workmill_core::money::Micros;
use workmill_core::policy::Policy;
use workmill_queries::client::Params;
use workmill_queries::queries::execution::attempt;
use workmill_queries::queries::gates::gates as statements;

use super::holds::{read_asks, write_holds};
use super::rows::{Gates, read_gate_row};
use crate::column::column;
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::operation::Work;

/// What an attempt has cost by now.
type Told = (LeaseId, i64);

/// Tells those to stop that may not go on; answers which. Their leases are locked.
pub(crate) async fn charge(
    work: &mut Work<'_>,
    told: &[Told],
) -> Result<BTreeSet<LeaseId>, StoreError> {
    if told.is_empty() {
        return Ok(BTreeSet::new());
    }
    let costs = Costs::read(work, told).await?;
    let mut stopping: BTreeSet<LeaseId> = told
        .iter()
        .filter(|(lease, cost)| costs.is_too_much(lease.task, *cost))
        .map(|(lease, _)| *lease)
        .collect();
    let going_on: Vec<Told> = told
        .iter()
        .filter(|(lease, _)| !stopping.contains(lease))
        .copied()
        .collect();
    stopping.extend(reserve_more(work, &going_on).await?);
    stop(work, &stopping, &costs).await?;
    Ok(stopping)
}

/// What the tasks have cost before, and may cost.
struct Costs(BTreeMap<TaskId, (GraphId, Micros, Option<Micros>)>);

impl Costs {
    async fn read(work: &Work<'_>, told: &[Told]) -> Result<Costs, StoreError> {
        let tasks: Vec<Uuid> = told.iter().map(|(lease, _)| lease.task.0).collect();
        let rows = statements::find_costs()
            .bind(work.transaction, &tasks, &work.ns)
            .all()
            .await;
        let mut costs = BTreeMap::new();
        for row in rows? {
            let task = TaskId(row.task);
            let policy = Policy::deserialize(&row.policy)
                .map_err(|error| StoreError::Corrupt(format!("the policy of {task}: {error}")))?;
            let spent = Micros(row.spent_micros);
            costs.insert(task, (GraphId(row.graph), spent, policy.admission.max_cost));
        }
        Ok(Costs(costs))
    }

    fn is_too_much(&self, task: TaskId, cost: i64) -> bool {
        self.0.get(&task).is_some_and(|(_, spent, most)| {
            most.is_some_and(|most| spent.saturating_add(Micros(cost)) > most)
        })
    }

    fn graph(&self, task: TaskId) -> GraphId {
        self.0
            .get(&task)
            .map_or_else(|| task.into(), |(graph, ..)| *graph)
    }
}

/// Reserves what goes beyond the reservation; answers for whom there is not enough.
async fn reserve_more(work: &mut Work<'_>, told: &[Told]) -> Result<Vec<LeaseId>, StoreError> {
    let tasks: Vec<Uuid> = told.iter().map(|(lease, _)| lease.task.0).collect();
    let epochs: Vec<i32> = told.iter().map(|(lease, _)| lease.epoch).collect();
    // Without the lock, which most need not wait for: what an attempt holds changes only with it,
    // and its lease is locked.
    let holds = find_holds(work, &tasks, &epochs).await?;
    let is_beyond = |(lease, cost): &&Told| {
        let held = holds.get(lease).into_iter().flatten();
        held.filter(|ask| matches!(ask.gate, Gate::Budget(_)))
            .any(|ask| ask.amount < *cost)
    };
    let beyond: Vec<&Told> = told.iter().filter(is_beyond).collect();
    if beyond.is_empty() {
        return Ok(Vec::new());
    }
    let mut gates = Gates::default();
    gates.lock(work).await?;
    let mut holds = find_holds(work, &tasks, &epochs).await?;
    let rows = statements::find_gates_of_holds()
        .bind(
            work.transaction,
            &tasks,
            &epochs,
            &work.ns,
            &Vec::<String>::new(),
        )
        .all()
        .await?;
    for row in rows {
        let (gate, row) = read_gate_row!(row)?;
        gates.add(gate, row);
    }
    let (mut refused, mut grown) = (Vec::new(), Vec::new());
    for (lease, cost) in beyond {
        let Some(held) = holds.get_mut(lease) else {
            continue;
        };
        let mut budgets = held
            .iter()
            .filter(|ask| matches!(ask.gate, Gate::Budget(_)) && ask.amount < *cost);
        let fits = budgets.all(|ask| {
            let row = gates.rows.get(&ask.gate);
            row.is_none_or(|row| row.takes(cost - ask.amount))
        });
        if !fits {
            refused.push(*lease);
            continue;
        }
        for ask in held.iter_mut() {
            if matches!(ask.gate, Gate::Budget(_)) && ask.amount < *cost {
                if let Some(row) = gates.rows.get_mut(&ask.gate) {
                    row.capacity.used += cost - ask.amount;
                }
                ask.amount = *cost;
            }
        }
        grown.push(*lease);
    }
    let grown = grown
        .iter()
        .map(|lease| (lease.task, lease.epoch, &holds[lease][..]));
    write_holds(work, grown.collect()).await?;
    gates.tell(work);
    gates.write(work).await?;
    Ok(refused)
}

async fn find_holds(
    work: &Work<'_>,
    tasks: &[Uuid],
    epochs: &[i32],
) -> Result<BTreeMap<LeaseId, Vec<Ask>>, StoreError> {
    let rows = statements::find_holds()
        .bind(work.transaction, &tasks, &epochs, &work.ns)
        .all()
        .await;
    let mut holds = BTreeMap::new();
    for row in rows? {
        let asks = read_asks(&row.gates, row.amounts)?;
        let lease = LeaseId {
            task: TaskId(row.task),
            epoch: row.epoch,
        };
        holds.insert(lease, asks);
    }
    Ok(holds)
}

async fn stop(
    work: &mut Work<'_>,
    stopping: &BTreeSet<LeaseId>,
    costs: &Costs,
) -> Result<(), StoreError> {
    if stopping.is_empty() {
        return Ok(());
    }
    let reason = Reason::BudgetExceeded.name();
    let parameters = attempt::StopLeasesParams {
        ns: work.ns,
        now: work.now().await?,
        tasks: column(stopping, |lease| lease.task.0),
        epochs: column(stopping, |lease| lease.epoch),
        stops: column(stopping, |_| reason),
    };
    attempt::stop_leases()
        .params(work.transaction, &parameters)
        .await?;
    for lease in stopping {
        work.emit(Event::of_task(
            EventType::TaskStopping,
            costs.graph(lease.task),
            lease.task,
            json!({"reason": reason, "epoch": lease.epoch}),
        ));
    }
    Ok(())
}
