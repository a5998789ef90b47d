//! Why a task is not running, or runs where it does: each condition between it and an agent, met or
//! not.
//!
//! In come [`Facts`], read in one look; out goes an [`Explanation`]. Every rule that is applied here
//! is the one that claims, gates and dependencies go by, so what is called claimable by an agent is
//! claimed by it next, unless something better ranked is there; what is called blocked is not claimed.

mod agents;
mod conditions;
pub mod dry_run;
pub mod gate_decision;
mod gates;
mod remedy;
mod waiting;
mod words;

pub use agents::workers;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::admission::{Admission, Candidate};
use crate::agent::AgentStatus;
use crate::attempt_matrix::{AttemptMatrix, History, attempt_matrix};
use crate::dependency::OnDependencyFailure;
use crate::gate::Gate;
use crate::ids::{GraphId, TaskId};
use crate::lane::{Lane, LaneId, Offer};
use crate::lifecycle::State;
use crate::money::Micros;
use crate::price::PriceTable;
use crate::rank::{Composition, Urgency};
use gate_decision::GateDecisions;

/// How many better-ranked tasks are counted: beyond that there are "more".
pub const MOST_COUNTED: usize = 1_000;

/// How many of what could be a long list are named.
pub const MOST_NAMED: usize = 20;

/// What is known of a task and of what decides about it, at one moment.
#[derive(Debug, Clone)]
pub struct Facts {
    pub now: Timestamp,
    pub task: TaskId,
    pub graph: GraphId,
    pub state: State,
    pub lane: LaneId,
    pub asks: Lane,
    pub urgency: Urgency,
    pub rule: OnDependencyFailure,
    /// Dependencies that are not met, as they are counted.
    pub unmet: usize,
    /// With their states; of very many only some.
    pub dependencies: Vec<Dependency>,
    pub due: Option<Timestamp>,
    pub is_draft: bool,
    pub is_draining: bool,
    pub shunned: Vec<String>,
    pub shunned_until: Option<Timestamp>,
    pub created_by: String,
    pub admission: Admission,
    pub spent: Micros,
    pub usual: Option<Micros>,
    /// Where it waits, since a claim found no room for it.
    pub gated: Option<(Gate, Timestamp)>,
    pub gate_decisions: GateDecisions,
    pub agents: Vec<AgentFacts>,
    pub ahead: Option<Ahead>,
    pub recent: Vec<RecentAttempt>,
    pub held: Option<Held>,
    pub blocked: Option<Blocked>,
    pub dead_letter: Option<DeadLetter>,
    pub history: History,
    /// What it waits for in the end, where it waits for other tasks.
    pub cause: Option<Box<CauseFacts>>,
}

/// A task at the end of a chain of dependencies, which itself waits for none.
#[derive(Debug, Clone)]
pub struct CauseFacts {
    pub facts: Facts,
    /// The tasks between the two, beginning with the one that is waited for directly.
    pub through: Vec<TaskId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    pub task: TaskId,
    pub state: State,
    /// Those that run all the same were freed when it failed.
    pub freed_runners: bool,
}

/// A registered agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFacts {
    pub offer: Offer,
    /// The status that is set; a silent agent has it again from its next call on.
    pub status: AgentStatus,
    pub slots: i32,
    /// How many of them are taken.
    pub leases: i32,
    pub seen_at: Timestamp,
    /// It is offline because it has not been heard for long.
    pub is_silent: bool,
    /// It claims by hand: no program waits for work under its name, and its slots say nothing.
    pub is_by_hand: bool,
}

impl AgentFacts {
    /// Returns whether it takes work at this moment, as far as its status says.
    pub fn is_live(&self) -> bool {
        self.shown_status() == AgentStatus::Active
    }

    fn shown_status(&self) -> AgentStatus {
        self.status.seen(self.is_silent)
    }
}

/// What is better ranked, in the lanes of the agents that could run the task.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ahead {
    /// One more than is counted: there are more.
    pub count: usize,
    /// The best of them.
    pub first: Vec<TaskId>,
}

