//! What an ending means for its task. Reads what is held; changes nothing.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;
use workmill_core::attempt;
use workmill_core::failure::{self, Reason};
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::{self, IllegalTransition, State, Trigger};
use workmill_core::policy::Policy;
use workmill_core::verdict::{self, DeadLetterCause, Failure, History, Verdict};
use workmill_queries::queries::settlement::settle;

use super::{Ending, Held, Refusal, Settled, Settlement, Settler, state_of};
use crate::error::StoreError;

pub(super) enum Outcome<'a> {
    Decision(Decision<'a>),
    /// Settled before in the same words.
    Repeat(Settled),
}

/// One ending and what follows from it.
pub(super) struct Decision<'a> {
    pub(super) settlement: &'a Settlement,
    pub(super) from: State,
    pub(super) next: Next,
}

/// What to write for a task.
pub(super) struct Next {
    pub(super) state: State,
    pub(super) outcome: attempt::Outcome,
    pub(super) failed: Option<FailedAttempt>,
    pub(super) due: Option<Timestamp>,
    pub(super) retry_in_ms: Option<i64>,
    pub(super) dead_letter: Option<DeadLetterCause>,
    pub(super) attempts: i32,
    pub(super) crashes: i32,
}

pub(super) struct FailedAttempt {
    pub(super) reason: Reason,
    pub(super) message: String,
    pub(super) fingerprint: i64,
}

impl FailedAttempt {
    fn new(reason: Reason, message: String) -> Self {
        let fingerprint = failure::fingerprint(reason, &message);
        FailedAttempt {
            reason,
            message,
            fingerprint,
        }
    }
}

impl Decision<'_> {
    pub(super) fn task(&self) -> Uuid {
        self.settlement.lease.task.0
    }

    pub(super) fn settled(&self) -> Settled {
        Settled {
            state: self.next.state,
            is_repeat: false,
            retry_in_ms: self.next.retry_in_ms,
        }
    }
}

pub(super) fn decide<'a>(
    held: &Held,
    settler: Settler,
    settlement: &'a Settlement,
    random: f64,
    now: Timestamp,
) -> Result<Result<Outcome<'a>, Refusal>, StoreError> {
    let lease = settlement.lease;
    let Some(state) = held.states.get(&lease.task.0) else {
        return Ok(Err(Refusal::LeaseLost));
    };
    let Some(lease) = held.leases.get(&(lease.task.0, lease.epoch)) else {
        return Ok(repeat(held, settlement).map(Outcome::Repeat));
    };
    if let Settler::Key(key) = settler
        && key != lease.key
    {
        return Ok(Err(Refusal::NotTheHolder));
    }
    let from = state_of(state)?;
    let next = match &settlement.ending {
        Ending::Complete { .. } => complete(state, from),
        Ending::Release => release(state, from),
        Ending::Fail {
            reason,
            message,
            retry_after_ms,
            ..
        } => {
            let failed = FailedAttempt::new(*reason, message.clone());
            fail(
                held,
                lease,
                state,
                from,
                failed,
                *retry_after_ms,
                random,
                now,
            )?
        }
        Ending::Expire => match why_lost(lease, now) {
            None => return Ok(Err(Refusal::StillAlive)),
            Some((reason, message)) => {
                let failed = FailedAttempt::new(reason, message);
                fail(held, lease, state, from, failed, None, random, now)?
            }
        },
    };
    Ok(next
        .map(|next| {
            Outcome::Decision(Decision {
                settlement,
                from,
                next,
            })
        })
        .map_err(Refusal::Illegal))
}

fn complete(state: &settle::LockStates, from: State) -> Result<Next, IllegalTransition> {
    let validating = lifecycle::next(from, Trigger::SubmitOutput)?;
    Ok(Next {
        state: lifecycle::next(validating, Trigger::Accept)?,
        outcome: attempt::Outcome::Completed,
        failed: None,
        due: None,
        retry_in_ms: None,
        dead_letter: None,
        attempts: state.attempts,
        crashes: 0,
    })
}

fn release(state: &settle::LockStates, from: State) -> Result<Next, IllegalTransition> {
    Ok(Next {
        state: lifecycle::next(from, Trigger::Release)?,
        outcome: attempt::Outcome::Released,
        failed: None,
        due: None,
        retry_in_ms: None,
        dead_letter: None,
        attempts: state.attempts - 1,
        crashes: state.crashes,
    })
}

