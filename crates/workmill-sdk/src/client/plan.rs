//! A planner's list, and its own ids.

use std::fmt::Display;

use reqwest::{Body, Method};
use serde::Serialize;
use serde::de::IgnoredAny;
use tokio::io::AsyncRead;
use tokio_util::io::ReaderStream;
use workmill_protocol::plan::SyncedPlan;

use super::{Client, asking, in_a_path, task_path};
use crate::error::ClientError;
use crate::retries::Repeat;

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

    /// Makes a task wait for another one of its graph.
    pub async fn add_dependency(
        &self,
        task: impl Display,
        on: impl Display,
    ) -> Result<(), ClientError> {
        self.depend(Method::PUT, task, on).await
    }

    /// Lets a task wait for another one no longer.
    pub async fn remove_dependency(
        &self,
        task: impl Display,
        on: impl Display,
    ) -> Result<(), ClientError> {
        self.depend(Method::DELETE, task, on).await
    }

    async fn depend(
        &self,
        method: Method,
        task: impl Display,
        on: impl Display,
    ) -> Result<(), ClientError> {
        let path = task_path(
            task,
            &format!("/dependencies/{}", in_a_path(&on.to_string())),
        );
        let nothing = self.call::<IgnoredAny>(method, &path, None::<&()>, Repeat::Always);
        nothing.await.map(drop)
    }
}
