//! Claiming: the best-ranked ready tasks that an agent may do, with what it needs to do them.
//!
//! The agent's row is locked first, and its leases counted under that lock, so its slots are
//! exact. Ready tasks are taken with SKIP LOCKED: no claim waits for another.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::Value;
use serde_json::value::RawValue;
use uuid::Uuid;
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_core::lane::{Lane, Offer};
use workmill_core::lifecycle::State;
use workmill_core::policy::Policy;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::claim;
use workmill_queries::queries::{execution, settlement};

use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::look::{Attempt, read_attempt};
use crate::operation::{Operation, Work};

#[derive(Debug)]
pub struct Claim<'a> {
    pub ns: Namespace,
    pub key: Uuid,
    pub agent: &'a str,
    /// At most this many; never more than the agent has slots free.
    pub most: i32,
    /// Claim and start in one step.
    pub start: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimRefusal {
    UnknownAgent,
    /// The agent was registered by another key.
    ForeignAgent,
    /// The agent is draining or offline.
    NotActive,
}

/// A task handed out, with everything that is known to help with it.
#[derive(Debug)]
pub struct Claimed {
    pub lease: LeaseId,
    pub graph: GraphId,
    pub state: State,
    /// How many attempts count, this one included.
    pub attempt: i32,
    pub ttl_ms: i64,
    pub heartbeat_ms: i64,
    pub submitted_at: Timestamp,
    pub created_by: String,
    pub body: Box<RawValue>,
    /// Outputs of the tasks that this one depended on.
    pub dependency_results: Vec<(TaskId, Value)>,
    pub earlier_attempts: Vec<Attempt>,
}

impl Operation for Claim<'_> {
    type Answer = Result<Vec<Claimed>, ClaimRefusal>;
    const DOING: &'static str = "claim tasks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(
        &self,
        work: &mut Work<'_>,
    ) -> Result<Result<Vec<Claimed>, ClaimRefusal>, StoreError> {
        let (offer, free) = match self.lock_agent(work).await? {
            Ok(found) => found,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let wanted = i64::from(self.most.min(free));
        if wanted <= 0 {
            return Ok(Ok(Vec::new()));
        }
        let taken = take_ready(work, &offer, wanted).await?;
        if taken.is_empty() {
            return Ok(Ok(Vec::new()));
        }
        self.lease(work, taken).await.map(Ok)
    }
}

impl Claim<'_> {
    /// What the agent brings, and how many slots it has free.
    async fn lock_agent(
        &self,
        work: &mut Work<'_>,
    ) -> Result<Result<(Offer, i32), ClaimRefusal>, StoreError> {
        let agent = claim::lock_agent()
            .bind(&work.transaction, &work.ns, &self.agent)
            .opt()
            .await
            .map_err(|error| work.failed(error))?;
        let Some(agent) = agent else {
            return Ok(Err(ClaimRefusal::UnknownAgent));
        };
        if agent.key != self.key {
            return Ok(Err(ClaimRefusal::ForeignAgent));
        }
        if agent.status != "active" {
            return Ok(Err(ClaimRefusal::NotActive));
        }
        let held = claim::count_leases()
            .bind(&work.transaction, &work.ns, &self.agent)
            .one()
            .await
            .map_err(|error| work.failed(error))?;
        let offer = Offer {
            agent: agent.agent,
            agent_type: agent.r#type,
            capabilities: agent.capabilities,
            models: agent.models,
        };
        Ok(Ok((offer, agent.slots - held)))
    }

    async fn lease(
        &self,
        work: &mut Work<'_>,
        taken: Vec<claim::TakeReady>,
    ) -> Result<Vec<Claimed>, StoreError> {
        let now = work.now().await?;
        let tasks: Vec<Uuid> = taken.iter().map(|row| row.task).collect();
        let mut context = Context::read(work, &tasks).await?;
        let mut claimed = Vec::with_capacity(taken.len());
        let mut leases = Vec::with_capacity(taken.len());
        for row in taken {
            let spec = context.specs.remove(&row.task).ok_or_else(|| {
                StoreError::Corrupt(format!("{} has no description", TaskId(row.task)))
            })?;
            let policy = spec.policy;
            let starts = self.start || policy.claim_ttl_ms.is_none();
            let ttl_ms = match policy.claim_ttl_ms {
                Some(claim_ttl_ms) if !self.start => claim_ttl_ms,
                _ => policy.lease_ms,
            };
            leases.push((
                row.task,
                row.epoch,
                ttl_ms,
                policy.lease_ms,
                policy.max_duration_ms,
            ));
            claimed.push(Claimed {
                lease: LeaseId {
                    task: TaskId(row.task),
                    epoch: row.epoch,
                },
                graph: GraphId(row.graph),
                state: if starts {
                    State::Running
                } else {
                    State::Claimed
                },
                attempt: row.attempts,
                ttl_ms,
                heartbeat_ms: policy.heartbeat_ms,
                submitted_at: spec.submitted_at,
                created_by: spec.created_by,
                body: spec.body,
                dependency_results: context.results.remove(&row.task).unwrap_or_default(),
                earlier_attempts: context.attempts.remove(&row.task).unwrap_or_default(),
            });
        }
        let parameters = claim::InsertLeasesParams {
            ns: work.ns,
            agent: self.agent,
            now,
            tasks: tasks.as_slice(),
            epochs: leases.iter().map(|lease| lease.1).collect::<Vec<_>>(),
            ttls: leases.iter().map(|lease| lease.2).collect::<Vec<_>>(),
            lease_mss: leases.iter().map(|lease| lease.3).collect::<Vec<_>>(),
            max_durations: leases.iter().map(|lease| lease.4).collect::<Vec<_>>(),
        };
        claim::insert_leases()
            .params(&work.transaction, &parameters)
            .await
            .map_err(|error| work.failed(error))?;
        for task in &claimed {
            let data = serde_json::json!({
                "agent": self.agent, "epoch": task.lease.epoch, "attempt": task.attempt,
            });
            work.emit(Event::of_task(
                EventType::TaskClaimed,
                task.graph,
                task.lease.task,
                data,
            ));
        }
        start(work, self.agent, &claimed).await?;
        Ok(claimed)
    }
}

