//! Claiming: the best-ranked ready tasks that agents may do, with what they need to do them.
//!
//! The agents' rows are locked first, and their leases counted under that lock, so their slots
//! are exact. Ready tasks are taken with SKIP LOCKED: no claim waits for another. Agents that
//! match the same lanes are served together, in the order they asked.

mod agents;
mod context;
mod lease;
mod pass;
mod pick;
mod take;

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::Value;
use serde_json::value::RawValue;
use uuid::Uuid;
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;

use crate::error::StoreError;
use crate::gates::Candidate;
use crate::look::Attempt;
use crate::operation::{Operation, Work};
pub(crate) use agents::Agents;
use context::{Context, Spec};
use lease::lease;
use take::{Takings, repeats, twins};

/// What one agent asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRequest {
    pub key: Uuid,
    pub agent: String,
    /// At most this many; never more than the agent has slots free.
    pub most: i32,
    /// Claim and start in one step.
    pub start: bool,
    /// Asking again with the same id returns what the first call was given.
    pub request: Option<Uuid>,
    /// How long its leases last without a sign of life, where that is not for the tasks to say.
    pub lease_ms: Option<i64>,
}

#[derive(Debug)]
pub struct Claim<'a> {
    pub ns: Namespace,
    pub requests: &'a [ClaimRequest],
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
#[derive(Debug, Clone)]
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
    /// Which models to use: the preferred ones, or those to fall back on.
    pub models: Vec<String>,
    pub dependencies: Vec<DependencyOutput>,
    pub references: Vec<Reference>,
    pub earlier_attempts: Vec<Attempt>,
    pub checkpoint: Option<Value>,
    pub answers: Vec<Value>,
}

/// What a task that this one depended on has put out.
#[derive(Debug, Clone, PartialEq)]
pub struct DependencyOutput {
    pub task: TaskId,
    pub state: State,
    /// Missing when it did not complete, or was left out.
    pub output: Option<Value>,
    /// References to what it has put elsewhere.
    pub artifacts: Vec<Value>,
    /// It is there, but too large to hand over; to be fetched.
    pub is_left_out: bool,
}

/// What a task refers to.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    pub reference: String,
    pub output: Option<Value>,
    pub artifacts: Vec<Value>,
    /// It is not handed over; to be fetched.
    pub is_left_out: bool,
}

/// What a request gets.
pub type ClaimAnswer = Result<Vec<Claimed>, ClaimRefusal>;

impl Operation for Claim<'_> {
    type Answer = Vec<ClaimAnswer>;
    const DOING: &'static str = "claim tasks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let agents = Agents::lock(work, self.requests).await?;
        work.test_point("claim.locked").await?;
        hand_out(work, agents, self.requests).await
    }
}

/// Hands out what is ready, to agents that are locked; commits.
pub(crate) async fn hand_out(
    work: &mut Work<'_>,
    mut agents: Agents,
    requests: &[ClaimRequest],
) -> Result<Vec<ClaimAnswer>, StoreError> {
    let now = work.now().await?;
    work.refresh_gates(now).await?;
    let gates = work.gates();
    let mut shares: Vec<Result<Share<'_>, ClaimRefusal>> = requests
        .iter()
        .map(|request| agents.admit(request, &gates))
        .collect();
    let repeats = repeats(&mut agents, requests, &mut shares);
    let twins = twins(requests, &mut shares);
    work.refresh_lanes(now).await?;
    let mut takings = Takings::new(repeats);
    takings.take(work, &agents, &mut shares, now).await?;
    let context = Context::read(work, &mut takings.handed).await?;
    let claimed = lease(work, takings, context, requests, &agents, now).await?;
    let answers = answer(shares, claimed, &twins);
    let asked = requests.iter().zip(&answers);
    let empty = asked.filter(|(_, answer)| answer.as_ref().is_ok_and(Vec::is_empty));
    work.effects.offers = empty
        .filter_map(|(request, _)| agents.offer(&request.agent))
        .collect();
    Ok(answers)
}

/// How much one request may still get.
pub(super) struct Share<'a> {
    pub(super) request: &'a ClaimRequest,
    pub(super) wanted: i32,
}

/// A task that goes to a request.
pub(super) struct Handed {
    pub(super) place: usize,
    pub(super) task: TaskId,
    pub(super) graph: GraphId,
    pub(super) lane: LaneId,
    pub(super) epoch: i32,
    pub(super) attempts: i32,
    /// Its rank in the lane it was taken from.
    pub(super) rank: i64,
    /// Claiming it is starting it.
    pub(super) starts: bool,
    /// It has taken something from gates.
    pub(super) has_holds: bool,
    /// What its attempts have cost so far.
    pub(super) spent: Micros,
    /// Missing until it is read, for what was handed out before.
    spec: Option<Spec>,
    /// It was handed out by an earlier call with the same request id.
    pub(super) repeat: Option<(State, i64)>,
}

impl Handed {
    /// What gates need to know of it; nothing of what was handed out before.
    fn candidate(&self) -> Option<Candidate<'_>> {
        let spec = self.spec.as_ref()?;
        Some(Candidate {
            task: self.task,
            epoch: self.epoch,
            graph: self.graph,
            lane: self.lane,
            rank: self.rank,
            spent: self.spent,
            created_by: &spec.created_by,
            admission: &spec.policy.admission,
        })
    }
}

fn answer(
    shares: Vec<Result<Share<'_>, ClaimRefusal>>,
    claimed: Vec<(usize, Claimed)>,
    twins: &BTreeMap<usize, usize>,
) -> Vec<Result<Vec<Claimed>, ClaimRefusal>> {
    let mut answers: Vec<Result<Vec<Claimed>, ClaimRefusal>> = shares
        .into_iter()
        .map(|share| share.map(|_| Vec::new()))
        .collect();
    for (place, task) in claimed {
        if let Ok(tasks) = &mut answers[place] {
            tasks.push(task);
        }
    }
    for (place, first) in twins {
        let again = answers[*first].clone();
        answers[*place] = again;
    }
    answers
}
