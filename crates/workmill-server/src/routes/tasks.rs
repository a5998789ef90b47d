//! Tasks: submit some, list them, look at one, ask why it is not running.

use std::sync::Arc;

use axum::extract::{FromRequest, Path, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::{Extension, Json};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::IntoParams;
use workmill_core::bounded::{MOST_TASKS, up_to};
use workmill_core::edition::Edition;
use workmill_core::ids::TaskId;
use workmill_core::json_look::has_member;
use workmill_core::task::NewTask;
use workmill_engine::look::TaskFilter;
use workmill_engine::strict::{self, Read, Unreadable};
use workmill_engine::{Caller, Engine, EngineError};
use workmill_protocol::explain::Explanation;
use workmill_protocol::lists::{Count, ListTasks, TaskList};
use workmill_protocol::role::Role;
use workmill_protocol::tasks::{AdoptResult, AnswerTask, SubmittedTasks, Task, TaskStatus};

use super::{USUAL_LIMIT, created, idempotency_key};
use crate::answers;
use crate::body::{Strict, parsed};
use crate::conditions::{Edited, IfMatch};
use crate::guard::{TokenLease, good_for_only};
use crate::problem::Refused;
use crate::query::Asked;

/// One task, or several that enter together.
#[derive(Debug)]
pub(super) struct Tasks {
    tasks: Vec<NewTask>,
    /// The body is the task itself, not a list with it.
    is_alone: bool,
}

impl<S: Send + Sync> FromRequest<S> for Tasks {
    type Rejection = Refused;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Refused> {
        parsed(request, Tasks::read).await
    }
}

impl Tasks {
    fn read(body: &[u8]) -> Result<Read<Self>, Unreadable> {
        #[derive(Deserialize)]
        struct Several {
            #[serde(deserialize_with = "up_to::<{ MOST_TASKS }, _, _>")]
            tasks: Vec<NewTask>,
        }
        if has_member(body, "tasks") {
            let Read { value, memory } = strict::measure::<Several>(body)?;
            let value = Tasks {
                tasks: value.tasks,
                is_alone: false,
            };
            return Ok(Read { value, memory });
        }
        let Read { value, memory } = strict::measure::<NewTask>(body)?;
        let value = Tasks {
            tasks: vec![value],
            is_alone: true,
        };
        Ok(Read { value, memory })
    }
}

pub(super) async fn submit(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Tasks { tasks, is_alone }: Tasks,
) -> Result<(StatusCode, Json<SubmittedTasks>), Refused> {
    let boosts = answers::boosts(&tasks);
    let submitted = engine
        .submit_tasks(&caller, tasks, idempotency_key(&headers)?)
        .await
        .map_err(|error| as_sent(error, is_alone))?;
    let tasks = boosts.into_iter().zip(submitted.tasks);
    let tasks = tasks
        .map(|(boost, id)| answers::submitted(boost, id, id.into()))
        .collect();
    Ok((created(submitted.is_repeat), Json(SubmittedTasks { tasks })))
}

/// Names the field as the client sent it: a task that is sent alone is in no list.
fn as_sent(error: EngineError, is_alone: bool) -> Refused {
    let mut refused = Refused::from(error);
    if is_alone && let Some(field) = &refused.0.field {
        let own = field.strip_prefix("tasks[0].").unwrap_or(field);
        refused.0.field = Some(own.to_owned());
    }
    refused
}

pub(super) async fn list(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Asked(asked): Asked<ListTasks>,
) -> Result<Json<TaskList>, Refused> {
    let filter = TaskFilter {
        states: asked.status.into_iter().collect(),
        task_type: asked.task_type,
        tag: asked.tag,
        agent: asked.agent,
        graph: asked.graph,
        project: asked.project,
        created_by: asked.created_by,
        source: asked.source,
        class: asked.priority_tier,
        title: asked.q,
        since: asked.since,
        until: None,
    };
    let limit = asked.limit.unwrap_or(USUAL_LIMIT);
    let cursor = asked.cursor.as_deref();
    let page = engine
        .tasks(&caller, &filter, asked.sort, cursor, limit)
        .await?;
    let count = if asked.count {
        let counted = engine.count_tasks(&caller, &filter).await?;
        Some(Count {
            tasks: counted.tasks,
            is_whole: counted.is_whole,
        })
    } else {
        None
    };
    Ok(Json(TaskList {
        items: page.tasks.into_iter().map(answers::summary).collect(),
        next_cursor: page.next,
        count,
    }))
}

pub(super) async fn show(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Extension(role): Extension<Role>,
    Extension(TokenLease(lease)): Extension<TokenLease>,
    Path(id): Path<String>,
) -> Result<(Extension<Edited>, Json<Task>), Refused> {
    let named = engine.named_task(&caller, &id).await;
    if let Some(lease) = lease {
        // Nor is the holder of a token told which other tasks there are.
        let is_its_own = named.as_ref().is_ok_and(|id| *id == lease.task);
        if !is_its_own {
            return Err(good_for_only(lease));
        }
    }
    let id = named?;
    if role.looks_only_at_what_it_holds() {
        engine.check_handed(&caller, id).await?;
    }
    let task = engine.task(&caller, id).await?;
    let edited = Edited(Edition::numbered(task.version));
    Ok((Extension(edited), Json(answers::task(task))))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichOutput {
    /// Return the late output of the attempt with this epoch.
    #[param(minimum = 1)]
    epoch: Option<i32>,
}

/// The output alone, as it was stored.
pub(super) async fn output(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Extension(role): Extension<Role>,
    Extension(TokenLease(lease)): Extension<TokenLease>,
    Path(id): Path<String>,
    Asked(which): Asked<WhichOutput>,
) -> Result<([(HeaderName, &'static str); 1], String), Refused> {
    let id = engine.named_task(&caller, &id).await?;
    if lease.is_some() || role.looks_only_at_what_it_holds() {
        engine.check_handed_output(&caller, lease, id).await?;
    }
    let output = engine.output(&caller, id, which.epoch).await?;
    Ok(([(CONTENT_TYPE, "application/json")], output))
}

pub(super) async fn adopt(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Strict(request): Strict<AdoptResult>,
) -> Result<Json<TaskStatus>, Refused> {
    let id = engine.named_task(&caller, &id).await?;
    let note = request.note.as_deref();
    let status = engine.adopt(&caller, id, request.epoch, note).await?;
    Ok(Json(TaskStatus { id, status }))
}

pub(super) async fn explain(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<Explanation>, Refused> {
    let id = engine.named_task(&caller, &id).await?;
    Ok(Json(engine.explain(&caller, id).await?))
}

pub(super) async fn cancel(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Extension(role): Extension<Role>,
    Path(id): Path<String>,
) -> Result<Json<TaskStatus>, Refused> {
    let id = engine.named_task(&caller, &id).await?;
    if role.cancels_only_its_own() {
        engine.check_submitted(&caller, id).await?;
    }
    let status = engine.cancel_task(&caller, id).await?;
    Ok(Json(TaskStatus { id, status }))
}

pub(super) async fn answer(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Strict(request): Strict<AnswerTask>,
) -> Result<Json<TaskStatus>, Refused> {
    let id = engine.named_task(&caller, &id).await?;
    let status = engine.answer_task(&caller, id, request.input).await?;
    Ok(Json(TaskStatus { id, status }))
}

pub(super) async fn add_dependency(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path((id, on)): Path<(String, String)>,
) -> Result<StatusCode, Refused> {
    let (task, depends_on) = edge(&engine, &caller, &id, &on).await?;
    let is_new = engine.add_dependency(&caller, task, depends_on).await?;
    Ok(if is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    })
}

pub(super) async fn remove_dependency(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path((id, on)): Path<(String, String)>,
) -> Result<StatusCode, Refused> {
    let (task, depends_on) = edge(&engine, &caller, &id, &on).await?;
    let was_there = engine.remove_dependency(&caller, task, depends_on).await?;
    if was_there {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Refused::not_found(format_args!(
            "a dependency of {id} on {on}"
        )))
    }
}

async fn edge(
    engine: &Engine,
    caller: &Caller,
    task: &str,
    on: &str,
) -> Result<(TaskId, TaskId), Refused> {
    let task = engine.named_task(caller, task).await?;
    Ok((task, engine.named_task(caller, on).await?))
}

pub(super) async fn edit(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    IfMatch(expected): IfMatch,
    Strict(changes): Strict<Map<String, Value>>,
) -> Result<Json<TaskStatus>, Refused> {
    let id = engine.named_task(&caller, &id).await?;
    let edited = engine.edit_task(&caller, id, changes, &expected).await?;
    Ok(Json(TaskStatus {
        id,
        status: edited.state,
    }))
}
