//! Submitting: new tasks, alone or as a graph, in one transaction.
//!
//! What comes in has been checked by the engine: names are resolved, the graph has no cycle,
//! sizes are within limits. What goes out are the ids, in the order of the request.

use postgres_types::Json;
use serde_json::value::RawValue;
use uuid::Uuid;
use workmill_core::graph::Tally;
use workmill_core::ids::{GraphId, Namespace, TaskId};
use workmill_core::lane::Lane;
use workmill_core::lifecycle::State;
use workmill_core::policy::Policy;
use workmill_core::rank::Urgency;
use workmill_queries::client::Params;
use workmill_queries::queries::intake::submit;

use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::operation::{Operation, Work};
use crate::rest::Unblocked;

/// Work that enters together: all of it or nothing.
#[derive(Debug, Clone)]
pub struct Submission {
    pub created_by: String,
    /// The title of the graph that the tasks form; without one each task is its own graph.
    pub graph: Option<String>,
    pub tasks: Vec<TaskDraft>,
}

#[derive(Debug, Clone)]
pub struct TaskDraft {
    /// The task as it was asked for.
    pub body: Box<RawValue>,
    pub policy: Policy,
    pub lane: Lane,
    pub priority: workmill_core::priority::Priority,
    pub critical_path: u8,
    pub scheduled_for: Option<jiff::Timestamp>,
    /// Places in the same submission.
    pub depends_on: Vec<usize>,
}

#[derive(Debug)]
pub struct Submit {
    pub ns: Namespace,
    pub submissions: Vec<Submission>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitted {
    pub graph: Option<GraphId>,
    pub tasks: Vec<TaskId>,
}

impl Operation for Submit {
    type Answer = Vec<Submitted>;
    const DOING: &'static str = "submit tasks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Vec<Submitted>, StoreError> {
        let mut answers = Vec::with_capacity(self.submissions.len());
        for submission in &self.submissions {
            let rows = number(work, submission).await?;
            write(work, submission, &rows).await?;
            answers.push(Submitted {
                graph: submission
                    .graph
                    .as_ref()
                    .and_then(|_| rows.first().map(|row| row.graph)),
                tasks: rows.iter().map(|row| row.task).collect(),
            });
        }
        Ok(answers)
    }
}

/// A task with its identity and place in the order.
struct Row<'a> {
    draft: &'a TaskDraft,
    task: TaskId,
    graph: GraphId,
    rank: i64,
}

impl Row<'_> {
    fn waits(&self) -> bool {
        !self.draft.depends_on.is_empty()
    }

    fn unblocked(&self) -> Unblocked {
        Unblocked {
            task: self.task,
            graph: self.graph,
            lane: self.draft.lane.id(),
            rank: self.rank,
            due: self.draft.scheduled_for,
        }
    }

    fn state(&self, now: jiff::Timestamp) -> State {
        if !self.waits() && self.unblocked().is_due(now) {
            State::Ready
        } else {
            State::Pending
        }
    }
}

async fn number<'a>(
    work: &mut Work<'_>,
    submission: &'a Submission,
) -> Result<Vec<Row<'a>>, StoreError> {
    let now = work.now().await?;
    let shared_graph = match submission.graph {
        Some(_) => Some(GraphId(work.mint().await?)),
        None => None,
    };
    let mut rows = Vec::with_capacity(submission.tasks.len());
    for draft in &submission.tasks {
        let task = TaskId(work.mint().await?);
        let urgency = Urgency {
            base: draft.priority,
            boost: draft.policy.boost,
            submitted: now,
            critical_path: if draft.policy.critical_path {
                draft.critical_path
            } else {
                0
            },
            deadline: None,
            estimate: jiff::SignedDuration::from_secs(300),
        };
        rows.push(Row {
            draft,
            task,
            graph: shared_graph.unwrap_or_else(|| task.into()),
            rank: urgency.rank(now),
        });
    }
    Ok(rows)
}

