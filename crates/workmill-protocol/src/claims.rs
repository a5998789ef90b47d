//! Claiming work.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;
use workmill_core::bounded::{MOST_WORDS, up_to};
use workmill_core::ids::{GraphId, LeaseId, TaskId};
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::policy::Profile;
use workmill_core::task::NewTask;

/// The answer to `POST /v1/claims/preview`.
pub use workmill_core::explain::dry_run::WouldClaim;

use crate::questions::Answered;
use crate::tasks::Attempt;
use workmill_core::schema::{Json, PlainName, Word};

/// `POST /v1/claims`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClaimTasks {
    #[schema(value_type = PlainName)]
    pub agent: String,
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 1000)]
    pub max: i32,
    /// How long to wait for a task, at most 50,000.
    #[serde(default)]
    #[schema(maximum = 50_000)]
    pub wait_ms: u64,
    /// Claim and start in one call.
    #[serde(default)]
    pub start: bool,
    /// A UUID that the caller chooses. A repeated call with the same value returns the claims of the
    /// first call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<Uuid>,
    /// Length of the leases; replaces the value of the tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 86_400)]
    pub lease_sec: Option<u64>,
    /// Only tasks of these types, of those that the agent takes.
    #[serde(
        default,
        deserialize_with = "up_to::<{ MOST_WORDS }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(value_type = Vec<Word>, max_items = 100)]
    pub task_types: Vec<String>,
    /// Only tasks of this profile: those of a plan have the profile `task`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
}

impl ClaimTasks {
    /// A claim of one task that answers at once.
    pub fn new(agent: impl Into<String>) -> Self {
        ClaimTasks {
            agent: agent.into(),
            max: one(),
            wait_ms: 0,
            start: false,
            request_id: None,
            lease_sec: None,
            task_types: Vec::new(),
            profile: None,
        }
    }
}

/// The claim of the next tasks with the end of a lease, for the agent of that lease. It does not wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NextClaim {
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 1000)]
    pub max: i32,
    /// Claim and start in one call.
    #[serde(default)]
    pub start: bool,
    /// A UUID that the caller chooses. A repeated call with the same value returns the claims of the
    /// first call; without it, a repeated call for the same lease does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<Uuid>,
    /// Length of the leases; replaces the value of the tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 86_400)]
    pub lease_sec: Option<u64>,
    /// Only tasks of these types, of those that the agent takes.
    #[serde(
        default,
        deserialize_with = "up_to::<{ MOST_WORDS }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(value_type = Vec<Word>, max_items = 100)]
    pub task_types: Vec<String>,
}

impl Default for NextClaim {
    /// A claim of one task.
    fn default() -> Self {
        NextClaim {
            max: one(),
            start: false,
            request_id: None,
            lease_sec: None,
            task_types: Vec::new(),
        }
    }
}

/// `POST /v1/claims/preview`: the tasks that a claim would return now. Claims nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PreviewClaim {
    #[schema(value_type = PlainName)]
    pub agent: String,
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 1000)]
    pub max: i32,
    /// Only tasks of these types, of those that the agent takes.
    #[serde(
        default,
        deserialize_with = "up_to::<{ MOST_WORDS }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(value_type = Vec<Word>, max_items = 100)]
    pub task_types: Vec<String>,
    /// Only tasks of this profile: those of a plan have the profile `task`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ClaimedTasks {
    pub claims: Vec<ClaimedTask>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ClaimedTask {
    /// The lease; every further call for this attempt names it.
    pub lease: LeaseId,
    pub epoch: i32,
    /// Number of counted attempts, including this one.
    pub attempt: i32,
    pub status: State,
    pub expires_in_ms: i64,
    pub heartbeat_ms: i64,
    /// The time until the deadline of the task, if it has one; a heartbeat after it answers `stop`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_in_ms: Option<i64>,
    pub task: TaskToDo,
    pub context: Context,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TaskToDo {
    pub id: TaskId,
    pub dag_id: GraphId,
    pub created_at: Timestamp,
    pub created_by: String,
    #[serde(flatten)]
    pub asked: NewTask,
}

/// The context of the task.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Context {
    /// The models to use: the preferred models, or the fallback models.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    pub dependency_results: Vec<DependencyResult>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<ResolvedReference>,
    pub earlier_attempts: Vec<Attempt>,
    /// The last checkpoint of an earlier attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json)]
    pub checkpoint: Option<Value>,
    /// Questions of earlier attempts with their answers, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answered>,
    #[serde(skip_serializing_if = "RemainingBudget::is_unlimited")]
    pub budget: RemainingBudget,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DependencyResult {
    pub task: TaskId,
    /// Its name in the graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default)]
    pub title: String,
    #[serde(default, rename = "type")]
    pub task_type: String,
    pub status: State,
    /// Null if the task did not complete, or if `left_out` is true.
    #[schema(value_type = Json)]
    pub output: Value,
    /// References to its artifacts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Json>)]
    pub artifacts: Vec<Value>,
    /// The output exists, but is too large for the claim: fetch it from `output_url`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub left_out: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_url: Option<String>,
    /// Size of the output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_bytes: Option<usize>,
}

/// Money that may still be spent, including the amount that is reserved for this attempt; only
/// budgets that are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct RemainingBudget {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_usd: Option<Micros>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph_usd: Option<Micros>,
    /// The rest of the task's own `max_cost_usd`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_usd: Option<Micros>,
}

impl RemainingBudget {
    pub fn is_unlimited(&self) -> bool {
        *self == RemainingBudget::default()
    }
}

/// The targets of the task's `context_refs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ResolvedReference {
    pub reference: String,
    /// Status of the referenced task. Absent for an artifact, and if the task no longer exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<State>,
    /// Null unless `status` is `completed`, or if `left_out` is true.
    #[schema(value_type = Json)]
    pub output: Value,
    /// Artifacts of the referenced task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Json>)]
    pub artifacts: Vec<Value>,
    /// The data is not included: fetch an artifact by its reference, a large output from
    /// `output_url`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub left_out: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_bytes: Option<usize>,
}

fn one() -> i32 {
    1
}
