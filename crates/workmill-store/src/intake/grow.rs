//! A graph grows: tasks that depend on each other and on what is in it already.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;
use workmill_core::ids::{GraphId, Namespace, ProjectId, TaskId};
use workmill_queries::queries::intake::grow as statements;

use super::arrival::{self, Arrival, Dependency, Last, TaskDraft};
use super::keys::find_taken_key;
use super::projects::{find_missing, of_graph};
use super::spawn::found_graph;
use super::urgency::lengthen;
use crate::error::StoreError;
use crate::held::Held;
use crate::operation::{Operation, Work};
use crate::write_back::Remarks;

#[derive(Debug)]
pub struct GrowGraph<'a> {
    pub ns: Namespace,
    pub graph: GraphId,
    pub created_by: &'a str,
    pub tasks: &'a [TaskDraft],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrowRefusal {
    NoSuchGraph,
    /// The graph is being cancelled, or was.
    Closed,
    /// A dependency that is not a task of the graph.
    NoSuchTask(TaskId),
    KeyTaken(String),
    NoSuchProject(ProjectId),
    /// The way along dependencies, from a task to itself.
    Cycle(Vec<TaskId>),
}

impl Operation for GrowGraph<'_> {
    type Answer = Result<Vec<TaskId>, GrowRefusal>;
    const DOING: &'static str = "add tasks to a graph";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let Some(mut held) = self.lock(work).await? else {
            return Ok(Err(GrowRefusal::NoSuchGraph));
        };
        let answer = add(
            work,
            &mut held,
            self.graph,
            self.created_by,
            None,
            self.tasks,
        )
        .await?;
        if answer.is_ok() {
            held.write_back(work, &Remarks::default()).await?;
        } else {
            work.abandon();
        }
        Ok(answer.map(|rows| rows.into_iter().map(|(task, _)| task).collect()))
    }
}

impl GrowGraph<'_> {
    /// `None`: there is no such graph. A task that was submitted by itself is a graph of its own, which
    /// gets a row when it grows.
    async fn lock(&self, work: &mut Work<'_>) -> Result<Option<Held>, StoreError> {
        if let Some(held) = Held::lock_graph(work, self.graph).await? {
            return Ok(Some(held));
        }
        let task = TaskId(self.graph.0);
        let mut held = Held::lock(work, [task]).await?;
        if !held.tasks.contains_key(&task) {
            return Ok(None);
        }
        found_graph(work, &mut held, task).await?;
        Ok(Some(held))
    }
}

/// Adds tasks to a graph that is held; answers their ids and how long the chain below each is.
pub(super) async fn add(
    work: &mut Work<'_>,
    held: &mut Held,
    graph: GraphId,
    created_by: &str,
    parent: Option<TaskId>,
    drafts: &[TaskDraft],
) -> Result<Result<Vec<(TaskId, i16)>, GrowRefusal>, StoreError> {
    let Some(row) = held.graphs.get(&graph) else {
        return Ok(Err(GrowRefusal::NoSuchGraph));
    };
    if row.is_draining {
        return Ok(Err(GrowRefusal::Closed));
    }
    let is_draft = row.is_draft;
    let existing: BTreeSet<TaskId> = drafts
        .iter()
        .flat_map(|draft| &draft.depends_on)
        .filter_map(|dependency| match dependency {
            Dependency::Existing(task) => Some(*task),
            Dependency::New(_) => None,
        })
        .collect();
    if let Some(stranger) = find_stranger(work, graph, &existing).await? {
        return Ok(Err(GrowRefusal::NoSuchTask(stranger)));
    }
    held.lock_more(work, &existing).await?;
    if let Some(key) = find_taken_key(work, drafts).await? {
        return Ok(Err(GrowRefusal::KeyTaken(key)));
    }
    let named = drafts.iter().filter_map(|draft| draft.project);
    if let Some(project) = find_missing(work, named).await? {
        return Ok(Err(GrowRefusal::NoSuchProject(project)));
    }
    let project = of_graph(work, graph).await?;
    let now = work.now().await?;
    let mut arrival = Arrival::number(work, created_by, drafts, Some(graph)).await?;
    arrival.parent = parent;
    arrival.project = project;
    arrival.settle(work, now, is_draft, |task, rule| {
        let on = held.tasks.get_mut(&task);
        !on.is_some_and(|row| row.holds_back(rule))
    });
    arrival::write(work, &[&arrival], Last::More).await?;
    if let Some(graph) = held.graphs.get_mut(&graph) {
        for row in &arrival.rows {
            graph.tally.add(row.state, row.unmet > 0, 1);
        }
    }
    let lengths: Vec<(TaskId, i16)> = arrival
        .rows
        .iter()
        .map(|row| (row.task, row.critical_path))
        .collect();
    let to_existing: Vec<(TaskId, TaskId)> = arrival
        .edges()
        .into_iter()
        .filter(|(_, on)| existing.contains(on))
        .collect();
    let by_task: BTreeMap<TaskId, i16> = lengths.iter().copied().collect();
    let length_of = |task: TaskId| by_task.get(&task).copied();
    lengthen(work, held, &to_existing, length_of).await?;
    Ok(Ok(lengths))
}

/// The first of these tasks that is not in the graph.
async fn find_stranger(
    work: &mut Work<'_>,
    graph: GraphId,
    tasks: &BTreeSet<TaskId>,
) -> Result<Option<TaskId>, StoreError> {
    if tasks.is_empty() {
        return Ok(None);
    }
    let ids: Vec<Uuid> = tasks.iter().map(|task| task.0).collect();
    let members = statements::find_members()
        .bind(work.transaction, &work.ns, &graph.0, &ids)
        .all()
        .await;
    let members: BTreeSet<TaskId> = members
        .map_err(|error| work.failed(error))?
        .into_iter()
        .map(TaskId)
        .collect();
    Ok(tasks.difference(&members).next().copied())
}
