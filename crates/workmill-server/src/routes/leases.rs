//! Acting on a lease: start, show a sign of life, end it.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::{Extension, Json};
use workmill_core::ids::LeaseId;
use workmill_core::lane::Selection;
use workmill_engine::access::EndOfAttempt;
use workmill_engine::execution::{Alive, Report};
use workmill_engine::intake::SpawnRequest;
use workmill_engine::settlement::{CheckedEnding, Ending, NextClaim, is_long};
use workmill_engine::{Caller, Engine, beside};
use workmill_protocol::claims as protocol;
use workmill_protocol::error::ErrorCode;
use workmill_protocol::leases::{
    BlockTask, CompleteTask, Directive, FailTask, LeaseAlive, LeaseState, LeaseToken, ReleaseTask,
    SendHeartbeat, SpawnTasks, SpawnedTasks, Usage,
};

use super::{created, idempotency_key, read_id};
use crate::answers::{self, Settled};
use crate::body::Strict;
use crate::guard::{TokenLease, good_for_only};
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
) -> Result<Json<Settled>, Refused> {
    let settled = settle(&engine, &caller, &lease, blocking(request)).await?;
    Ok(Json(settled))
}

pub(super) async fn complete(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Extension(token): Extension<TokenLease>,
    Path(lease): Path<String>,
    Strict(request): Strict<CompleteTask>,
) -> Result<Json<Settled>, Refused> {
    refuse_claim_with_token(token, request.claim.as_ref())?;
    let settled = settle(&engine, &caller, &lease, completion(request)).await?;
    Ok(Json(settled))
}

pub(super) async fn fail(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Extension(token): Extension<TokenLease>,
    Path(lease): Path<String>,
    Strict(request): Strict<FailTask>,
) -> Result<Json<Settled>, Refused> {
    refuse_claim_with_token(token, request.claim.as_ref())?;
    let settled = settle(&engine, &caller, &lease, failure(request)).await?;
    Ok(Json(settled))
}

pub(super) async fn release(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(lease): Path<String>,
    Strict(request): Strict<ReleaseTask>,
) -> Result<Json<Settled>, Refused> {
    let settled = settle(&engine, &caller, &lease, release_of(request)).await?;
    Ok(Json(settled))
}

/// The end of a lease as a request asks for it.
pub(super) struct Wanted {
    pub(super) ending: Ending,
    pub(super) usage: Usage,
    pub(super) next: Option<NextClaim>,
}

pub(super) fn blocking(request: BlockTask) -> Wanted {
    let ending = Ending::Block {
        waits_for: request.waits_for.into(),
        question: request.question,
        timeout_ms: request.timeout_ms,
    };
    Wanted {
        ending,
        usage: request.usage,
        next: None,
    }
}

pub(super) fn completion(request: CompleteTask) -> Wanted {
    let ending = Ending::Complete {
        output: request.output,
        artifacts: request.artifacts,
    };
    Wanted {
        ending,
        usage: request.usage,
        next: request.claim.map(next_claim),
    }
}

pub(super) fn failure(request: FailTask) -> Wanted {
    let ending = Ending::Fail {
        reason: request.reason,
        message: request.message,
        details: request.details,
        retry_after_ms: request.retry_after_ms,
    };
    Wanted {
        ending,
        usage: request.usage,
        next: request.claim.map(next_claim),
    }
}

pub(super) fn release_of(request: ReleaseTask) -> Wanted {
    Wanted {
        ending: Ending::Release,
        usage: request.usage,
        next: None,
    }
}

fn next_claim(claim: protocol::NextClaim) -> NextClaim {
    let protocol::NextClaim {
        max,
        start,
        request_id,
        lease_sec,
        task_types,
    } = claim;
    let milliseconds =
        |seconds: u64| i64::try_from(seconds.saturating_mul(1000)).unwrap_or(i64::MAX);
    NextClaim {
        most: max,
        start,
        request: request_id,
        lease_ms: lease_sec.map(milliseconds),
        selection: Selection {
            task_types,
            profile: None,
        },
    }
}

/// Refuses a claim with the token of a lease, which is valid for its lease only.
fn refuse_claim_with_token(
    TokenLease(lease): TokenLease,
    claim: Option<&protocol::NextClaim>,
) -> Result<(), Refused> {
    match (lease, claim) {
        (Some(lease), Some(_)) => Err(good_for_only(lease).at("claim")),
        (None, _) | (_, None) => Ok(()),
    }
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
    wanted: Wanted,
) -> Result<Settled, Refused> {
    let Wanted {
        ending,
        usage,
        next,
    } = wanted;
    let ending = beside(is_long([&ending]), || CheckedEnding::new(ending))?;
    settle_checked(engine, caller, lease, ending, &usage, next).await
}

/// Settles with an ending that was looked at.
pub(super) async fn settle_checked(
    engine: &Engine,
    caller: &Caller,
    lease: &str,
    ending: CheckedEnding,
    usage: &Usage,
    next: Option<NextClaim>,
) -> Result<Settled, Refused> {
    let usage = read_usage(usage)?;
    let lease = read_id(lease)?;
    let settling = engine.settle_and_claim(caller, lease, ending, usage, next);
    answers::settled(settling.await?)
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
