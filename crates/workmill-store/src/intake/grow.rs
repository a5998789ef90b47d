//! A graph grows: tasks that depend on each other and on what is in it already.
//!
//! A task whose idempotency key stands for a task of this graph is not created twice: the first one
//! takes its place, for the answer and for what depends on it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;
use workmill_core::ids::{GraphId, Namespace, ProjectId, TaskId};
use workmill_queries::queries::intake::grow as statements;

use super::arrival::{self, Arrival, Dependency, Last, TaskDraft};
use super::keys::{Known, OtherRequest, find_known, find_taken_key};
use super::projects::{find_missing, of_graph};
use super::references::{Unreadable, find_unreadable, find_unreadable_known};
use super::spawn::found_graph;
use super::submit::Idempotency;
use super::urgency::lengthen;
use crate::error::StoreError;
use crate::locked_rows::{LockedRows, TaskRow};
use crate::operation::{Operation, Work};
use crate::write_back::Remarks;

#[derive(Debug)]
pub struct GrowGraph<'a> {
    pub ns: Namespace,
    pub graph: GraphId,
    pub created_by: &'a str,
    /// The key of the caller.
    pub key: Option<Uuid>,
    pub tasks: &'a [TaskDraft],
    pub idempotency: Option<&'a Idempotency>,
}

/// The tasks of a call that let a graph grow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grown {
    /// In the order of the call.
    pub tasks: Vec<TaskId>,
    /// An earlier call has created all of them.
    pub is_repeat: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrowRefusal {
    NoSuchGraph,
    /// The graph is being cancelled, or was.
    Closed(GraphId),
    /// A dependency that is not a task of the graph.
    NoSuchTask(TaskId),
    /// The idempotency key of the call belongs to another request.
    OtherRequest,
    /// The idempotency key of the task at this place belongs to another task.
    TaskKeyUsed(usize),
    KeyTaken(String),
    NoSuchProject(ProjectId),
    /// A task refers to an output that its author may not read, or that does not exist.
    Unreadable(Unreadable),
    /// The way along dependencies, from a task to itself.
    Cycle(Vec<TaskId>),
}

impl Operation for GrowGraph<'_> {
    type Answer = Result<Grown, GrowRefusal>;
    const DOING: &'static str = "add tasks to a graph";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let growth = Growth {
            created_by: self.created_by,
            key: self.key,
            parent: None,
            depth: 0,
            drafts: self.tasks,
            idempotency: self.idempotency,
        };
        let known = growth.find_known(work).await?;
        if let Some(answer) = growth.first_answer(&known) {
            return Ok(answer);
        }
        let Some(mut held) = lock_graph_of_any_kind(work, self.graph).await? else {
            return Ok(Err(GrowRefusal::NoSuchGraph));
        };
        let added = growth.add(work, &mut held, self.graph, &known).await?;
        if added.is_ok() {
            held.write_back(work, &Remarks::default()).await?;
        } else {
            work.abandon();
        }
        Ok(added.map(|(grown, _)| grown))
    }
}

/// Locks a graph, with none of its tasks or with its only one; `None` if it does not exist. A standalone
/// task is its own graph, which gets a row here.
pub(crate) async fn lock_graph_of_any_kind(
    work: &mut Work<'_>,
    graph: GraphId,
) -> Result<Option<LockedRows>, StoreError> {
    if let Some(held) = LockedRows::lock_graph(work, graph).await? {
        return Ok(Some(held));
    }
    let task = TaskId(graph.0);
    let mut held = LockedRows::lock(work, [task]).await?;
    let is_its_graph = |row: &TaskRow| row.graph == graph;
    if !held.tasks.get(&task).is_some_and(is_its_graph) {
        return Ok(None);
    }
    found_graph(work, &mut held, task).await?;
    Ok(Some(held))
}

/// Tasks that are to enter a graph.
pub(super) struct Growth<'a> {
    pub(super) created_by: &'a str,
    /// The key of the caller.
    pub(super) key: Option<Uuid>,
    /// The task that spawns them.
    pub(super) parent: Option<TaskId>,
    /// How far they are from the task that nobody spawned.
    pub(super) depth: i16,
    pub(super) drafts: &'a [TaskDraft],
    pub(super) idempotency: Option<&'a Idempotency>,
}

