//! Editing a task that does not run: a new version of what was asked for.

use std::collections::BTreeMap;
use std::mem;

use jiff::Timestamp;
use postgres_types::Json;
use serde_json::{Value, json};
use uuid::Uuid;
use workmill_core::attempt::Outcome;
use workmill_core::audit::{self, Action, Subject};
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::json_text::JsonText;
use workmill_core::lane::Lane;
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::policy::Policy;
use workmill_core::task::NewTask;
use workmill_queries::client::Params;
use workmill_queries::queries::intake::submit as statements;
use workmill_queries::queries::task::locked_rows::{find_attempts, find_specs};

use super::arrival::{TaskDraft, write_deadlines};
use super::references::{Unreadable, find_unreadable};
use super::urgency::find_most_points;
use crate::beside::beside;
use crate::column::column;
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::locked_rows::LockedRows;
use crate::operation::{Operation, Work};
use crate::settlement::{Ledger, finish};
use crate::write_back::delete_deadlines;

#[derive(Debug)]
pub struct EditTask<'a> {
    pub ns: Namespace,
    pub task: TaskId,
    /// The version that the changes were made to.
    pub version: i32,
    pub draft: &'a TaskDraft,
    pub edited_by: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditRefusal {
    NoSuchTask,
    /// Somebody else has edited it in the meantime.
    OtherVersion {
        version: i32,
    },
    /// It runs or has ended.
    TooLate(State),
    /// It would refer to an output that does not exist.
    Unreadable(Unreadable),
}

impl Operation for EditTask<'_> {
    /// The new version, and the state it is in now.
    type Answer = Result<(i32, State), EditRefusal>;
    const DOING: &'static str = "edit a task";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let mut held = LockedRows::lock(work, [self.task]).await?;
        let Some(row) = held.tasks.get(&self.task) else {
            return Ok(Err(EditRefusal::NoSuchTask));
        };
        if row.spec_version != self.version {
            return Ok(Err(EditRefusal::OtherVersion {
                version: row.spec_version,
            }));
        }
        if row.state().is_leased() || row.state().is_finished() {
            return Ok(Err(EditRefusal::TooLate(row.state())));
        }
        if let Some(refused) = find_unreadable(work, [self.draft]).await?.first() {
            return Ok(Err(EditRefusal::Unreadable(*refused)));
        }
        let (submitted_at, asked) = self.find_what_was_asked(work).await?;
        let draft = TaskDraft {
            lane: self.lane_after_failures(work, &held).await?,
            ..self.draft.clone()
        };
        let edit = Edit {
            task: self.task,
            submitted_at,
            draft: &draft,
        };
        let mut ledger = Ledger::default();
        rewrite(work, &mut held, &mut ledger, &[edit], self.edited_by).await?;
        let (mut before, mut after) = changed_fields(&asked, &draft);
        work.audit_tasks(&held, &[self.task], None, |task| {
            let (before, after) = (mem::take(&mut before), mem::take(&mut after));
            (Action::TaskEdited, Subject::Task(task), before, after)
        });
        let row = &held.tasks[&self.task];
        let answer = (row.spec_version, row.state());
        finish(work, held, ledger).await?;
        Ok(Ok(answer))
    }
}

impl EditTask<'_> {
    /// What has failed before keeps to its fallback models.
    async fn lane_after_failures(
        &self,
        work: &Work<'_>,
        held: &LockedRows,
    ) -> Result<Lane, StoreError> {
        let failures = count_failures(work, held, &[self.task]).await?;
        let failures = failures.get(&self.task).copied().unwrap_or(0);
        let text = self.draft.body.get();
        let asked: NewTask = beside(text.len() > A_FEW_BYTES, || serde_json::from_str(text))
            .map_err(|error| StoreError::Corrupt(format!("{}: {error}", self.task)))?;
        let spent = held.tasks.get(&self.task).map_or(0, |row| row.spent_micros);
        Ok(lane_of(&asked, &self.draft.policy, failures, Micros(spent)))
    }

    async fn find_what_was_asked(
        &self,
        work: &Work<'_>,
    ) -> Result<(Timestamp, JsonText), StoreError> {
        let ids = [self.task.0];
        let spec = find_specs()
            .bind(work.transaction, &&ids[..], &work.ns)
            .map(|spec| (spec.submitted_at, JsonText::from(spec.body.0)))
            .one()
            .await;
        spec.map_err(|error| work.failed(error))
    }
}

