//! Many leases in one call: each goes through the same doors as in a call of its own, and is
//! answered for itself.

use std::future::Future;
use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use futures_util::future::join_all;
use workmill_core::bounded::MOST_LEASES;
use workmill_engine::{Caller, Engine};
use workmill_protocol::batches::{
    Answer, Answers, HeartbeatAnswers, LeaseHeartbeat, LeaseSettlement, SendHeartbeats,
    SettleLeases, SettlementAnswers,
};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::leases::{LeaseAlive, SendHeartbeat, SettledTask};

use super::leases;
use crate::body::Strict;
use crate::problem::Refused;

pub(super) async fn heartbeats(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Strict(request): Strict<SendHeartbeats>,
) -> Result<Json<HeartbeatAnswers>, Refused> {
    check_count("heartbeats", request.heartbeats.len())?;
    let (engine, caller) = (&engine, &caller);
    let beats = request.heartbeats.into_iter();
    let beats = beats.map(|item| answer(item.lease.clone(), beat(engine, caller, item)));
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
    let settlements = request.settlements.into_iter();
    let settlements =
        settlements.map(|item| answer(item.lease.clone(), settle(engine, caller, item)));
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

async fn beat(
    engine: &Engine,
    caller: &Caller,
    item: LeaseHeartbeat,
) -> Result<LeaseAlive, Refused> {
    let heartbeat = SendHeartbeat {
        progress: item.progress,
        checkpoint: item.checkpoint,
        usage: item.usage,
    };
    leases::send_heartbeat(engine, caller, &item.lease, heartbeat).await
}

async fn settle(
    engine: &Engine,
    caller: &Caller,
    item: LeaseSettlement,
) -> Result<SettledTask, Refused> {
    let (ending, usage) = match (item.complete, item.fail, item.release, item.block) {
        (Some(complete), None, None, None) => leases::completion(complete),
        (None, Some(fail), None, None) => leases::failure(fail),
        (None, None, Some(release), None) => leases::release_of(release),
        (None, None, None, Some(block)) => leases::blocking(block),
        _ => {
            let detail = "say one of `complete`, `fail`, `release` and `block`";
            return Err(Refused::new(ErrorCode::Invalid, detail));
        }
    };
    leases::settle(engine, caller, &item.lease, ending, &usage).await
}
