//! The policy of a task: how long a lease lasts, how it is retried, what it gains by waiting.
//!
//! A profile names one source's set of rules; a task may override each value. The result is
//! stamped on the task when it is submitted, so a later change of defaults never changes what
//! was promised to work already in the queue.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::admission::Admission;
use crate::failure::Reason;
use crate::rank::{Boost, CRITICAL_PATH_CAP};

#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// Fleets of agents: short leases, exponential backoff, ageing.
    #[default]
    Agent,
    /// The `task` command: long leases; a failed task is open again at once.
    Task,
    /// Workflows of typed tasks: short leases, quadratic backoff.
    Workflow,
    /// Daemons on users' machines.
    Hub,
    /// Work items that a person oversees.
    Work,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    Exponential,
    Quadratic,
    Linear,
    Fixed,
    Immediate,
}

/// How far a delay is moved at random, so that what failed together does not return together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Jitter {
    None,
    /// Half to one and a half times the delay.
    HalfEachWay,
    /// Up to a fifth more.
    FifthMore,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RetryPolicy {
    pub strategy: Strategy,
    pub initial_delay_ms: i64,
    pub multiplier: f64,
    pub max_delay_ms: i64,
    pub jitter: Jitter,
    /// When not empty, only these reasons are retried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retry_on: Vec<Reason>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub no_retry_on: Vec<Reason>,
}

/// What becomes of a task whose lease ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnExpiry {
    Retry,
    /// A person looks at it first.
    Block,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    pub profile: Profile,
    /// Time to start after a claim; none: a claim is a start.
    pub claim_ttl_ms: Option<i64>,
    /// Time without a sign of life after which the lease is lost.
    pub lease_ms: i64,
    /// How often an agent is asked to send one.
    pub heartbeat_ms: i64,
    pub on_expiry: OnExpiry,
    /// None: no end of attempts.
    pub max_attempts: Option<i32>,
    pub retry: RetryPolicy,
    pub boost: Boost,
    /// Whether what waits behind a task makes it more urgent.
    pub critical_path: bool,
    /// The most points that this gives a task that an agent spawned: as many as the spawning task had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_critical_path: Option<u8>,
    /// Whether an agent that failed it is kept from it for a while.
    pub soft_exclusion: bool,
    pub poison: bool,
    pub crash_limit: Option<i32>,
    /// The longest an attempt may run, however lively it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_duration_ms: Option<i64>,
    /// How far retries may stretch `max_duration_ms`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_timeout_ms: Option<i64>,
    /// What it asks of the gates.
    #[serde(default)]
    pub admission: Admission,
}

impl Policy {
    /// Returns how many points a chain of this length behind the task makes it more urgent.
    pub fn points_of_chain(&self, length: u8) -> u8 {
        if !self.critical_path {
            return 0;
        }
        let most = self.most_critical_path.unwrap_or(CRITICAL_PATH_CAP);
        length.min(most).min(CRITICAL_PATH_CAP)
    }

    /// Returns how long this attempt may run. A retry after a timeout gets twice the time, where
    /// the task allows that by `max_timeout_sec` or its profile does (the hub's, up to eight times).
    pub fn duration_after(&self, timeouts: u32) -> Option<i64> {
        let first = self.max_duration_ms?;
        let of_profile = match self.profile {
            Profile::Hub => first.saturating_mul(8),
            Profile::Agent | Profile::Task | Profile::Workflow | Profile::Work => first,
        };
        // New tasks have no shorter one; stored ones may.
        let longest = self.max_timeout_ms.unwrap_or(of_profile);
        let stretched = first.saturating_mul(2i64.saturating_pow(timeouts));
        Some(stretched.min(longest.max(first)))
    }

