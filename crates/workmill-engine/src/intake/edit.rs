//! Editing a task that does not run: changes are laid over what was asked for, and the whole is
//! checked as if it came in anew.

use std::slice;

use serde::Deserialize;
use serde_json::{Map, Value};
use workmill_core::edition::{Edition, Expected};
use workmill_core::exact::Exact;
use workmill_core::fields::{no_such_field, written};
use workmill_core::ids::TaskId;
use workmill_core::json_text::JsonText;
use workmill_core::lifecycle::State;
use workmill_core::output::ExpectedOutput;
use workmill_core::plain_words::{in_discreet_words, in_plain_words};
use workmill_core::priority::Priority;
use workmill_core::read_state::ReadState;
use workmill_core::task::NewTask;
use workmill_store::beside::beside;
use workmill_store::intake::TaskDraft;
use workmill_store::intake::edit::{EditRefusal, EditTask};
use workmill_store::intake::references::{Reader, References};
use workmill_store::settlement::dead_letters::Redraft;

use super::author::{references_of, unreadable};
use super::draft;
use super::limits::{MANY_BYTES, check_body, check_no_nul, check_task, is_much};
use crate::engine::{Caller, Engine};
use crate::error::EngineError;
use crate::strict::largest_reading;

/// Edits that meet each other are tried this often.
const TRIES: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edited {
    pub version: i32,
    pub state: State,
}

impl Engine {
    /// `changes` is a JSON merge patch: what it names is replaced, null removes. Only an edition
    /// that the caller expects is edited.
    pub async fn edit_task(
        &self,
        caller: &Caller,
        task: TaskId,
        changes: Map<String, Value>,
        expected: &Expected,
    ) -> Result<Edited, EngineError> {
        let changes = Changes::checked("", changes)?;
        for _ in 0..TRIES {
            let found = self.task(caller, task).await?;
            let read = found.version;
            if !expected.admits(&Edition::numbered(read)) {
                return Err(changed_meanwhile(task, read));
            }
            let edited = changes.draft(found.asked)?;
            let operation = EditTask {
                ns: caller.ns,
                task,
                version: read,
                draft: &edited,
                edited_by: &caller.name,
            };
            match self.run_by(caller, &operation).await? {
                Ok((version, state)) => return Ok(Edited { version, state }),
                Err(EditRefusal::OtherVersion { .. }) => {}
                Err(EditRefusal::NoSuchTask) => {
                    return Err(EngineError::NotFound {
                        what: task.to_string(),
                    });
                }
                Err(EditRefusal::Unreadable(refused)) => return Err(unreadable("task", refused)),
                Err(EditRefusal::TooLate(state)) => {
                    let problem = format!("{task} is {state} and cannot be edited any more");
                    return Err(EngineError::Conflict { problem });
                }
            }
        }
        Err(EngineError::Conflict {
            problem: format!("{task} is being edited by others"),
        })
    }
}

fn changed_meanwhile(task: TaskId, version: i32) -> EngineError {
    EngineError::Changed {
        problem: format!("{task} is at version {version} by now"),
    }
}

/// A JSON merge patch that names fields of a task, with values of their kind. It is kept as text, which
/// takes far less memory than its values.
#[derive(Debug)]
pub(crate) struct Changes(JsonText);

impl Changes {
    /// `at` is where the changes stand in the request.
    pub(crate) fn checked(at: &str, changes: Map<String, Value>) -> Result<Self, EngineError> {
        let changes = Value::Object(changes);
        let text = JsonText::from(&changes);
        beside(text.get().len() > MANY_BYTES, || {
            check_changes(at, &text, changes)?;
            Ok(Changes(text))
        })
    }

    /// The task with the changes laid over it, checked as if it came in anew.
    pub(crate) fn draft(&self, asked: NewTask) -> Result<TaskDraft, EngineError> {
        let is_long = self.0.get().len() > MANY_BYTES || is_much(slice::from_ref(&asked));
        beside(is_long, || self.lay_over(asked))
    }

    fn lay_over(&self, asked: NewTask) -> Result<TaskDraft, EngineError> {
        let not_json = |error: serde_json::Error| {
            EngineError::invalid("task", in_plain_words(&error.to_string()))
        };
        let known = references_of(&asked);
        let mut whole = serde_json::to_value(&asked).map_err(not_json)?;
        drop(asked);
        merge(&mut whole, self.0.value());
        let state = ReadState::new(MOST_MEMORY);
        let edited = NewTask::deserialize(Exact::new(whole, &state)).map_err(not_json)?;
        let mut tasks = references_of(&edited);
        // What it refers to already it may go on referring to, also when that is gone.
        tasks.retain(|task| !known.contains(task));
        Ok(TaskDraft {
            references: References {
                tasks,
                reader: Reader::Namespace,
            },
            ..draft("task", &edited)?
        })
    }
}