/// Returns the lane of a task that has failed this often and cost this much.
pub(crate) fn lane_of(asked: &NewTask, policy: &Policy, failures: i32, spent: Micros) -> Lane {
    let fallback = asked.fallback_lane(policy.boost, failures, spent);
    fallback.unwrap_or_else(|| asked.lane_after(policy.boost, spent))
}

/// How often tasks that are held have failed; those that have not are left out.
pub(crate) async fn count_failures(
    work: &Work<'_>,
    held: &LockedRows,
    tasks: &[TaskId],
) -> Result<BTreeMap<TaskId, i32>, StoreError> {
    let has_run = |task: &&TaskId| held.tasks.get(*task).is_some_and(|row| row.epoch > 1);
    let ids: Vec<Uuid> = tasks.iter().filter(has_run).map(|task| task.0).collect();
    let mut failures = BTreeMap::new();
    if ids.is_empty() {
        return Ok(failures);
    }
    let attempts = find_attempts()
        .bind(work.transaction, &ids, &work.ns)
        .all()
        .await?;
    for attempt in attempts {
        if attempt.outcome == Outcome::Failed.name() {
            *failures.entry(TaskId(attempt.task)).or_default() += 1;
        }
    }
    Ok(failures)
}

/// What an edit changes, as it was and as it will be, for the record.
pub(crate) fn changed_fields(asked: &JsonText, draft: &TaskDraft) -> (Value, Value) {
    let wanted = JsonText::from(&*draft.body);
    let is_long = asked.get().len() + wanted.get().len() > A_FEW_BYTES;
    beside(is_long, || audit::difference(asked.value(), wanted.value()))
}

/// More JSON takes longer to read than a change of threads.
const A_FEW_BYTES: usize = 32 * 1024;

/// A task and what it shall be from now on.
pub(crate) struct Edit<'a> {
    pub(crate) task: TaskId,
    /// It goes on ageing from there.
    pub(crate) submitted_at: Timestamp,
    pub(crate) draft: &'a TaskDraft,
}

/// Writes a new version of each task. They are held, do not run and have not ended; each is
/// named once.
pub(crate) async fn rewrite(
    work: &Work<'_>,
    held: &mut LockedRows,
    ledger: &mut Ledger,
    edits: &[Edit<'_>],
    edited_by: &str,
) -> Result<(), StoreError> {
    if edits.is_empty() {
        return Ok(());
    }
    // A task that an agent has spawned keeps its bound.
    let most_points = find_most_points(work, edits.iter().map(|edit| &edit.task)).await?;
    let policies = edits.iter().map(|edit| Policy {
        most_critical_path: most_points.get(&edit.task).copied().flatten(),
        ..edit.draft.policy.clone()
    });
    let policies: Vec<Policy> = policies.collect();
    write_versions(work, held, edits, &policies).await?;
    let now = work.now().await?;
    let mut urgencies = Vec::with_capacity(edits.len());
    for (
        Edit {
            task,
            submitted_at,
            draft,
        },
        policy,
    ) in edits.iter().zip(&policies)
    {
        let Some(row) = held.tasks.get_mut(task) else {
            continue;
        };
        let critical_path = u8::try_from(row.critical_path).unwrap_or(0);
        let urgency = draft.urgency(*submitted_at, policy.points_of_chain(critical_path));
        row.spec_version += 1;
        row.lane = draft.lane.id();
        row.rank = urgency.rank(now);
        row.has_deadline = draft.deadline.is_some();
        ledger.lanes.insert(row.lane, draft.lane.clone());
        let data = json!({"by": edited_by, "version": row.spec_version});
        ledger.events.push(Event::of_task(
            EventType::TaskEdited,
            row.graph,
            *task,
            data,
        ));
        urgencies.push((*task, urgency));
    }
    let tasks: Vec<Uuid> = edits.iter().map(|edit| edit.task.0).collect();
    delete_deadlines(work, &tasks).await?;
    write_deadlines(work, &urgencies).await
}

async fn write_versions(
    work: &Work<'_>,
    held: &LockedRows,
    edits: &[Edit<'_>],
    policies: &[Policy],
) -> Result<(), StoreError> {
    let version = |edit: &Edit<'_>| held.tasks.get(&edit.task).map_or(0, |row| row.spec_version);
    let parameters = statements::InsertSpecVersionsParams {
        ns: work.ns,
        tasks: column(edits, |edit| edit.task.0),
        versions: edits.iter().map(version).collect::<Vec<_>>(),
        bodies: column(edits, |edit| Json(&edit.draft.body)),
        policies: policies.iter().map(Json).collect::<Vec<_>>(),
    };
    statements::insert_spec_versions()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}
