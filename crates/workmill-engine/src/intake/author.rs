//! Whose tasks come in: what they may refer to, and whom they may name as their creator.

use serde_json::value::to_raw_value;
use workmill_core::authority::{Authority, CREATORS, names_a_creator};
use workmill_core::ids::TaskId;
use workmill_core::task::{NewTask, referenced_task};
use workmill_store::intake::TaskDraft;
use workmill_store::intake::references::{Reader, References, Unreadable};

use super::limits::{LONGEST_WORD, check_text};
use crate::engine::Caller;
use crate::error::EngineError;

/// Outputs that the tasks of one call may refer to.
const MOST_REFERENCES: usize = 10_000;

pub(crate) struct Author {
    reader: Reader,
    names_creators: bool,
}

impl Author {
    pub(crate) fn of(caller: &Caller) -> Author {
        match caller.authority {
            Authority::Producer => Author {
                reader: Reader::Namespace,
                names_creators: false,
            },
            Authority::Agent => Author {
                reader: Reader::Submitter(caller.key),
                names_creators: false,
            },
            Authority::Orchestrator => Author {
                reader: Reader::Namespace,
                names_creators: true,
            },
        }
    }

    /// Whoever spawns tasks below one that it holds.
    pub(crate) fn holding(caller: &Caller, task: TaskId) -> Author {
        match caller.authority {
            Authority::Producer | Authority::Agent => Author {
                reader: Reader::Holder {
                    key: caller.key,
                    task,
                },
                names_creators: false,
            },
            Authority::Orchestrator => Author::of(caller),
        }
    }

    /// Whoever submits without a key, under this name.
    pub(crate) fn named(name: &str) -> Author {
        Author {
            reader: Reader::Named(name.to_owned()),
            names_creators: false,
        }
    }

    /// Refuses a creator that this author may not name.
    pub(super) fn check_creator(&self, at: &str, creator: &str) -> Result<(), EngineError> {
        if !self.names_creators {
            let problem = "is for orchestrators, operators and admins; leave it out";
            return Err(EngineError::not_allowed(at, problem));
        }
        check_text(at, creator, LONGEST_WORD)?;
        if !names_a_creator(creator) {
            let problem = format!("`{}:NAME` is needed", CREATORS.join(":NAME`, `"));
            return Err(EngineError::invalid(at, problem));
        }
        Ok(())
    }

    /// Adds to a draft of the task what it refers to and for whom it is submitted.
    pub(crate) fn sign(
        &self,
        at: &str,
        task: &NewTask,
        draft: TaskDraft,
    ) -> Result<TaskDraft, EngineError> {
        let references = References {
            tasks: references_of(task),
            reader: self.reader.clone(),
        };
        let Some(creator) = &task.created_by else {
            return Ok(TaskDraft {
                references,
                ..draft
            });
        };
        self.check_creator(&format!("{at}.created_by"), creator)?;
        // It is shown beside the task, not as a part of what was asked for.
        let asked = NewTask {
            created_by: None,
            ..task.clone()
        };
        let body =
            to_raw_value(&asked).map_err(|error| EngineError::invalid(at, error.to_string()))?;
        Ok(TaskDraft {
            references,
            body,
            created_by: Some(creator.clone()),
            ..draft
        })
    }
}

/// The tasks whose outputs a task is handed.
pub(crate) fn references_of(task: &NewTask) -> Vec<TaskId> {
    let references = task.spec.context_refs.iter();
    references
        .filter_map(|text| referenced_task(text))
        .collect()
}

pub(super) fn check_references(drafts: &[TaskDraft]) -> Result<(), EngineError> {
    let references: usize = drafts
        .iter()
        .map(|draft| draft.references.tasks.len())
        .sum();
    if references > MOST_REFERENCES {
        let problem = format!("{references} references to outputs; at most {MOST_REFERENCES}");
        return Err(EngineError::invalid("tasks", problem));
    }
    Ok(())
}

/// A reference that is refused, in a call that names its tasks like this.
pub(super) fn unreadable(at: &str, refused: Unreadable) -> EngineError {
    unreadable_as(at, refused, &refused.task.to_string())
}

/// The same, for a caller that has called the task by this name.
pub(super) fn unreadable_as(at: &str, refused: Unreadable, name: &str) -> EngineError {
    let field = if refused.is_dependency {
        "depends_on"
    } else {
        "spec.context_refs"
    };
    let at = format!("{at}.{field}");
    if refused.exists {
        let problem = format!("this key may not read the output of {name}");
        EngineError::not_allowed(at, problem)
    } else {
        EngineError::invalid(at, format!("{name} does not exist"))
    }
}
