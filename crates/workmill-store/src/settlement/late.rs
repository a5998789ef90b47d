//! Settlements that come in after the lease has ended. Paid work is kept.
//!
//! If no agent has claimed the task since, a late completion of an attempt that only ran out of
//! time becomes the outcome. Otherwise the output is stored with the attempt and refused; an
//! operator can adopt it. A late failure is only recorded. Repeating a settlement is idempotent.

use serde_json::value::RawValue;
use serde_json::{Value, json};
use workmill_core::attempt::Outcome;
use workmill_core::ids::LeaseId;
use workmill_core::json_look::is_same;
use workmill_core::json_text::JsonText;
use workmill_core::lifecycle::{State, Trigger};
use workmill_queries::queries::task::locked_rows as statements;

use super::history::{History, LateRow, ended_by_expiry, ended_by_workmill};
use super::ledger::{Late, Output};
use super::{Ending, Ledger, Refusal, Settled, Settlement, Settler, Spent};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::locked_rows::{LockedRows, TaskRow};

/// Decides about a settlement of an attempt that has ended, and records what it brings.
pub(super) fn decide(
    held: &mut LockedRows,
    ledger: &mut Ledger,
    history: &History,
    settlement: &Settlement,
) -> Result<Result<Settled, Refusal>, StoreError> {
    let (task, epoch) = (settlement.lease.task, settlement.lease.epoch);
    let attempts = history.of_epoch(task, epoch);
    let (Some(row), Some(last)) = (held.tasks.get_mut(&task), attempts.last()) else {
        return Ok(Err(Refusal::LeaseLost));
    };
    if let Some(answer) = answer_from_history(history, settlement, row.state(), last) {
        return Ok(answer);
    }
    let Some(report) = Report::of(&settlement.ending) else {
        return Ok(Err(Refusal::LeaseLost));
    };
    let may_count = may_take_up_again(row, epoch, last)
        || held
            .planted
            .is_on("late output accepted whoever claimed since");
    let was_accepted = report.outcome == Outcome::Completed && may_count && complete(row);
    if was_accepted && let Some(output) = &report.output {
        ledger.outputs.push(Output {
            lease: settlement.lease,
            value: output.clone(),
            artifacts: report.artifacts.clone(),
        });
    }
    let (known, posted) = history.spent_in_epoch(task, epoch)?;
    let spent = Spent::beyond(known.merge(&settlement.spent.usage), posted);
    let late = report.late(settlement.lease, last, was_accepted, spent);
    ledger.events.push(event_of(&late, row));
    ledger.late.push(late);
    Ok(if was_accepted {
        Ok(Settled::now(row.state()))
    } else {
        Err(Refusal::TooLate)
    })
}

/// Returns the answer to a settlement that brings nothing new: the caller does not hold the lease, or it
/// repeats an earlier call.
fn answer_from_history(
    history: &History,
    settlement: &Settlement,
    state: State,
    last: &statements::FindAttempts,
) -> Option<Result<Settled, Refusal>> {
    let repeat = Settled {
        is_repeat: true,
        ..Settled::now(state)
    };
    match settlement.settler {
        Settler::Upkeep => return Some(Err(Refusal::LeaseLost)),
        Settler::Key(key) if last.key != Some(key) => return Some(Err(Refusal::NotTheHolder)),
        Settler::Key(_) => {}
    }
    if is_what_was_said(history, settlement, last) {
        return Some(Ok(repeat));
    }
    if !ended_by_workmill(last) {
        return Some(Err(Refusal::LeaseLost));
    }
    let earlier = find_earlier(history, settlement)?;
    let is_same = is_what_came_late(settlement, earlier);
    Some(match (is_same, earlier.row.was_accepted) {
        (true, true) => Ok(repeat),
        (true, false) => Err(Refusal::TooLate),
        (false, _) => Err(Refusal::LeaseLost),
    })
}

/// Returns what came in late for this attempt before. A late failure does not count before a result,
/// which is worth more.
fn find_earlier<'a>(history: &'a History, settlement: &Settlement) -> Option<&'a LateRow> {
    let completes = matches!(settlement.ending, Ending::Complete { .. });
    let lease = settlement.lease;
    let earlier = history.late.get(&(lease.task, lease.epoch));
    earlier.filter(|one| !completes || one.row.outcome != Outcome::Failed.name())
}

/// The part of a late settlement that is stored.
struct Report {
    outcome: Outcome,
    output: Option<Box<RawValue>>,
    artifacts: Vec<Value>,
    message: Option<String>,
}

