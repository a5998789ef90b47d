//! Changing what was asked for, as it was written down; and whether the server is there.

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use workmill_core::ids::{GraphId, LeaseId};
use workmill_protocol::graphs::Graph;
use workmill_protocol::leases::SpawnedTasks;
use workmill_protocol::tasks::{AdoptResult, SubmittedTasks, TaskStatus};

use super::{Client, task_path};
use crate::error::ClientError;

/// The answer of `GET /health`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Health {
    pub status: String,
    pub version: String,
}

impl Client {
    /// Adds tasks to a graph, as they were written down: `{"tasks": […]}`.
    pub async fn grow_graph_json(
        &self,
        graph: GraphId,
        tasks: &RawValue,
        key: Option<&str>,
    ) -> Result<SubmittedTasks, ClientError> {
        let path = format!("/v1/graphs/{graph}/tasks");
        match key {
            Some(key) => self.create_once(&path, tasks, key).await,
            None => self.create(&path, tasks).await,
        }
    }

    /// Edits a task that waits: `changes` is a JSON merge patch. With a version, only the edition
    /// that has it.
    pub async fn edit_task(
        &self,
        id: impl Display,
        changes: &RawValue,
        version: Option<i32>,
    ) -> Result<TaskStatus, ClientError> {
        let edition = version.map(|version| format!("\"{version}\""));
        let header = edition.as_deref().map(|edition| ("if-match", edition));
        let path = task_path(id, "");
        self.patch_with(header, &path, changes).await
    }

    /// Adds tasks below the one that is held, as they were written down; see
    /// [`Client::submit_json`].
    pub async fn spawn_json(
        &self,
        lease: LeaseId,
        spawn: &RawValue,
    ) -> Result<SpawnedTasks, ClientError> {
        self.create(&format!("/v1/leases/{lease}/spawn"), spawn)
            .await
    }

    /// Fetches the whole output of a task: claims leave out what is large.
    pub async fn output(&self, id: impl Display) -> Result<Value, ClientError> {
        self.get(&task_path(id, "/output")).await
    }

    /// Makes a result that came too late the outcome of its task.
    pub async fn adopt(
        &self,
        id: impl Display,
        adoption: &AdoptResult,
    ) -> Result<TaskStatus, ClientError> {
        self.post(&task_path(id, "/adopt"), adoption).await
    }

    /// Lets the tasks of a draft begin.
    pub async fn submit_graph(&self, id: GraphId) -> Result<Graph, ClientError> {
        let path = format!("/v1/graphs/{id}/submit");
        self.post_once(&path, &serde_json::json!({})).await
    }

    /// Which version answers; no key is needed.
    pub async fn health(&self) -> Result<Health, ClientError> {
        self.get("/health").await
    }
}
