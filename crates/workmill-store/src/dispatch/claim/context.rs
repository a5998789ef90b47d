//! What is handed out with a task: its description, what its dependencies put out, what was
//! tried before, where it left off, what was answered.

use std::collections::BTreeMap;

use futures_util::future::try_join;
use serde_json::value::RawValue;
use uuid::Uuid;
use workmill_core::capability;
use workmill_core::failure::{LARGEST_DETAILS, Reason};
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::json_text::JsonText;
use workmill_core::lifecycle::State;
use workmill_core::policy::Policy;
use workmill_core::task::{NewTask, referenced_artifact, referenced_task};
use workmill_queries::queries::dispatch::claim;
use workmill_queries::queries::intake::references;
use workmill_queries::queries::task::held as statements;

use super::{Budget, Claimed, DependencyOutput, Handed, Reference};
use crate::error::StoreError;
use crate::look::questions::{Answered, read_answers};
use crate::look::{Attempt, Details, read_attempt};
use crate::operation::Work;

/// What was asked for.
pub(super) struct Spec {
    pub(super) submitted_at: jiff::Timestamp,
    pub(super) created_by: String,
    pub(super) body: Box<RawValue>,
    pub(super) policy: Policy,
    pub(super) references: Vec<String>,
}

impl Spec {
    pub(super) fn new(
        task: TaskId,
        submitted_at: jiff::Timestamp,
        created_by: String,
        body: Box<RawValue>,
        policy: serde_json::Result<Policy>,
    ) -> Result<Spec, StoreError> {
        let policy = policy
            .map_err(|error| StoreError::Corrupt(format!("the policy of {task}: {error}")))?;
        Ok(Spec {
            submitted_at,
            created_by,
            body,
            policy,
            references: Vec::new(),
        })
    }
}

pub(super) struct Context {
    specs: BTreeMap<TaskId, Spec>,
    dependencies: BTreeMap<TaskId, Vec<DependencyOutput>>,
    attempts: BTreeMap<TaskId, Vec<Attempt>>,
    checkpoints: BTreeMap<TaskId, JsonText>,
    answers: BTreeMap<Uuid, Vec<Answered>>,
    /// What tasks that are depended on or referred to have put out.
    results: BTreeMap<TaskId, Stored>,
    /// How the tasks that are referred to stand.
    states: BTreeMap<TaskId, State>,
}

/// A task with what belongs to it; how long its lease lasts is not settled yet.
pub(super) struct Given {
    pub(super) claimed: Claimed,
    pub(super) policy: Policy,
    pub(super) max_duration_ms: Option<i64>,
}

impl Context {
    /// Takes the descriptions that came with the tasks, and reads what else there is.
    pub(super) async fn read(
        work: &mut Work<'_>,
        handed: &mut [Handed],
    ) -> Result<Context, StoreError> {
        let mut context = Context {
            specs: BTreeMap::new(),
            dependencies: BTreeMap::new(),
            attempts: BTreeMap::new(),
            checkpoints: BTreeMap::new(),
            answers: BTreeMap::new(),
            results: BTreeMap::new(),
            states: BTreeMap::new(),
        };
        let mut unread: Vec<Uuid> = Vec::new();
        for task in handed.iter_mut() {
            match task.spec.take() {
                Some(spec) => drop(context.specs.insert(task.task, spec)),
                None => unread.push(task.task.0),
            }
        }
        // A standalone task has no dependencies.
        let depending: Vec<Uuid> = handed
            .iter()
            .filter(|task| task.in_graph)
            .map(|task| task.task.0)
            .collect();
        let dependencies = find_dependencies(work, &depending);
        let (specs, (dependencies, results)) =
            try_join(find_specs(work, &unread), dependencies).await?;
        context.specs.extend(specs);
        (context.dependencies, context.results) = (dependencies, results);
        context.read_references(work).await?;
        // Only what was claimed before can have a past.
        let tried: Vec<Uuid> = handed
            .iter()
            .filter(|task| task.epoch > 1)
            .map(|task| task.task.0)
            .collect();
        if !tried.is_empty() {
            context.read_past(work, &tried).await?;
        }
        Ok(context)
    }

