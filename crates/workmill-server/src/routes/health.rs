//! Alive, and ready: the database answers.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use workmill_engine::Engine;

use crate::problem::Refused;

#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    #[schema(pattern = "^ok$")]
    status: &'static str,
    version: &'static str,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Ready {
    #[schema(pattern = "^ready$")]
    status: &'static str,
    /// Namespaces on a part of the database that cannot be reached. Absent if all can be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    unreachable_namespaces: Option<usize>,
}

pub(super) async fn health() -> Json<Health> {
    Json(Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
    })
}

pub(super) async fn ready(State(engine): State<Arc<Engine>>) -> Result<Json<Ready>, Refused> {
    engine.store().now().await?;
    let unreachable = engine.store().unreachable_namespaces();
    Ok(Json(Ready {
        status: "ready",
        unreachable_namespaces: (unreachable > 0).then_some(unreachable),
    }))
}
