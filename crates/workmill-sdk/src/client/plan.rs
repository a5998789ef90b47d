//! A planner's list, and its own ids.

use reqwest::{Body, Method};
use serde::Serialize;
use serde::de::IgnoredAny;
use tokio::io::AsyncRead;
use tokio_util::io::ReaderStream;
use workmill_core::ids::TaskId;
use workmill_protocol::plan::SyncedPlan;
use workmill_protocol::tasks::Task;

use super::{Client, asking, in_a_path};
use crate::error::ClientError;
use crate::patience::Repeat;

/// What becomes of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct SyncMode {
    /// Only say what would be done.
    pub dry_run: bool,
    /// Only add tasks: one that is there is a mistake, and nothing is deleted.
    pub add: bool,
}

impl Client {
    /// Brings the plan up to date with a list, as JSON Lines. It is streamed, and so sent once; sending
    /// it again changes nothing more.
    pub async fn sync_plan(
        &self,
        list: impl AsyncRead + Send + 'static,
        mode: SyncMode,
    ) -> Result<SyncedPlan, ClientError> {
        let path = asking("/v1/plan-sync", &mode);
        let request = self
            .request(Method::POST, &path)
            .header("content-type", "application/x-ndjson")
            .body(Body::wrap_stream(ReaderStream::new(list)));
        let request = request.build().map_err(|source| self.unreachable(source))?;
        let answer = Box::pin(self.send(Some(request))).await;
        let answer = answer.map_err(|attempt| attempt.error)?;
        answer.ok_or_else(|| self.no_content())
    }

    /// The task with this id, or with this id of a planner.
    pub async fn named_task(&self, name: &str) -> Result<Task, ClientError> {
        self.get(&format!("/v1/tasks/{}", in_a_path(name))).await
    }

    /// Makes a task wait for another one of its graph.
    pub async fn add_dependency(&self, task: TaskId, on: TaskId) -> Result<(), ClientError> {
        self.depend(Method::PUT, task, on).await
    }

    /// Lets a task wait for another one no longer.
    pub async fn remove_dependency(&self, task: TaskId, on: TaskId) -> Result<(), ClientError> {
        self.depend(Method::DELETE, task, on).await
    }

    async fn depend(&self, method: Method, task: TaskId, on: TaskId) -> Result<(), ClientError> {
        let path = format!("/v1/tasks/{task}/dependencies/{on}");
        let nothing = self.call::<IgnoredAny>(method, &path, None::<&()>, Repeat::Always);
        nothing.await.map(drop)
    }
}
