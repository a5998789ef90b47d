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

/// Which tasks; what is not named does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct TaskFilter {
    /// In one of these; none: in any.
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
    /// Holds the task, or is the one that it is addressed to.
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
    /// Where the work comes from: `cron` of `cron:nightly`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority_tier: Option<Class>,
    /// Submitted at this moment or later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// Submitted at this moment or earlier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
    /// A part of the title, in capitals or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub q: Option<String>,
}

/// `POST /v1/bulk`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangeTasks {
    /// Has to be there; `{}` means all.
    pub filter: TaskFilter,
    pub action: Action,
    /// For `reprioritise`: 0 to 100, or the name of a class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// For `tag` and `untag`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub tag: Option<String>,
    /// Why; kept with the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Title>)]
    pub note: Option<String>,
    /// Only say what would happen.
    #[serde(default, skip_serializing_if = "is_false")]
    pub dry_run: bool,
    /// Leave alone what came in later: the `moment` that the dry run or the call before this one has
    /// answered. Now, unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = BulkAction)]
pub enum Action {
    Cancel,
    /// Dead letters go round again, with all their attempts anew.
    Retry,
    /// With `priority`.
    Reprioritise,
    /// With `tag`.
    Tag,
    /// With `tag`.
    Untag,
}

/// The answer to `POST /v1/bulk` without `dry_run`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangedTasks {
    /// In this call.
    pub changed: usize,
    /// Somebody else was faster.
    pub skipped: usize,
    /// They cannot be edited like this and stay as they are.
    #[serde(default, skip_serializing_if = "Unfit::is_none")]
    pub unfit: Unfit,
    /// The call has ended before everything was done: repeat it with the same `moment`.
    pub more: bool,
    pub moment: Timestamp,
}

/// The answer to `POST /v1/bulk` with `dry_run`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangePreview {
    /// Tasks that would be changed.
    pub count: usize,
    /// False: there are more than were looked at, and all numbers are lower bounds.
    pub is_whole: bool,
    /// Of this moment it speaks: name it when carrying it out.
    pub moment: Timestamp,
    /// By the status they have.
    pub statuses: BTreeMap<State, usize>,
    /// By the status they would have.
    pub becoming: BTreeMap<State, usize>,
    pub types: BTreeMap<String, usize>,
    /// The first of them.
    pub sample: Vec<TaskId>,
}
