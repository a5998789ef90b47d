//! What a task's urgency is worth, written out from the text of the rule and from nothing else:
//! `effective(now) = base − boost·age − deadline_boost(now) − critical_path`.
//!
//! Points are points, time is seconds. The code under test counts micro-points in integers and
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
pub const USUAL_ESTIMATE: f64 = 300.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Urgency {
    pub base: f64,
    pub boost_per_minute: f64,
    pub submitted: f64,
    pub deadline: Option<f64>,
    pub estimate: f64,
    /// Tasks on the longest chain below, if they count.
    pub chain: u32,
}

impl Urgency {
    pub fn effective(&self, now: f64) -> f64 {
        let age = self.boost_per_minute * (now - self.submitted) / 60.0;
        let chain = f64::from(self.chain.min(LONGEST_CHAIN));
        let relaxed = self.base - age - chain;
        let Some(deadline) = self.deadline else {
            return relaxed;
        };
        let slack = (deadline - now - self.estimate).max(0.0);
        let pressed = relaxed - 100.0 * (-slack / self.estimate).exp();
        if slack <= self.estimate {
            pressed.min(5.0)
        } else {
            pressed
        }
    }

    /// What the value of `then` has become by `now` if nobody has looked at the deadline since:
    /// the task has aged, and that is all.
    pub fn aged(&self, then: f64, now: f64) -> f64 {
        self.effective(then) - self.boost_per_minute * (now - then) / 60.0
    }
}
