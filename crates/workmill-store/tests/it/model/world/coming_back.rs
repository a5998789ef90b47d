//! Whoever comes back after its lease has ended, as the model sees it.

use workmill_core::attempt::Outcome;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;

use super::super::step::{End, Hold};
use super::{Attempt, Late, Task, World};

impl World {
    /// Paid work is kept: it becomes the outcome while nobody has claimed since and the attempt
    /// only ran out of time; otherwise it is stored and refused.
    pub(super) fn come_back(&mut self, hold: Hold, key: u8, end: &End) -> Result<String, String> {
        let task = self.tasks.get_mut(&hold.task).ok_or("LeaseLost")?;
        let last = task.last_of(hold.epoch).ok_or("LeaseLost")?.clone();
        if self.agents[&last.agent].key != key {
            return Err("NotTheHolder".to_owned());
        }
        if task.is_what_was_said(&last, end) {
            return Ok(format!("{} again", task.state));
        }
        if !ended_by_workmill(&last) {
            return Err("LeaseLost".to_owned());
        }
        // A result is worth more than a failure that came late before it.
        let completes = matches!(end, End::Complete(_));
        let earlier = task.late.get(&hold.epoch);
        let earlier = earlier.filter(|one| !completes || !matches!(one.said, End::Fail { .. }));
        if let Some(earlier) = earlier {
            return match (is_same(&earlier.said, end), earlier.was_accepted) {
                (true, true) => Ok(format!("{} again", task.state)),
                (true, false) => Err("TooLate".to_owned()),
                (false, _) => Err("LeaseLost".to_owned()),
            };
        }
        let is_accepted = match end {
            End::Release | End::Block { .. } => return Err("LeaseLost".to_owned()),
            End::Fail { .. } => false,
            End::Complete(_) => task.may_take_up_again(hold.epoch, &last),
        };
        task.late.insert(
            hold.epoch,
            Late {
                said: end.clone(),
                was_accepted: is_accepted,
            },
        );
        let End::Complete(output) = end else {
            return Err("TooLate".to_owned());
        };
        if !is_accepted {
            return Err("TooLate".to_owned());
        }
        task.state = State::Completed;
        task.due = None;
        task.crashes = 0;
        task.result = Some((hold.epoch, *output));
        Ok(task.state.to_string())
    }
}

impl Task {
    /// Nobody has claimed it since, and its attempt only ran out of time.
    pub(super) fn may_take_up_again(&self, epoch: i32, last: &Attempt) -> bool {
        let rests = matches!(
            self.state,
            State::Ready | State::Retrying | State::Blocked | State::DeadLettered
        );
        self.epoch == epoch && rests && last.reason.is_some_and(Reason::is_expiry)
    }

    /// The attempt ended in these words; the agent did not hear the answer.
    fn is_what_was_said(&self, last: &Attempt, end: &End) -> bool {
        match end {
            End::Complete(output) => {
                last.outcome == Outcome::Completed
                    && self.result.is_some_and(|(_, stored)| stored == *output)
            }
            End::Fail {
                reason, message, ..
            } => last.reason == Some(*reason) && last.message == *message,
            End::Release => last.outcome == Outcome::Released,
            End::Block { .. } => last.outcome == Outcome::Blocked,
        }
    }
}

/// The agent did not say so itself: it may still have something to say.
fn ended_by_workmill(last: &Attempt) -> bool {
    last.outcome == Outcome::Cancelled
        || last.reason.is_some_and(|reason| {
            let is_too_long = reason == Reason::Timeout && !last.said_by_agent;
            reason.is_expiry() || is_too_long || reason == Reason::DeadlineExceeded
        })
}

/// The same word: an equal output, or an equal message.
fn is_same(said: &End, end: &End) -> bool {
    match (said, end) {
        (End::Complete(said), End::Complete(output)) => said == output,
        (End::Fail { message: said, .. }, End::Fail { message, .. }) => said == message,
        _ => false,
    }
}
