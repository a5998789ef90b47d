//! Dead letters with their whole history, by page, by filter and by what failed alike.

use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::failure::Reason;
use workmill_core::ids::{Namespace, TaskId};
use workmill_queries::client::Params;
use workmill_queries::queries::look::dead_letters;

use super::{Task, read_tasks};
use crate::connect::Store;
use crate::error::StoreError;

const DOING: &str = "look at dead letters";

/// Which dead letters; what is not named does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeadLetterFilter {
    pub task_type: Option<String>,
    pub fingerprint: Option<i64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct DeadLetter {
    pub at: Timestamp,
    pub cause: String,
    pub reason: Option<Reason>,
    pub fingerprint: i64,
    pub is_reviewed: bool,
    /// The task with all its attempts.
    pub task: Task,
}

/// Dead letters that failed alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetterGroup {
    pub fingerprint: i64,
    pub reason: Option<Reason>,
    pub letters: i64,
    pub first_at: Timestamp,
    pub last_at: Timestamp,
    pub example: TaskId,
}

impl Store {
    pub async fn find_dead_letters(
        &self,
        ns: Namespace,
        filter: &DeadLetterFilter,
        after: Option<TaskId>,
        most: i64,
    ) -> Result<Vec<DeadLetter>, StoreError> {
        let client = self.client(DOING).await?;
        let parameters = dead_letters::FindDeadLettersParams {
            ns: ns.0,
            after: after.map_or(Uuid::nil(), |after| after.0),
            type_name: filter.task_type.as_deref(),
            fingerprint: filter.fingerprint,
            most,
        };
        let rows = dead_letters::find_dead_letters()
            .params(&client, &parameters)
            .all()
            .await;
        let rows = rows.map_err(|error| StoreError::from_statement(DOING, error))?;
        let ids: Vec<Uuid> = rows.iter().map(|row| row.task).collect();
        let tasks = read_tasks(&client, ns, &ids).await?;
        // Both are in the order of their ids; a task that was resolved in between is left out.
        let mut tasks = tasks.into_iter().peekable();
        let mut letters = Vec::with_capacity(rows.len());
        for row in rows {
            while tasks.peek().is_some_and(|task| task.id.0 < row.task) {
                tasks.next();
            }
            let Some(task) = tasks.next_if(|task| task.id.0 == row.task) else {
                continue;
            };
            letters.push(DeadLetter {
                at: row.at,
                cause: row.cause,
                reason: Reason::from_name(&row.reason),
                fingerprint: row.fingerprint,
                is_reviewed: row.is_reviewed,
                task,
            });
        }
        Ok(letters)
    }

    pub async fn count_dead_letters(
        &self,
        ns: Namespace,
        filter: &DeadLetterFilter,
    ) -> Result<i64, StoreError> {
        let client = self.client(DOING).await?;
        let parameters = dead_letters::CountDeadLettersParams {
            ns: ns.0,
            type_name: filter.task_type.as_deref(),
            fingerprint: filter.fingerprint,
        };
        let count = dead_letters::count_dead_letters()
            .params(&client, &parameters)
            .one()
            .await;
        count.map_err(|error| StoreError::from_statement(DOING, error))
    }

    pub async fn group_dead_letters(
        &self,
        ns: Namespace,
        most: i64,
    ) -> Result<Vec<DeadLetterGroup>, StoreError> {
        let client = self.client(DOING).await?;
        let rows = dead_letters::group_dead_letters()
            .bind(&client, &ns.0, &most)
            .all()
            .await;
        let rows = rows.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(rows
            .into_iter()
            .map(|row| DeadLetterGroup {
                fingerprint: row.fingerprint,
                reason: Reason::from_name(&row.reason),
                letters: row.letters,
                first_at: row.first_at,
                last_at: row.last_at,
                example: TaskId(row.example),
            })
            .collect())
    }
}
