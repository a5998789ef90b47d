//! What a failed attempt means for its task: it is retried, blocked until a person decides, or
//! dead-lettered.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use workmill_core::lane::{Lane, has_another};
use workmill_core::lifecycle::{IllegalTransition, State, Trigger};
use workmill_core::money::Micros;
use workmill_core::question::WaitsFor;
use workmill_core::retry;
use workmill_core::verdict::{self, DeadLetterCause, Failure, Verdict};

use super::Ledger;
use super::history::History;
use super::ledger::Failed;
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::locked_rows::TaskRow;
use crate::write_back::{Block, DeadLetter};

pub(super) fn tell(
    ledger: &mut Ledger,
    row: &TaskRow,
    agent: &str,
    epoch: i32,
    event_type: EventType,
    mut data: serde_json::Value,
) {
    data["agent"] = agent.into();
    data["epoch"] = epoch.into();
    let event = Event::of_task(event_type, row.graph, row.task, data);
    ledger.events.push(event);
}

/// Emits the events of a failed attempt and of its task's new state.
pub(super) fn tell_of_failure(
    ledger: &mut Ledger,
    row: &TaskRow,
    agent: &str,
    epoch: i32,
    failed: &Failed,
    retry_in_ms: Option<i64>,
) {
    let reason = failed.reason.name();
    let will_retry = retry_in_ms.is_some();
    let data = json!({"reason": reason, "message": failed.message, "will_retry": will_retry});
    tell(ledger, row, agent, epoch, EventType::TaskFailed, data);
    let (event_type, data) = match row.state() {
        State::Retrying => (EventType::TaskRetrying, json!({"retry_in_ms": retry_in_ms})),
        State::DeadLettered => {
            let letter = ledger.remarks.dead_letters.get(&row.task);
            let cause = letter.map(|letter| letter.cause.name());
            let is_poison = letter.is_some_and(|letter| letter.cause == DeadLetterCause::Poison);
            (
                EventType::TaskDeadLettered,
                json!({"cause": cause, "reason": reason, "poison_pill": is_poison}),
            )
        }
        State::Blocked => {
            let block = ledger.remarks.blocks.get(&row.task);
            (EventType::TaskBlocked, block.map_or(json!({}), Block::told))
        }
        State::Cancelled => (EventType::TaskCancelled, json!({"because": "drain"})),
        _ => return,
    };
    tell(ledger, row, agent, epoch, event_type, data);
}

/// A failed attempt, as far as its task's next step depends on it.
pub(super) struct FailureOf<'a> {
    pub(super) lease_agent: &'a str,
    pub(super) failed: &'a Failed,
    /// What the attempt has cost beyond what was posted before.
    pub(super) cost_micros: i64,
    pub(super) retry_after_ms: Option<i64>,
    pub(super) random: f64,
    pub(super) now: Timestamp,
    pub(super) is_draining: bool,
}

impl FailureOf<'_> {
    /// Returns what all attempts of the task have cost, this one included.
    fn total_spent(&self, row: &TaskRow) -> Micros {
        Micros(row.spent_micros + self.cost_micros)
    }
}

