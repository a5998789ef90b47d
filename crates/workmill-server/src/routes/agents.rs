//! Agents register themselves.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use workmill_engine::dispatch::AgentDescription;
use workmill_engine::{Caller, Engine};
use workmill_protocol::agents::{RegisterAgent, RegisteredAgent};

use crate::body::Strict;
use crate::problem::Refused;

pub(super) async fn register(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Strict(request): Strict<RegisterAgent>,
) -> Result<(StatusCode, Json<RegisteredAgent>), Refused> {
    let agent = AgentDescription {
        agent: request.id,
        agent_type: request.agent_type,
        capabilities: request.capabilities,
        models: request.models_available,
        slots: request.max_concurrent_tasks,
    };
    engine.register_agent(&caller, &agent).await?;
    Ok((
        StatusCode::CREATED,
        Json(RegisteredAgent { id: agent.agent }),
    ))
}
