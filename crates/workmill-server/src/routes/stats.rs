//! How much there is.

use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use workmill_engine::look::Counted;
use workmill_engine::{Caller, Engine};
use workmill_protocol::stats::{PlaceCount, Stats};

use crate::problem::Refused;

pub(super) async fn show(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<Stats>, Refused> {
    let stats = engine.stats(&caller).await?;
    let count = |counted: Counted| PlaceCount {
        tasks: counted.tasks,
        is_whole: counted.is_whole,
    };
    Ok(Json(Stats {
        created: count(stats.created),
        pending: count(stats.pending),
        ready: count(stats.ready),
        gated: count(stats.gated),
        due: count(stats.due),
        held: count(stats.leases),
        blocked: count(stats.blocked),
        dead_lettered: count(stats.dead_letters),
        finished: count(stats.finished),
    }))
}
