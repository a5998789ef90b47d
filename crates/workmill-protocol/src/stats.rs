//! How much there is.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// `GET /v1/stats`: number of tasks by status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Stats {
    /// Tasks of drafts.
    pub created: PlaceCount,
    /// Waiting for a dependency. Those that only wait for their time are `due`.
    pub pending: PlaceCount,
    pub ready: PlaceCount,
    /// Ready, but held back by a limit, a budget, a lock or a pause.
    pub gated: PlaceCount,
    /// Retries and scheduled tasks that wait for their time.
    pub due: PlaceCount,
    /// Held by an agent: claimed, running, validating, or told to stop without a confirmation yet.
    pub held: PlaceCount,
    pub blocked: PlaceCount,
    pub dead_lettered: PlaceCount,
    /// Completed, cancelled or stale.
    pub finished: PlaceCount,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlaceCount {
    pub tasks: i64,
    /// False: the count stopped at its limit, and `tasks` is a lower bound.
    pub is_whole: bool,
}
