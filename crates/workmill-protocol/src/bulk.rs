//! Changing all tasks that fit a filter.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workmill_core::bounded::{MOST_CHOICES, up_to};
use workmill_core::ids::{GraphId, ProjectId, TaskId};
use workmill_core::lifecycle::State;
use workmill_core::priority::{Class, Priority};

use crate::dead_letters::Unfit;
use crate::usage::is_false;
use workmill_core::schema::{Title, Word};

/// A filter over tasks; every member is optional.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct TaskFilter {
    /// Tasks in one of these states; all states if empty.
    #[serde(
        deserialize_with = "up_to::<{ MOST_CHOICES }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(max_items = 50)]
    pub status: Vec<State>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub task_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub tag: Option<String>,
    /// The agent that holds the task, that the task is addressed to, or, for an ended task or a
    /// dead letter, that worked on it last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub agent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<GraphId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub created_by: Option<String>,
    /// The source of the task: `cron` of `cron:nightly`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority_tier: Option<Class>,
    /// Submitted at this time or later.
    #[serde(
        deserialize_with = "workmill_core::moment::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub since: Option<Timestamp>,
    /// Submitted at this time or earlier.
    #[serde(
        deserialize_with = "workmill_core::moment::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub until: Option<Timestamp>,
    /// A part of the title; upper and lower case are equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub q: Option<String>,
}

/// `POST /v1/bulk`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangeTasks {
    /// Required; `{}` matches all.
    pub filter: TaskFilter,
    pub action: Action,
    /// For `reprioritise`: a number, or the name of a class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// For `tag` and `untag`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub tag: Option<String>,
    /// The reason; kept in the audit log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Title>)]
    pub note: Option<String>,
    /// Dry run: changes nothing and returns what would happen.
    #[serde(default, skip_serializing_if = "is_false")]
    pub dry_run: bool,
    /// Ignore tasks that were submitted later than this: the `moment` of the dry run or of the previous
    /// call. The current time by default.
    #[serde(
        default,
        deserialize_with = "workmill_core::moment::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub moment: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = BulkAction)]
pub enum Action {
    Cancel,
    /// Retry dead letters with a fresh count of attempts.
    Retry,
    /// Needs `priority`.
    Reprioritise,
    /// Needs `tag`.
    Tag,
    /// Needs `tag`.
    Untag,
}

/// The answer to `POST /v1/bulk` without `dry_run`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangedTasks {
    /// Number of changed tasks in this call.
    pub changed: usize,
    /// Another request changed the object first.
    pub skipped: usize,
    /// The edit is not possible for these tasks; they stay unchanged.
    #[serde(default, skip_serializing_if = "Unfit::is_none")]
    pub unfit: Unfit,
    /// The call stopped early: repeat it with the same `moment`.
    pub more: bool,
    pub moment: Timestamp,
}

/// The answer to `POST /v1/bulk` with `dry_run`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangePreview {
    /// Number of tasks that would change.
    pub count: usize,
    /// False: the scan stopped at its limit, and all numbers are lower bounds.
    pub is_whole: bool,
    /// The time of this dry run: name it in the call that makes the change.
    pub moment: Timestamp,
    /// Number of tasks by current status.
    pub statuses: BTreeMap<State, usize>,
    /// Number of tasks by their status after the change.
    pub becoming: BTreeMap<State, usize>,
    pub types: BTreeMap<String, usize>,
    /// The first of these tasks.
    pub sample: Vec<TaskId>,
}
