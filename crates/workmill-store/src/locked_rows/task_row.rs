//! A task's row in `state`, whose state only follows the transitions of the lifecycle.

mod columns;

use jiff::Timestamp;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::lifecycle::{self, IllegalTransition, State, Trigger};
use workmill_queries::queries::task::locked_rows;
use workmill_queries::queries::upkeep::due;

use crate::error::StoreError;
pub(crate) use columns::StateColumns;

/// A task's row in `state`. Its state is private: [`TaskRow::follow`] alone changes it, so that every
/// change is a transition of [`lifecycle::next`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TaskRow {
    pub task: TaskId,
    pub graph: GraphId,
    state: State,
    pub lane: LaneId,
    pub rank: i64,
    pub due: Option<Timestamp>,
    pub spec_version: i32,
    pub epoch: i32,
    pub attempts: i32,
    pub crashes: i32,
    pub unmet: i32,
    pub critical_path: i16,
    pub on_dependency_failure: OnDependencyFailure,
    pub in_graph: bool,
    pub has_deadline: bool,
    pub freed_runners: bool,
    pub shunned: Vec<String>,
    pub shunned_until: Option<Timestamp>,
    /// What its attempts have cost, in millionths of a dollar.
    pub spent_micros: i64,
}

/// What a new task's row says that its draft and its graph decide.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewTaskRow {
    pub task: TaskId,
    /// The graph that the task enters. Without one, the task is standalone and its graph bears its id.
    pub graph: Option<GraphId>,
    pub lane: LaneId,
    pub rank: i64,
    pub critical_path: i16,
    pub on_dependency_failure: OnDependencyFailure,
    pub has_deadline: bool,
}

impl TaskRow {
    /// Returns the row of a new task, in the state in which every task begins.
    pub(crate) fn new(new: NewTaskRow) -> TaskRow {
        TaskRow {
            task: new.task,
            graph: new.graph.unwrap_or_else(|| new.task.into()),
            state: State::INITIAL,
            lane: new.lane,
            rank: new.rank,
            due: None,
            spec_version: 1,
            epoch: 0,
            attempts: 0,
            crashes: 0,
            unmet: 0,
            critical_path: new.critical_path,
            on_dependency_failure: new.on_dependency_failure,
            in_graph: new.graph.is_some(),
            has_deadline: new.has_deadline,
            freed_runners: false,
            shunned: Vec::new(),
            shunned_until: None,
            spent_micros: 0,
        }
    }

    pub(crate) fn state(&self) -> State {
        self.state
    }

    /// Takes a transition of the lifecycle. Returns the refusal, with the row unchanged, if the
    /// lifecycle has no such transition.
    pub(crate) fn follow(&mut self, trigger: Trigger) -> Result<(), IllegalTransition> {
        self.state = lifecycle::next(self.state, trigger)?;
        Ok(())
    }

    /// A task of this rule begins to depend on this one; answers whether it has to wait for it.
    /// What goes on below a task that failed counts as freed: should the task complete one day
    /// after all, it must not be counted again.
    pub(crate) fn holds_back(&mut self, rule: OnDependencyFailure) -> bool {
        let goes_on = rule.goes_on(self.state, self.freed_runners);
        if goes_on && self.state != State::Completed {
            self.freed_runners = true;
        }
        !goes_on
    }

    /// Makes a pending or retrying task ready if it waits for no dependency and its time has come.
    pub(crate) fn promote_if_due(&mut self, now: Timestamp) -> Result<(), IllegalTransition> {
        if self.unmet == 0 && self.due.is_none_or(|due| due <= now) {
            self.follow(Trigger::Promote)?;
            self.due = None;
        }
        Ok(())
    }
}

macro_rules! read_state_row {
    ($row:expr) => {{
        let row = $row;
        let task = TaskId(row.task);
        TaskRow {
            task,
            graph: GraphId(row.graph),
            state: State::from_code(row.state)
                .ok_or_else(|| StoreError::Corrupt(format!("{task} is in state {}", row.state)))?,
            lane: LaneId(row.lane),
            rank: row.rank,
            due: row.due,
            spec_version: row.spec_version,
            epoch: row.epoch,
            attempts: row.attempts,
            crashes: row.crashes,
            unmet: row.unmet,
            critical_path: row.critical_path,
            on_dependency_failure: OnDependencyFailure::from_code(row.on_dependency_failure)
                .ok_or_else(|| StoreError::Corrupt(format!("the dependency rule of {task}")))?,
            in_graph: row.in_graph,
            has_deadline: row.has_deadline,
            freed_runners: row.freed_runners,
            shunned: row.shunned.unwrap_or_default(),
            shunned_until: row.shunned_until,
            spent_micros: row.spent_micros,
        }
    }};
}

pub(super) fn read_state(row: locked_rows::LockStates) -> Result<TaskRow, StoreError> {
    Ok(read_state_row!(row))
}

pub(super) fn read_due_state(row: due::LockDueStates) -> Result<TaskRow, StoreError> {
    Ok(read_state_row!(row))
}
