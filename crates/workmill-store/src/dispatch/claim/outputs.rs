//! The outputs that a claim hands over, with a bound on their size.

use std::collections::BTreeMap;

use uuid::Uuid;
use workmill_core::ids::TaskId;
use workmill_core::json_text::JsonText;
use workmill_core::lifecycle::State;
use workmill_queries::queries::dispatch::claim;
use workmill_queries::queries::task::locked_rows as statements;

use super::claimed::DependencyOutput;
use crate::error::StoreError;
use crate::operation::Work;

/// What tasks depend on, without the outputs.
pub(super) type Dependencies = BTreeMap<TaskId, Vec<DependencyOutput>>;

/// Reads the dependencies of these tasks, and their outputs.
pub(super) async fn find_dependencies(
    work: &Work<'_>,
    tasks: &[Uuid],
) -> Result<(Dependencies, Outputs), StoreError> {
    let (mut dependencies, mut outputs) = (Dependencies::new(), Outputs::new());
    if tasks.is_empty() {
        return Ok((dependencies, outputs));
    }
    let rows = claim::find_dependency_results()
        .bind(work.transaction, &LARGEST_OUTPUT, &tasks, &work.ns)
        .map(|row| {
            let dependency = DependencyOutput {
                task: TaskId(row.depends_on),
                name: row.name.map(str::to_owned),
                title: row.title.to_owned(),
                task_type: row.type_name.to_owned(),
                state: State::Created,
                output: None,
                artifacts: None,
                left_out_bytes: None,
            };
            let output = row.output.map(|output| output.0.into());
            let artifacts = row.artifacts.map(|artifacts| artifacts.0.into());
            let stored = row
                .output_bytes
                .map(|bytes| Stored::new(bytes, output, artifacts));
            (TaskId(row.task), row.state, dependency, stored)
        })
        .all()
        .await?;
    for (task, state, dependency, stored) in rows {
        let state =
            State::from_code(state).ok_or_else(|| StoreError::Corrupt(format!("state {state}")))?;
        if let Some(stored) = stored {
            outputs.insert(dependency.task, stored);
        }
        let of_task = dependencies.entry(task).or_default();
        of_task.push(DependencyOutput {
            state,
            ..dependency
        });
    }
    Ok((dependencies, outputs))
}

/// The outputs of tasks, as far as a claim can carry them.
pub(super) type Outputs = BTreeMap<TaskId, Stored>;

/// Reads the outputs of these tasks.
pub(super) async fn find_outputs(work: &Work<'_>, tasks: &[Uuid]) -> Result<Outputs, StoreError> {
    let rows = statements::find_small_results()
        .bind(work.transaction, &tasks, &LARGEST_OUTPUT, &work.ns)
        .map(|row| {
            let output = row.output.map(|output| output.0.into());
            let artifacts = row.artifacts.map(|artifacts| artifacts.0.into());
            let stored = Stored::new(row.output_bytes, output, artifacts);
            (TaskId(row.task), stored)
        })
        .all()
        .await?;
    Ok(rows.into_iter().collect())
}

/// The output of a task.
pub(super) struct Stored {
    bytes: usize,
    /// None if it is larger than [`LARGEST_OUTPUT`].
    output: Option<JsonText>,
    artifacts: Option<JsonText>,
}

impl Stored {
    fn new(bytes: i32, output: Option<JsonText>, artifacts: Option<JsonText>) -> Stored {
        Stored {
            bytes: usize::try_from(bytes).unwrap_or(0),
            output,
            artifacts,
        }
    }
}

/// The part of an output that a claim carries.
#[derive(Default)]
pub(super) struct Inline {
    pub(super) output: Option<JsonText>,
    pub(super) artifacts: Option<JsonText>,
    /// The size of an output that does not fit and must be fetched.
    pub(super) left_out_bytes: Option<usize>,
}

/// The bytes that the outputs in one claim may take. What does not fit is left out and must be fetched.
pub(super) struct OutputQuota {
    left: usize,
}

/// With the spec beside it, a claim stays far below the largest answer that clients read.
const LARGEST_CONTEXT: usize = 256 * 1024;

/// A larger output never fits, so it is not read.
const LARGEST_OUTPUT: i32 = 256 * 1024;

impl Default for OutputQuota {
    fn default() -> Self {
        OutputQuota {
            left: LARGEST_CONTEXT,
        }
    }
}

impl OutputQuota {
    /// Gives an output with its artifacts if they fit, and its size otherwise.
    pub(super) fn give(&mut self, stored: Option<&Stored>) -> Inline {
        let Some(stored) = stored else {
            return Inline::default();
        };
        let artifacts = stored.artifacts.as_ref().map_or(0, |text| text.get().len());
        let left = self.left.checked_sub(stored.bytes + artifacts);
        let (Some(left), Some(output)) = (left, &stored.output) else {
            return Inline {
                left_out_bytes: Some(stored.bytes),
                ..Inline::default()
            };
        };
        self.left = left;
        Inline {
            output: Some(output.clone()),
            artifacts: stored.artifacts.clone(),
            left_out_bytes: None,
        }
    }
}
