//! Why a task is not running, or runs where it does. The words of the rules are those of the wire.

/// The answer of `GET /v1/tasks/{id}/explain`.
pub use workmill_core::attempt_matrix::{AttemptMatrix, Count, Ending, Hours, Line, Suspect};
pub use workmill_core::explain::Explanation;
pub use workmill_core::explain::{
    AgentCode, AgentReason, AgentView, Agents, Claim, Code, Condition, Position, Priority, Wait,
};