impl Growth<'_> {
    /// Reads what earlier requests with the same idempotency keys were answered.
    pub(super) async fn find_known(&self, work: &Work<'_>) -> Result<Known, StoreError> {
        let of_tasks = self
            .drafts
            .iter()
            .filter_map(|draft| draft.idempotency.as_ref());
        let keys = self.idempotency.into_iter().chain(of_tasks);
        let keys: Vec<&str> = keys.map(|one| one.key.as_str()).collect();
        // Locks are still to be taken, so the time that it tells is too early.
        let known = find_known(work, &keys).await?;
        Ok(known)
    }

    /// Returns what the same call was answered before.
    pub(super) fn first_answer(&self, known: &Known) -> Option<Result<Grown, GrowRefusal>> {
        Some(match known.first_answer(self.idempotency?)? {
            Ok(earlier) => Ok(Grown {
                tasks: earlier.tasks.iter().copied().map(TaskId).collect(),
                is_repeat: true,
            }),
            Err(OtherRequest) => Err(GrowRefusal::OtherRequest),
        })
    }

    /// Returns the tasks of this graph that earlier calls have created under the same idempotency
    /// keys, by the place of the draft.
    pub(super) fn known_tasks(
        &self,
        known: &Known,
        graph: GraphId,
    ) -> Result<BTreeMap<usize, TaskId>, GrowRefusal> {
        let mut tasks = BTreeMap::new();
        for (place, draft) in self.drafts.iter().enumerate() {
            let first = draft.idempotency.as_ref();
            match first.and_then(|idempotency| known.first_answer(idempotency)) {
                None => {}
                Some(Ok(earlier)) if earlier.graph == Some(graph.0) => {
                    tasks.extend(earlier.tasks.first().map(|task| (place, TaskId(*task))));
                }
                Some(Ok(_) | Err(OtherRequest)) => return Err(GrowRefusal::TaskKeyUsed(place)),
            }
        }
        Ok(tasks)
    }

    /// Adds the tasks to a graph that is held; returns the places of those that are new, too.
    pub(super) async fn add(
        &self,
        work: &mut Work<'_>,
        held: &mut LockedRows,
        graph: GraphId,
        known: &Known,
    ) -> Result<Result<(Grown, Vec<usize>), GrowRefusal>, StoreError> {
        let known = match self.known_tasks(known, graph) {
            Ok(known) => known,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if let Some(place) = find_unreadable_known(work, self.drafts, &known).await? {
            return Ok(Err(GrowRefusal::TaskKeyUsed(place)));
        }
        let drafts = without_known(self.drafts, &known);
        let existing = existing_dependencies(&drafts);
        if !drafts.is_empty()
            && let Err(refusal) = check(work, held, graph, &drafts, &existing).await?
        {
            return Ok(Err(refusal.at_place_among(&known)));
        }
        held.lock_more(work, &existing).await?;
        let is_draft = held.graphs.get(&graph).is_some_and(|row| row.is_draft);
        let project = of_graph(work, graph).await?;
        let now = work.now().await?;
        let mut arrival = Arrival::number(work, self.created_by, &drafts, Some(graph)).await?;
        arrival.key = self.key;
        arrival.parent = self.parent;
        arrival.depth = self.depth;
        arrival.project = project;
        arrival.settle(work, now, is_draft, |task, rule| {
            let on = held.tasks.get_mut(&task);
            !on.is_some_and(|row| row.holds_back(rule))
        })?;
        let mut entered = arrival.rows.iter().map(|row| row.task);
        let tasks = (0..self.drafts.len())
            .filter_map(|place| known.get(&place).copied().or_else(|| entered.next()));
        let tasks: Vec<TaskId> = tasks.collect();
        arrival.idempotency = self.idempotency;
        arrival.answered = Some(tasks.clone());
        enter(work, held, &arrival, &existing).await?;
        let new: Vec<usize> = (0..tasks.len())
            .filter(|place| !known.contains_key(place))
            .collect();
        let grown = Grown {
            tasks,
            is_repeat: drafts.is_empty(),
        };
        Ok(Ok((grown, new)))
    }
}

impl GrowRefusal {
    /// Counts the places of drafts with those that are known.
    fn at_place_among(self, known: &BTreeMap<usize, TaskId>) -> GrowRefusal {
        match self {
            GrowRefusal::Unreadable(refused) => {
                let new = (0..)
                    .filter(|place| !known.contains_key(place))
                    .nth(refused.place);
                let place = new.unwrap_or(refused.place);
                GrowRefusal::Unreadable(Unreadable { place, ..refused })
            }
            other => other,
        }
    }
}

