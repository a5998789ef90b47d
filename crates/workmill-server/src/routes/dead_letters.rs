//! Dead letters: decide about them.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::{Extension, Json};
use workmill_core::ids::TaskId;
use workmill_engine::{Caller, Engine, settlement};
use workmill_protocol::tasks::{Resolution, ResolveDeadLetter, TaskStatus};

use super::read_id;
use crate::body::Strict;
use crate::problem::Refused;

pub(super) async fn resolve(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Strict(request): Strict<ResolveDeadLetter>,
) -> Result<Json<TaskStatus>, Refused> {
    let id: TaskId = read_id(&id)?;
    let resolution = match request.resolution {
        Resolution::Retry => settlement::Resolution::Retry,
        Resolution::Cancel => settlement::Resolution::Cancel,
    };
    let status = engine.resolve_dead_letter(&caller, id, resolution).await?;
    Ok(Json(TaskStatus { id, status }))
}
