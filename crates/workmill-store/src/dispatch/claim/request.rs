//! What agents ask for, and how they are answered.

use uuid::Uuid;
use workmill_core::lane::Selection;

use super::claimed::Claimed;

/// What one agent asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRequest {
    pub key: Uuid,
    pub agent: String,
    /// At most this many tasks; never more than the agent has free slots.
    pub most: i32,
    /// Claim and start in one step.
    pub start: bool,
    /// A repeated request with the same id returns the tasks of the first one.
    pub request: Option<Uuid>,
    /// How long its leases last without a heartbeat; by default the task decides.
    pub lease_ms: Option<i64>,
    /// Which of the tasks that match the agent it wants.
    pub selection: Selection,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimRefusal {
    UnknownAgent,
    /// The agent was registered by another key.
    ForeignAgent,
    /// The agent is draining or offline.
    NotActive,
}

pub type ClaimAnswer = Result<Vec<Claimed>, ClaimRefusal>;
