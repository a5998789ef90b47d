//! Every route, with who may call it.

pub(crate) mod agents;
mod audit;
mod batches;
mod bulk;
mod claims;
pub(crate) mod dead_letters;
mod docs;
pub(crate) mod events;
mod gates;
pub(crate) mod graphs;
pub(crate) mod health;
pub(crate) mod keys;
mod leases;
mod metrics;
pub(crate) mod namespaces;
pub(crate) mod plan;
pub(crate) mod projects;
mod questions;
pub(crate) mod retention;
mod stats;
pub(crate) mod tasks;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::from_fn;
use axum::routing::{MethodRouter, delete, get, patch, post, put};
use axum::{Extension, Router};
use workmill_engine::Engine;
use workmill_protocol::error::ErrorCode;
use workmill_protocol::role::Permission;

use crate::conditions;
use crate::guard::{guarded, open};
use crate::http_metrics::HttpMetrics;
use crate::problem::Refused;

pub(crate) fn all(engine: &Arc<Engine>, requests: &HttpMetrics, has_open_metrics: bool) -> Router {
    Router::new()
        .merge(of_tasks(engine))
        .merge(of_graphs(engine))
        .merge(of_projects(engine))
        .merge(of_agents(engine))
        .merge(of_leases(engine))
        .merge(decisions(engine))
        .merge(settings(engine))
        .merge(administration(engine))
        .merge(of_the_server(engine, requests, has_open_metrics))
        .fallback(unknown_route)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn(conditions::check))
        .with_state(Arc::clone(engine))
}

fn of_tasks(engine: &Arc<Engine>) -> Router<Arc<Engine>> {
    let submit = |route| guarded(route, engine, Permission::Submit);
    let look = |route| guarded(route, engine, Permission::Look);
    let look_at_task = |route| guarded(route, engine, Permission::LookAtTask);
    let look_at_output = |route| guarded(route, engine, Permission::LookAtOutput);
    let cancel = |route| guarded(route, engine, Permission::Cancel);
    let steer = |route| guarded(route, engine, Permission::Steer);
    Router::new()
        .route(
            "/v1/tasks",
            submit(post(tasks::submit)).merge(look(get(tasks::list))),
        )
        .route(
            "/v1/tasks/{id}",
            look_at_task(get(tasks::show)).merge(steer(patch(tasks::edit))),
        )
        .route("/v1/tasks/{id}/output", look_at_output(get(tasks::output)))
        .route("/v1/tasks/{id}/adopt", steer(post(tasks::adopt)))
        .route(
            "/v1/tasks/{id}/dependencies/{on}",
            steer(put(tasks::add_dependency).delete(tasks::remove_dependency)),
        )
        .route("/v1/tasks/{id}/explain", look(get(tasks::explain)))
        .route("/v1/tasks/{id}/cancel", cancel(post(tasks::cancel)))
        .route("/v1/tasks/{id}/answer", steer(post(tasks::answer)))
}

fn of_graphs(engine: &Arc<Engine>) -> Router<Arc<Engine>> {
    let submit = |route| guarded(route, engine, Permission::Submit);
    let look = |route| guarded(route, engine, Permission::Look);
    let cancel = |route| guarded(route, engine, Permission::Cancel);
    let steer = |route| guarded(route, engine, Permission::Steer);
    Router::new()
        .route(
            "/v1/graphs",
            submit(post(graphs::create)).merge(look(get(graphs::list))),
        )
        .route("/v1/graphs/{id}", look(get(graphs::show)))
        .route("/v1/graphs/{id}/tasks", steer(post(graphs::grow)))
        .route("/v1/graphs/{id}/submit", steer(post(graphs::submit)))
        .route("/v1/graphs/{id}/cancel", cancel(post(graphs::cancel)))
        .route("/v1/graphs/{id}/retry", steer(post(graphs::retry)))
}

