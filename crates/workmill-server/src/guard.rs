//! The guard in front of every route: a good key, with a role that may.
//!
//! A key is looked up in what the engine remembers for two seconds, so a request needs no query of its
//! own. Whoever comes with bad keys again and again has to wait before another one is looked at.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::MethodRouter;
use workmill_core::ids::{LeaseId, Namespace};
use workmill_engine::access::{KeyRef, KnownKey};
use workmill_engine::{Caller, Engine, EngineError};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::role::{Permission, Role};

use crate::keys;
use crate::lease_tokens::{self, Grant};
use crate::problem::Refused;

/// Names the namespace that an admin acts in, if it is not the one of the key.
const NAMESPACE: &str = "workmill-namespace";

/// Lets only those through who may do this. Handlers take the [`Caller`] that it leaves behind, the
/// [`Role`] and the [`KeyRef`]; a route that was not guarded has none and cannot answer.
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
    let token = bearer(request.headers())?.to_owned();
    let named = request.headers().get(NAMESPACE).cloned();
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let address = address.map(|ConnectInfo(address)| address.ip());
    let presented = read(&engine, &token, address).await?;
    let which = presented.key();
    let Some(key) = engine.find_key(which).await? else {
        return Err(bad_key(&engine, address, "the key is unknown or revoked"));
    };
    engine.note_use(&key);
    let role: Role = key.role.parse().map_err(|problem: String| {
        tracing::error!(key = %key.id, problem, "a stored key has no role");
        Refused::new(ErrorCode::Internal, "the key has no role")
    })?;
    if !role.may(permission) {
        let detail = format!("a key of role `{role}` may not do this");
        return Err(Refused::new(ErrorCode::Forbidden, detail));
    }
    let mut ns = namespace(&engine, named.as_ref(), &key, role).await?;
    let mut token_lease = TokenLease(None);
    if let Presented::Lease(grant) = presented {
        token_lease = TokenLease(Some(grant.lease));
        let is_meant = match permission {
            Permission::ActOnLease => lease_in(request.uri().path()) == Some(grant.lease),
            // The route looks what the lease was handed.
            Permission::LookAtOutput => true,
            _ => false,
        };
        if !is_meant {
            let detail = format!("this token is good for {} only", grant.lease);
            return Err(Refused::new(ErrorCode::Forbidden, detail));
        }
        ns = grant.ns;
    }
    let caller = Caller {
        ns,
        key: key.id,
        name: key.name.clone(),
    };
    let _share = if permission.is_gathered() {
        None
    } else {
        Some(engine.shares.take(ns).await?)
    };
    let extensions = request.extensions_mut();
    extensions.insert(caller.clone());
    extensions.insert(role);
    extensions.insert(token_lease);
    extensions.insert(which);
    let mut response = next.run(request).await;
    // For the log.
    response.extensions_mut().insert(caller);
    Ok(response)
}

/// The lease whose token was presented; none where it was a key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TokenLease(pub(crate) Option<LeaseId>);

/// What was shown, if it can be anything at all.
enum Presented {
    Key([u8; 32]),
    Lease(Grant),
}

impl Presented {
    fn key(&self) -> KeyRef {
        match self {
            Presented::Key(hash) => KeyRef::Token(*hash),
            Presented::Lease(grant) => KeyRef::Id(grant.key),
        }
    }
}

fn bearer(headers: &HeaderMap) -> Result<&str, Refused> {
    headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .ok_or_else(|| unauthorized("send `Authorization: Bearer <key>`"))
}

/// Keys that were good here before are looked at again in any case: others at the same address
/// shall not suffer.
async fn read(engine: &Engine, token: &str, address: Option<IpAddr>) -> Result<Presented, Refused> {
    let refused = address.and_then(|address| engine.attempts.wait(address, Instant::now()));
    if lease_tokens::is_one(token) {
        // Verified without the database, so looking costs nothing.
        let secret = engine.lease_secret().await?;
        return match Grant::read(token, secret) {
            Some(grant) => Ok(Presented::Lease(grant)),
            None => Err(bad_key(engine, address, "the lease token is not genuine")),
        };
    }
    if !keys::is_well_formed(token) {
        // Told without looking: it costs nothing, and guesses nothing.
        return Err(unauthorized("the key is mistyped or cut off"));
    }
    let presented = Presented::Key(keys::hash(token));
    let was_good = engine.was_good(&presented.key());
    match refused.filter(|_| !was_good) {
        Some(wait) => Err(rate_limited(wait)),
        None => Ok(presented),
    }
}

/// The lease that a path names: `/v1/leases/{lease}/…`.
fn lease_in(path: &str) -> Option<LeaseId> {
    let mut parts = path.strip_prefix("/v1/leases/")?.split('/');
    parts.next()?.parse().ok()
}

/// Only admins act in other namespaces; to the others they do not exist.
async fn namespace(
    engine: &Engine,
    named: Option<&HeaderValue>,
    key: &KnownKey,
    role: Role,
) -> Result<Namespace, Refused> {
    let Some(named) = named else {
        return Ok(key.ns);
    };
    let missing = || Refused::not_found(format_args!("the namespace of {NAMESPACE}"));
    let named = named.to_str().map_err(|_| missing())?;
    if named == key.namespace {
        return Ok(key.ns);
    }
    match role {
        Role::Admin => match engine.namespace(named).await {
            Err(EngineError::NotFound { .. }) => Err(missing()),
            found => Ok(found?),
        },
        _ => Err(missing()),
    }
}

fn unauthorized(hint: &str) -> Refused {
    Refused::new(ErrorCode::Unauthorized, "the request carries no good key").hint(hint)
}

fn bad_key(engine: &Engine, address: Option<IpAddr>, hint: &str) -> Refused {
    if let Some(address) = address {
        engine.attempts.failed(address, Instant::now());
    }
    unauthorized(hint)
}

fn rate_limited(wait: Duration) -> Refused {
    let seconds = wait.as_millis().div_ceil(1000);
    let detail = format!("too many attempts with bad keys; come again in {seconds} s");
    Refused::new(ErrorCode::RateLimited, detail)
        .retry_after(u64::try_from(seconds).unwrap_or(u64::MAX))
}
