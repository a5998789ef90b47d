//! A planner's list, brought up to date.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Deserialize;
use utoipa::IntoParams;
use workmill_engine::intake::plan;
use workmill_engine::{Caller, Engine, beside};
use workmill_protocol::plan::{PlanAction, PlanChange, SyncedPlan};

use crate::body::Bytes;
use crate::problem::Refused;
use crate::query::Asked;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mode {
    /// Dry run: changes nothing and returns what would happen.
    #[serde(default)]
    dry_run: bool,
    /// Only add tasks: a task that exists already is an error, and no task is deleted.
    #[serde(default)]
    add: bool,
}

pub(super) async fn sync(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Asked(mode): Asked<Mode>,
    Bytes(list): Bytes,
) -> Result<Response, Refused> {
    let how = if mode.add {
        plan::PlanMode::Add
    } else {
        plan::PlanMode::Sync
    };
    let done = engine.sync_plan(&caller, list, how, mode.dry_run).await?;
    let is_long = done.changes.len() > A_FEW;
    Ok(beside(is_long, || {
        Json(shown(&done, mode.dry_run)).into_response()
    }))
}

/// More changes take longer to write than a change of threads.
const A_FEW: usize = 100;

fn shown(done: &plan::PlanChanges, with_changes: bool) -> SyncedPlan {
    let count = |action: plan::PlanAction| {
        let changes = done.changes.iter();
        changes.filter(|change| change.action == action).count()
    };
    let changes = done.changes.iter().map(|change| PlanChange {
        id: change.key.clone(),
        action: match change.action {
            plan::PlanAction::Inserted => PlanAction::Insert,
            plan::PlanAction::Updated => PlanAction::Update,
            plan::PlanAction::Deleted => PlanAction::Delete,
        },
        fields: change
            .fields
            .iter()
            .map(|field| (*field).to_owned())
            .collect(),
    });
    SyncedPlan {
        inserted: count(plan::PlanAction::Inserted),
        updated: count(plan::PlanAction::Updated),
        deleted: count(plan::PlanAction::Deleted),
        skipped_done: done.skipped,
        unchanged: done.unchanged,
        changes: with_changes.then(|| changes.collect()),
    }
}
