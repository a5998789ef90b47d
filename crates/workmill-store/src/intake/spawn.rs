//! A running task spawns others into its graph: it goes on, or waits for them and gets their
//! outputs with its next claim.

use std::collections::BTreeSet;

use serde_json::json;
use uuid::Uuid;
use workmill_core::attempt::Outcome;
use workmill_core::graph::Tally;
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_core::lifecycle::{State, Trigger};
use workmill_core::money::Micros;
use workmill_core::usage::Usage;
use workmill_queries::client::Params;
use workmill_queries::queries::intake::{grow as growth, spawn, submit as statements};

use super::arrival::{TaskDraft, write_edges};
use super::grow::{GrowRefusal, Grown, Growth, existing_dependencies};
use super::keys::Known;
use super::spawning::{self, SpawnLimits, TooMany};
use super::submit::Idempotency;
use super::urgency::{dependencies, lengthen, path};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::locked_rows::{GraphRow, LockedRows};
use crate::operation::{Operation, Work};
use crate::settlement::{Ended, Ledger, Refusal, finish, impossible};

#[derive(Debug)]
pub struct Spawn<'a> {
    pub ns: Namespace,
    pub key: Uuid,
    pub lease: LeaseId,
    pub created_by: &'a str,
    pub tasks: &'a [TaskDraft],
    /// The spawning task goes back to pending until these are done.
    pub wait: bool,
    pub idempotency: Option<&'a Idempotency>,
    pub limits: SpawnLimits,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpawnRefusal {
    Lease(Refusal),
    Growth(GrowRefusal),
    /// The tasks are beyond what the caller found that they may ask for.
    BeyondBounds,
    TooMany(TooMany),
    /// They may cost more than is left of the spawning task.
    TooCostly {
        left: Micros,
    },
}

impl Operation for Spawn<'_> {
    type Answer = Result<Grown, SpawnRefusal>;
    const DOING: &'static str = "spawn tasks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let parent = self.lease.task;
        let growth = self.growth();
        let known = growth.find_known(work).await?;
        if let Some(answer) = growth.first_answer(&known) {
            return Ok(answer.map_err(SpawnRefusal::Growth));
        }
        let mut held = LockedRows::lock(work, [parent]).await?;
        if let Err(refusal) = self.check_lease(&held) {
            let before = self.answer_before(work, &known).await?;
            return Ok(before.ok_or(SpawnRefusal::Lease(refusal)));
        }
        let spawner = spawning::find_spawner(work, self.lease).await?;
        let graph = found_graph(work, &mut held, parent).await?;
        let known_here = growth.known_tasks(&known, graph).unwrap_or_default();
        let new = self.tasks.len() - known_here.len();
        if self.limits == SpawnLimits::Exceeded && new > 0 {
            work.abandon();
            return Ok(Err(SpawnRefusal::BeyondBounds));
        }
        if self.wait
            && let Some(cycle) = self.find_cycle(work, &known, graph).await?
        {
            work.abandon();
            return Ok(Err(SpawnRefusal::Growth(GrowRefusal::Cycle(cycle))));
        }
        let growth = Growth {
            depth: spawner.depth.saturating_add(1),
            ..growth
        };
        let lease = self.lease;
        // Before anything is written: what is refused costs the database little.
        let counted = spawning::count(work, &mut held, lease, graph, new, self.limits).await?;
        if let Err(too_many) = counted {
            work.abandon();
            return Ok(Err(SpawnRefusal::TooMany(too_many)));
        }
        let (grown, new) = match growth.add(work, &mut held, graph, &known).await? {
            Ok(added) => added,
            Err(refusal) => {
                work.abandon();
                return Ok(Err(SpawnRefusal::Growth(refusal)));
            }
        };
        let mut ledger = Ledger::default();
        let cost = self.cost_of(&new);
        let given = spawner.give(work, &mut held, &mut ledger, lease, self.limits, cost);
        if let Err(left) = given.await? {
            work.abandon();
            return Ok(Err(SpawnRefusal::TooCostly { left }));
        }
        if self.wait {
            self.wait_for(work, &mut held, &mut ledger, &grown.tasks)
                .await?;
        }
        finish(work, held, ledger).await?;
        Ok(Ok(grown))
    }
}

