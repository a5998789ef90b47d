//! The guard in front of every route: a good key, with a role that may, and a body or a query only where
//! one is taken.
//!
//! The engine remembers good keys for two seconds and unknown ones for longer, so most requests need no
//! query of their own. A bad key is refused by itself: it never keeps another key from being looked up.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::MethodRouter;
use workmill_core::authority::Authority;
use workmill_core::ids::{LeaseId, Namespace};
use workmill_engine::access::{KeyRef, KnownKey};
use workmill_engine::{Caller, Engine, EngineError};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::role::{Permission, Role};

use crate::body::{LargestBody, Pace, refuse_body};
use crate::database_share::DatabaseShare;
use crate::lease_tokens::{self, Grant};
use crate::problem::Refused;
use crate::query::refuse_query;
use crate::request_memory::{Place, RequestMemory};
use crate::response_memory::AnswerMemory;
use crate::{keys, openapi};

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

/// For routes that need no key; none of them takes a body or a query.
pub(crate) fn open(route: MethodRouter<Arc<Engine>>) -> MethodRouter<Arc<Engine>> {
    route.layer(from_fn(without_body))
}

async fn without_body(request: Request, next: Next) -> Result<Response, Refused> {
    refuse_query(request.uri())?;
    let pace = pace(&request);
    let request = refuse_body(request, pace).await?;
    Ok(next.run(request).await)
}

async fn authorise(
    State((engine, permission)): State<(Arc<Engine>, Permission)>,
    request: Request,
    next: Next,
) -> Result<Response, Refused> {
    let token = bearer(request.headers())?.to_owned();
    let named = request.headers().get(NAMESPACE).cloned();
    let presented = read(&engine, &token).await?;
    let which = presented.key();
    let Some(key) = engine.find_key(which).await? else {
        return Err(unauthorized("the key is unknown or revoked"));
    };
    engine.note_use(&key);
    let mut role: Role = key.role.parse().map_err(|problem: String| {
        tracing::error!(key = %key.id, problem, "a stored key has no role");
        Refused::new(ErrorCode::Internal, "the key has no role")
    })?;
    if !role.may(permission) {
        return Err(not_allowed(role, permission));
    }
    let mut ns = namespace(&engine, named.as_ref(), &key, role).await?;
    let mut token_lease = TokenLease(None);
    if let Presented::Lease(grant) = presented {
        token_lease = TokenLease(Some(grant.lease));
        if !is_meant_for(&grant, permission, request.uri().path()) {
            return Err(good_for_only(grant.lease));
        }
        if permission == Permission::LookAtTask {
            // Whatever the key behind the token may see: the work sees its task while it holds it.
            role = Role::Agent;
        }
        ns = grant.ns;
    }
    // What an agent's work spawns is bounded, whatever the key behind its token may spawn.
    let authority = match token_lease {
        TokenLease(Some(_)) => Authority::Agent,
        TokenLease(None) => role.authority(),
    };
    let caller = Caller {
        ns,
        key: key.id,
        name: key.name.clone(),
        authority,
    };
    let mut request = admit_query_and_body(request, ns).await?;
    // What the request takes is given back when it is answered.
    let place = request.extensions().get::<Place>().cloned();
    let share = DatabaseShare::new(Arc::clone(&engine), ns);
    if !permission.is_gathered() {
        match place {
            // The body takes the share when it has arrived.
            Some(_) => drop(request.extensions_mut().insert(share.clone())),
            None => share.take().await?,
        }
    }
    let extensions = request.extensions_mut();
    extensions.insert(caller.clone());
    extensions.insert(role);
    extensions.insert(token_lease);
    extensions.insert(which);
    let answers = request.extensions().get::<AnswerMemory>().cloned();
    let only_shows = request.method().is_safe();
    let mut response = next.run(request).await;
    if let Some(answers) = answers {
        response = answers.reserve(ns, only_shows, response).await?;
    }
    // For the log.
    response.extensions_mut().insert(caller);
    Ok(response)
}

fn not_allowed(role: Role, permission: Permission) -> Refused {
    let may = Role::ALL.into_iter().filter(|role| role.may(permission));
    let may: Vec<&str> = may.map(Role::name).collect();
    let detail = format!(
        "a key of role `{role}` may not do this; these roles may: {}",
        may.join(", ")
    );
    Refused::new(ErrorCode::Forbidden, detail)
}

/// The lease whose token was presented; none where it was a key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TokenLease(pub(crate) Option<LeaseId>);

/// Lets the handler read a query and a body if the call takes them, and refuses them otherwise.
async fn admit_query_and_body(mut request: Request, ns: Namespace) -> Result<Request, Refused> {
    let path = request.extensions().get::<MatchedPath>();
    let path = path.map_or("", MatchedPath::as_str);
    // HEAD is answered as GET is.
    let method = match request.method() {
        &Method::HEAD => &Method::GET,
        method => method,
    };
    let takes = openapi::takes(method, path).unwrap_or_default();
    if !takes.has_query {
        refuse_query(request.uri())?;
    }
    let largest = takes.largest_body;
    if largest == 0 {
        let pace = pace(&request);
        return refuse_body(request, pace).await;
    }
    let memory = request.extensions().get::<Arc<RequestMemory>>();
    let place = memory.map(|memory| Place::new(Arc::clone(memory), ns));
    let extensions = request.extensions_mut();
    extensions.insert(LargestBody(largest));
    if let Some(place) = place {
        extensions.insert(place);
    }
    Ok(request)
}

fn pace(request: &Request) -> Pace {
    request.extensions().get().copied().unwrap_or_default()
}

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

async fn read(engine: &Engine, token: &str) -> Result<Presented, Refused> {
    if lease_tokens::is_one(token) {
        // Verified without the database, so looking costs nothing.
        let secret = engine.lease_secret().await?;
        return match Grant::read(token, secret) {
            Some(grant) => Ok(Presented::Lease(grant)),
            None => Err(unauthorized(
                "the lease token is truncated or has an invalid signature",
            )),
        };
    }
    if !keys::is_well_formed(token) {
        // Told without looking: it costs nothing, and guesses nothing.
        return Err(unauthorized("the key is mistyped or truncated"));
    }
    Ok(Presented::Key(keys::hash(token)))
}

/// Whether a call is one that the token of a lease is for: acting on that lease, reading its task, and the
/// outputs that it was handed.
fn is_meant_for(grant: &Grant, permission: Permission, path: &str) -> bool {
    match permission {
        Permission::ActOnLease => lease_in(path) == Some(grant.lease),
        // The routes look which task is named, by its id or its planner's key, and what the lease was handed.
        Permission::LookAtTask | Permission::LookAtOutput => true,
        Permission::Submit
        | Permission::Look
        | Permission::Cancel
        | Permission::Steer
        | Permission::Work
        | Permission::Operate
        | Permission::Administer => false,
    }
}

/// The lease that a path names: `/v1/leases/{lease}/…`.
fn lease_in(path: &str) -> Option<LeaseId> {
    let mut parts = path.strip_prefix("/v1/leases/")?.split('/');
    parts.next()?.parse().ok()
}

/// Refuses a lease token for a call that is not about its lease.
pub(crate) fn good_for_only(lease: LeaseId) -> Refused {
    let detail = format!("this token is valid for {lease} only");
    Refused::new(ErrorCode::Forbidden, detail)
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
    // Not by its name, which may be a secret in the wrong place; the client knows it.
    let missing = || Refused::not_found("the namespace of the request").at(NAMESPACE);
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
    Refused::new(ErrorCode::Unauthorized, "the request carries no valid key").hint(hint)
}
