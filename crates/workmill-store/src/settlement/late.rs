//! Whoever comes back after its lease has ended. Paid work is kept.
//!
//! While nobody else has claimed since, a late completion of an attempt that only ran out of
//! time becomes the outcome. Otherwise the output is stored with the attempt and refused; an
//! operator can adopt it. A late failure is only recorded. Saying again what was said before
//! gets the answer of before.

use serde_json::Value;
use serde_json::json;
use workmill_core::attempt::Outcome;
use workmill_core::json_look::is_same;
use workmill_core::json_text::JsonText;
use workmill_core::lifecycle::{State, Trigger};
use workmill_queries::queries::task::held as statements;

use super::history::{History, LateRow, ended_by_expiry, ended_by_workmill};
use super::ledger::Late;
use super::{Ending, Ledger, Refusal, Settled, Settlement, Settler, Spent};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::held::{Held, TaskRow};

pub(super) fn decide(
    held: &mut Held,
    ledger: &mut Ledger,
    history: &History,
    settlement: &Settlement,
) -> Result<Result<Settled, Refusal>, StoreError> {
    let (task, epoch) = (settlement.lease.task, settlement.lease.epoch);
    let attempts = history.of_epoch(task, epoch);
    let (Some(row), Some(last)) = (held.tasks.get_mut(&task), attempts.last()) else {
        return Ok(Err(Refusal::LeaseLost));
    };
    match settlement.settler {
        Settler::Upkeep => return Ok(Err(Refusal::LeaseLost)),
        Settler::Key(key) if last.key != Some(key) => return Ok(Err(Refusal::NotTheHolder)),
        Settler::Key(_) => {}
    }
    if is_what_was_said(history, settlement, last) {
        return Ok(Ok(Settled {
            is_repeat: true,
            ..Settled::now(row.state())
        }));
    }
    if !ended_by_workmill(last) {
        return Ok(Err(Refusal::LeaseLost));
    }
    // Whoever said that it failed may still come with a result: that is worth more.
    let completes = matches!(settlement.ending, Ending::Complete { .. });
    let earlier = history.late.get(&(task, epoch));
    let earlier = earlier.filter(|one| !completes || one.row.outcome != Outcome::Failed.name());
    if let Some(earlier) = earlier {
        return Ok(
            match (
                is_what_came_late(settlement, earlier),
                earlier.row.was_accepted,
            ) {
                (true, true) => Ok(Settled {
                    is_repeat: true,
                    ..Settled::now(row.state())
                }),
                (true, false) => Err(Refusal::TooLate),
                (false, _) => Err(Refusal::LeaseLost),
            },
        );
    }
    let (outcome, output, artifacts, message) = match &settlement.ending {
        Ending::Complete { output, artifacts } => (
            Outcome::Completed,
            Some(output.clone()),
            artifacts.clone(),
            None,
        ),
        Ending::Fail { message, .. } => (Outcome::Failed, None, Vec::new(), Some(message.clone())),
        Ending::Release | Ending::Block { .. } | Ending::Expire => {
            return Ok(Err(Refusal::LeaseLost));
        }
    };
    let may_count = may_take_up_again(row, epoch, last)
        || held
            .planted
            .is_on("late output accepted whoever claimed since");
    let was_accepted = outcome == Outcome::Completed && may_count && complete(row);
    if was_accepted && let Some(output) = &output {
        let result = (settlement.lease, output.clone(), artifacts.clone());
        ledger.results.push(result);
    }
    let (known, posted) = history.spent_in_epoch(task, epoch)?;
    ledger.late.push(Late {
        lease: settlement.lease,
        agent: last.agent.clone(),
        claimed_at: last.claimed_at,
        outcome,
        was_accepted,
        output,
        artifacts,
        message,
        spent: Spent::beyond(known.merge(&settlement.spent.usage), posted),
    });
    let data = json!({"agent": last.agent, "epoch": epoch, "accepted": was_accepted});
    let event_type = if was_accepted {
        EventType::TaskCompleted
    } else {
        EventType::LateResult
    };
    ledger
        .events
        .push(Event::of_task(event_type, row.graph, task, data));
    Ok(if was_accepted {
        Ok(Settled::now(row.state()))
    } else {
        Err(Refusal::TooLate)
    })
}

/// Nobody has claimed the task since, and its last attempt only ran out of time.
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

/// The attempt ended in just these words: the caller did not hear the answer.
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

/// It came late before, in just these words.
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
