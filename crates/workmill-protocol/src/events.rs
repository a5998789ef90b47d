//! Events: what happened, in pages or as a stream.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use workmill_core::schema::JsonObject;

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Event {
    /// The number of the event in its namespace; numbers have no gaps.
    pub id: i64,
    #[serde(rename = "type")]
    pub event_type: String,
    pub at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dag_id: Option<String>,
    /// Further data, depending on the type.
    #[serde(default)]
    #[schema(value_type = JsonObject)]
    pub data: Map<String, Value>,
}

/// `GET /v1/events`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventPage {
    pub items: Vec<Event>,
    /// Pass this as `after` to get the following events, now or later.
    pub after: i64,
    /// The same value, if more events may be available now.
    pub next_cursor: Option<String>,
    /// Events after the requested position were already deleted.
    #[serde(default, skip_serializing_if = "is_false")]
    pub missing: bool,
}

/// Names of the messages of a stream that are no events; each carries an [`Interruption`].
pub const MISSING: &str = "missing";
pub const DROPPED: &str = "dropped";

/// A message of a stream that is not an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Interruption {
    /// All events up to this one were sent; continue after it.
    pub after: i64,
    /// The next stored event, if some are missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<i64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_false(value: &bool) -> bool {
    !value
}
