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
mod round;
mod take;

use jiff::Timestamp;
use serde_json::value::RawValue;
use uuid::Uuid;
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_core::json_text::JsonText;
use workmill_core::lane::{LaneId, Selection};
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::policy::Policy;

use crate::error::StoreError;
use crate::gates::Candidate;
use crate::look::Attempt;
use crate::look::questions::Answered;
use crate::operation::{Operation, Work};
pub(crate) use agents::Agents;
use context::Spec;
use round::Round;

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
    /// Which tasks it wants, of those that the agent matches.
    pub selection: Selection,
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
    /// How long it is until the deadline of the task; negative after it.
    pub deadline_in_ms: Option<i64>,
    pub submitted_at: Timestamp,
    pub created_by: String,
    pub body: Box<RawValue>,
    /// Which models to use: the preferred ones, or those to fall back on.
    pub models: Vec<String>,
    pub dependencies: Vec<DependencyOutput>,
    pub references: Vec<Reference>,
    pub earlier_attempts: Vec<Attempt>,
    pub checkpoint: Option<JsonText>,
    pub answers: Vec<Answered>,
    pub budget: Budget,
}

impl Claimed {
    /// How long its texts are.
    pub fn bytes(&self) -> usize {
        let length = |text: &JsonText| text.get().len();
        let dependencies = self
            .dependencies
            .iter()
            .filter_map(|one| one.output.as_ref());
        let references = self.references.iter().filter_map(|one| one.output.as_ref());
        let outputs = dependencies.chain(references);
        self.body.get().len() + outputs.chain(&self.checkpoint).map(length).sum::<usize>()
    }
}

/// What may still be spent, this attempt's reservation included; none where no budget is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budget {
    pub agent: Option<Micros>,
    pub graph: Option<Micros>,
    /// The rest of the task's own `max_cost_usd`.
    pub task: Option<Micros>,
}

/// What a task that this one depended on has put out.
#[derive(Debug, Clone, PartialEq)]
pub struct DependencyOutput {
    pub task: TaskId,
    pub name: Option<String>,
    pub title: String,
    pub task_type: String,
    pub state: State,
    /// Missing when it did not complete, or was left out. Several claims share one copy.
    pub output: Option<JsonText>,
    /// A list of references to what it has put elsewhere.
    pub artifacts: Option<JsonText>,
    /// The size of an output that is too large to hand over and is to be fetched.
    pub left_out_bytes: Option<usize>,
}

/// What a task refers to.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    pub reference: String,
    /// The task whose output it names.
    pub task: Option<TaskId>,
    /// How the task stands whose output it is; none for an artifact, or where there is no such task.
    pub state: Option<State>,
    pub output: Option<JsonText>,
    pub artifacts: Option<JsonText>,
    /// It is not handed over; to be fetched.
    pub is_left_out: bool,
    /// The size of an output that is too large to hand over.
    pub left_out_bytes: Option<usize>,
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
    work.know_gates().await?;
    agents.tell_of_returns(work);
    agents.read_budgets(work, now).await?;
    let mut round = Round::begin(work, agents, requests);
    work.refresh_lanes(now).await?;
    round.take_ready(work, now).await?;
    let leases = round.lease(work, now).await?;
    round.commit(work, &leases, now).await?;
    Ok(round.answer(work, leases))
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
    /// The graph has a row of its own; only then can the task have dependencies.
    pub(super) in_graph: bool,
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
    fn goes_to(&mut self, place: usize, request: &ClaimRequest) {
        let spec = self.spec.as_ref();
        let starts_by_itself = spec.is_some_and(|spec| spec.policy.claim_ttl_ms.is_none());
        self.starts = request.start || starts_by_itself;
        self.place = place;
    }

    fn state(&self) -> State {
        if self.starts {
            State::Running
        } else {
            State::Claimed
        }
    }

    /// Nothing of what was handed out before.
    fn policy(&self) -> Option<&Policy> {
        self.spec.as_ref().map(|spec| &spec.policy)
    }

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
