//! Changing all tasks that fit a filter: cancel, retry, reprioritise, tag.
//!
//! It is done in two steps, as for dead letters. The preview says what would happen, and from
//! what moment it speaks. The action names that moment and is carried out in batches, each with
//! its own commit and its own record: what came in later is left alone, and what somebody else
//! has changed in between is passed over. Whoever was cut off repeats the same call.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use jiff::Timestamp;
use workmill_core::bulk::Candidate;
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_store::intake::TaskDraft;
use workmill_store::look::bulk::LONGEST_STRETCH;
use workmill_store::settlement::bulk::ChangeMatching;
use workmill_store::settlement::dead_letters::Redraft;

pub use workmill_core::bulk::{Change, Effect, TaskFilter};

use crate::engine::{Caller, Engine};
use crate::error::EngineError;
use crate::filter::{IN_A_BODY, check_task_filter};
use crate::intake::{LONGEST_TITLE, LONGEST_WORD, check_text, draft};

/// Tasks that a preview goes over; beyond, its numbers are what there is at least.
pub const MOST_PREVIEWED: usize = 100_000;

const LARGEST_SAMPLE: usize = 20;

/// Tasks that are named when many cannot be edited.
const MOST_NAMED: usize = 5;

/// What shall become of all tasks that fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BulkAction {
    pub filter: TaskFilter,
    pub change: Change,
    /// Why; kept with the record.
    pub note: Option<String>,
}

/// What an action would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// Of this moment it speaks. The action names it, so that it is about the same tasks.
    pub moment: Timestamp,
    /// Tasks that would be changed.
    pub tasks: usize,
    /// False: there are more than were looked at, and all numbers are lower bounds.
    pub is_whole: bool,
    /// Tasks that would be changed, by the state they are in.
    pub states: BTreeMap<State, usize>,
    /// How many would come to which state; an edited task stays in its own.
    pub becoming: BTreeMap<State, usize>,
    /// By type, all of them.
    pub types: BTreeMap<String, usize>,
    /// The first of the tasks.
    pub sample: Vec<TaskId>,
}

/// How far an action has been carried out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Progress {
    pub changed: usize,
    /// Somebody else was faster.
    pub skipped: usize,
    /// They cannot be edited like this and stay as they are.
    pub unfit: usize,
    /// The first of those, with what is wrong.
    pub unfit_examples: Vec<(TaskId, String)>,
    /// Nothing is left of what fitted at the action's moment.
    pub is_done: bool,
}

impl Engine {
    /// Changes nothing and locks nothing.
    pub async fn preview_bulk(
        &self,
        caller: &Caller,
        action: &BulkAction,
    ) -> Result<Preview, EngineError> {
        action.check()?;
        let mut preview = Preview {
            moment: self.store().now().await?,
            tasks: 0,
            is_whole: true,
            states: BTreeMap::new(),
            becoming: BTreeMap::new(),
            types: BTreeMap::new(),
            sample: Vec::new(),
        };
        let (mut position, mut looked_at) = (None, 0);
        loop {
            let (filter, change) = (&action.filter, &action.change);
            let stretch = self
                .store()
                .find_stretch_of_tasks(caller.ns, filter, change, position)
                .await?;
            for (id, task) in &stretch.tasks {
                if filter.fits(task) {
                    preview.add(*id, task, change.effect(task, preview.moment));
                }
            }
            looked_at += LONGEST_STRETCH;
            position = stretch.next;
            preview.is_whole = position.is_none();
            if preview.is_whole || looked_at >= MOST_PREVIEWED {
                return Ok(preview);
            }
        }
    }

    /// Carries out an action on all tasks that fitted at its moment, which the preview has told.
    /// `told` hears of each batch after its commit, and may end it there.
    pub async fn carry_out_bulk(
        &self,
        caller: &Caller,
        action: &BulkAction,
        moment: Timestamp,
        mut told: impl FnMut(&Progress) -> ControlFlow<()> + Send,
    ) -> Result<Progress, EngineError> {
        action.check()?;
        if moment > self.store().now().await? {
            let problem = "is in the future: tasks submitted until then would be changed, too";
            return Err(EngineError::invalid("moment", problem));
        }
        let mut progress = Progress::default();
        let mut position = None;
        loop {
            let operation = ChangeMatching {
                ns: caller.ns,
                filter: &action.filter,
                change: &action.change,
                redraft: &Edited(&action.change),
                moment,
                position,
                by: &caller.name,
                note: action.note.as_deref(),
            };
            let batch = self.run_by(caller, &operation).await?;
            progress.changed += batch.changed;
            progress.skipped += batch.gone;
            progress.unfit += batch.unfit.len();
            let room = MOST_NAMED - progress.unfit_examples.len();
            let examples = batch.unfit.into_iter().take(room);
            progress.unfit_examples.extend(examples);
            position = batch.next;
            progress.is_done = position.is_none();
            if told(&progress).is_break() || progress.is_done {
                return Ok(progress);
            }
        }
    }
}

impl Preview {
    fn add(&mut self, id: TaskId, task: &Candidate, effect: Effect) {
        let becoming = match effect {
            Effect::None => return,
            Effect::Becomes(state) => state,
            Effect::Edited => task.state,
        };
        self.tasks += 1;
        *self.states.entry(task.state).or_default() += 1;
        *self.becoming.entry(becoming).or_default() += 1;
        *self.types.entry(task.task_type.clone()).or_default() += 1;
        if self.sample.len() < LARGEST_SAMPLE {
            self.sample.push(id);
        }
    }
}

impl BulkAction {
    /// Refuses what cannot be meant.
    fn check(&self) -> Result<(), EngineError> {
        check_task_filter(IN_A_BODY, &self.filter)?;
        if let Change::AddTag(tag) | Change::RemoveTag(tag) = &self.change {
            check_text("tag", tag, LONGEST_WORD)?;
        }
        if let Some(note) = &self.note {
            check_text("note", note, LONGEST_TITLE)?;
        }
        Ok(())
    }
}

/// Edits are checked as if the task came in anew.
#[derive(Debug)]
struct Edited<'a>(&'a Change);

impl Redraft for Edited<'_> {
    fn redraft(&self, asked: NewTask) -> Result<TaskDraft, String> {
        draft("task", &self.0.edit(&asked)).map_err(|error| error.to_string())
    }
}
