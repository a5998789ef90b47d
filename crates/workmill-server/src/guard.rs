//! The guard in front of every route: a good key, with a role that may.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::AUTHORIZATION;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::MethodRouter;
use workmill_engine::{Caller, Engine};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::role::{Permission, Role};

use crate::keys;
use crate::problem::Refused;

/// Lets only those through who may do this. Handlers take the [`Caller`] that it leaves behind;
/// a route that was not guarded has none and cannot answer.
pub(crate) fn guarded(
    route: MethodRouter<Arc<Engine>>,
    engine: &Arc<Engine>,
    permission: Permission,
) -> MethodRouter<Arc<Engine>> {
    route.layer(from_fn_with_state(
        (Arc::clone(engine), permission),
        authorise,
    ))
}

async fn authorise(
    State((engine, permission)): State<(Arc<Engine>, Permission)>,
    mut request: Request,
    next: Next,
) -> Result<Response, Refused> {
    let token = request
        .headers()
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .ok_or_else(|| unauthorized("send `Authorization: Bearer <key>`"))?;
    if !keys::is_well_formed(token) {
        return Err(unauthorized("the key is mistyped or cut off"));
    }
    let key = engine
        .find_key(&keys::hash(token))
        .await?
        .ok_or_else(|| unauthorized("the key is unknown or revoked"))?;
    let role: Role = key.role.parse().map_err(|problem: String| {
        tracing::error!(key = %key.id, problem, "a stored key has no role");
        Refused::new(ErrorCode::Internal, "the key has no role")
    })?;
    if !role.may(permission) {
        let detail = format!("a key of role `{role}` may not do this");
        return Err(Refused::new(ErrorCode::Forbidden, detail));
    }
    let caller = Caller {
        ns: key.ns,
        key: key.id,
        name: key.name,
    };
    request.extensions_mut().insert(caller.clone());
    let mut response = next.run(request).await;
    // For the log.
    response.extensions_mut().insert(caller);
    Ok(response)
}

fn unauthorized(hint: &str) -> Refused {
    Refused::new(ErrorCode::Unauthorized, "the request carries no good key").hint(hint)
}
