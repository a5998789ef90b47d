//! Writes back what an operation has decided: each kind of row in one statement.
//!
//! Where a task rests is a function of its row, so no operation says it: the rows as they were
//! and as they are tell which places to leave and which to enter, and how the graph's tally
//! moves. An operation cannot forget one of them.

mod places;

use std::collections::BTreeMap;

use futures_util::try_join;
use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;
use workmill_core::failure::Reason;
use workmill_core::graph::{GraphStatus, Tally};
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::lifecycle::State;
use workmill_core::question::{LARGEST_QUESTION_OF_AN_EVENT, WaitsFor};
use workmill_core::resolution::Decided;
use workmill_core::verdict::DeadLetterCause;
use workmill_queries::client::Params;
use workmill_queries::queries::task::write_back as statements;

use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::gates::retire::bring_back;
use crate::locked_rows::{GraphRow, LockedRows, StateColumns, TaskRow};
use crate::operation::Work;
pub(crate) use places::enter;
use places::{leave, stays};

/// What a dead letter is remembered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeadLetter {
    pub(crate) cause: DeadLetterCause,
    pub(crate) reason: Reason,
    pub(crate) fingerprint: i64,
}

/// What a blocked task is remembered with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Block {
    pub(crate) waits_for: WaitsFor,
    pub(crate) question: Option<Value>,
    pub(crate) until: Option<Timestamp>,
}

impl Block {
    /// Returns what the event says of it. A large question is left to be read from the task.
    pub(crate) fn told(&self) -> Value {
        let size = |question: &Value| question.to_string().len();
        let question = self.question.as_ref();
        let told = question.filter(|one| size(one) <= LARGEST_QUESTION_OF_AN_EVENT);
        let mut data = json!({"waits_for": self.waits_for});
        if let Some(question) = told {
            data["question"] = question.clone();
        } else if question.is_some() {
            data["question_left_out"] = true.into();
        }
        if let Some(until) = self.until {
            data["until"] = json!(until);
        }
        data
    }
}

/// What was decided about a dead letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resolved {
    pub(crate) resolution: Decided,
    pub(crate) by: String,
    pub(crate) note: Option<String>,
}

impl Resolved {
    /// Returns what a change of the task means for its dead letter, if no decision was written down.
    fn of(row: &TaskRow) -> Resolved {
        let resolution = match row.state() {
            State::Cancelled => Decided::Cancel,
            State::Completed | State::Validating => Decided::LateResult,
            State::Created
            | State::Pending
            | State::Ready
            | State::Claimed
            | State::Running
            | State::Blocked
            | State::Retrying
            | State::DeadLettered
            | State::Stale => Decided::Resumed,
        };
        Resolved {
            resolution,
            by: "workmill".to_owned(),
            note: None,
        }
    }
}

/// What goes with the changed rows.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    pub(crate) resolved: BTreeMap<TaskId, Resolved>,
    pub(crate) dead_letters: BTreeMap<TaskId, DeadLetter>,
    pub(crate) blocks: BTreeMap<TaskId, Block>,
}

impl LockedRows {
    /// Writes every row that changed, and what follows from it.
    pub(crate) async fn write_back(
        self,
        work: &mut Work<'_>,
        remarks: &Remarks,
    ) -> Result<(), StoreError> {
        let changes = self.into_changes(work);
        changes.bring_gates_back(work).await?;
        // Boxed: it would make every operation's future large.
        Box::pin(changes.write(work, remarks)).await
    }

    /// Settles what changed: tallies, events, who is to be woken. Nothing is written yet.
    pub(crate) fn into_changes(mut self, work: &mut Work<'_>) -> Changes {
        let mut deadlines = Vec::new();
        for row in self.tasks.values_mut() {
            // A deadline presses only what has not ended.
            if row.has_deadline && row.state().is_finished() {
                row.has_deadline = false;
                deadlines.push(row.task.0);
            }
        }
        let mut tasks = Vec::new();
        for (id, row) in self.tasks {
            let Some(before) = self
                .tasks_before
                .remove(&id)
                .filter(|before| *before != row)
            else {
                continue;
            };
            if let Some(graph) = self.graphs.get_mut(&row.graph) {
                graph.tally.add(before.state(), before.unmet > 0, -1);
                graph.tally.add(row.state(), row.unmet > 0, 1);
                graph.spent_micros += row.spent_micros - before.spent_micros;
            }
            tasks.push((before, row));
        }
        // A new place in the order is not news.
        let news = tasks
            .iter()
            .filter(|(before, _)| before.state() != State::Ready);
        announce(work, news.map(|(_, row)| row));
        let graphs: Vec<(GraphId, GraphRow)> = self
            .graphs
            .into_iter()
            .filter(|(id, graph)| self.graphs_before.get(id) != Some(graph))
            .collect();
        let going_on = graphs.iter().filter(|(_, graph)| goes_on_again(graph));
        let going_on = going_on.map(|(id, graph)| (*id, Some(graph.spent_micros)));
        let going_on = going_on.collect();
        announce_graphs(work, &graphs);
        announce_single_graphs(work, &tasks);
        Changes {
            tasks,
            graphs,
            going_on,
            deadlines,
        }
    }
}