async fn write(
    work: &mut Work<'_>,
    submission: &Submission,
    rows: &[Row<'_>],
) -> Result<(), StoreError> {
    write_lanes(work, rows).await?;
    if let Some(title) = &submission.graph {
        write_graph(work, submission, title, rows).await?;
    }
    write_tasks(work, submission, rows).await?;
    write_edges(work, rows).await?;
    for row in rows {
        work.emit(Event::of_task(
            EventType::TaskSubmitted,
            row.graph,
            row.task,
            serde_json::json!({"created_by": submission.created_by}),
        ));
    }
    let unblocked: Vec<Unblocked> = rows
        .iter()
        .filter(|row| !row.waits())
        .map(Row::unblocked)
        .collect();
    work.place(&unblocked).await
}

async fn write_lanes(work: &mut Work<'_>, rows: &[Row<'_>]) -> Result<(), StoreError> {
    let mut lanes: Vec<(i64, &Lane)> = rows
        .iter()
        .map(|row| (row.draft.lane.id().0, &row.draft.lane))
        .collect();
    lanes.sort_by_key(|(id, _)| *id);
    lanes.dedup_by_key(|(id, _)| *id);
    let parameters = submit::InsertLanesParams {
        ns: work.ns,
        lanes: lanes.iter().map(|(id, _)| *id).collect::<Vec<_>>(),
        asks: lanes
            .iter()
            .map(|(_, lane)| Json(*lane))
            .collect::<Vec<_>>(),
    };
    submit::insert_lanes()
        .params(&work.transaction, &parameters)
        .await
        .map_err(|error| work.failed(error))?;
    Ok(())
}

async fn write_graph(
    work: &mut Work<'_>,
    submission: &Submission,
    title: &str,
    rows: &[Row<'_>],
) -> Result<(), StoreError> {
    let now = work.now().await?;
    let Some(graph) = rows.first().map(|row| row.graph) else {
        return Ok(());
    };
    let mut tally = Tally::default();
    for row in rows {
        tally.add(row.state(now), row.waits(), 1);
    }
    let parameters = submit::InsertGraphParams {
        ns: work.ns,
        graph: graph.0,
        title,
        created_by: submission.created_by.as_str(),
        now,
        is_draft: false,
        status: tally.status(false).name(),
        tasks: tally.tasks,
        moving: tally.moving,
    };
    submit::insert_graph()
        .params(&work.transaction, &parameters)
        .await
        .map_err(|error| work.failed(error))?;
    work.emit(Event::of_graph(
        EventType::GraphSubmitted,
        graph,
        serde_json::json!({"title": title, "tasks": rows.len()}),
    ));
    Ok(())
}

async fn write_tasks(
    work: &mut Work<'_>,
    submission: &Submission,
    rows: &[Row<'_>],
) -> Result<(), StoreError> {
    let now = work.now().await?;
    let tasks: Vec<Uuid> = rows.iter().map(|row| row.task.0).collect();
    let specs = submit::InsertSpecsParams {
        ns: work.ns,
        now,
        created_by: submission.created_by.as_str(),
        tasks: tasks.as_slice(),
        bodies: rows
            .iter()
            .map(|row| Json(&row.draft.body))
            .collect::<Vec<_>>(),
        policies: rows
            .iter()
            .map(|row| Json(&row.draft.policy))
            .collect::<Vec<_>>(),
    };
    submit::insert_specs()
        .params(&work.transaction, &specs)
        .await
        .map_err(|error| work.failed(error))?;
    let states = submit::InsertStatesParams {
        ns: work.ns,
        tasks: tasks.as_slice(),
        graphs: rows.iter().map(|row| row.graph.0).collect::<Vec<_>>(),
        lanes: rows
            .iter()
            .map(|row| row.draft.lane.id().0)
            .collect::<Vec<_>>(),
        ranks: rows.iter().map(|row| row.rank).collect::<Vec<_>>(),
        dues: rows
            .iter()
            .map(|row| row.draft.scheduled_for)
            .collect::<Vec<_>>(),
        states: rows
            .iter()
            .map(|row| row.state(now).code())
            .collect::<Vec<_>>(),
        unmets: rows
            .iter()
            .map(|row| i32::try_from(row.draft.depends_on.len()).unwrap_or(i32::MAX))
            .collect::<Vec<_>>(),
    };
    submit::insert_states()
        .params(&work.transaction, &states)
        .await
        .map_err(|error| work.failed(error))?;
    Ok(())
}

async fn write_edges(work: &mut Work<'_>, rows: &[Row<'_>]) -> Result<(), StoreError> {
    let edges: Vec<(Uuid, Uuid)> = rows
        .iter()
        .flat_map(|row| {
            row.draft
                .depends_on
                .iter()
                .map(|place| (row.task.0, rows[*place].task.0))
        })
        .collect();
    if edges.is_empty() {
        return Ok(());
    }
    let parameters = submit::InsertEdgesParams {
        ns: work.ns,
        tasks: edges.iter().map(|(task, _)| *task).collect::<Vec<_>>(),
        depends_on: edges.iter().map(|(_, on)| *on).collect::<Vec<_>>(),
    };
    submit::insert_edges()
        .params(&work.transaction, &parameters)
        .await
        .map_err(|error| work.failed(error))?;
    Ok(())
}
