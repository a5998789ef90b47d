//! What is there of what a list names or speaks for. Reading it locks nothing; under the lock of the
//! plan's graph only the states can change, and those of what is locked do not.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;
use uuid::Uuid;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lifecycle::{self, State, Trigger};
use workmill_queries::queries::intake::plan as statements;
use workmill_queries::queries::task::locked_rows::find_specs;

use super::super::keys::find_taken_keys;
use super::diff::Node;
use super::{Edges, PlanMode, SyncPlan};
use crate::error::StoreError;
use crate::locked_rows::LockedRows;
use crate::operation::Work;

#[derive(Debug)]
pub(super) struct ExistingPlan {
    /// Planned tasks by the planner's ids.
    pub(super) known: BTreeMap<String, Known>,
    /// Ids of the list that tasks have which are not of the plan.
    pub(super) taken: BTreeSet<String>,
    /// What the tasks of the plan's graph depend on.
    pub(super) edges: Edges,
    /// Those that depend on something deleted that the list names.
    pub(super) bereft: BTreeSet<TaskId>,
    /// What listed tasks depend on without having it from a planner, such as what they have spawned.
    unplanned: BTreeSet<TaskId>,
    /// Of what is known and bereft; none where it has completed and was removed since.
    states: BTreeMap<TaskId, State>,
}

/// A task of the plan.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) task: TaskId,
    pub(super) spec_ref: String,
    /// What was asked for, where somebody wants to know.
    pub(super) body: Option<Box<RawValue>>,
}

impl ExistingPlan {
    pub(super) async fn read(
        work: &Work<'_>,
        list: &SyncPlan<'_>,
        graph: Option<GraphId>,
    ) -> Result<ExistingPlan, StoreError> {
        let mut known = read_known(work, list).await?;
        let taken = list.tasks.iter().map(|task| task.key.as_str());
        let taken: Vec<&str> = taken.filter(|key| !known.contains_key(*key)).collect();
        let taken = find_taken_keys(work, &taken).await?;
        let edges = match graph {
            Some(graph) => read_edges(work, graph).await?,
            None => Edges::new(),
        };
        let tasks: BTreeSet<TaskId> = known.values().map(|known| known.task).collect();
        let mut states = read_states(work, &tasks).await?;
        read_bodies(work, &mut known, &states).await?;

        let listed = list.tasks.iter().filter_map(|task| known.get(&task.key));
        let listed: BTreeSet<TaskId> = listed.map(|known| known.task).collect();
        let is_deleted = |task: &&TaskId| states.get(task).copied().is_some_and(is_deleted);
        let deleted: BTreeSet<TaskId> = listed.iter().filter(is_deleted).copied().collect();
        let bereft = edges.iter().filter(|(_, on)| !on.is_disjoint(&deleted));
        let bereft: BTreeSet<TaskId> = bereft.map(|(task, _)| *task).collect();
        states.extend(read_states(work, &bereft).await?);

        let targets = listed.iter().filter_map(|task| edges.get(task)).flatten();
        let targets: BTreeSet<TaskId> = targets.copied().collect();
        let unplanned = find_unplanned(work, &targets - &tasks).await?;
        Ok(ExistingPlan {
            known,
            taken,
            edges,
            bereft,
            unplanned,
            states,
        })
    }

    /// Takes the states of what is locked now; answers whether one was another one.
    pub(super) fn learn(&mut self, held: &LockedRows) -> bool {
        let mut is_other = false;
        for (task, state) in &mut self.states {
            let row = held.tasks.get(task);
            if let Some(row) = row.filter(|row| row.state() != *state) {
                *state = row.state();
                is_other = true;
            }
        }
        is_other
    }

    pub(super) fn is_done(&self, known: &Known) -> bool {
        let state = self.states.get(&known.task);
        state.is_none_or(|state| *state == State::Completed)
    }

    /// It has completed, and was removed since.
    pub(super) fn is_gone(&self, known: &Known) -> bool {
        !self.states.contains_key(&known.task)
    }

    pub(super) fn is_deleted(&self, known: &Known) -> bool {
        let state = self.states.get(&known.task);
        state.copied().is_some_and(is_deleted)
    }

    /// Somebody works on it, has done it or given it up: it cannot wait for anything else now, and what
    /// it depends on stays as it is.
    pub(super) fn has_begun(&self, task: TaskId) -> bool {
        let state = self.states.get(&task);
        state.is_some_and(|state| {
            let may_wait = lifecycle::next(*state, Trigger::AddDependency).is_ok();
            !may_wait && !is_deleted(*state)
        })
    }

