//! What an ending means for its task: rows change in memory, what is to be written goes into the
//! ledger.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use workmill_core::attempt::Outcome;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::{State, Trigger};
use workmill_core::money::Micros;
use workmill_core::retry;
use workmill_core::verdict::{self, DeadLetterCause, Failure, Verdict};

use super::history::History;
use super::ledger::{Ended, Failed, Late};
use super::{Ending, Ledger, Refusal, Settled, Settlement, Settler, Spent, late};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::held::{Held, LeaseRow, TaskRow};
use crate::test_points::TestPoints;
use crate::write_back::{Block, DeadLetter};

pub(super) fn decide(
    held: &mut Held,
    ledger: &mut Ledger,
    history: &History,
    settlement: &Settlement,
    now: Timestamp,
) -> Result<Result<Settled, Refusal>, StoreError> {
    let Some(lease) = held.lease(settlement.lease).cloned() else {
        return late::decide(held, ledger, history, settlement);
    };
    if let Settler::Key(key) = settlement.settler
        && key != lease.key
    {
        return Ok(Err(Refusal::NotTheHolder));
    }
    let task = settlement.lease.task;
    let is_draining = held
        .tasks
        .get(&task)
        .and_then(|row| held.graphs.get(&row.graph))
        .is_some_and(|graph| graph.is_draining);
    let Some(row) = held.tasks.get_mut(&task) else {
        return Ok(Err(Refusal::LeaseLost));
    };
    if !row.state.is_leased() {
        return Ok(stopped(ledger, row, lease, settlement, now));
    }
    if let Ending::Fail { reason, .. } = &settlement.ending
        && !reason.may_be_reported(lease.stop.is_some())
    {
        return Ok(Err(Refusal::ReservedReason(*reason)));
    }
    let mut ending = EndingAttempt {
        ledger,
        row,
        lease,
        settlement,
        now,
        is_draining,
        planted: &held.planted,
    };
    let answer = match &settlement.ending {
        Ending::Complete { output, artifacts } => {
            ending.complete(output.clone(), artifacts.clone())
        }
        Ending::Release | Ending::Fail { .. } if ending.lease.stop.is_some() => {
            let stopped = told_to_stop(&ending.lease);
            ending.fail(history, stopped)?
        }
        Ending::Release => ending.release(),
        Ending::Block {
            waits_for,
            question,
            timeout_ms,
        } => {
            let until = timeout_ms.map(|after| now + SignedDuration::from_millis(after));
            let block = Block {
                waits_for: waits_for.name(),
                question: question.clone(),
                until,
            };
            ending.block(block)
        }
        Ending::Fail {
            reason,
            message,
            details,
            ..
        } => {
            let failed = Failed {
                details: details.clone(),
                ..Failed::new(*reason, message.as_str())
            };
            ending.fail(history, failed)?
        }
        Ending::Expire => match why_lost(&ending.lease, now) {
            None => return Ok(Err(Refusal::StillAlive)),
            Some(failed) => ending.fail(history, failed)?,
        },
    };
    Ok(answer)
}

/// Why an attempt was told to stop, besides the cancellation of its task.
fn told_to_stop(lease: &LeaseRow) -> Failed {
    let stop = lease.stop.as_deref().and_then(Reason::from_name);
    match stop {
        Some(Reason::BudgetExceeded) => {
            Failed::new(Reason::BudgetExceeded, "it cost more than it may")
        }
        _ => Failed::new(Reason::DeadlineExceeded, "the deadline passed while it ran"),
    }
}

