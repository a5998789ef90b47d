//! Claims: work for an agent, waited for if it wants to.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use workmill_core::lane::Selection;
use workmill_engine::access::KeyRef;
use workmill_engine::dispatch::ClaimRequest;
use workmill_engine::{Caller, Engine};
use workmill_protocol::claims::{ClaimTasks, PreviewClaim, WouldClaim};
use workmill_protocol::error::ErrorCode;

use crate::answers;
use crate::body::Strict;
use crate::problem::Refused;

pub(super) async fn claim(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Extension(key): Extension<KeyRef>,
    Strict(request): Strict<ClaimTasks>,
) -> Result<Response, Refused> {
    let request = ClaimRequest {
        agent: request.agent,
        most: request.max,
        start: request.start,
        wait: Duration::from_millis(request.wait_ms),
        request_id: request.request_id,
        lease: request.lease_sec.map(Duration::from_secs),
        selection: Selection {
            task_types: request.task_types,
            profile: request.profile,
        },
    };
    let claimed = tokio::select! {
        claimed = engine.claim(&caller, &request) => claimed?,
        () = engine.key_ended(key) => {
            return Err(Refused::new(ErrorCode::Unauthorized, "the key was revoked"));
        }
    };
    if claimed.is_empty() {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(Json(answers::claims(claimed)?).into_response())
}

pub(super) async fn preview(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Strict(request): Strict<PreviewClaim>,
) -> Result<Json<WouldClaim>, Refused> {
    let PreviewClaim {
        agent,
        max,
        task_types,
        profile,
    } = request;
    let selection = Selection {
        task_types,
        profile,
    };
    let would = engine.would_claim(&caller, &agent, &selection, max).await?;
    Ok(Json(would))
}