    /// Returns how long a lease lasts and how often its agent is to send a heartbeat, if the claim
    /// asks for leases of this length. A lease is never shorter than three heartbeat intervals: an
    /// agent that keeps to its interval does not lose it.
    pub fn lease_and_heartbeat_ms(&self, asked_lease_ms: Option<i64>) -> (i64, i64) {
        match asked_lease_ms {
            Some(lease_ms) => (
                lease_ms,
                self.heartbeat_ms.min(lease_ms / HEARTBEATS_IN_LEASE),
            ),
            None => (
                self.lease_ms.max(shortest_lease_ms(self.heartbeat_ms)),
                self.heartbeat_ms,
            ),
        }
    }
}

/// Returns the length of the shortest lease with this heartbeat interval.
pub const fn shortest_lease_ms(heartbeat_ms: i64) -> i64 {
    heartbeat_ms.saturating_mul(HEARTBEATS_IN_LEASE)
}

/// An agent is taken for lost after so many heartbeat intervals without a sign of life.
pub const HEARTBEATS_IN_LEASE: i64 = 3;

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;

impl Profile {
    /// Returns the rules of this profile, which a task may override one by one.
    pub fn policy(self) -> Policy {
        match self {
            Profile::Agent => of_agent_fleet(),
            Profile::Task => of_task_queue(),
            Profile::Workflow => of_workflow(),
            Profile::Hub => of_hub(),
            Profile::Work => of_work_item(),
        }
    }
}

fn of_agent_fleet() -> Policy {
    Policy {
        profile: Profile::Agent,
        claim_ttl_ms: Some(60 * SECOND),
        lease_ms: 90 * SECOND,
        heartbeat_ms: 30 * SECOND,
        on_expiry: OnExpiry::Retry,
        max_attempts: Some(3),
        retry: RetryPolicy {
            strategy: Strategy::Exponential,
            initial_delay_ms: 10 * SECOND,
            multiplier: 2.0,
            max_delay_ms: 300 * SECOND,
            jitter: Jitter::HalfEachWay,
            retry_on: Vec::new(),
            no_retry_on: Vec::new(),
        },
        boost: Boost::Tenth,
        critical_path: true,
        most_critical_path: None,
        soft_exclusion: true,
        poison: true,
        crash_limit: Some(5),
        max_duration_ms: None,
        max_timeout_ms: None,
        admission: Admission::default(),
    }
}

/// Returns the rules of an agent fleet without what makes a task more urgent: waiting and the tasks
/// that depend on it.
fn without_urgency(profile: Profile) -> Policy {
    Policy {
        profile,
        boost: Boost::None,
        critical_path: false,
        ..of_agent_fleet()
    }
}

fn of_task_queue() -> Policy {
    let usual = without_urgency(Profile::Task);
    Policy {
        claim_ttl_ms: None,
        lease_ms: 600 * SECOND,
        heartbeat_ms: 200 * SECOND,
        max_attempts: None,
        retry: RetryPolicy {
            strategy: Strategy::Immediate,
            ..usual.retry
        },
        soft_exclusion: false,
        poison: false,
        crash_limit: None,
        ..usual
    }
}

fn of_workflow() -> Policy {
    let usual = without_urgency(Profile::Workflow);
    Policy {
        claim_ttl_ms: Some(30 * SECOND),
        lease_ms: 30 * SECOND,
        heartbeat_ms: 10 * SECOND,
        retry: RetryPolicy {
            strategy: Strategy::Quadratic,
            initial_delay_ms: 5 * SECOND,
            max_delay_ms: i64::MAX,
            jitter: Jitter::None,
            ..usual.retry
        },
        soft_exclusion: false,
        crash_limit: None,
        ..usual
    }
}

fn of_hub() -> Policy {
    let usual = without_urgency(Profile::Hub);
    Policy {
        claim_ttl_ms: Some(10 * SECOND),
        lease_ms: 30 * SECOND,
        heartbeat_ms: 10 * SECOND,
        retry: RetryPolicy {
            initial_delay_ms: 30 * SECOND,
            max_delay_ms: 600 * SECOND,
            jitter: Jitter::FifthMore,
            ..usual.retry
        },
        max_duration_ms: Some(300 * SECOND),
        ..usual
    }
}

