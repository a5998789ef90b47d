//! Editing a task that does not run: changes are laid over what was asked for, and the whole is
//! checked as if it came in anew.

use serde::Deserialize;
use serde_json::{Map, Value};
use workmill_core::edition::{Edition, Expected};
use workmill_core::exact::Exact;
use workmill_core::fields::no_such_field;
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::output::ExpectedOutput;
use workmill_core::plain_words::{in_discreet_words, in_plain_words};
use workmill_core::priority::Priority;
use workmill_core::read_state::ReadState;
use workmill_core::task::NewTask;
use workmill_store::intake::TaskDraft;
use workmill_store::intake::edit::{EditRefusal, EditTask};
use workmill_store::intake::references::{Reader, References};
use workmill_store::settlement::dead_letters::Redraft;

use super::author::{references_of, unreadable};
use super::draft;
use super::limits::{check_no_nul, check_task};
use crate::engine::{Caller, Engine};
use crate::error::EngineError;

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
        changes: &Map<String, Value>,
        expected: &Expected,
    ) -> Result<Edited, EngineError> {
        let changes = Changes::checked("", changes)?;
        for _ in 0..TRIES {
            let found = self.task(caller, task).await?;
            let read = found.version;
            if !expected.admits(&Edition::numbered(read)) {
                return Err(changed_meanwhile(task, read));
            }
            let edited = changes.draft(&found.asked)?;
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

/// A JSON merge patch that names fields of a task, with values of their kind.
#[derive(Debug)]
pub(crate) struct Changes<'a>(&'a Map<String, Value>);

impl<'a> Changes<'a> {
    /// `at` is where the changes stand in the request.
    pub(crate) fn checked(at: &str, changes: &'a Map<String, Value>) -> Result<Self, EngineError> {
        if let Some(fixed) = NewTask::FIXED
            .into_iter()
            .find(|name| changes.contains_key(*name))
        {
            return Err(EngineError::invalid(fixed, "cannot be changed"));
        }
        let mut named = Value::Object(Map::new());
        merge(&mut named, &Value::Object(changes.clone()));
        for (field, value) in changes {
            check_no_nul(&within(at, field), &value.to_string())?;
        }
        let (mut unknown, state) = (None, ReadState::new(usize::MAX));
        let read: Result<NewTask, _> =
            serde_ignored::deserialize(Exact::new(named, &state), |path| {
                unknown.get_or_insert(path.to_string());
            });
        if let Some(field) = unknown {
            let problem = no_such_field::<NewTask>(&field);
            return Err(EngineError::invalid(field, problem));
        }
        let mut named = read.map_err(|error| {
            EngineError::invalid(
                within(at, &state.place()),
                in_discreet_words(&error.to_string()),
            )
        })?;
        // Fields that are not named are the task's own. Whether the priority fits depends on the task's
        // profile, and the parts of the output belong together: both are checked with the whole task.
        for (field, text) in [("title", &mut named.title), ("type", &mut named.task_type)] {
            if !changes.contains_key(field) {
                "its own".clone_into(text);
            }
        }
        named.priority = Priority::default();
        named.output = ExpectedOutput::default();
        check_task(at, &named)?;
        Ok(Changes(changes))
    }

    /// The task with the changes laid over it, checked as if it came in anew.
    pub(crate) fn draft(&self, asked: &NewTask) -> Result<TaskDraft, EngineError> {
        let not_json = |error: serde_json::Error| {
            EngineError::invalid("task", in_plain_words(&error.to_string()))
        };
        let mut whole = serde_json::to_value(asked).map_err(not_json)?;
        merge(&mut whole, &Value::Object(self.0.clone()));
        let edited = NewTask::deserialize(Exact::new(whole, &ReadState::new(usize::MAX)))
            .map_err(not_json)?;
        let known = references_of(asked);
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

impl Redraft for Changes<'_> {
    fn redraft(&self, asked: &NewTask) -> Result<TaskDraft, String> {
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

/// RFC 7396.
fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(changes) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    if let Value::Object(fields) = target {
        for (name, change) in changes {
            if change.is_null() {
                fields.remove(name);
            } else {
                merge(fields.entry(name.clone()).or_insert(Value::Null), change);
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
        let checked = Changes::checked("changes", &changes);
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
            &json!({"a": {"b": null, "e": 3}, "d": [9], "f": {"g": null}}),
        );
        assert_eq!(value, json!({"a": {"c": 2, "e": 3}, "d": [9], "f": {}}));
    }
}
