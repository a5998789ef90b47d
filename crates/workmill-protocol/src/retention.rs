//! How long finished tasks are kept.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workmill_core::lifecycle::State;

/// `GET` and `PUT /v1/retention`: the age at which finished tasks are deleted; null: never.
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

/// The answer with `?dry_run=true`: the tasks that would be deleted now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RetentionPreview {
    /// Number of tasks by final status.
    pub tasks: BTreeMap<State, usize>,
    /// Tasks that are old enough, but whose graph has not ended or that an agent still holds.
    pub kept_for_now: usize,
    /// False: the scan stopped at its limit, and all numbers are lower bounds.
    pub is_whole: bool,
}