/// What is to be written: rows as they were and as they shall be.
#[derive(Debug)]
pub(crate) struct Changes {
    tasks: Vec<(TaskRow, TaskRow)>,
    graphs: Vec<(GraphId, GraphRow)>,
    /// Graphs that had ended and go on, with what they have cost.
    going_on: BTreeMap<GraphId, Option<i64>>,
    /// Tasks whose deadline presses no more.
    deadlines: Vec<Uuid>,
}

impl Changes {
    /// Brings the gates back of graphs that had ended and go on. Before anything else is written: what is
    /// written goes out together with the commit.
    pub(crate) async fn bring_gates_back(&self, work: &Work<'_>) -> Result<(), StoreError> {
        Box::pin(bring_back(work, &self.going_on)).await
    }

    /// The tasks that become ready, each with its lane.
    pub(crate) fn made_ready(&self) -> impl Iterator<Item = (TaskId, LaneId)> {
        let tasks = self.tasks.iter();
        let ready = tasks.filter(|(before, after)| {
            before.state() != State::Ready && after.state() == State::Ready
        });
        ready.map(|(_, row)| (row.task, row.lane))
    }

    /// Sends all statements together; they are executed in this order.
    pub(crate) async fn write(&self, work: &Work<'_>, remarks: &Remarks) -> Result<(), StoreError> {
        let entering: Vec<&TaskRow> = self
            .tasks
            .iter()
            .filter(|(before, after)| !stays(before, after))
            .map(|(_, after)| after)
            .collect();
        try_join!(
            delete_deadlines(work, &self.deadlines),
            write_resolutions(work, &self.tasks, remarks),
            write_states(work, &self.tasks),
            leave(work, &self.tasks),
            enter(work, &entering, remarks),
            write_graphs(work, &self.graphs),
        )?;
        Ok(())
    }
}

pub(crate) async fn delete_deadlines(work: &Work<'_>, tasks: &[Uuid]) -> Result<(), StoreError> {
    if tasks.is_empty() {
        return Ok(());
    }
    statements::delete_deadlines()
        .bind(work.transaction, &work.ns, &tasks)
        .await?;
    Ok(())
}

async fn write_states(work: &Work<'_>, changed: &[(TaskRow, TaskRow)]) -> Result<(), StoreError> {
    if changed.is_empty() {
        return Ok(());
    }
    let columns = StateColumns::of(changed.iter().map(|(_, after)| after));
    let parameters = statements::UpdateStatesParams {
        ns: work.ns,
        now: work.now().await?,
        tasks: columns.tasks,
        graphs: columns.graphs,
        lanes: columns.lanes,
        ranks: columns.ranks,
        dues: columns.dues,
        shunned_untils: columns.shunned_untils,
        spec_versions: columns.spec_versions,
        epochs: columns.epochs,
        attempts: columns.attempts,
        crashes: columns.crashes,
        unmets: columns.unmets,
        states: columns.states,
        critical_paths: columns.critical_paths,
        on_dependency_failures: columns.on_dependency_failures,
        in_graphs: columns.in_graphs,
        has_deadlines: columns.has_deadlines,
        freed_runners: columns.freed_runners,
        shunned: columns.shunned,
        spent: columns.spent,
    };
    statements::update_states()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}

