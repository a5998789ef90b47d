//! Graphs: create one, look at one, find those that are not done.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::Deserialize;
use workmill_core::graph::GraphStatus;
use workmill_core::ids::GraphId;
use workmill_engine::settlement;
use workmill_engine::{Caller, Engine};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::graphs::{
    CancelGraph, CancelMode, CancelledGraph, CreateGraph, CreatedGraph, Graph, GraphList,
};

use super::read_id;
use crate::answers;
use crate::body::Strict;
use crate::problem::Refused;

pub(super) async fn create(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Strict(request): Strict<CreateGraph>,
) -> Result<(StatusCode, Json<CreatedGraph>), Refused> {
    let graph = engine
        .submit_graph(&caller, &request.title, &request.tasks)
        .await?;
    let created = CreatedGraph {
        id: graph.id,
        status: GraphStatus::Running,
        tasks: graph.tasks.into_iter().collect(),
        roots: graph.roots,
        leaves: graph.leaves,
    };
    Ok((StatusCode::CREATED, Json(created)))
}

pub(super) async fn show(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<Graph>, Refused> {
    let graph = engine.graph(&caller, read_id(&id)?).await?;
    Ok(Json(answers::graph(graph)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Filter {
    status: String,
    created_by: String,
}

pub(super) async fn list(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    query: Result<Query<Filter>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<GraphList>, Refused> {
    let Query(filter) =
        query.map_err(|error| Refused::new(ErrorCode::Invalid, error.body_text()))?;
    if filter.status != "unfinished" {
        return Err(Refused::new(
            ErrorCode::Invalid,
            "status: only `unfinished` can be listed",
        ));
    }
    let items = engine
        .unfinished_graphs(&caller, &filter.created_by)
        .await?;
    Ok(Json(GraphList { items }))
}

pub(super) async fn cancel(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Strict(request): Strict<CancelGraph>,
) -> Result<Json<CancelledGraph>, Refused> {
    let id: GraphId = read_id(&id)?;
    let mode = match request.mode {
        CancelMode::Now => settlement::CancelMode::Now,
        CancelMode::Drain => settlement::CancelMode::Drain,
    };
    let cancelled = engine.cancel_graph(&caller, id, mode).await?;
    Ok(Json(CancelledGraph { id, cancelled }))
}
