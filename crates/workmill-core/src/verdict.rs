//! What follows when an attempt fails: another one, a person's look, or a dead letter.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::failure::{FailureClass, Reason};
use crate::money::Micros;
use crate::policy::{OnExpiry, Policy};
use crate::retry;

/// An attempt that just failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    pub reason: Reason,
    /// The agent was told to come back no sooner than this.
    pub retry_after_ms: Option<i64>,
    pub fingerprint: i64,
}

/// What is known of the task's attempts, the one that just failed included. A dead letter that was
/// sent round again begins anew: what failed before that does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct History {
    /// Attempts that count, this one included.
    pub attempts: i32,
    /// Failed attempts among them.
    pub failed: i32,
    /// Attempts in a row that ended with the agent gone.
    pub crashes: i32,
    /// Different agents that failed it.
    pub agents: i32,
    /// The fingerprint of the failure before this one.
    pub previous_fingerprint: Option<i64>,
    pub has_untried_fallback_model: bool,
    /// What all attempts have cost, this one included.
    pub spent: Micros,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Retry { after_ms: i64, burns_attempt: bool },
    Block,
    DeadLetter(DeadLetterCause),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeadLetterCause {
    /// All attempts are used up.
    UsedUp,
    /// A retry would not help.
    NotRetryable,
    /// Different agents failed the task: the task itself is probably bad.
    Poison,
    /// The agent was lost in every attempt.
    CrashLoop,
    /// Its maximum cost is spent.
    Spent,
}

impl DeadLetterCause {
    pub const fn name(self) -> &'static str {
        match self {
            DeadLetterCause::UsedUp => "used_up",
            DeadLetterCause::NotRetryable => "not_retryable",
            DeadLetterCause::Poison => "poison",
            DeadLetterCause::CrashLoop => "crash_loop",
            DeadLetterCause::Spent => "spent",
        }
    }
}

/// `random` lies in 0..1 and moves the delay.
pub fn decide(failure: Failure, policy: &Policy, history: History, random: f64) -> Verdict {
    let Failure {
        reason,
        retry_after_ms,
        ..
    } = failure;
    if reason.is_expiry() && policy.on_expiry == OnExpiry::Block {
        return Verdict::Block;
    }
    if reason == Reason::RateLimit
        && let Some(after_ms) = retry_after_ms
    {
        return Verdict::Retry {
            after_ms: after_ms.max(0),
            burns_attempt: false,
        };
    }
    if !is_retryable(reason, policy) {
        return Verdict::DeadLetter(DeadLetterCause::NotRetryable);
    }
    if policy
        .crash_limit
        .is_some_and(|limit| history.crashes >= limit)
    {
        return Verdict::DeadLetter(DeadLetterCause::CrashLoop);
    }
    if policy.poison && is_poison(failure, history) {
        return Verdict::DeadLetter(DeadLetterCause::Poison);
    }
    if policy
        .max_attempts
        .is_some_and(|limit| history.attempts >= limit)
    {
        return Verdict::DeadLetter(DeadLetterCause::UsedUp);
    }
    // Without an end of attempts there is no dead letter.
    let max_cost = policy.admission.max_cost;
    let max_cost = max_cost.filter(|_| policy.max_attempts.is_some());
    if max_cost.is_some_and(|most| history.spent >= most) {
        return Verdict::DeadLetter(DeadLetterCause::Spent);
    }
    let planned = retry::delay_ms(&policy.retry, history.failed, random);
    Verdict::Retry {
        after_ms: planned.max(retry_after_ms.unwrap_or(0)),
        burns_attempt: true,
    }
}

/// A task's own lists decide where they speak; where they are silent, the class does.
fn is_retryable(reason: Reason, policy: &Policy) -> bool {
    let retry = &policy.retry;
    if retry.no_retry_on.contains(&reason) {
        return false;
    }
    if !retry.retry_on.is_empty() {
        return retry.retry_on.contains(&reason) || reason.is_expiry();
    }
    // Without an end of attempts there is no dead letter either: the task is open again.
    policy.max_attempts.is_none() || reason.class() != FailureClass::Permanent
}

