//! What follows for others: dependents that waited only for these tasks become ready in the same
//! transaction, and the graph's tally and status are kept true.

use serde_json::json;
use uuid::Uuid;
use workmill_core::graph::GraphStatus;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::lifecycle::{self, State, Trigger};
use workmill_queries::client::Params;
use workmill_queries::queries::settlement::settle;

use super::decide::Decision;
use super::{Held, state_of};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::operation::Work;
use crate::rest::Unblocked;

/// The graph's lock is held, so however many parents finish at one moment, their transactions
/// come one after the other and the last one finds the counter at zero.
pub(super) async fn free_dependents(
    work: &mut Work<'_>,
    held: &mut Held,
    decisions: &[Decision<'_>],
) -> Result<(), StoreError> {
    let completed: Vec<Uuid> = decisions
        .iter()
        .filter(|one| one.next.state == State::Completed)
        .map(Decision::task)
        .collect();
    if completed.is_empty() || held.graphs.is_empty() {
        return Ok(());
    }
    let met = settle::find_dependents()
        .bind(&work.transaction, &work.ns, &completed)
        .all()
        .await
        .map_err(|error| work.failed(error))?;
    if met.is_empty() {
        return Ok(());
    }
    let dependents: Vec<Uuid> = met.iter().map(|row| row.task).collect();
    let mut rows = settle::lock_states()
        .bind(&work.transaction, &work.ns, &dependents)
        .all()
        .await
        .map_err(|error| work.failed(error))?;
    let now = work.now().await?;
    let mut freed = Vec::new();
    // Both lists are in id order and name the same tasks.
    for (row, met) in rows.iter_mut().zip(&met) {
        row.unmet -= met.met;
        if row.unmet > 0 || state_of(row)? != State::Pending {
            continue;
        }
        let unblocked = Unblocked {
            task: TaskId(row.task),
            graph: GraphId(row.graph),
            lane: LaneId(row.lane),
            rank: row.rank,
            due: row.due,
        };
        let state = if unblocked.is_due(now) {
            lifecycle::next(State::Pending, Trigger::Promote).unwrap_or(State::Pending)
        } else {
            State::Pending
        };
        row.state = state.code();
        held.recount(row.graph, (State::Pending, true), (state, false));
        freed.push(unblocked);
    }
    let parameters = settle::UpdateStatesParams {
        ns: work.ns,
        tasks: dependents.as_slice(),
        states: rows.iter().map(|row| row.state).collect::<Vec<_>>(),
        dues: rows.iter().map(|row| row.due).collect::<Vec<_>>(),
        attempts: rows.iter().map(|row| row.attempts).collect::<Vec<_>>(),
        crashes: rows.iter().map(|row| row.crashes).collect::<Vec<_>>(),
        unmets: rows.iter().map(|row| row.unmet).collect::<Vec<_>>(),
    };
    settle::update_states()
        .params(&work.transaction, &parameters)
        .await
        .map_err(|error| work.failed(error))?;
    work.place(&freed).await
}

pub(super) async fn write_tallies(work: &mut Work<'_>, held: &Held) -> Result<(), StoreError> {
    let changed: Vec<_> = held
        .graphs
        .iter()
        .filter(|(_, graph)| graph.tally != graph.tally_before)
        .collect();
    if changed.is_empty() {
        return Ok(());
    }
    let statuses: Vec<GraphStatus> = changed
        .iter()
        .map(|(_, graph)| graph.tally.status(graph.is_draft))
        .collect();
    let column = |count: fn(&workmill_core::graph::Tally) -> i32| -> Vec<i32> {
        changed
            .iter()
            .map(|(_, graph)| count(&graph.tally))
            .collect()
    };
    let parameters = settle::UpdateGraphsParams {
        ns: work.ns,
        graphs: changed.iter().map(|(id, _)| **id).collect::<Vec<_>>(),
        statuses: statuses
            .iter()
            .map(|status| status.name())
            .collect::<Vec<_>>(),
        completed: column(|tally| tally.completed),
        cancelled: column(|tally| tally.cancelled),
        stale: column(|tally| tally.stale),
        dead: column(|tally| tally.dead),
        moving: column(|tally| tally.moving),
    };
    settle::update_graphs()
        .params(&work.transaction, &parameters)
        .await
        .map_err(|error| work.failed(error))?;
    for ((id, graph), status) in changed.iter().zip(statuses) {
        if graph.status_before != status.name() {
            let event_type = match status {
                GraphStatus::Completed => EventType::GraphCompleted,
                GraphStatus::Failed => EventType::GraphFailed,
                GraphStatus::Cancelled => EventType::GraphCancelled,
                GraphStatus::Running | GraphStatus::Pending => EventType::GraphRunning,
            };
            work.emit(Event::of_graph(event_type, GraphId(**id), json!({})));
        }
    }
    Ok(())
}
