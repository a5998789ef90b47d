//! Dead letters: deciding about them. They never disappear by themselves.

pub mod matching;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;
use workmill_core::audit::{Action, Subject};
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::json_text::JsonText;
use workmill_core::lifecycle::{State, Trigger};
use workmill_core::money::Micros;
use workmill_core::resolution::Decided;
use workmill_core::task::NewTask;
use workmill_queries::queries::look::dead_letters as statements;
use workmill_queries::queries::task::locked_rows::find_specs;

use super::cancel::cancel;
use super::{Ledger, Refusal, finish, impossible};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::intake::TaskDraft;
use crate::intake::edit::{Edit, changed_fields, rewrite};
use crate::intake::references::{Unreadable, find_unreadable};
use crate::locked_rows::LockedRows;
use crate::operation::{Operation, Work};
use crate::write_back::Resolved;

#[derive(Debug, Clone, Copy)]
pub enum Resolution<'a> {
    /// Round again, with all its attempts anew: what failed before counts only for the models to
    /// fall back on.
    Retry,
    Cancel,
    /// Round again as something else.
    ModifyAndRetry(&'a dyn Redraft),
}

/// Makes another task of the one that was asked for, or tells why it cannot. It is asked under
/// the task's lock, so nothing changes between the look and the write.
pub trait Redraft: fmt::Debug + Sync {
    fn redraft(&self, asked: NewTask) -> Result<TaskDraft, String>;
}

/// What shall become of dead letters, and who says so.
#[derive(Debug, Clone, Copy)]
pub struct Decision<'a> {
    pub resolution: Resolution<'a>,
    pub by: &'a str,
    /// Kept with the event.
    pub note: Option<&'a str>,
}

impl Decision<'_> {
    /// Returns what is kept of it with the task.
    fn kept(&self) -> Resolved {
        Resolved {
            resolution: match self.resolution {
                Resolution::Retry => Decided::Retry,
                Resolution::Cancel => Decided::Cancel,
                Resolution::ModifyAndRetry(_) => Decided::ModifyAndRetry,
            },
            by: self.by.to_owned(),
            note: self.note.map(str::to_owned),
        }
    }
}

/// Why a task was left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unresolved {
    /// It is not there, somebody has decided already, or its agent came back with a result.
    NotADeadLetter,
    /// It cannot be modified like this.
    Unfit(String),
}

/// Decides about tasks, each on its own: one that is left does not hold up the others.
#[derive(Debug)]
pub struct ResolveDeadLetters<'a> {
    pub ns: Namespace,
    pub tasks: Vec<TaskId>,
    pub decision: Decision<'a>,
}

impl Operation for ResolveDeadLetters<'_> {
    /// The state each is in now.
    type Answer = Vec<Result<State, Unresolved>>;
    const DOING: &'static str = "resolve dead letters";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let mut held = LockedRows::lock(work, self.tasks.iter().copied()).await?;
        let mut ledger = Ledger::default();
        let answers = resolve(work, &mut held, &mut ledger, &self.tasks, self.decision).await?;
        finish(work, held, ledger).await?;
        Ok(answers)
    }
}

/// Decides about tasks that are held, and records it; answers for each in turn.
pub(super) async fn resolve(
    work: &mut Work<'_>,
    held: &mut LockedRows,
    ledger: &mut Ledger,
    tasks: &[TaskId],
    decision: Decision<'_>,
) -> Result<Vec<Result<State, Unresolved>>, StoreError> {
    let now = work.now().await?;
    let mut changed = BTreeMap::new();
    let mut unfit = match decision.resolution {
        Resolution::Retry | Resolution::Cancel => BTreeMap::new(),
        Resolution::ModifyAndRetry(redraft) => {
            let dead = tasks.iter().copied().filter(|task| is_dead(held, *task));
            let dead: BTreeSet<TaskId> = dead.collect();
            let by = decision.by;
            modify(work, held, ledger, &dead, redraft, by, &mut changed).await?
        }
    };
    let mut answers = Vec::with_capacity(tasks.len());
    for task in tasks {
        answers.push(if !is_dead(held, *task) {
            Err(Unresolved::NotADeadLetter)
        } else if let Some(problem) = unfit.remove(task) {
            Err(Unresolved::Unfit(problem))
        } else {
            let resolved = match decision.resolution {
                Resolution::Retry | Resolution::ModifyAndRetry(_) => {
                    revive(held, ledger, *task, now, decision.by)
                }
                Resolution::Cancel => cancel(held, ledger, *task, decision.by),
            };
            let resolved = resolved.inspect(|_| {
                let kept = decision.kept();
                ledger.remarks.resolved.insert(*task, kept);
            });
            if let (Some(note), Some(event)) = (decision.note, ledger.events.last_mut()) {
                event.data["note"] = note.into();
            }
            // A dead letter may be revived and cancelled.
            Ok(resolved.map_err(|refusal| match refusal {
                Refusal::Illegal(illegal) => impossible(illegal),
                other => StoreError::Corrupt(format!("{task}: {other:?}")),
            })?)
        });
    }
    let action = match decision.resolution {
        Resolution::Retry => Action::DeadLetterRetried,
        Resolution::Cancel => Action::DeadLetterCancelled,
        Resolution::ModifyAndRetry(_) => Action::DeadLetterModified,
    };
    work.audit_tasks(held, tasks, decision.note, |task| {
        let (before, after) = changed.remove(&task).unwrap_or_default();
        (action, Subject::DeadLetter(task), before, after)
    });
    Ok(answers)
}

