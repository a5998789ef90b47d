//! Events: a page of them, or a stream that goes on.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures_util::{StreamExt, stream};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::timeout;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{IntoParams, PartialSchema, ToSchema};
use workmill_core::ids::GraphId;
use workmill_core::schema::TaskName;
use workmill_engine::EngineError;
use workmill_engine::access::KeyRef;
use workmill_engine::events::follow::{Follower, Heard};
use workmill_engine::events::{Event, EventFilter, EventType, event_groups};
use workmill_engine::{Caller, Engine};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::events::{self as protocol, DROPPED, EventPage, Interruption, MISSING};

use crate::open_streams::{OpenStreams, StreamPlace};
use crate::problem::Refused;
use crate::query::Asked;

const USUAL_LIMIT: i64 = 100;

/// Longer than this a stream is never silent.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Bytes that are sent together.
const FRAME: usize = 32 * 1024;

/// How long a client is to wait before it comes again.
const COME_AGAIN: Duration = Duration::from_secs(1);

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListEvents {
    /// Returns the events after this one. Default: a page starts with the oldest event, a stream
    /// with the next new event.
    #[param(minimum = 0)]
    after: Option<i64>,
    /// Same as `after`: the `next_cursor` of the previous page.
    #[param(minimum = 0)]
    cursor: Option<i64>,
    /// Items per page: 100 by default, at most 1,000.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<i64>,
    /// Names of events, separated by commas; `task.*` matches all names that begin with `task.`.
    #[serde(rename = "type")]
    #[param(value_type = Option<EventTypeList>)]
    types: Option<String>,
    #[param(value_type = Option<TaskName>)]
    task: Option<String>,
    #[param(value_type = Option<GraphId>)]
    graph: Option<String>,
}

/// Names of events, separated by commas.
#[derive(Debug)]
pub(crate) struct EventTypeList;

impl PartialSchema for EventTypeList {
    fn schema() -> RefOr<Schema> {
        let groups = event_groups();
        let names = EventType::NAMES.iter().copied();
        let names = names.chain(groups.iter().map(String::as_str));
        let names: Vec<String> = names
            .map(|name| name.replace('.', r"\.").replace('*', r"\*"))
            .collect();
        let one = format!(r"(\*|{})", names.join("|"));
        let list = ObjectBuilder::new().schema_type(Type::String);
        list.pattern(Some(format!("^{one}(,{one})*$"))).into()
    }
}

impl ToSchema for EventTypeList {}

pub(super) async fn events(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Extension(key): Extension<KeyRef>,
    Extension(streams): Extension<OpenStreams>,
    headers: HeaderMap,
    Asked(asked): Asked<ListEvents>,
) -> Result<Response, Refused> {
    let filter = filter(&engine, &caller, &asked).await?;
    let after = asked.after.or(asked.cursor);
    if after.is_some_and(|after| after < 0) {
        return Err(Refused::new(ErrorCode::Invalid, "must not be negative").at("after"));
    }
    let last = last_event_id(&headers)?;
    if asks_for_a_stream(&headers) {
        let place = streams.open(caller.key)?;
        let after = last.or(after);
        let follower = engine.follow(&caller, filter, after).await?;
        return Ok(stream_of(engine, follower, key, place));
    }
    let limit = asked.limit.unwrap_or(USUAL_LIMIT);
    let after = after.unwrap_or(0);
    let page = engine.events(&caller, &filter, after, limit).await?;
    let answer = EventPage {
        items: page.events.iter().map(shown).collect(),
        after: page.after,
        next_cursor: page.has_more.then(|| page.after.to_string()),
        missing: page.is_cut,
    };
    Ok(Json(answer).into_response())
}

async fn filter(
    engine: &Engine,
    caller: &Caller,
    asked: &ListEvents,
) -> Result<EventFilter, Refused> {
    let task = match &asked.task {
        Some(name) => {
            let found = engine.named_task(caller, name).await;
            let unknown = |error: EngineError| match error {
                EngineError::NotFound { what } => {
                    Refused::new(ErrorCode::Invalid, format!("{what} was not found")).at("task")
                }
                EngineError::GraphForTask { name } => {
                    let detail = format!("a task `{name}` was not found");
                    let refused = Refused::new(ErrorCode::Invalid, detail).at("task");
                    refused.hint("this is the id of a graph: use `graph`")
                }
                other => other.into(),
            };
            Some(found.map_err(unknown)?)
        }
        None => None,
    };
    let types = asked.types.as_deref().unwrap_or_default().split(',');
    let types = types.filter(|name| !name.is_empty());
    Ok(EventFilter {
        types: types.map(ToOwned::to_owned).collect(),
        task,
        graph: read("graph", asked.graph.as_deref())?,
    })
}