/// Moves the row on as the verdict says. Returns after how many milliseconds the task is retried, if it
/// is.
pub(super) fn apply_failure(
    row: &mut TaskRow,
    failure: &FailureOf<'_>,
    history: &History,
    ledger: &mut Ledger,
) -> Result<Result<Option<i64>, IllegalTransition>, StoreError> {
    let (asked, policy) = history.policy(row.task)?;
    row.crashes = if failure.failed.reason.is_expiry() {
        row.crashes + 1
    } else {
        0
    };
    let spent = failure.total_spent(row);
    // All failures count here, also those before a revival: these models have failed the task.
    let ever_failed = count(history.failures(row.task).len() + 1);
    let fallback = asked.fallback_lane(policy.boost, ever_failed, spent);
    let moved = match judge(row, failure, history, fallback.as_ref())? {
        Verdict::Retry { .. } | Verdict::Block if failure.is_draining => {
            row.follow(Trigger::Cancel).map(|()| None)
        }
        Verdict::Retry {
            after_ms,
            burns_attempt,
        } => {
            row.attempts -= i32::from(!burns_attempt);
            // The lane depends on what the task may still cost.
            let lane = fallback.unwrap_or_else(|| asked.lane_after(policy.boost, spent));
            if policy.soft_exclusion && has_another(&lane, failure.lease_agent, &history.workers) {
                shun(row, failure, after_ms);
            }
            change_lane(row, lane, ledger);
            retry(row, failure.now, after_ms).map(|()| Some(after_ms))
        }
        Verdict::Block => {
            let block = Block {
                waits_for: WaitsFor::StaleCheck,
                question: None,
                until: None,
            };
            ledger.remarks.blocks.insert(row.task, block);
            row.follow(Trigger::Block).map(|()| None)
        }
        Verdict::DeadLetter(cause) => {
            let letter = DeadLetter {
                cause,
                reason: failure.failed.reason,
                fingerprint: failure.failed.fingerprint,
            };
            ledger.remarks.dead_letters.insert(row.task, letter);
            row.follow(Trigger::DeadLetter).map(|()| None)
        }
    };
    Ok(moved)
}

/// Returns the verdict on a failed attempt. The row counts it already.
fn judge(
    row: &TaskRow,
    failure: &FailureOf<'_>,
    history: &History,
    fallback: Option<&Lane>,
) -> Result<Verdict, StoreError> {
    let (asked, policy) = history.policy(row.task)?;
    let current = asked.lane_with_id(policy.boost, row.lane);
    let models = current.map(|lane| lane.models);
    let is_untried = |lane: &Lane| models.as_ref() != Some(&lane.models);
    let known = verdict::History {
        has_untried_fallback_model: fallback.is_some_and(is_untried),
        ..known_failures(row, failure, history)
    };
    let failed = Failure {
        reason: failure.failed.reason,
        retry_after_ms: failure.retry_after_ms,
        fingerprint: failure.failed.fingerprint,
    };
    Ok(verdict::decide(failed, policy, known, failure.random))
}

fn change_lane(row: &mut TaskRow, lane: Lane, ledger: &mut Ledger) {
    let id = lane.id();
    if id != row.lane {
        row.lane = id;
        ledger.lanes.insert(id, lane);
    }
}

/// Makes the task ready after this delay, or at once if there is none.
fn retry(row: &mut TaskRow, now: Timestamp, after_ms: i64) -> Result<(), IllegalTransition> {
    row.due = (after_ms > 0).then(|| now + SignedDuration::from_millis(after_ms));
    row.follow(Trigger::Retry)?;
    if row.due.is_none() {
        row.follow(Trigger::Promote)?;
    }
    Ok(())
}

fn count(many: usize) -> i32 {
    i32::try_from(many).unwrap_or(i32::MAX)
}

/// Returns what counts against the task: its failures since it was last revived, this one included.
fn known_failures(row: &TaskRow, failure: &FailureOf<'_>, history: &History) -> verdict::History {
    let mut failures = history.failures(row.task);
    failures.retain(|past| !past.is_forgiven);
    let mut agents: Vec<&str> = failures.iter().map(|past| past.agent.as_str()).collect();
    agents.push(failure.lease_agent);
    agents.sort_unstable();
    agents.dedup();
    verdict::History {
        attempts: row.attempts,
        failed: count(failures.len() + 1),
        crashes: row.crashes,
        agents: count(agents.len()),
        previous_fingerprint: failures.last().and_then(|past| past.fingerprint),
        has_untried_fallback_model: false,
        spent: failure.total_spent(row),
    }
}

/// Keeps the agent from claiming the task for a while.
fn shun(row: &mut TaskRow, failure: &FailureOf<'_>, after_ms: i64) {
    if row.shunned_until.is_none_or(|until| until <= failure.now) {
        row.shunned.clear();
    }
    if !row.shunned.iter().any(|agent| agent == failure.lease_agent) {
        row.shunned.push(failure.lease_agent.to_owned());
    }
    let until = failure.now + SignedDuration::from_millis(after_ms.max(retry::LEAST_EXCLUSION_MS));
    row.shunned_until = row.shunned_until.max(Some(until));
}
