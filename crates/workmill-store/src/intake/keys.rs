//! Keys that may be used once: those of requests, and the planner's own ids of tasks.

use std::collections::BTreeSet;

use tokio_postgres::error::SqlState;
use uuid::Uuid;
use workmill_queries::client::Params;
use workmill_queries::queries::intake::submit as statements;

use super::arrival::{Arrival, TaskDraft, each};
use crate::error::StoreError;
use crate::operation::Work;

/// Which requests with keys brought which of the tasks that arrive: those from its first to its last
/// place, from one.
#[derive(Default)]
pub(super) struct Requests<'a> {
    pub(super) keys: Vec<&'a str>,
    pub(super) digests: Vec<&'a [u8]>,
    pub(super) graphs: Vec<Option<Uuid>>,
    pub(super) firsts: Vec<i32>,
    pub(super) lasts: Vec<i32>,
}

impl<'a> Requests<'a> {
    pub(super) fn of(arrivals: &[&Arrival<'a>]) -> Requests<'a> {
        let place = |place: usize| i32::try_from(place).unwrap_or(i32::MAX);
        let mut requests = Requests::default();
        let mut before = 0;
        for arrival in arrivals {
            let last = before + arrival.rows.len();
            if let Some(idempotency) = arrival.idempotency {
                requests.keys.push(&idempotency.key);
                requests.digests.push(&idempotency.digest);
                requests.graphs.push(arrival.graph.map(|graph| graph.0));
                requests.firsts.push(place(before + 1));
                requests.lasts.push(place(last));
            }
            before = last;
        }
        requests
    }
}

/// Writes the planner's own ids of tasks.
pub(super) async fn write_keys(
    work: &Work<'_>,
    arrivals: &[&Arrival<'_>],
) -> Result<(), StoreError> {
    let keys: Vec<(&str, Uuid)> = each(arrivals)
        .filter_map(|(_, draft, row)| Some((draft.key.as_deref()?, row.task.0)))
        .collect();
    if keys.is_empty() {
        return Ok(());
    }
    let parameters = statements::InsertTaskKeysParams {
        ns: work.ns,
        keys: keys.iter().map(|(key, _)| *key).collect::<Vec<_>>(),
        tasks: keys.iter().map(|(_, task)| *task).collect::<Vec<_>>(),
    };
    let inserted = statements::insert_task_keys()
        .params(work.transaction, &parameters)
        .await;
    inserted.map_err(|error| overtaken(work, error))?;
    Ok(())
}

/// Whoever took one of the keys in the meantime was faster: the transaction begins again and
/// finds it taken. A row that is there twice in another table is an error that no repeat mends.
pub(super) fn overtaken(work: &Work<'_>, error: tokio_postgres::Error) -> StoreError {
    let is_taken = error.as_db_error().is_some_and(|error| {
        error.code() == &SqlState::UNIQUE_VIOLATION
            && matches!(error.table(), Some("idempotency" | "task_key"))
    });
    if is_taken {
        StoreError::Overtaken
    } else {
        work.failed(error)
    }
}

/// The first of these keys that a task has already.
pub(super) async fn find_taken_key(
    work: &Work<'_>,
    drafts: &[TaskDraft],
) -> Result<Option<String>, StoreError> {
    let keys: Vec<&str> = drafts
        .iter()
        .filter_map(|draft| draft.key.as_deref())
        .collect();
    Ok(find_taken_keys(work, &keys).await?.pop_first())
}

/// Those of these keys that tasks have already.
pub(super) async fn find_taken_keys(
    work: &Work<'_>,
    keys: &[&str],
) -> Result<BTreeSet<String>, StoreError> {
    if keys.is_empty() {
        return Ok(BTreeSet::new());
    }
    let taken = statements::find_task_keys()
        .bind(work.transaction, &keys, &work.ns)
        .all()
        .await;
    let taken = taken.map_err(|error| work.failed(error))?;
    Ok(taken.into_iter().map(|row| row.key).collect())
}