    /// The outputs that the tasks refer to; few tasks do, so their descriptions are read only
    /// where the word stands in them.
    async fn read_references(&mut self, work: &Work<'_>) -> Result<(), StoreError> {
        let mut wanted: Vec<Uuid> = Vec::new();
        for spec in self.specs.values_mut() {
            if spec.body.get().contains("\"context_refs\"") {
                spec.references = read_references(&spec.body);
                wanted.extend(
                    spec.references
                        .iter()
                        .filter_map(|text| referenced_task(text))
                        .map(|id| id.0),
                );
            }
        }
        if wanted.is_empty() {
            return Ok(());
        }
        let rows = references::find_states()
            .bind(work.transaction, &wanted, &work.ns)
            .all()
            .await;
        for row in rows.map_err(|error| work.failed(error))? {
            let state = State::from_code(row.state)
                .ok_or_else(|| StoreError::Corrupt(format!("state {}", row.state)))?;
            self.states.insert(TaskId(row.task), state);
        }
        wanted.retain(|task| !self.results.contains_key(&TaskId(*task)));
        wanted.sort_unstable();
        wanted.dedup();
        let rows = statements::find_small_results()
            .bind(work.transaction, &wanted, &LARGEST_OUTPUT, &work.ns)
            .map(|row| {
                let output = row.output.map(|output| output.0.into());
                let artifacts = row.artifacts.map(|artifacts| artifacts.0.into());
                (
                    TaskId(row.task),
                    Stored::new(row.output_bytes, output, artifacts),
                )
            })
            .all()
            .await;
        let rows = rows.map_err(|error| work.failed(error))?;
        self.results.extend(rows);
        Ok(())
    }

    async fn read_past(&mut self, work: &Work<'_>, tasks: &[Uuid]) -> Result<(), StoreError> {
        let (transaction, ns) = (work.transaction, &work.ns);
        let mut details = Details::read(transaction, *ns, tasks, LARGEST_DETAILS)
            .await
            .map_err(|error| work.failed(error))?;
        let rows = statements::find_attempts()
            .bind(transaction, &tasks, ns)
            .all()
            .await;
        for row in rows.map_err(|error| work.failed(error))? {
            let (task, attempt) = read_attempt(row, &mut details)?;
            self.attempts.entry(TaskId(task)).or_default().push(attempt);
        }
        let rows = claim::find_checkpoints()
            .bind(transaction, &tasks, ns)
            .map(|row| (TaskId(row.task), row.data.0.into()))
            .all()
            .await;
        let rows = rows.map_err(|error| work.failed(error))?;
        self.checkpoints.extend(rows);
        self.answers = read_answers(transaction, *ns, tasks).await?;
        Ok(())
    }

    pub(super) fn complete(
        &mut self,
        work: &Work<'_>,
        handed: &Handed,
    ) -> Result<Given, StoreError> {
        let task = handed.task;
        let spec = self
            .specs
            .remove(&task)
            .ok_or_else(|| StoreError::Corrupt(format!("{task} has no description")))?;
        let earlier_attempts = self.attempts.remove(&task).unwrap_or_default();
        let timeouts = earlier_attempts
            .iter()
            .filter(|attempt| attempt.reason == Some(Reason::Timeout))
            .count();
        let max_duration_ms = spec
            .policy
            .duration_after(u32::try_from(timeouts).unwrap_or(u32::MAX));
        let mut room = Room::default();
        let mut dependencies = self.dependencies.remove(&task).unwrap_or_default();
        for dependency in &mut dependencies {
            let given = room.give(self.results.get(&dependency.task));
            dependency.output = given.output;
            dependency.artifacts = given.artifacts;
            dependency.left_out_bytes = given.left_out_bytes;
        }
        let references = spec
            .references
            .into_iter()
            .map(|reference| {
                let task = referenced_task(&reference);
                let state = task.and_then(|task| self.states.get(&task).copied());
                let Inline {
                    output,
                    artifacts,
                    left_out_bytes,
                } = room.give(task.and_then(|task| self.results.get(&task)));
                Reference {
                    // What an artifact holds is not in the database.
                    is_left_out: referenced_artifact(&reference).is_some()
                        || left_out_bytes.is_some(),
                    task: referenced_task(&reference),
                    reference,
                    state,
                    output,
                    artifacts,
                    left_out_bytes,
                }
            })
            .collect();
        let models = work
            .lanes()
            .get(handed.lane)
            .map(|lane| in_order_of_preference(lane.models.clone(), &spec.body));
        Ok(Given {
            claimed: Claimed {
                lease: LeaseId {
                    task,
                    epoch: handed.epoch,
                },
                graph: handed.graph,
                state: State::Claimed,
                attempt: handed.attempts,
                ttl_ms: spec.policy.lease_ms,
                heartbeat_ms: spec.policy.heartbeat_ms,
                deadline_in_ms: None,
                submitted_at: spec.submitted_at,
                created_by: spec.created_by,
                body: spec.body,
                models: models.unwrap_or_default(),
                dependencies,
                references,
                earlier_attempts,
                checkpoint: self.checkpoints.remove(&task),
                budget: Budget {
                    task: spec.policy.admission.left_of_own_budget(handed.spent),
                    ..Budget::default()
                },
                answers: self.answers.remove(&task.0).unwrap_or_default(),
            },
            policy: spec.policy,
            max_duration_ms,
        })
    }
}

