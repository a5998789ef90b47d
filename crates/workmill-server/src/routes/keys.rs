//! Keys: made, listed, rotated and revoked by admins. A token is shown once, to whoever made it.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;
use workmill_core::schema::Text;
use workmill_engine::access::{KeyFilter, KeyRef, ListedKey};
use workmill_engine::{Caller, Engine};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::keys::{CreateKey, CreatedKey, Key, KeyList, RotateKey};

use super::read_id;
use crate::body::Strict;
use crate::keys;
use crate::problem::Refused;
use crate::query::Asked;

const USUAL_LIMIT: i64 = 100;

pub(super) async fn create(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Strict(request): Strict<CreateKey>,
) -> Result<(StatusCode, Json<CreatedKey>), Refused> {
    let token = keys::mint();
    let CreateKey {
        name,
        role,
        namespace,
    } = request;
    let id = engine
        .create_key(
            &caller,
            namespace.as_deref(),
            &name,
            role.name(),
            &keys::hash(&token),
        )
        .await?;
    // Reading it back says which namespace it is in, and that it works.
    let made = engine.find_key(KeyRef::Token(keys::hash(&token))).await?;
    let made = made.ok_or_else(|| Refused::not_found(id))?;
    let answer = CreatedKey {
        id,
        name,
        role,
        namespace: made.namespace.clone(),
        token,
    };
    Ok((StatusCode::CREATED, Json(answer)))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    /// Items per page: 100 by default, at most 1,000.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<i64>,
    /// The `next_cursor` of the previous page.
    cursor: Option<Uuid>,
    /// Only keys of this namespace.
    #[param(value_type = Option<Text>)]
    namespace: Option<String>,
    /// Also list revoked keys.
    revoked: Option<bool>,
}

pub(super) async fn list(
    State(engine): State<Arc<Engine>>,
    Asked(page): Asked<Page>,
) -> Result<Json<KeyList>, Refused> {
    let filter = KeyFilter {
        namespace: page.namespace,
        with_revoked: page.revoked.unwrap_or(false),
    };
    let limit = page.limit.unwrap_or(USUAL_LIMIT);
    let found = engine.keys(&filter, page.cursor, limit).await?;
    let is_full = i64::try_from(found.len()).is_ok_and(|found| found >= limit);
    let last = found.last().map(|key| key.id.to_string());
    Ok(Json(KeyList {
        items: found.into_iter().map(shown).collect(),
        next_cursor: last.filter(|_| is_full),
    }))
}

fn shown(key: ListedKey) -> Key {
    Key {
        id: key.id,
        name: key.name,
        role: key.role,
        namespace: key.namespace,
        created_at: key.created_at,
        last_used_at: key.used_at,
        rotated_at: key.rotated_at,
        old_token_good_until: key.old_until,
        revoked_at: key.revoked_at,
    }
}

pub(super) async fn rotate(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Strict(request): Strict<RotateKey>,
) -> Result<Json<CreatedKey>, Refused> {
    let id: Uuid = read_id(&id)?;
    let token = keys::mint();
    let grace = Duration::from_secs(request.grace_sec);
    let key = engine
        .rotate_key(&caller, id, &keys::hash(&token), grace)
        .await?;
    let role = key.role.parse();
    let role = role.map_err(|problem: String| Refused::new(ErrorCode::Internal, problem))?;
    Ok(Json(CreatedKey {
        id,
        name: key.name,
        role,
        namespace: key.namespace,
        token,
    }))
}

pub(super) async fn revoke(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<StatusCode, Refused> {
    engine.revoke_key(&caller, read_id(&id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
