//! What people decide, and what time does, as the model sees it.

use workmill_core::lifecycle::{State, Trigger};
use workmill_store::settlement::cancel::CancelMode;
use workmill_store::settlement::dead_letters::Resolution;

use super::super::step::Label;
use super::World;

impl World {
    /// Already cancelled is no mistake.
    pub(super) fn cancel(&mut self, label: Label) -> Result<(), String> {
        let now = self.now;
        let task = self.tasks.get_mut(&label).ok_or("NotFound")?;
        if task.state == State::Cancelled {
            return Ok(());
        }
        task.follow(Trigger::Cancel)?;
        task.due = None;
        for (_, lease) in self
            .leases
            .iter_mut()
            .filter(|(hold, _)| hold.task == label)
        {
            lease.stopped = Some(now);
        }
        Ok(())
    }

    pub(super) fn cancel_graph(&mut self, graph: Label, mode: CancelMode) {
        if !self.graphs.contains_key(&graph) {
            self.answer.push("NotFound".to_owned());
            return;
        }
        let has_ended = self.tally(graph).has_ended();
        let found = self.graphs.get_mut(&graph).expect("it is there");
        found.is_draining |= !has_ended;
        let mut cancelled = 0;
        for label in found.members.clone() {
            let state = self.tasks[&label].state;
            let is_left = mode == CancelMode::Drain && state.is_leased();
            if !is_left && state != State::Cancelled && self.cancel(label).is_ok() {
                cancelled += 1;
            }
        }
        self.answer.push(cancelled.to_string());
    }

    pub(super) fn resolve(
        &mut self,
        label: Label,
        resolution: Resolution<'_>,
    ) -> Result<String, String> {
        let task = self.tasks.get_mut(&label);
        let task = task
            .filter(|task| task.state == State::DeadLettered)
            .ok_or("NotADeadLetter")?;
        match resolution {
            Resolution::Retry => {
                task.follow(Trigger::Revive)?;
                task.follow(Trigger::Promote)?;
                task.attempts = 0;
                task.crashes = 0;
                task.forgiven = task.epoch;
                task.shunned.clear();
                task.shunned_until = 0;
            }
            Resolution::Cancel => self.cancel(label)?,
            Resolution::ModifyAndRetry(_) => unreachable!("no step modifies a task"),
        }
        Ok(self.tasks[&label].state.to_string())
    }

    pub(super) fn promote_due(&mut self) {
        let now = self.now;
        let mut promoted = 0;
        for label in self.tasks.keys().copied().collect::<Vec<_>>() {
            let is_free = self.unmet(label) == 0;
            let task = self.task(label);
            let waits = matches!(task.state, State::Pending | State::Retrying);
            if waits && is_free && task.due.is_some_and(|due| due <= now) {
                task.state = State::Ready;
                task.due = None;
                promoted += 1;
            }
        }
        self.answer.push(promoted.to_string());
    }
}
