//! The plan of a namespace: a planner's list of tasks, brought up to date in one transaction.
//!
//! The list speaks for the documents it names: what belongs to one of them and is not on the list is
//! deleted. What is done is left alone. What somebody works on is described anew, and goes on.

mod diff;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use uuid::Uuid;
use workmill_core::audit::{Action, AuditEntry, Subject};
use workmill_core::graph::GraphStatus;
use workmill_core::ids::{GraphId, Namespace, TaskId};
use workmill_core::lifecycle::{State, Trigger};
use workmill_queries::client::Params;
use workmill_queries::queries::intake::plan as statements;
use workmill_queries::queries::intake::submit;
use workmill_queries::queries::task::held::find_specs;

use super::arrival::{self, Arrival, Dependency, Last, TaskDraft, write_edges};
use super::edit::{Edit, rewrite};
use super::keys::find_taken_keys;
use super::urgency::Lengths;
use crate::error::StoreError;
use crate::held::Held;
use crate::operation::{Operation, Work};
use crate::settlement::cancel::cancel;
use crate::settlement::{Ledger, finish, impossible};
use diff::{Diff, Known, Node, There};

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
            known: &known,
            edges: &edges,
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
        Box::pin(self.apply(work, graph, held, &edges, &diff)).await?;
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

    async fn apply(
        &self,
        work: &mut Work<'_>,
        graph: GraphId,
        mut held: Held,
        edges: &BTreeMap<TaskId, BTreeSet<TaskId>>,
        diff: &Diff,
    ) -> Result<(), StoreError> {
        let now = work.now().await?;
        if let Some(graph) = held.graphs.get_mut(&graph) {
            // Whoever has cancelled the plan has cancelled what was in it.
            graph.is_draining = false;
        }
        let drafts = self.new_drafts(diff);
        let mut arrival = Arrival::number(work, self.planner, &drafts, Some(graph)).await?;
        arrival.key = self.key;
        let ids: BTreeMap<usize, TaskId> = diff
            .inserted
            .iter()
            .zip(&arrival.rows)
            .map(|(place, row)| (*place, row.task))
            .collect();
        let id = |node: &Node| match node {
            Node::There(task) => *task,
            Node::New(place) => ids[place],
        };
        for task in &diff.restored {
            if let Some(row) = held.tasks.get_mut(task) {
                row.follow(Trigger::Restore).map_err(impossible)?;
                row.freed_runners = false;
            }
        }
        self.rewire(work, edges, diff, &id).await?;
        recount(work, &mut held, diff, &ids, &id).await?;
        let targets = targets(diff, &arrival);
        held.lock_more(work, &targets).await?;
        arrival.settle(work, now, false, |task, rule| {
            let on = held.tasks.get_mut(&task);
            !on.is_some_and(|row| row.holds_back(rule))
        });
        weigh(work, &mut held, diff).await?;
        let mut ledger = Ledger::default();
        self.describe(work, &mut held, &mut ledger, diff).await?;
        let deleted: Vec<Uuid> = diff.deleted.iter().map(|task| task.0).collect();
        held.lock_leases(work, &deleted).await?;
        for task in &diff.deleted {
            // What cannot be cancelled has ended, and was not to be deleted.
            let _ = cancel(&mut held, &mut ledger, *task, self.planner);
        }
        self.remember(work, diff, &ids).await?;
        if !arrival.rows.is_empty() {
            arrival::write(work, &[&arrival], Last::More).await?;
        }
        if let Some(graph) = held.graphs.get_mut(&graph) {
            for row in &arrival.rows {
                graph.tally.add(row.state, row.unmet > 0, 1);
            }
        }
        work.audit(AuditEntry::new(
            Action::PlanSynced,
            Subject::Graph(graph),
            Value::Null,
            counts(&diff.told),
        ));
        finish(work, held, ledger).await
    }

    /// What the new tasks are, with what they depend on.
    fn new_drafts(&self, diff: &Diff) -> Vec<TaskDraft> {
        let places: BTreeMap<usize, usize> = diff
            .inserted
            .iter()
            .enumerate()
            .map(|(new, place)| (*place, new))
            .collect();
        let drafts = diff.inserted.iter().map(|place| {
            let node = Node::New(*place);
            let depends_on = diff.rewired[&node].iter().map(|on| match on {
                Node::There(task) => Dependency::Existing(*task),
                Node::New(place) => Dependency::New(places[place]),
            });
            TaskDraft {
                depends_on: depends_on.collect(),
                critical_path: diff.lengths.get(&node).copied().unwrap_or(0),
                ..self.tasks[*place].draft.clone()
            }
        });
        drafts.collect()
    }

    /// Writes the edges of tasks that are there; those of new ones come with them.
    async fn rewire(
        &self,
        work: &mut Work<'_>,
        edges: &BTreeMap<TaskId, BTreeSet<TaskId>>,
        diff: &Diff,
        id: &impl Fn(&Node) -> TaskId,
    ) -> Result<(), StoreError> {
        let (mut added, mut removed) = (Vec::new(), Vec::new());
        for (node, after) in &diff.rewired {
            let Node::There(task) = node else {
                continue;
            };
            let nothing = BTreeSet::new();
            let before = edges.get(task).unwrap_or(&nothing);
            let after: BTreeSet<TaskId> = after.iter().map(id).collect();
            added.extend(after.difference(before).map(|on| (*task, *on)));
            removed.extend(before.difference(&after).map(|on| (*task, *on)));
        }
        write_edges(work, &added).await?;
        if removed.is_empty() {
            return Ok(());
        }
        let tasks: Vec<Uuid> = removed.iter().map(|(task, _)| task.0).collect();
        let depends_on: Vec<Uuid> = removed.iter().map(|(_, on)| on.0).collect();
        let deleted = statements::delete_edges()
            .bind(work.transaction, &work.ns, &tasks, &depends_on)
            .await;
        deleted.map_err(|error| work.failed(error))?;
        Ok(())
    }

    async fn describe(
        &self,
        work: &mut Work<'_>,
        held: &mut Held,
        ledger: &mut Ledger,
        diff: &Diff,
    ) -> Result<(), StoreError> {
        let ids: Vec<Uuid> = diff.described.iter().map(|(task, _)| task.0).collect();
        let specs = find_specs()
            .bind(work.transaction, &ids, &work.ns)
            .all()
            .await;
        let specs = specs.map_err(|error| work.failed(error))?;
        let submitted: BTreeMap<TaskId, _> = specs
            .into_iter()
            .map(|spec| (TaskId(spec.task), spec.submitted_at))
            .collect();
        let edits = diff.described.iter().filter_map(|(task, place)| {
            Some(Edit {
                task: *task,
                submitted_at: *submitted.get(task)?,
                draft: &self.tasks[*place].draft,
            })
        });
        let edits: Vec<Edit<'_>> = edits.collect();
        rewrite(work, held, ledger, &edits, self.planner).await
    }

    /// Writes down what is new in the plan, and what belongs to another document.
    async fn remember(
        &self,
        work: &Work<'_>,
        diff: &Diff,
        ids: &BTreeMap<usize, TaskId>,
    ) -> Result<(), StoreError> {
        let new = ids.iter().map(|(place, task)| (*task, *place));
        let written: Vec<(TaskId, usize)> = new.chain(diff.moved.iter().copied()).collect();
        if written.is_empty() {
            return Ok(());
        }
        let planned = |(_, place): &(TaskId, usize)| &self.tasks[*place];
        let parameters = statements::WritePlanTasksParams {
            ns: work.ns,
            keys: written
                .iter()
                .map(|one| planned(one).key())
                .collect::<Vec<_>>(),
            spec_refs: written
                .iter()
                .map(|one| planned(one).spec_ref.as_str())
                .collect::<Vec<_>>(),
            tasks: written.iter().map(|(task, _)| task.0).collect::<Vec<_>>(),
        };
        let inserted = statements::write_plan_tasks()
            .params(work.transaction, &parameters)
            .await;
        inserted.map_err(|error| work.failed(error))?;
        Ok(())
    }
}

