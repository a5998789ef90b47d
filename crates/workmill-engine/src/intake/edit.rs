//! Editing a task that does not run: changes are laid over what was asked for, and the whole is
//! checked as if it came in anew.

use serde_json::{Map, Value};
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_store::intake::edit::{EditRefusal, EditTask};

use super::draft;
use crate::engine::{Caller, Engine};
use crate::error::EngineError;

/// What names a task or ties it to others is not a matter of editing.
const FIXED: [&str; 5] = ["name", "key", "idempotency_key", "depends_on", "profile"];

/// Edits that meet each other are tried this often.
const TRIES: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edited {
    pub version: i32,
    pub state: State,
}

impl Engine {
    /// `changes` is a JSON merge patch: what it names is replaced, null removes. With a version,
    /// only that one is edited. `revive` sends a dead letter round again.
    pub async fn edit_task(
        &self,
        caller: &Caller,
        task: TaskId,
        changes: &Map<String, Value>,
        version: Option<i32>,
        revive: bool,
    ) -> Result<Edited, EngineError> {
        if let Some(fixed) = FIXED.into_iter().find(|name| changes.contains_key(*name)) {
            return Err(EngineError::invalid(fixed, "cannot be changed"));
        }
        for _ in 0..TRIES {
            let found = self.task(caller, task).await?;
            let read = found.version;
            if version.is_some_and(|wanted| wanted != read) {
                return Err(changed_meanwhile(task, read));
            }
            let edited = draft("task", &lay_over(&found.asked, changes)?)?;
            let operation = EditTask {
                ns: caller.ns,
                task,
                version: read,
                draft: &edited,
                edited_by: &caller.name,
                revive,
            };
            match self.run(&operation).await? {
                Ok((version, state)) => return Ok(Edited { version, state }),
                Err(EditRefusal::OtherVersion { .. }) => {}
                Err(EditRefusal::NoSuchTask) => {
                    return Err(EngineError::NotFound {
                        what: task.to_string(),
                    });
                }
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
    EngineError::Conflict {
        problem: format!("{task} is at version {version} by now"),
    }
}

fn lay_over(asked: &NewTask, changes: &Map<String, Value>) -> Result<NewTask, EngineError> {
    let mut whole = serde_json::to_value(asked)
        .map_err(|error| EngineError::invalid("task", error.to_string()))?;
    merge(&mut whole, &Value::Object(changes.clone()));
    serde_json::from_value(whole).map_err(|error| EngineError::invalid("task", error.to_string()))
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