/// Refuses what cannot enter the graph.
async fn check(
    work: &Work<'_>,
    held: &LockedRows,
    graph: GraphId,
    drafts: &[TaskDraft],
    existing: &BTreeSet<TaskId>,
) -> Result<Result<(), GrowRefusal>, StoreError> {
    let Some(row) = held.graphs.get(&graph) else {
        return Ok(Err(GrowRefusal::NoSuchGraph));
    };
    if row.is_draining {
        return Ok(Err(GrowRefusal::Closed(graph)));
    }
    if let Some(stranger) = find_stranger(work, graph, existing).await? {
        return Ok(Err(GrowRefusal::NoSuchTask(stranger)));
    }
    if let Some(key) = find_taken_key(work, drafts).await? {
        return Ok(Err(GrowRefusal::KeyTaken(key)));
    }
    let named = drafts.iter().filter_map(|draft| draft.project);
    if let Some(project) = find_missing(work, named).await? {
        return Ok(Err(GrowRefusal::NoSuchProject(project)));
    }
    let refused = find_unreadable(work, drafts).await?;
    Ok(match refused.first() {
        Some(refused) => Err(GrowRefusal::Unreadable(*refused)),
        None => Ok(()),
    })
}

/// Writes what enters, and lengthens the chains above it.
async fn enter(
    work: &mut Work<'_>,
    held: &mut LockedRows,
    arrival: &Arrival<'_>,
    existing: &BTreeSet<TaskId>,
) -> Result<(), StoreError> {
    if arrival.rows.is_empty() && arrival.idempotency.is_none() {
        return Ok(());
    }
    arrival::write(work, &[arrival], Last::More).await?;
    if let Some(graph) = arrival.graph.and_then(|graph| held.graphs.get_mut(&graph)) {
        for row in &arrival.rows {
            graph.tally.add(row.state(), row.unmet > 0, 1);
        }
    }
    let to_existing = arrival.edges().into_iter();
    let to_existing: Vec<(TaskId, TaskId)> = to_existing
        .filter(|(_, on)| existing.contains(on))
        .collect();
    let rows = arrival.rows.iter();
    let lengths: BTreeMap<TaskId, i16> = rows.map(|row| (row.task, row.critical_path)).collect();
    lengthen(work, held, &to_existing, |task| lengths.get(&task).copied()).await
}

/// Returns the drafts that are new. What depends on a known task depends on an existing one.
fn without_known<'a>(
    drafts: &'a [TaskDraft],
    known: &BTreeMap<usize, TaskId>,
) -> Cow<'a, [TaskDraft]> {
    if known.is_empty() {
        return Cow::Borrowed(drafts);
    }
    let is_new = |place: &usize| !known.contains_key(place);
    let new_places: BTreeMap<usize, usize> = (0..drafts.len())
        .filter(is_new)
        .enumerate()
        .map(|(new, place)| (place, new))
        .collect();
    let kept = new_places.keys().map(|place| {
        let mut draft = drafts[*place].clone();
        for dependency in &mut draft.depends_on {
            if let Dependency::New(on) = *dependency {
                *dependency = match known.get(&on) {
                    Some(task) => Dependency::Existing(*task),
                    None => Dependency::New(new_places[&on]),
                };
            }
        }
        // One may be named by its name and by its id.
        draft.depends_on.sort_unstable();
        draft.depends_on.dedup();
        draft
    });
    Cow::Owned(kept.collect())
}

/// The tasks of the graph that drafts depend on.
pub(super) fn existing_dependencies(drafts: &[TaskDraft]) -> BTreeSet<TaskId> {
    let dependencies = drafts.iter().flat_map(|draft| &draft.depends_on);
    let existing = dependencies.filter_map(|dependency| match dependency {
        Dependency::Existing(task) => Some(*task),
        Dependency::New(_) => None,
    });
    existing.collect()
}

/// The first of these tasks that is not in the graph.
async fn find_stranger(
    work: &Work<'_>,
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
    let members: BTreeSet<TaskId> = members?.into_iter().map(TaskId).collect();
    Ok(tasks.difference(&members).next().copied())
}
