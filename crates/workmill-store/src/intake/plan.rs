//! The plan of a namespace: a planner's list of tasks, brought up to date in one transaction.
//!
//! The list speaks for the documents it names: what belongs to one of them and is not on the list is
//! deleted. What is done is left alone. What somebody works on is described anew, and goes on.

mod apply;
mod diff;
mod existing;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;
use uuid::Uuid;
use workmill_core::graph::GraphStatus;
use workmill_core::ids::{GraphId, Namespace, TaskId};
use workmill_core::task::NewTask;
use workmill_queries::client::Params;
use workmill_queries::queries::intake::plan as statements;
use workmill_queries::queries::intake::submit;

use super::arrival::TaskDraft;
use crate::beside::beside;
use crate::error::StoreError;
use crate::locked_rows::LockedRows;
use crate::operation::{Operation, Work};
use diff::Diff;
use existing::ExistingPlan;

/// What each task depends on.
type Edges = BTreeMap<TaskId, BTreeSet<TaskId>>;

/// A line of a planner's list.
#[derive(Debug, Clone)]
pub struct PlannedTask {
    /// The document that it belongs to.
    pub spec_ref: String,
    /// Ids of the planner.
    pub deps: Vec<String>,
    /// The planner's own id for it.
    pub key: String,
    /// The task as the list asks for it, with this key; what it depends on is found out here. As text: a
    /// list may have a hundred thousand tasks, and only some of them are drafted at a time.
    pub body: Box<RawValue>,
}

impl PlannedTask {
    fn draft(&self) -> Result<TaskDraft, StoreError> {
        let task: NewTask = serde_json::from_str(self.body.get())
            .map_err(|error| StoreError::Corrupt(format!("{}: {error}", self.key)))?;
        Ok(TaskDraft::new(&task, task.policy(), self.body.clone()))
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
        if let Some(answer) = self.look(work).await? {
            work.abandon();
            return Ok(answer);
        }
        let (graph, mut held) = lock_plan(work, self.planner, self.key).await?;
        let mut existing = ExistingPlan::read(work, self, Some(graph)).await?;
        work.test_point("plan.read").await?;
        let diff = loop {
            let diff = match self.compare(&existing) {
                Ok(diff) => diff,
                Err(refusal) => {
                    work.abandon();
                    return Ok(Err(refusal));
                }
            };
            held.lock_more(work, &diff.touched(&existing)).await?;
            if !existing.learn(&held) {
                break diff;
            }
        };
        // Boxed: it would make the operation's future large.
        Box::pin(self.apply(work, graph, held, &existing.edges, &diff)).await?;
        Ok(Ok(diff.told))
    }
}

/// Longer lists are compared beside the threads that answer requests.
const MANY: usize = 1_000;

impl SyncPlan<'_> {
    fn compare(&self, existing: &ExistingPlan) -> Result<Diff, PlanRefusal> {
        let is_long = self.tasks.len() + existing.edges.len() > MANY;
        beside(is_long, || Diff::of(existing, self.tasks, self.mode))
    }

    /// What the list would change, where nothing has to be done: who only asks, and a list that changes
    /// nothing, lock nothing and hold nobody up.
    async fn look(
        &self,
        work: &Work<'_>,
    ) -> Result<Option<<Self as Operation>::Answer>, StoreError> {
        let graph = find_plan(work).await?;
        let existing = ExistingPlan::read(work, self, graph).await?;
        let diff = self.compare(&existing);
        let is_all = self.is_preview || diff.as_ref().is_ok_and(Diff::is_empty);
        Ok(is_all.then(|| diff.map(|diff| diff.told)))
    }
}

async fn find_plan(work: &Work<'_>) -> Result<Option<GraphId>, StoreError> {
    let graph = statements::find_plan()
        .bind(work.transaction, &work.ns)
        .opt()
        .await;
    Ok(graph?.map(GraphId))
}

/// The plan's graph, locked; made when there is none.
async fn lock_plan(
    work: &mut Work<'_>,
    planner: &str,
    key: Option<Uuid>,
) -> Result<(GraphId, LockedRows), StoreError> {
    let graph = statements::lock_plan()
        .bind(work.transaction, &work.ns)
        .opt()
        .await?;
    let is_new = graph.is_none();
    if let Some(graph) = graph.map(GraphId)
        && let Some(held) = LockedRows::lock_graph(work, graph).await?
    {
        return Ok((graph, held));
    }
    // ExistingPlan is no plan yet, or all of it was done and removed.
    work.test_point("plan.missing").await?;
    let graph = GraphId(work.mint().await?);
    let (transaction, ns) = (work.transaction, work.ns);
    let written = if is_new {
        let insert = statements::insert_plan();
        insert.bind(transaction, &ns, &graph.0).await
    } else {
        let update = statements::update_plan();
        update.bind(transaction, &graph.0, &ns).await
    };
    if written? == 0 {
        // Somebody else has begun one at the same time: there is only one.
        return Err(StoreError::Overtaken);
    }
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
    submit::insert_graphs()
        .params(work.transaction, &parameters)
        .await?;
    let held = LockedRows::lock_graph(work, graph).await?;
    Ok((graph, held.ok_or(StoreError::Overtaken)?))
}
