//! Writes what was decided: each kind of row in one statement for the whole batch.

use jiff::Timestamp;
use postgres_types::Json;
use serde_json::json;
use uuid::Uuid;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::lifecycle::State;
use workmill_core::verdict::DeadLetterCause;
use workmill_queries::client::Params;
use workmill_queries::queries::settlement::{rest, settle};

use super::decide::Decision;
use super::{Ending, Held};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::operation::Work;
use crate::rest::Unblocked;

pub(super) async fn write(
    work: &mut Work<'_>,
    held: &mut Held,
    decisions: &[Decision<'_>],
) -> Result<(), StoreError> {
    if decisions.is_empty() {
        return Ok(());
    }
    write_attempts(work, held, decisions).await?;
    write_results(work, decisions).await?;
    write_states(work, held, decisions).await?;
    write_ends(work, decisions).await?;
    for decision in decisions {
        let row = &held.states[&decision.task()];
        let graph = row.graph;
        say(work, held, decision, GraphId(graph));
        held.recount(graph, (decision.from, false), (decision.next.state, false));
    }
    place_again(work, held, decisions).await
}

async fn write_attempts(
    work: &mut Work<'_>,
    held: &Held,
    decisions: &[Decision<'_>],
) -> Result<(), StoreError> {
    let now = work.now().await?;
    let tasks: Vec<Uuid> = decisions.iter().map(Decision::task).collect();
    let epochs: Vec<i32> = decisions
        .iter()
        .map(|one| one.settlement.lease.epoch)
        .collect();
    settle::delete_leases()
        .params(
            &work.transaction,
            &settle::DeleteLeasesParams {
                ns: work.ns,
                tasks: tasks.as_slice(),
                epochs: epochs.as_slice(),
            },
        )
        .await
        .map_err(|error| work.failed(error))?;
    let leases: Vec<&settle::LockLeases> = decisions
        .iter()
        .map(|one| &held.leases[&(one.task(), one.settlement.lease.epoch)])
        .collect();
    let failed = |one: &Decision<'_>| one.next.failed.as_ref().map(|failed| failed.reason.name());
    let parameters = settle::InsertAttemptsParams {
        ns: work.ns,
        now,
        tasks: tasks.as_slice(),
        epochs: epochs.as_slice(),
        agents: leases
            .iter()
            .map(|lease| lease.agent.as_str())
            .collect::<Vec<_>>(),
        outcomes: decisions
            .iter()
            .map(|one| one.next.outcome.name())
            .collect::<Vec<_>>(),
        reasons: decisions.iter().map(failed).collect::<Vec<_>>(),
        messages: decisions
            .iter()
            .map(|one| {
                one.next
                    .failed
                    .as_ref()
                    .map(|failed| failed.message.as_str())
            })
            .collect::<Vec<_>>(),
        details: decisions
            .iter()
            .map(|one| match &one.settlement.ending {
                Ending::Fail { details, .. } => details.as_ref().map(Json),
                _ => None,
            })
            .collect::<Vec<_>>(),
        fingerprints: decisions
            .iter()
            .map(|one| one.next.failed.as_ref().map(|failed| failed.fingerprint))
            .collect::<Vec<_>>(),
        claimed_ats: leases
            .iter()
            .map(|lease| lease.claimed_at)
            .collect::<Vec<_>>(),
        started_ats: leases
            .iter()
            .map(|lease| lease.started_at)
            .collect::<Vec<_>>(),
        costs: decisions
            .iter()
            .map(|one| one.settlement.spent.cost_micros)
            .collect::<Vec<_>>(),
        usages: decisions
            .iter()
            .map(|one| one.settlement.spent.usage.as_ref().map(Json))
            .collect::<Vec<_>>(),
    };
    settle::insert_attempts()
        .params(&work.transaction, &parameters)
        .await
        .map_err(|error| work.failed(error))?;
    Ok(())
}

async fn write_results(work: &mut Work<'_>, decisions: &[Decision<'_>]) -> Result<(), StoreError> {
    let outputs: Vec<(Uuid, i32, _)> = decisions
        .iter()
        .filter_map(|one| match &one.settlement.ending {
            Ending::Complete { output } => {
                Some((one.task(), one.settlement.lease.epoch, Json(output)))
            }
            _ => None,
        })
        .collect();
    if outputs.is_empty() {
        return Ok(());
    }
    let parameters = settle::InsertResultsParams {
        ns: work.ns,
        tasks: outputs.iter().map(|(task, ..)| *task).collect::<Vec<_>>(),
        epochs: outputs
            .iter()
            .map(|(_, epoch, _)| *epoch)
            .collect::<Vec<_>>(),
        outputs: outputs
            .iter()
            .map(|(.., output)| output)
            .collect::<Vec<_>>(),
    };
    settle::insert_results()
        .params(&work.transaction, &parameters)
        .await
        .map_err(|error| work.failed(error))?;
    Ok(())
}

async fn write_states(
    work: &mut Work<'_>,
    held: &Held,
    decisions: &[Decision<'_>],
) -> Result<(), StoreError> {
    let parameters = settle::UpdateStatesParams {
        ns: work.ns,
        tasks: decisions.iter().map(Decision::task).collect::<Vec<_>>(),
        states: decisions
            .iter()
            .map(|one| one.next.state.code())
            .collect::<Vec<_>>(),
        dues: decisions
            .iter()
            .map(|one| one.next.due)
            .collect::<Vec<Option<Timestamp>>>(),
        attempts: decisions
            .iter()
            .map(|one| one.next.attempts)
            .collect::<Vec<_>>(),
        crashes: decisions
            .iter()
            .map(|one| one.next.crashes)
            .collect::<Vec<_>>(),
        unmets: decisions
            .iter()
            .map(|one| held.states[&one.task()].unmet)
            .collect::<Vec<_>>(),
    };
    settle::update_states()
        .params(&work.transaction, &parameters)
        .await
        .map_err(|error| work.failed(error))?;
    Ok(())
}

/// Tasks that do not go round again.
async fn write_ends(work: &mut Work<'_>, decisions: &[Decision<'_>]) -> Result<(), StoreError> {
    let now = work.now().await?;
    let finished: Vec<Uuid> = decisions
        .iter()
        .filter(|one| one.next.state.is_finished())
        .map(Decision::task)
        .collect();
    if !finished.is_empty() {
        rest::insert_finished()
            .params(
                &work.transaction,
                &rest::InsertFinishedParams {
                    ns: work.ns,
                    now,
                    tasks: finished.as_slice(),
                },
            )
            .await
            .map_err(|error| work.failed(error))?;
    }
    let dead: Vec<(Uuid, &str, i64)> = decisions
        .iter()
        .filter_map(|one| {
            let cause = one.next.dead_letter?;
            Some((
                one.task(),
                cause.name(),
                one.next.failed.as_ref()?.fingerprint,
            ))
        })
        .collect();
    if !dead.is_empty() {
        let parameters = rest::InsertDeadLettersParams {
            ns: work.ns,
            now,
            tasks: dead.iter().map(|(task, ..)| *task).collect::<Vec<_>>(),
            causes: dead.iter().map(|(_, cause, _)| *cause).collect::<Vec<_>>(),
            fingerprints: dead
                .iter()
                .map(|(.., fingerprint)| *fingerprint)
                .collect::<Vec<_>>(),
        };
        rest::insert_dead_letters()
            .params(&work.transaction, &parameters)
            .await
            .map_err(|error| work.failed(error))?;
    }
    Ok(())
}

/// Tasks that do: into their lane, or among those that wait for their time.
async fn place_again(
    work: &mut Work<'_>,
    held: &Held,
    decisions: &[Decision<'_>],
) -> Result<(), StoreError> {
    let again: Vec<Unblocked> = decisions
        .iter()
        .filter(|one| matches!(one.next.state, State::Ready | State::Retrying))
        .map(|one| {
            let row = &held.states[&one.task()];
            Unblocked {
                task: TaskId(row.task),
                graph: GraphId(row.graph),
                lane: LaneId(row.lane),
                rank: row.rank,
                due: one.next.due,
            }
        })
        .collect();
    work.place(&again).await
}

fn say(work: &mut Work<'_>, held: &Held, decision: &Decision<'_>, graph: GraphId) {
    let lease = decision.settlement.lease;
    let agent = &held.leases[&(lease.task.0, lease.epoch)].agent;
    let next = &decision.next;
    if let Some(failed) = &next.failed {
        let data = json!({
            "agent": agent, "epoch": lease.epoch, "reason": failed.reason,
            "message": failed.message, "will_retry": next.retry_in_ms.is_some(),
        });
        work.emit(Event::of_task(
            EventType::TaskFailed,
            graph,
            lease.task,
            data,
        ));
    }
    let (event_type, data) = match next.state {
        State::Completed => {
            let cost_usd = crate::look::dollars(decision.settlement.spent.cost_micros);
            let data = json!({"agent": agent, "epoch": lease.epoch, "cost_usd": cost_usd});
            (EventType::TaskCompleted, data)
        }
        State::Retrying => (
            EventType::TaskRetrying,
            json!({"retry_in_ms": next.retry_in_ms}),
        ),
        State::DeadLettered => {
            let cause = next.dead_letter.map(DeadLetterCause::name);
            (EventType::TaskDeadLettered, json!({"cause": cause}))
        }
        State::Blocked => (EventType::TaskBlocked, json!({"for": "stale_check"})),
        State::Ready if next.failed.is_none() => (
            EventType::TaskReleased,
            json!({"agent": agent, "epoch": lease.epoch}),
        ),
        _ => return,
    };
    work.emit(Event::of_task(event_type, graph, lease.task, data));
}
