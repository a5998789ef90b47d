//! Projects: a label over graphs and tasks, with an outside reference.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use workmill_core::ids::ProjectId;
use workmill_core::lifecycle::State;
use workmill_core::project::ProjectStatus;
use workmill_core::schema::{JsonObject, LongText, Reference, Title};

/// `POST /v1/projects`
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateProject {
    #[schema(value_type = Title)]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<LongText>)]
    pub description: Option<String>,
    #[serde(default)]
    pub status: ProjectStatus,
    /// Its name in another system: a repository, an issue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Reference>)]
    pub external_ref: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<JsonObject>)]
    pub metadata: Option<Map<String, Value>>,
}

/// `PATCH /v1/projects/{id}`: given fields are replaced, null removes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ChangeProject {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Title>)]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "named")]
    #[schema(value_type = Option<LongText>)]
    pub description: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<ProjectStatus>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "named")]
    #[schema(value_type = Option<Reference>)]
    pub external_ref: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "named")]
    #[schema(value_type = Option<JsonObject>)]
    pub metadata: Option<Option<Map<String, Value>>>,
}

#[expect(clippy::option_option, reason = "null is told from what was not named")]
fn named<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// A project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Project {
    pub id: ProjectId,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub status: ProjectStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_ref: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<JsonObject>)]
    pub metadata: Option<Map<String, Value>>,
    /// Grows with every edit; `If-Match` compares it.
    pub version: i32,
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Only if a single project was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<ProjectTasks>,
}

/// The number of tasks of a project.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct ProjectTasks {
    pub by_status: BTreeMap<State, i64>,
    /// False: the count stopped at its limit, and these are lower bounds.
    pub is_whole: bool,
}

/// `GET /v1/projects`, in the order of their creation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProjectList {
    pub items: Vec<Project>,
    pub next_cursor: Option<String>,
}