impl Report {
    /// Returns the result or the failure of this ending; the other endings report nothing.
    fn of(ending: &Ending) -> Option<Report> {
        match ending {
            Ending::Complete { output, artifacts } => Some(Report {
                outcome: Outcome::Completed,
                output: Some(output.clone()),
                artifacts: artifacts.clone(),
                message: None,
            }),
            Ending::Fail { message, .. } => Some(Report {
                outcome: Outcome::Failed,
                output: None,
                artifacts: Vec::new(),
                message: Some(message.clone()),
            }),
            Ending::Release | Ending::Block { .. } | Ending::Expire => None,
        }
    }

    fn late(
        self,
        lease: LeaseId,
        last: &statements::FindAttempts,
        was_accepted: bool,
        spent: Spent,
    ) -> Late {
        Late {
            lease,
            agent: last.agent.clone(),
            claimed_at: last.claimed_at,
            outcome: self.outcome,
            was_accepted,
            output: self.output,
            artifacts: self.artifacts,
            message: self.message,
            spent,
        }
    }
}

fn event_of(late: &Late, row: &TaskRow) -> Event {
    let event_type = if late.was_accepted {
        EventType::TaskCompleted
    } else {
        EventType::LateResult
    };
    let (agent, epoch, accepted) = (&late.agent, late.lease.epoch, late.was_accepted);
    let data = json!({"agent": agent, "epoch": epoch, "accepted": accepted});
    Event::of_task(event_type, row.graph, row.task, data)
}

/// Returns whether no agent has claimed the task since, and its last attempt only ran out of time.
pub(super) fn may_take_up_again(
    row: &TaskRow,
    epoch: i32,
    last: &statements::FindAttempts,
) -> bool {
    let rests = matches!(
        row.state(),
        State::Ready | State::Retrying | State::Blocked | State::DeadLettered
    );
    row.epoch == epoch && rests && ended_by_expiry(last)
}

fn complete(row: &mut TaskRow) -> bool {
    let mut next = row.clone();
    let followed = next
        .follow(Trigger::SubmitLateOutput)
        .and_then(|()| next.follow(Trigger::Accept))
        .is_ok();
    if followed {
        next.due = None;
        next.crashes = 0;
        *row = next;
    }
    followed
}

/// Returns whether the attempt ended by this settlement: the caller repeats it after a lost answer.
fn is_what_was_said(
    history: &History,
    settlement: &Settlement,
    last: &statements::FindAttempts,
) -> bool {
    match &settlement.ending {
        Ending::Complete { .. } => {
            last.outcome == Outcome::Completed.name()
                && history
                    .results
                    .get(&settlement.lease.task)
                    .is_some_and(|result| {
                        same_output(settlement, Some(&result.output), result.artifacts.as_ref())
                    })
        }
        Ending::Fail {
            reason, message, ..
        } => {
            // An attempt that was told to stop has the message of Workmill.
            let is_confirmed_stop = last.said_by_agent && !reason.may_be_reported(false);
            last.reason.as_deref() == Some(reason.name())
                && (is_confirmed_stop || last.message.as_deref() == Some(message.as_str()))
        }
        Ending::Release => last.outcome == Outcome::Released.name(),
        Ending::Block { .. } => last.outcome == Outcome::Blocked.name(),
        Ending::Expire => false,
    }
}

/// Returns whether this settlement came in late before.
fn is_what_came_late(settlement: &Settlement, earlier: &LateRow) -> bool {
    match &settlement.ending {
        Ending::Complete { .. } => same_output(
            settlement,
            earlier.output.as_ref(),
            earlier.row.artifacts.as_ref(),
        ),
        Ending::Fail { message, .. } => {
            earlier.row.outcome == Outcome::Failed.name()
                && earlier.row.message.as_deref() == Some(message.as_str())
        }
        Ending::Release | Ending::Block { .. } | Ending::Expire => false,
    }
}

fn same_output(
    settlement: &Settlement,
    stored: Option<&JsonText>,
    stored_artifacts: Option<&Value>,
) -> bool {
    match &settlement.ending {
        Ending::Complete { output, artifacts } => {
            let stored_artifacts = stored_artifacts.and_then(Value::as_array);
            stored.is_some_and(|stored| is_same(output, stored.raw()))
                && artifacts.as_slice() == stored_artifacts.map_or(&[][..], Vec::as_slice)
        }
        _ => false,
    }
}
