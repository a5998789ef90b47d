//! Submitting: new tasks, alone or as graphs, in one transaction.
//!
//! What comes in has been checked by the engine: names are resolved, the graph has no cycle,
//! sizes are within limits. What goes out are the ids, in the order of the request.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use postgres_types::Json;
use serde_json::json;
use serde_json::value::RawValue;
use uuid::Uuid;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::graph::Tally;
use workmill_core::ids::{GraphId, Namespace, TaskId};
use workmill_core::lane::Lane;
use workmill_core::lifecycle::State;
use workmill_core::policy::Policy;
use workmill_core::priority::Priority;
use workmill_core::rank::Urgency;
use workmill_queries::client::Params;
use workmill_queries::queries::intake::submit;

use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::held::TaskRow;
use crate::operation::{Operation, Work};
use crate::write_back::{Remarks, enter, write_lanes};

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
    pub priority: Priority,
    pub critical_path: u8,
    pub scheduled_for: Option<Timestamp>,
    pub on_dependency_failure: OnDependencyFailure,
    /// Places in the same submission.
    pub depends_on: Vec<usize>,
}

#[derive(Debug)]
pub struct Submit<'a> {
    pub ns: Namespace,
    pub submissions: &'a [Submission],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitted {
    pub graph: Option<GraphId>,
    pub tasks: Vec<TaskId>,
}

impl Operation for Submit<'_> {
    type Answer = Vec<Submitted>;
    const DOING: &'static str = "submit tasks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Vec<Submitted>, StoreError> {
        let mut arrivals = Vec::with_capacity(self.submissions.len());
        for submission in self.submissions {
            arrivals.push(Arrival::number(work, submission).await?);
        }
        write_all_lanes(work, &arrivals).await?;
        write_graphs(work, &arrivals).await?;
        write_specs(work, &arrivals).await?;
        write_states(work, &arrivals).await?;
        write_edges(work, &arrivals).await?;
        let rows: Vec<&TaskRow> = arrivals.iter().flat_map(|arrival| &arrival.rows).collect();
        enter(work, &rows, &Remarks::default()).await?;
        Ok(arrivals
            .into_iter()
            .map(|arrival| Submitted {
                graph: arrival.graph,
                tasks: arrival.rows.iter().map(|row| row.task).collect(),
            })
            .collect())
    }
}

/// A submission whose tasks have their identity and their place in the order.
struct Arrival<'a> {
    submission: &'a Submission,
    graph: Option<GraphId>,
    rows: Vec<TaskRow>,
}

impl<'a> Arrival<'a> {
    async fn number(
        work: &mut Work<'_>,
        submission: &'a Submission,
    ) -> Result<Arrival<'a>, StoreError> {
        let now = work.now().await?;
        let graph = match &submission.graph {
            None => None,
            Some(title) => {
                let graph = GraphId(work.mint().await?);
                let data = json!({"title": title, "tasks": submission.tasks.len()});
                work.emit(Event::of_graph(EventType::GraphSubmitted, graph, data));
                Some(graph)
            }
        };
        let mut rows = Vec::with_capacity(submission.tasks.len());
        for draft in &submission.tasks {
            let task = TaskId(work.mint().await?);
            let row = new_row(task, graph, draft, now);
            let data = json!({"by": submission.created_by});
            work.emit(Event::of_task(
                EventType::TaskSubmitted,
                row.graph,
                task,
                data,
            ));
            rows.push(row);
        }
        Ok(Arrival {
            submission,
            graph,
            rows,
        })
    }
}

fn new_row(task: TaskId, graph: Option<GraphId>, draft: &TaskDraft, now: Timestamp) -> TaskRow {
    let critical_path = if draft.policy.critical_path {
        draft.critical_path
    } else {
        0
    };
    let urgency = Urgency {
        base: draft.priority,
        boost: draft.policy.boost,
        submitted: now,
        critical_path,
        deadline: None,
        estimate: SignedDuration::from_secs(300),
    };
    let waits = !draft.depends_on.is_empty();
    let due = draft.scheduled_for.filter(|due| *due > now);
    TaskRow {
        task,
        graph: graph.unwrap_or_else(|| task.into()),
        state: if waits || due.is_some() {
            State::Pending
        } else {
            State::Ready
        },
        lane: draft.lane.id(),
        rank: urgency.rank(now),
        due,
        spec_version: 1,
        epoch: 0,
        attempts: 0,
        crashes: 0,
        unmet: i32::try_from(draft.depends_on.len()).unwrap_or(i32::MAX),
        critical_path: critical_path.into(),
        on_dependency_failure: draft.on_dependency_failure,
        in_graph: graph.is_some(),
        freed_runners: false,
        shunned: Vec::new(),
        shunned_until: None,
    }
}

/// The tasks of all submissions, each with its draft and its row.
fn each<'a>(
    arrivals: &'a [Arrival<'a>],
) -> impl Iterator<Item = (&'a Submission, &'a TaskDraft, &'a TaskRow)> {
    arrivals.iter().flat_map(|arrival| {
        let drafts = arrival.submission.tasks.iter().zip(&arrival.rows);
        drafts.map(|(draft, row)| (arrival.submission, draft, row))
    })
}

async fn write_all_lanes(work: &mut Work<'_>, arrivals: &[Arrival<'_>]) -> Result<(), StoreError> {
    let lanes: BTreeMap<_, _> = each(arrivals)
        .filter(|(_, _, row)| !work.knows_lane(row.lane))
        .map(|(_, draft, row)| (row.lane, draft.lane.clone()))
        .collect();
    write_lanes(work, &lanes).await
}

