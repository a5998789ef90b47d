//! A running task spawns others into its graph: it goes on, or waits for them and gets their
//! outputs with its next claim.

use std::collections::BTreeSet;

use serde_json::json;
use uuid::Uuid;
use workmill_core::attempt::Outcome;
use workmill_core::graph::Tally;
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_core::lifecycle::{State, Trigger};
use workmill_core::usage::Usage;
use workmill_queries::client::Params;
use workmill_queries::queries::intake::submit as statements;

use super::arrival::{Dependency, TaskDraft, write_edges};
use super::grow::{GrowRefusal, add};
use super::projects::of_task;
use super::urgency::{lengthen, path};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::held::{GraphRow, Held};
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
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpawnRefusal {
    Lease(Refusal),
    Growth(GrowRefusal),
}

impl Operation for Spawn<'_> {
    type Answer = Result<Vec<TaskId>, SpawnRefusal>;
    const DOING: &'static str = "spawn tasks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let parent = self.lease.task;
        let mut held = Held::lock(work, [parent]).await?;
        if let Err(refusal) = self.check_lease(&held) {
            return Ok(Err(SpawnRefusal::Lease(refusal)));
        }
        if self.wait
            && let Some(cycle) = self.find_cycle(work, parent).await?
        {
            return Ok(Err(SpawnRefusal::Growth(GrowRefusal::Cycle(cycle))));
        }
        let graph = found_graph(work, &mut held, parent).await?;
        let added = add(
            work,
            &mut held,
            graph,
            self.created_by,
            Some(parent),
            self.tasks,
        )
        .await?;
        let children = match added {
            Ok(children) => children,
            Err(refusal) => {
                work.abandon();
                return Ok(Err(SpawnRefusal::Growth(refusal)));
            }
        };
        let mut ledger = Ledger::default();
        if self.wait {
            self.wait_for(work, &mut held, &mut ledger, &children)
                .await?;
        }
        finish(work, held, ledger).await?;
        Ok(Ok(children.into_iter().map(|(task, _)| task).collect()))
    }
}

impl Spawn<'_> {
    fn check_lease(&self, held: &Held) -> Result<(), Refusal> {
        let lease = held.leases.get(&self.lease).ok_or(Refusal::LeaseLost)?;
        let row = held.tasks.get(&self.lease.task).ok_or(Refusal::LeaseLost)?;
        if lease.key != self.key {
            return Err(Refusal::NotTheHolder);
        }
        if row.state != State::Running || lease.stop.is_some() {
            return Err(Refusal::LeaseLost);
        }
        Ok(())
    }

    /// A child that waits for what waits for its parent would wait for ever.
    async fn find_cycle(
        &self,
        work: &mut Work<'_>,
        parent: TaskId,
    ) -> Result<Option<Vec<TaskId>>, StoreError> {
        let dependencies = self.tasks.iter().flat_map(|draft| &draft.depends_on);
        let existing: BTreeSet<TaskId> = dependencies
            .filter_map(|dependency| match dependency {
                Dependency::Existing(task) => Some(*task),
                Dependency::New(_) => None,
            })
            .collect();
        let way = path(work, &existing, parent).await?;
        Ok(way.map(|mut way| {
            way.push(way[0]);
            way
        }))
    }

    /// The attempt ends without a result; the next one begins with the children's.
    async fn wait_for(
        &self,
        work: &mut Work<'_>,
        held: &mut Held,
        ledger: &mut Ledger,
        children: &[(TaskId, i16)],
    ) -> Result<(), StoreError> {
        let parent = self.lease.task;
        let edges: Vec<(TaskId, TaskId)> =
            children.iter().map(|(child, _)| (parent, *child)).collect();
        write_edges(work, &edges).await?;
        let Some(row) = held.tasks.get_mut(&parent) else {
            return Ok(());
        };
        row.follow(Trigger::WaitForChild).map_err(impossible)?;
        row.unmet += i32::try_from(children.len()).unwrap_or(i32::MAX);
        row.attempts -= 1;
        row.due = None;
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

/// The graph of a task. One that was its own graph until now gets a row for it.
pub(super) async fn found_graph(
    work: &mut Work<'_>,
    held: &mut Held,
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
    let project = of_task(work, task).await?;
    let mut tally = Tally::default();
    tally.add(row.state, row.unmet > 0, 1);
    let status = tally.status(false, false).name();
    let title = task.to_string();
    let parameters = statements::InsertGraphsParams {
        ns: work.ns,
        now,
        graphs: vec![graph.0],
        titles: vec![title.as_str()],
        creators: vec!["workmill"],
        keys: vec![None],
        is_draft: vec![false],
        statuses: vec![status],
        tasks: vec![tally.tasks],
        moving: vec![tally.moving],
        projects: vec![project.map(|project| project.0)],
    };
    let inserted = statements::insert_graphs()
        .params(work.transaction, &parameters)
        .await;
    inserted.map_err(|error| work.failed(error))?;
    let row = GraphRow {
        is_draft: false,
        is_draining: false,
        status: status.to_owned(),
        tally,
    };
    held.add_graph(graph, row);
    Ok(graph)
}
