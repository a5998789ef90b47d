//! What a claim would return: the same order, the same gates, nothing taken.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::gate_decision::GateDecisions;
use crate::admission::{Candidate, Decision};
use crate::ids::TaskId;

/// The tasks that a claim of an agent would return now, and those that it would pass over.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct WouldClaim {
    /// Why the agent would get no task at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// The tasks in the order in which they would be handed out.
    pub tasks: Vec<TaskId>,
    /// Tasks that rank before the last of `tasks`, but are held back by a gate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<StoppedAt>,
    /// The search stopped early because gates held back too many tasks: a claim could return more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut_off: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ClaimRefusal)]
pub enum Refusal {
    UnknownAgent,
    /// The agent is draining or offline.
    NotActive,
    Paused,
    NoFreeSlot,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StoppedAt {
    pub task: TaskId,
    /// The name of the gate: `limit:type:review`.
    pub gate: String,
}

/// Shares out tasks that come in the order of their effective priority, to one agent.
#[derive(Debug)]
pub struct DryRun<'a> {
    pub agent: &'a str,
    /// How many it would take: what it asks for, at most its free slots.
    pub wanted: usize,
    pub gate_decisions: GateDecisions,
    pub now: Timestamp,
    pub would: WouldClaim,
}

impl DryRun<'_> {
    pub fn is_done(&self) -> bool {
        self.would.tasks.len() >= self.wanted
    }

    /// Offers the next task in the order: it is handed out if it passes its gates.
    pub fn offer(&mut self, candidate: &Candidate<'_>) {
        match self.gate_decisions.decide(candidate, self.agent, self.now) {
            Decision::Stopped(ask) | Decision::NotThisAgent(ask) => {
                self.would.stopped.push(StoppedAt {
                    task: candidate.task,
                    gate: ask.gate.to_string(),
                });
            }
            Decision::Passes => {
                self.gate_decisions.take(candidate, self.agent, self.now);
                self.would.tasks.push(candidate.task);
            }
        }
    }
}
