//! Events: what happened, in pages or as a stream.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use workmill_core::schema::JsonObject;

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Event {
    /// Its place among the events of its namespace: they are numbered without gaps.
    pub id: i64,
    #[serde(rename = "type")]
    pub event_type: String,
    pub at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dag_id: Option<String>,
    /// What else there is to say, by type.
    #[serde(default)]
    #[schema(value_type = JsonObject)]
    pub data: Map<String, Value>,
}

/// `GET /v1/events`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventPage {
    pub items: Vec<Event>,
    /// Ask with this as `after` for what follows, now or later.
    pub after: i64,
    /// The same, where there may be more already.
    pub next_cursor: Option<String>,
    /// Events that followed the place asked for are not kept any more.
    #[serde(default, skip_serializing_if = "is_false")]
    pub missing: bool,
}

/// Names of the messages of a stream that are no events; each carries an [`Interruption`].
pub const MISSING: &str = "missing";
pub const DROPPED: &str = "dropped";

/// What a stream says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Interruption {
    /// All events up to this one were sent; go on after it.
    pub after: i64,
    /// The next that is kept, where some are missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<i64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_false(value: &bool) -> bool {
    !value
}
