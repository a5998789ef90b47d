//! Registering agents, changing them, looking at them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use workmill_core::agent::AgentStatus;
use workmill_core::bounded::{MOST_WORDS, up_to};
use workmill_core::ids::TaskId;
use workmill_core::money::Micros;
use workmill_core::schema::{Amount, PlainName, Text, Word};

/// `POST /v1/agents`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RegisterAgent {
    #[schema(value_type = PlainName)]
    pub id: String,
    #[serde(default, rename = "type")]
    #[schema(value_type = Text)]
    pub agent_type: String,
    #[serde(default, deserialize_with = "up_to::<{ MOST_WORDS }, _, _>")]
    #[schema(value_type = Vec<Word>, max_items = 100)]
    pub capabilities: Vec<String>,
    #[serde(default, deserialize_with = "up_to::<{ MOST_WORDS }, _, _>")]
    #[schema(value_type = Vec<Word>, max_items = 100)]
    pub models_available: Vec<String>,
    /// The agent receives only tasks of these types; of all types if empty.
    #[serde(
        default,
        deserialize_with = "up_to::<{ MOST_WORDS }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(value_type = Vec<Word>, max_items = 100)]
    pub task_types: Vec<String>,
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 10_000)]
    pub max_concurrent_tasks: i32,
    /// Seconds between two polls for work; 5 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0.1, maximum = 3600.0)]
    pub poll_interval_sec: Option<f64>,
    /// Seconds between a claim and its start; the shorter of this and the task's value applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0.1, maximum = 315_360_000.0)]
    pub claim_ttl_sec: Option<f64>,
    /// What the agent may spend from now on, the tasks that it runs included. An agent can lower its
    /// budget, but not raise it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Amount>)]
    pub budget_remaining_usd: Option<Micros>,
    /// The agent claims by hand: no program waits for work under its name. If a worker has
    /// registered under the name, its registration stays unchanged. The slots are not counted, and
    /// the agent is removed after a day without a call.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
}

impl RegisterAgent {
    /// An agent with a name and default values.
    pub fn new(id: impl Into<String>) -> Self {
        RegisterAgent {
            id: id.into(),
            agent_type: String::new(),
            capabilities: Vec::new(),
            models_available: Vec::new(),
            task_types: Vec::new(),
            max_concurrent_tasks: one(),
            poll_interval_sec: None,
            claim_ttl_sec: None,
            budget_remaining_usd: None,
            by_hand: false,
        }
    }
}

/// `POST /v1/agents/{id}/sign-off`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SignOffAgent {
    /// The id of the registration that ends. After a later registration the call changes nothing.
    pub session: Uuid,
}

/// The answer to registering, to `POST /v1/agents/{id}/heartbeat` and to `POST /v1/agents/{id}/sign-off`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RegisteredAgent {
    pub id: String,
    /// A draining or offline agent gets no work until an operator sets it active; after a sign-off, `offline`
    /// lasts until the next call.
    pub status: AgentStatus,
    /// The id of this registration: a later registration under the same name has another one. Null
    /// if the registration is older than this field.
    pub session: Option<Uuid>,
    /// The interval at which the agent asks for work.
    pub poll_interval_sec: f64,
    /// The agent has to make a call at least this often. While it holds a lease, the heartbeats of
    /// that lease are enough.
    pub heartbeat_interval_sec: f64,
    /// After this time without a call, the agent is offline until its next call. It is three intervals and
    /// 30 s, because calls are recorded at most every 30 s; the server looks for such agents every 5 s.
    pub offline_after_sec: f64,
    /// The agent is registered for claims by hand.
    pub by_hand: bool,
}

/// `PATCH /v1/agents/{id}`: absent fields stay unchanged. A status of draining or offline outlasts a new
/// registration of the agent; the other fields last until the next registration.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ChangeAgent {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<AgentStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 10_000)]
    pub max_concurrent_tasks: Option<i32>,
    #[serde(
        deserialize_with = "up_to::<{ MOST_WORDS }, _, _>",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<Vec<Word>>, max_items = 100)]
    pub capabilities: Option<Vec<String>>,
    /// What the agent may spend from now on, the tasks that it runs included.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Amount>)]
    pub budget_remaining_usd: Option<Micros>,
}

/// The current state of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Agent {
    pub id: String,
    #[serde(rename = "type")]
    pub agent_type: String,
    pub capabilities: Vec<String>,
    pub models_available: Vec<String>,
    /// The agent receives only tasks of these types; of all types if empty.
    pub task_types: Vec<String>,
    /// The most tasks that the agent may hold; 10,000, the highest number, if it was registered by
    /// `workmill task claim`, which bounds nothing.
    pub max_concurrent_tasks: i32,
    /// Number of tasks that the agent holds.
    pub current_tasks: i32,
    /// The tasks that the agent holds; present if a single agent was requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<TaskId>,
    pub status: AgentStatus,
    /// The name of the key that set the agent draining or offline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_set_by: Option<String>,
    /// The time since which the agent is offline because it made no calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offline_since: Option<Timestamp>,
    /// The agent claims by hand: its slots are not counted.
    pub by_hand: bool,
    /// Time of the last registration, heartbeat or lease renewal. A claim counts too, but updates this
    /// value at most every half minute.
    pub last_heartbeat: Timestamp,
    pub registered_at: Timestamp,
    pub poll_interval_sec: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_ttl_sec: Option<f64>,
    /// Remaining budget, if there is one; reserved money counts as spent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_remaining_usd: Option<Micros>,
}

/// `GET /v1/agents`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AgentList {
    pub items: Vec<Agent>,
    /// `?cursor=` of the next page; null on the last page.
    pub next_cursor: Option<String>,
}

fn one() -> i32 {
    1
}
