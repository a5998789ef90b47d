//! Single edges of a graph that is there: added, with the check that no cycle closes, and
//! removed.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use workmill_core::audit::{Action, AuditEntry, Subject};
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::lifecycle::{State, Trigger};
use workmill_queries::queries::intake::grow as statements;

use super::arrival::write_edges;
use super::urgency::{dependencies, lengthen, path, shorten};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::locked_rows::LockedRows;
use crate::operation::{Operation, Work};
use crate::settlement::impossible;
use crate::write_back::Remarks;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    pub task: TaskId,
    pub depends_on: TaskId,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EdgeRefusal {
    NoSuchTask(TaskId),
    /// The two are not in one graph.
    DifferentGraphs,
    /// The way along dependencies, from the task to itself.
    Cycle(Vec<TaskId>),
    /// It runs or has ended: it can wait for nothing any more.
    TooLate(State),
}

#[derive(Debug)]
pub struct AddEdge {
    pub ns: Namespace,
    pub edge: Edge,
}

impl Operation for AddEdge {
    /// Whether the edge is new.
    type Answer = Result<bool, EdgeRefusal>;
    const DOING: &'static str = "add a dependency";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let Edge { task, depends_on } = self.edge;
        let mut held = LockedRows::lock(work, [task, depends_on]).await?;
        if let Err(refusal) = check(&held, self.edge) {
            return Ok(Err(refusal));
        }
        work.test_point("add_edge.locked").await?;
        let known = dependencies(work, &BTreeSet::from([task])).await?;
        if known.contains(&(task, depends_on)) {
            return Ok(Ok(false));
        }
        if let Some(mut way) = path(work, &BTreeSet::from([depends_on]), task).await? {
            way.insert(0, task);
            return Ok(Err(EdgeRefusal::Cycle(way)));
        }
        write_edges(work, &[(task, depends_on)]).await?;
        let rule = held.tasks[&task].on_dependency_failure;
        let on = held.tasks.get_mut(&depends_on);
        let has_to_wait = on.is_some_and(|row| row.holds_back(rule));
        if let Some(row) = held.tasks.get_mut(&task).filter(|_| has_to_wait) {
            row.follow(Trigger::AddDependency).map_err(impossible)?;
            row.unmet += 1;
        }
        lengthen(work, &mut held, &[(task, depends_on)], |_| None).await?;
        say(work, &held, self.edge, EventType::DependencyAdded);
        held.write_back(work, &Remarks::default()).await?;
        Ok(Ok(true))
    }
}

#[derive(Debug)]
pub struct RemoveEdge {
    pub ns: Namespace,
    pub edge: Edge,
}

impl Operation for RemoveEdge {
    /// Whether the edge was there.
    type Answer = Result<bool, EdgeRefusal>;
    const DOING: &'static str = "remove a dependency";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let Edge { task, depends_on } = self.edge;
        let mut held = LockedRows::lock(work, [task, depends_on]).await?;
        for wanted in [task, depends_on] {
            if !held.tasks.contains_key(&wanted) {
                return Ok(Err(EdgeRefusal::NoSuchTask(wanted)));
            }
        }
        let deleted = statements::delete_edge()
            .bind(work.transaction, &work.ns, &task.0, &depends_on.0)
            .await?;
        if deleted == 0 {
            return Ok(Ok(false));
        }
        let now = work.now().await?;
        let (dependency, was_freed) = (
            held.tasks[&depends_on].state(),
            held.tasks[&depends_on].freed_runners,
        );
        if let Some(row) = held.tasks.get_mut(&task)
            && !row.on_dependency_failure.goes_on(dependency, was_freed)
        {
            row.unmet -= 1;
            if row.unmet == 0 && row.state() == State::Pending {
                row.promote_if_due(now).map_err(impossible)?;
            }
        }
        shorten(work, &mut held, depends_on).await?;
        say(work, &held, self.edge, EventType::DependencyRemoved);
        held.write_back(work, &Remarks::default()).await?;
        Ok(Ok(true))
    }
}

fn check(held: &LockedRows, edge: Edge) -> Result<(), EdgeRefusal> {
    let find = |task: TaskId| held.tasks.get(&task).ok_or(EdgeRefusal::NoSuchTask(task));
    let (task, on) = (find(edge.task)?, find(edge.depends_on)?);
    if edge.task == edge.depends_on {
        return Err(EdgeRefusal::Cycle(vec![edge.task, edge.task]));
    }
    if task.graph != on.graph || !task.in_graph {
        return Err(EdgeRefusal::DifferentGraphs);
    }
    if workmill_core::lifecycle::next(task.state(), Trigger::AddDependency).is_err() {
        return Err(EdgeRefusal::TooLate(task.state()));
    }
    Ok(())
}

/// Tells of the edge, and records who added or removed it.
fn say(work: &mut Work<'_>, held: &LockedRows, edge: Edge, event_type: EventType) {
    let data = json!({"depends_on": edge.depends_on});
    let (action, before, after) = if event_type == EventType::DependencyAdded {
        (Action::DependencyAdded, Value::Null, data.clone())
    } else {
        (Action::DependencyRemoved, data.clone(), Value::Null)
    };
    let subject = Subject::Task(edge.task);
    work.audit(AuditEntry::new(action, subject, before, after));
    let graph = held.tasks[&edge.task].graph;
    work.emit(Event::of_task(event_type, graph, edge.task, data));
}
