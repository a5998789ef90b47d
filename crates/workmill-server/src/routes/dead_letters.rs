//! Dead letters: decide about them.

use std::sync::Arc;

use axum::extract::{self, Path};
use axum::{Extension, Json};
use serde_json::{Map, Value};
use workmill_core::ids::TaskId;
use workmill_engine::settlement::dead_letters;
use workmill_engine::{Caller, Engine};
use workmill_protocol::error::ErrorCode;
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
    let resolution = read_resolution(request.resolution, request.changes)?;
    let status = engine
        .resolve_dead_letter(&caller, id, &resolution, request.note.as_deref())
        .await?;
    Ok(Json(TaskStatus { id, status }))
}

/// Only a modification has changes.
fn read_resolution(
    named: Resolution,
    changes: Map<String, Value>,
) -> Result<dead_letters::Resolution, Refused> {
    match named {
        Resolution::ModifyAndRetry => Ok(dead_letters::Resolution::ModifyAndRetry { changes }),
        Resolution::Retry | Resolution::Cancel if !changes.is_empty() => {
            let detail = "only `modify_and_retry` takes changes";
            Err(Refused::new(ErrorCode::Invalid, detail).at("changes"))
        }
        Resolution::Retry => Ok(dead_letters::Resolution::Retry),
        Resolution::Cancel => Ok(dead_letters::Resolution::Cancel),
    }
}
