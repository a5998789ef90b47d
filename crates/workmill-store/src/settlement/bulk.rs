//! Changing all tasks that fit a filter, one batch a transaction.
//!
//! A moment draws the line: what was submitted or dead-lettered later is left alone, and a task
//! that is as it shall be is passed over. So the same action can be carried out from the
//! beginning or from the middle, as often as one likes: it is carried out once for each task.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;
use workmill_core::audit::Subject;
use workmill_core::bulk::{Candidate, Change, Effect, TaskFilter};
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::json_text::JsonText;
use workmill_core::money::Micros;
use workmill_core::task::NewTask;
use workmill_queries::queries::task::locked_rows::find_specs;

use super::cancel::cancel;
use super::dead_letters::{Decision, Redraft, Resolution, resolve};
use super::{Ledger, finish};
use crate::error::StoreError;
use crate::intake::TaskDraft;
use crate::intake::edit::{Edit, changed_fields, count_failures, lane_of, rewrite};
use crate::locked_rows::LockedRows;
use crate::look::bulk::{Position, describe, find_stretch};
use crate::operation::{Operation, Work};

/// Tasks that one transaction changes: its locks are held for a fraction of a second.
pub const LARGEST_BATCH: usize = 500;

/// Changes the next tasks that fit.
#[derive(Debug)]
pub struct ChangeMatching<'a> {
    pub ns: Namespace,
    pub filter: &'a TaskFilter,
    pub change: &'a Change,
    /// Checks and drafts what an edit makes of a task.
    pub redraft: &'a dyn Redraft,
    /// The action speaks of this moment.
    pub moment: Timestamp,
    /// Where the batch before this one ended.
    pub position: Option<Position>,
    pub by: &'a str,
    /// Kept with the record.
    pub note: Option<&'a str>,
}

/// What became of one batch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChangedBatch {
    pub changed: usize,
    /// Somebody was faster: it does not fit any more, runs or has ended.
    pub gone: usize,
    /// They cannot be edited like this and stay as they are.
    pub unfit: Vec<(TaskId, String)>,
    /// Where the next batch begins; none when this was the last.
    pub next: Option<Position>,
}

impl Operation for ChangeMatching<'_> {
    type Answer = ChangedBatch;
    const DOING: &'static str = "change tasks that match a filter";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<ChangedBatch, StoreError> {
        let (client, ns, at) = (work.transaction, work.ns, self.position);
        let stretch = find_stretch(client, Self::DOING, ns, self.filter, self.change, at).await?;
        let fitting = stretch.tasks.iter().filter(|(_, task)| self.is_meant(task));
        let mut tasks: Vec<TaskId> = fitting.map(|(id, _)| *id).collect();
        let mut batch = ChangedBatch {
            next: stretch.next,
            ..ChangedBatch::default()
        };
        if tasks.len() > LARGEST_BATCH {
            tasks.truncate(LARGEST_BATCH);
            batch.next = tasks.last().and_then(|last| stretch.behind(*last));
        }
        if tasks.is_empty() {
            return Ok(batch);
        }
        work.test_point("bulk.found").await?;
        let mut held = LockedRows::lock(work, tasks.iter().copied()).await?;
        // Looked at again, now that nobody else can change them.
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.0).collect();
        let found = describe(work.transaction, Self::DOING, work.ns, &ids).await?;
        let still = found.into_iter().filter(|(_, task)| self.is_meant(task));
        let still: Vec<TaskId> = still.map(|(id, _)| id).collect();
        batch.gone = tasks.len() - still.len();
        let mut ledger = Ledger::default();
        let unfit = self.change(work, &mut held, &mut ledger, &still).await?;
        batch.changed = still.len() - unfit.len();
        batch.unfit = unfit.into_iter().collect();
        finish(work, held, ledger).await?;
        Ok(batch)
    }
}

impl ChangeMatching<'_> {
    fn is_meant(&self, task: &Candidate) -> bool {
        self.filter.fits(task) && self.change.effect(task, self.moment) != Effect::None
    }

    /// Changes tasks that are held, and records it; answers why some cannot be edited.
    async fn change(
        &self,
        work: &mut Work<'_>,
        held: &mut LockedRows,
        ledger: &mut Ledger,
        tasks: &[TaskId],
    ) -> Result<BTreeMap<TaskId, String>, StoreError> {
        match self.change {
            Change::Retry => {
                let decision = Decision {
                    resolution: Resolution::Retry,
                    by: self.by,
                    note: self.note,
                };
                resolve(work, held, ledger, tasks, decision).await?;
                Ok(BTreeMap::new())
            }
            Change::Cancel => {
                for task in tasks {
                    let cancelled = cancel(held, ledger, *task, self.by);
                    cancelled.map_err(|refusal| {
                        StoreError::Corrupt(format!("{task} may be cancelled, but: {refusal:?}"))
                    })?;
                }
                self.record(work, held, tasks, BTreeMap::new());
                Ok(BTreeMap::new())
            }
            Change::Reprioritise(_) | Change::AddTag(_) | Change::RemoveTag(_) => {
                self.edit(work, held, ledger, tasks).await
            }
        }
    }

    /// Writes a new version of each task.
    async fn edit(
        &self,
        work: &mut Work<'_>,
        held: &mut LockedRows,
        ledger: &mut Ledger,
        tasks: &[TaskId],
    ) -> Result<BTreeMap<TaskId, String>, StoreError> {
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.0).collect();
        let specs = find_specs()
            .bind(work.transaction, &ids, &work.ns)
            .map(|spec| {
                let body = JsonText::from(spec.body.0);
                (TaskId(spec.task), spec.submitted_at, body)
            })
            .all()
            .await;
        let specs = specs?;
        let failures = count_failures(work, held, tasks).await?;
        let (mut unfit, mut changed) = (BTreeMap::new(), BTreeMap::new());
        let mut drafts: Vec<(TaskId, Timestamp, TaskDraft)> = Vec::with_capacity(specs.len());
        for (task, submitted_at, body) in specs {
            let asked: NewTask = serde_json::from_str(body.get())
                .map_err(|error| StoreError::Corrupt(format!("{task}: {error}")))?;
            match self.redraft.redraft(asked) {
                Ok(mut draft) => {
                    let edited: NewTask = serde_json::from_str(draft.body.get())
                        .map_err(|error| StoreError::Corrupt(format!("{task}: {error}")))?;
                    let failed = failures.get(&task).copied().unwrap_or(0);
                    let spent = held.tasks.get(&task).map_or(0, |row| row.spent_micros);
                    draft.lane = lane_of(&edited, &draft.policy, failed, Micros(spent));
                    changed.insert(task, changed_fields(&body, &draft));
                    drafts.push((task, submitted_at, draft));
                }
                Err(problem) => drop(unfit.insert(task, problem)),
            }
        }
        let edits = drafts.iter().map(|(task, submitted_at, draft)| Edit {
            task: *task,
            submitted_at: *submitted_at,
            draft,
        });
        let edits: Vec<Edit<'_>> = edits.collect();
        rewrite(work, held, ledger, &edits, self.by).await?;
        self.record(work, held, tasks, changed);
        Ok(unfit)
    }

    fn record(
        &self,
        work: &mut Work<'_>,
        held: &LockedRows,
        tasks: &[TaskId],
        mut changed: BTreeMap<TaskId, (Value, Value)>,
    ) {
        work.audit_tasks(held, tasks, self.note, |task| {
            let (before, after) = changed.remove(&task).unwrap_or_default();
            (self.change.action(), Subject::Task(task), before, after)
        });
    }
}
