//! Removes finished tasks that have been kept long enough, with everything that belongs to them.
//!
//! What goes is decided twice: from a look without locks, then again under the locks of graph, task
//! and lease that everybody else takes. A graph's tally shrinks with its tasks, its status stays,
//! and its row goes with the last of them.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::try_join;
use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::graph::Tally;
use workmill_core::ids::{GraphId, Namespace, TaskId};
use workmill_core::lifecycle::State;
use workmill_queries::client::Params;
use workmill_queries::queries::task::locked_rows::find_dependents;
use workmill_queries::queries::task::write_back as rows;
use workmill_queries::queries::upkeep::retention as statements;

use super::{Position, find_retention, look};
use crate::error::StoreError;
use crate::gates::of_graphs::forget_graphs;
use crate::locked_rows::{GraphRow, LockedRows};
use crate::operation::{Operation, Work};
use crate::write_back::Remarks;

/// Looks at a page of finished tasks and removes those that have been kept long enough.
#[derive(Debug)]
pub struct RemoveFinished {
    pub ns: Namespace,
    pub after: Position,
    pub most: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Removed {
    pub tasks: usize,
    pub graphs: usize,
    /// Where the next page begins; none after the last one.
    pub next: Option<Position>,
}

impl Operation for RemoveFinished {
    type Answer = Removed;
    const DOING: &'static str = "remove finished tasks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Removed, StoreError> {
        let retention = find_retention(work.transaction, work.ns).await?;
        let now = work.now().await?;
        let (client, ns) = (work.transaction, work.ns);
        let page = look(client, ns, &retention, now, self.after, self.most).await?;
        let due = page
            .tasks
            .iter()
            .filter(|task| task.is_due(&retention, now));
        let due: Vec<(TaskId, Timestamp)> = due.map(|task| (task.task, task.ended_at)).collect();
        let mut removed = Removed {
            next: page.next,
            ..Removed::default()
        };
        if due.is_empty() {
            return Ok(removed);
        }
        work.test_point("retention.found").await?;
        let mut held = LockedRows::lock(work, due.iter().map(|(task, _)| *task)).await?;
        let still = due.into_iter().filter(|(task, ended_at)| {
            let Some(row) = held.tasks.get(task) else {
                return false;
            };
            let graph = held.graphs.get(&row.graph).filter(|_| row.in_graph);
            let is_leased = held.leases.keys().any(|lease| lease.task == *task);
            let tally = graph.map(|graph| &graph.tally);
            retention.is_due(row.state(), *ended_at, tally, is_leased, now)
        });
        let gone = leave_finished(work, still.collect()).await?;
        removed.tasks = gone.len();
        let rows = gone.iter().filter_map(|task| held.tasks.get(task));
        let alone = rows.filter(|row| !row.in_graph).map(|row| row.graph);
        let alone: Vec<GraphId> = alone.collect();
        let graphs = take_out(work, &mut held, &gone).await?;
        held.write_back(work, &Remarks::default()).await?;
        delete_tasks(work, &gone).await?;
        if !alone.is_empty() {
            forget_graphs(work, &alone).await?;
        }
        removed.graphs = write_graphs(work, graphs).await?;
        Ok(removed)
    }
}

/// Takes tasks out of those that have ended; answers which were there since that moment.
async fn leave_finished(
    work: &Work<'_>,
    tasks: Vec<(TaskId, Timestamp)>,
) -> Result<BTreeSet<TaskId>, StoreError> {
    let parameters = statements::DeleteFinishedAtParams {
        ns: work.ns,
        ats: tasks.iter().map(|(_, at)| *at).collect::<Vec<_>>(),
        tasks: tasks.iter().map(|(task, _)| task.0).collect::<Vec<_>>(),
    };
    let gone = statements::delete_finished_at()
        .params(work.transaction, &parameters)
        .all()
        .await?;
    Ok(gone.into_iter().map(TaskId).collect())
}

