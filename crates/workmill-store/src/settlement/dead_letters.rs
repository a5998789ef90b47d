//! Dead letters: deciding about them. They never disappear by themselves.

use serde_json::json;
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::lifecycle::{State, Trigger};

use super::cancel::cancel;
use super::{Ledger, Refusal, finish};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::held::Held;
use crate::operation::{Operation, Work};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// Round again, with all its attempts anew.
    Retry,
    Cancel,
}

#[derive(Debug)]
pub struct ResolveDeadLetters {
    pub ns: Namespace,
    pub tasks: Vec<TaskId>,
    pub resolution: Resolution,
    pub resolved_by: String,
}

impl Operation for ResolveDeadLetters {
    type Answer = Vec<Result<State, Refusal>>;
    const DOING: &'static str = "resolve dead letters";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let mut held = Held::lock(work, self.tasks.iter().copied()).await?;
        let now = work.now().await?;
        let mut ledger = Ledger::default();
        let mut answers = Vec::with_capacity(self.tasks.len());
        for task in &self.tasks {
            let is_dead = held
                .tasks
                .get(task)
                .is_some_and(|row| row.state == State::DeadLettered);
            answers.push(if is_dead {
                match self.resolution {
                    Resolution::Retry => {
                        revive(&mut held, &mut ledger, *task, now, &self.resolved_by)
                    }
                    Resolution::Cancel => cancel(&mut held, &mut ledger, *task, &self.resolved_by),
                }
            } else {
                Err(Refusal::NotFound)
            });
        }
        finish(work, held, ledger).await?;
        Ok(answers)
    }
}

pub(crate) fn revive(
    held: &mut Held,
    ledger: &mut Ledger,
    task: TaskId,
    now: jiff::Timestamp,
    resolved_by: &str,
) -> Result<State, Refusal> {
    let row = held.tasks.get_mut(&task).ok_or(Refusal::NotFound)?;
    row.follow(Trigger::Revive).map_err(Refusal::Illegal)?;
    row.attempts = 0;
    row.crashes = 0;
    row.due = None;
    row.shunned.clear();
    row.shunned_until = None;
    row.promote_if_due(now).map_err(Refusal::Illegal)?;
    let data = json!({"by": resolved_by});
    ledger.events.push(Event::of_task(
        EventType::TaskRevived,
        row.graph,
        task,
        data,
    ));
    Ok(row.state)
}