/// The task was cancelled while this attempt ran. The attempt ends; a finished output is kept.
fn stopped(
    ledger: &mut Ledger,
    row: &TaskRow,
    lease: LeaseRow,
    settlement: &Settlement,
    now: Timestamp,
) -> Result<Settled, Refusal> {
    if matches!(settlement.ending, Ending::Expire) && why_lost(&lease, now).is_none() {
        return Err(Refusal::StillAlive);
    }
    let spent = lease.spent_with(&settlement.spent.usage);
    let (answer, outcome) = match &settlement.ending {
        Ending::Complete { output, artifacts } => {
            ledger.late.push(Late {
                lease: settlement.lease,
                agent: lease.agent.clone(),
                claimed_at: lease.claimed_at,
                outcome: Outcome::Completed,
                was_accepted: false,
                output: Some(output.clone()),
                artifacts: artifacts.clone(),
                message: None,
                // The attempt's row has the cost.
                spent: Spent::default(),
            });
            (Err(Refusal::TooLate), Outcome::Cancelled)
        }
        _ => (Ok(Settled::now(row.state)), Outcome::Cancelled),
    };
    ledger.ended.push(Ended {
        lease,
        outcome,
        said_by_agent: settlement.settler.is_agent(),
        failed: None,
        spent,
    });
    answer
}

/// One attempt that ends, with the row of its task.
struct EndingAttempt<'a> {
    ledger: &'a mut Ledger,
    row: &'a mut TaskRow,
    lease: LeaseRow,
    settlement: &'a Settlement,
    now: Timestamp,
    /// Its graph is being cancelled: what fails is not tried again.
    is_draining: bool,
    planted: &'a TestPoints,
}

impl EndingAttempt<'_> {
    fn complete(
        &mut self,
        output: Box<serde_json::value::RawValue>,
        artifacts: Vec<serde_json::Value>,
    ) -> Result<Settled, Refusal> {
        let mut next = self.row.clone();
        next.follow(Trigger::SubmitOutput)
            .map_err(Refusal::Illegal)?;
        next.follow(Trigger::Accept).map_err(Refusal::Illegal)?;
        next.crashes = 0;
        *self.row = next;
        let lease = self.settlement.lease;
        self.ledger.results.push((lease, output, artifacts));
        self.end(Outcome::Completed, None);
        let cost_usd = crate::look::dollars(self.spent().cost_micros);
        self.say(EventType::TaskCompleted, json!({"cost_usd": cost_usd}));
        Ok(Settled::now(self.row.state))
    }

    fn release(&mut self) -> Result<Settled, Refusal> {
        let mut next = self.row.clone();
        if self.is_draining {
            next.follow(Trigger::Cancel).map_err(Refusal::Illegal)?;
        } else {
            next.follow(Trigger::Release).map_err(Refusal::Illegal)?;
        }
        next.attempts -= 1;
        next.due = None;
        *self.row = next;
        self.end(Outcome::Released, None);
        self.say(EventType::TaskReleased, json!({}));
        if self.is_draining {
            self.say(EventType::TaskCancelled, json!({"because": "drain"}));
        }
        Ok(Settled::now(self.row.state))
    }

    fn block(&mut self, block: Block) -> Result<Settled, Refusal> {
        if self.row.state != State::Running {
            let illegal = workmill_core::lifecycle::IllegalTransition {
                from: self.row.state,
                trigger: Trigger::Block,
            };
            return Err(Refusal::Illegal(illegal));
        }
        let mut next = self.row.clone();
        // A graph that is being cancelled starts nothing anew: nobody would use the answer.
        let trigger = if self.is_draining {
            Trigger::Cancel
        } else {
            Trigger::Block
        };
        next.follow(trigger).map_err(Refusal::Illegal)?;
        next.attempts -= 1;
        *self.row = next;
        self.end(Outcome::Blocked, None);
        if self.is_draining {
            self.say(EventType::TaskCancelled, json!({"because": "drain"}));
            return Ok(Settled::now(self.row.state));
        }
        self.say(
            EventType::TaskBlocked,
            json!({"waits_for": block.waits_for}),
        );
        self.ledger.remarks.blocks.insert(self.row.task, block);
        Ok(Settled::now(self.row.state))
    }

    fn fail(
        &mut self,
        history: &History,
        failed: Failed,
    ) -> Result<Result<Settled, Refusal>, StoreError> {
        let retry_after_ms = match &self.settlement.ending {
            Ending::Fail { retry_after_ms, .. } => *retry_after_ms,
            _ => None,
        };
        let mut next = self.row.clone();
        let failure = FailureOf {
            lease_agent: &self.lease.agent,
            failed: &failed,
            cost_micros: self.spent().cost_micros,
            retry_after_ms,
            random: self.settlement.random,
            now: self.now,
            is_draining: self.is_draining,
        };
        let retry_in_ms = match apply_failure(&mut next, &failure, history, self.ledger)? {
            Ok(retry_in_ms) => retry_in_ms,
            Err(illegal) => return Ok(Err(Refusal::Illegal(illegal))),
        };
        *self.row = next;
        if self.planted.is_on("retry burns no attempt") && retry_in_ms.is_some() {
            self.row.attempts -= 1;
        }
        let (agent, epoch) = (self.lease.agent.as_str(), self.lease.lease.epoch);
        tell_of_failure(self.ledger, self.row, agent, epoch, &failed, retry_in_ms);
        self.end(Outcome::Failed, Some(failed));
        Ok(Ok(Settled {
            retry_in_ms,
            ..Settled::now(self.row.state)
        }))
    }

    fn end(&mut self, outcome: Outcome, failed: Option<Failed>) {
        self.ledger.ended.push(Ended {
            lease: self.lease.clone(),
            outcome,
            said_by_agent: self.settlement.settler.is_agent(),
            failed,
            spent: self.spent(),
        });
    }

    fn spent(&self) -> Spent {
        self.lease.spent_with(&self.settlement.spent.usage)
    }

    fn say(&mut self, event_type: EventType, data: serde_json::Value) {
        let (agent, epoch) = (self.lease.agent.as_str(), self.lease.lease.epoch);
        tell(self.ledger, self.row, agent, epoch, event_type, data);
    }
}