/// A lane knows which models, sorted; which of them comes first is said in the description.
fn in_order_of_preference(models: Vec<String>, body: &RawValue) -> Vec<String> {
    if models.len() < 2 {
        return models;
    }
    let Ok(asked) = serde_json::from_str::<NewTask>(body.get()) else {
        return models;
    };
    let constraints = asked.spec.constraints;
    let mut lists = [constraints.model_preferences, constraints.fallback_models].into_iter();
    lists
        .find(|list| capability::normalise(list.clone()) == models)
        .unwrap_or(models)
}

async fn find_specs(work: &Work<'_>, tasks: &[Uuid]) -> Result<BTreeMap<TaskId, Spec>, StoreError> {
    if tasks.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows = statements::find_specs()
        .bind(work.transaction, &tasks, &work.ns)
        .map(|row| {
            let policy = serde_json::from_str::<Policy>(row.policy.0.get());
            let body = row.body.0.to_owned();
            (
                row.task,
                row.submitted_at,
                row.created_by.to_owned(),
                body,
                policy,
            )
        })
        .all()
        .await
        .map_err(|error| work.failed(error))?;
    let mut specs = BTreeMap::new();
    for (task, submitted_at, created_by, body, policy) in rows {
        let task = TaskId(task);
        specs.insert(
            task,
            Spec::new(task, submitted_at, created_by, body, policy)?,
        );
    }
    Ok(specs)
}

/// What tasks depend on, without the outputs.
type Dependencies = BTreeMap<TaskId, Vec<DependencyOutput>>;

/// Returns what these tasks depend on, and what their dependencies have put out.
async fn find_dependencies(
    work: &Work<'_>,
    tasks: &[Uuid],
) -> Result<(Dependencies, BTreeMap<TaskId, Stored>), StoreError> {
    let (mut dependencies, mut results) = (Dependencies::new(), BTreeMap::new());
    if tasks.is_empty() {
        return Ok((dependencies, results));
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
        .await
        .map_err(|error| work.failed(error))?;
    for (task, state, dependency, stored) in rows {
        let state =
            State::from_code(state).ok_or_else(|| StoreError::Corrupt(format!("state {state}")))?;
        if let Some(stored) = stored {
            results.insert(dependency.task, stored);
        }
        let of_task = dependencies.entry(task).or_default();
        of_task.push(DependencyOutput {
            state,
            ..dependency
        });
    }
    Ok((dependencies, results))
}

/// What a task has put out.
struct Stored {
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

/// What a claim carries of it.
#[derive(Default)]
struct Inline {
    output: Option<JsonText>,
    artifacts: Option<JsonText>,
    left_out_bytes: Option<usize>,
}

/// What a claim carries inline; what does not fit is left out, to be fetched by its reference.
struct Room {
    left: usize,
}

/// Together with the description a claim stays far below what clients can take at once.
const LARGEST_CONTEXT: usize = 256 * 1024;

/// No output that is larger fits, so none is read.
const LARGEST_OUTPUT: i32 = 256 * 1024;

impl Default for Room {
    fn default() -> Self {
        Room {
            left: LARGEST_CONTEXT,
        }
    }
}

impl Room {
    /// Gives an output with its artifacts if they fit, and its size otherwise.
    fn give(&mut self, stored: Option<&Stored>) -> Inline {
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

fn read_references(body: &RawValue) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Body {
        spec: Spec,
    }
    #[derive(serde::Deserialize)]
    struct Spec {
        #[serde(default)]
        context_refs: Vec<String>,
    }
    serde_json::from_str::<Body>(body.get())
        .map(|body| body.spec.context_refs)
        .unwrap_or_default()
}
