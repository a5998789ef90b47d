//! Deciding about all dead letters that fit a filter, one batch a transaction.
//!
//! A moment draws the line: letters of later date are left alone. A task that was sent round
//! again and comes back as a dead letter has a new date, so however often the same decision is
//! carried out, from the beginning or from the middle, it is carried out once for each letter.

use std::collections::BTreeSet;

use jiff::Timestamp;
use workmill_core::ids::{Namespace, TaskId};

use super::{Decision, Unresolved, resolve};
use crate::error::StoreError;
use crate::locked_rows::LockedRows;
use crate::look::dead_letters::{DeadLetterFilter, DeadLetterSummary, Stretch};
use crate::operation::{Operation, Work};
use crate::settlement::{Ledger, finish};

/// Letters that one transaction decides about: its locks are held for a fraction of a second.
pub const LARGEST_BATCH: i64 = 500;

/// Decides about the next letters that fit.
#[derive(Debug)]
pub struct ResolveMatching<'a> {
    pub ns: Namespace,
    pub filter: &'a DeadLetterFilter,
    /// What was dead-lettered later is left.
    pub until: Timestamp,
    /// Where the batch before this one ended.
    pub after: Option<TaskId>,
    pub decision: Decision<'a>,
}

/// What became of one batch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResolvedBatch {
    pub resolved: usize,
    /// Somebody was faster: decided already, completed late, or changed so that it does not fit.
    pub gone: usize,
    /// They cannot be modified like this and stay dead letters.
    pub unfit: Vec<(TaskId, String)>,
    /// Where the next batch begins; none when this was the last.
    pub next: Option<TaskId>,
}

impl Operation for ResolveMatching<'_> {
    type Answer = ResolvedBatch;
    const DOING: &'static str = "resolve dead letters that match a filter";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<ResolvedBatch, StoreError> {
        let until = self
            .filter
            .until
            .map_or(self.until, |own| own.min(self.until));
        let filter = DeadLetterFilter {
            until: Some(until),
            ..self.filter.clone()
        };
        let stretch = Stretch::after(work.transaction, work.ns, self.after).await?;
        let page = stretch.page(look(work, stretch, &filter).await?, LARGEST_BATCH);
        let mut batch = ResolvedBatch {
            next: page.next,
            ..ResolvedBatch::default()
        };
        if page.letters.is_empty() {
            return Ok(batch);
        }
        work.test_point("dead_letters.found").await?;
        let tasks: Vec<TaskId> = page.letters.iter().map(|letter| letter.task).collect();
        let mut held = LockedRows::lock(work, tasks.iter().copied()).await?;
        // Looked at again, now that nobody else can decide: a letter may have been resolved since,
        // and even be here again with a later date.
        let fits: BTreeSet<TaskId> = look(work, stretch, &filter)
            .await?
            .into_iter()
            .map(|letter| letter.task)
            .collect();
        let still: Vec<TaskId> = tasks
            .into_iter()
            .filter(|task| fits.contains(task))
            .collect();
        batch.gone = page.letters.len() - still.len();
        let mut ledger = Ledger::default();
        let answers = resolve(work, &mut held, &mut ledger, &still, self.decision).await?;
        for (task, answer) in still.into_iter().zip(answers) {
            match answer {
                Ok(_) => batch.resolved += 1,
                Err(Unresolved::NotADeadLetter) => batch.gone += 1,
                Err(Unresolved::Unfit(problem)) => batch.unfit.push((task, problem)),
            }
        }
        finish(work, held, ledger).await?;
        Ok(batch)
    }
}

async fn look(
    work: &Work<'_>,
    stretch: Stretch,
    filter: &DeadLetterFilter,
) -> Result<Vec<DeadLetterSummary>, StoreError> {
    let found = stretch
        .find(work.transaction, work.ns, filter, LARGEST_BATCH)
        .await;
    found.map_err(|error| work.failed(error))
}
