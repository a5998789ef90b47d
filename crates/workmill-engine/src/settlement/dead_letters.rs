//! Deciding about dead letters, one by one or all that fit a filter.
//!
//! A decision about many is made in two steps. The preview says what would happen, and from what
//! moment it speaks. The decision names that moment and is carried out in batches, each with its
//! own commit: what became a dead letter later is left alone, and a task about which somebody
//! else has decided in between is passed over. So whoever was cut off repeats the same call and
//! goes on where it stopped.
//!
//! Bad input changes nothing. Changes are laid over every letter that fits before the first batch;
//! if one of them cannot be modified like that, the whole decision is refused and names it. One
//! that stops fitting while the batches run stays a dead letter and is reported.

mod preview;
mod survey;

use std::ops::ControlFlow;

use jiff::Timestamp;
use serde_json::{Map, Value};
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lifecycle::State;
use workmill_core::resolution::Decided;
use workmill_store::settlement::dead_letters::matching::ResolveMatching;
use workmill_store::settlement::dead_letters::{
    self as store, Decision, ResolveDeadLetters, ReviewDeadLetters, Unresolved,
};

pub use preview::{Effect, MOST_PREVIEWED, Preview, PreviewedLetter};
pub use survey::UnfitLetters;

use super::check_note;
use crate::engine::{Caller, Engine};
use crate::error::EngineError;
use crate::filter::{IN_A_BODY, check_dead_letter_filter};
use crate::intake::Changes;
use crate::look::{DeadLetterFilter, DeadLetterSummary};
use survey::survey;

/// What shall become of a dead letter.
#[derive(Debug, Clone, PartialEq)]
pub enum Resolution {
    /// Round again, with all its attempts anew.
    Retry,
    Cancel,
    /// Round again as something else: a JSON merge patch over what was asked for.
    ModifyAndRetry {
        changes: Map<String, Value>,
    },
}

/// What shall become of all dead letters that fit.
#[derive(Debug, Clone, PartialEq)]
pub struct BulkDecision {
    pub filter: DeadLetterFilter,
    pub resolution: Resolution,
    /// Why; kept with the events.
    pub note: Option<String>,
}

/// How far a decision about many has been carried out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Progress {
    /// Letters that fitted when it began.
    pub matched: usize,
    pub resolved: usize,
    /// Somebody else was faster, or a late result came in.
    pub skipped: usize,
    /// They stopped fitting the changes while the batches ran, and are dead letters still.
    pub unfit: UnfitLetters,
    /// Nothing is left of those that fitted at the decision's moment.
    pub is_done: bool,
}

impl Engine {
    pub async fn resolve_dead_letter(
        &self,
        caller: &Caller,
        task: TaskId,
        resolution: &Resolution,
        note: Option<&str>,
    ) -> Result<State, EngineError> {
        let changes = check(resolution, note)?;
        let operation = ResolveDeadLetters {
            ns: caller.ns,
            tasks: vec![task],
            decision: Decision {
                resolution: in_store(resolution, changes.as_ref()),
                by: &caller.name,
                note,
            },
        };
        match self.run_by(caller, &operation).await?.pop() {
            Some(Ok(state)) => Ok(state),
            Some(Err(Unresolved::Unfit(problem))) => Err(EngineError::invalid("changes", problem)),
            Some(Err(Unresolved::NotADeadLetter)) | None => {
                Err(self.not_a_dead_letter(caller, task).await?)
            }
        }
    }

    /// Remembers that somebody has looked at a dead letter, or that nobody has.
    pub async fn review_dead_letter(
        &self,
        caller: &Caller,
        task: TaskId,
        is_reviewed: bool,
    ) -> Result<(), EngineError> {
        let operation = ReviewDeadLetters {
            ns: caller.ns,
            tasks: vec![task],
            is_reviewed,
        };
        let marked = self.run(&operation).await?;
        if marked.is_empty() {
            return Err(self.not_a_dead_letter(caller, task).await?);
        }
        Ok(())
    }

    /// Returns the refusal of a change to a task that is no dead letter now: a conflict if it was one.
    async fn not_a_dead_letter(
        &self,
        caller: &Caller,
        task: TaskId,
    ) -> Result<EngineError, EngineError> {
        let letter = self.store().find_dead_letter(caller.ns, task).await?;
        let Some(last) = letter.and_then(|letter| letter.resolved) else {
            return Ok(EngineError::NotFound {
                what: format!("a dead letter {task}"),
            });
        };
        let decision = last.resolution.map_or("resolved", Decided::name);
        let decision = decision.replace('_', " ");
        Ok(EngineError::Conflict {
            problem: format!(
                "the dead letter {task} was decided: {decision} by {} at {}",
                last.by, last.at
            ),
        })
    }

