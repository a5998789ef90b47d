//! Dead letters: tasks that wait for somebody's decision.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};
use workmill_core::attempt::Outcome;
use workmill_core::failure::Reason;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
pub use workmill_core::resolution::Decided;
use workmill_core::verdict::DeadLetterCause;

pub use crate::tasks::{Resolution, ResolveDeadLetter};
use crate::usage::is_false;
use workmill_core::schema::{Fingerprint, Json, TaskChanges, Title, Word};

/// `GET /v1/dead-letters`: every filter is optional.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListDeadLetters {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Word>)]
    pub task_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Word>)]
    pub tag: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Word>)]
    pub created_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<GraphId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Word>)]
    pub agent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<DeadLetterCause>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Fingerprint>)]
    pub fingerprint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reviewed: Option<bool>,
    #[serde(
        deserialize_with = "workmill_core::moment::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub since: Option<Timestamp>,
    #[serde(
        deserialize_with = "workmill_core::moment::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub until: Option<Timestamp>,
    /// Resolved dead letters instead of those that wait for a decision.
    #[serde(skip_serializing_if = "is_false")]
    pub resolved: bool,
    /// Items per page: 50 by default, at most 500.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 500)]
    pub limit: Option<usize>,
    /// The `next_cursor` of the previous page, with the same filters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// A filter over dead letters; every member is optional.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct DeadLetterFilter {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub task_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub tag: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub created_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<GraphId>,
    /// An agent that failed the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub agent: Option<String>,
    /// Reason of the last failed attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<DeadLetterCause>,
    /// The fingerprint, as a dead letter or a group shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Fingerprint>)]
    pub fingerprint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reviewed: Option<bool>,
    /// Dead-lettered at this time or later.
    #[serde(
        deserialize_with = "workmill_core::moment::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub since: Option<Timestamp>,
    /// Dead-lettered at this time or earlier.
    #[serde(
        deserialize_with = "workmill_core::moment::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub until: Option<Timestamp>,
}

impl From<ListDeadLetters> for DeadLetterFilter {
    fn from(list: ListDeadLetters) -> Self {
        DeadLetterFilter {
            task_type: list.task_type,
            tag: list.tag,
            created_by: list.created_by,
            graph: list.graph,
            agent: list.agent,
            reason: list.reason,
            cause: list.cause,
            fingerprint: list.fingerprint,
            reviewed: list.reviewed,
            since: list.since,
            until: list.until,
        }
    }
}

/// The answer of `GET /v1/dead-letters`, by id; resolved ones by the time of the decision, the
/// newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DeadLetterList {
    /// A page can have fewer items than `limit`, or none, although `next_cursor` points to more.
    pub items: Vec<DeadLetter>,
    pub next_cursor: Option<String>,
}

/// A dead letter with its whole history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DeadLetter {
    pub task_id: TaskId,
    pub dag_id: GraphId,
    #[serde(rename = "type")]
    pub task_type: String,
    pub title: String,
    pub created_by: String,
    /// Why the task is not retried.
    pub cause: String,
    /// Different agents failed the task: the task itself is probably bad.
    pub poison_pill: bool,
    /// Reason of the last failed attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Equal for equal failures. A text, because some JSON readers cannot represent such a large
    /// integer.
    pub fingerprint: String,
    /// All attempts, oldest first.
    pub failure_history: Vec<FailedAttempt>,
    pub total_cost_usd: Micros,
    pub dead_lettered_at: Timestamp,
    pub reviewed: bool,
    /// The decision; null while the task is a dead letter.
    pub resolution: Option<Decided>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Earlier times that the task was a dead letter, latest first, with the decisions. Only if a
    /// single dead letter was requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierDeadLetter>,
    /// Number of tasks that wait for this one.
    pub dependents: i64,
}

/// An earlier time that a task was a dead letter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EarlierDeadLetter {
    pub dead_lettered_at: Timestamp,
    pub cause: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    pub resolution: Option<Decided>,
    pub resolved_by: String,
    pub resolved_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FailedAttempt {
    /// The first one is 1.
    pub attempt: usize,
    pub agent: String,
    pub outcome: Outcome,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    pub error: Option<String>,
    /// What the agent sent besides the message, as in the attempts of the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json)]
    pub details: Option<Value>,
    /// There are details, but they are too large to be here.
    #[serde(default, skip_serializing_if = "is_false")]
    pub details_left_out: bool,
    pub ended_at: Timestamp,
    pub duration_sec: f64,
    pub cost_usd: f64,
}

/// `PATCH /v1/dead-letters/{task}`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReviewDeadLetter {
    pub reviewed: bool,
}

/// The answer of `GET /v1/dead-letters/groups`, the largest groups first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeadLetterGroups {
    pub items: Vec<DeadLetterGroup>,
}

/// A group of dead letters with the same failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeadLetterGroup {
    pub fingerprint: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    pub count: i64,
    pub first_at: Timestamp,
    pub last_at: Timestamp,
    /// The latest task of the group.
    pub example: TaskId,
}

/// `POST /v1/dead-letters/resolve`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ResolveDeadLetters {
    /// Required; `{}` matches all.
    pub filter: DeadLetterFilter,
    pub resolution: Resolution,
    /// A JSON merge patch over each task, for `modify_and_retry`. If it is invalid for one of them,
    /// nothing is changed.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = TaskChanges)]
    pub changes: Map<String, Value>,
    /// The reason; kept with the events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Title>)]
    pub note: Option<String>,
    /// Dry run: changes nothing and returns what would happen.
    #[serde(default, skip_serializing_if = "is_false")]
    pub dry_run: bool,
    /// Ignore tasks that were dead-lettered later than this: the `until` of the dry run or of the
    /// previous call. The current time by default.
    #[serde(
        default,
        deserialize_with = "workmill_core::moment::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub until: Option<Timestamp>,
}

/// The answer to `POST /v1/dead-letters/resolve` without `dry_run`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ResolvedDeadLetters {
    /// Number of resolved dead letters in this call.
    pub resolved: usize,
    /// Another request changed the object first.
    pub skipped: usize,
    /// The changes no longer fit these tasks; they are still dead letters.
    #[serde(default, skip_serializing_if = "Unfit::is_none")]
    pub unfit: Unfit,
    /// The call stopped early: repeat it with the same `until`.
    pub more: bool,
    pub until: Timestamp,
}

/// The answer to `POST /v1/dead-letters/resolve` with `dry_run`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeadLetterPreview {
    pub count: usize,
    /// False: the scan stopped at its limit, and all numbers are lower bounds.
    pub is_whole: bool,
    /// The time of this dry run: name it in the call that makes the change.
    pub until: Timestamp,
    /// Total cost of these tasks so far.
    pub cost_usd: Micros,
    /// Number of tasks that wait for these.
    pub dependents: i64,
    /// Number of tasks by their status after the change.
    pub becoming: BTreeMap<State, usize>,
    /// If there are any, the resolution is refused.
    #[serde(default, skip_serializing_if = "Unfit::is_none")]
    pub unfit: Unfit,
    /// The largest groups.
    pub groups: Vec<DeadLetterGroup>,
    /// Number of groups, including those that are not shown.
    pub groups_in_all: usize,
    /// The first of these tasks.
    pub sample: Vec<TaskId>,
}

/// Tasks that the changes do not fit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct Unfit {
    pub count: usize,
    /// The first of these tasks.
    pub examples: Vec<UnfitTask>,
}

impl Unfit {
    pub fn is_none(&self) -> bool {
        self.count == 0
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UnfitTask {
    pub task: TaskId,
    pub problem: String,
}
