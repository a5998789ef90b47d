//! Agents: they register and show signs of life; others look at them and change them.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::Deserialize;
use utoipa::IntoParams;
use workmill_core::agent::{DEFAULT_POLL_INTERVAL_MS, interval_ms, longest_silence_ms};
use workmill_core::schema::PlainName;
use workmill_engine::dispatch::{AgentChange, AgentDescription, Registered};
use workmill_engine::{Caller, Engine};
use workmill_protocol::agents::{
    Agent, AgentList, ChangeAgent, RegisterAgent, RegisteredAgent, SignOffAgent,
};

use crate::answers::{self, seconds};
use crate::body::Strict;
use crate::conditions::{Edited, IfMatch};
use crate::problem::Refused;
use crate::query::Asked;

/// Agents on a page, unless the caller says.
const USUAL_LIMIT: i64 = 100;

pub(super) async fn register(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Strict(request): Strict<RegisterAgent>,
) -> Result<(StatusCode, Json<RegisteredAgent>), Refused> {
    let poll_interval_ms = request.poll_interval_sec.map(milliseconds);
    let agent = AgentDescription {
        agent: request.id,
        agent_type: request.agent_type,
        capabilities: request.capabilities,
        models: request.models_available,
        task_types: request.task_types,
        slots: request.max_concurrent_tasks,
        poll_interval_ms: poll_interval_ms.unwrap_or(DEFAULT_POLL_INTERVAL_MS),
        claim_ttl_ms: request.claim_ttl_sec.map(milliseconds),
        budget_left: request.budget_remaining_usd,
        is_by_hand: request.by_hand,
    };
    let registered = engine.register_agent(&caller, &agent).await?;
    Ok((StatusCode::CREATED, Json(answer(agent.agent, registered))))
}

pub(super) async fn heartbeat(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<RegisteredAgent>, Refused> {
    let registered = engine.see_agent(&caller, &id).await?;
    Ok(Json(answer(id, registered)))
}

pub(super) async fn sign_off(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Strict(SignOffAgent { session }): Strict<SignOffAgent>,
) -> Result<Json<RegisteredAgent>, Refused> {
    let registered = engine.sign_off_agent(&caller, &id, session).await?;
    Ok(Json(answer(id, registered)))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    /// Items per page: 100 by default, at most 1,000.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<i64>,
    /// The `next_cursor` of the previous page.
    #[param(value_type = Option<PlainName>)]
    cursor: Option<String>,
}

pub(super) async fn list(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Asked(page): Asked<Page>,
) -> Result<Json<AgentList>, Refused> {
    let limit = page.limit.unwrap_or(USUAL_LIMIT);
    let found = engine
        .agents(&caller, page.cursor.as_deref(), limit)
        .await?;
    Ok(Json(AgentList {
        items: found.agents.into_iter().map(answers::agent).collect(),
        next_cursor: found.next,
    }))
}

pub(super) async fn show(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<(Extension<Edited>, Json<Agent>), Refused> {
    read(&engine, &caller, &id).await
}

pub(super) async fn change(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    IfMatch(expected): IfMatch,
    Strict(request): Strict<ChangeAgent>,
) -> Result<(Extension<Edited>, Json<Agent>), Refused> {
    let change = AgentChange {
        status: request.status,
        slots: request.max_concurrent_tasks,
        capabilities: request.capabilities,
        expected,
    };
    let budget_left = request.budget_remaining_usd;
    engine
        .change_agent(&caller, &id, change, budget_left)
        .await?;
    read(&engine, &caller, &id).await
}

pub(super) async fn remove(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<StatusCode, Refused> {
    engine.remove_agent(&caller, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn read(
    engine: &Engine,
    caller: &Caller,
    id: &str,
) -> Result<(Extension<Edited>, Json<Agent>), Refused> {
    let agent = engine.agent(caller, id).await?;
    let edited = Edited(agent.edition());
    let agent = Agent {
        tasks: engine.tasks_of_agent(caller, id).await?,
        ..answers::agent(agent)
    };
    Ok((Extension(edited), Json(agent)))
}

fn answer(id: String, registered: Registered) -> RegisteredAgent {
    RegisteredAgent {
        id,
        status: registered.status,
        session: registered.session,
        poll_interval_sec: seconds(registered.poll_interval_ms),
        heartbeat_interval_sec: seconds(interval_ms(registered.poll_interval_ms)),
        offline_after_sec: seconds(longest_silence_ms(registered.poll_interval_ms)),
        by_hand: registered.is_by_hand,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "saturates; the engine bounds it"
)]
fn milliseconds(seconds: f64) -> i64 {
    (seconds * 1000.0) as i64
}
