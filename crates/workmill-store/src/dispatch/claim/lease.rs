//! Writing the leases of what is handed out.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use uuid::Uuid;
use workmill_core::agent::claim_ttl_ms;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::claim;

use super::agents::Agents;
use super::context::Context;
use super::take::Takings;
use super::{ClaimRequest, Claimed};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::operation::Work;

/// What is handed out, for the request at each place, and the leases to be written for it.
pub(crate) struct Leases<'a> {
    pub(super) claimed: Vec<(usize, Claimed)>,
    new: Vec<NewLease<'a>>,
}

/// Completes what is handed out, and tells of it.
pub(super) fn lease<'a>(
    work: &mut Work<'_>,
    takings: &Takings,
    mut context: Context,
    requests: &'a [ClaimRequest],
    agents: &Agents,
    now: Timestamp,
) -> Result<Leases<'a>, StoreError> {
    let mut claimed = Vec::with_capacity(takings.handed.len());
    let mut leases = Vec::new();
    for task in &takings.handed {
        let request = &requests[task.place];
        let mut given = context.complete(work, task)?;
        let (of_agent, of_graph) = takings.door.budgets_left(task.task);
        given.claimed.budget.agent = of_agent;
        given.claimed.budget.graph = of_graph;
        let deadline = given.policy.admission.deadline;
        given.claimed.deadline_in_ms = deadline.map(|at| milliseconds(at.duration_since(now)));
        if let Some((state, ttl_ms)) = task.repeat {
            claimed.push((
                task.place,
                Claimed {
                    state,
                    ttl_ms,
                    ..given.claimed
                },
            ));
            continue;
        }
        let policy = &given.policy;
        let starts = task.starts;
        let (lease_ms, heartbeat_ms) = policy.lease_and_heartbeat_ms(request.lease_ms);
        given.claimed.heartbeat_ms = heartbeat_ms;
        let own = agents.known.get(&request.agent);
        let own_ttl_ms = own.and_then(|known| known.claim_ttl_ms);
        given.claimed.ttl_ms = match claim_ttl_ms(policy.claim_ttl_ms, own_ttl_ms) {
            Some(claim_ttl_ms) if !starts => claim_ttl_ms,
            _ => lease_ms,
        };
        given.claimed.state = task.state();
        leases.push(NewLease {
            task: task.task.0,
            epoch: task.epoch,
            agent: request.agent.as_str(),
            agent_type: own.map(|known| known.offer.agent_type.clone()),
            request: request.request,
            started_at: starts.then_some(now),
            ttl_ms: given.claimed.ttl_ms,
            lease_ms,
            max_duration_ms: given.max_duration_ms,
            has_holds: task.has_holds,
        });
        if task.epoch == 1 && given.claimed.dependencies.is_empty() {
            let since = claimable_since(&given.claimed);
            work.effects.waits.push(now.duration_since(since));
        }
        let data = json!({"agent": request.agent, "epoch": task.epoch, "attempt": task.attempts});
        work.emit(Event::of_task(
            EventType::TaskClaimed,
            task.graph,
            task.task,
            data,
        ));
        if starts {
            let data = json!({"agent": request.agent, "epoch": task.epoch});
            work.emit(Event::of_task(
                EventType::TaskStarted,
                task.graph,
                task.task,
                data,
            ));
        }
        claimed.push((task.place, given.claimed));
    }
    Ok(Leases {
        claimed,
        new: leases,
    })
}

fn milliseconds(duration: SignedDuration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// Since when a task that depends on nothing could be claimed.
fn claimable_since(claimed: &Claimed) -> Timestamp {
    #[derive(serde::Deserialize)]
    struct Body {
        scheduled_for: Option<Timestamp>,
    }
    let body = claimed.body.get();
    // Hardly any task has it, and reading a description takes its time.
    let body = body.contains("\"scheduled_for\"").then_some(body);
    let body = body.and_then(|body| serde_json::from_str::<Body>(body).ok());
    let scheduled_for = body.and_then(|body| body.scheduled_for);
    scheduled_for.map_or(claimed.submitted_at, |at| at.max(claimed.submitted_at))
}

struct NewLease<'a> {
    task: Uuid,
    epoch: i32,
    agent: &'a str,
    agent_type: Option<String>,
    request: Option<Uuid>,
    started_at: Option<Timestamp>,
    ttl_ms: i64,
    lease_ms: i64,
    max_duration_ms: Option<i64>,
    has_holds: bool,
}

impl Leases<'_> {
    pub(crate) async fn write(&self, work: &Work<'_>, now: Timestamp) -> Result<(), StoreError> {
        let leases = &self.new;
        if leases.is_empty() {
            return Ok(());
        }
        let parameters = claim::InsertLeasesParams {
            ns: work.ns,
            now,
            tasks: leases.iter().map(|lease| lease.task).collect::<Vec<_>>(),
            epochs: leases.iter().map(|lease| lease.epoch).collect::<Vec<_>>(),
            resumed: leases.iter().map(|_| 0).collect::<Vec<i16>>(),
            agents: leases.iter().map(|lease| lease.agent).collect::<Vec<_>>(),
            agent_types: leases
                .iter()
                .map(|lease| lease.agent_type.as_deref())
                .collect::<Vec<_>>(),
            requests: leases.iter().map(|lease| lease.request).collect::<Vec<_>>(),
            started_ats: leases
                .iter()
                .map(|lease| lease.started_at)
                .collect::<Vec<_>>(),
            ttls: leases.iter().map(|lease| lease.ttl_ms).collect::<Vec<_>>(),
            lease_mss: leases
                .iter()
                .map(|lease| lease.lease_ms)
                .collect::<Vec<_>>(),
            max_durations: leases
                .iter()
                .map(|lease| lease.max_duration_ms)
                .collect::<Vec<_>>(),
            have_holds: leases
                .iter()
                .map(|lease| lease.has_holds)
                .collect::<Vec<_>>(),
            spawned: leases.iter().map(|_| 0).collect::<Vec<i32>>(),
        };
        let inserted = claim::insert_leases()
            .params(work.transaction, &parameters)
            .await;
        inserted.map_err(|error| work.failed(error))?;
        Ok(())
    }
}
