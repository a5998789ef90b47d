//! Graphs: create one, look at one, list them.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::{Extension, Json};
use workmill_core::graph::GraphStatus;
use workmill_core::ids::GraphId;
use workmill_engine::intake::GraphRequest;
use workmill_engine::look::GraphFilter;
use workmill_engine::settlement;
use workmill_engine::{Caller, Engine};
use workmill_protocol::graphs::{
    CancelGraph, CancelMode, CancelledGraph, CreateGraph, CreatedGraph, GraphList, GrowGraph,
    ListGraphs, RetriedGraph,
};
use workmill_protocol::role::Role;
use workmill_protocol::tasks::SubmittedTasks;

use super::{EndInTime, USUAL_LIMIT, created, idempotency_key, read_cursor, read_id};
use crate::answers;
use crate::body::Strict;
use crate::problem::Refused;
use crate::query::Asked;

pub(super) async fn create(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Strict(request): Strict<CreateGraph>,
) -> Result<(StatusCode, Json<CreatedGraph>), Refused> {
    let key = idempotency_key(&headers)?;
    let CreateGraph {
        title,
        draft,
        budget_usd,
        project_id,
        created_by,
        tasks,
    } = request;
    let request = GraphRequest {
        title,
        draft,
        budget_usd,
        project_id,
        created_by,
        tasks,
    };
    let graph = engine.submit_graph(&caller, request, key).await?;
    let status = if draft {
        GraphStatus::Pending
    } else {
        GraphStatus::Running
    };
    let answer = CreatedGraph {
        id: graph.id,
        status,
        tasks: graph.tasks.into_iter().collect(),
        roots: graph.roots,
        leaves: graph.leaves,
    };
    Ok((created(graph.is_repeat), Json(answer)))
}

pub(super) async fn grow(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Strict(request): Strict<GrowGraph>,
) -> Result<(StatusCode, Json<SubmittedTasks>), Refused> {
    let dag_id: GraphId = read_id(&id)?;
    let key = idempotency_key(&headers)?;
    let boosts = answers::boosts(&request.tasks);
    let grown = engine.grow_graph(&caller, dag_id, request.tasks, key);
    let grown = grown.await?;
    let tasks = boosts.into_iter().zip(grown.tasks);
    let tasks = tasks
        .map(|(boost, id)| answers::submitted(boost, id, dag_id))
        .collect();
    Ok((created(grown.is_repeat), Json(SubmittedTasks { tasks })))
}

pub(super) async fn submit(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Response, Refused> {
    let id: GraphId = read_id(&id)?;
    engine.submit_draft(&caller, id).await?;
    Ok(answers::written_graph(engine.graph(&caller, id).await?))
}

pub(super) async fn show(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Response, Refused> {
    let graph = engine.graph(&caller, read_id(&id)?).await?;
    Ok(answers::written_graph(graph))
}

pub(super) async fn list(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Asked(asked): Asked<ListGraphs>,
) -> Result<Json<GraphList>, Refused> {
    let filter = GraphFilter {
        statuses: asked.status.into_iter().collect(),
        title: asked.q,
        project: asked.project,
        created_by: asked.created_by,
        since: asked.since,
        until: asked.until,
    };
    let before: Option<GraphId> = read_cursor(asked.cursor)?;
    let limit = asked.limit.unwrap_or(USUAL_LIMIT);
    let page = engine.graphs(&caller, &filter, before, limit).await?;
    Ok(Json(GraphList {
        items: page.graphs.into_iter().map(answers::listed_graph).collect(),
        next_cursor: page.next.map(|next| next.to_string()),
    }))
}

pub(super) async fn cancel(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Extension(role): Extension<Role>,
    Path(id): Path<String>,
    Strict(request): Strict<CancelGraph>,
) -> Result<Json<CancelledGraph>, Refused> {
    let id: GraphId = read_id(&id)?;
    if role.cancels_only_its_own() {
        engine.check_submitted_graph(&caller, id).await?;
    }
    let mode = match request.mode {
        CancelMode::Now => settlement::CancelMode::Now,
        CancelMode::Drain => settlement::CancelMode::Drain,
    };
    let cancelled = engine.cancel_graph(&caller, id, mode).await?;
    Ok(Json(CancelledGraph { id, cancelled }))
}

pub(super) async fn retry(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<RetriedGraph>, Refused> {
    let id: GraphId = read_id(&id)?;
    let in_time = EndInTime::new();
    let progress = engine.retry_graph(&caller, id, |_| in_time.go_on()).await?;
    Ok(Json(RetriedGraph {
        id,
        retried: progress.resolved,
        more: !progress.is_done,
    }))
}
