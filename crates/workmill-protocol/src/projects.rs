//! Projects: a label over graphs and tasks, with an outside reference.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use workmill_core::ids::ProjectId;
use workmill_core::lifecycle::State;
use workmill_core::project::ProjectStatus;

/// `POST /v1/projects`
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CreateProject {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default)]
    pub status: ProjectStatus,
    /// What it is called elsewhere: a repository, the id of an issue tracker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_ref: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Map<String, Value>>,
}

/// `PATCH /v1/projects/{id}`: what is named is replaced, null removes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChangeProject {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "named")]
    pub description: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<ProjectStatus>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "named")]
    pub external_ref: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "named")]
    pub metadata: Option<Option<Map<String, Value>>>,
}

#[expect(clippy::option_option, reason = "null is told from what was not named")]
fn named<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// A project as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Project {
    pub id: ProjectId,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub status: ProjectStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_ref: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Map<String, Value>>,
    /// Grows with every change, and takes `If-Match` with it.
    pub version: i32,
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Only where one project is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<ProjectTasks>,
}

/// How many tasks belong to a project.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ProjectTasks {
    pub by_status: BTreeMap<State, i64>,
    /// False: there are more than are counted, and these are lower bounds.
    pub is_whole: bool,
}

/// `GET /v1/projects`, in the order they were made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProjectList {
    pub items: Vec<Project>,
    pub next_cursor: Option<String>,
}
