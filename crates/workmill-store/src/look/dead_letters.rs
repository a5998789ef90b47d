//! Dead letters with their whole history, by page, by filter and by what failed alike.
//!
//! A filter may fit few of very many letters. A look therefore goes over a stretch of bounded
//! length and says where the next one begins, rather than reading on until enough has been found.

mod resolved;

use std::collections::BTreeSet;

use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::failure::Reason;
use workmill_core::ids::{GraphId, Namespace, TaskId};
use workmill_core::json_text::JsonText;
use workmill_core::resolution::Decided;
use workmill_core::verdict::DeadLetterCause;
use workmill_queries::client::{GenericClient, Params};
use workmill_queries::queries::look::dead_letters;
use workmill_queries::queries::task::locked_rows::find_specs;

use super::{Spent, Task, read_tasks};
use crate::connect::Store;
use crate::error::StoreError;

pub use resolved::{ResolvedPage, ResolvedPosition};

const DOING: &str = "look at dead letters";

/// Letters that one look goes over at most, however few of them fit.
pub const LONGEST_STRETCH: i64 = 5_000;

/// Which dead letters; what is not named does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeadLetterFilter {
    pub task_type: Option<String>,
    pub tag: Option<String>,
    pub created_by: Option<String>,
    pub graph: Option<GraphId>,
    /// One of those that failed the task.
    pub agent: Option<String>,
    /// Of the last failure.
    pub reason: Option<Reason>,
    pub cause: Option<DeadLetterCause>,
    pub fingerprint: Option<i64>,
    pub is_reviewed: Option<bool>,
    /// Dead-lettered at this moment or later.
    pub since: Option<Timestamp>,
    /// Dead-lettered at this moment or earlier.
    pub until: Option<Timestamp>,
}

/// What there is to know of a dead letter without its history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetterSummary {
    pub task: TaskId,
    pub at: Timestamp,
    pub cause: String,
    pub reason: Option<Reason>,
    pub fingerprint: i64,
    pub is_reviewed: bool,
    /// All its attempts together.
    pub cost_micros: i64,
    /// Tasks that wait for it.
    pub dependents: i64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct DeadLetter {
    pub summary: DeadLetterSummary,
    /// The task with the attempts up to the dead letter.
    pub task: Task,
    /// What was decided, if it is no dead letter any more.
    pub resolved: Option<ResolvedLetter>,
    /// The times before that it was one, the last one first; only where one letter is looked at.
    pub earlier: Vec<ResolvedLetter>,
}

/// What was decided about a dead letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedLetter {
    pub dead_at: Timestamp,
    pub cause: String,
    pub reason: Option<Reason>,
    /// None: a later release of Workmill knows the word.
    pub resolution: Option<Decided>,
    pub by: String,
    pub at: Timestamp,
    pub note: Option<String>,
    fingerprint: i64,
    is_reviewed: bool,
}

/// What a look has found.
#[derive(Debug, Clone, PartialEq)]
pub struct DeadLetterPage<T> {
    /// In the order of their ids. There may be fewer than were asked for, even none, and more
    /// further on.
    pub letters: Vec<T>,
    /// After this one the next page begins; none when there is no more.
    pub next: Option<TaskId>,
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
    /// A page with everything about each letter, after the one named.
    pub async fn find_dead_letters(
        &self,
        ns: Namespace,
        filter: &DeadLetterFilter,
        after: Option<TaskId>,
        most: i64,
    ) -> Result<DeadLetterPage<DeadLetter>, StoreError> {
        let page = self.summarise_dead_letters(ns, filter, after, most).await?;
        let client = self.client(DOING).await?;
        let ids: Vec<Uuid> = page.letters.iter().map(|letter| letter.task.0).collect();
        let tasks = read_tasks(&client, ns, &ids).await?;
        // Both are in the order of their ids; a task that is not there any more is left out.
        let mut tasks = tasks.into_iter().peekable();
        let mut letters = Vec::with_capacity(page.letters.len());
        for summary in page.letters {
            while tasks.next_if(|task| task.id < summary.task).is_some() {}
            if let Some(task) = tasks.next_if(|task| task.id == summary.task) {
                letters.push(DeadLetter {
                    summary,
                    task,
                    resolved: None,
                    earlier: Vec::new(),
                });
            }
        }
        Ok(DeadLetterPage {
            letters,
            next: page.next,
        })
    }

    /// Returns a dead letter with its whole history, or what was decided about it last.
    pub async fn find_dead_letter(
        &self,
        ns: Namespace,
        id: TaskId,
    ) -> Result<Option<DeadLetter>, StoreError> {
        let all = DeadLetterFilter::default();
        let before = TaskId(Uuid::from_u128(id.0.as_u128().saturating_sub(1)));
        let page = self.find_dead_letters(ns, &all, Some(before), 1).await?;
        let letter = page.letters.into_iter().next();
        let mut decided = self.find_resolutions(ns, id).await?;
        if let Some(mut letter) = letter.filter(|letter| letter.summary.task == id) {
            letter.earlier = decided;
            return Ok(Some(letter));
        }
        if decided.is_empty() {
            return Ok(None);
        }
        let last = decided.remove(0);
        let Some(task) = self.find_task(ns, id).await? else {
            return Ok(None);
        };
        let client = self.client(DOING).await?;
        let statement = dead_letters::count_dependents();
        let dependents = statement.bind(&client, &ns.0, &id.0).one().await;
        let dependents = dependents.map_err(|error| StoreError::from_statement(DOING, error))?;
        let letter = DeadLetter::of_resolved(task, last, dependents);
        Ok(Some(DeadLetter {
            earlier: decided,
            ..letter
        }))
    }

