//! Acting on a lease: start, show a sign of life, end it.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::{Extension, Json};
use workmill_core::ids::LeaseId;
use workmill_engine::access::EndOfAttempt;
use workmill_engine::execution::{Alive, Report};
use workmill_engine::intake::SpawnRequest;
use workmill_engine::settlement::{Ending, Settled};
use workmill_engine::{Caller, Engine};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::leases::{
    BlockTask, CompleteTask, Directive, FailTask, LeaseAlive, LeaseState, LeaseToken, ReleaseTask,
    SendHeartbeat, SettledTask, SpawnTasks, SpawnedTasks, Usage,
};

use super::{created, idempotency_key, read_id};
use crate::body::Strict;
use crate::lease_tokens::Grant;
use crate::problem::Refused;

/// Whether the lease is held, and otherwise how its attempt ended.
pub(super) async fn show(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(lease): Path<String>,
) -> Result<Json<LeaseState>, Refused> {
    let lease = read_id(&lease)?;
    let end: Option<EndOfAttempt> = engine.end_of_attempt(&caller, lease).await?;
    Ok(Json(LeaseState {
        lease,
        is_held: end.is_none(),
        outcome: end.as_ref().map(|end| end.outcome),
        reason: end.as_ref().and_then(|end| end.reason),
        error: end.as_ref().and_then(|end| end.message.clone()),
        details: end.and_then(|end| end.details),
    }))
}

pub(super) async fn start(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(lease): Path<String>,
) -> Result<Json<LeaseAlive>, Refused> {
    let alive = engine.start(&caller, read_id(&lease)?).await?;
    Ok(Json(go_on(alive)))
}

pub(super) async fn heartbeat(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(lease): Path<String>,
    Strict(request): Strict<SendHeartbeat>,
) -> Result<Json<LeaseAlive>, Refused> {
    let alive = send_heartbeat(&engine, &caller, &lease, request).await?;
    Ok(Json(alive))
}

async fn send_heartbeat(
    engine: &Engine,
    caller: &Caller,
    lease: &str,
    request: SendHeartbeat,
) -> Result<LeaseAlive, Refused> {
    let report = report(request)?;
    let alive = engine.heartbeat(caller, read_id(lease)?, report).await?;
    Ok(go_on(alive))
}

pub(super) fn report(request: SendHeartbeat) -> Result<Report, Refused> {
    Ok(Report {
        progress: request.progress,
        checkpoint: request.checkpoint,
        usage: request.usage.as_ref().map(read_usage).transpose()?,
    })
}

pub(super) async fn block(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(lease): Path<String>,
    Strict(request): Strict<BlockTask>,
) -> Result<Json<SettledTask>, Refused> {
    let (ending, usage) = blocking(request);
    let settled = settle(&engine, &caller, &lease, ending, &usage).await?;
    Ok(Json(settled))
}

pub(super) async fn complete(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(lease): Path<String>,
    Strict(request): Strict<CompleteTask>,
) -> Result<Json<SettledTask>, Refused> {
    let (ending, usage) = completion(request);
    let settled = settle(&engine, &caller, &lease, ending, &usage).await?;
    Ok(Json(settled))
}

pub(super) async fn fail(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(lease): Path<String>,
    Strict(request): Strict<FailTask>,
) -> Result<Json<SettledTask>, Refused> {
    let (ending, usage) = failure(request);
    let settled = settle(&engine, &caller, &lease, ending, &usage).await?;
    Ok(Json(settled))
}

pub(super) async fn release(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(lease): Path<String>,
    Strict(request): Strict<ReleaseTask>,
) -> Result<Json<SettledTask>, Refused> {
    let (ending, usage) = release_of(request);
    let settled = settle(&engine, &caller, &lease, ending, &usage).await?;
    Ok(Json(settled))
}

pub(super) fn blocking(request: BlockTask) -> (Ending, Usage) {
    let ending = Ending::Block {
        waits_for: request.waits_for.into(),
        question: request.question,
        timeout_ms: request.timeout_ms,
    };
    (ending, request.usage)
}

pub(super) fn completion(request: CompleteTask) -> (Ending, Usage) {
    let ending = Ending::Complete {
        output: request.output,
        artifacts: request.artifacts,
    };
    (ending, request.usage)
}

pub(super) fn failure(request: FailTask) -> (Ending, Usage) {
    let ending = Ending::Fail {
        reason: request.reason,
        message: request.message,
        details: request.details,
        retry_after_ms: request.retry_after_ms,
    };
    (ending, request.usage)
}

pub(super) fn release_of(request: ReleaseTask) -> (Ending, Usage) {
    (Ending::Release, request.usage)
}

pub(super) async fn spawn(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(lease): Path<String>,
    headers: HeaderMap,
    Strict(request): Strict<SpawnTasks>,
) -> Result<(StatusCode, Json<SpawnedTasks>), Refused> {
    let lease: LeaseId = read_id(&lease)?;
    let spawn = SpawnRequest {
        tasks: request.tasks,
        wait: request.wait,
        key: idempotency_key(&headers)?,
    };
    let spawned = engine.spawn(&caller, lease, spawn).await?;
    let answer = SpawnedTasks {
        tasks: spawned.tasks,
    };
    Ok((created(spawned.is_repeat), Json(answer)))
}

/// A token for whoever does the work of this lease and shall have no key.
pub(super) async fn token(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(lease): Path<String>,
) -> Result<(StatusCode, Json<LeaseToken>), Refused> {
    let lease: LeaseId = read_id(&lease)?;
    engine.check_holds(&caller, lease).await?;
    let grant = Grant {
        ns: caller.ns,
        lease,
        key: caller.key,
    };
    let token = grant.sign(engine.lease_secret().await?);
    Ok((StatusCode::CREATED, Json(LeaseToken { lease, token })))
}

async fn settle(
    engine: &Engine,
    caller: &Caller,
    lease: &str,
    ending: Ending,
    usage: &Usage,
) -> Result<SettledTask, Refused> {
    let usage = read_usage(usage)?;
    let settled = engine.settle(caller, read_id(lease)?, ending, usage);
    Ok(told(&settled.await?))
}

pub(super) fn told(settled: &Settled) -> SettledTask {
    SettledTask {
        status: settled.state,
        retry_in_ms: settled.retry_in_ms,
    }
}

pub(super) fn read_usage(usage: &Usage) -> Result<workmill_core::usage::Usage, Refused> {
    usage.read().map_err(|invalid| {
        let at = format!("usage.{}", invalid.at);
        Refused::new(ErrorCode::Invalid, invalid.problem).at(at)
    })
}

pub(super) fn go_on(alive: Alive) -> LeaseAlive {
    let (directive, reason) = match (alive.stop, alive.pause) {
        (Some(stop), _) => (Directive::Stop, Some(stop)),
        (None, Some(pause)) => (Directive::Pause, Some(pause)),
        (None, None) => (Directive::Continue, None),
    };
    LeaseAlive {
        directive,
        reason,
        expires_in_ms: alive.expires_in_ms,
    }
}