/// Starts those that were claimed and started in one step.
async fn start(work: &mut Work<'_>, agent: &str, claimed: &[Claimed]) -> Result<(), StoreError> {
    let started: Vec<&Claimed> = claimed
        .iter()
        .filter(|task| task.state == State::Running)
        .collect();
    if started.is_empty() {
        return Ok(());
    }
    let now = work.now().await?;
    let tasks: Vec<Uuid> = started.iter().map(|task| task.lease.task.0).collect();
    let parameters = execution::attempt::StartLeasesParams {
        ns: work.ns,
        now,
        tasks: tasks.as_slice(),
        epochs: started
            .iter()
            .map(|task| task.lease.epoch)
            .collect::<Vec<_>>(),
    };
    execution::attempt::start_leases()
        .params(&work.transaction, &parameters)
        .await
        .map_err(|error| work.failed(error))?;
    execution::attempt::start_states()
        .bind(&work.transaction, &State::Running.code(), &work.ns, &tasks)
        .await
        .map_err(|error| work.failed(error))?;
    for task in started {
        let data = serde_json::json!({"agent": agent, "epoch": task.lease.epoch});
        work.emit(Event::of_task(
            EventType::TaskStarted,
            task.graph,
            task.lease.task,
            data,
        ));
    }
    Ok(())
}

async fn take_ready(
    work: &mut Work<'_>,
    offer: &Offer,
    wanted: i64,
) -> Result<Vec<claim::TakeReady>, StoreError> {
    let known = claim::find_lanes()
        .bind(&work.transaction, &work.ns)
        .all()
        .await
        .map_err(|error| work.failed(error))?;
    let now = work.now().await?;
    let mut lanes = Vec::new();
    let mut aged = Vec::new();
    for row in known {
        let lane: Lane = serde_json::from_value(row.asks)
            .map_err(|error| StoreError::Corrupt(format!("lane {}: {error}", row.lane)))?;
        if lane.matches(offer) {
            lanes.push(row.lane);
            aged.push(lane.boost.offset(now));
        }
    }
    let parameters = claim::TakeReadyParams {
        ns: work.ns,
        lanes,
        aged,
        wanted,
        claimed: State::Claimed.code(),
    };
    let mut taken = claim::take_ready()
        .params(&work.transaction, &parameters)
        .all()
        .await
        .map_err(|error| work.failed(error))?;
    taken.sort_by_key(|row| (row.rank, row.task));
    Ok(taken)
}

struct Spec {
    submitted_at: Timestamp,
    created_by: String,
    body: Box<RawValue>,
    policy: Policy,
}

/// What is handed out with the tasks, by task.
struct Context {
    specs: BTreeMap<Uuid, Spec>,
    results: BTreeMap<Uuid, Vec<(TaskId, Value)>>,
    attempts: BTreeMap<Uuid, Vec<Attempt>>,
}

impl Context {
    async fn read(work: &Work<'_>, tasks: &[Uuid]) -> Result<Context, StoreError> {
        let specs = claim::find_specs()
            .bind(&work.transaction, &work.ns, &tasks)
            .map(|row| {
                let policy = serde_json::from_str(row.policy.0.get());
                (
                    row.task,
                    row.submitted_at,
                    row.created_by.to_owned(),
                    row.body.0.to_owned(),
                    policy,
                )
            })
            .all()
            .await
            .map_err(|error| work.failed(error))?;
        let mut context = Context {
            specs: BTreeMap::new(),
            results: BTreeMap::new(),
            attempts: BTreeMap::new(),
        };
        for (task, submitted_at, created_by, body, policy) in specs {
            let policy = policy.map_err(|error| {
                StoreError::Corrupt(format!("the policy of {}: {error}", TaskId(task)))
            })?;
            context.specs.insert(
                task,
                Spec {
                    submitted_at,
                    created_by,
                    body,
                    policy,
                },
            );
        }
        let results = claim::find_dependency_results()
            .bind(&work.transaction, &work.ns, &tasks)
            .all()
            .await
            .map_err(|error| work.failed(error))?;
        for row in results {
            let outputs = context.results.entry(row.task).or_default();
            outputs.push((TaskId(row.depends_on), row.output));
        }
        let attempts = settlement::settle::find_attempts()
            .bind(&work.transaction, &work.ns, &tasks)
            .all()
            .await
            .map_err(|error| work.failed(error))?;
        for row in attempts {
            let (task, attempt) = read_attempt(row)?;
            context.attempts.entry(task).or_default().push(attempt);
        }
        Ok(context)
    }
}
