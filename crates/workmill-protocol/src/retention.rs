//! How long finished tasks are kept.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workmill_core::lifecycle::State;

/// `GET` and `PUT /v1/retention`: how long tasks are kept after they have ended; null: for ever.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Retention {
    #[schema(minimum = 0.0, maximum = 3_153_600_000.0)]
    pub completed_sec: Option<f64>,
    #[schema(minimum = 0.0, maximum = 3_153_600_000.0)]
    pub cancelled_sec: Option<f64>,
    #[schema(minimum = 0.0, maximum = 3_153_600_000.0)]
    pub stale_sec: Option<f64>,
}

/// The answer with `?dry_run=true`: what would go now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RetentionPreview {
    /// By the status that they ended in.
    pub tasks: BTreeMap<State, usize>,
    /// Old enough, but their graph has not ended or an agent still holds them.
    pub kept_for_now: usize,
    /// False: there are more than were looked at, and all numbers are lower bounds.
    pub is_whole: bool,
}
