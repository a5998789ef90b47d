//! What is known of the tasks' past. Only failures, and whoever comes back after its lease has
//! ended, need it; a plain completion does not read it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;
use workmill_core::attempt::Outcome;
use workmill_core::failure::Reason;
use workmill_core::ids::TaskId;
use workmill_core::json_text::JsonText;
use workmill_core::lane::Offer;
use workmill_core::money::Micros;
use workmill_core::policy::Policy;
use workmill_core::task::NewTask;
use workmill_core::usage::Usage;
use workmill_queries::queries::task::locked_rows as statements;

use super::spent::read_usage;
use super::{Ending, Settlement};
use crate::dispatch::agents::live_workers;
use crate::error::StoreError;
use crate::locked_rows::LockedRows;
use crate::operation::Work;

#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) attempts: BTreeMap<TaskId, Vec<statements::FindAttempts>>,
    pub(super) results: BTreeMap<TaskId, StoredResult>,
    pub(super) late: BTreeMap<(TaskId, i32), LateRow>,
    pub(super) asked: BTreeMap<TaskId, (NewTask, Policy)>,
    created_by: BTreeMap<TaskId, String>,
    /// The live workers, which could take over from one that failed.
    pub(super) workers: Vec<Offer>,
}

/// What a task has put out.
#[derive(Debug)]
pub(super) struct StoredResult {
    pub(super) output: JsonText,
    pub(super) artifacts: Option<Value>,
}

/// A late result, with its output as text.
#[derive(Debug)]
pub(super) struct LateRow {
    pub(super) row: statements::FindLateResults,
    pub(super) output: Option<JsonText>,
}

impl History {
    pub(super) fn policy(&self, task: TaskId) -> Result<&(NewTask, Policy), StoreError> {
        self.asked
            .get(&task)
            .ok_or_else(|| StoreError::Corrupt(format!("{task} has no description")))
    }

    pub(super) fn created_by(&self, task: TaskId) -> &str {
        self.created_by.get(&task).map_or("", String::as_str)
    }

    /// All that failed, what is forgiven included.
    pub(super) fn failures(&self, task: TaskId) -> Vec<&statements::FindAttempts> {
        let past = self.attempts.get(&task).into_iter().flatten();
        past.filter(|attempt| attempt.outcome == Outcome::Failed.name())
            .collect()
    }

    /// How many attempts took too long; each gives the next one more time.
    pub(super) fn timeouts(&self, task: TaskId) -> u32 {
        let past = self.attempts.get(&task).into_iter().flatten();
        let timeouts = past.filter(|one| one.reason.as_deref() == Some(Reason::Timeout.name()));
        u32::try_from(timeouts.count()).unwrap_or(u32::MAX)
    }

    /// How the attempts of this epoch ended, the last one last.
    pub(super) fn of_epoch(&self, task: TaskId, epoch: i32) -> Vec<&statements::FindAttempts> {
        let past = self.attempts.get(&task).into_iter().flatten();
        past.filter(|attempt| attempt.epoch == epoch).collect()
    }

    /// What the attempts of this epoch and what came in late have told of its usage, and what
    /// they have posted.
    pub(super) fn spent_in_epoch(
        &self,
        task: TaskId,
        epoch: i32,
    ) -> Result<(Usage, Micros), StoreError> {
        let attempts = self.of_epoch(task, epoch).into_iter();
        let attempts = attempts.map(|row| (row.usage.as_ref(), row.cost_micros));
        let late = self.late.get(&(task, epoch));
        let late = late.map(|late| (late.row.usage.as_ref(), late.row.cost_micros));
        let mut known = (Usage::default(), Micros::ZERO);
        for (usage, cost_micros) in attempts.chain(late) {
            known.0 = known.0.merge(&read_usage(usage)?);
            known.1 = known.1.saturating_add(Micros(cost_micros));
        }
        Ok(known)
    }
}

pub(super) fn ended_by_expiry(attempt: &statements::FindAttempts) -> bool {
    let reason = attempt.reason.as_deref().and_then(Reason::from_name);
    reason.is_some_and(Reason::is_expiry)
}

/// The attempt ended without its agent having said so: it may still have something to say.
pub(super) fn ended_by_workmill(attempt: &statements::FindAttempts) -> bool {
    let reason = attempt.reason.as_deref().and_then(Reason::from_name);
    attempt.outcome == Outcome::Cancelled.name()
        || reason.is_some_and(|reason| match reason {
            // An agent may have given up on time, too.
            Reason::Timeout => !attempt.said_by_agent,
            Reason::DeadlineExceeded => true,
            _ => reason.is_expiry(),
        })
}

pub(super) async fn read(
    work: &mut Work<'_>,
    held: &LockedRows,
    settlements: &[&Settlement],
) -> Result<History, StoreError> {
    let fails =
        |settlement: &Settlement| matches!(settlement.ending, Ending::Fail { .. } | Ending::Expire);
    let comes_back = |settlement: &Settlement| !held.leases.contains_key(&settlement.lease);
    let was_stopped = |settlement: &Settlement| {
        held.leases
            .get(&settlement.lease)
            .is_some_and(|lease| lease.stop.is_some())
    };
    let tasks: Vec<Uuid> = settlements
        .iter()
        .filter(|one| fails(one) || comes_back(one) || was_stopped(one))
        .map(|one| one.lease.task.0)
        .collect();
    let mut history = read_tasks(work, &tasks).await?;
    if settlements.iter().any(|one| fails(one)) {
        history.workers = live_workers(work).await?;
    }
    Ok(history)
}

pub(super) async fn read_tasks(work: &mut Work<'_>, tasks: &[Uuid]) -> Result<History, StoreError> {
    let mut history = History::default();
    if tasks.is_empty() {
        return Ok(history);
    }
    let rows = statements::find_attempts()
        .bind(work.transaction, &tasks, &work.ns)
        .all()
        .await?;
    for row in rows {
        history
            .attempts
            .entry(TaskId(row.task))
            .or_default()
            .push(row);
    }
    let rows = statements::find_results()
        .bind(work.transaction, &tasks, &work.ns)
        .map(|row| {
            let artifacts = row.artifacts.map(|text| JsonText::from(text.0).value());
            let output = row.output.0.into();
            (TaskId(row.task), StoredResult { output, artifacts })
        })
        .all()
        .await;
    history.results.extend(rows?);
    let rows = statements::find_late_results()
        .bind(work.transaction, &tasks, &work.ns)
        .map(|mut row| {
            let output = row.output.take().map(|text| JsonText::from(text.0));
            let row = statements::FindLateResults::from(row);
            ((TaskId(row.task), row.epoch), LateRow { row, output })
        })
        .all()
        .await;
    history.late.extend(rows?);
    let rows = statements::find_specs()
        .bind(work.transaction, &tasks, &work.ns)
        .all()
        .await?;
    for row in rows {
        let task = TaskId(row.task);
        let unreadable = |error: serde_json::Error| StoreError::Corrupt(format!("{task}: {error}"));
        let asked = NewTask::deserialize(&row.body).map_err(unreadable)?;
        let policy = Policy::deserialize(&row.policy).map_err(unreadable)?;
        history.asked.insert(task, (asked, policy));
        history.created_by.insert(task, row.created_by);
    }
    Ok(history)
}