impl Spawn<'_> {
    fn growth(&self) -> Growth<'_> {
        Growth {
            created_by: self.created_by,
            key: Some(self.key),
            parent: Some(self.lease.task),
            depth: 0,
            drafts: self.tasks,
            idempotency: self.idempotency,
        }
    }

    /// What the tasks at these places may cost together.
    fn cost_of(&self, places: &[usize]) -> Micros {
        let costs = places
            .iter()
            .filter_map(|place| self.tasks[*place].policy.admission.max_cost);
        costs.fold(Micros::ZERO, Micros::saturating_add)
    }

    fn check_lease(&self, held: &LockedRows) -> Result<(), Refusal> {
        let lease = held.leases.get(&self.lease).ok_or(Refusal::LeaseLost)?;
        let row = held.tasks.get(&self.lease.task).ok_or(Refusal::LeaseLost)?;
        if lease.key != self.key {
            return Err(Refusal::NotTheHolder);
        }
        if row.state() != State::Running || lease.stop.is_some() {
            return Err(Refusal::LeaseLost);
        }
        Ok(())
    }

    /// Returns the tasks that the same key has spawned below the same task under these idempotency
    /// keys, if it has spawned all of them: the reply was lost, and the lease has moved on since.
    async fn answer_before(
        &self,
        work: &Work<'_>,
        known: &Known,
    ) -> Result<Option<Grown>, StoreError> {
        let first = |draft: &TaskDraft| {
            let earlier = known.first_answer(draft.idempotency.as_ref()?)?.ok()?;
            earlier.tasks.first().copied()
        };
        let Some(tasks) = self.tasks.iter().map(first).collect::<Option<Vec<Uuid>>>() else {
            return Ok(None);
        };
        let spawned = growth::count_spawned()
            .bind(
                work.transaction,
                &tasks,
                &work.ns,
                &self.lease.task.0,
                &self.key,
            )
            .one()
            .await?;
        let is_all = usize::try_from(spawned) == Ok(tasks.len());
        Ok(is_all.then(|| Grown {
            tasks: tasks.into_iter().map(TaskId).collect(),
            is_repeat: true,
        }))
    }

    /// A child that waits for what waits for its parent would wait for ever.
    async fn find_cycle(
        &self,
        work: &mut Work<'_>,
        known: &Known,
        graph: GraphId,
    ) -> Result<Option<Vec<TaskId>>, StoreError> {
        let mut above = existing_dependencies(self.tasks);
        // What is refused later waits for nothing.
        let known = self.growth().known_tasks(known, graph).unwrap_or_default();
        above.extend(known.into_values());
        let way = path(work, &above, self.lease.task).await?;
        Ok(way.map(|mut way| {
            way.push(way[0]);
            way
        }))
    }

    /// The attempt ends without a result; the next one begins with the children's.
    async fn wait_for(
        &self,
        work: &mut Work<'_>,
        held: &mut LockedRows,
        ledger: &mut Ledger,
        children: &[TaskId],
    ) -> Result<(), StoreError> {
        let parent = self.lease.task;
        // An earlier attempt may have waited for some of them.
        let before = dependencies(work, &BTreeSet::from([parent])).await?;
        let before: BTreeSet<(TaskId, TaskId)> = before.into_iter().collect();
        let edges = children.iter().map(|child| (parent, *child));
        let edges: BTreeSet<(TaskId, TaskId)> = edges.filter(|one| !before.contains(one)).collect();
        let edges: Vec<(TaskId, TaskId)> = edges.into_iter().collect();
        write_edges(work, &edges).await?;
        let now = work.now().await?;
        let unmet = count_unmet(work, held, parent, &edges).await?;
        let Some(row) = held.tasks.get_mut(&parent) else {
            return Ok(());
        };
        row.follow(Trigger::WaitForChild).map_err(impossible)?;
        row.unmet += unmet;
        row.attempts -= 1;
        row.due = None;
        row.promote_if_due(now).map_err(impossible)?;
        let (graph, length) = (row.graph, row.critical_path);
        if let Some(lease) = held.leases.get(&self.lease) {
            let data = json!({"agent": lease.agent, "epoch": lease.lease.epoch});
            ledger
                .events
                .push(Event::of_task(EventType::TaskWaiting, graph, parent, data));
            ledger.ended.push(Ended {
                lease: lease.clone(),
                outcome: Outcome::Waited,
                said_by_agent: true,
                failed: None,
                spent: lease.spent_with(&Usage::default()),
            });
        }
        lengthen(work, held, &edges, |task| {
            (task == parent).then_some(length)
        })
        .await
    }
}

/// How many of these children their parent has to wait for. Those that it knew before may have ended.
async fn count_unmet(
    work: &mut Work<'_>,
    held: &mut LockedRows,
    parent: TaskId,
    edges: &[(TaskId, TaskId)],
) -> Result<i32, StoreError> {
    let children = edges.iter().map(|(_, child)| *child).collect();
    held.lock_more(work, &children).await?;
    let rule = held.tasks.get(&parent).map(|row| row.on_dependency_failure);
    let Some(rule) = rule else { return Ok(0) };
    let mut unmet = 0;
    for child in children {
        let row = held.tasks.get_mut(&child);
        unmet += i32::from(row.is_some_and(|row| row.holds_back(rule)));
    }
    Ok(unmet)
}

/// Returns the graph of a task. A standalone task gets a row for its graph, in its own name.
pub(super) async fn found_graph(
    work: &mut Work<'_>,
    held: &mut LockedRows,
    task: TaskId,
) -> Result<GraphId, StoreError> {
    let now = work.now().await?;
    let Some(row) = held.tasks.get_mut(&task) else {
        return Err(StoreError::Corrupt(format!(
            "{task} is gone under its lock"
        )));
    };
    let graph = row.graph;
    if row.in_graph {
        return Ok(graph);
    }
    row.in_graph = true;
    let spent_micros = row.spent_micros;
    let origin = spawn::find_origin()
        .bind(work.transaction, &work.ns, &task.0)
        .one()
        .await?;
    let mut tally = Tally::default();
    tally.add(row.state(), row.unmet > 0, 1);
    let status = tally.status(false, false).name();
    let parameters = statements::InsertGraphsParams {
        ns: work.ns,
        now,
        graphs: vec![graph.0],
        titles: vec![origin.title.as_str()],
        creators: vec![origin.created_by.as_str()],
        keys: vec![origin.created_by_key],
        is_draft: vec![false],
        statuses: vec![status],
        tasks: vec![tally.tasks],
        moving: vec![tally.moving],
        projects: vec![origin.project],
    };
    statements::insert_graphs()
        .params(work.transaction, &parameters)
        .await?;
    let row = GraphRow {
        is_draft: false,
        is_draining: false,
        status: status.to_owned(),
        tally,
        spent_micros: 0,
    };
    held.add_graph(graph, row);
    if let Some(graph) = held.graphs.get_mut(&graph) {
        graph.spent_micros = spent_micros;
    }
    Ok(graph)
}
