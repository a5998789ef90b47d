//! Step 6, lease: each grant becomes a claimed task with its context, and a new lease.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use uuid::Uuid;
use workmill_core::agent::claim_ttl_ms;
use workmill_core::ids::LeaseId;
use workmill_core::lifecycle::State;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::claim;

use super::agents::Agents;
use super::claimed::{Budget, Claimed};
use super::context::{Context, in_order_of_preference};
use super::request::ClaimRequest;
use super::round::Round;
use super::slots::{Facts, Grant, Origin};
use super::spec::Spec;
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::operation::Work;

/// What the requests get, and the leases to be written for it.
pub(super) struct Leased<'a> {
    /// Each claimed task with the place of its request.
    pub(super) claimed: Vec<(usize, Claimed)>,
    pub(super) leases: Vec<NewLease<'a>>,
}

impl Round<'_> {
    /// Takes the grants, completes them with their context, and emits their events.
    pub(super) fn lease<'a>(
        &mut self,
        work: &mut Work<'_>,
        context: &mut Context,
        requests: &'a [ClaimRequest],
    ) -> Leased<'a> {
        let mut claimed = Vec::with_capacity(self.grants.len());
        let mut leases = Vec::with_capacity(self.grants.len());
        for grant in std::mem::take(&mut self.grants) {
            let (place, request) = (grant.place, &requests[grant.place]);
            let (task, lease) = self.complete(work, context, grant, request);
            if let Some(lease) = lease {
                tell(work, &task, &request.agent, self.now);
                leases.push(lease);
            }
            claimed.push((place, task));
        }
        Leased { claimed, leases }
    }

    /// Completes a grant with its context. A grant that is repeated has its lease already.
    fn complete<'a>(
        &self,
        work: &Work<'_>,
        context: &mut Context,
        grant: Grant,
        request: &'a ClaimRequest,
    ) -> (Claimed, Option<NewLease<'a>>) {
        let Grant {
            place: _,
            facts,
            spec,
            state,
            origin,
        } = grant;
        let Facts {
            task,
            graph,
            in_graph: _,
            lane,
            epoch,
            attempts,
            spent,
        } = facts;
        let past = context.take(task);
        let (lease_ms, heartbeat_ms) = spec.policy.lease_and_heartbeat_ms(request.lease_ms);
        let ttl_ms = match origin {
            Origin::Repeated { ttl_ms } => ttl_ms,
            Origin::Picked { .. } => first_ttl_ms(&spec, self.agents, request, state, lease_ms),
        };
        let lease = LeaseId { task, epoch };
        let new = match origin {
            Origin::Repeated { .. } => None,
            Origin::Picked { has_holds } => Some(NewLease {
                lease,
                task_type: spec.policy.admission.task_type.clone(),
                agent: request.agent.as_str(),
                agent_type: self.agents.type_of(&request.agent),
                request: request.request,
                started_at: (state == State::Running).then_some(self.now),
                ttl_ms,
                lease_ms,
                max_duration_ms: spec.policy.duration_after(past.timeouts()),
                has_holds,
            }),
        };
        let (of_agent, of_graph) = self.gate_decisions.budgets_left(task);
        let lanes = work.lanes();
        let models = lanes.get(lane).map(|lane| lane.models.clone());
        let models = in_order_of_preference(models.unwrap_or_default(), &spec);
        let admission = &spec.policy.admission;
        let until_deadline = admission.deadline.map(|at| at.duration_since(self.now));
        let claimed = Claimed {
            lease,
            graph,
            state,
            attempt: attempts,
            ttl_ms,
            heartbeat_ms,
            deadline_in_ms: until_deadline.map(milliseconds),
            submitted_at: spec.submitted_at,
            created_by: spec.created_by,
            models,
            dependencies: past.dependencies,
            references: past.references,
            earlier_attempts: past.attempts,
            checkpoint: past.checkpoint,
            answers: past.answers,
            budget: Budget {
                agent: of_agent,
                graph: of_graph,
                task: admission.left_of_own_budget(spent),
            },
            body: spec.body,
        };
        (claimed, new)
    }
}

