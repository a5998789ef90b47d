//! To which key something belongs: who submitted it, who holds it. That never changes while it is so,
//! so that asking before an operation is as good as asking in it.

use serde_json::Value;
use uuid::Uuid;
use workmill_core::attempt::Outcome;
use workmill_core::failure::{LARGEST_DETAILS, Reason};
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_queries::queries::look::tasks;

use crate::connect::Store;
use crate::error::StoreError;

const DOING: &str = "look up the owner of an object";

/// Who submitted something, as far as a key did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Submitter(pub Option<Uuid>);

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndOfAttempt {
    pub outcome: Outcome,
    pub reason: Option<Reason>,
    pub message: Option<String>,
    /// What its agent sent besides the message, unless that is too large.
    pub details: Option<Value>,
    /// The key that registered its agent.
    pub key: Uuid,
}

impl Store {
    pub async fn has_task(&self, ns: Namespace, task: TaskId) -> Result<bool, StoreError> {
        let client = self.client(DOING).await?;
        let found = tasks::has_task().bind(&client, &ns.0, &task.0).opt().await;
        let found = found.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(found.is_some())
    }

    /// None: there is no such task.
    pub async fn find_submitter(
        &self,
        ns: Namespace,
        task: TaskId,
    ) -> Result<Option<Submitter>, StoreError> {
        let client = self.client(DOING).await?;
        let found = tasks::find_submitter()
            .bind(&client, &ns.0, &task.0)
            .opt()
            .await;
        let found = found.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(found.map(Submitter))
    }

    /// None: there is no such graph.
    pub async fn find_submitter_of_graph(
        &self,
        ns: Namespace,
        graph: GraphId,
    ) -> Result<Option<Submitter>, StoreError> {
        let client = self.client(DOING).await?;
        let found = tasks::find_submitter_of_graph()
            .bind(&client, &ns.0, &graph.0)
            .opt()
            .await;
        let found = found.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(found.map(Submitter))
    }

    /// The keys whose agents hold the task, or one that was handed its result.
    pub async fn find_holders(&self, ns: Namespace, task: TaskId) -> Result<Vec<Uuid>, StoreError> {
        let client = self.client(DOING).await?;
        let found = tasks::find_holders()
            .bind(&client, &ns.0, &task.0)
            .all()
            .await;
        found.map_err(|error| StoreError::from_statement(DOING, error))
    }

    /// The key whose agent holds the lease, while it is held.
    pub async fn find_key_of_lease(
        &self,
        ns: Namespace,
        lease: LeaseId,
    ) -> Result<Option<Uuid>, StoreError> {
        let client = self.client(DOING).await?;
        let found = tasks::find_key_of_lease()
            .bind(&client, &ns.0, &lease.task.0, &lease.epoch)
            .opt()
            .await;
        found.map_err(|error| StoreError::from_statement(DOING, error))
    }

    /// How the attempt of this lease ended. `None`: the lease is still held, or never existed.
    pub async fn find_end_of_attempt(
        &self,
        ns: Namespace,
        lease: LeaseId,
    ) -> Result<Option<EndOfAttempt>, StoreError> {
        let client = self.client(DOING).await?;
        let largest = i32::try_from(LARGEST_DETAILS).unwrap_or(i32::MAX);
        let found = tasks::find_end_of_attempt()
            .bind(&client, &largest, &ns.0, &lease.task.0, &lease.epoch)
            .opt()
            .await;
        let found = found.map_err(|error| StoreError::from_statement(DOING, error))?;
        let end = found.map(|row| {
            let corrupt = || StoreError::Corrupt(format!("an attempt ended as {}", row.outcome));
            Ok(EndOfAttempt {
                outcome: Outcome::from_name(&row.outcome).ok_or_else(corrupt)?,
                reason: row.reason.as_deref().and_then(Reason::from_name),
                message: row.message,
                details: row.details,
                key: row.key,
            })
        });
        end.transpose()
    }

    /// The agents that this key has registered, each with its type.
    pub async fn find_agents_of_key(
        &self,
        ns: Namespace,
        key: Uuid,
    ) -> Result<Vec<(String, String)>, StoreError> {
        let client = self.client(DOING).await?;
        let found = tasks::find_agents_of_key()
            .bind(&client, &ns.0, &key)
            .map(|row| (row.agent.to_owned(), row.r#type.to_owned()))
            .all()
            .await;
        found.map_err(|error| StoreError::from_statement(DOING, error))
    }
}