    /// What a task depends on, parted: what a planner has said, and what planners do not know of.
    pub(super) fn edges_of(&self, task: TaskId) -> (BTreeSet<Node>, BTreeSet<Node>) {
        let on = self.edges.get(&task).into_iter().flatten();
        let (unplanned, planned): (Vec<TaskId>, Vec<TaskId>) =
            on.partition(|on| self.unplanned.contains(on));
        let nodes = |tasks: Vec<TaskId>| tasks.into_iter().map(Node::ExistingPlan).collect();
        (nodes(planned), nodes(unplanned))
    }
}

fn is_deleted(state: State) -> bool {
    matches!(state, State::Cancelled | State::Stale)
}

/// The planned tasks that the list names or speaks for, without their bodies.
async fn read_known(
    work: &Work<'_>,
    list: &SyncPlan<'_>,
) -> Result<BTreeMap<String, Known>, StoreError> {
    let keys = list.tasks.iter().flat_map(|task| {
        let deps = task.deps.iter().map(String::as_str);
        deps.chain([task.key.as_str()])
    });
    let keys: BTreeSet<&str> = keys.collect();
    let keys: Vec<&str> = keys.into_iter().collect();
    let documents = list.tasks.iter().map(|task| task.spec_ref.as_str());
    let documents: BTreeSet<&str> = match list.mode {
        PlanMode::Add => BTreeSet::new(),
        PlanMode::Sync => documents.collect(),
    };
    let documents: Vec<&str> = documents.into_iter().collect();
    let rows = statements::find_plan_tasks()
        .bind(work.transaction, &keys, &work.ns, &documents)
        .all()
        .await?;
    let known = rows.into_iter().map(|row| {
        let known = Known {
            task: TaskId(row.task),
            spec_ref: row.spec_ref,
            body: None,
        };
        (row.key, known)
    });
    Ok(known.collect())
}

/// What was asked for, of those that may change; as it is written, for there may be very many.
async fn read_bodies(
    work: &Work<'_>,
    known: &mut BTreeMap<String, Known>,
    states: &BTreeMap<TaskId, State>,
) -> Result<(), StoreError> {
    let open = states
        .iter()
        .filter(|(_, state)| **state != State::Completed);
    let ids: Vec<Uuid> = open.map(|(task, _)| task.0).collect();
    let specs = find_specs()
        .bind(work.transaction, &ids, &work.ns)
        .map(|spec| (TaskId(spec.task), spec.body.0.to_owned()))
        .all()
        .await;
    let mut specs: BTreeMap<TaskId, Box<RawValue>> = specs?.into_iter().collect();
    for known in known.values_mut() {
        known.body = specs.remove(&known.task);
    }
    Ok(())
}

async fn read_edges(work: &Work<'_>, graph: GraphId) -> Result<Edges, StoreError> {
    let rows = statements::find_edges_of_graph()
        .bind(work.transaction, &work.ns, &graph.0)
        .all()
        .await;
    let mut edges = Edges::new();
    for row in rows? {
        let on = TaskId(row.depends_on);
        edges.entry(TaskId(row.task)).or_default().insert(on);
    }
    Ok(edges)
}

async fn read_states(
    work: &Work<'_>,
    tasks: &BTreeSet<TaskId>,
) -> Result<BTreeMap<TaskId, State>, StoreError> {
    if tasks.is_empty() {
        return Ok(BTreeMap::new());
    }
    let ids: Vec<Uuid> = tasks.iter().map(|task| task.0).collect();
    let rows = statements::find_states()
        .bind(work.transaction, &ids, &work.ns)
        .all()
        .await;
    let mut states = BTreeMap::new();
    for row in rows? {
        let state = State::from_code(row.state)
            .ok_or_else(|| StoreError::Corrupt(format!("{}: state {}", row.task, row.state)))?;
        states.insert(TaskId(row.task), state);
    }
    Ok(states)
}

/// Those of these tasks that no planner has named.
async fn find_unplanned(
    work: &Work<'_>,
    mut tasks: BTreeSet<TaskId>,
) -> Result<BTreeSet<TaskId>, StoreError> {
    if tasks.is_empty() {
        return Ok(tasks);
    }
    let ids: Vec<Uuid> = tasks.iter().map(|task| task.0).collect();
    let planned = statements::find_planned()
        .bind(work.transaction, &ids, &work.ns)
        .all()
        .await?;
    for task in planned {
        tasks.remove(&TaskId(task));
    }
    Ok(tasks)
}
