//! Submitting tasks and looking at them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use workmill_core::attempt::Outcome;
use workmill_core::bounded::{MOST_TASKS, up_to};
use workmill_core::failure::Reason;
use workmill_core::ids::{GraphId, ProjectId, TaskId};
use workmill_core::lifecycle::State;
use workmill_core::output::OutputType;
use workmill_core::task::NewTask;

use crate::questions::{Answered, Blocked};
use crate::usage::{UsageShown, is_false};
use workmill_core::schema::{Json, TaskChanges, Title};

/// `POST /v1/tasks`: one task, or several in one transaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum SubmitTasks {
    Several {
        #[serde(deserialize_with = "up_to::<{ MOST_TASKS }, _, _>")]
        tasks: Vec<NewTask>,
    },
    One(Box<NewTask>),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SubmittedTasks {
    pub tasks: Vec<SubmittedTask>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SubmittedTask {
    pub id: TaskId,
    pub dag_id: GraphId,
    /// Priority points that the task gains per minute: the requested value, rounded to 0, 0.01, 0.1, 1 or 10.
    #[serde(default)]
    pub priority_boost_per_minute: f64,
}

/// `POST /v1/tasks/{id}/answer`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AnswerTask {
    #[schema(value_type = Json)]
    pub input: Value,
}

/// The answer to calls that change the status of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskStatus {
    pub id: TaskId,
    pub status: State,
}

/// `POST /v1/dead-letters/{task}/resolve`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ResolveDeadLetter {
    pub resolution: Resolution,
    /// A JSON merge patch over the task, for `modify_and_retry`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = TaskChanges)]
    pub changes: Map<String, Value>,
    /// The reason; kept with the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Title>)]
    pub note: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    Retry,
    Cancel,
    /// Needs `changes`.
    ModifyAndRetry,
}

/// The current state of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Task {
    pub id: TaskId,
    pub dag_id: GraphId,
    /// Its own project, or that of its graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_id: Option<ProjectId>,
    pub status: State,
    /// The version of the spec; grows with every edit, and `If-Match` compares it.
    pub version: i32,
    /// The submitted task.
    pub task: NewTask,
    /// Priority points that the task gains per minute: the requested value, rounded to 0, 0.01, 0.1, 1 or 10.
    #[serde(default)]
    pub priority_boost_per_minute: f64,
    /// The task that spawned it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<TaskId>,
    pub depends_on: Vec<TaskId>,
    /// The dependencies that the task still waits for.
    #[serde(default)]
    pub blocked_by: Vec<TaskId>,
    pub created_at: Timestamp,
    pub created_by: String,
    /// Time of the last change of its state, description or holder.
    pub updated_at: Timestamp,
    /// Start of the running or last attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// When its result was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<Timestamp>,
    /// Reason of the last failed attempt, until the task completes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<Reason>,
    /// Attempts that count against `max_attempts`.
    pub attempts_counted: i32,
    /// The task does not start before this time: its retry time or scheduled time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_at: Option<Timestamp>,
    /// The ended attempts, oldest first.
    pub attempts: Vec<Attempt>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<RunningAttempt>,
    /// What it waits for, while it is blocked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Blocked>,
    /// Its questions with their answers, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answered>,
    /// The output of a completed task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<TaskOutput>,
    /// Cost of all attempts, including the running one and late reports.
    pub cost_usd: f64,
    #[serde(default)]
    pub tokens_used: TokensUsed,
    /// Some tokens have no known price: the true cost is higher.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unpriced: bool,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct TaskOutput {
    /// The requested type of output, if there is one.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub output_type: Option<OutputType>,
    /// The output, up to 256 KiB; null if it is larger. In a graph of more than 128 tasks the bound is lower: 32 MiB
    /// divided by the number of tasks, at least 4 KiB.
    #[schema(value_type = Json)]
    pub data: Value,
    /// The address of the whole output, if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_url: Option<String>,
    /// Size of an output that is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_bytes: Option<usize>,
    /// References to artifacts, as the agent gave them.
    #[serde(default)]
    #[schema(value_type = Vec<Json>)]
    pub artifacts: Vec<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct TokensUsed {
    pub input: i64,
    pub output: i64,
    /// The part of the input tokens that came from a model's cache.
    #[serde(default)]
    pub cached_input: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Attempt {
    pub epoch: i32,
    pub agent: String,
    pub outcome: Outcome,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What the agent sent besides the message; for a command of `workmill agent run` its standard
    /// error as `stderr`. A task shows up to 256 KiB of details, a claim up to 64 KiB, those of the
    /// newest attempts first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json)]
    pub details: Option<Value>,
    /// There are details, but they are too large to be here.
    #[serde(default, skip_serializing_if = "is_false")]
    pub details_left_out: bool,
    pub claimed_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    pub ended_at: Timestamp,
    pub duration_sec: f64,
    /// Cost beyond earlier rows with the same epoch, so that costs can be added up.
    pub cost_usd: f64,
    /// The whole usage since the claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<UsageShown>,
    /// The result that the agent sent after the attempt had ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<LateResult>,
}

/// A result that came after its attempt had ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LateResult {
    pub at: Timestamp,
    pub outcome: Outcome,
    /// The result became the outcome of the task. `POST /v1/tasks/{id}/adopt` does the same for a
    /// result that was not accepted.
    pub accepted: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adopted_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adopted_at: Option<Timestamp>,
    /// The output, up to 64 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json)]
    pub output: Option<Value>,
    /// The address of the whole output, if it is larger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_url: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Json>)]
    pub artifacts: Vec<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Cost beyond the cost of its attempt.
    pub cost_usd: f64,
}

/// `POST /v1/tasks/{id}/adopt`
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct AdoptResult {
    /// The attempt whose result to adopt; needed only if several results came late.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub epoch: Option<i32>,
    /// The reason; kept in the audit log.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Title>)]
    pub note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RunningAttempt {
    pub epoch: i32,
    #[serde(rename = "agent_id", alias = "agent")]
    pub agent: String,
    pub claimed_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    pub heartbeat_at: Timestamp,
    /// The interval of the agent's heartbeats.
    #[serde(default)]
    pub heartbeat_interval_sec: f64,
    /// When the lease expires without a heartbeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease_expires_at: Option<Timestamp>,
    /// The last progress that the agent reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json)]
    pub progress: Option<Value>,
    /// Cost that the agent has reported so far.
    #[serde(default)]
    pub cost_usd: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<UsageShown>,
}
