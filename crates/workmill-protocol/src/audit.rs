//! The record of what people and programs have done by hand.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use workmill_core::schema::{AuditAction, Json, Title, Word};

/// `GET /v1/audit`: what is not named does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListAudit {
    /// The name of the key that was presented.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Word>)]
    pub actor: Option<String>,
    /// `task.cancel`, `gate.set` and so on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<AuditAction>)]
    pub action: Option<String>,
    /// `task`, `graph`, `dead_letter`, `agent`, `key`, `gate` or `namespace`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Word>)]
    pub subject_kind: Option<String>,
    /// A task's or graph's id as it is printed, an agent's name, the name of a gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Title>)]
    pub subject: Option<String>,
    /// Of this moment or later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// At most so many on a page: 50 unless said, never more than 500.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 500)]
    pub limit: Option<usize>,
    /// The `next_cursor` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(format = Uuid)]
    pub cursor: Option<String>,
}

/// The answer of `GET /v1/audit`, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditList {
    /// There may be fewer than were asked for, even none, while `next_cursor` says that there is more.
    pub items: Vec<AuditEntry>,
    pub next_cursor: Option<String>,
}

/// What was done, as it was recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditEntry {
    pub id: Uuid,
    pub at: Timestamp,
    pub actor: String,
    /// None: Workmill did it by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor_key: Option<Uuid>,
    pub action: String,
    pub subject_kind: String,
    pub subject: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json)]
    pub before: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json)]
    pub after: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
