//! Looking: tasks and graphs as they stand. Another namespace's ids do not exist.

mod graphs;
mod named;
mod tasks;

use uuid::Uuid;
use workmill_core::ids::{GraphId, TaskId};

pub use graphs::{GraphPage, MOST_GRAPHS};
pub use tasks::{MOST_LOOKED_AT, MOST_TASKS, TaskCount, TaskPage};
pub use workmill_core::bulk::{Candidate, TaskFilter};
pub use workmill_core::list::{GraphFilter, ListedGraph, Order};
pub use workmill_store::audit::{AuditFilter, AuditPage, Audited};
pub use workmill_store::look::agents::{Agent, AgentPage};
pub use workmill_store::look::dead_letters::{
    DeadLetter, DeadLetterFilter, DeadLetterGroup, DeadLetterPage, DeadLetterSummary,
    ResolvedLetter, ResolvedPage, ResolvedPosition,
};
pub use workmill_store::look::questions::{
    Answered, Blocked, Question, QuestionPage, QuestionPosition,
};
pub use workmill_store::look::stats::{Counted, Stats};
pub use workmill_store::look::{Attempt, Graph, LateResult, RunningAttempt, Task, dollars};

use crate::engine::{Caller, Engine};
use crate::error::EngineError;
use crate::filter::{IN_A_QUERY, check_audit_filter, check_dead_letter_filter, check_limit};

/// Of dead letters, groups of them or entries of the record on a page.
pub const MOST_ON_A_PAGE: usize = 500;

/// Of questions on a page: each may have 64 KiB.
pub const MOST_QUESTIONS: usize = 100;

impl Engine {
    pub async fn task(&self, caller: &Caller, id: TaskId) -> Result<Task, EngineError> {
        let found = self.store().find_task(caller.ns, id).await?;
        found.ok_or_else(|| EngineError::NotFound {
            what: id.to_string(),
        })
    }

    /// Returns the output of a task, or of one of its attempts, as JSON text.
    pub async fn output(
        &self,
        caller: &Caller,
        id: TaskId,
        epoch: Option<i32>,
    ) -> Result<String, EngineError> {
        let found = self.store().find_output(caller.ns, id, epoch).await?;
        found.ok_or_else(|| EngineError::NoOutput {
            what: match epoch {
                Some(epoch) => format!("attempt {epoch} of {id}"),
                None => id.to_string(),
            },
        })
    }

    pub async fn graph(&self, caller: &Caller, id: GraphId) -> Result<Graph, EngineError> {
        let found = self.store().find_graph(caller.ns, id).await?;
        found.ok_or_else(|| EngineError::NotFound {
            what: id.to_string(),
        })
    }

    /// A page of dead letters that fit, each with its whole history, after the one named. Fewer
    /// than asked for do not mean the end: the page says where to go on.
    pub async fn dead_letters(
        &self,
        caller: &Caller,
        filter: &DeadLetterFilter,
        after: Option<TaskId>,
        most: usize,
    ) -> Result<DeadLetterPage<DeadLetter>, EngineError> {
        check_dead_letter_filter(IN_A_QUERY, filter)?;
        let most = on_a_page(most)?;
        Ok(self
            .store()
            .find_dead_letters(caller.ns, filter, after, most)
            .await?)
    }

    /// A page of resolved dead letters that fit, the newest resolution first.
    pub async fn resolved_dead_letters(
        &self,
        caller: &Caller,
        filter: &DeadLetterFilter,
        after: Option<ResolvedPosition>,
        most: usize,
    ) -> Result<ResolvedPage, EngineError> {
        check_dead_letter_filter(IN_A_QUERY, filter)?;
        let most = on_a_page(most)?;
        let found = self
            .store()
            .find_resolved_dead_letters(caller.ns, filter, after, most);
        Ok(found.await?)
    }

    /// Returns a dead letter with its whole history, also one that was decided about.
    pub async fn dead_letter(
        &self,
        caller: &Caller,
        task: TaskId,
    ) -> Result<DeadLetter, EngineError> {
        let found = self.store().find_dead_letter(caller.ns, task).await?;
        found.ok_or_else(|| EngineError::NotFound {
            what: format!("a dead letter {task}"),
        })
    }

    /// What failed alike, the largest groups first.
    pub async fn dead_letter_groups(
        &self,
        caller: &Caller,
        most: usize,
    ) -> Result<Vec<DeadLetterGroup>, EngineError> {
        let most = on_a_page(most)?;
        Ok(self.store().group_dead_letters(caller.ns, most).await?)
    }

    /// What was done by hand, newest first, from before the entry named. Fewer than asked for do
    /// not mean the end: the page says where to go on.
    pub async fn audit(
        &self,
        caller: &Caller,
        filter: &AuditFilter,
        before: Option<Uuid>,
        most: usize,
    ) -> Result<AuditPage, EngineError> {
        let most = on_a_page(most)?;
        check_audit_filter(filter)?;
        let filter = &self.with_subject_by_id(caller, filter).await?;
        let store = self.store();
        Ok(store.find_audit(caller.ns, filter, before, most).await?)
    }

    /// Returns the filter with the id of a task in place of its planner's key. An agent or a gate of that
    /// name comes first if it has entries, unless the filter asks for tasks.
    async fn with_subject_by_id(
        &self,
        caller: &Caller,
        filter: &AuditFilter,
    ) -> Result<AuditFilter, EngineError> {
        let mut named = filter.clone();
        let kind = filter.subject_kind.as_deref();
        let Some(subject) = filter.subject.as_deref() else {
            return Ok(named);
        };
        if !matches!(kind, None | Some("task" | "dead_letter")) {
            return Ok(named);
        }
        let found = self.named_tasks(caller, &[subject]).await?.remove(subject);
        let Some(task) = found.map(|task| task.to_string()) else {
            return Ok(named);
        };
        if kind.is_none() && task != subject {
            let literal = AuditFilter {
                subject: Some(subject.to_owned()),
                ..AuditFilter::default()
            };
            let page = self.store().find_audit(caller.ns, &literal, None, 1);
            if !page.await?.entries.is_empty() {
                return Ok(named);
            }
        }
        named.subject = Some(task);
        Ok(named)
    }

    /// Returns a page of what waits for a person, soonest expiry first.
    pub async fn questions(
        &self,
        caller: &Caller,
        after: Option<QuestionPosition>,
        most: usize,
    ) -> Result<QuestionPage, EngineError> {
        check_limit(most, MOST_QUESTIONS)?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        Ok(self.store().find_questions(caller.ns, after, most).await?)
    }

    /// How much there is, by where tasks rest.
    pub async fn stats(&self, caller: &Caller) -> Result<Stats, EngineError> {
        Ok(self.store().count_places(caller.ns).await?)
    }
}

fn on_a_page(most: usize) -> Result<i64, EngineError> {
    check_limit(most, MOST_ON_A_PAGE)?;
    Ok(i64::try_from(most).unwrap_or(i64::MAX))
}