    async fn find_resolutions(
        &self,
        ns: Namespace,
        task: TaskId,
    ) -> Result<Vec<ResolvedLetter>, StoreError> {
        let client = self.client(DOING).await?;
        let statement = dead_letters::find_resolutions();
        let rows = statement.bind(&client, &ns.0, &task.0).all().await;
        let rows = rows.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(rows
            .into_iter()
            .map(|row| ResolvedLetter {
                dead_at: row.dead_at,
                cause: row.cause,
                reason: Reason::from_name(&row.reason),
                resolution: Decided::from_name(&row.resolution),
                by: row.resolved_by,
                at: row.at,
                note: row.note,
                fingerprint: row.fingerprint,
                is_reviewed: row.is_reviewed,
            })
            .collect())
    }

    /// A page of what is known without reading any history.
    pub async fn summarise_dead_letters(
        &self,
        ns: Namespace,
        filter: &DeadLetterFilter,
        after: Option<TaskId>,
        most: i64,
    ) -> Result<DeadLetterPage<DeadLetterSummary>, StoreError> {
        let client = self.client(DOING).await?;
        let failed = |error| StoreError::from_statement(DOING, error);
        let stretch = Stretch::after(&client, ns.0, after).await.map_err(failed)?;
        let letters = stretch.find(&client, ns.0, filter, most).await;
        let letters = letters.map_err(failed)?;
        Ok(stretch.page(letters, most))
    }

    /// What was asked for, as JSON, of tasks that are there; in no order.
    pub async fn find_what_was_asked(
        &self,
        ns: Namespace,
        tasks: &[TaskId],
    ) -> Result<Vec<(TaskId, JsonText)>, StoreError> {
        let client = self.client(DOING).await?;
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.0).collect();
        let rows = find_specs()
            .bind(&client, &ids, &ns.0)
            .map(|row| (TaskId(row.task), row.body.0.into()))
            .all()
            .await;
        rows.map_err(|error| StoreError::from_statement(DOING, error))
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

/// Letters that one look goes over: after one, up to another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretch {
    after: Uuid,
    /// None: to the end.
    upto: Option<Uuid>,
}

impl Stretch {
    pub(crate) async fn after<C: GenericClient>(
        client: &C,
        ns: i64,
        after: Option<TaskId>,
    ) -> Result<Stretch, tokio_postgres::Error> {
        let after = after.map_or(Uuid::nil(), |after| after.0);
        let upto = dead_letters::find_end_of_look()
            .bind(client, &ns, &after, &(LONGEST_STRETCH - 1))
            .opt()
            .await?;
        Ok(Stretch { after, upto })
    }

    /// Those of the stretch that fit.
    pub(crate) async fn find<C: GenericClient>(
        &self,
        client: &C,
        ns: i64,
        filter: &DeadLetterFilter,
        most: i64,
    ) -> Result<Vec<DeadLetterSummary>, tokio_postgres::Error> {
        let parameters = dead_letters::FindDeadLettersParams {
            ns,
            after: self.after,
            upto: self.upto.unwrap_or(Uuid::max()),
            type_name: filter.task_type.as_deref(),
            tag: filter.tag.as_deref(),
            created_by: filter.created_by.as_deref(),
            graph: filter.graph.map(|graph| graph.0),
            agent: filter.agent.as_deref(),
            reason: filter.reason.map(Reason::name),
            cause: filter.cause.map(DeadLetterCause::name),
            fingerprint: filter.fingerprint,
            is_reviewed: filter.is_reviewed,
            since: filter.since,
            until: filter.until,
            most,
        };
        let rows = dead_letters::find_dead_letters()
            .params(client, &parameters)
            .all()
            .await?;
        Ok(rows.into_iter().map(DeadLetterSummary::from).collect())
    }

    /// What was found in it, with where to go on: a full page ends at its last letter.
    pub(crate) fn page(
        &self,
        letters: Vec<DeadLetterSummary>,
        most: i64,
    ) -> DeadLetterPage<DeadLetterSummary> {
        let is_full = i64::try_from(letters.len()).is_ok_and(|found| found >= most);
        let last = letters.last().map(|letter| letter.task);
        let next = if is_full { last } else { self.upto.map(TaskId) };
        DeadLetterPage { letters, next }
    }
}

impl DeadLetter {
    /// Returns a resolved dead letter as it was: without the attempts that were made after it.
    fn of_resolved(mut task: Task, letter: ResolvedLetter, dependents: i64) -> DeadLetter {
        let attempts = &mut task.attempts;
        attempts.retain(|attempt| attempt.ended_at <= letter.dead_at);
        let epochs: BTreeSet<i32> = attempts.iter().map(|attempt| attempt.epoch).collect();
        task.late.retain(|late| epochs.contains(&late.epoch));
        task.spent = Spent::sum(&task.attempts, None, &task.late);
        DeadLetter {
            summary: DeadLetterSummary {
                task: task.id,
                at: letter.dead_at,
                cause: letter.cause.clone(),
                reason: letter.reason,
                fingerprint: letter.fingerprint,
                is_reviewed: letter.is_reviewed,
                cost_micros: task.spent.cost_micros,
                dependents,
            },
            task,
            resolved: Some(letter),
            earlier: Vec::new(),
        }
    }
}

impl From<dead_letters::FindDeadLetters> for DeadLetterSummary {
    fn from(row: dead_letters::FindDeadLetters) -> Self {
        DeadLetterSummary {
            task: TaskId(row.task),
            at: row.at,
            cause: row.cause,
            reason: Reason::from_name(&row.reason),
            fingerprint: row.fingerprint,
            is_reviewed: row.is_reviewed,
            cost_micros: row.cost_micros,
            dependents: row.dependents,
        }
    }
}
