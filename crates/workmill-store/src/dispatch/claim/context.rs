//! Step 5, context: what a claim hands over with a task besides its spec: the outputs of its dependencies
//! and references, the earlier attempts, the checkpoint and the answers.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use uuid::Uuid;
use workmill_core::capability;
use workmill_core::failure::{LARGEST_DETAILS, Reason};
use workmill_core::ids::TaskId;
use workmill_core::json_text::JsonText;
use workmill_core::lifecycle::State;
use workmill_core::task::{NewTask, referenced_artifact, referenced_task};
use workmill_queries::queries::dispatch::claim;
use workmill_queries::queries::intake::references;
use workmill_queries::queries::task::locked_rows as statements;

use super::claimed::{DependencyOutput, Reference};
use super::outputs::{Dependencies, OutputQuota, Outputs, find_dependencies, find_outputs};
use super::slots::Grant;
use super::spec::Spec;
use crate::error::StoreError;
use crate::look::questions::{Answered, read_answers};
use crate::look::{Attempt, Details, read_attempt};
use crate::operation::Work;

/// The context of all granted tasks.
#[derive(Default)]
pub(super) struct Context {
    dependencies: Dependencies,
    references: BTreeMap<TaskId, Vec<String>>,
    attempts: BTreeMap<TaskId, Vec<Attempt>>,
    checkpoints: BTreeMap<TaskId, JsonText>,
    answers: BTreeMap<Uuid, Vec<Answered>>,
    /// The outputs of tasks that are depended on or referred to.
    outputs: Outputs,
    /// The states of the tasks that are referred to.
    states: BTreeMap<TaskId, State>,
}

/// The context of one task.
pub(super) struct OfTask {
    pub(super) dependencies: Vec<DependencyOutput>,
    pub(super) references: Vec<Reference>,
    pub(super) attempts: Vec<Attempt>,
    pub(super) checkpoint: Option<JsonText>,
    pub(super) answers: Vec<Answered>,
}

impl OfTask {
    /// Returns how many of the earlier attempts ran out of time.
    pub(super) fn timeouts(&self) -> u32 {
        let attempts = self.attempts.iter();
        let timeouts = attempts.filter(|attempt| attempt.reason == Some(Reason::Timeout));
        u32::try_from(timeouts.count()).unwrap_or(u32::MAX)
    }
}

impl Context {
    pub(super) async fn read(work: &Work<'_>, grants: &[Grant]) -> Result<Context, StoreError> {
        let mut context = Context::default();
        // A standalone task has no dependencies.
        let depending = grants.iter().filter(|grant| grant.facts.in_graph);
        let depending: Vec<Uuid> = depending.map(|grant| grant.facts.task.0).collect();
        (context.dependencies, context.outputs) = find_dependencies(work, &depending).await?;
        context.read_references(work, grants).await?;
        // Only a task that was claimed before can have a past.
        let tried = grants.iter().filter(|grant| grant.facts.epoch > 1);
        let tried: Vec<Uuid> = tried.map(|grant| grant.facts.task.0).collect();
        if !tried.is_empty() {
            context.read_past(work, &tried).await?;
        }
        Ok(context)
    }

    /// Reads the outputs that the tasks refer to. Few tasks do, so a spec is parsed only if it contains
    /// the word.
    async fn read_references(
        &mut self,
        work: &Work<'_>,
        grants: &[Grant],
    ) -> Result<(), StoreError> {
        let mut wanted: Vec<Uuid> = Vec::new();
        let with_references = grants
            .iter()
            .filter(|grant| grant.spec.body.get().contains("\"context_refs\""));
        for grant in with_references {
            let references = read_references(&grant.spec.body);
            let tasks = references.iter().filter_map(|text| referenced_task(text));
            wanted.extend(tasks.map(|task| task.0));
            self.references.insert(grant.facts.task, references);
        }
        if wanted.is_empty() {
            return Ok(());
        }
        let rows = references::find_states()
            .bind(work.transaction, &wanted, &work.ns)
            .all()
            .await?;
        for row in rows {
            let state = State::from_code(row.state)
                .ok_or_else(|| StoreError::Corrupt(format!("state {}", row.state)))?;
            self.states.insert(TaskId(row.task), state);
        }
        wanted.retain(|task| !self.outputs.contains_key(&TaskId(*task)));
        wanted.sort_unstable();
        wanted.dedup();
        self.outputs.extend(find_outputs(work, &wanted).await?);
        Ok(())
    }

