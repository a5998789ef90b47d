//! Rank: the stored sort key of a ready task; smaller runs first.
//!
//! The effective priority of a task at a moment is
//! `base − boost·age − deadline boost − critical path`. Ageing lowers every task of one boost
//! class by the same amount each minute, so inside a lane (which has one class) the order never
//! changes by itself: ageing folds into a key that is stored once and served by an index. Only
//! lane heads are compared at their effective value. A deadline does change the order; a duty
//! stores the rank anew when it is off by a point.
//!
//! Ranks and effective values count micro-points: a millionth of one step of priority.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::priority::Priority;

/// Micro-points in one point of priority.
pub const POINT: i64 = 1_000_000;

/// A task of a graph never gains more than this from what waits behind it.
pub const CRITICAL_PATH_CAP: u8 = 20;

/// Where a deadline presses, a task counts as this urgent at least.
const DEADLINE_FLOOR: i64 = 5 * POINT;

const DEADLINE_BOOST: f64 = 100.0;

/// How many points a waiting task gains a minute. One class per lane keeps its order still.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Boost {
    #[default]
    None,
    Hundredth,
    Tenth,
    One,
    Ten,
}

impl Boost {
    pub const ALL: [Boost; 5] = [
        Boost::None,
        Boost::Hundredth,
        Boost::Tenth,
        Boost::One,
        Boost::Ten,
    ];

    /// The class nearest to what was asked for, on a logarithmic scale.
    pub fn nearest(per_minute: f64) -> Boost {
        match per_minute {
            asked if asked < 0.001 => Boost::None,
            asked if asked < 0.0316 => Boost::Hundredth,
            asked if asked < 0.316 => Boost::Tenth,
            asked if asked < 3.16 => Boost::One,
            _ => Boost::Ten,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Boost::None => "none",
            Boost::Hundredth => "hundredth",
            Boost::Tenth => "tenth",
            Boost::One => "one",
            Boost::Ten => "ten",
        }
    }

    pub fn from_name(name: &str) -> Option<Boost> {
        Boost::ALL.into_iter().find(|boost| boost.name() == name)
    }

    pub const fn per_minute(self) -> f64 {
        match self {
            Boost::None => 0.0,
            Boost::Hundredth => 0.01,
            Boost::Tenth => 0.1,
            Boost::One => 1.0,
            Boost::Ten => 10.0,
        }
    }

    /// Returns what ageing has taken off by this moment, counted from the beginning of time: the
    /// `aged` of [`effective`].
    pub fn offset(self, now: Timestamp) -> i64 {
        let hundredths_per_minute = match self {
            Boost::None => 0,
            Boost::Hundredth => 1,
            Boost::Tenth => 10,
            Boost::One => 100,
            Boost::Ten => 1000,
        };
        // boost/100 points a minute = boost/6 micro-points a millisecond.
        now.as_millisecond() * hundredths_per_minute / 6
    }
}

/// Returns the effective priority of a task from its stored rank and from what ageing has taken off
/// the ranks of its lane by now ([`Boost::offset`]). Tasks of different lanes compare at this value,
/// in claims, in explain and at gates. Statements that order tasks of several lanes compute the same
/// as `rank - aged`; a test compares them with this function.
pub const fn effective(rank: i64, aged: i64) -> i64 {
    rank - aged
}

/// Returns the rank that has this effective priority in a lane: the inverse of [`effective`].
pub const fn rank_at(effective: i64, aged: i64) -> i64 {
    effective + aged
}

/// What the urgency of a task is composed of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Urgency {
    pub base: Priority,
    pub boost: Boost,
    /// From when on it ages.
    pub submitted: Timestamp,
    /// Tasks on the longest chain below it.
    pub critical_path: u8,
    pub deadline: Option<Timestamp>,
    pub estimate: SignedDuration,
}

/// How many estimates before its slack is gone a deadline begins to press: from there on it is
/// worth a point.
const PRESSING_ESTIMATES: i32 = 5;

/// What a task takes when nobody has said.
pub const DEFAULT_ESTIMATE: SignedDuration = SignedDuration::from_secs(300);

impl Urgency {
    /// From when on the deadline makes a difference.
    pub fn presses_at(&self) -> Option<Timestamp> {
        let deadline = self.deadline?;
        let ahead = self.estimate.saturating_mul(PRESSING_ESTIMATES + 1);
        Some(deadline.saturating_sub(ahead).unwrap_or(Timestamp::MIN))
    }

    /// The sort key inside a lane, with the deadline as it presses now.
    pub fn rank(&self, now: Timestamp) -> i64 {
        let base = i64::from(self.base.value()) * POINT;
        let critical_path = i64::from(self.critical_path.min(CRITICAL_PATH_CAP)) * POINT;
        let unpressed = base - critical_path + self.boost.offset(self.submitted);
        let Some(deadline) = self.deadline else {
            return unpressed;
        };

        let rank = unpressed - deadline_boost(deadline, self.estimate, now);
        if slack(deadline, self.estimate, now) <= self.estimate {
            rank.min(rank_at(DEADLINE_FLOOR, self.boost.offset(now)))
        } else {
            rank
        }
    }

    /// The effective priority: what lane heads are compared at, and what people are shown.
    pub fn effective(&self, now: Timestamp) -> i64 {
        effective(self.rank(now), self.boost.offset(now))
    }
}

