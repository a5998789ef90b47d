//! The plan of a namespace: a planner's list of tasks, brought up to date in one transaction.
//!
//! The list speaks for the documents it names: what belongs to one of them and is not on the list is
//! deleted. What is done is left alone. What somebody works on is described anew, and goes on.

mod apply;
mod diff;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;
use uuid::Uuid;
use workmill_core::graph::GraphStatus;
use workmill_core::ids::{GraphId, Namespace, TaskId};
use workmill_core::lifecycle::State;
use workmill_queries::client::Params;
use workmill_queries::queries::intake::plan as statements;
use workmill_queries::queries::intake::submit;
use workmill_queries::queries::task::held::find_specs;

use super::arrival::TaskDraft;
use super::keys::find_taken_keys;
use crate::error::StoreError;
use crate::held::Held;
use crate::operation::{Operation, Work};
use diff::{Diff, Known, There, has_begun};

/// What each task depends on.
type Edges = BTreeMap<TaskId, BTreeSet<TaskId>>;

/// A line of a planner's list.
#[derive(Debug, Clone)]
pub struct PlannedTask {
    /// The document that it belongs to.
    pub spec_ref: String,
    /// Ids of the planner.
    pub deps: Vec<String>,
    /// With the planner's own id as its key; what it depends on is found out here.
    pub draft: TaskDraft,
}