/// Keeps what was decided about the dead letters among the tasks, before `leave` deletes them.
async fn write_resolutions(
    work: &Work<'_>,
    changed: &[(TaskRow, TaskRow)],
    remarks: &Remarks,
) -> Result<(), StoreError> {
    let resolved: Vec<(Uuid, Resolved)> = changed
        .iter()
        .filter(|(before, after)| {
            before.state() == State::DeadLettered && after.state() != State::DeadLettered
        })
        .map(|(_, after)| {
            let said = remarks.resolved.get(&after.task).cloned();
            (after.task.0, said.unwrap_or_else(|| Resolved::of(after)))
        })
        .collect();
    if resolved.is_empty() {
        return Ok(());
    }
    let parameters = statements::InsertResolutionsParams {
        ns: work.ns,
        now: work.now().await?,
        tasks: resolved.iter().map(|(task, _)| *task).collect::<Vec<_>>(),
        resolutions: resolved
            .iter()
            .map(|(_, one)| one.resolution.name())
            .collect::<Vec<_>>(),
        resolved_by: resolved
            .iter()
            .map(|(_, one)| one.by.as_str())
            .collect::<Vec<_>>(),
        notes: resolved
            .iter()
            .map(|(_, one)| one.note.as_deref())
            .collect::<Vec<_>>(),
    };
    statements::insert_resolutions()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}

/// Tells of tasks that have become ready, and remembers to wake those who wait for them.
pub(crate) fn announce<'a>(work: &mut Work<'_>, rows: impl Iterator<Item = &'a TaskRow>) {
    for row in rows.filter(|row| row.state() == State::Ready) {
        *work.effects.ready.entry(row.lane).or_default() += 1;
        work.emit(Event::of_task(
            EventType::TaskReady,
            row.graph,
            row.task,
            json!({}),
        ));
    }
}

async fn write_graphs(work: &Work<'_>, changed: &[(GraphId, GraphRow)]) -> Result<(), StoreError> {
    if changed.is_empty() {
        return Ok(());
    }
    let column = |count: fn(&GraphRow) -> i32| -> Vec<i32> {
        changed.iter().map(|(_, graph)| count(graph)).collect()
    };
    let parameters = statements::UpdateGraphsParams {
        ns: work.ns,
        graphs: changed.iter().map(|(id, _)| id.0).collect::<Vec<_>>(),
        is_draft: changed
            .iter()
            .map(|(_, graph)| graph.is_draft)
            .collect::<Vec<_>>(),
        is_draining: changed
            .iter()
            .map(|(_, graph)| graph.is_draining)
            .collect::<Vec<_>>(),
        statuses: changed
            .iter()
            .map(|(_, graph)| status(graph).name())
            .collect::<Vec<_>>(),
        tasks: column(|graph| graph.tally.tasks),
        completed: column(|graph| graph.tally.completed),
        cancelled: column(|graph| graph.tally.cancelled),
        stale: column(|graph| graph.tally.stale),
        dead: column(|graph| graph.tally.dead),
        moving: column(|graph| graph.tally.moving),
        spent: changed
            .iter()
            .map(|(_, graph)| graph.spent_micros)
            .collect::<Vec<_>>(),
    };
    statements::update_graphs()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}

fn status(graph: &GraphRow) -> GraphStatus {
    graph.tally.status(graph.is_draft, graph.is_draining)
}

/// Whether a graph had completed or was cancelled and is neither now.
fn goes_on_again(graph: &GraphRow) -> bool {
    let before = GraphStatus::from_name(&graph.status);
    before.is_some_and(|before| !before.is_open()) && status(graph).is_open()
}

/// Tells of graphs whose status is another one now.
fn announce_graphs(work: &mut Work<'_>, changed: &[(GraphId, GraphRow)]) {
    for (id, graph) in changed {
        let status = status(graph);
        if graph.status != status.name() {
            announce_graph(work, *id, status);
        }
    }
}

/// Tells the same of standalone tasks: each is a graph of its own that has no row.
fn announce_single_graphs(work: &mut Work<'_>, changed: &[(TaskRow, TaskRow)]) {
    for (before, after) in changed.iter().filter(|(_, after)| !after.in_graph) {
        let status = single_status(after);
        if single_status(before) != status {
            announce_graph(work, after.graph, status);
        }
    }
}

fn single_status(row: &TaskRow) -> GraphStatus {
    Tally::of_one(row.state(), row.unmet > 0).status(false, false)
}

fn announce_graph(work: &mut Work<'_>, id: GraphId, status: GraphStatus) {
    let event_type = match status {
        GraphStatus::Completed => EventType::GraphCompleted,
        GraphStatus::Failed => EventType::GraphFailed,
        GraphStatus::Cancelled => EventType::GraphCancelled,
        GraphStatus::Running | GraphStatus::Pending => EventType::GraphRunning,
    };
    work.emit(Event::of_graph(event_type, id, json!({})));
}
