//! Events: facts, written in the transaction that made them true.

use serde_json::{Value, json};
use workmill_core::gate::Gate;
use workmill_core::ids::{GraphId, TaskId};

macro_rules! event_types {
    ($($event_type:ident = $name:literal,)*) => {
        /// The closed list of what can be said.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EventType {
            $($event_type,)*
        }

        impl EventType {
            pub const NAMES: &'static [&'static str] = &[$($name,)*];

            pub const fn name(self) -> &'static str {
                match self {
                    $(EventType::$event_type => $name,)*
                }
            }
        }
    };
}

event_types! {
    TaskSubmitted = "task.submitted",
    TaskReady = "task.ready",
    TaskClaimed = "task.claimed",
    TaskStarted = "task.started",
    TaskCompleted = "task.completed",
    TaskFailed = "task.failed",
    TaskRetrying = "task.retrying",
    TaskReleased = "task.released",
    TaskBlocked = "task.blocked",
    TaskDeadLettered = "task.dead_lettered",
    TaskEdited = "task.edited",
    TaskStale = "task.stale",
    DependencyRemoved = "task.dependency_removed",
    DependencyAdded = "task.dependency_added",
    TaskWaiting = "task.waiting",
    LateResult = "task.late_result",
    TaskStopping = "task.stopping",
    TaskRevived = "task.revived",
    TaskResumed = "task.resumed",
    TaskAnswered = "task.answered",
    TaskCancelled = "task.cancelled",
    GraphSubmitted = "dag.submitted",
    GraphCompleted = "dag.completed",
    GraphFailed = "dag.failed",
    GraphCancelled = "dag.cancelled",
    GraphRunning = "dag.running",
    AgentRegistered = "agent.registered",
    AgentStatus = "agent.status",
    AgentChanged = "agent.changed",
    AgentOffline = "agent.offline",
    AgentOnline = "agent.online",
    AgentRemoved = "agent.removed",
    GateSet = "gate.set",
    GateRemoved = "gate.removed",
    BudgetNearlyUsedUp = "budget.nearly_used_up",
    BudgetUsedUp = "budget.used_up",
}

impl EventType {
    /// Whether somebody reads of it in the log: nobody puts lines together that are not written.
    fn is_logged(self) -> bool {
        if self.is_bad_news() {
            tracing::enabled!(target: LOG, tracing::Level::WARN)
        } else {
            tracing::enabled!(target: LOG, tracing::Level::INFO)
        }
    }

    /// Somebody should look at it. It is no error of the server's.
    pub const fn is_bad_news(self) -> bool {
        matches!(self, EventType::TaskFailed | EventType::TaskDeadLettered)
    }
}

/// What events are called in the log.
pub const LOG: &str = "events";

/// An event for the log, once it is committed: its ids and figures, nothing that somebody wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub event_type: EventType,
    pub graph: Option<GraphId>,
    pub task: Option<TaskId>,
    pub agent: Option<String>,
    pub epoch: Option<i64>,
    pub attempt: Option<i64>,
    pub reason: Option<String>,
    pub cause: Option<String>,
}

impl Told {
    pub(crate) fn of(event: &Event) -> Option<Told> {
        let text = |name: &str| event.data.get(name)?.as_str().map(str::to_owned);
        let number = |name: &str| event.data.get(name)?.as_i64();
        event.event_type.is_logged().then(|| Told {
            event_type: event.event_type,
            graph: event.graph,
            task: event.task,
            agent: text("agent"),
            epoch: number("epoch"),
            attempt: number("attempt"),
            reason: text("reason"),
            cause: text("cause"),
        })
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

    /// One flat object: what, about which, and the details.
    pub(crate) fn into_fact(self) -> Value {
        let mut fact = match self.data {
            Value::Object(fields) => fields,
            _ => serde_json::Map::new(),
        };
        fact.insert("type".to_owned(), self.event_type.name().into());
        if let Some(graph) = self.graph {
            fact.insert("dag_id".to_owned(), graph.to_string().into());
        }
        if let Some(task) = self.task {
            fact.insert("task_id".to_owned(), task.to_string().into());
        }
        Value::Object(fact)
    }

    pub fn of_gate(event_type: EventType, gate: &Gate) -> Self {
        Event {
            event_type,
            graph: None,
            task: None,
            data: json!({"gate": gate.to_string()}),
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