/// An attempt that was completed lately.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentAttempt {
    pub task_type: String,
    pub ran_ms: i64,
}

/// The running attempt, or the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    pub agent: String,
    pub epoch: i32,
    pub claimed_at: Timestamp,
    pub started_at: Option<Timestamp>,
    /// When the lease is lost without a sign of life; none: the attempt has ended.
    pub expires_at: Option<Timestamp>,
    pub stop: Option<String>,
    /// How it ended.
    pub outcome: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Blocked {
    pub waits_for: String,
    pub question: Option<Value>,
    pub since: Timestamp,
    pub until: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    pub since: Timestamp,
    pub cause: String,
    pub reason: String,
}

impl Facts {
    pub fn candidate(&self) -> Candidate<'_> {
        Candidate {
            task: self.task,
            graph: self.graph,
            lane: self.lane,
            spent: self.spent,
            created_by: &self.created_by,
            admission: &self.admission,
            usual: self.usual,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Explanation {
    pub task: TaskId,
    pub status: State,
    /// The time of this explanation.
    pub at: Timestamp,
    /// The explanation in one sentence.
    pub summary: String,
    /// Agents that could claim the task now. They claim better ranked tasks first.
    pub claimable_by: Vec<String>,
    pub conditions: Vec<Condition>,
    pub agents: Agents,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<Wait>,
    /// The effective priority now or, for a claimed task, at the time of the claim.
    pub priority: Priority,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<Claim>,
    /// For a task that has failed: the agents and models that tried it, and which is suspect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt_matrix: Option<AttemptMatrix>,
    /// For a task that waits for others: the last task of the chain, and why that task is not done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// What to do next: shell commands, or a sentence if no command helps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<String>,
}

/// The last task of a chain of dependencies, for which all the others wait.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = ExplainedCause)]
pub struct Cause {
    pub task: TaskId,
    pub status: State,
    /// Why that task is not done, in one sentence.
    pub summary: String,
    /// The tasks between the two, beginning with the direct dependency; only the first ones if
    /// there are very many.
    pub through: Vec<TaskId>,
}

/// One condition for the start of a task, met or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Condition {
    pub code: Code,
    pub met: bool,
    pub sentence: String,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
}

/// The kind of a condition. Programs may rely on these names.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = ConditionCode)]
pub enum Code {
    /// The task has not ended and is not a dead letter.
    NotEnded,
    /// No agent holds the task.
    NotHeld,
    GraphSubmitted,
    GraphNotDraining,
    Dependencies,
    Due,
    RetryDelay,
    /// The task is not blocked by an open question.
    Answer,
    /// A registered agent meets the requirements of the task.
    AgentExists,
    /// One of these agents is active and not paused.
    AgentAvailable,
    /// One of these agents has not just failed the task.
    AgentNotExcluded,
    /// One of these agents has a free slot.
    AgentSlot,
    /// One of these agents is below its own limit and budget.
    AgentGate,
    Pause,
    Limit,
    Budget,
    Lock,
    LockReservation,
    /// The task is back in its lane after it waited at a gate.
    InLane,
}

/// The agents of the namespace, and which of them could run the task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = ConsideredAgents)]
pub struct Agents {
    pub registered: usize,
    /// Number of agents that meet the requirements of the task, active or not.
    pub could: usize,
    /// Agents that could run the task come first; only some if there are very many.
    pub items: Vec<AgentView>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = ConsideredAgent)]
pub struct AgentView {
    pub agent: String,
    pub status: AgentStatus,
    pub could: bool,
    /// The reasons why the agent does not take the task; empty if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<AgentReason>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AgentReason {
    pub code: AgentCode,
    pub sentence: String,
}

/// Why an agent does not take a task. Programs may rely on these names.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AgentCode {
    Type,
    Target,
    Excluded,
    Capability,
    Model,
    TaskType,
    Draining,
    Offline,
    Paused,
    FailedLately,
    NoFreeSlot,
    Limit,
    Budget,
}