#[expect(clippy::too_many_arguments, reason = "all that a verdict depends on")]
fn fail(
    held: &Held,
    lease: &settle::LockLeases,
    state: &settle::LockStates,
    from: State,
    failed: FailedAttempt,
    retry_after_ms: Option<i64>,
    random: f64,
    now: Timestamp,
) -> Result<Result<Next, IllegalTransition>, StoreError> {
    let task = TaskId(lease.task);
    let policy = held
        .policies
        .get(&lease.task)
        .ok_or_else(|| StoreError::Corrupt(format!("{task} has no policy")))?;
    let policy: Policy = serde::Deserialize::deserialize(policy)
        .map_err(|error| StoreError::Corrupt(format!("the policy of {task}: {error}")))?;
    let crashes = if failed.reason.is_expiry() {
        state.crashes + 1
    } else {
        0
    };
    let history = history(held, lease, state.attempts, crashes);
    let failure = Failure {
        reason: failed.reason,
        retry_after_ms,
        fingerprint: failed.fingerprint,
    };
    let verdict = verdict::decide(failure, &policy, history, random);
    Ok(follow(verdict, state, from, now).map(|next| Next {
        failed: Some(failed),
        crashes,
        ..next
    }))
}

fn follow(
    verdict: Verdict,
    state: &settle::LockStates,
    from: State,
    now: Timestamp,
) -> Result<Next, IllegalTransition> {
    let failed = |state_after| Next {
        state: state_after,
        outcome: attempt::Outcome::Failed,
        failed: None,
        due: None,
        retry_in_ms: None,
        dead_letter: None,
        attempts: state.attempts,
        crashes: state.crashes,
    };
    Ok(match verdict {
        Verdict::DeadLetter(cause) => Next {
            dead_letter: Some(cause),
            ..failed(lifecycle::next(from, Trigger::DeadLetter)?)
        },
        Verdict::Block => failed(lifecycle::next(from, Trigger::Block)?),
        Verdict::Retry {
            after_ms,
            burns_attempt,
        } => {
            let retrying = lifecycle::next(from, Trigger::Retry)?;
            let next_state = if after_ms > 0 {
                retrying
            } else {
                lifecycle::next(retrying, Trigger::Promote)?
            };
            Next {
                due: (after_ms > 0).then(|| now + SignedDuration::from_millis(after_ms)),
                retry_in_ms: Some(after_ms),
                attempts: state.attempts - i32::from(!burns_attempt),
                ..failed(next_state)
            }
        }
    })
}

fn history(held: &Held, lease: &settle::LockLeases, attempts: i32, crashes: i32) -> History {
    let failures: Vec<&settle::FindAttempts> = held
        .attempts
        .get(&lease.task)
        .into_iter()
        .flatten()
        .filter(|past| past.outcome == attempt::Outcome::Failed.name())
        .collect();
    let mut agents: Vec<&str> = failures.iter().map(|past| past.agent.as_str()).collect();
    agents.push(&lease.agent);
    agents.sort_unstable();
    agents.dedup();
    let count = |many: usize| i32::try_from(many).unwrap_or(i32::MAX);
    History {
        attempts,
        failed: count(failures.len() + 1),
        crashes,
        agents: count(agents.len()),
        previous_fingerprint: failures.last().and_then(|past| past.fingerprint),
        has_untried_fallback_model: false,
    }
}

/// Why a lease counts as lost at this moment, if it does.
fn why_lost(lease: &settle::LockLeases, now: Timestamp) -> Option<(Reason, String)> {
    let over = |since: Timestamp, limit_ms: i64| {
        now.duration_since(since) >= SignedDuration::from_millis(limit_ms)
    };
    if let (Some(started_at), Some(limit_ms)) = (lease.started_at, lease.max_duration_ms)
        && over(started_at, limit_ms)
    {
        return Some((Reason::Timeout, format!("ran longer than {limit_ms} ms")));
    }
    if !over(lease.renewed_at, lease.ttl_ms) {
        return None;
    }
    Some(match lease.started_at {
        None => (
            Reason::ClaimExpired,
            format!("not started within {} ms", lease.ttl_ms),
        ),
        Some(_) => (
            Reason::HeartbeatTimeout,
            format!("no sign of life for {} ms", lease.ttl_ms),
        ),
    })
}

/// The lease is gone. When it ended in just these words, the caller did not hear the answer and
/// gets it again.
fn repeat(held: &Held, settlement: &Settlement) -> Result<Settled, Refusal> {
    let task = settlement.lease.task.0;
    let past = held
        .attempts
        .get(&task)
        .into_iter()
        .flatten()
        .find(|past| past.epoch == settlement.lease.epoch)
        .ok_or(Refusal::LeaseLost)?;
    let is_same = match &settlement.ending {
        Ending::Complete { output } => {
            past.outcome == attempt::Outcome::Completed.name()
                && held.results.get(&task).is_some_and(|result| {
                    serde_json::from_str::<serde_json::Value>(output.get())
                        .is_ok_and(|output| output == result.output)
                })
        }
        Ending::Fail {
            reason, message, ..
        } => {
            past.reason.as_deref() == Some(reason.name())
                && past.message.as_deref() == Some(message.as_str())
        }
        Ending::Release => past.outcome == attempt::Outcome::Released.name(),
        Ending::Expire => false,
    };
    let state = held
        .states
        .get(&task)
        .and_then(|row| State::from_code(row.state));
    match state {
        Some(state) if is_same => Ok(Settled {
            state,
            is_repeat: true,
            retry_in_ms: None,
        }),
        _ => Err(Refusal::LeaseLost),
    }
}