/// What a task takes at most once it is read: as much as any request.
const MOST_MEMORY: usize = largest_reading(usize::MAX);

fn check_changes(at: &str, text: &JsonText, mut changes: Value) -> Result<(), EngineError> {
    let has = |name: &str| changes.get(name).is_some();
    if let Some(fixed) = NewTask::FIXED.into_iter().find(|name| has(name)) {
        return Err(EngineError::invalid(fixed, "cannot be changed"));
    }
    let (has_title, has_type) = (has("title"), has("type"));
    // A task has no more, and no change can make it larger.
    check_body(at, text.raw()).map_err(|error| name_field(at, &changes).unwrap_or(error))?;
    remove_nulls(&mut changes);
    let (mut unknown, state) = (None, ReadState::new(MOST_MEMORY));
    let read: Result<NewTask, _> =
        serde_ignored::deserialize(Exact::new(changes, &state), |path| {
            unknown.get_or_insert(path.to_string());
        });
    if let Some(field) = unknown {
        let problem = no_such_field::<NewTask>(&field);
        return Err(EngineError::invalid(written(&field), problem));
    }
    let mut named = read.map_err(|error| {
        EngineError::invalid(
            within(at, &state.place()),
            in_discreet_words(&error.to_string()),
        )
    })?;
    // Fields that are not named are the task's own. Whether the priority fits depends on the task's
    // profile, and the parts of the output belong together: both are checked with the whole task.
    for (is_named, text) in [
        (has_title, &mut named.title),
        (has_type, &mut named.task_type),
    ] {
        if !is_named {
            "its own".clone_into(text);
        }
    }
    named.priority = Priority::default();
    named.output = ExpectedOutput::default();
    check_task(at, &named)
}

/// The refusal of the first field with a character that cannot be stored.
fn name_field(at: &str, changes: &Value) -> Option<EngineError> {
    let mut fields = changes.as_object()?.iter();
    fields.find_map(|(field, value)| check_no_nul(&within(at, field), &value.to_string()).err())
}

impl Redraft for Changes {
    fn redraft(&self, asked: NewTask) -> Result<TaskDraft, String> {
        self.draft(asked).map_err(|error| error.to_string())
    }
}

/// The path of a field below another place.
fn within(at: &str, field: &str) -> String {
    match (at, field) {
        ("", field) => field.to_owned(),
        (at, "") => at.to_owned(),
        (at, field) => format!("{at}.{field}"),
    }
}

/// What a merge patch sets: members that are null remove, in objects within objects, too.
fn remove_nulls(patch: &mut Value) {
    if let Value::Object(members) = patch {
        members.retain(|_, member| !member.is_null());
        members.values_mut().for_each(remove_nulls);
    }
}

/// RFC 7396.
fn merge(target: &mut Value, patch: Value) {
    let Value::Object(changes) = patch else {
        *target = patch;
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    if let Value::Object(fields) = target {
        for (name, change) in changes {
            if change.is_null() {
                fields.remove(&name);
            } else {
                merge(fields.entry(name).or_insert(Value::Null), change);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn problem(changes: Value) -> String {
        let Value::Object(changes) = changes else {
            return "no object".to_owned();
        };
        let checked = Changes::checked("changes", changes);
        checked.map_or_else(|error| error.to_string(), |_| "fine".to_owned())
    }

    #[test]
    fn changes_name_fields_that_a_task_has_with_values_of_their_kind() {
        assert_eq!(
            problem(json!({"title": "t", "tags": null, "spec": {"prompt": "p"}})),
            "fine"
        );
        assert_eq!(
            problem(json!({"spec": {"constraints": {"max_costs": 3}}})),
            "spec.constraints.max_costs: there is no field `spec.constraints.max_costs`; \
             did you mean `max_cost_usd`?"
        );
        assert_eq!(
            problem(json!({"title": 7})),
            "changes.title: expected a text, not a whole number"
        );
        assert_eq!(
            problem(json!({"tags": ["a\0"]})),
            "changes.tags: a text contains the character U+0000"
        );
        assert_eq!(
            problem(json!({"scheduled_for": null})),
            "scheduled_for: cannot be changed"
        );
    }

    #[test]
    fn a_patch_replaces_adds_and_removes() {
        let mut value = json!({"a": {"b": 1, "c": 2}, "d": [1, 2]});
        merge(
            &mut value,
            json!({"a": {"b": null, "e": 3}, "d": [9], "f": {"g": null}}),
        );
        assert_eq!(value, json!({"a": {"c": 2, "e": 3}, "d": [9], "f": {}}));
    }
}