/// Returns how long a new lease lasts: until the task must be started, if it is not started yet.
fn first_ttl_ms(
    spec: &Spec,
    agents: &Agents,
    request: &ClaimRequest,
    state: State,
    lease_ms: i64,
) -> i64 {
    let of_agent = agents.claim_ttl_ms(&request.agent);
    match claim_ttl_ms(spec.policy.claim_ttl_ms, of_agent) {
        Some(claim_ttl_ms) if state == State::Claimed => claim_ttl_ms,
        _ => lease_ms,
    }
}

/// Emits the events of a newly claimed task, and notes how long it has waited.
fn tell(work: &mut Work<'_>, claimed: &Claimed, agent: &str, now: Timestamp) {
    let LeaseId { task, epoch } = claimed.lease;
    if epoch == 1 && claimed.dependencies.is_empty() {
        let since = claimable_since(claimed);
        work.effects.waits.push(now.duration_since(since));
    }
    let event = |event_type, data| Event::of_task(event_type, claimed.graph, task, data);
    let data = json!({"agent": agent, "epoch": epoch, "attempt": claimed.attempt});
    work.emit(event(EventType::TaskClaimed, data));
    if claimed.state == State::Running {
        let data = json!({"agent": agent, "epoch": epoch});
        work.emit(event(EventType::TaskStarted, data));
    }
}

fn milliseconds(duration: SignedDuration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// Returns since when a task without dependencies could be claimed.
fn claimable_since(claimed: &Claimed) -> Timestamp {
    #[derive(serde::Deserialize)]
    struct Body {
        scheduled_for: Option<Timestamp>,
    }
    let body = claimed.body.get();
    // Few tasks have the field, and parsing a spec takes its time.
    let body = body.contains("\"scheduled_for\"").then_some(body);
    let body = body.and_then(|body| serde_json::from_str::<Body>(body).ok());
    let scheduled_for = body.and_then(|body| body.scheduled_for);
    scheduled_for.map_or(claimed.submitted_at, |at| at.max(claimed.submitted_at))
}

/// A lease to be written.
pub(super) struct NewLease<'a> {
    lease: LeaseId,
    task_type: String,
    agent: &'a str,
    agent_type: Option<String>,
    request: Option<Uuid>,
    started_at: Option<Timestamp>,
    ttl_ms: i64,
    lease_ms: i64,
    max_duration_ms: Option<i64>,
    has_holds: bool,
}

impl NewLease<'_> {
    pub(super) async fn write(
        leases: &[NewLease<'_>],
        work: &Work<'_>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        if leases.is_empty() {
            return Ok(());
        }
        let each = leases.iter();
        let parameters = claim::InsertLeasesParams {
            ns: work.ns,
            now,
            tasks: each.clone().map(|one| one.lease.task.0).collect::<Vec<_>>(),
            epochs: each.clone().map(|one| one.lease.epoch).collect::<Vec<_>>(),
            resumed: vec![0_i16; leases.len()],
            task_types: each
                .clone()
                .map(|one| one.task_type.as_str())
                .collect::<Vec<_>>(),
            agents: each.clone().map(|one| one.agent).collect::<Vec<_>>(),
            agent_types: each
                .clone()
                .map(|one| one.agent_type.as_deref())
                .collect::<Vec<_>>(),
            requests: each.clone().map(|one| one.request).collect::<Vec<_>>(),
            started_ats: each.clone().map(|one| one.started_at).collect::<Vec<_>>(),
            ttls: each.clone().map(|one| one.ttl_ms).collect::<Vec<_>>(),
            lease_mss: each.clone().map(|one| one.lease_ms).collect::<Vec<_>>(),
            max_durations: each
                .clone()
                .map(|one| one.max_duration_ms)
                .collect::<Vec<_>>(),
            have_holds: each.map(|one| one.has_holds).collect::<Vec<_>>(),
            spawned: vec![0_i32; leases.len()],
        };
        claim::insert_leases()
            .params(work.transaction, &parameters)
            .await?;
        Ok(())
    }
}
