//! What follows for the tasks that waited: they become ready, go on waiting, or are cancelled.

use std::collections::BTreeSet;

use serde_json::json;
use uuid::Uuid;
use workmill_core::dependency::{Consequence, OnDependencyFailure};
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::{State, Trigger};
use workmill_queries::queries::task::locked_rows as statements;

use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::locked_rows::LockedRows;
use crate::operation::Work;

/// Follows what the tasks that moved mean for their dependents, and for theirs.
///
/// The graphs' locks are held, so however many parents finish at one moment, their transactions
/// come one after the other and the last one finds the counter at zero.
pub(crate) async fn follow_consequences(
    work: &mut Work<'_>,
    held: &mut LockedRows,
) -> Result<(), StoreError> {
    let mut moved: Vec<TaskId> = held
        .tasks
        .keys()
        .copied()
        .filter(|task| has_consequences(held, *task))
        .collect();
    while !moved.is_empty() {
        let waiting = dependents(work, &moved).await?;
        let tasks: BTreeSet<TaskId> = waiting.iter().map(|(task, _)| *task).collect();
        held.lock_more(work, &tasks).await?;
        let now = work.now().await?;
        let mut cancelled = BTreeSet::new();
        let mut runners_of = BTreeSet::new();
        for (task, on) in waiting {
            let dependency = &held.tasks[&on];
            let (state, was_freed) = (dependency.state(), dependency.freed_runners);
            let Some(row) = held.tasks.get_mut(&task) else {
                continue;
            };
            match row.on_dependency_failure.consequence(state, was_freed) {
                None | Some(Consequence::Wait) => {}
                Some(Consequence::Met) => {
                    row.unmet -= 1;
                    row.unmet += i32::from(work.is_planted("dependency not counted"));
                    row.unmet -= i32::from(work.is_planted("dependency counted twice"));
                    if row.unmet == 0 && row.state() == State::Pending {
                        row.promote_if_due(now).map_err(impossible)?;
                    }
                }
                Some(Consequence::Cancel) => {
                    if matches!(row.state(), State::Pending | State::Created) {
                        row.follow(Trigger::Cancel).map_err(impossible)?;
                        row.due = None;
                        cancelled.insert(task);
                    }
                }
            }
            if row.on_dependency_failure == OnDependencyFailure::Run && state != State::Completed {
                runners_of.insert(on);
            }
        }
        for task in runners_of {
            if let Some(row) = held.tasks.get_mut(&task) {
                row.freed_runners = true;
            }
        }
        for task in &cancelled {
            let graph = held.tasks[task].graph;
            let data = json!({"because": "dependency"});
            work.emit(Event::of_task(EventType::TaskCancelled, graph, *task, data));
        }
        moved = cancelled.into_iter().collect();
    }
    Ok(())
}

/// Whether the task came, in this transaction, to a state that others wait for.
fn has_consequences(held: &LockedRows, task: TaskId) -> bool {
    let (Some(before), Some(after)) = (held.tasks_before.get(&task), held.tasks.get(&task)) else {
        return false;
    };
    let settles = |state: State| state.is_finished() || state == State::DeadLettered;
    after.in_graph && settles(after.state()) && before.state() != after.state()
}

/// Each waiting task with the one it waits for.
async fn dependents(
    work: &mut Work<'_>,
    on: &[TaskId],
) -> Result<Vec<(TaskId, TaskId)>, StoreError> {
    let ids: Vec<Uuid> = on.iter().map(|task| task.0).collect();
    let rows = statements::find_dependents()
        .bind(work.transaction, &ids, &work.ns)
        .all()
        .await?;
    Ok(rows
        .into_iter()
        .map(|row| (TaskId(row.task), TaskId(row.depends_on)))
        .collect())
}

pub(crate) fn impossible(illegal: workmill_core::lifecycle::IllegalTransition) -> StoreError {
    StoreError::Corrupt(format!("`{}` was refused: {illegal}", illegal.trigger))
}