/// The position of a ready task among its competitors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Position {
    /// Number of tasks that would be handed out earlier; a lower bound if `more` is true.
    pub ahead: usize,
    /// The count stopped at its limit.
    pub more: bool,
    /// The best ranked of these tasks.
    pub first: Vec<TaskId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Wait {
    pub seconds: i64,
    /// The data that the estimate is based on.
    pub basis: String,
}

/// An effective priority and its parts, in points; a smaller number runs first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = EffectivePriority)]
pub struct Priority {
    /// The time for which the priority was computed.
    pub at: Timestamp,
    pub effective: f64,
    pub base: f64,
    /// Points subtracted for the age of the task.
    pub age: f64,
    /// Points subtracted for the deadline of the task.
    pub deadline: f64,
    /// Points subtracted for the tasks that wait for this one.
    pub critical_path: f64,
}

/// The running attempt, or the last one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = ExplainedClaim)]
pub struct Claim {
    pub agent: String,
    pub epoch: i32,
    pub claimed_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// Time until the lease expires without a heartbeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in_ms: Option<i64>,
    /// How the attempt ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Why this agent has the task.
    pub why: String,
}

/// What the facts mean. The table of prices knows whose models they are.
pub fn explain(facts: &Facts, prices: &PriceTable) -> Explanation {
    let looked_at = agents::look_at(facts);
    let may_wait = conditions::is_on_its_way(facts.state);
    let conditions = conditions_of(facts);
    let cause = facts.cause.as_ref();
    let cause = cause.map(|cause| (explain(&cause.facts, prices), &cause.through));
    let is_free = may_wait && conditions.iter().all(|condition| condition.met);
    let mut free: Vec<(&AgentFacts, &AgentView)> = facts.agents.iter().zip(&looked_at).collect();
    free.retain(|(_, view)| is_free && view.reasons.is_empty());
    // Workers take it by themselves, so they are named first.
    free.sort_by_key(|(agent, _)| agent.is_by_hand);
    let claimable_by: Vec<String> = free.iter().map(|(_, view)| view.agent.clone()).collect();
    let counted_at = match &facts.held {
        Some(held) if !may_wait => held.claimed_at,
        _ => facts.now,
    };
    let position = waiting::position(facts);
    Explanation {
        task: facts.task,
        status: facts.state,
        at: facts.now,
        summary: words::summary(
            facts,
            &conditions,
            &claimable_by,
            position.as_ref(),
            cause.as_ref().map(|(cause, _)| cause),
        ),
        cause: cause.map(|(cause, through)| Cause {
            task: cause.task,
            status: cause.status,
            summary: cause.summary,
            through: through.iter().take(MOST_NAMED).copied().collect(),
        }),
        wait: waiting::wait(facts, &looked_at, &conditions),
        claimable_by,
        priority: priority(counted_at, facts.urgency.composition(counted_at)),
        claim: facts.held.as_ref().map(|held| words::claim(facts, held)),
        attempt_matrix: attempt_matrix(&facts.history, prices),
        next: remedy::next(facts, &conditions),
        agents: agents::view(looked_at),
        conditions,
        position,
    }
}

/// Every condition between the task and an agent.
fn conditions_of(facts: &Facts) -> Vec<Condition> {
    let mut conditions = conditions::of_the_task(facts);
    if conditions::is_on_its_way(facts.state) {
        conditions.extend(agents::conditions(facts, &agents::look_at(facts)));
        conditions.extend(gates::conditions(facts));
    }
    conditions
}

fn priority(at: Timestamp, parts: Composition) -> Priority {
    Priority {
        at,
        effective: points(parts.effective()),
        base: points(parts.base),
        age: points(parts.age),
        deadline: points(parts.deadline),
        critical_path: points(parts.critical_path),
    }
}

/// Two decimals are enough for people.
#[expect(
    clippy::cast_precision_loss,
    reason = "ten thousands of points at the most"
)]
fn points(micro_points: i64) -> f64 {
    (micro_points as f64 / 10_000.0).round() / 100.0
}

#[cfg(test)]
mod tests;
