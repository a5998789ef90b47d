//! Keys and namespaces.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::role::Role;
use workmill_core::schema::{NamespaceName, PlainName};

/// `POST /v1/keys`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreateKey {
    /// Name of the key in the audit log and as `created_by` of its tasks.
    #[schema(value_type = PlainName)]
    pub name: String,
    pub role: Role,
    /// By default the namespace of the calling key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<NamespaceName>)]
    pub namespace: Option<String>,
}

/// The answer to creating and to rotating a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreatedKey {
    pub id: Uuid,
    pub name: String,
    pub role: Role,
    pub namespace: String,
    /// Never shown again.
    pub token: String,
}

/// `POST /v1/keys/{id}/rotate`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct RotateKey {
    /// How long the old token stays valid.
    #[schema(maximum = 2_592_000)]
    pub grace_sec: u64,
}

/// A key in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Key {
    pub id: Uuid,
    pub name: String,
    pub role: String,
    pub namespace: String,
    pub created_at: Timestamp,
    /// Accurate to the minute.
    #[serde(default)]
    pub last_used_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotated_at: Option<Timestamp>,
    /// The time until which the token before the last rotation is valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_token_good_until: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
}

/// `GET /v1/keys`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KeyList {
    pub items: Vec<Key>,
    pub next_cursor: Option<String>,
}

/// `POST /v1/namespaces`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreateNamespace {
    #[schema(value_type = NamespaceName)]
    pub name: String,
}

/// The answer to creating a namespace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreatedNamespace {
    pub name: String,
}

/// A namespace in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Namespace {
    pub name: String,
    pub created_at: Timestamp,
}

/// `GET /v1/namespaces`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NamespaceList {
    pub items: Vec<Namespace>,
    pub next_cursor: Option<String>,
}
