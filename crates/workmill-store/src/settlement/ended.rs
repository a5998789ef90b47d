//! What is counted of attempts that have ended.

use jiff::{SignedDuration, Timestamp};
use workmill_core::attempt::Outcome;
use workmill_core::failure::Reason;
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;

use super::Ledger;
use crate::locked_rows::LockedRows;

/// An attempt that has ended, or what came in after its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedAttempt {
    pub task: TaskId,
    /// None where the lease does not tell.
    pub task_type: Option<String>,
    pub agent: String,
    /// None for what came in late: the attempt was counted when it ended.
    pub outcome: Option<Outcome>,
    pub reason: Option<Reason>,
    /// Its task is completed by it.
    pub is_completion: bool,
    /// Its task is tried again.
    pub is_retried: bool,
    /// Beyond what was counted before.
    pub cost: Micros,
    /// The model that cost most.
    pub model: Option<String>,
    /// From the start on; none where it never started.
    pub ran: Option<SignedDuration>,
}

pub(super) fn counted(
    ledger: &Ledger,
    held: &LockedRows,
    now: Timestamp,
) -> impl Iterator<Item = EndedAttempt> {
    let goes_on = |task: TaskId| {
        let row = held.tasks.get(&task);
        row.is_some_and(|row| {
            matches!(row.state(), State::Retrying | State::Ready | State::Pending)
        })
    };
    let ended = ledger.ended.iter().map(move |one| EndedAttempt {
        task: one.lease.lease.task,
        task_type: one.lease.task_type.clone(),
        agent: one.lease.agent.clone(),
        outcome: Some(one.outcome),
        reason: one.failed.as_ref().map(|failed| failed.reason),
        is_completion: one.outcome == Outcome::Completed,
        is_retried: one.failed.is_some() && goes_on(one.lease.lease.task),
        cost: Micros(one.spent.cost_micros),
        model: one.spent.usage.main_model().map(str::to_owned),
        ran: one.lease.started_at.map(|since| now.duration_since(since)),
    });
    let late = ledger.late.iter().map(|one| EndedAttempt {
        task: one.lease.task,
        task_type: None,
        agent: one.agent.clone(),
        outcome: None,
        reason: None,
        is_completion: one.was_accepted,
        is_retried: false,
        cost: Micros(one.spent.cost_micros),
        model: one.spent.usage.main_model().map(str::to_owned),
        ran: None,
    });
    ended.chain(late)
}