async fn write_graphs(work: &mut Work<'_>, arrivals: &[Arrival<'_>]) -> Result<(), StoreError> {
    let mut graphs = Vec::new();
    for arrival in arrivals {
        let (Some(graph), Some(title)) = (arrival.graph, &arrival.submission.graph) else {
            continue;
        };
        let mut tally = Tally::default();
        for row in &arrival.rows {
            tally.add(row.state, row.unmet > 0, 1);
        }
        graphs.push((
            graph.0,
            title.as_str(),
            arrival.submission.created_by.as_str(),
            tally,
        ));
    }
    if graphs.is_empty() {
        return Ok(());
    }
    let parameters = submit::InsertGraphsParams {
        ns: work.ns,
        now: work.now().await?,
        graphs: graphs.iter().map(|(graph, ..)| *graph).collect::<Vec<_>>(),
        titles: graphs
            .iter()
            .map(|(_, title, ..)| *title)
            .collect::<Vec<_>>(),
        creators: graphs
            .iter()
            .map(|(_, _, creator, _)| *creator)
            .collect::<Vec<_>>(),
        is_draft: graphs.iter().map(|_| false).collect::<Vec<_>>(),
        statuses: graphs
            .iter()
            .map(|(.., tally)| tally.status(false).name())
            .collect::<Vec<_>>(),
        tasks: graphs
            .iter()
            .map(|(.., tally)| tally.tasks)
            .collect::<Vec<_>>(),
        moving: graphs
            .iter()
            .map(|(.., tally)| tally.moving)
            .collect::<Vec<_>>(),
    };
    let inserted = submit::insert_graphs()
        .params(&work.transaction, &parameters)
        .await;
    inserted.map_err(|error| work.failed(error))?;
    Ok(())
}

async fn write_specs(work: &mut Work<'_>, arrivals: &[Arrival<'_>]) -> Result<(), StoreError> {
    let parameters = submit::InsertSpecsParams {
        ns: work.ns,
        now: work.now().await?,
        tasks: each(arrivals)
            .map(|(_, _, row)| row.task.0)
            .collect::<Vec<_>>(),
        creators: each(arrivals)
            .map(|(from, ..)| from.created_by.as_str())
            .collect::<Vec<_>>(),
        parents: each(arrivals).map(|_| None::<Uuid>).collect::<Vec<_>>(),
        bodies: each(arrivals)
            .map(|(_, draft, _)| Json(&draft.body))
            .collect::<Vec<_>>(),
        policies: each(arrivals)
            .map(|(_, draft, _)| Json(&draft.policy))
            .collect::<Vec<_>>(),
    };
    let inserted = submit::insert_specs()
        .params(&work.transaction, &parameters)
        .await;
    inserted.map_err(|error| work.failed(error))?;
    Ok(())
}

async fn write_states(work: &mut Work<'_>, arrivals: &[Arrival<'_>]) -> Result<(), StoreError> {
    let rows: Vec<&TaskRow> = arrivals.iter().flat_map(|arrival| &arrival.rows).collect();
    let parameters = submit::InsertStatesParams {
        ns: work.ns,
        tasks: rows.iter().map(|row| row.task.0).collect::<Vec<_>>(),
        graphs: rows.iter().map(|row| row.graph.0).collect::<Vec<_>>(),
        lanes: rows.iter().map(|row| row.lane.0).collect::<Vec<_>>(),
        ranks: rows.iter().map(|row| row.rank).collect::<Vec<_>>(),
        dues: rows.iter().map(|row| row.due).collect::<Vec<_>>(),
        states: rows.iter().map(|row| row.state.code()).collect::<Vec<_>>(),
        unmets: rows.iter().map(|row| row.unmet).collect::<Vec<_>>(),
        critical_paths: rows.iter().map(|row| row.critical_path).collect::<Vec<_>>(),
        on_dependency_failures: rows
            .iter()
            .map(|row| row.on_dependency_failure.code())
            .collect::<Vec<_>>(),
        in_graphs: rows.iter().map(|row| row.in_graph).collect::<Vec<_>>(),
    };
    let inserted = submit::insert_states()
        .params(&work.transaction, &parameters)
        .await;
    inserted.map_err(|error| work.failed(error))?;
    Ok(())
}

async fn write_edges(work: &mut Work<'_>, arrivals: &[Arrival<'_>]) -> Result<(), StoreError> {
    let mut edges: Vec<(Uuid, Uuid)> = Vec::new();
    for arrival in arrivals {
        for (draft, row) in arrival.submission.tasks.iter().zip(&arrival.rows) {
            let on = draft
                .depends_on
                .iter()
                .map(|place| arrival.rows[*place].task.0);
            edges.extend(on.map(|on| (row.task.0, on)));
        }
    }
    if edges.is_empty() {
        return Ok(());
    }
    let parameters = submit::InsertEdgesParams {
        ns: work.ns,
        tasks: edges.iter().map(|(task, _)| *task).collect::<Vec<_>>(),
        depends_on: edges.iter().map(|(_, on)| *on).collect::<Vec<_>>(),
    };
    let inserted = submit::insert_edges()
        .params(&work.transaction, &parameters)
        .await;
    inserted.map_err(|error| work.failed(error))?;
    Ok(())
}
