//! Graphs: created in one call, looked at whole.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workmill_core::bounded::{MOST_TASKS, up_to};
use workmill_core::graph::GraphStatus;
use workmill_core::ids::{GraphId, ProjectId, TaskId};
use workmill_core::money::Micros;
use workmill_core::task::NewTask;

use crate::query;
use crate::tasks::Task;
use workmill_core::schema::{Amount, GraphStatusList, Title, Word};

/// `POST /v1/graphs`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CreateGraph {
    #[schema(value_type = Title)]
    pub title: String,
    /// None of its tasks runs before `POST /v1/graphs/{id}/submit`.
    #[serde(default)]
    pub draft: bool,
    /// The most that all its attempts together may cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Amount>)]
    pub budget_usd: Option<Micros>,
    /// The project of its tasks too, unless they name another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_id: Option<ProjectId>,
    /// The creator of the graph, and of its tasks unless they name another one:
    /// `human:NAME`, `cron:NAME` or `agent:NAME`; by default the creator that all its tasks name, or
    /// the name of the key. Only orchestrators, operators and admins may set it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub created_by: Option<String>,
    #[serde(deserialize_with = "up_to::<{ MOST_TASKS }, _, _>")]
    #[schema(min_items = 1, max_items = 10_000)]
    pub tasks: Vec<NewTask>,
}

/// `POST /v1/graphs/{id}/tasks`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GrowGraph {
    #[serde(deserialize_with = "up_to::<{ MOST_TASKS }, _, _>")]
    #[schema(min_items = 1, max_items = 10_000)]
    pub tasks: Vec<NewTask>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreatedGraph {
    pub id: GraphId,
    pub status: GraphStatus,
    /// Ids by the names of the request; a task without a name has its position as its name, `#0`.
    pub tasks: BTreeMap<String, TaskId>,
    pub roots: Vec<TaskId>,
    pub leaves: Vec<TaskId>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Graph {
    pub id: GraphId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_id: Option<ProjectId>,
    pub title: String,
    pub status: GraphStatus,
    pub created_by: String,
    pub created_at: Timestamp,
    /// Tasks without dependencies.
    #[serde(default)]
    pub roots: Vec<TaskId>,
    /// Tasks without dependents.
    #[serde(default)]
    pub leaves: Vec<TaskId>,
    pub tasks: Vec<Task>,
    pub cost_usd: f64,
    /// The most that all its attempts together may cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_ceiling_usd: Option<Micros>,
    /// Cost of its attempts so far, as their agents reported it.
    #[serde(default)]
    pub spent_usd: f64,
}

/// `POST /v1/graphs/{id}/cancel`
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CancelGraph {
    pub mode: CancelMode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CancelMode {
    /// Running tasks are told to stop.
    #[default]
    Now,
    /// Running tasks finish; no other task starts.
    Drain,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CancelledGraph {
    pub id: GraphId,
    /// Number of cancelled tasks.
    pub cancelled: usize,
}

/// The answer to `POST /v1/graphs/{id}/retry`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RetriedGraph {
    pub id: GraphId,
    /// Number of its dead letters that are retried.
    pub retried: usize,
    /// The call stopped early: repeat it.
    pub more: bool,
}

/// `GET /v1/graphs`, newest first: every filter is optional.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListGraphs {
    /// One or several, separated by commas.
    #[serde(with = "query", skip_serializing_if = "Vec::is_empty")]
    #[param(value_type = Option<GraphStatusList>)]
    pub status: Vec<GraphStatus>,
    /// A part of the title; upper and lower case are equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Word>)]
    pub q: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectId>,
    /// The name of the key that created them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Word>)]
    pub created_by: Option<String>,
    /// Created at this time or later.
    #[serde(
        deserialize_with = "workmill_core::moment::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub since: Option<Timestamp>,
    /// Created at this time or earlier.
    #[serde(
        deserialize_with = "workmill_core::moment::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub until: Option<Timestamp>,
    /// Items per page: 50 by default, at most 500.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 500)]
    pub limit: Option<usize>,
    /// The `next_cursor` of the previous page, with the same filters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// The answer of `GET /v1/graphs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GraphList {
    /// Newest first. A page can have fewer items than `limit`, or none, although `next_cursor`
    /// points to more.
    pub items: Vec<GraphSummary>,
    #[serde(default)]
    pub next_cursor: Option<String>,
}

/// A graph as a list shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GraphSummary {
    pub id: GraphId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_id: Option<ProjectId>,
    pub title: String,
    pub status: GraphStatus,
    pub created_by: String,
    pub created_at: Timestamp,
    pub counts: GraphCounts,
    /// Cost of the ended attempts.
    pub cost_usd: Micros,
}

/// Number of tasks of a graph by status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GraphCounts {
    /// All tasks.
    pub tasks: i32,
    pub completed: i32,
    pub cancelled: i32,
    pub stale: i32,
    pub dead_lettered: i32,
    /// Waiting for a dependency, or in a draft.
    pub waiting: i32,
    /// All other tasks: ready, running, blocked, or waiting for their time.
    pub moving: i32,
}
