//! Dead letters: decide about them.

use std::sync::Arc;

use axum::extract::{self, Path};
use axum::{Extension, Json};
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_engine::{Caller, Engine, settlement};
use workmill_protocol::tasks::{Resolution, ResolveDeadLetter, TaskStatus};

use super::read_id;
use crate::body::Strict;
use crate::problem::Refused;

pub(super) async fn resolve(
    extract::State(engine): extract::State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Strict(request): Strict<ResolveDeadLetter>,
) -> Result<Json<TaskStatus>, Refused> {
    let id: TaskId = read_id(&id)?;
    let status = match request.resolution {
        Resolution::Retry => retry(&engine, &caller, id, settlement::Resolution::Retry).await?,
        Resolution::Cancel => retry(&engine, &caller, id, settlement::Resolution::Cancel).await?,
        Resolution::ModifyAndRetry => {
            engine
                .edit_task(&caller, id, &request.changes, None, true)
                .await?
                .state
        }
    };
    Ok(Json(TaskStatus { id, status }))
}

async fn retry(
    engine: &Engine,
    caller: &Caller,
    id: TaskId,
    resolution: settlement::Resolution,
) -> Result<State, Refused> {
    Ok(engine.resolve_dead_letter(caller, id, resolution).await?)
}