fn tell(
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

/// Tells of a failed attempt and of what became of its task.
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
    let (event_type, data) = match row.state {
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
        State::Blocked => (EventType::TaskBlocked, json!({"waits_for": "stale_check"})),
        State::Cancelled => (EventType::TaskCancelled, json!({"because": "drain"})),
        _ => return,
    };
    tell(ledger, row, agent, epoch, event_type, data);
}

/// A failed attempt, as far as its task's next step depends on it.
pub(super) struct FailureOf<'a> {
    pub(super) lease_agent: &'a str,
    pub(super) failed: &'a Failed,
    /// What the attempt adds to the bill.
    pub(super) cost_micros: i64,
    pub(super) retry_after_ms: Option<i64>,
    pub(super) random: f64,
    pub(super) now: Timestamp,
    pub(super) is_draining: bool,
}

/// Moves the row on as the verdict says; answers in how many milliseconds it is tried again.
pub(super) fn apply_failure(
    row: &mut TaskRow,
    failure: &FailureOf<'_>,
    history: &History,
    ledger: &mut Ledger,
) -> Result<Result<Option<i64>, workmill_core::lifecycle::IllegalTransition>, StoreError> {
    let FailureOf { failed, now, .. } = failure;
    let (asked, policy) = history.policy(row.task)?;
    row.crashes = if failed.reason.is_expiry() {
        row.crashes + 1
    } else {
        0
    };
    let known = known_failures(row, failure, history);
    // Models that failed it have failed it, whatever was forgiven since.
    let ever_failed = count(history.failures(row.task).len() + 1);
    let fallback = asked.fallback_lane(policy.boost, ever_failed);
    let verdict = verdict::decide(
        Failure {
            reason: failed.reason,
            retry_after_ms: failure.retry_after_ms,
            fingerprint: failed.fingerprint,
        },
        policy,
        verdict::History {
            has_untried_fallback_model: fallback.as_ref().is_some_and(|lane| lane.id() != row.lane),
            ..known
        },
        failure.random,
    );
    let moved = match verdict {
        Verdict::Retry { .. } | Verdict::Block if failure.is_draining => {
            row.follow(Trigger::Cancel).map(|()| None)
        }
        Verdict::Retry {
            after_ms,
            burns_attempt,
        } => {
            row.attempts -= i32::from(!burns_attempt);
            row.due = (after_ms > 0).then(|| *now + SignedDuration::from_millis(after_ms));
            if let Some(lane) = fallback {
                row.lane = lane.id();
                ledger.remarks.lanes.insert(lane.id(), lane);
            }
            if policy.soft_exclusion {
                shun(row, failure, history, after_ms);
            }
            row.follow(Trigger::Retry)
                .and_then(|()| {
                    if after_ms > 0 {
                        Ok(())
                    } else {
                        row.follow(Trigger::Promote)
                    }
                })
                .map(|()| Some(after_ms))
        }
        Verdict::Block => {
            let block = Block {
                waits_for: "stale_check",
                question: None,
                until: None,
            };
            ledger.remarks.blocks.insert(row.task, block);
            row.follow(Trigger::Block).map(|()| None)
        }
        Verdict::DeadLetter(cause) => {
            let letter = DeadLetter {
                cause,
                reason: failed.reason,
                fingerprint: failed.fingerprint,
            };
            ledger.remarks.dead_letters.insert(row.task, letter);
            row.follow(Trigger::DeadLetter).map(|()| None)
        }
    };
    Ok(moved)
}

