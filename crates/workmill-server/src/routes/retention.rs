//! How long finished tasks are kept, and what would go.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Deserialize;
use utoipa::IntoParams;
use workmill_core::edition::Expected;
use workmill_engine::retention;
use workmill_engine::{Caller, Engine};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::retention::{Retention, RetentionPreview};

use crate::body::Strict;
use crate::conditions::{Edited, IfMatch};
use crate::problem::Refused;
use crate::query::Asked;

/// A hundred years, in seconds.
const LONGEST_AGE: f64 = 3_153_600_000.0;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mode {
    /// Dry run: only count the tasks that would be deleted.
    #[serde(default)]
    dry_run: bool,
}

pub(super) async fn show(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Asked(mode): Asked<Mode>,
) -> Result<Response, Refused> {
    let kept = engine.retention(&caller).await?;
    if mode.dry_run {
        return count(&engine, &caller, &kept).await;
    }
    let edited = Extension(Edited(retention::edition(&kept)));
    Ok((edited, Json(shown(&kept))).into_response())
}

pub(super) async fn set(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Asked(mode): Asked<Mode>,
    IfMatch(expected): IfMatch,
    Strict(request): Strict<Retention>,
) -> Result<Response, Refused> {
    let wanted = retention::Retention {
        completed: read_age("completed_sec", request.completed_sec)?,
        cancelled: read_age("cancelled_sec", request.cancelled_sec)?,
        stale: read_age("stale_sec", request.stale_sec)?,
    };
    change(&engine, &caller, wanted, &mode, expected).await
}

/// From now on everything is kept.
pub(super) async fn remove(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Asked(mode): Asked<Mode>,
    IfMatch(expected): IfMatch,
) -> Result<Response, Refused> {
    let everything = retention::Retention::default();
    change(&engine, &caller, everything, &mode, expected).await
}

async fn change(
    engine: &Engine,
    caller: &Caller,
    wanted: retention::Retention,
    mode: &Mode,
    expected: Expected,
) -> Result<Response, Refused> {
    if mode.dry_run {
        return count(engine, caller, &wanted).await;
    }
    engine.set_retention(caller, wanted, expected).await?;
    Ok(Json(shown(&wanted)).into_response())
}

async fn count(
    engine: &Engine,
    caller: &Caller,
    kept: &retention::Retention,
) -> Result<Response, Refused> {
    let counted = engine.count_due_tasks(caller, kept).await?;
    let answer = RetentionPreview {
        tasks: counted.tasks,
        kept_for_now: counted.kept_for_now,
        is_whole: counted.is_whole,
    };
    Ok(Json(answer).into_response())
}

fn shown(kept: &retention::Retention) -> Retention {
    let seconds = |age: Option<Duration>| age.map(|age| age.as_secs_f64());
    Retention {
        completed_sec: seconds(kept.completed),
        cancelled_sec: seconds(kept.cancelled),
        stale_sec: seconds(kept.stale),
    }
}

fn read_age(field: &str, seconds: Option<f64>) -> Result<Option<Duration>, Refused> {
    match seconds {
        None => Ok(None),
        Some(seconds) if (0.0..=LONGEST_AGE).contains(&seconds) => {
            Ok(Some(Duration::from_secs_f64(seconds)))
        }
        Some(seconds) => {
            let detail = format!("{seconds} is not between 0 and {LONGEST_AGE}; null: forever");
            Err(Refused::new(ErrorCode::Invalid, detail).at(field))
        }
    }
}