/// How many of what, for the record.
fn counts(told: &PlanChanges) -> Value {
    let count = |action: PlanAction| {
        let changes = told.changes.iter();
        changes.filter(|change| change.action == action).count()
    };
    json!({
        "inserted": count(PlanAction::Inserted),
        "updated": count(PlanAction::Updated),
        "deleted": count(PlanAction::Deleted),
        "skipped": told.skipped,
    })
}

/// The tasks that are there and that new ones depend on.
fn targets(diff: &Diff, arrival: &Arrival<'_>) -> BTreeSet<TaskId> {
    debug_assert_eq!(diff.inserted.len(), arrival.rows.len());
    let drafts = arrival.drafts.iter();
    let existing = drafts.flat_map(|draft| &draft.depends_on);
    let existing = existing.filter_map(|on| match on {
        Dependency::Existing(task) => Some(*task),
        Dependency::New(_) => None,
    });
    existing.collect()
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

/// What was asked for, of those that may change.
async fn read_bodies(
    work: &Work<'_>,
    held: &Held,
    ids: &BTreeSet<TaskId>,
) -> Result<BTreeMap<TaskId, Value>, StoreError> {
    let is_open = |task: &&TaskId| {
        let row = held.tasks.get(*task);
        row.is_some_and(|row| row.state != State::Completed)
    };
    let ids: Vec<Uuid> = ids.iter().filter(is_open).map(|task| task.0).collect();
    let specs = find_specs()
        .bind(work.transaction, &ids, &work.ns)
        .all()
        .await;
    let specs = specs.map_err(|error| work.failed(error))?;
    Ok(specs
        .into_iter()
        .map(|spec| (TaskId(spec.task), spec.body))
        .collect())
}

async fn read_edges(
    work: &Work<'_>,
    graph: GraphId,
) -> Result<BTreeMap<TaskId, BTreeSet<TaskId>>, StoreError> {
    let rows = statements::find_edges_of_graph()
        .bind(work.transaction, &work.ns, &graph.0)
        .all()
        .await;
    let mut edges: BTreeMap<TaskId, BTreeSet<TaskId>> = BTreeMap::new();
    for row in rows.map_err(|error| work.failed(error))? {
        let on = TaskId(row.depends_on);
        edges.entry(TaskId(row.task)).or_default().insert(on);
    }
    Ok(edges)
}

/// Counts anew what tasks wait for whose dependencies are others now, or are back: they wait, or wait
/// no more. What is about to be deleted still counts; that it goes is followed later.
async fn recount(
    work: &mut Work<'_>,
    held: &mut Held,
    diff: &Diff,
    new: &BTreeMap<usize, TaskId>,
    id: &impl Fn(&Node) -> TaskId,
) -> Result<(), StoreError> {
    let back: BTreeSet<Node> = diff.restored.iter().copied().map(Node::There).collect();
    let concerned = diff.edges.iter().filter(|(node, depends_on)| {
        diff.rewired.contains_key(node) || back.contains(node) || !depends_on.is_disjoint(&back)
    });
    let concerned: Vec<(TaskId, BTreeSet<TaskId>)> = concerned
        .filter_map(|(node, depends_on)| match node {
            Node::There(task) => Some((*task, depends_on.iter().map(id).collect())),
            Node::New(_) => None,
        })
        .collect();
    let new: BTreeSet<TaskId> = new.values().copied().collect();
    let named = concerned.iter().flat_map(|(task, depends_on)| {
        let on = depends_on.iter().filter(|on| !new.contains(*on));
        on.chain([task])
    });
    let named: BTreeSet<TaskId> = named.copied().collect();
    held.lock_more(work, &named).await?;
    let now = work.now().await?;
    for (task, depends_on) in concerned {
        let Some(rule) = held.tasks.get(&task).map(|row| row.on_dependency_failure) else {
            continue;
        };
        let mut unmet = 0;
        for on in &depends_on {
            let on = held.tasks.get_mut(on);
            unmet += i32::from(on.is_none_or(|row| row.holds_back(rule)));
        }
        let Some(row) = held.tasks.get_mut(&task) else {
            continue;
        };
        row.unmet = unmet;
        if unmet > 0 && matches!(row.state, State::Ready | State::Retrying) {
            row.follow(Trigger::AddDependency).map_err(impossible)?;
            row.due = None;
        } else if unmet == 0 && row.state == State::Pending {
            row.promote_if_due(now).map_err(impossible)?;
        }
    }
    Ok(())
}

/// Measures the chains below tasks that are there anew.
async fn weigh(work: &mut Work<'_>, held: &mut Held, diff: &Diff) -> Result<(), StoreError> {
    let there = diff.lengths.iter().filter_map(|(node, length)| match node {
        Node::There(task) => Some((*task, i16::from(*length))),
        Node::New(_) => None,
    });
    let there: Vec<(TaskId, i16)> = there.collect();
    held.lock_more(work, &there.iter().map(|(task, _)| *task).collect())
        .await?;
    let mut lengths = Lengths::default();
    for (task, length) in there {
        let row = held.tasks.get_mut(&task);
        if let Some(row) = row.filter(|row| row.critical_path != length) {
            lengths.set(row, length);
        }
    }
    lengths.make_urgent(work, held).await
}