fn count(many: usize) -> i32 {
    i32::try_from(many).unwrap_or(i32::MAX)
}

/// What counts against the task: what has failed since it was last revived.
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
        spent: Micros(row.spent_micros + failure.cost_micros),
    }
}

/// Keeps the agent from the task for a while, if somebody else could do it.
fn shun(row: &mut TaskRow, failure: &FailureOf<'_>, history: &History, after_ms: i64) {
    let Ok((asked, policy)) = history.policy(row.task) else {
        return;
    };
    let lane = asked.lane(policy.boost);
    let another = history
        .agents
        .iter()
        .any(|offer| offer.agent != failure.lease_agent && lane.matches(offer));
    if !another {
        return;
    }
    if row.shunned_until.is_none_or(|until| until <= failure.now) {
        row.shunned.clear();
    }
    if !row.shunned.iter().any(|agent| agent == failure.lease_agent) {
        row.shunned.push(failure.lease_agent.to_owned());
    }
    let until = failure.now + SignedDuration::from_millis(after_ms.max(retry::LEAST_EXCLUSION_MS));
    row.shunned_until = row.shunned_until.max(Some(until));
}

/// Why a lease counts as lost at this moment, if it does.
fn why_lost(lease: &LeaseRow, now: Timestamp) -> Option<Failed> {
    let over = |since: Timestamp, limit_ms: i64| {
        now.duration_since(since) >= SignedDuration::from_millis(limit_ms)
    };
    if lease
        .stop_at
        .is_some_and(|since| over(since, lease.lease_ms))
    {
        return Some(told_to_stop(lease));
    }
    if let (Some(started_at), Some(limit_ms)) = (lease.started_at, lease.max_duration_ms)
        && over(started_at, limit_ms)
    {
        return Some(Failed::new(
            Reason::Timeout,
            format!("ran longer than {limit_ms} ms"),
        ));
    }
    if !over(lease.renewed_at, lease.ttl_ms) {
        return None;
    }
    if lease.stop.is_some() {
        return Some(told_to_stop(lease));
    }
    Some(match lease.started_at {
        None => Failed::new(
            Reason::ClaimExpired,
            format!("not started within {} ms", lease.ttl_ms),
        ),
        Some(_) => Failed::new(
            Reason::HeartbeatTimeout,
            format!("no sign of life for {} ms", lease.ttl_ms),
        ),
    })
}
