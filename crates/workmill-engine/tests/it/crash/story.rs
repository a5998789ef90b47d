//! The events tell a story that can be true, and it ends where the rows are.
//!
//! In their order: a task has one lease at a time, each lease ends once before the next one
//! begins, no agent holds more than it has slots, and what has ended stays so.

use std::collections::BTreeMap;

use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::lifecycle::State;

use super::stored::{Fact, Stored};

#[derive(Default)]
struct Story {
    found: Vec<String>,
    held: BTreeMap<TaskId, (LeaseId, String)>,
    ended: BTreeMap<LeaseId, usize>,
    last_epoch: BTreeMap<TaskId, i32>,
    /// Tasks that came to rest, and where.
    rests: BTreeMap<TaskId, State>,
}

/// What cannot be true.
pub fn check(stored: &Stored) -> Vec<String> {
    let mut story = Story::default();
    for fact in &stored.events {
        story.hear(fact, &stored.slots);
    }
    story.compare(stored);
    story.found
}

impl Story {
    fn wrong(&mut self, what: String) {
        self.found.push(what);
    }

    fn hear(&mut self, fact: &Fact, slots: &BTreeMap<String, i32>) {
        let Some(task) = fact.task() else { return };
        match fact.fact["type"].as_str().unwrap_or_default() {
            "task.claimed" | "task.resumed" => self.begin(fact, slots),
            "task.failed" | "task.released" => self.end(fact),
            "task.completed" => {
                // One that came late has no lease any more.
                if fact.fact["accepted"] != true {
                    self.end(fact);
                }
                self.rest(task, State::Completed);
            }
            "task.dead_lettered" => self.rest(task, State::DeadLettered),
            "task.cancelled" => self.rest(task, State::Cancelled),
            _ => {}
        }
    }

    fn begin(&mut self, fact: &Fact, slots: &BTreeMap<String, i32>) {
        let Some(lease) = fact.lease() else {
            self.wrong(format!("a lease without an epoch: {fact:?}"));
            return;
        };
        let agent = fact.agent().to_owned();
        if fact.is("task.claimed") {
            self.last_epoch.insert(lease.task, lease.epoch);
        } else if self.last_epoch.get(&lease.task) != Some(&lease.epoch) {
            self.wrong(format!("taken up again after others claimed: {fact:?}"));
        }
        // Only what was given up for its silence is taken up again.
        let rested = self.rests.remove(&lease.task);
        if rested.is_some_and(|state| fact.is("task.claimed") || state != State::DeadLettered) {
            self.wrong(format!("begun after its end: {fact:?}"));
        }
        if let Some(other) = self.held.insert(lease.task, (lease, agent.clone())) {
            self.wrong(format!("{lease} began while {other:?} was held"));
        }
        let held = self.held.values().filter(|(_, by)| *by == agent).count();
        let most = slots.get(&agent).copied().unwrap_or(0);
        if i32::try_from(held).is_ok_and(|held| held > most) {
            self.wrong(format!("{agent} held {held} with {most} slots: {fact:?}"));
        }
    }

    fn end(&mut self, fact: &Fact) {
        let held = fact.task().and_then(|task| self.held.remove(&task));
        match held {
            Some((lease, _)) if Some(lease) == fact.lease() => {
                *self.ended.entry(lease).or_default() += 1;
            }
            other => self.wrong(format!("ended {fact:?} while {other:?} was held")),
        }
    }

    fn rest(&mut self, task: TaskId, state: State) {
        if let Some((lease, _)) = self.held.get(&task).cloned() {
            self.wrong(format!("{task} was {state} while {lease} was held"));
        }
        let before = self.rests.insert(task, state);
        let came_late = before == Some(State::DeadLettered) && state == State::Completed;
        if before.is_some() && !came_late {
            self.wrong(format!("{task} was {state} after {before:?}"));
        }
    }

    fn compare(&mut self, stored: &Stored) {
        let never_ended = self.held.values();
        let never_ended = never_ended.map(|(lease, _)| format!("{lease} never ended"));
        self.found.extend(never_ended);
        for (task, (state, _)) in &stored.rows.states {
            let told = self.rests.get(task).copied();
            if told != Some(*state) {
                self.wrong(format!("{task} is {state}, told was {told:?}"));
            }
            let told = self.last_epoch.get(task).copied().unwrap_or(0);
            if stored.epochs.get(task) != Some(&told) {
                self.wrong(format!("the last claim told of {task} was {told}"));
            }
        }
        let attempts = stored.attempts.iter();
        let attempts: BTreeMap<LeaseId, usize> = attempts
            .map(|(lease, attempts)| (*lease, attempts.len()))
            .collect();
        if attempts != self.ended {
            let leases = attempts.keys().chain(self.ended.keys());
            let other = leases
                .into_iter()
                .find(|lease| attempts.get(lease) != self.ended.get(lease));
            self.wrong(format!("the attempts are not those told: {other:?}"));
        }
    }
}
