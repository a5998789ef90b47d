//! What running attempts have used, as far as their agents have told: kept on the lease, so that an
//! attempt that is lost keeps its cost. Heartbeats that tell nothing of it do not come here.

use std::collections::BTreeMap;

use postgres_types::Json;
use serde_json::Value;
use uuid::Uuid;
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::money::Micros;
use workmill_core::usage::Usage;
use workmill_queries::client::Params;
use workmill_queries::queries::execution::attempt;

use super::{Alive, Beat};
use crate::column::column;
use crate::error::StoreError;
use crate::operation::Work;
use crate::settlement::Spent;
use crate::settlement::spent::read_usage;

/// Merges what the beats tell with what is known, and answers what the attempts have cost of which
/// more is known now. The leases are locked.
pub(super) async fn write(
    work: &Work<'_>,
    beats: &[Beat],
    alive: &BTreeMap<(LeaseId, Uuid), Alive>,
) -> Result<Vec<(LeaseId, i64)>, StoreError> {
    let mut told: BTreeMap<LeaseId, Usage> = BTreeMap::new();
    for beat in beats {
        if let Some(usage) = beat.usage.as_ref().filter(|usage| !usage.is_empty())
            && alive.contains_key(&(beat.lease, beat.key))
        {
            let so_far = told.entry(beat.lease).or_default();
            *so_far = so_far.merge(usage);
        }
    }
    if told.is_empty() {
        return Ok(Vec::new());
    }
    let news = find_news(work, &told).await?;
    if news.is_empty() {
        return Ok(Vec::new());
    }
    let parameters = attempt::UpdateReportedParams {
        ns: work.ns,
        tasks: column(&news, |(lease, ..)| lease.task.0),
        epochs: column(&news, |(lease, ..)| lease.epoch),
        costs: column(&news, |(_, cost, _)| *cost),
        usages: column(&news, |(.., usage)| Json(usage)),
    };
    attempt::update_reported()
        .params(work.transaction, &parameters)
        .await?;
    let costs = news.iter().map(|(lease, cost, _)| (*lease, *cost));
    Ok(costs.collect())
}

/// The leases of which more is known now than before, with their cost and usage.
async fn find_news(
    work: &Work<'_>,
    told: &BTreeMap<LeaseId, Usage>,
) -> Result<Vec<(LeaseId, i64, Value)>, StoreError> {
    let tasks: Vec<Uuid> = told.keys().map(|lease| lease.task.0).collect();
    let epochs: Vec<i32> = told.keys().map(|lease| lease.epoch).collect();
    let rows = attempt::find_reported()
        .bind(work.transaction, &tasks, &epochs, &work.ns)
        .all()
        .await;
    let mut news = Vec::new();
    for row in rows? {
        let lease = LeaseId {
            task: TaskId(row.task),
            epoch: row.epoch,
        };
        let known = read_usage(row.usage.as_ref())?;
        let Some(usage) = told.get(&lease).map(|usage| known.merge(usage)) else {
            continue;
        };
        if usage == known {
            continue;
        }
        let spent = Spent::beyond(usage, Micros(row.posted_micros.unwrap_or(0)));
        if let Some(usage) = spent.stored_usage() {
            news.push((lease, spent.cost_micros, usage));
        }
    }
    Ok(news)
}