fn of_projects(engine: &Arc<Engine>) -> Router<Arc<Engine>> {
    let look = |route| guarded(route, engine, Permission::Look);
    let steer = |route| guarded(route, engine, Permission::Steer);
    Router::new()
        .route(
            "/v1/projects",
            steer(post(projects::create)).merge(look(get(projects::list))),
        )
        .route(
            "/v1/projects/{id}",
            look(get(projects::show)).merge(steer(patch(projects::change))),
        )
        .route("/v1/plan-sync", steer(post(plan::sync)))
}

/// Agents, their claims, and the calls about several leases at once.
fn of_agents(engine: &Arc<Engine>) -> Router<Arc<Engine>> {
    let look = |route| guarded(route, engine, Permission::Look);
    let work = |route| guarded(route, engine, Permission::Work);
    let operate = |route| guarded(route, engine, Permission::Operate);
    Router::new()
        .route(
            "/v1/agents",
            work(post(agents::register)).merge(look(get(agents::list))),
        )
        .route(
            "/v1/agents/{id}",
            look(get(agents::show))
                .merge(operate(patch(agents::change)))
                .merge(operate(delete(agents::remove))),
        )
        .route("/v1/agents/{id}/heartbeat", work(post(agents::heartbeat)))
        .route("/v1/agents/{id}/sign-off", work(post(agents::sign_off)))
        .route("/v1/claims", work(post(claims::claim)))
        .route("/v1/claims/preview", look(post(claims::preview)))
        .route("/v1/heartbeats", work(post(batches::heartbeats)))
        .route("/v1/settlements", work(post(batches::settlements)))
}

fn of_leases(engine: &Arc<Engine>) -> Router<Arc<Engine>> {
    let act = |route| guarded(route, engine, Permission::ActOnLease);
    let work = |route| guarded(route, engine, Permission::Work);
    Router::new()
        .route("/v1/leases/{lease}", act(get(leases::show)))
        .route("/v1/leases/{lease}/start", act(post(leases::start)))
        .route("/v1/leases/{lease}/heartbeat", act(post(leases::heartbeat)))
        .route("/v1/leases/{lease}/complete", act(post(leases::complete)))
        .route("/v1/leases/{lease}/fail", act(post(leases::fail)))
        .route("/v1/leases/{lease}/release", act(post(leases::release)))
        .route("/v1/leases/{lease}/spawn", act(post(leases::spawn)))
        .route("/v1/leases/{lease}/block", act(post(leases::block)))
        .route("/v1/leases/{lease}/token", work(post(leases::token)))
}

/// Tasks that wait for a decision, bulk actions, and the audit log.
fn decisions(engine: &Arc<Engine>) -> Router<Arc<Engine>> {
    let look = |route| guarded(route, engine, Permission::Look);
    let steer = |route| guarded(route, engine, Permission::Steer);
    let operate = |route| guarded(route, engine, Permission::Operate);
    Router::new()
        .route("/v1/dead-letters", look(get(dead_letters::list)))
        .route("/v1/dead-letters/groups", look(get(dead_letters::groups)))
        .route(
            "/v1/dead-letters/resolve",
            steer(post(dead_letters::resolve_all)),
        )
        .route(
            "/v1/dead-letters/{id}",
            look(get(dead_letters::show)).merge(steer(patch(dead_letters::review))),
        )
        .route(
            "/v1/dead-letters/{id}/resolve",
            steer(post(dead_letters::resolve)),
        )
        .route("/v1/questions", look(get(questions::list)))
        .route("/v1/bulk", operate(post(bulk::change)))
        .route("/v1/audit", operate(get(audit::list)))
}

/// The state of a namespace, its events, and its settings, which hold until they are changed.
fn settings(engine: &Arc<Engine>) -> Router<Arc<Engine>> {
    let look = |route| guarded(route, engine, Permission::Look);
    let operate = |route| guarded(route, engine, Permission::Operate);
    Router::new()
        .route("/v1/stats", look(get(stats::show)))
        .route("/v1/events", look(get(events::events)))
        .route("/v1/limits", look(get(gates::limits)))
        .route(
            "/v1/limits/{scope}",
            operate(put(gates::set_limit).delete(gates::remove_limit)),
        )
        .route("/v1/budgets", look(get(gates::budgets)))
        .route(
            "/v1/budgets/{scope}",
            operate(put(gates::set_budget).delete(gates::remove_budget)),
        )
        .route("/v1/pauses", look(get(gates::pauses)))
        .route(
            "/v1/pauses/{scope}",
            operate(put(gates::set_pause).delete(gates::remove_pause)),
        )
        .route(
            "/v1/retention",
            look(get(retention::show))
                .merge(operate(put(retention::set).delete(retention::remove))),
        )
        .route(
            "/v1/namespaces/{name}/settings",
            look(get(namespaces::show_settings)).merge(operate(put(namespaces::set_settings))),
        )
}

