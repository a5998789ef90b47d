//! The words that other systems have for the states of a task. Here the hub's: the one table from
//! the state of a task to them.

use crate::failure::{FailureClass, Reason};
use crate::lifecycle::State;

/// What a task is called in the hub's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HubStatus {
    Pending,
    Queued,
    Scheduled,
    Running,
    Completed,
    Failed,
    Cancelled,
    Timeout,
    Stale,
}

impl HubStatus {
    pub const fn name(self) -> &'static str {
        match self {
            HubStatus::Pending => "pending",
            HubStatus::Queued => "queued",
            HubStatus::Scheduled => "scheduled",
            HubStatus::Running => "running",
            HubStatus::Completed => "completed",
            HubStatus::Failed => "failed",
            HubStatus::Cancelled => "cancelled",
            HubStatus::Timeout => "timeout",
            HubStatus::Stale => "stale",
        }
    }

    /// The word for a state; `last_failure` is why its last attempt failed, if it did.
    pub fn of(state: State, last_failure: Option<Reason>) -> HubStatus {
        match state {
            State::Created => HubStatus::Pending,
            State::Pending | State::Ready | State::Retrying | State::Blocked => HubStatus::Queued,
            State::Claimed => HubStatus::Scheduled,
            State::Running | State::Validating => HubStatus::Running,
            State::Completed => HubStatus::Completed,
            State::DeadLettered => last_failure.map_or(HubStatus::Failed, HubStatus::of_failure),
            State::Cancelled => HubStatus::Cancelled,
            State::Stale => HubStatus::Stale,
        }
    }

    /// What an attempt that fails passes through before its task is queued again or given up.
    pub fn of_failure(reason: Reason) -> HubStatus {
        match reason.class() {
            FailureClass::Timeout => HubStatus::Timeout,
            FailureClass::Transient | FailureClass::AgentFailure | FailureClass::Permanent => {
                HubStatus::Failed
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// H-15 (part)
    #[test]
    fn a_dead_letter_has_failed_or_timed_out_and_nothing_else_depends_on_the_reason() {
        let dead = |reason| HubStatus::of(State::DeadLettered, reason).name();
        assert_eq!(dead(Some(Reason::Timeout)), "timeout");
        assert_eq!(dead(Some(Reason::HeartbeatTimeout)), "failed");
        assert_eq!(dead(Some(Reason::Crash)), "failed");
        assert_eq!(dead(None), "failed");
        for state in State::ALL {
            let of = |reason| HubStatus::of(state, reason);
            let depends = of(Some(Reason::Timeout)) != of(None);
            assert_eq!(depends, state == State::DeadLettered, "{state}");
        }
    }
}