fn of_work_item() -> Policy {
    Policy {
        claim_ttl_ms: None,
        lease_ms: 30 * MINUTE,
        heartbeat_ms: 10 * MINUTE,
        on_expiry: OnExpiry::Block,
        max_attempts: Some(1),
        soft_exclusion: false,
        poison: false,
        crash_limit: None,
        ..without_urgency(Profile::Work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_keep_their_sources_numbers() {
        let seconds = |profile: Profile| profile.policy().lease_ms / SECOND;
        assert_eq!(seconds(Profile::Agent), 90);
        assert_eq!(seconds(Profile::Task), 600);
        assert_eq!(seconds(Profile::Workflow), 30);
        assert_eq!(seconds(Profile::Hub), 30);
        assert_eq!(seconds(Profile::Work), 1800);
        assert_eq!(Profile::Agent.policy().claim_ttl_ms, Some(60 * SECOND));
        assert_eq!(Profile::Task.policy().max_attempts, None);
    }

    #[test]
    fn a_retry_after_a_timeout_gets_twice_the_time_up_to_its_limit() {
        let policy = Policy {
            max_duration_ms: Some(100),
            max_timeout_ms: Some(300),
            ..Profile::Agent.policy()
        };
        let given: Vec<_> = (0..4)
            .map(|timeouts| policy.duration_after(timeouts))
            .collect();
        assert_eq!(given, [Some(100), Some(200), Some(300), Some(300)]);
        assert_eq!(policy.duration_after(500), Some(300));
        let fixed = Policy {
            max_timeout_ms: None,
            ..policy
        };
        assert_eq!(fixed.duration_after(2), Some(100), "F: a constraint stays");
        let hub = Profile::Hub.policy();
        assert_eq!(hub.duration_after(0), Some(300 * SECOND));
        assert_eq!(hub.duration_after(1), Some(600 * SECOND));
        assert_eq!(Profile::Agent.policy().duration_after(3), None);
    }

    /// F-21 (part)
    #[test]
    fn no_number_of_timeouts_shortens_the_time_of_an_attempt() {
        for (max_duration_ms, max_timeout_ms) in [(1, i64::MAX), (100, 300), (i64::MAX, 1)] {
            let policy = Policy {
                max_duration_ms: Some(max_duration_ms),
                max_timeout_ms: Some(max_timeout_ms),
                ..Profile::Agent.policy()
            };
            let mut before = max_duration_ms;
            for timeouts in 0..=500 {
                let given = policy.duration_after(timeouts).unwrap();
                assert!(given >= before, "{given} ms after {timeouts} timeouts");
                before = given;
            }
            assert_eq!(before, max_duration_ms.max(max_timeout_ms));
        }
    }

    /// F-21 (part): the lease is as long as three of the agent's intervals.
    #[test]
    fn a_lease_is_never_shorter_than_three_heartbeat_intervals() {
        let policy = Policy {
            heartbeat_ms: 120 * SECOND,
            ..Profile::Agent.policy()
        };
        assert_eq!(
            policy.lease_and_heartbeat_ms(None),
            (360 * SECOND, 120 * SECOND)
        );
        assert_eq!(
            policy.lease_and_heartbeat_ms(Some(60 * SECOND)),
            (60 * SECOND, 20 * SECOND)
        );
        for profile in [
            Profile::Agent,
            Profile::Task,
            Profile::Workflow,
            Profile::Hub,
            Profile::Work,
        ] {
            let policy = profile.policy();
            assert_eq!(
                policy.lease_and_heartbeat_ms(None),
                (policy.lease_ms, policy.heartbeat_ms)
            );
        }
    }

    #[test]
    fn a_stamped_policy_is_read_back_as_it_was() {
        for profile in [
            Profile::Agent,
            Profile::Task,
            Profile::Workflow,
            Profile::Hub,
            Profile::Work,
        ] {
            let text = serde_json::to_string(&profile.policy()).unwrap();
            assert_eq!(
                serde_json::from_str::<Policy>(&text).unwrap(),
                profile.policy()
            );
        }
    }
}
