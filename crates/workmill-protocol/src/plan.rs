//! A planner's list, and what it changed.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A line of the list.
pub use workmill_core::plan::{PlanLine, PlanStatus};

/// The answer to `POST /v1/plan-sync`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct SyncedPlan {
    pub inserted: usize,
    pub updated: usize,
    pub deleted: usize,
    /// Number of listed tasks that are done and stay unchanged.
    pub skipped_done: usize,
    /// Number of listed tasks without a change.
    pub unchanged: usize,
    /// The change of each task; only with `dry_run`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<PlanChange>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlanChange {
    pub id: String,
    pub action: PlanAction,
    /// The fields that would change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanAction {
    Insert,
    Update,
    Delete,
}

impl PlanAction {
    pub const fn name(self) -> &'static str {
        match self {
            PlanAction::Insert => "insert",
            PlanAction::Update => "update",
            PlanAction::Delete => "delete",
        }
    }
}
