//! Projects: made, changed, listed and looked at.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::{Extension, Json};
use serde::Deserialize;
use utoipa::IntoParams;
use workmill_core::ids::ProjectId;
use workmill_core::project::{ProjectChange, ProjectDescription};
use workmill_engine::{Caller, Engine, projects};
use workmill_protocol::projects::{
    ChangeProject, CreateProject, Project, ProjectList, ProjectTasks,
};

use super::{USUAL_LIMIT, created, idempotency_key, read_cursor, read_id};
use crate::body::Strict;
use crate::conditions::{Edited, IfMatch};
use crate::problem::Refused;
use crate::query::Asked;

pub(super) async fn create(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Strict(request): Strict<CreateProject>,
) -> Result<(StatusCode, Json<Project>), Refused> {
    let said = ProjectDescription {
        name: request.name,
        description: request.description,
        status: request.status,
        external_ref: request.external_ref,
        metadata: request.metadata,
    };
    let key = idempotency_key(&headers)?;
    let (id, is_repeat) = engine.create_project(&caller, &said, key).await?;
    let project = engine.project(&caller, id).await?;
    Ok((created(is_repeat), Json(shown(project))))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    #[param(minimum = 1, maximum = 500)]
    limit: Option<usize>,
    /// The `next_cursor` of the previous page.
    #[param(value_type = Option<ProjectId>)]
    cursor: Option<String>,
}

pub(super) async fn list(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Asked(page): Asked<Page>,
) -> Result<Json<ProjectList>, Refused> {
    let after: Option<ProjectId> = read_cursor(page.cursor)?;
    let limit = page.limit.unwrap_or(USUAL_LIMIT);
    let page = engine.projects(&caller, after, limit).await?;
    let last = page.items.last().map(|project| project.id.to_string());
    Ok(Json(ProjectList {
        next_cursor: last.filter(|_| page.is_full),
        items: page.items.into_iter().map(shown).collect(),
    }))
}

pub(super) async fn show(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<(Extension<Edited>, Json<Project>), Refused> {
    let project = engine.project(&caller, read_id(&id)?).await?;
    answer(&engine, &caller, project).await
}

pub(super) async fn change(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    IfMatch(expected): IfMatch,
    Strict(request): Strict<ChangeProject>,
) -> Result<(Extension<Edited>, Json<Project>), Refused> {
    let change = ProjectChange {
        name: request.name,
        description: request.description,
        status: request.status,
        external_ref: request.external_ref,
        metadata: request.metadata,
    };
    let id: ProjectId = read_id(&id)?;
    let project = engine
        .change_project(&caller, id, &change, &expected)
        .await?;
    answer(&engine, &caller, project).await
}

/// With its counts.
async fn answer(
    engine: &Engine,
    caller: &Caller,
    project: projects::Project,
) -> Result<(Extension<Edited>, Json<Project>), Refused> {
    let tally = engine.project_tally(caller, project.id).await?;
    let edited = Edited(project.edition());
    let tasks = ProjectTasks {
        by_status: tally.tasks,
        is_whole: tally.is_whole,
    };
    let project = Project {
        tasks: Some(tasks),
        ..shown(project)
    };
    Ok((Extension(edited), Json(project)))
}

fn shown(project: projects::Project) -> Project {
    let said = project.said;
    Project {
        id: project.id,
        name: said.name,
        description: said.description,
        status: said.status,
        external_ref: said.external_ref,
        metadata: said.metadata,
        version: project.version,
        created_by: project.created_by,
        created_at: project.created_at,
        updated_at: project.updated_at,
        tasks: None,
    }
}
