//! What an ending means for its task: rows change in memory, what is to be written goes into the
//! ledger.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use workmill_core::attempt::Outcome;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::{State, Trigger};

use super::failing::{FailureOf, apply_failure, tell, tell_of_failure};
use super::history::History;
use super::ledger::{Ended, Failed, Late, Output};
use super::{Ending, Ledger, Refusal, Settled, Settlement, Settler, Spent, late};
use crate::error::StoreError;
use crate::event::EventType;
use crate::locked_rows::{LeaseRow, LockedRows, TaskRow};
use crate::test_points::TestPoints;
use crate::write_back::Block;

pub(super) fn decide(
    held: &mut LockedRows,
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
    if !row.state().is_leased() {
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
    ending.apply(history)
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
        _ => (Ok(Settled::now(row.state())), Outcome::Cancelled),
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
    /// Ends the attempt as the settlement says.
    fn apply(&mut self, history: &History) -> Result<Result<Settled, Refusal>, StoreError> {
        let settlement = self.settlement;
        match &settlement.ending {
            Ending::Complete { output, artifacts } => {
                Ok(self.complete(output.clone(), artifacts.clone()))
            }
            Ending::Release if self.lease.stop.is_some() => {
                self.fail(history, told_to_stop(&self.lease))
            }
            // The reason of the stop counts; the agent's details are kept.
            Ending::Fail { details, .. } if self.lease.stop.is_some() => {
                let stopped = Failed {
                    details: details.clone(),
                    ..told_to_stop(&self.lease)
                };
                self.fail(history, stopped)
            }
            Ending::Release => Ok(self.release()),
            Ending::Block {
                waits_for,
                question,
                timeout_ms,
            } => {
                let until = timeout_ms.map(|after| self.now + SignedDuration::from_millis(after));
                Ok(self.block(Block {
                    waits_for: *waits_for,
                    question: question.clone(),
                    until,
                }))
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
                self.fail(history, failed)
            }
            Ending::Expire => match why_lost(&self.lease, self.now) {
                None => Ok(Err(Refusal::StillAlive)),
                Some(failed) => self.fail(history, failed),
            },
        }
    }

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
        self.ledger.outputs.push(Output {
            lease,
            value: output,
            artifacts,
        });
        self.end(Outcome::Completed, None);
        let cost_usd = crate::look::dollars(self.spent().cost_micros);
        self.say(EventType::TaskCompleted, json!({"cost_usd": cost_usd}));
        Ok(Settled::now(self.row.state()))
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
        Ok(Settled::now(self.row.state()))
    }

    fn block(&mut self, block: Block) -> Result<Settled, Refusal> {
        if self.row.state() != State::Running {
            let illegal = workmill_core::lifecycle::IllegalTransition {
                from: self.row.state(),
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
            return Ok(Settled::now(self.row.state()));
        }
        self.say(EventType::TaskBlocked, block.told());
        self.ledger.remarks.blocks.insert(self.row.task, block);
        Ok(Settled::now(self.row.state()))
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
            ..Settled::now(self.row.state())
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
            format!("ran longer than {}", seconds(limit_ms)),
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
            format!("not started within {}", seconds(lease.ttl_ms)),
        ),
        Some(_) => Failed::new(
            Reason::HeartbeatTimeout,
            format!("no heartbeat for {}", seconds(lease.ttl_ms)),
        ),
    })
}

fn seconds(milliseconds: i64) -> String {
    format!(
        "{} s",
        SignedDuration::from_millis(milliseconds).as_secs_f64()
    )
}
