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

/// Whether an agent gets work.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
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

    /// The status with this name, which is the same in the database and on the wire.
    pub fn from_name(name: &str) -> Option<AgentStatus> {
        let mut all = AgentStatus::ALL.into_iter();
        all.find(|status| status.name() == name)
    }

    /// Returns the status as others see it: an agent that has fallen silent is offline, whatever
    /// its status is when it comes back.
    #[must_use]
    pub const fn seen(self, is_silent: bool) -> AgentStatus {
        if is_silent {
            AgentStatus::Offline
        } else {
            self
        }
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

/// An agent is offline when it has been silent for so many of its intervals.
pub const SILENT_INTERVALS: i64 = 3;

/// No agent has to make itself heard more often than this. Those that hold a lease are heard by it:
/// a lease is as long as three heartbeat intervals.
pub const LEAST_INTERVAL_MS: i64 = 30_000;

/// Claims by hand have no program behind them that could say goodbye: after this much silence the
/// agent is removed.
pub const BY_HAND_IS_REMOVED_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// Returns how often an agent that asks for work this often has to make itself heard.
pub const fn interval_ms(poll_interval_ms: i64) -> i64 {
    if poll_interval_ms > LEAST_INTERVAL_MS {
        poll_interval_ms
    } else {
        LEAST_INTERVAL_MS
    }
}

/// Returns how long after its last written sign of life an agent becomes offline: its intervals, and
/// the time in which a later sign of life may have come without being written.
pub const fn longest_silence_ms(poll_interval_ms: i64) -> i64 {
    let unwritten_ms = SEEN_IS_WRITTEN_EVERY.as_secs().saturating_mul(1_000);
    interval_ms(poll_interval_ms)
        .saturating_mul(SILENT_INTERVALS)
        .saturating_add(unwritten_ms)
}

/// What is known of an agent when its silence is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signs {
    /// When it was last seen, as it is written down: it may have been seen a little later.
    pub seen_at: Timestamp,
    pub poll_interval_ms: i64,
    /// Since when it is offline by its silence.
    pub silent_since: Option<Timestamp>,
    /// It holds a lease that has not run out.
    pub is_holding: bool,
    pub is_by_hand: bool,
}

/// What becomes of an agent that is silent, or that was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watched {
    FallsSilent,
    IsBack,
    IsRemoved,
}

/// Judges the silence of an agent; returns `None` if nothing changes.
pub fn watch(signs: Signs, now: Timestamp) -> Option<Watched> {
    let silence = now.duration_since(signs.seen_at);
    match signs.silent_since {
        Some(_) if signs.is_holding => Some(Watched::IsBack),
        Some(since)
            if signs.is_by_hand && now.duration_since(since) >= BY_HAND_IS_REMOVED_AFTER =>
        {
            Some(Watched::IsRemoved)
        }
        Some(_) => None,
        None if signs.is_holding => None,
        None => {
            let longest = SignedDuration::from_millis(longest_silence_ms(signs.poll_interval_ms));
            (silence >= longest).then_some(Watched::FallsSilent)
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

    /// F-19 (part)
    #[test]
    fn an_agent_is_offline_after_three_of_its_intervals_of_silence() {
        let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(100);
        let signs = |silent_for: i64, poll_interval_ms: i64| Signs {
            seen_at: now - SignedDuration::from_secs(silent_for),
            poll_interval_ms,
            silent_since: None,
            is_holding: false,
            is_by_hand: false,
        };
        // A sign of life may have come half a minute after the one that is written down.
        assert_eq!(longest_silence_ms(5_000), 120_000);
        assert_eq!(longest_silence_ms(60_000), 210_000);
        assert_eq!(watch(signs(119, 5_000), now), None);
        assert_eq!(watch(signs(120, 5_000), now), Some(Watched::FallsSilent));
        assert_eq!(watch(signs(209, 60_000), now), None);
        assert_eq!(watch(signs(210, 60_000), now), Some(Watched::FallsSilent));
        let holding = Signs {
            is_holding: true,
            ..signs(10_000, 5_000)
        };
        assert_eq!(watch(holding, now), None, "its lease says that it lives");
        let silent = Signs {
            silent_since: Some(now - SignedDuration::from_hours(24)),
            ..signs(100_000, 5_000)
        };
        assert_eq!(watch(silent, now), None);
        let by_hand = Signs {
            is_by_hand: true,
            ..silent
        };
        assert_eq!(watch(by_hand, now), Some(Watched::IsRemoved));
        let back = Signs {
            is_holding: true,
            ..by_hand
        };
        assert_eq!(watch(back, now), Some(Watched::IsBack));
        assert_eq!(AgentStatus::Draining.seen(true), AgentStatus::Offline);
        assert_eq!(AgentStatus::Draining.seen(false), AgentStatus::Draining);
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
