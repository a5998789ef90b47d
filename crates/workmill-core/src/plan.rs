//! A planner's list of tasks: its lines, and its words for what tasks are.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::bounded::{MOST_DEPENDENCIES, MOST_STEPS, up_to};
use crate::lifecycle::State;
use crate::policy::Profile;
use crate::priority::Priority;
use crate::schema::{Json, Text, Title, Word};
use crate::task::{NewTask, Spec};

/// A task of a planner's list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlanLine {
    /// The task's `key`: the planner's own id, unique in the namespace.
    #[schema(value_type = Word)]
    pub id: String,
    /// The document that the task belongs to. A list has to contain all tasks of each document that
    /// it names.
    #[schema(value_type = Word)]
    pub spec_ref: String,
    #[schema(value_type = Title)]
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(value_type = Text)]
    pub description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub category: Option<String>,
    /// Lower numbers come first.
    #[serde(default)]
    pub priority: Priority,
    #[serde(
        default,
        deserialize_with = "up_to::<{ MOST_STEPS }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(value_type = Vec<Json>, max_items = 1_000)]
    pub steps: Vec<Value>,
    /// Ids of tasks that have to be done, or deleted, before this one.
    #[serde(
        default,
        deserialize_with = "up_to::<{ MOST_DEPENDENCIES }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(value_type = Vec<Word>, max_items = 10_000)]
    pub deps: Vec<String>,
}

impl PlanLine {
    /// The task that it asks for; what it depends on is said elsewhere.
    pub fn into_task(self) -> NewTask {
        let mut metadata = Map::new();
        metadata.insert(SPEC_REF.to_owned(), Value::from(self.spec_ref));
        if let Some(category) = self.category {
            metadata.insert(CATEGORY.to_owned(), Value::from(category));
        }
        if !self.steps.is_empty() {
            metadata.insert(STEPS.to_owned(), Value::from(self.steps));
        }
        NewTask {
            title: self.title,
            task_type: TASK_TYPE.to_owned(),
            profile: Profile::Task,
            key: Some(self.id),
            priority: self.priority,
            spec: Spec {
                prompt: self.description,
                ..Spec::default()
            },
            metadata: Value::Object(metadata),
            ..NewTask::default()
        }
    }

    /// The line that a task would be, without what it depends on; those without a planner's id have
    /// none.
    pub fn of(task: &NewTask) -> Option<PlanLine> {
        let said = |name: &str| task.metadata.get(name);
        let text = |name: &str| said(name).and_then(Value::as_str).map(str::to_owned);
        Some(PlanLine {
            id: task.key.clone()?,
            spec_ref: text(SPEC_REF).unwrap_or_default(),
            title: task.title.clone(),
            description: task.spec.prompt.clone(),
            category: text(CATEGORY),
            priority: task.priority,
            steps: said(STEPS)
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default(),
            deps: Vec::new(),
        })
    }
}

/// The type of all planned tasks.
pub const TASK_TYPE: &str = "task";

// Where a task keeps what only planners have words for.
const SPEC_REF: &str = "spec_ref";
const CATEGORY: &str = "category";
const STEPS: &str = "steps";

/// What a task is called in a planner's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanStatus {
    Open,
    Active,
    Done,
    Deleted,
}

impl PlanStatus {
    pub const fn name(self) -> &'static str {
        match self {
            PlanStatus::Open => "open",
            PlanStatus::Active => "active",
            PlanStatus::Done => "done",
            PlanStatus::Deleted => "deleted",
        }
    }
}

impl From<State> for PlanStatus {
    fn from(state: State) -> PlanStatus {
        match state {
            State::Created
            | State::Pending
            | State::Ready
            | State::Retrying
            // Cannot happen to a planned task: it is open again at once.
            | State::DeadLettered => PlanStatus::Open,
            State::Claimed | State::Running | State::Validating | State::Blocked => {
                PlanStatus::Active
            }
            State::Completed => PlanStatus::Done,
            State::Cancelled | State::Stale => PlanStatus::Deleted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_back_from_its_task() {
        let line = PlanLine {
            id: "auth-1".to_owned(),
            spec_ref: "specs/auth.md".to_owned(),
            title: "Log in".to_owned(),
            description: "With a key.".to_owned(),
            category: Some("server".to_owned()),
            priority: Priority::default(),
            steps: vec![Value::from("one"), Value::from(2)],
            deps: Vec::new(),
        };
        assert_eq!(PlanLine::of(&line.clone().into_task()), Some(line));
        assert_eq!(PlanLine::of(&NewTask::default()), None);
    }
}
