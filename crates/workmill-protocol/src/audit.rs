//! The record of what people and programs have done by hand.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use workmill_core::schema::{AuditAction, AuditSubjectKind, Json, Title, Word};

/// `GET /v1/audit`: every filter is optional.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListAudit {
    /// The name of the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Word>)]
    pub actor: Option<String>,
    /// For example `task.cancel` or `gate.set`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<AuditAction>)]
    pub action: Option<String>,
    /// The kind of the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<AuditSubjectKind>)]
    pub subject_kind: Option<String>,
    /// The id of a task or graph, the `key` of a task, or the name of an agent or gate. If a key is also
    /// the name of an agent, `subject_kind=task` asks for the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Title>)]
    pub subject: Option<String>,
    /// Entries at this time or later.
    #[serde(
        deserialize_with = "workmill_core::moment::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub since: Option<Timestamp>,
    /// Items per page: 50 by default, at most 500.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 500)]
    pub limit: Option<usize>,
    /// The `next_cursor` of the previous page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(format = Uuid)]
    pub cursor: Option<String>,
}

/// The answer of `GET /v1/audit`, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditList {
    /// A page can have fewer items than `limit`, or none, although `next_cursor` points to more.
    pub items: Vec<AuditEntry>,
    pub next_cursor: Option<String>,
}

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditEntry {
    pub id: Uuid,
    pub at: Timestamp,
    pub actor: String,
    /// Absent if Workmill acted by itself.
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
