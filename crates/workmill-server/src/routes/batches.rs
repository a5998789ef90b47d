//! Many leases in one call: each goes through the same doors as in a call of its own, and is
//! answered for itself.

use std::future::Future;
use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use futures_util::future::join_all;
use workmill_core::bounded::MOST_LEASES;
use workmill_engine::execution::{CheckedReport, Report};
use workmill_engine::settlement::{CheckedEnding, Ending, is_long};
use workmill_engine::{Caller, Engine, beside};
use workmill_protocol::batches::{
    Answer, Answers, HeartbeatAnswers, LeaseHeartbeat, LeaseSettlement, SendHeartbeats,
    SettleLeases, SettlementAnswers,
};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::leases::{LeaseAlive, SendHeartbeat, SettledTask, Usage};

use super::{leases, read_id};
use crate::body::Strict;
use crate::problem::Refused;

pub(super) async fn heartbeats(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Strict(request): Strict<SendHeartbeats>,
) -> Result<Json<HeartbeatAnswers>, Refused> {
    check_count("heartbeats", request.heartbeats.len())?;
    let (engine, caller) = (&engine, &caller);
    // All of them before the first one is sent: they share commits.
    let reports: Vec<_> = request.heartbeats.into_iter().map(report).collect();
    let bytes = |report: &Result<Report, Refused>| report.as_ref().map_or(0, Report::bytes);
    let bytes: usize = reports.iter().map(|(_, report)| bytes(report)).sum();
    let reports = beside(bytes > MANY_BYTES, || {
        let reports = reports.into_iter();
        let checked = reports.map(|(lease, report)| {
            let checked = report.and_then(|report| Ok(report.checked()?));
            (lease, checked)
        });
        checked.collect::<Vec<_>>()
    });
    let beats = reports.into_iter();
    let beats =
        beats.map(|(lease, report)| answer(lease.clone(), beat(engine, caller, lease, report)));
    let items = join_all(beats).await;
    Ok(Json(Answers { items }))
}

pub(super) async fn settlements(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Strict(request): Strict<SettleLeases>,
) -> Result<Json<SettlementAnswers>, Refused> {
    check_count("settlements", request.settlements.len())?;
    let (engine, caller) = (&engine, &caller);
    let endings: Vec<_> = request.settlements.into_iter().map(ending).collect();
    let all = endings
        .iter()
        .filter_map(|(_, ending)| ending.as_ref().ok());
    let is_long = is_long(all.map(|(ending, _)| ending));
    let endings = beside(is_long, || {
        let checked = endings.into_iter().map(|(lease, ending)| {
            let checked =
                ending.and_then(|(ending, usage)| Ok((CheckedEnding::new(ending)?, usage)));
            (lease, checked)
        });
        checked.collect::<Vec<_>>()
    });
    let settlements = endings
        .into_iter()
        .map(|(lease, ending)| answer(lease.clone(), settle(engine, caller, lease, ending)));
    let items = join_all(settlements).await;
    Ok(Json(Answers { items }))
}

fn check_count(field: &str, count: usize) -> Result<(), Refused> {
    if (1..=MOST_LEASES).contains(&count) {
        return Ok(());
    }
    let detail = format!("{count} is not between 1 and {MOST_LEASES}");
    Err(Refused::new(ErrorCode::Invalid, detail).at(field))
}

async fn answer<T>(lease: String, acting: impl Future<Output = Result<T, Refused>>) -> Answer<T> {
    let (result, problem) = match acting.await {
        Ok(result) => (Some(result), None),
        Err(Refused(problem)) => (None, Some(*problem)),
    };
    Answer {
        lease,
        result,
        problem,
    }
}

fn report(item: LeaseHeartbeat) -> (String, Result<Report, Refused>) {
    let heartbeat = SendHeartbeat {
        progress: item.progress,
        checkpoint: item.checkpoint,
        usage: item.usage,
    };
    (item.lease, leases::report(heartbeat))
}

async fn beat(
    engine: &Engine,
    caller: &Caller,
    lease: String,
    report: Result<CheckedReport, Refused>,
) -> Result<LeaseAlive, Refused> {
    let report = report?;
    let lease = read_id(&lease)?;
    let alive = engine.heartbeat_checked(caller, lease, report).await?;
    Ok(leases::go_on(alive))
}

type Wanted<E> = Result<(E, Usage), Refused>;

fn ending(item: LeaseSettlement) -> (String, Wanted<Ending>) {
    let ending = match (item.complete, item.fail, item.release, item.block) {
        (Some(complete), None, None, None) => leases::completion(complete),
        (None, Some(fail), None, None) => leases::failure(fail),
        (None, None, Some(release), None) => leases::release_of(release),
        (None, None, None, Some(block)) => leases::blocking(block),
        _ => {
            let detail = "say one of `complete`, `fail`, `release` and `block`";
            return (item.lease, Err(Refused::new(ErrorCode::Invalid, detail)));
        }
    };
    (item.lease, Ok(ending))
}

async fn settle(
    engine: &Engine,
    caller: &Caller,
    lease: String,
    ending: Wanted<CheckedEnding>,
) -> Result<SettledTask, Refused> {
    let (ending, usage) = ending?;
    let usage = leases::read_usage(&usage)?;
    let lease = read_id(&lease)?;
    let settled = engine.settle_checked(caller, lease, ending, usage).await?;
    Ok(leases::told(&settled))
}

/// Longer texts take longer to look at than a change of threads.
const MANY_BYTES: usize = 32 * 1024;