fn is_dead(held: &LockedRows, task: TaskId) -> bool {
    let row = held.tasks.get(&task);
    row.is_some_and(|row| row.state() == State::DeadLettered)
}

/// Writes a new version of each task that can be modified; answers why the others cannot.
async fn modify(
    work: &Work<'_>,
    held: &mut LockedRows,
    ledger: &mut Ledger,
    dead: &BTreeSet<TaskId>,
    redraft: &dyn Redraft,
    by: &str,
    changed: &mut BTreeMap<TaskId, (Value, Value)>,
) -> Result<BTreeMap<TaskId, String>, StoreError> {
    let ids: Vec<Uuid> = dead.iter().map(|task| task.0).collect();
    let specs = find_specs()
        .bind(work.transaction, &ids, &work.ns)
        .map(|spec| {
            let body = JsonText::from(spec.body.0);
            (TaskId(spec.task), spec.submitted_at, body)
        })
        .all()
        .await;
    let mut unfit = BTreeMap::new();
    let mut drafts: Vec<(TaskId, Timestamp, TaskDraft)> = Vec::new();
    for (task, submitted_at, body) in specs? {
        let asked: NewTask = serde_json::from_str(body.get())
            .map_err(|error| StoreError::Corrupt(format!("{task}: {error}")))?;
        match redraft.redraft(asked) {
            Ok(mut draft) => {
                let spent = held.tasks.get(&task).map_or(0, |row| row.spent_micros);
                let left = draft.policy.admission.left_of_own_budget(Micros(spent));
                draft.lane = draft.lane.costing(left);
                changed.insert(task, changed_fields(&body, &draft));
                drafts.push((task, submitted_at, draft));
            }
            Err(problem) => drop(unfit.insert(task, problem)),
        }
    }
    let refused = find_unreadable(work, drafts.iter().map(|(_, _, draft)| draft)).await?;
    // From the last one on, so that the places of the others stay as they are.
    for Unreadable { place, task, .. } in refused.into_iter().rev() {
        let (letter, ..) = drafts.remove(place);
        changed.remove(&letter);
        unfit.insert(
            letter,
            format!("{task}, to whose output it would refer, does not exist"),
        );
    }
    let edits: Vec<Edit<'_>> = drafts
        .iter()
        .map(|(task, submitted_at, draft)| Edit {
            task: *task,
            submitted_at: *submitted_at,
            draft,
        })
        .collect();
    rewrite(work, held, ledger, &edits, by).await?;
    Ok(unfit)
}

fn revive(
    held: &mut LockedRows,
    ledger: &mut Ledger,
    task: TaskId,
    now: Timestamp,
    resolved_by: &str,
) -> Result<State, Refusal> {
    let row = held.tasks.get_mut(&task).ok_or(Refusal::NotFound)?;
    row.follow(Trigger::Revive).map_err(Refusal::Illegal)?;
    ledger.revivals.push((task, row.epoch));
    row.attempts = 0;
    row.crashes = 0;
    row.due = None;
    row.shunned.clear();
    row.shunned_until = None;
    row.promote_if_due(now).map_err(Refusal::Illegal)?;
    let data = json!({"by": resolved_by});
    ledger.events.push(Event::of_task(
        EventType::TaskRevived,
        row.graph,
        task,
        data,
    ));
    Ok(row.state())
}

/// Remembers that somebody has looked at dead letters, or that nobody has.
#[derive(Debug)]
pub struct ReviewDeadLetters {
    pub ns: Namespace,
    pub tasks: Vec<TaskId>,
    pub is_reviewed: bool,
}

impl Operation for ReviewDeadLetters {
    /// Those that are dead letters.
    type Answer = Vec<TaskId>;
    const DOING: &'static str = "mark dead letters as reviewed";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        // Whoever resolves a letter holds its task, so the two meet there and not at the letter.
        let held = LockedRows::lock_without_graphs(work, self.tasks.iter().copied()).await?;
        let ids: Vec<Uuid> = held.tasks.keys().map(|task| task.0).collect();
        let marked = statements::mark_reviewed()
            .bind(work.transaction, &self.is_reviewed, &work.ns, &ids)
            .all()
            .await?;
        Ok(marked.into_iter().map(TaskId).collect())
    }
}