/// Different agents failed it, and either often or twice in the same way.
fn is_poison(failure: Failure, history: History) -> bool {
    let same_again = history.previous_fingerprint == Some(failure.fingerprint)
        && !matches!(
            failure.reason.class(),
            FailureClass::Timeout | FailureClass::Transient
        )
        && !history.has_untried_fallback_model;
    history.agents >= 2 && (history.failed >= 3 || same_again)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Profile;

    fn failed(reason: Reason) -> Failure {
        Failure {
            reason,
            retry_after_ms: None,
            fingerprint: 1,
        }
    }

    fn after(attempts: i32) -> History {
        History {
            attempts,
            failed: attempts,
            agents: 1,
            ..History::default()
        }
    }

    fn decide_for(profile: Profile, failure: Failure, history: History) -> Verdict {
        decide(failure, &profile.policy(), history, 0.5)
    }

    #[test]
    fn attempts_are_used_up_at_their_maximum_and_not_before() {
        let crash = failed(Reason::Crash);
        assert_eq!(
            decide_for(Profile::Agent, crash, after(2)),
            Verdict::Retry {
                after_ms: 20_000,
                burns_attempt: true
            }
        );
        assert_eq!(
            decide_for(Profile::Agent, crash, after(3)),
            Verdict::DeadLetter(DeadLetterCause::UsedUp)
        );
    }

    /// T-8
    #[test]
    fn the_task_profile_is_open_again_at_once_for_ever() {
        for reason in Reason::ALL {
            assert_eq!(
                decide_for(Profile::Task, failed(reason), after(1000)),
                Verdict::Retry {
                    after_ms: 0,
                    burns_attempt: true
                },
                "{reason}"
            );
        }
    }

    #[test]
    fn a_lease_of_the_work_profile_that_runs_out_waits_for_a_person() {
        let verdict = decide_for(Profile::Work, failed(Reason::HeartbeatTimeout), after(1));
        assert_eq!(verdict, Verdict::Block);
    }

    #[test]
    fn a_rate_limit_with_a_time_waits_that_long_and_burns_nothing() {
        let failure = Failure {
            retry_after_ms: Some(90_000),
            ..failed(Reason::RateLimit)
        };
        assert_eq!(
            decide_for(Profile::Agent, failure, after(3)),
            Verdict::Retry {
                after_ms: 90_000,
                burns_attempt: false
            }
        );
    }

    /// F-23
    #[test]
    fn the_tasks_own_lists_decide_what_is_retried() {
        let mut policy = Profile::Agent.policy();
        policy.retry.no_retry_on = vec![Reason::Crash];
        let verdict = |policy: &Policy, reason| decide(failed(reason), policy, after(1), 0.5);
        assert_eq!(
            verdict(&policy, Reason::Crash),
            Verdict::DeadLetter(DeadLetterCause::NotRetryable)
        );
        assert!(matches!(
            verdict(&policy, Reason::Timeout),
            Verdict::Retry { .. }
        ));
        policy.retry.retry_on = vec![Reason::InvalidInput];
        assert!(matches!(
            verdict(&policy, Reason::InvalidInput),
            Verdict::Retry { .. }
        ));
        assert!(matches!(
            verdict(&policy, Reason::Timeout),
            Verdict::DeadLetter(_)
        ));
    }

    /// F-28
    #[test]
    fn two_agents_and_three_failures_are_poison() {
        let mut policy = Profile::Agent.policy();
        policy.max_attempts = Some(10);
        let by_two = History {
            agents: 2,
            ..after(3)
        };
        assert_eq!(
            decide(failed(Reason::Unknown), &policy, by_two, 0.5),
            Verdict::DeadLetter(DeadLetterCause::Poison)
        );
        let by_one = decide(failed(Reason::Unknown), &policy, after(3), 0.5);
        assert!(matches!(by_one, Verdict::Retry { .. }));
    }

    #[test]
    fn the_same_failure_twice_by_two_agents_is_poison_unless_it_may_pass() {
        let history = History {
            agents: 2,
            previous_fingerprint: Some(1),
            ..after(2)
        };
        assert_eq!(
            decide_for(Profile::Agent, failed(Reason::Crash), history),
            Verdict::DeadLetter(DeadLetterCause::Poison)
        );
        for verdict in [
            decide_for(Profile::Agent, failed(Reason::Timeout), history),
            decide_for(Profile::Agent, failed(Reason::Network), history),
            decide_for(
                Profile::Agent,
                failed(Reason::Crash),
                History {
                    has_untried_fallback_model: true,
                    spent: Micros::ZERO,
                    ..history
                },
            ),
        ] {
            assert!(matches!(verdict, Verdict::Retry { .. }));
        }
    }

    #[test]
    fn five_vanished_agents_in_a_row_end_the_loop() {
        let mut policy = Profile::Agent.policy();
        policy.max_attempts = Some(100);
        let history = History {
            crashes: 5,
            ..after(5)
        };
        assert_eq!(
            decide(failed(Reason::HeartbeatTimeout), &policy, history, 0.5),
            Verdict::DeadLetter(DeadLetterCause::CrashLoop)
        );
    }

    /// F-37
    #[test]
    fn a_task_that_has_cost_all_it_may_is_not_tried_again() {
        let mut policy = Profile::Agent.policy();
        policy.admission.max_cost = Some(Micros(500));
        let spent = |spent| History {
            spent: Micros(spent),
            ..after(1)
        };
        let retried = decide(failed(Reason::Crash), &policy, spent(499), 0.5);
        assert!(matches!(retried, Verdict::Retry { .. }));
        assert_eq!(
            decide(failed(Reason::Crash), &policy, spent(500), 0.5),
            Verdict::DeadLetter(DeadLetterCause::Spent)
        );
    }
}
