//! Looking: tasks and graphs as they stand. Another namespace's ids do not exist.

use uuid::Uuid;
use workmill_core::ids::{GraphId, TaskId};

pub use workmill_store::audit::{AuditFilter, AuditPage, Audited};
pub use workmill_store::look::agents::{Agent, AgentPage};
pub use workmill_store::look::dead_letters::{
    DeadLetter, DeadLetterFilter, DeadLetterGroup, DeadLetterPage, DeadLetterSummary,
};
pub use workmill_store::look::{Attempt, Graph, RunningAttempt, Task, dollars};

use crate::engine::{Caller, Engine};
use crate::error::EngineError;

impl Engine {
    pub async fn task(&self, caller: &Caller, id: TaskId) -> Result<Task, EngineError> {
        let found = self.store().find_task(caller.ns, id).await?;
        found.ok_or_else(|| EngineError::NotFound {
            what: id.to_string(),
        })
    }

    pub async fn graph(&self, caller: &Caller, id: GraphId) -> Result<Graph, EngineError> {
        let found = self.store().find_graph(caller.ns, id).await?;
        found.ok_or_else(|| EngineError::NotFound {
            what: id.to_string(),
        })
    }

    pub async fn unfinished_graphs(
        &self,
        caller: &Caller,
        created_by: &str,
    ) -> Result<Vec<GraphId>, EngineError> {
        Ok(self
            .store()
            .find_unfinished_graphs(caller.ns, created_by)
            .await?)
    }

    /// A page of dead letters that fit, each with its whole history, after the one named. Fewer
    /// than asked for do not mean the end: the page says where to go on.
    pub async fn dead_letters(
        &self,
        caller: &Caller,
        filter: &DeadLetterFilter,
        after: Option<TaskId>,
        most: i64,
    ) -> Result<DeadLetterPage<DeadLetter>, EngineError> {
        Ok(self
            .store()
            .find_dead_letters(caller.ns, filter, after, most)
            .await?)
    }

    /// What failed alike, the largest groups first.
    pub async fn dead_letter_groups(
        &self,
        caller: &Caller,
        most: i64,
    ) -> Result<Vec<DeadLetterGroup>, EngineError> {
        Ok(self.store().group_dead_letters(caller.ns, most).await?)
    }

    /// What was done by hand, newest first, from before the entry named. Fewer than asked for do
    /// not mean the end: the page says where to go on.
    pub async fn audit(
        &self,
        caller: &Caller,
        filter: &AuditFilter,
        before: Option<Uuid>,
        most: i64,
    ) -> Result<AuditPage, EngineError> {
        let store = self.store();
        Ok(store.find_audit(caller.ns, filter, before, most).await?)
    }
}
