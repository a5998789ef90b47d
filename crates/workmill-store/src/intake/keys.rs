//! Keys that may be used once: those of requests, and the planner's own ids of tasks.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{TryFutureExt, try_join};
use tokio_postgres::error::SqlState;
use uuid::Uuid;
use workmill_core::ids::GraphId;
use workmill_queries::client::Params;
use workmill_queries::queries::intake::submit as statements;

use super::arrival::{Arrival, TaskDraft, each};
use super::submit::Idempotency;
use crate::column::column;
use crate::error::StoreError;
use crate::operation::Work;

/// The idempotency keys that arrivals bring: those of calls, and those of their tasks. Each stands for
/// the tasks from its first to its last place in `answered`, counted from one.
#[derive(Default)]
struct Requests<'a> {
    keys: Vec<&'a str>,
    digests: Vec<&'a [u8]>,
    graphs: Vec<Option<Uuid>>,
    answered: Vec<Uuid>,
    firsts: Vec<i32>,
    lasts: Vec<i32>,
}

impl<'a> Requests<'a> {
    fn of(arrivals: &[&Arrival<'a>]) -> Requests<'a> {
        let mut requests = Requests::default();
        for arrival in arrivals {
            if let Some(idempotency) = arrival.idempotency {
                let own = arrival.rows.iter().map(|row| row.task.0);
                match &arrival.answered {
                    Some(answered) => {
                        let answered = answered.iter().map(|task| task.0);
                        requests.add(idempotency, arrival.graph, answered);
                    }
                    None => requests.add(idempotency, arrival.graph, own),
                }
            }
            for (draft, row) in arrival.drafts.iter().zip(&arrival.rows) {
                if let Some(idempotency) = &draft.idempotency {
                    requests.add(idempotency, arrival.graph, [row.task.0]);
                }
            }
        }
        requests
    }

    fn add(
        &mut self,
        idempotency: &'a Idempotency,
        graph: Option<GraphId>,
        tasks: impl IntoIterator<Item = Uuid>,
    ) {
        let place = |place: usize| i32::try_from(place).unwrap_or(i32::MAX);
        self.firsts.push(place(self.answered.len() + 1));
        self.answered.extend(tasks);
        self.lasts.push(place(self.answered.len()));
        self.keys.push(&idempotency.key);
        self.digests.push(&idempotency.digest);
        self.graphs.push(graph.map(|graph| graph.0));
    }
}

/// What earlier requests with the same idempotency keys were answered.
#[derive(Default)]
pub(super) struct Known {
    by_key: BTreeMap<String, Earlier>,
}

/// The first answer to a request.
pub(super) struct Earlier {
    pub(super) digest: Vec<u8>,
    pub(super) graph: Option<Uuid>,
    pub(super) tasks: Vec<Uuid>,
}

impl Known {
    pub(super) fn get(&self, key: &str) -> Option<&Earlier> {
        self.by_key.get(key)
    }

    /// Returns the first answer to this request. The key of another request is refused.
    pub(super) fn first_answer(
        &self,
        idempotency: &Idempotency,
    ) -> Option<Result<&Earlier, OtherRequest>> {
        let earlier = self.by_key.get(&idempotency.key)?;
        Some(if earlier.digest == idempotency.digest {
            Ok(earlier)
        } else {
            Err(OtherRequest)
        })
    }
}

/// The idempotency key belongs to another request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherRequest;

/// A planted fault: a repeated request finds no trace of the first one.
const KEYS_NOT_WRITTEN: &str = "idempotency keys not written";

/// Writes the idempotency keys of calls and tasks.
pub(super) async fn write_requests(
    work: &Work<'_>,
    arrivals: &[&Arrival<'_>],
) -> Result<(), StoreError> {
    let requests = Requests::of(arrivals);
    if requests.keys.is_empty() || work.is_planted(KEYS_NOT_WRITTEN) {
        return Ok(());
    }
    let parameters = statements::InsertRequestsParams {
        ns: work.ns,
        now: work.now().await?,
        request_keys: requests.keys,
        digests: requests.digests,
        request_graphs: requests.graphs,
        answered: requests.answered,
        firsts: requests.firsts,
        lasts: requests.lasts,
    };
    let inserted = statements::insert_requests()
        .params(work.transaction, &parameters)
        .await;
    inserted.map(drop).map_err(|error| overtaken(work, error))
}

/// Returns what is known of these idempotency keys. Reads the clock together with them.
pub(super) async fn find_known(work: &Work<'_>, keys: &[&str]) -> Result<Known, StoreError> {
    if keys.is_empty() {
        return Ok(Known::default());
    }
    let find_idempotent = statements::find_idempotent();
    let found = find_idempotent
        .bind(work.transaction, &keys, &work.ns)
        .all()
        .map_err(|error| work.failed(error));
    let (found, _) = try_join!(found, work.now())?;
    let earlier = found.into_iter().filter_map(|row| {
        let earlier = Earlier {
            digest: row.digest?,
            graph: row.graph,
            tasks: row.tasks?,
        };
        Some((row.key, earlier))
    });
    let by_key = earlier.collect();
    Ok(Known { by_key })
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
        keys: column(&keys, |(key, _)| *key),
        tasks: column(&keys, |(_, task)| *task),
    };
    let inserted = statements::insert_task_keys()
        .params(work.transaction, &parameters)
        .await;
    inserted.map_err(|error| overtaken(work, error))?;
    Ok(())
}

/// Tells what the failure to write keys means: if another transaction has written one of them in the
/// meantime, this transaction begins again and finds it taken.
fn overtaken(work: &Work<'_>, error: tokio_postgres::Error) -> StoreError {
    if error.code() == Some(&SqlState::UNIQUE_VIOLATION) {
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
        .await?;
    Ok(taken.into_iter().map(|row| row.key).collect())
}