    /// Carries out a decision about all letters that fitted at the moment `until`, which the
    /// preview has told. `told` hears of each batch after its commit, and may end it there.
    pub async fn resolve_dead_letters(
        &self,
        caller: &Caller,
        decision: &BulkDecision,
        until: Timestamp,
        mut told: impl FnMut(&Progress) -> ControlFlow<()> + Send,
    ) -> Result<Progress, EngineError> {
        let changes = decision.check()?;
        if until > self.store().now().await? {
            let problem = "is in the future: tasks that are retried and dead-lettered again would be \
                           resolved again";
            return Err(EngineError::invalid("until", problem));
        }
        let filter = decision.filter_until(until);
        let mut progress = Progress::default();
        let mut unfit = UnfitLetters::default();
        let count = |letter: &DeadLetterSummary, problem| {
            progress.matched += 1;
            unfit.add(letter.task, problem);
        };
        survey(self, caller.ns, &filter, changes.as_ref(), None, count).await?;
        unfit.refuse_any(progress.matched)?;
        let mut after = None;
        loop {
            let operation = ResolveMatching {
                ns: caller.ns,
                filter: &filter,
                until,
                after,
                decision: Decision {
                    resolution: in_store(&decision.resolution, changes.as_ref()),
                    by: &caller.name,
                    note: decision.note.as_deref(),
                },
            };
            let batch = self.run_by(caller, &operation).await?;
            progress.resolved += batch.resolved;
            progress.skipped += batch.gone;
            for (task, problem) in batch.unfit {
                progress.unfit.add(task, Some(problem));
            }
            after = batch.next;
            if after.is_none() {
                progress.finish();
            }
            if told(&progress).is_break() || progress.is_done {
                return Ok(progress);
            }
        }
    }

    /// Sends the failed part of a graph round again: its dead letters of this moment. `told` may end
    /// it early, as above.
    pub async fn retry_graph(
        &self,
        caller: &Caller,
        graph: GraphId,
        told: impl FnMut(&Progress) -> ControlFlow<()> + Send,
    ) -> Result<Progress, EngineError> {
        if !self.store().has_graph(caller.ns, graph).await? {
            return Err(EngineError::NotFound {
                what: graph.to_string(),
            });
        }
        let decision = BulkDecision {
            filter: DeadLetterFilter {
                graph: Some(graph),
                ..DeadLetterFilter::default()
            },
            resolution: Resolution::Retry,
            note: None,
        };
        let until = self.store().now().await?;
        self.resolve_dead_letters(caller, &decision, until, told)
            .await
    }
}

impl Progress {
    /// What was resolved before a batch came by it was never seen there, but had fitted.
    fn finish(&mut self) {
        let accounted = self.resolved + self.unfit.letters;
        self.skipped = self.skipped.max(self.matched.saturating_sub(accounted));
        self.is_done = true;
    }
}

impl BulkDecision {
    /// Refuses what cannot be meant. The changes are those to lay over each letter, if any.
    fn check(&self) -> Result<Option<Changes>, EngineError> {
        check_dead_letter_filter(IN_A_BODY, &self.filter)?;
        check(&self.resolution, self.note.as_deref())
    }

    fn filter_until(&self, until: Timestamp) -> DeadLetterFilter {
        let until = self.filter.until.map_or(until, |own| own.min(until));
        DeadLetterFilter {
            until: Some(until),
            ..self.filter.clone()
        }
    }
}

fn check(resolution: &Resolution, note: Option<&str>) -> Result<Option<Changes>, EngineError> {
    check_note(note)?;
    match resolution {
        Resolution::Retry | Resolution::Cancel => Ok(None),
        Resolution::ModifyAndRetry { changes } if changes.is_empty() => Err(EngineError::invalid(
            "changes",
            "`modify_and_retry` needs `changes`; without changes use `retry`",
        )),
        Resolution::ModifyAndRetry { changes } => {
            Ok(Some(Changes::checked("changes", changes.clone())?))
        }
    }
}

fn in_store<'a>(resolution: &Resolution, changes: Option<&'a Changes>) -> store::Resolution<'a> {
    match (resolution, changes) {
        (Resolution::Cancel, _) => store::Resolution::Cancel,
        (Resolution::ModifyAndRetry { .. }, Some(changes)) => {
            store::Resolution::ModifyAndRetry(changes)
        }
        (Resolution::Retry | Resolution::ModifyAndRetry { .. }, _) => store::Resolution::Retry,
    }
}
