//! What a task's urgency is worth, written out from the text of the rule and from nothing else:
//! `effective(now) = base − boost·age − deadline_boost(now) − critical_path`.
//!
//! Points are points and time is milliseconds. The code under test counts micro-points in integers and
//! folds the age into a stored key; nothing of that is used here.

/// What waits behind a task counts for this much at most.
const LONGEST_CHAIN: u32 = 20;

/// What a boost that is asked for is rounded to: what was asked, what counts.
pub const BOOSTS: [(f64, f64); 12] = [
    (0.0, 0.0),
    (0.0004, 0.0),
    (0.005, 0.01),
    (0.01, 0.01),
    (0.03, 0.01),
    (0.05, 0.1),
    (0.1, 0.1),
    (0.3, 0.1),
    (0.5, 1.0),
    (2.0, 1.0),
    (5.0, 10.0),
    (100.0, 10.0),
];

/// What a task takes that does not say how long.
pub const USUAL_ESTIMATE: Milliseconds = 300_000;

/// Whole, so that a deadline presses on both sides from the same moment on.
pub type Milliseconds = i32;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Urgency {
    pub base: f64,
    pub boost_per_minute: f64,
    pub submitted: Milliseconds,
    pub deadline: Option<Milliseconds>,
    pub estimate: Milliseconds,
    /// Tasks on the longest chain below, if they count.
    pub chain: u32,
}

impl Urgency {
    pub fn effective(&self, now: Milliseconds) -> f64 {
        let chain = f64::from(self.chain.min(LONGEST_CHAIN));
        let relaxed = self.base - self.gained(now - self.submitted) - chain;
        let Some(deadline) = self.deadline else {
            return relaxed;
        };
        let slack = (deadline - now - self.estimate).max(0);
        let pressed = relaxed - 100.0 * (-f64::from(slack) / f64::from(self.estimate)).exp();
        if slack <= self.estimate {
            pressed.min(5.0)
        } else {
            pressed
        }
    }

    /// What the value of `then` has become by `now` if nobody has looked at the deadline since:
    /// the task has aged, and that is all.
    pub fn aged(&self, then: Milliseconds, now: Milliseconds) -> f64 {
        self.effective(then) - self.gained(now - then)
    }

    fn gained(&self, waited: Milliseconds) -> f64 {
        self.boost_per_minute * f64::from(waited) / 60_000.0
    }
}