/// Takes tasks out of what is held: off the tallies of their graphs, which are handed over, and
/// off what those that stay still wait for in vain.
async fn take_out(
    work: &mut Work<'_>,
    held: &mut LockedRows,
    gone: &BTreeSet<TaskId>,
) -> Result<BTreeMap<GraphId, GraphRow>, StoreError> {
    let ids: Vec<Uuid> = gone.iter().map(|task| task.0).collect();
    let edges = find_dependents()
        .bind(work.transaction, &ids, &work.ns)
        .all()
        .await?;
    let staying: Vec<(TaskId, TaskId)> = edges
        .into_iter()
        .map(|edge| (TaskId(edge.task), TaskId(edge.depends_on)))
        .filter(|(task, _)| !gone.contains(task))
        .collect();
    let dependents: BTreeSet<TaskId> = staying.iter().map(|(task, _)| *task).collect();
    held.lock_more(work, &dependents).await?;
    for (task, depends_on) in staying {
        let Some(on) = held.tasks.get(&depends_on) else {
            continue;
        };
        let (state, was_freed) = (on.state(), on.freed_runners);
        if let Some(row) = held.tasks.get_mut(&task)
            && !row.on_dependency_failure.goes_on(state, was_freed)
        {
            row.unmet -= 1;
        }
    }
    for task in gone {
        held.tasks_before.remove(task);
        let Some(row) = held.tasks.remove(task) else {
            continue;
        };
        if let Some(graph) = held.graphs.get_mut(&row.graph) {
            graph.tally.add(row.state(), false, -1);
        }
    }
    let before = std::mem::take(&mut held.graphs_before);
    let mut graphs = std::mem::take(&mut held.graphs);
    graphs.retain(|id, graph| before.get(id) != Some(graph));
    Ok(graphs)
}

/// Sends all statements together; they are executed in this order.
async fn delete_tasks(work: &Work<'_>, gone: &BTreeSet<TaskId>) -> Result<(), StoreError> {
    let tasks: Vec<Uuid> = gone.iter().map(|task| task.0).collect();
    let (client, ns) = (work.transaction, &work.ns);
    let deletes = (
        statements::delete_task_keys(),
        statements::delete_edges(),
        statements::delete_specs(),
        statements::delete_attempts(),
        statements::delete_results(),
        statements::delete_late_results(),
        statements::delete_answers(),
        statements::delete_checkpoints(),
        statements::delete_states(),
        statements::delete_revivals(),
        statements::delete_resolutions(),
    );
    // A statement that must be prepared first would be overtaken, and the keys are found by the
    // specs.
    statements::delete_plan_tasks()
        .bind(client, ns, &tasks, &State::Completed.code())
        .await?;
    deletes.0.bind(client, ns, &tasks).await?;
    try_join!(
        deletes.1.bind(client, ns, &tasks),
        deletes.2.bind(client, ns, &tasks),
        deletes.3.bind(client, ns, &tasks),
        deletes.4.bind(client, ns, &tasks),
        deletes.5.bind(client, ns, &tasks),
        deletes.6.bind(client, ns, &tasks),
        deletes.7.bind(client, ns, &tasks),
        deletes.8.bind(client, ns, &tasks),
        deletes.9.bind(client, ns, &tasks),
        deletes.10.bind(client, ns, &tasks),
    )?;
    Ok(())
}

/// Graphs shrink without another status, and the empty ones go; answers how many.
async fn write_graphs(
    work: &Work<'_>,
    graphs: BTreeMap<GraphId, GraphRow>,
) -> Result<usize, StoreError> {
    let (empty, left): (Vec<_>, Vec<_>) = graphs
        .into_iter()
        .partition(|(_, graph)| graph.tally.tasks == 0);
    if !empty.is_empty() {
        let ids: Vec<Uuid> = empty.iter().map(|(graph, _)| graph.0).collect();
        statements::delete_graphs()
            .bind(work.transaction, &work.ns, &ids)
            .await?;
        let graphs: Vec<GraphId> = empty.iter().map(|(graph, _)| *graph).collect();
        forget_graphs(work, &graphs).await?;
    }
    if !left.is_empty() {
        let column = |count: fn(&Tally) -> i32| -> Vec<i32> {
            left.iter().map(|(_, graph)| count(&graph.tally)).collect()
        };
        let flag = |flag: fn(&GraphRow) -> bool| -> Vec<bool> {
            left.iter().map(|(_, graph)| flag(graph)).collect()
        };
        let parameters = rows::UpdateGraphsParams {
            ns: work.ns,
            graphs: left.iter().map(|(id, _)| id.0).collect::<Vec<_>>(),
            is_draft: flag(|graph| graph.is_draft),
            is_draining: flag(|graph| graph.is_draining),
            statuses: left
                .iter()
                .map(|(_, graph)| graph.status.as_str())
                .collect::<Vec<_>>(),
            tasks: column(|tally| tally.tasks),
            completed: column(|tally| tally.completed),
            cancelled: column(|tally| tally.cancelled),
            stale: column(|tally| tally.stale),
            dead: column(|tally| tally.dead),
            moving: column(|tally| tally.moving),
            spent: left
                .iter()
                .map(|(_, graph)| graph.spent_micros)
                .collect::<Vec<_>>(),
        };
        rows::update_graphs()
            .params(work.transaction, &parameters)
            .await?;
    }
    Ok(empty.len())
}
