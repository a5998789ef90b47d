//! Agents: whether they get work, whether they come back by themselves, and how soon they must
//! start what they have claimed.

use std::fmt;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How often an agent is to ask for work when it does not say.
pub const DEFAULT_POLL_INTERVAL_MS: i64 = 5_000;

/// An agent that claims is seen by it, but not written down each time: only when what is written is
/// older than this.
pub const SEEN_IS_WRITTEN_EVERY: SignedDuration = SignedDuration::from_secs(30);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgentStatus {
    Active,
    /// Finishes what it holds and claims nothing new.
    Draining,
    Offline,
}

impl AgentStatus {
    pub const ALL: [AgentStatus; 3] = [
        AgentStatus::Active,
        AgentStatus::Draining,
        AgentStatus::Offline,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            AgentStatus::Active => "active",
            AgentStatus::Draining => "draining",
            AgentStatus::Offline => "offline",
        }
    }

    pub fn from_name(name: &str) -> Option<AgentStatus> {
        let mut all = AgentStatus::ALL.into_iter();
        all.find(|status| status.name() == name)
    }

    /// The status after registering again. An agent that went away comes back by it. What somebody
    /// else has decided about it stays: a restart is no way around an operator.
    #[must_use]
    pub const fn after_registering(self, was_set_by_somebody_else: bool) -> AgentStatus {
        if was_set_by_somebody_else {
            self
        } else {
            AgentStatus::Active
        }
    }
}

impl fmt::Display for AgentStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How soon a claimed task must be started: the shorter of what the task's policy and what the
/// agent say. A task whose policy says nothing is started by being claimed, so there is nothing that
/// an agent could be late for.
pub fn claim_ttl_ms(policy: Option<i64>, agent: Option<i64>) -> Option<i64> {
    policy.map(|policy| agent.map_or(policy, |agent| agent.min(policy)))
}

/// Whether it is time to write down that an agent was seen.
pub fn is_worth_writing(written: Timestamp, now: Timestamp) -> bool {
    now.duration_since(written) >= SEEN_IS_WRITTEN_EVERY
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F-19
    #[test]
    fn registering_again_brings_back_who_went_and_not_who_was_sent_away() {
        for status in AgentStatus::ALL {
            assert_eq!(status.after_registering(false), AgentStatus::Active);
            assert_eq!(status.after_registering(true), status);
            assert_eq!(AgentStatus::from_name(status.name()), Some(status));
        }
    }

    /// F-19
    #[test]
    fn the_shorter_time_to_start_counts() {
        assert_eq!(claim_ttl_ms(Some(60), Some(20)), Some(20));
        assert_eq!(claim_ttl_ms(Some(60), Some(90)), Some(60));
        assert_eq!(claim_ttl_ms(Some(60), None), Some(60));
        assert_eq!(claim_ttl_ms(None, Some(90)), None);
        assert_eq!(claim_ttl_ms(None, None), None);
    }

    #[test]
    fn an_agent_that_is_seen_often_is_written_down_seldom() {
        let written = Timestamp::UNIX_EPOCH;
        let after =
            |seconds| is_worth_writing(written, written + SignedDuration::from_secs(seconds));
        assert!(!after(-5) && !after(0) && !after(29));
        assert!(after(30) && after(3_600));
    }
}