fn read<T: std::str::FromStr<Err: std::fmt::Display>>(
    field: &str,
    text: Option<&str>,
) -> Result<Option<T>, Refused> {
    let invalid = |error: T::Err| Refused::new(ErrorCode::Invalid, error.to_string()).at(field);
    text.map(|text| text.parse().map_err(invalid)).transpose()
}

fn asks_for_a_stream(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT).iter();
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    accepted.any(|value| value.contains("text/event-stream"))
}

fn last_event_id(headers: &HeaderMap) -> Result<Option<i64>, Refused> {
    let Some(value) = headers.get("last-event-id") else {
        return Ok(None);
    };
    let id = value.to_str().ok().and_then(|text| text.parse().ok());
    let id = id.filter(|id| *id >= 0);
    let invalid = || Refused::new(ErrorCode::Invalid, "Last-Event-ID: the id of an event");
    id.map(Some).ok_or_else(invalid)
}

/// Ends when the client goes, its key is revoked, the server stops, or the client does not keep up.
fn stream_of(engine: Arc<Engine>, follower: Follower, key: KeyRef, place: StreamPlace) -> Response {
    let sending = Sending {
        // Says at once that somebody listens, and from where on, for those who are cut off before
        // anything has happened.
        notes: greeting(follower.after()),
        follower,
        events: VecDeque::new(),
        is_over: false,
        _place: place,
    };
    let ended = async move {
        tokio::select! {
            () = engine.key_ended(key) => {}
            () = engine.closing() => {}
        }
    };
    let frames = stream::unfold(sending, |mut sending| async move {
        let frame = sending.next().await?;
        Some((Ok::<_, Infallible>(frame), sending))
    });
    let frames = frames.take_until(Box::pin(ended));
    let headers = [
        (CONTENT_TYPE, "text/event-stream"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, Body::from_stream(frames)).into_response()
}

/// One stream. It writes only what the client takes: a client that reads nothing costs nothing.
struct Sending {
    follower: Follower,
    /// What the stream says of itself, before the events.
    notes: Vec<u8>,
    events: VecDeque<Event>,
    is_over: bool,
    _place: StreamPlace,
}

impl Sending {
    /// The next bytes to send.
    async fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            // Many streams have much to send at the same time; requests go in between.
            tokio::task::yield_now().await;
            if !self.notes.is_empty() {
                return Some(mem::take(&mut self.notes));
            }
            if !self.events.is_empty() {
                return Some(self.frame());
            }
            if self.is_over {
                return None;
            }
            if timeout(HEARTBEAT, self.hear()).await.is_err() {
                return Some(b":\n\n".to_vec());
            }
        }
    }

    /// As many events as go together.
    fn frame(&mut self) -> Vec<u8> {
        let mut frame = Vec::new();
        while frame.len() < FRAME
            && let Some(event) = self.events.pop_front()
        {
            frame.extend_from_slice(event.written(message));
        }
        frame
    }

    async fn hear(&mut self) {
        match self.follower.next().await {
            Ok(Heard::Events(events)) => self.events.extend(events),
            Ok(Heard::Missing { after, next }) => {
                let next = Some(next);
                self.say(MISSING, Interruption { after, next });
            }
            Ok(Heard::Dropped { after }) => {
                self.say(DROPPED, Interruption { after, next: None });
                self.is_over = true;
            }
            Ok(Heard::Closing) => self.is_over = true,
            Err(error) => {
                // The client comes again and goes on where it was.
                tracing::warn!(%error, "a stream of events ends early");
                self.is_over = true;
            }
        }
    }

    fn say(&mut self, name: &str, interruption: Interruption) {
        write_message(&mut self.notes, interruption.after, name, &interruption);
    }
}

fn greeting(after: i64) -> Vec<u8> {
    let milliseconds = COME_AGAIN.as_millis();
    format!(": events follow\nid: {after}\nretry: {milliseconds}\n\n").into_bytes()
}

fn message(event: &Event) -> Vec<u8> {
    let event = shown(event);
    let mut text = Vec::new();
    write_message(&mut text, event.id, &event.event_type, &event);
    text
}

/// A message of a stream. Neither JSON nor names of events have line breaks.
fn write_message(text: &mut Vec<u8>, id: i64, name: &str, data: &impl Serialize) {
    text.extend_from_slice(format!("event: {name}\nid: {id}\ndata: ").as_bytes());
    // Writing into memory cannot fail, and all keys are texts.
    let _ = serde_json::to_writer(&mut *text, data);
    text.extend_from_slice(b"\n\n");
}

fn shown(event: &Event) -> protocol::Event {
    let mut data = match &*event.fact {
        Value::Object(fields) => fields.clone(),
        _ => serde_json::Map::new(),
    };
    let mut take = |name: &str| match data.remove(name) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    let (event_type, task_id, dag_id) = (take("type"), take("task_id"), take("dag_id"));
    protocol::Event {
        id: event.id,
        event_type: event_type.unwrap_or_default(),
        at: event.at,
        task_id,
        dag_id,
        data,
    }
}
