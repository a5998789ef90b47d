//! Cancelling: a task, or what is left of a graph.
//!
//! What runs is cancelled at once; its lease keeps the slot until the agent confirms that it
//! stopped or the lease runs out. A graph can also be drained: what runs finishes, nothing new
//! starts.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use uuid::Uuid;
use workmill_core::audit::{Action, AuditEntry, Subject};
use workmill_core::ids::{GraphId, Namespace, TaskId};
use workmill_core::lifecycle::{State, Trigger};
use workmill_core::resolution::Decided;
use workmill_queries::queries::look::tasks;

use super::{Ledger, Refusal, finish};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::intake::grow::lock_graph_of_any_kind;
use crate::locked_rows::LockedRows;
use crate::operation::{Operation, Work};
use crate::write_back::Resolved;

/// Cancels tasks, each on its own: one that cannot be cancelled does not hold up the others.
#[derive(Debug)]
pub struct CancelTasks {
    pub ns: Namespace,
    pub tasks: Vec<TaskId>,
    pub cancelled_by: String,
}

impl Operation for CancelTasks {
    /// The state each is in now.
    type Answer = Vec<Result<State, Refusal>>;
    const DOING: &'static str = "cancel tasks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let mut held = LockedRows::lock(work, self.tasks.iter().copied()).await?;
        let mut ledger = Ledger::default();
        let answers = self
            .tasks
            .iter()
            .map(|task| cancel(&mut held, &mut ledger, *task, &self.cancelled_by))
            .collect();
        work.audit_tasks(&held, &self.tasks, None, |task| {
            let subject = Subject::Task(task);
            (Action::TaskCancelled, subject, Value::Null, Value::Null)
        });
        finish(work, held, ledger).await?;
        Ok(answers)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelMode {
    /// Running tasks are told to stop.
    Now,
    /// Running tasks finish.
    Drain,
}

#[derive(Debug)]
pub struct CancelGraph {
    pub ns: Namespace,
    pub graph: GraphId,
    pub mode: CancelMode,
    pub cancelled_by: String,
}

impl Operation for CancelGraph {
    /// How many tasks were cancelled.
    type Answer = Result<usize, Refusal>;
    const DOING: &'static str = "cancel a graph";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let Some(mut held) = lock_graph_of_any_kind(work, self.graph).await? else {
            return Ok(Err(Refusal::NotFound));
        };
        let members = tasks::find_tasks_of_graph()
            .bind(work.transaction, &work.ns, &self.graph.0)
            .all()
            .await?;
        let mut ids: BTreeSet<TaskId> = members.into_iter().map(TaskId).collect();
        // A standalone task is written as a member of its graph only at the end.
        ids.extend(held.tasks.keys());
        held.lock_more(work, &ids).await?;
        let members: Vec<Uuid> = ids.iter().map(|task| task.0).collect();
        held.lock_leases(work, &members).await?;
        // A graph that has ended keeps the status that it ended with.
        if let Some(graph) = held.graphs.get_mut(&self.graph)
            && !graph.tally.has_ended()
        {
            graph.is_draining = true;
        }
        let status = held.graphs_before[&self.graph].status.clone();
        let mut ledger = Ledger::default();
        let mut cancelled = 0;
        for task in ids {
            let is_left = held.tasks.get(&task).is_some_and(|row| {
                let finishes = self.mode == CancelMode::Drain && row.state().is_leased();
                finishes || row.state() == State::Cancelled
            });
            if !is_left && cancel(&mut held, &mut ledger, task, &self.cancelled_by).is_ok() {
                cancelled += 1;
            }
        }
        // One entry for the whole: each of its tasks has an event that names who cancelled it.
        let how = match self.mode {
            CancelMode::Now => "now",
            CancelMode::Drain => "drain",
        };
        work.audit(AuditEntry::new(
            Action::GraphCancelled,
            Subject::Graph(self.graph),
            json!({"status": status}),
            json!({"mode": how, "tasks_cancelled": cancelled}),
        ));
        finish(work, held, ledger).await?;
        Ok(Ok(cancelled))
    }
}

/// Cancelling what is cancelled already changes nothing and is no mistake.
pub(crate) fn cancel(
    held: &mut LockedRows,
    ledger: &mut Ledger,
    task: TaskId,
    cancelled_by: &str,
) -> Result<State, Refusal> {
    let row = held.tasks.get_mut(&task).ok_or(Refusal::NotFound)?;
    if row.state() == State::Cancelled {
        return Ok(row.state());
    }
    let was_dead = row.state() == State::DeadLettered;
    row.follow(Trigger::Cancel).map_err(Refusal::Illegal)?;
    if was_dead {
        let resolved = Resolved {
            resolution: Decided::Cancel,
            by: cancelled_by.to_owned(),
            note: None,
        };
        ledger.remarks.resolved.insert(task, resolved);
    }
    row.due = None;
    let leases = held.leases.keys().filter(|lease| lease.task == task);
    ledger
        .stops
        .extend(leases.map(|lease| (*lease, "cancelled")));
    let data = json!({"by": cancelled_by});
    ledger.events.push(Event::of_task(
        EventType::TaskCancelled,
        row.graph,
        task,
        data,
    ));
    Ok(row.state())
}
