//! Questions: what blocked tasks wait for, and what they were answered.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use workmill_core::ids::{GraphId, ProjectId, TaskId};
use workmill_core::schema::Json;

pub use workmill_core::question::WaitsFor;

/// What a blocked task waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Blocked {
    pub waits_for: WaitsFor,
    /// The question as the agent asked it: at most 64 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json)]
    pub question: Option<Value>,
    pub since: Timestamp,
    /// The time at which the wait ends as a failed attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// An answer with the question that it answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Answered {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<WaitsFor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json)]
    pub question: Option<Value>,
    /// The answer.
    #[schema(value_type = Json)]
    pub input: Value,
    pub answered_by: String,
    pub answered_at: Timestamp,
}

/// `GET /v1/questions`
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuestions {
    /// Items per page: 50 by default, at most 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<usize>,
    /// The `next_cursor` of the previous page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// The answer of `GET /v1/questions`: soonest expiry first, those without an expiry last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QuestionList {
    pub items: Vec<Question>,
    pub next_cursor: Option<String>,
}

/// A question that a person can answer: `POST /v1/tasks/{task_id}/answer`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Question {
    pub task_id: TaskId,
    pub dag_id: GraphId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_id: Option<ProjectId>,
    #[serde(rename = "type")]
    pub task_type: String,
    pub title: String,
    /// The agent that asked; for a `stale_check`, the one whose lease ran out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(flatten)]
    pub blocked: Blocked,
}
