//! Namespaces: made and listed by admins; their settings.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::Deserialize;
use utoipa::IntoParams;
use workmill_core::schema::Text;
use workmill_engine::{Caller, Engine};
use workmill_protocol::keys::{CreateNamespace, CreatedNamespace, Namespace, NamespaceList};
use workmill_protocol::role::Role;
use workmill_protocol::settings::NamespaceSettings;

use super::created;
use crate::body::Strict;
use crate::problem::Refused;
use crate::query::Asked;

const USUAL_LIMIT: i64 = 100;

/// Creating what is there is no mistake.
pub(super) async fn create(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Strict(request): Strict<CreateNamespace>,
) -> Result<(StatusCode, Json<CreatedNamespace>), Refused> {
    let is_new = engine.create_namespace(&caller, &request.name).await?;
    let answer = CreatedNamespace { name: request.name };
    Ok((created(!is_new), Json(answer)))
}

pub(super) async fn show_settings(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Extension(role): Extension<Role>,
    Path(name): Path<String>,
) -> Result<Json<NamespaceSettings>, Refused> {
    let caller = in_namespace(&engine, caller, role, &name).await?;
    let spawning = engine.spawn_settings(&caller).await?;
    Ok(Json(NamespaceSettings { spawning }))
}

pub(super) async fn set_settings(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Extension(role): Extension<Role>,
    Path(name): Path<String>,
    Strict(request): Strict<NamespaceSettings>,
) -> Result<Json<NamespaceSettings>, Refused> {
    let caller = in_namespace(&engine, caller, role, &name).await?;
    engine.set_spawn_settings(&caller, request.spawning).await?;
    Ok(Json(request))
}

/// The caller in the namespace of this name. To all but admins, only their own exists.
async fn in_namespace(
    engine: &Engine,
    caller: Caller,
    role: Role,
    name: &str,
) -> Result<Caller, Refused> {
    let ns = engine.namespace(name).await?;
    if ns != caller.ns && role != Role::Admin {
        return Err(Refused::not_found(format_args!("namespace `{name}`")));
    }
    Ok(Caller { ns, ..caller })
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    /// Items per page: 100 by default, at most 1,000.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<i64>,
    /// The `next_cursor` of the previous page.
    #[param(value_type = Option<Text>)]
    cursor: Option<String>,
}

pub(super) async fn list(
    State(engine): State<Arc<Engine>>,
    Asked(page): Asked<Page>,
) -> Result<Json<NamespaceList>, Refused> {
    let (after, limit) = (
        page.cursor.unwrap_or_default(),
        page.limit.unwrap_or(USUAL_LIMIT),
    );
    let found = engine.namespaces(&after, limit).await?;
    let is_full = i64::try_from(found.len()).is_ok_and(|found| found >= limit);
    let last = found.last().map(|namespace| namespace.name.clone());
    let items = found.into_iter().map(|namespace| Namespace {
        name: namespace.name,
        created_at: namespace.created_at,
    });
    Ok(Json(NamespaceList {
        items: items.collect(),
        next_cursor: last.filter(|_| is_full),
    }))
}
