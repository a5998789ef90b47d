//! What becomes of a task when one that it depends on does not complete.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::lifecycle::State;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnDependencyFailure {
    /// Wait below a dead letter, be cancelled below a cancelled or stale task.
    #[default]
    Default,
    /// Stay pending.
    Wait,
    Cancel,
    /// Run, with that input marked as missing.
    Run,
}

/// What follows for a task that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consequence {
    /// One dependency less to wait for.
    Met,
    Wait,
    Cancel,
}

impl OnDependencyFailure {
    pub const ALL: [OnDependencyFailure; 4] = [
        OnDependencyFailure::Default,
        OnDependencyFailure::Wait,
        OnDependencyFailure::Cancel,
        OnDependencyFailure::Run,
    ];

    /// The number that stands for it in the database. Never reuse one.
    pub const fn code(self) -> i16 {
        match self {
            OnDependencyFailure::Default => 0,
            OnDependencyFailure::Wait => 1,
            OnDependencyFailure::Cancel => 2,
            OnDependencyFailure::Run => 3,
        }
    }

    pub fn from_code(code: i16) -> Option<OnDependencyFailure> {
        OnDependencyFailure::ALL
            .into_iter()
            .find(|rule| rule.code() == code)
    }

    /// What follows when a dependency comes to this state; `None` while it may still move.
    /// `was_freed`: the dependency had failed before, and those that run all the same went on.
    pub fn consequence(self, dependency: State, was_freed: bool) -> Option<Consequence> {
        let runs = self == OnDependencyFailure::Run;
        match dependency {
            State::Completed if runs && was_freed => None,
            State::Completed => Some(Consequence::Met),
            State::DeadLettered | State::Cancelled | State::Stale if runs => {
                (!was_freed).then_some(Consequence::Met)
            }
            State::DeadLettered => Some(match self {
                OnDependencyFailure::Cancel => Consequence::Cancel,
                _ => Consequence::Wait,
            }),
            State::Cancelled | State::Stale => Some(match self {
                OnDependencyFailure::Wait => Consequence::Wait,
                _ => Consequence::Cancel,
            }),
            State::Created
            | State::Pending
            | State::Ready
            | State::Claimed
            | State::Running
            | State::Validating
            | State::Blocked
            | State::Retrying => None,
        }
    }

    /// Whether a dependency in this state, now or when it failed, lets a task of this rule go on.
    /// `was_freed`: the dependency had failed before, and those that run all the same went on.
    pub fn goes_on(self, dependency: State, was_freed: bool) -> bool {
        self.is_met_by(dependency) || (self == OnDependencyFailure::Run && was_freed)
    }

    /// Whether a dependency in this state lets a task of this rule go on.
    pub fn is_met_by(self, dependency: State) -> bool {
        match dependency {
            State::Completed => true,
            State::DeadLettered | State::Cancelled | State::Stale => {
                self == OnDependencyFailure::Run
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_waits_below_a_dead_letter_and_is_cancelled_below_a_cancelled_task() {
        let rule = OnDependencyFailure::Default;
        assert_eq!(
            rule.consequence(State::DeadLettered, false),
            Some(Consequence::Wait)
        );
        assert_eq!(
            rule.consequence(State::Cancelled, false),
            Some(Consequence::Cancel)
        );
        assert_eq!(
            rule.consequence(State::Stale, false),
            Some(Consequence::Cancel)
        );
        assert_eq!(
            rule.consequence(State::Completed, false),
            Some(Consequence::Met)
        );
    }

    #[test]
    fn one_that_runs_all_the_same_is_freed_once() {
        let rule = OnDependencyFailure::Run;
        assert_eq!(
            rule.consequence(State::DeadLettered, false),
            Some(Consequence::Met)
        );
        assert_eq!(
            rule.consequence(State::DeadLettered, true),
            None,
            "revived and dead again"
        );
        assert_eq!(
            rule.consequence(State::Completed, true),
            None,
            "revived and completed"
        );
    }

    #[test]
    fn codes_are_distinct_and_read_back() {
        for rule in OnDependencyFailure::ALL {
            assert_eq!(OnDependencyFailure::from_code(rule.code()), Some(rule));
        }
    }
}
