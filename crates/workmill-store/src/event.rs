//! Events: facts, written in the transaction that made them true.

use serde_json::Value;
use workmill_core::ids::{GraphId, TaskId};

/// The closed list of what can be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventType {
    TaskSubmitted,
    TaskReady,
    TaskClaimed,
    TaskStarted,
    TaskCompleted,
    TaskFailed,
    TaskRetrying,
    TaskReleased,
    TaskBlocked,
    TaskDeadLettered,
    GraphSubmitted,
    GraphCompleted,
    GraphFailed,
    GraphCancelled,
    GraphRunning,
    AgentRegistered,
}

impl EventType {
    pub const fn name(self) -> &'static str {
        match self {
            EventType::TaskSubmitted => "task.submitted",
            EventType::TaskReady => "task.ready",
            EventType::TaskClaimed => "task.claimed",
            EventType::TaskStarted => "task.started",
            EventType::TaskCompleted => "task.completed",
            EventType::TaskFailed => "task.failed",
            EventType::TaskRetrying => "task.retrying",
            EventType::TaskReleased => "task.released",
            EventType::TaskBlocked => "task.blocked",
            EventType::TaskDeadLettered => "task.dead_lettered",
            EventType::GraphSubmitted => "dag.submitted",
            EventType::GraphCompleted => "dag.completed",
            EventType::GraphFailed => "dag.failed",
            EventType::GraphCancelled => "dag.cancelled",
            EventType::GraphRunning => "dag.running",
            EventType::AgentRegistered => "agent.registered",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub event_type: EventType,
    pub graph: Option<GraphId>,
    pub task: Option<TaskId>,
    pub data: Value,
}

impl Event {
    pub fn of_task(event_type: EventType, graph: GraphId, task: TaskId, data: Value) -> Self {
        Event {
            event_type,
            graph: Some(graph),
            task: Some(task),
            data,
        }
    }

    pub fn of_graph(event_type: EventType, graph: GraphId, data: Value) -> Self {
        Event {
            event_type,
            graph: Some(graph),
            task: None,
            data,
        }
    }
}
