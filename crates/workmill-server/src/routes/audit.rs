//! The record of what was done by hand.

use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use workmill_core::audit::Action;
use workmill_core::fields::not_one_of;
use workmill_engine::look::{AuditFilter, Audited};
use workmill_engine::{Caller, Engine};
use workmill_protocol::audit::{AuditEntry, AuditList, ListAudit};
use workmill_protocol::error::ErrorCode;

use super::{USUAL_LIMIT, read_cursor};
use crate::problem::Refused;
use crate::query::Asked;

pub(super) async fn list(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Asked(asked): Asked<ListAudit>,
) -> Result<Json<AuditList>, Refused> {
    let action = asked.action.map(|name| {
        Action::from_name(&name).ok_or_else(|| {
            let detail = format!("no action is called `{name}`");
            let known: Vec<&str> = Action::ALL.iter().copied().map(Action::name).collect();
            let detail = not_one_of(&detail, &name, &known);
            Refused::new(ErrorCode::Invalid, detail).at("action")
        })
    });
    let filter = AuditFilter {
        actor: asked.actor,
        action: action.transpose()?,
        subject_kind: asked.subject_kind,
        subject: asked.subject,
        since: asked.since,
    };
    let before = read_cursor(asked.cursor)?;
    let limit = asked.limit.unwrap_or(USUAL_LIMIT);
    let page = engine.audit(&caller, &filter, before, limit).await?;
    Ok(Json(AuditList {
        items: page.entries.into_iter().map(entry).collect(),
        next_cursor: page.next.map(|next| next.to_string()),
    }))
}

fn entry(audited: Audited) -> AuditEntry {
    AuditEntry {
        id: audited.id,
        at: audited.at,
        actor: audited.actor,
        actor_key: audited.actor_key,
        action: audited.action,
        subject_kind: audited.subject_kind,
        subject: audited.subject,
        before: audited.before,
        after: audited.after,
        note: audited.note,
    }
}
