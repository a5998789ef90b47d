//! Many leases in one call: each goes through the same doors as in a call of its own, and is
//! answered for itself.

use std::future::Future;
use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use futures_util::future::join_all;
use workmill_core::bounded::MOST_LEASES;
use workmill_engine::dispatch::MOST_CLAIMS;
use workmill_engine::execution::{CheckedReport, Report};
use workmill_engine::settlement::{CheckedEnding, NextClaim, is_long};
use workmill_engine::{Caller, Engine, beside};
use workmill_protocol::batches::{
    Answer, Answers, HeartbeatAnswers, LeaseHeartbeat, LeaseSettlement, SendHeartbeats,
    SettleLeases,
};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::leases::{LeaseAlive, SendHeartbeat, Usage};

use super::leases::Wanted;
use super::{leases, read_id};
use crate::answers::Settled;
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
) -> Result<Json<Answers<Settled>>, Refused> {
    check_count("settlements", request.settlements.len())?;
    check_claims(&request.settlements)?;
    let (engine, caller) = (&engine, &caller);
    let wanted: Vec<_> = request.settlements.into_iter().map(ending).collect();
    let all = wanted.iter().filter_map(|(_, wanted)| wanted.as_ref().ok());
    let is_long = is_long(all.map(|wanted| &wanted.ending));
    let checked: Vec<_> = beside(is_long, || wanted.into_iter().map(check).collect());
    let settlements = checked
        .into_iter()
        .map(|(lease, checked)| answer(lease.clone(), settle(engine, caller, lease, checked)));
    let items = join_all(settlements).await;
    Ok(Json(Answers { items }))
}

/// Refuses items that together claim more tasks than one call may.
fn check_claims(settlements: &[LeaseSettlement]) -> Result<(), Refused> {
    let claims = settlements.iter().flat_map(|item| {
        let completion = item.complete.as_ref().and_then(|one| one.claim.as_ref());
        let failure = item.fail.as_ref().and_then(|one| one.claim.as_ref());
        completion.into_iter().chain(failure)
    });
    let most: i64 = claims.map(|claim| i64::from(claim.max)).sum();
    if most > i64::from(MOST_CLAIMS) {
        let detail = format!("they claim up to {most} tasks, more than {MOST_CLAIMS}");
        return Err(Refused::new(ErrorCode::Invalid, detail).at("settlements"));
    }
    Ok(())
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

fn ending(item: LeaseSettlement) -> (String, Result<Wanted, Refused>) {
    let wanted = match (item.complete, item.fail, item.release, item.block) {
        (Some(complete), None, None, None) => leases::completion(complete),
        (None, Some(fail), None, None) => leases::failure(fail),
        (None, None, Some(release), None) => leases::release_of(release),
        (None, None, None, Some(block)) => leases::blocking(block),
        _ => {
            let detail = "say one of `complete`, `fail`, `release` and `block`";
            return (item.lease, Err(Refused::new(ErrorCode::Invalid, detail)));
        }
    };
    (item.lease, Ok(wanted))
}

type Checked = (CheckedEnding, Usage, Option<NextClaim>);

fn check((lease, wanted): (String, Result<Wanted, Refused>)) -> (String, Result<Checked, Refused>) {
    let checked = wanted.and_then(|wanted| {
        let ending = CheckedEnding::new(wanted.ending)?;
        Ok((ending, wanted.usage, wanted.next))
    });
    (lease, checked)
}

async fn settle(
    engine: &Engine,
    caller: &Caller,
    lease: String,
    checked: Result<Checked, Refused>,
) -> Result<Settled, Refused> {
    let (ending, usage, next) = checked?;
    leases::settle_checked(engine, caller, &lease, ending, &usage, next).await
}

/// Longer texts take longer to look at than a change of threads.
const MANY_BYTES: usize = 32 * 1024;