    async fn read_past(&mut self, work: &Work<'_>, tasks: &[Uuid]) -> Result<(), StoreError> {
        let (transaction, ns) = (work.transaction, &work.ns);
        let mut details = Details::read(transaction, *ns, tasks, LARGEST_DETAILS).await?;
        let rows = statements::find_attempts()
            .bind(transaction, &tasks, ns)
            .all()
            .await?;
        for row in rows {
            let (task, attempt) = read_attempt(row, &mut details)?;
            self.attempts.entry(TaskId(task)).or_default().push(attempt);
        }
        let rows = claim::find_checkpoints()
            .bind(transaction, &tasks, ns)
            .map(|row| (TaskId(row.task), row.data.0.into()))
            .all()
            .await?;
        self.checkpoints.extend(rows);
        self.answers = read_answers(transaction, *ns, tasks).await?;
        Ok(())
    }

    /// Takes the context of a task, with the outputs that fit into a claim.
    pub(super) fn take(&mut self, task: TaskId) -> OfTask {
        let mut quota = OutputQuota::default();
        let mut dependencies = self.dependencies.remove(&task).unwrap_or_default();
        for dependency in &mut dependencies {
            let given = quota.give(self.outputs.get(&dependency.task));
            dependency.output = given.output;
            dependency.artifacts = given.artifacts;
            dependency.left_out_bytes = given.left_out_bytes;
        }
        let references = self.references.remove(&task).unwrap_or_default();
        let references = references.into_iter();
        OfTask {
            dependencies,
            references: references
                .map(|reference| self.resolve(reference, &mut quota))
                .collect(),
            attempts: self.attempts.remove(&task).unwrap_or_default(),
            checkpoint: self.checkpoints.remove(&task),
            answers: self.answers.remove(&task.0).unwrap_or_default(),
        }
    }

    fn resolve(&self, reference: String, quota: &mut OutputQuota) -> Reference {
        let task = referenced_task(&reference);
        let given = quota.give(task.and_then(|task| self.outputs.get(&task)));
        // The content of an artifact is not in the database.
        let is_artifact = referenced_artifact(&reference).is_some();
        Reference {
            reference,
            task,
            state: task.and_then(|task| self.states.get(&task).copied()),
            output: given.output,
            artifacts: given.artifacts,
            is_left_out: is_artifact || given.left_out_bytes.is_some(),
            left_out_bytes: given.left_out_bytes,
        }
    }
}

/// Returns the models of a lane in the order of the task's spec; a lane has them sorted.
pub(super) fn in_order_of_preference(models: Vec<String>, spec: &Spec) -> Vec<String> {
    if models.len() < 2 {
        return models;
    }
    let Ok(asked) = serde_json::from_str::<NewTask>(spec.body.get()) else {
        return models;
    };
    let constraints = asked.spec.constraints;
    let mut lists = [constraints.model_preferences, constraints.fallback_models].into_iter();
    lists
        .find(|list| capability::normalise(list.clone()) == models)
        .unwrap_or(models)
}

fn read_references(body: &RawValue) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Body {
        spec: Work,
    }
    #[derive(serde::Deserialize)]
    struct Work {
        #[serde(default)]
        context_refs: Vec<String>,
    }
    serde_json::from_str::<Body>(body.get())
        .map(|body| body.spec.context_refs)
        .unwrap_or_default()
}
