//! What a task asks of the gates: which ones it has to pass, and how much it takes of each.
//!
//! Stamped on the task with its policy, so that a claim knows it without reading the description.

mod decision;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::gate::{Gate, Limited, Paused, Purse};
use crate::ids::GraphId;
use crate::lane::LaneId;
use crate::money::Micros;
use crate::priority::{Class, Priority};
use crate::resource_lock::{ResourceLock, roots_of};

pub use decision::{Candidate, Decision, GateView, Reservation, are_free};

/// What is reserved for an attempt whose cost nobody can guess.
pub const DEFAULT_COST: Micros = Micros(100_000);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Admission {
    #[serde(rename = "type")]
    pub task_type: String,
    pub priority: Priority,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate_ms: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// How much it counts where a label is limited.
    #[serde(skip_serializing_if = "is_one")]
    pub cost_units: i64,
    /// The most that all attempts together may cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<Micros>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locks: Vec<ResourceLock>,
}

impl Default for Admission {
    fn default() -> Self {
        Admission {
            task_type: String::new(),
            priority: Priority::default(),
            deadline: None,
            estimate_ms: None,
            labels: Vec::new(),
            cost_units: 1,
            max_cost: None,
            locks: Vec::new(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls")]
fn is_one(units: &i64) -> bool {
    *units == 1
}

/// What else decides which gates a task has to pass.
#[derive(Debug, Clone, Copy)]
pub struct Passage<'a> {
    pub graph: GraphId,
    pub lane: LaneId,
    pub source: &'a str,
    pub agent: &'a str,
    pub class: Class,
    pub day: Date,
    /// What the attempt may cost.
    pub reservation: Micros,
}

/// How much of a gate a task takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    pub gate: Gate,
    pub amount: i64,
}

impl Admission {
    /// The class of the base priority; a deadline that is near makes it critical.
    pub fn class(&self, now: Timestamp) -> Class {
        let estimate = self
            .estimate_ms
            .map_or(crate::rank::DEFAULT_ESTIMATE, SignedDuration::from_millis);
        let is_pressed = self
            .deadline
            .is_some_and(|deadline| deadline.duration_since(now) <= estimate.saturating_mul(2));
        if is_pressed {
            Class::Critical
        } else {
            self.priority.class()
        }
    }

    /// What an attempt may cost: what is left of the task's own maximum, or what such attempts
    /// usually cost.
    pub fn reservation(&self, spent: Micros, usual: Option<Micros>) -> Micros {
        let own = self.left_of_own_budget(spent);
        own.unwrap_or_else(|| usual.unwrap_or(DEFAULT_COST))
    }

    /// Returns what is left of the task's own maximum, if it has one.
    pub fn left_of_own_budget(&self, spent: Micros) -> Option<Micros> {
        let most = self.max_cost?;
        Some(most.saturating_sub(spent).max(Micros::ZERO))
    }

    /// Every gate that could stop it, in the order they are asked; those that nobody has set up
    /// stop nobody.
    pub fn asks(&self, passage: Passage<'_>) -> Vec<Ask> {
        let mut asks = Vec::with_capacity(12);
        let mut ask = |gate: Gate, amount: i64| asks.push(Ask { gate, amount });
        ask(Gate::Pause(Paused::Namespace), 0);
        ask(Gate::Pause(Paused::Graph(passage.graph)), 0);
        ask(Gate::Pause(Paused::Type(self.task_type.clone())), 0);
        ask(Gate::Pause(Paused::Lane(passage.lane)), 0);
        for label in &self.labels {
            ask(Gate::Pause(Paused::Label(label.clone())), 0);
        }
        ask(Gate::Limit(Limited::Namespace), 1);
        if passage.class != Class::Critical {
            ask(Gate::Limit(Limited::AllButCritical), 1);
        }
        ask(Gate::Limit(Limited::Class(passage.class)), 1);
        ask(Gate::Limit(Limited::Source(passage.source.to_owned())), 1);
        ask(Gate::Limit(Limited::Type(self.task_type.clone())), 1);
        for label in &self.labels {
            ask(Gate::Limit(Limited::Label(label.clone())), self.cost_units);
        }
        ask(Gate::Limit(Limited::Agent(passage.agent.to_owned())), 1);
        for purse in passage.purses() {
            ask(Gate::Budget(purse), passage.reservation.0);
        }
        asks
    }

    /// The roots that its locks lie below, each once, in order.
    pub fn lock_roots(&self) -> Vec<&str> {
        roots_of(&self.locks)
    }
}

impl Passage<'_> {
    /// Who pays.
    pub fn purses(&self) -> [Purse; 4] {
        [
            Purse::Namespace,
            Purse::Day(self.day),
            Purse::Graph(self.graph),
            Purse::Agent(self.agent.to_owned()),
        ]
    }
}

/// Where work comes from, by the name of who submitted it: `cron` of `cron:nightly`.
pub fn source_of(created_by: &str) -> &str {
    created_by.split(':').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_near_deadline_makes_a_task_critical() {
        let admission = Admission {
            deadline: Some(at("2026-01-01T01:00:00Z")),
            ..Admission::default()
        };
        assert_eq!(admission.class(at("2026-01-01T00:49:59Z")), Class::Normal);
        assert_eq!(admission.class(at("2026-01-01T00:50:00Z")), Class::Critical);
    }

    #[test]
    fn an_attempt_reserves_what_is_left_of_the_maximum() {
        let bounded = Admission {
            max_cost: Some(Micros(500)),
            ..Admission::default()
        };
        assert_eq!(
            bounded.reservation(Micros(200), Some(Micros(9))),
            Micros(300)
        );
        assert_eq!(bounded.reservation(Micros(700), None), Micros::ZERO);
        let free = Admission::default();
        assert_eq!(free.reservation(Micros(200), Some(Micros(9))), Micros(9));
        assert_eq!(free.reservation(Micros(200), None), DEFAULT_COST);
    }

    #[test]
    fn what_is_stamped_reads_back_and_says_only_what_is_not_usual() {
        let plain = serde_json::to_string(&Admission::default()).unwrap();
        assert_eq!(plain, r#"{"type":"","priority":50}"#);
        assert_eq!(
            serde_json::from_str::<Admission>(&plain).unwrap(),
            Admission::default()
        );
    }
}
