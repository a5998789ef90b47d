//! Outputs by themselves: what a task or one of its attempts put out, as it was stored.

use serde_json::Value;
use uuid::Uuid;
use workmill_core::ids::{LeaseId, Namespace, TaskId};
use workmill_core::task::referenced_task;
use workmill_queries::queries::look::tasks;

use crate::connect::Store;
use crate::error::StoreError;

const DOING: &str = "look at an output";

impl Store {
    /// Returns the output of a task as JSON text; with an epoch, what the attempt of this claim put
    /// out, though it came too late.
    pub async fn find_output(
        &self,
        ns: Namespace,
        task: TaskId,
        epoch: Option<i32>,
    ) -> Result<Option<String>, StoreError> {
        let client = self.client(DOING).await?;
        let failed = |error| StoreError::from_statement(DOING, error);
        let Some(epoch) = epoch else {
            let statement = tasks::find_output();
            let found = statement.bind(&client, &ns.0, &task.0).opt().await;
            return found.map_err(failed);
        };
        let statement = tasks::find_output_of_attempt();
        let found = statement.bind(&client, &ns.0, &task.0, &epoch).opt().await;
        if let Some(output) = found.map_err(failed)? {
            return Ok(Some(output));
        }
        let statement = tasks::find_late_output();
        let late = statement.bind(&client, &ns.0, &task.0, &epoch).opt().await;
        late.map_err(failed)
    }

    /// Returns whether a claim has handed this key the output of a task: it holds the task, one that
    /// depends on it, or one that refers to it. With a lease, only what this lease was handed counts.
    pub async fn was_handed_output(
        &self,
        ns: Namespace,
        key: Uuid,
        lease: Option<LeaseId>,
        task: TaskId,
    ) -> Result<bool, StoreError> {
        let held = match lease {
            Some(lease) if self.find_key_of_lease(ns, lease).await? == Some(key) => {
                vec![lease.task.0]
            }
            Some(_) => Vec::new(),
            None => self.find_tasks_of_key(ns, key).await?,
        };
        if held.is_empty() || held.contains(&task.0) {
            return Ok(!held.is_empty());
        }
        let client = self.client(DOING).await?;
        let failed = |error| StoreError::from_statement(DOING, error);
        let ids: &[Uuid] = &held;
        let statement = tasks::find_waiting_for();
        let waiting = statement.bind(&client, &ns.0, &task.0, &ids).opt().await;
        if waiting.map_err(failed)?.is_some() {
            return Ok(true);
        }
        let statement = tasks::find_context_refs();
        let refs = statement.bind(&client, &ns.0, &ids).all().await;
        let refs = refs.map_err(failed)?;
        Ok(refs.iter().flatten().any(|refs| names(refs, task)))
    }

    async fn find_tasks_of_key(&self, ns: Namespace, key: Uuid) -> Result<Vec<Uuid>, StoreError> {
        let client = self.client(DOING).await?;
        let statement = tasks::find_tasks_of_key();
        let found = statement.bind(&client, &ns.0, &key).all().await;
        found.map_err(|error| StoreError::from_statement(DOING, error))
    }
}

/// Whether one of these references is the output of the task.
fn names(refs: &Value, task: TaskId) -> bool {
    let mut refs = refs.as_array().into_iter().flatten();
    refs.any(|reference| reference.as_str().and_then(referenced_task) == Some(task))
}
