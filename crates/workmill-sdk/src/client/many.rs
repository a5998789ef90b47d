//! Calls about many: lists, batches, decisions by filter, the record.

use std::fmt::Display;

use reqwest::Method;
use workmill_protocol::audit::{AuditList, ListAudit};
use workmill_protocol::batches::{
    HeartbeatAnswers, SendHeartbeats, SettleLeases, SettlementAnswers,
};
use workmill_protocol::bulk::{ChangePreview, ChangeTasks, ChangedTasks};
use workmill_protocol::dead_letters::{
    DeadLetter, DeadLetterGroup, DeadLetterGroups, DeadLetterList, DeadLetterPreview,
    ListDeadLetters, ResolveDeadLetters, ResolvedDeadLetters, ReviewDeadLetter,
};
use workmill_protocol::lists::{ListTasks, TaskList};
use workmill_protocol::questions::{ListQuestions, QuestionList};
use workmill_protocol::stats::Stats;

use super::{Client, asking, dead_letter_path};
use crate::error::ClientError;

impl Client {
    /// A page of tasks that fit.
    pub async fn tasks(&self, list: &ListTasks) -> Result<TaskList, ClientError> {
        self.get(&asking("/v1/tasks", list)).await
    }

    /// Heartbeats of many leases; each is answered for itself.
    pub async fn heartbeats(
        &self,
        heartbeats: &SendHeartbeats,
    ) -> Result<HeartbeatAnswers, ClientError> {
        self.post("/v1/heartbeats", heartbeats).await
    }

    /// Ends many leases; each is answered for itself.
    pub async fn settlements(
        &self,
        settlements: &SettleLeases,
    ) -> Result<SettlementAnswers, ClientError> {
        self.post("/v1/settlements", settlements).await
    }

    /// A page of dead letters that fit, each with its whole history.
    pub async fn dead_letters(
        &self,
        list: &ListDeadLetters,
    ) -> Result<DeadLetterList, ClientError> {
        self.get(&asking("/v1/dead-letters", list)).await
    }

    pub async fn dead_letter(&self, task: impl Display) -> Result<DeadLetter, ClientError> {
        self.get(&dead_letter_path(task)).await
    }

    /// Remembers that somebody has looked at it, or that nobody has.
    pub async fn review_dead_letter(
        &self,
        task: impl Display,
        reviewed: bool,
    ) -> Result<DeadLetter, ClientError> {
        let review = ReviewDeadLetter { reviewed };
        let path = dead_letter_path(task);
        self.content(Method::PATCH, &path, Some(&review)).await
    }

    /// What failed alike, the largest groups first.
    pub async fn dead_letter_groups(&self) -> Result<Vec<DeadLetterGroup>, ClientError> {
        let groups: DeadLetterGroups = self.get("/v1/dead-letters/groups").await?;
        Ok(groups.items)
    }

    /// What a decision about all dead letters that fit would do.
    pub async fn preview_dead_letters(
        &self,
        decision: &ResolveDeadLetters,
    ) -> Result<DeadLetterPreview, ClientError> {
        let decision = ResolveDeadLetters {
            dry_run: true,
            ..decision.clone()
        };
        self.post("/v1/dead-letters/resolve", &decision).await
    }

    /// Carries out a decision about all dead letters that fit, as far as one call goes.
    pub async fn resolve_dead_letters(
        &self,
        decision: &ResolveDeadLetters,
    ) -> Result<ResolvedDeadLetters, ClientError> {
        let decision = ResolveDeadLetters {
            dry_run: false,
            ..decision.clone()
        };
        self.post_once("/v1/dead-letters/resolve", &decision).await
    }

    /// What an action on all tasks that fit would do.
    pub async fn preview_change(&self, change: &ChangeTasks) -> Result<ChangePreview, ClientError> {
        let change = ChangeTasks {
            dry_run: true,
            ..change.clone()
        };
        self.post("/v1/bulk", &change).await
    }

    /// Changes all tasks that fit, as far as one call goes.
    pub async fn change_tasks(&self, change: &ChangeTasks) -> Result<ChangedTasks, ClientError> {
        let change = ChangeTasks {
            dry_run: false,
            ..change.clone()
        };
        self.post_once("/v1/bulk", &change).await
    }

    /// A page of what waits for a person, soonest expiry first.
    pub async fn questions(&self, list: &ListQuestions) -> Result<QuestionList, ClientError> {
        self.get(&asking("/v1/questions", list)).await
    }

    /// How much there is, by where tasks rest.
    pub async fn stats(&self) -> Result<Stats, ClientError> {
        self.get("/v1/stats").await
    }

    /// A page of what was done by hand, newest first.
    pub async fn audit(&self, list: &ListAudit) -> Result<AuditList, ClientError> {
        self.get(&asking("/v1/audit", list)).await
    }
}