impl PlannedTask {
    pub fn key(&self) -> &str {
        self.draft.key.as_deref().unwrap_or_default()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanMode {
    /// The documents that are named become what the list says.
    Sync,
    /// Adds tasks, and changes none that is there.
    Add,
}

#[derive(Debug)]
pub struct SyncPlan<'a> {
    pub ns: Namespace,
    pub planner: &'a str,
    /// The key of whoever brings the list.
    pub key: Option<Uuid>,
    /// Each id once.
    pub tasks: &'a [PlannedTask],
    pub mode: PlanMode,
    /// Only says what would be done.
    pub is_preview: bool,
}

/// What a list has changed, or would.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlanChanges {
    pub changes: Vec<PlanChange>,
    /// Listed, and done: those stay as they are.
    pub skipped: usize,
    /// Listed as they are.
    pub unchanged: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanChange {
    pub key: String,
    pub action: PlanAction,
    /// What is another one now, in a planner's words.
    pub fields: Vec<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanAction {
    Inserted,
    Updated,
    Deleted,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanRefusal {
    /// What is wrong with tasks, by their places.
    Tasks(Vec<(usize, PlanProblem)>),
    /// The way along dependencies, from a task to itself.
    Cycle(Vec<String>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanProblem {
    UnknownDependency(String),
    /// The list itself takes it away.
    RemovedDependency(String),
    /// A task has this id that is not of the plan; or it is to be added and is there.
    KeyTaken,
}

impl Operation for SyncPlan<'_> {
    type Answer = Result<PlanChanges, PlanRefusal>;
    const DOING: &'static str = "bring a plan up to date";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let (graph, mut held) = lock_plan(work, self.planner, self.key).await?;
        let known = self.read_known(work, &mut held).await?;
        if let Some(taken) = self.find_taken(work, &known).await? {
            work.abandon();
            return Ok(Err(taken));
        }
        let edges = read_edges(work, graph).await?;
        let there = There {
            begun_without: self.find_begun(work, &mut held, &known, &edges).await?,
            unplanned: self.find_unplanned(work, &known, &edges).await?,
            known,
            edges,
        };
        let diff = match Diff::of(&there, self.tasks, self.mode) {
            Ok(diff) => diff,
            Err(refusal) => {
                work.abandon();
                return Ok(Err(refusal));
            }
        };
        if self.is_preview || diff.is_empty() {
            work.abandon();
            return Ok(Ok(diff.told));
        }
        // Boxed: it would make the operation's future large.
        Box::pin(self.apply(work, graph, held, &there.edges, &diff)).await?;
        Ok(Ok(diff.told))
    }
}

impl SyncPlan<'_> {
    /// The planned tasks that the list names or speaks for, locked.
    async fn read_known(
        &self,
        work: &mut Work<'_>,
        held: &mut Held,
    ) -> Result<BTreeMap<String, Known>, StoreError> {
        let keys = self.tasks.iter().flat_map(|task| {
            let deps = task.deps.iter().map(String::as_str);
            deps.chain([task.key()])
        });
        let keys: BTreeSet<&str> = keys.collect();
        let keys: Vec<&str> = keys.into_iter().collect();
        let documents = self.tasks.iter().map(|task| task.spec_ref.as_str());
        let documents: BTreeSet<&str> = match self.mode {
            PlanMode::Add => BTreeSet::new(),
            PlanMode::Sync => documents.collect(),
        };
        let documents: Vec<&str> = documents.into_iter().collect();
        let rows = statements::find_plan_tasks()
            .bind(work.transaction, &keys, &work.ns, &documents)
            .all()
            .await;
        let rows = rows.map_err(|error| work.failed(error))?;
        let ids: BTreeSet<TaskId> = rows.iter().map(|row| TaskId(row.task)).collect();
        held.lock_more(work, &ids).await?;
        let mut bodies = read_bodies(work, held, &ids).await?;
        let known = rows.into_iter().map(|row| {
            let task = TaskId(row.task);
            let known = Known {
                task,
                spec_ref: row.spec_ref,
                state: held.tasks.get(&task).map(|row| row.state),
                body: bodies.remove(&task),
            };
            (row.key, known)
        });
        Ok(known.collect())
    }

    /// Ids that tasks have which are not of the plan.
    async fn find_taken(
        &self,
        work: &Work<'_>,
        known: &BTreeMap<String, Known>,
    ) -> Result<Option<PlanRefusal>, StoreError> {
        let new = self.tasks.iter().map(PlannedTask::key);
        let new: Vec<&str> = new.filter(|key| !known.contains_key(*key)).collect();
        let taken = find_taken_keys(work, &new).await?;
        if taken.is_empty() {
            return Ok(None);
        }
        let places = self.tasks.iter().enumerate();
        let places = places.filter(|(_, task)| taken.contains(task.key()));
        let problems = places.map(|(place, _)| (place, PlanProblem::KeyTaken));
        Ok(Some(PlanRefusal::Tasks(problems.collect())))
    }

    /// Those that are there, by the list's lines.
    fn listed<'a>(
        &'a self,
        known: &'a BTreeMap<String, Known>,
    ) -> impl Iterator<Item = &'a Known> + 'a {
        self.tasks.iter().filter_map(|task| known.get(task.key()))
    }

    /// Who depends on something deleted that the list names, and has begun without it; locked.
    async fn find_begun(
        &self,
        work: &mut Work<'_>,
        held: &mut Held,
        known: &BTreeMap<String, Known>,
        edges: &Edges,
    ) -> Result<BTreeSet<TaskId>, StoreError> {
        let deleted = self.listed(known).filter(|known| known.is_deleted());
        let deleted: BTreeSet<TaskId> = deleted.map(|known| known.task).collect();
        let bereft = edges.iter().filter(|(_, on)| !on.is_disjoint(&deleted));
        let mut bereft: BTreeSet<TaskId> = bereft.map(|(task, _)| *task).collect();
        held.lock_more(work, &bereft).await?;
        bereft.retain(|task| {
            let row = held.tasks.get(task);
            row.is_some_and(|row| has_begun(row.state))
        });
        Ok(bereft)
    }

    /// What listed tasks depend on and no planner has named.
    async fn find_unplanned(
        &self,
        work: &Work<'_>,
        known: &BTreeMap<String, Known>,
        edges: &Edges,
    ) -> Result<BTreeSet<TaskId>, StoreError> {
        let targets = self
            .listed(known)
            .filter_map(|known| edges.get(&known.task));
        let mut targets: BTreeSet<TaskId> = targets.flatten().copied().collect();
        for known in known.values() {
            targets.remove(&known.task);
        }
        if targets.is_empty() {
            return Ok(targets);
        }
        let ids: Vec<Uuid> = targets.iter().map(|task| task.0).collect();
        let planned = statements::find_planned()
            .bind(work.transaction, &ids, &work.ns)
            .all()
            .await;
        for task in planned.map_err(|error| work.failed(error))? {
            targets.remove(&TaskId(task));
        }
        Ok(targets)
    }
}

/// The plan's graph, locked; made when there is none.
async fn lock_plan(
    work: &mut Work<'_>,
    planner: &str,
    key: Option<Uuid>,
) -> Result<(GraphId, Held), StoreError> {
    let graph = statements::lock_plan()
        .bind(work.transaction, &work.ns)
        .opt()
        .await
        .map_err(|error| work.failed(error))?;
    if let Some(graph) = graph.map(GraphId)
        && let Some(held) = Held::lock_graph(work, graph).await?
    {
        return Ok((graph, held));
    }
    // There is no plan yet, or all of it was done and removed.
    let graph = GraphId(work.mint().await?);
    let written = statements::write_plan()
        .bind(work.transaction, &work.ns, &graph.0)
        .await;
    written.map_err(|error| work.failed(error))?;
    let parameters = submit::InsertGraphsParams {
        ns: work.ns,
        now: work.now().await?,
        graphs: vec![graph.0],
        titles: vec!["plan"],
        creators: vec![planner],
        keys: vec![key],
        is_draft: vec![false],
        statuses: vec![GraphStatus::Running.name()],
        tasks: vec![0],
        moving: vec![0],
        projects: vec![None],
    };
    let inserted = submit::insert_graphs()
        .params(work.transaction, &parameters)
        .await;
    inserted.map_err(|error| work.failed(error))?;
    let held = Held::lock_graph(work, graph).await?;
    Ok((graph, held.ok_or(StoreError::Overtaken)?))
}

/// What was asked for, of those that may change; as it is written, for there may be very many.
async fn read_bodies(
    work: &Work<'_>,
    held: &Held,
    ids: &BTreeSet<TaskId>,
) -> Result<BTreeMap<TaskId, Box<RawValue>>, StoreError> {
    let is_open = |task: &&TaskId| {
        let row = held.tasks.get(*task);
        row.is_some_and(|row| row.state != State::Completed)
    };
    let ids: Vec<Uuid> = ids.iter().filter(is_open).map(|task| task.0).collect();
    let specs = find_specs()
        .bind(work.transaction, &ids, &work.ns)
        .map(|spec| (TaskId(spec.task), spec.body.0.to_owned()))
        .all()
        .await;
    let specs = specs.map_err(|error| work.failed(error))?;
    Ok(specs.into_iter().collect())
}

async fn read_edges(work: &Work<'_>, graph: GraphId) -> Result<Edges, StoreError> {
    let rows = statements::find_edges_of_graph()
        .bind(work.transaction, &work.ns, &graph.0)
        .all()
        .await;
    let mut edges = Edges::new();
    for row in rows.map_err(|error| work.failed(error))? {
        let on = TaskId(row.depends_on);
        edges.entry(TaskId(row.task)).or_default().insert(on);
    }
    Ok(edges)
}
