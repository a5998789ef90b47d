//! A claimed task, with everything that helps to work on it.

use jiff::Timestamp;
use serde_json::value::RawValue;
use workmill_core::ids::{GraphId, LeaseId, TaskId};
use workmill_core::json_text::JsonText;
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;

use crate::look::Attempt;
use crate::look::questions::Answered;

/// A claimed task with its context.
#[derive(Debug, Clone)]
pub struct Claimed {
    pub lease: LeaseId,
    pub graph: GraphId,
    pub state: State,
    /// How many attempts count, this one included.
    pub attempt: i32,
    pub ttl_ms: i64,
    pub heartbeat_ms: i64,
    /// How long it is until the deadline of the task; negative after it.
    pub deadline_in_ms: Option<i64>,
    pub submitted_at: Timestamp,
    pub created_by: String,
    pub body: Box<RawValue>,
    /// Which models to use: the preferred ones, or the fallback ones.
    pub models: Vec<String>,
    pub dependencies: Vec<DependencyOutput>,
    pub references: Vec<Reference>,
    pub earlier_attempts: Vec<Attempt>,
    pub checkpoint: Option<JsonText>,
    pub answers: Vec<Answered>,
    pub budget: Budget,
}

impl Claimed {
    /// Returns the length of its texts.
    pub fn bytes(&self) -> usize {
        let length = |text: &JsonText| text.get().len();
        let dependencies = self
            .dependencies
            .iter()
            .filter_map(|one| one.output.as_ref());
        let references = self.references.iter().filter_map(|one| one.output.as_ref());
        let outputs = dependencies.chain(references);
        self.body.get().len() + outputs.chain(&self.checkpoint).map(length).sum::<usize>()
    }
}

/// What may still be spent, the reservation of this attempt included; `None` without a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budget {
    pub agent: Option<Micros>,
    pub graph: Option<Micros>,
    /// The rest of the task's own `max_cost_usd`.
    pub task: Option<Micros>,
}

/// The output of a task that the claimed one depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct DependencyOutput {
    pub task: TaskId,
    pub name: Option<String>,
    pub title: String,
    pub task_type: String,
    pub state: State,
    /// `None` if the task did not complete, or if the output was left out. Several claims share one copy.
    pub output: Option<JsonText>,
    /// A list of references to artifacts.
    pub artifacts: Option<JsonText>,
    /// The size of an output that is too large for the claim and must be fetched.
    pub left_out_bytes: Option<usize>,
}

/// An entry of the task's `context_refs`.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    pub reference: String,
    /// The task whose output it names.
    pub task: Option<TaskId>,
    /// The state of that task; `None` for an artifact, or if the task does not exist.
    pub state: Option<State>,
    pub output: Option<JsonText>,
    pub artifacts: Option<JsonText>,
    /// The output is not in the claim and must be fetched.
    pub is_left_out: bool,
    /// The size of an output that is too large for the claim.
    pub left_out_bytes: Option<usize>,
}
