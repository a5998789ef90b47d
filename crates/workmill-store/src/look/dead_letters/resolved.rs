//! Dead letters that were resolved, the newest resolution first. A task that was a dead letter more
//! than once is listed once for each time.
//!
//! A look reads a stretch of bounded length, as the look at unresolved dead letters does.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::failure::Reason;
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::resolution::Decided;
use workmill_core::verdict::DeadLetterCause;
use workmill_queries::client::{GenericClient, Params};
use workmill_queries::queries::look::dead_letters::{self, FindResolved};

use super::{DOING, DeadLetter, DeadLetterFilter, LONGEST_STRETCH, ResolvedLetter};
use crate::connect::Store;
use crate::error::StoreError;
use crate::look::read_tasks;

/// A page of resolved dead letters.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedPage {
    /// A page can have fewer letters than were asked for, even none, although more letters follow.
    pub letters: Vec<DeadLetter>,
    /// Where the next page begins; none after the last.
    pub next: Option<ResolvedPosition>,
}

/// A place in the list of resolved dead letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResolvedPosition {
    at: Timestamp,
    task: TaskId,
    epoch: i32,
}

impl ResolvedPosition {
    const BEFORE_FIRST: ResolvedPosition = ResolvedPosition {
        at: Timestamp::MAX,
        task: TaskId(Uuid::max()),
        epoch: i32::MAX,
    };
    const END: ResolvedPosition = ResolvedPosition {
        at: Timestamp::UNIX_EPOCH,
        task: TaskId(Uuid::nil()),
        epoch: 0,
    };
}

impl fmt::Display for ResolvedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at.as_microsecond();
        write!(f, "{at}.{}.{}", self.task, self.epoch)
    }
}

impl FromStr for ResolvedPosition {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (at, rest) = text.split_once('.').ok_or(())?;
        let (task, epoch) = rest.split_once('.').ok_or(())?;
        let at = Timestamp::from_microsecond(at.parse().map_err(drop)?).map_err(drop)?;
        Ok(ResolvedPosition {
            at,
            task: task.parse().map_err(drop)?,
            epoch: epoch.parse().map_err(drop)?,
        })
    }
}

impl Store {
    /// Returns a page of resolved dead letters that fit, each with its history.
    pub async fn find_resolved_dead_letters(
        &self,
        ns: Namespace,
        filter: &DeadLetterFilter,
        after: Option<ResolvedPosition>,
        most: i64,
    ) -> Result<ResolvedPage, StoreError> {
        let client = self.client(DOING).await?;
        let failed = |error| StoreError::from_statement(DOING, error);
        let after = after.unwrap_or(ResolvedPosition::BEFORE_FIRST);
        let stretch = Stretch::after(&client, ns.0, after).await.map_err(failed)?;
        let rows = stretch.find(&client, ns.0, filter, most).await;
        let rows = rows.map_err(failed)?;
        let next = stretch.next(&rows, most);
        let letters = with_histories(&client, ns, rows).await?;
        Ok(ResolvedPage { letters, next })
    }
}

/// Resolutions that one look reads: after one, up to another.
struct Stretch {
    after: ResolvedPosition,
    /// None: to the end of the list.
    upto: Option<ResolvedPosition>,
}

impl Stretch {
    async fn after<C: GenericClient>(
        client: &C,
        ns: i64,
        after: ResolvedPosition,
    ) -> Result<Stretch, tokio_postgres::Error> {
        let ResolvedPosition { at, task, epoch } = after;
        let upto = dead_letters::find_end_of_resolved()
            .bind(client, &ns, &at, &task.0, &epoch, &(LONGEST_STRETCH - 1))
            .map(|row| ResolvedPosition {
                at: row.at,
                task: TaskId(row.task),
                epoch: row.epoch,
            })
            .opt()
            .await?;
        Ok(Stretch { after, upto })
    }

    /// Returns the resolutions of the stretch that fit.
    async fn find<C: GenericClient>(
        &self,
        client: &C,
        ns: i64,
        filter: &DeadLetterFilter,
        most: i64,
    ) -> Result<Vec<FindResolved>, tokio_postgres::Error> {
        let upto = self.upto.unwrap_or(ResolvedPosition::END);
        let parameters = dead_letters::FindResolvedParams {
            ns,
            at: self.after.at,
            task: self.after.task.0,
            epoch: self.after.epoch,
            upto_at: upto.at,
            upto_task: upto.task.0,
            upto_epoch: upto.epoch,
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
        let statement = dead_letters::find_resolved();
        statement.params(client, &parameters).all().await
    }

    /// Returns where the next page begins: a full page ends at its last letter.
    fn next(&self, rows: &[FindResolved], most: i64) -> Option<ResolvedPosition> {
        let is_full = i64::try_from(rows.len()).is_ok_and(|found| found >= most);
        if !is_full {
            return self.upto;
        }
        rows.last().map(|row| ResolvedPosition {
            at: row.at,
            task: TaskId(row.task),
            epoch: row.epoch,
        })
    }
}

/// Reads the tasks of these resolutions. A task that was removed meanwhile is left out.
async fn with_histories(
    client: &deadpool_postgres::Object,
    ns: Namespace,
    rows: Vec<FindResolved>,
) -> Result<Vec<DeadLetter>, StoreError> {
    // A task that is listed twice is read once.
    let ids: BTreeSet<Uuid> = rows.iter().map(|row| row.task).collect();
    let ids: Vec<Uuid> = ids.into_iter().collect();
    let tasks = read_tasks(client, ns, &ids).await?;
    let tasks: BTreeMap<TaskId, _> = tasks.into_iter().map(|task| (task.id, task)).collect();
    let letters = rows.into_iter().filter_map(|row| {
        let task = tasks.get(&TaskId(row.task))?.clone();
        let dependents = row.dependents;
        Some(DeadLetter::of_resolved(task, row.into(), dependents))
    });
    Ok(letters.collect())
}

impl From<FindResolved> for ResolvedLetter {
    fn from(row: FindResolved) -> Self {
        ResolvedLetter {
            dead_at: row.dead_at,
            cause: row.cause,
            reason: Reason::from_name(&row.reason),
            resolution: Decided::from_name(&row.resolution),
            by: row.resolved_by,
            at: row.at,
            note: row.note,
            fingerprint: row.fingerprint,
            is_reviewed: row.is_reviewed,
        }
    }
}
