//! Alive, and ready: the database answers.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use workmill_engine::Engine;

use crate::problem::Refused;

pub(super) async fn health() -> Json<Value> {
    Json(json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")}))
}

pub(super) async fn ready(State(engine): State<Arc<Engine>>) -> Result<Json<Value>, Refused> {
    engine.store().now().await?;
    Ok(Json(json!({"status": "ready"})))
}
