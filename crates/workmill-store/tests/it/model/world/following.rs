//! What follows for the tasks that wait, as the model sees it.

use std::collections::BTreeSet;

use workmill_core::dependency::OnDependencyFailure;
use workmill_core::lifecycle::State;

use super::super::step::Label;
use super::{Task, World};

impl World {
    /// What became of a task decides about those that wait for it, and so on.
    pub(super) fn follow_consequences(&mut self, waited: &BTreeSet<Label>) {
        loop {
            for task in self.tasks.values_mut() {
                task.has_failed |= matches!(
                    task.state,
                    State::DeadLettered | State::Cancelled | State::Stale
                );
            }
            let doomed: Vec<Label> = self
                .tasks
                .iter()
                .filter(|(_, task)| task.state == State::Pending && self.is_doomed(task))
                .map(|(label, _)| *label)
                .collect();
            if doomed.is_empty() {
                break;
            }
            for label in doomed {
                self.cancel(label)
                    .expect("what is pending can be cancelled");
            }
        }
        for label in waited {
            let is_free = self.unmet(*label) == 0;
            let now = self.now;
            let task = self.task(*label);
            if is_free && task.state == State::Pending && task.due.is_none_or(|due| due <= now) {
                task.due = None;
                task.state = State::Ready;
            }
        }
    }

    fn is_doomed(&self, task: &Task) -> bool {
        task.depends_on.iter().any(|on| {
            let state = self.tasks[on].state;
            match task.rule {
                OnDependencyFailure::Wait | OnDependencyFailure::Run => false,
                OnDependencyFailure::Default => matches!(state, State::Cancelled | State::Stale),
                OnDependencyFailure::Cancel => {
                    matches!(state, State::Cancelled | State::Stale | State::DeadLettered)
                }
            }
        })
    }
}
