//! Listing tasks by what is known of them without their history.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workmill_core::ids::{GraphId, ProjectId, TaskId};
use workmill_core::lifecycle::State;
use workmill_core::list::Order;
use workmill_core::money::Micros;
use workmill_core::priority::{Class, Priority};

use crate::query;
use crate::usage::is_false;
use workmill_core::question::WaitsFor;
use workmill_core::schema::{StatusList, Word};

/// `GET /v1/tasks`: every filter is optional.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListTasks {
    /// One or several, separated by commas.
    #[serde(with = "query", skip_serializing_if = "Vec::is_empty")]
    #[param(value_type = Option<StatusList>)]
    pub status: Vec<State>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Word>)]
    pub task_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Word>)]
    pub tag: Option<String>,
    /// The agent that holds the task, that the task is addressed to, or, for an ended task, that
    /// worked on it last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Word>)]
    pub agent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<GraphId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Word>)]
    pub created_by: Option<String>,
    /// The source of the task: `cron` of `cron:nightly`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Word>)]
    pub source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority_tier: Option<Class>,
    /// Submitted at this time or later.
    #[serde(
        deserialize_with = "workmill_core::moment::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub since: Option<Timestamp>,
    /// A part of the title; upper and lower case are equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Word>)]
    pub q: Option<String>,
    /// Default: oldest first; with a status, the internal order of that status. `ended` requires a
    /// status in which tasks end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(inline)]
    pub sort: Option<Order>,
    /// Items per page: 50 by default, at most 500.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 500)]
    pub limit: Option<usize>,
    /// The `next_cursor` of the previous page, with the same filters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Also return the number of matching tasks.
    #[serde(skip_serializing_if = "is_false")]
    pub count: bool,
}

/// The answer of `GET /v1/tasks`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TaskList {
    /// In the order of `sort`. A page can have fewer items than `limit`, or none, although
    /// `next_cursor` points to more.
    pub items: Vec<TaskSummary>,
    pub next_cursor: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
}

/// The number of matching tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Count {
    pub tasks: usize,
    /// False: the count stopped at its limit, and `tasks` is a lower bound.
    pub is_whole: bool,
}

/// A task in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TaskSummary {
    pub id: TaskId,
    pub dag_id: GraphId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_id: Option<ProjectId>,
    pub status: State,
    #[serde(rename = "type")]
    pub task_type: String,
    pub title: String,
    pub priority: Priority,
    pub priority_tier: Class,
    #[serde(default)]
    pub tags: Vec<String>,
    pub created_at: Timestamp,
    pub created_by: String,
    /// Attempts that count against `max_attempts`.
    pub attempts_counted: i32,
    /// The agent that holds it; of a task that has ended, the one that worked on it last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_agent: Option<String>,
    /// The task's `key`: the planner's own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// What it waits for, while it is blocked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<WaitsFor>,
    /// The task does not start before this time: its retry time or scheduled time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_at: Option<Timestamp>,
    /// Cost of the ended attempts.
    pub cost_usd: Micros,
}
