//! How long to wait before the next attempt.

use crate::policy::{Jitter, RetryPolicy, Strategy};

/// An agent that failed a task is kept from it for the retry's delay, and at least this long.
pub const LEAST_EXCLUSION_MS: i64 = 60_000;

/// No retry waits longer than ten years, whatever the policy says.
const LONGEST_DELAY_MS: f64 = 315_360_000_000.0;

/// The delay after the `failed`-th failed attempt (counted from 1). `random` lies in 0..1.
#[expect(clippy::cast_possible_truncation, reason = "saturates, and is capped")]
#[expect(clippy::cast_precision_loss, reason = "delays are far below 2^52 ms")]
pub fn delay_ms(policy: &RetryPolicy, failed: i32, random: f64) -> i64 {
    let initial = policy.initial_delay_ms as f64;
    let failed = failed.max(1);
    let plain = match policy.strategy {
        Strategy::Exponential => initial * policy.multiplier.powi(failed - 1),
        Strategy::Quadratic => initial * f64::from(failed) * f64::from(failed),
        Strategy::Linear => initial * f64::from(failed),
        Strategy::Fixed => initial,
        Strategy::Immediate => return 0,
    };
    let cap = policy.max_delay_ms as f64;
    let moved = match policy.jitter {
        Jitter::None => plain.min(cap),
        Jitter::HalfEachWay => plain.min(cap) * (0.5 + random),
        Jitter::FifthMore => (plain * (1.0 + 0.2 * random)).min(cap),
    };
    moved.min(LONGEST_DELAY_MS) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Profile;
    use crate::task::{NewTask, RetryOverrides};

    fn plain(profile: Profile) -> RetryPolicy {
        RetryPolicy {
            jitter: Jitter::None,
            ..profile.policy().retry
        }
    }

    fn seconds(policy: &RetryPolicy, failures: std::ops::RangeInclusive<i32>) -> Vec<i64> {
        failures
            .map(|failed| delay_ms(policy, failed, 0.5) / 1000)
            .collect()
    }

    /// F-23
    #[test]
    fn exponential_doubles_up_to_its_cap_and_jitter_moves_it_by_half() {
        assert_eq!(
            seconds(&plain(Profile::Agent), 1..=7),
            [10, 20, 40, 80, 160, 300, 300]
        );
        let jittered = Profile::Agent.policy().retry;
        assert_eq!(delay_ms(&jittered, 1, 0.0), 5_000);
        assert_eq!(delay_ms(&jittered, 1, 1.0), 15_000);
    }

    ///
    #[test]
    fn quadratic_waits_5_20_45() {
        assert_eq!(seconds(&plain(Profile::Workflow), 1..=3), [5, 20, 45]);
    }

    /// H-13
    #[test]
    fn the_hub_adds_up_to_a_fifth_and_never_waits_longer_than_ten_minutes() {
        let hub = Profile::Hub.policy().retry;
        assert_eq!(delay_ms(&hub, 1, 0.0), 30_000);
        assert_eq!(delay_ms(&hub, 1, 1.0), 36_000);
        assert_eq!(delay_ms(&hub, 9, 1.0), 600_000);
    }

    /// H-13: the source gives jitter and a cap to exponential backoff only.
    #[test]
    fn linear_backoff_has_no_jitter_and_no_cap_unless_the_task_asks_for_them() {
        let policy = |retry: RetryOverrides| {
            let task = NewTask {
                profile: Profile::Hub,
                retry: RetryOverrides {
                    strategy: Some(Strategy::Linear),
                    ..retry
                },
                ..NewTask::default()
            };
            task.policy().retry
        };
        let linear = policy(RetryOverrides::default());
        for random in [0.0, 0.7, 1.0] {
            let delays: Vec<i64> = [1, 2, 3, 100]
                .into_iter()
                .map(|failed| delay_ms(&linear, failed, random) / 1000)
                .collect();
            assert_eq!(delays, [30, 60, 90, 3_000]);
        }
        let asked = policy(RetryOverrides {
            jitter: Some(true),
            max_delay_sec: Some(100.0),
            ..RetryOverrides::default()
        });
        assert_eq!(delay_ms(&asked, 1, 1.0), 36_000);
        assert_eq!(delay_ms(&asked, 100, 1.0), 100_000);
    }

    #[test]
    fn no_delay_is_longer_than_ten_years() {
        let quadratic = RetryPolicy {
            initial_delay_ms: i64::MAX,
            ..Profile::Workflow.policy().retry
        };
        assert_eq!(delay_ms(&quadratic, 1_000, 0.0), 315_360_000_000);
    }

    #[test]
    fn fixed_stays_and_immediate_does_not_wait() {
        let fixed = RetryPolicy {
            strategy: Strategy::Fixed,
            ..plain(Profile::Agent)
        };
        assert_eq!(seconds(&fixed, 1..=3), [10, 10, 10]);
        assert_eq!(delay_ms(&Profile::Task.policy().retry, 50, 1.0), 0);
        assert_eq!(
            delay_ms(&plain(Profile::Agent), i32::MAX, 1.0),
            300_000,
            "no overflow"
        );
    }
}