/// An effective priority, taken apart: `base − age − deadline − critical path`, in micro-points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Composition {
    pub base: i64,
    pub age: i64,
    pub deadline: i64,
    pub critical_path: i64,
}

impl Composition {
    pub const fn effective(self) -> i64 {
        self.base - self.age - self.deadline - self.critical_path
    }
}

impl Urgency {
    /// What the effective priority at this moment is composed of. What a pressing deadline lifts a
    /// task to counts as the deadline's part.
    pub fn composition(&self, now: Timestamp) -> Composition {
        let parts = Composition {
            base: i64::from(self.base.value()) * POINT,
            age: self.boost.offset(now) - self.boost.offset(self.submitted),
            deadline: 0,
            critical_path: i64::from(self.critical_path.min(CRITICAL_PATH_CAP)) * POINT,
        };
        Composition {
            deadline: parts.effective() - self.effective(now),
            ..parts
        }
    }
}

/// The time left over when the work itself has been done.
fn slack(deadline: Timestamp, estimate: SignedDuration, now: Timestamp) -> SignedDuration {
    (deadline.duration_since(now) - estimate).max(SignedDuration::ZERO)
}

#[expect(clippy::cast_possible_truncation, reason = "at most 100 points")]
fn deadline_boost(deadline: Timestamp, estimate: SignedDuration, now: Timestamp) -> i64 {
    let estimate_seconds = estimate.as_secs_f64().max(1.0);
    let slack_seconds = slack(deadline, estimate, now).as_secs_f64();
    let points = DEADLINE_BOOST * (-slack_seconds / estimate_seconds).exp();
    (points * 1_000_000.0) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urgency() -> Urgency {
        Urgency {
            base: Priority::new(50).unwrap(),
            boost: Boost::Tenth,
            submitted: Timestamp::from_second(1_800_000_000).unwrap(),
            critical_path: 0,
            deadline: None,
            estimate: SignedDuration::from_secs(300),
        }
    }

    fn later(seconds: i64) -> Timestamp {
        urgency().submitted + SignedDuration::from_secs(seconds)
    }

    /// F-13
    #[test]
    fn effective_priority_is_base_less_age_less_critical_path() {
        let task = Urgency {
            critical_path: 3,
            ..urgency()
        };
        assert_eq!(task.effective(later(0)), 47 * POINT);
        assert_eq!(task.effective(later(600)), 46 * POINT);
    }

    /// F-13
    #[test]
    fn a_deadline_presses_exponentially_and_lifts_to_at_least_five() {
        let task = Urgency {
            deadline: Some(later(3600)),
            ..urgency()
        };
        assert!(
            task.effective(later(0)) > 49 * POINT,
            "an hour away it hardly presses"
        );
        let slack_of_two_estimates = later(3600 - 900);
        assert!(task.effective(slack_of_two_estimates) < 40 * POINT);
        assert!(task.effective(later(3600 - 600)) <= 5 * POINT);
        let background = Urgency {
            base: Priority::new(100).unwrap(),
            ..task
        };
        assert!(background.effective(later(3600 - 600)) <= 5 * POINT);
    }

    #[test]
    fn the_parts_of_an_effective_priority_add_up_to_it() {
        for deadline in [None, Some(later(3600)), Some(later(700))] {
            let task = Urgency {
                critical_path: 30,
                deadline,
                ..urgency()
            };
            for now in [later(0), later(600), later(5000)] {
                let parts = task.composition(now);
                assert_eq!(parts.effective(), task.effective(now));
                assert_eq!(parts.critical_path, 20 * POINT);
                assert_eq!(parts.deadline > 0, deadline.is_some(), "{parts:?}");
            }
            assert_eq!(task.composition(later(600)).age, POINT);
        }
    }

    /// F-15
    #[test]
    fn an_old_background_task_overtakes_a_fresh_urgent_one() {
        let old = Urgency {
            base: Priority::new(90).unwrap(),
            ..urgency()
        };
        let fresh = |at| Urgency {
            base: Priority::new(50).unwrap(),
            submitted: at,
            ..urgency()
        };
        let almost = later(399 * 60);
        assert!(old.rank(almost) > fresh(almost).rank(almost));
        let enough = later(401 * 60);
        assert!(old.rank(enough) < fresh(enough).rank(enough));
    }

    #[test]
    fn before_it_presses_a_deadline_is_worth_less_than_a_point() {
        let task = Urgency {
            deadline: Some(later(100_000)),
            ..urgency()
        };
        let relaxed = Urgency {
            deadline: None,
            ..task
        };
        let presses_at = task.presses_at().unwrap();
        assert!(relaxed.rank(presses_at) - task.rank(presses_at) < POINT);
        let pressed = presses_at + SignedDuration::from_secs(300);
        assert!(relaxed.rank(pressed) - task.rank(pressed) > POINT);
    }

    #[test]
    fn without_a_deadline_the_stored_rank_never_changes() {
        assert_eq!(urgency().rank(later(0)), urgency().rank(later(1_000_000)));
    }

    #[test]
    fn a_boost_is_rounded_to_the_nearest_class() {
        for boost in Boost::ALL {
            assert_eq!(Boost::nearest(boost.per_minute()), boost);
        }
        assert_eq!(Boost::nearest(0.2), Boost::Tenth);
        assert_eq!(Boost::nearest(0.5), Boost::One);
        assert_eq!(Boost::nearest(1e9), Boost::Ten);
    }
}