/// Keys and namespaces.
fn administration(engine: &Arc<Engine>) -> Router<Arc<Engine>> {
    let administer = |route| guarded(route, engine, Permission::Administer);
    Router::new()
        .route("/v1/keys", administer(post(keys::create).get(keys::list)))
        .route("/v1/keys/{id}", administer(delete(keys::revoke)))
        .route("/v1/keys/{id}/rotate", administer(post(keys::rotate)))
        .route(
            "/v1/namespaces",
            administer(post(namespaces::create).get(namespaces::list)),
        )
}

/// Health, metrics and documentation of the server.
fn of_the_server(
    engine: &Arc<Engine>,
    requests: &HttpMetrics,
    has_open_metrics: bool,
) -> Router<Arc<Engine>> {
    // Metrics cover all namespaces.
    let watch = |route: MethodRouter<Arc<Engine>>| {
        let route = route.layer(Extension(requests.clone()));
        if has_open_metrics {
            open(route)
        } else {
            guarded(route, engine, Permission::Administer)
        }
    };
    Router::new()
        .route("/health", open(get(health::health)))
        .route("/ready", open(get(health::ready)))
        .route("/metrics", watch(get(metrics::show)))
        .route("/openapi.json", open(get(docs::document)))
        .route("/docs", open(get(docs::page)))
        .route("/docs/docs.js", open(get(docs::script)))
        .route("/docs/docs.css", open(get(docs::style)))
}

async fn unknown_route(uri: Uri) -> Refused {
    Refused::not_found(uri.path())
}

async fn wrong_method(method: Method, uri: Uri) -> Refused {
    let detail = format!("{} does not take {method}", uri.path());
    Refused::new(ErrorCode::MethodNotAllowed, detail)
}

/// An id in a path that is no id names nothing.
fn read_id<T: std::str::FromStr>(text: &str) -> Result<T, Refused> {
    text.parse()
        .map_err(|_| Refused::not_found(format_args!("`{text}`")))
}

/// Items on a page, unless the caller says.
const USUAL_LIMIT: usize = 50;

/// Where the page before this one ended.
fn read_cursor<T: std::str::FromStr>(cursor: Option<String>) -> Result<Option<T>, Refused> {
    let read = cursor.map(|text| text.parse()).transpose();
    read.map_err(|_| {
        let detail = "is not the `next_cursor` of a page";
        Refused::new(ErrorCode::Invalid, detail).at("cursor")
    })
}

/// Ends an action on many after a batch, well before the request would be cut off: the caller hears
/// how far it got, and goes on with the next call.
#[derive(Debug, Clone, Copy)]
struct EndInTime(Instant);

impl EndInTime {
    const LONGEST: Duration = Duration::from_secs(20);

    fn new() -> Self {
        EndInTime(Instant::now())
    }

    fn go_on(self) -> ControlFlow<()> {
        if self.0.elapsed() < Self::LONGEST {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

/// The header that makes repeating a call harmless.
fn idempotency_key(headers: &HeaderMap) -> Result<Option<&str>, Refused> {
    let Some(value) = headers.get("idempotency-key") else {
        return Ok(None);
    };
    let text = value.to_str().ok();
    let text = text.filter(|text| !text.contains(char::is_control));
    let refused = || Refused::new(ErrorCode::Invalid, "the Idempotency-Key is not plain text");
    text.map(Some).ok_or_else(refused)
}

/// Created now, or by the same call before.
fn created(is_repeat: bool) -> StatusCode {
    if is_repeat {
        StatusCode::OK
    } else {
        StatusCode::CREATED
    }
}
