//! Events, in pages or as a stream.

use std::collections::VecDeque;
use std::time::Duration;

use reqwest::header::{ACCEPT, HeaderName};
use reqwest::{Method, StatusCode};
use workmill_core::ids::GraphId;
use workmill_protocol::events::{DROPPED, Event, EventPage, Interruption, MISSING};

use super::{Client, in_a_path};
use crate::error::ClientError;

/// A stream goes on for as long as there is somebody at each end.
const FOR_EVER: Duration = Duration::from_hours(24 * 365);

/// Which events; what is not named does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventFilter {
    /// Names like `task.completed`, or `task.*`.
    pub types: Vec<String>,
    /// By its id, or by its `key`.
    pub task: Option<String>,
    pub graph: Option<GraphId>,
}

impl EventFilter {
    fn query(&self) -> String {
        let mut parts = Vec::new();
        if !self.types.is_empty() {
            parts.push(format!("type={}", in_a_path(&self.types.join(","))));
        }
        let task = self.task.as_deref();
        parts.extend(task.map(|task| format!("task={}", in_a_path(task))));
        parts.extend(self.graph.map(|graph| format!("graph={graph}")));
        parts.join("&")
    }
}

impl Client {
    /// What followed an event, oldest first.
    pub async fn events(
        &self,
        filter: &EventFilter,
        after: i64,
        limit: u32,
    ) -> Result<EventPage, ClientError> {
        let query = filter.query();
        self.get(&format!("/v1/events?after={after}&limit={limit}&{query}"))
            .await
    }

    /// What follows an event, as it happens; without one what happens from now on.
    pub async fn follow_events(
        &self,
        filter: &EventFilter,
        after: Option<i64>,
    ) -> Result<EventStream, ClientError> {
        let unreachable = |source| ClientError::Unreachable {
            url: self.url.clone(),
            source,
        };
        let mut request = self
            .request(Method::GET, &format!("/v1/events?{}", filter.query()))
            .timeout(FOR_EVER)
            .header(ACCEPT, "text/event-stream");
        if let Some(after) = after {
            request = request.header(HeaderName::from_static("last-event-id"), after);
        }
        let response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        if status != StatusCode::OK {
            let body = response.bytes().await.map_err(unreachable)?;
            let problem = serde_json::from_slice(&body).map_err(|_| ClientError::NotWorkmill {
                url: self.url.clone(),
                status: status.as_u16(),
            })?;
            return Err(ClientError::Refused(Box::new(problem)));
        }
        Ok(EventStream {
            url: self.url.clone(),
            response,
            lines: Lines::default(),
            message: Message::default(),
            heard: VecDeque::new(),
            after,
        })
    }
}

/// What a stream of events brings.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    Event(Box<Event>),
    /// Some events are not kept any more.
    Missing(Interruption),
    /// This end did not keep up; come again, after the event named.
    Dropped(Interruption),
}

/// Events as they happen. When it ends, follow again after the last one that was heard.
#[derive(Debug)]
pub struct EventStream {
    url: String,
    response: reqwest::Response,
    lines: Lines,
    message: Message,
    heard: VecDeque<Heard>,
    after: Option<i64>,
}

impl EventStream {
    /// The last event that was heard, or where the stream began: follow again after it.
    pub fn after(&self) -> Option<i64> {
        self.after
    }

    /// `None` when the server has ended the stream.
    pub async fn next(&mut self) -> Result<Option<Heard>, ClientError> {
        loop {
            if let Some(heard) = self.heard.pop_front() {
                self.after = Some(match &heard {
                    Heard::Event(event) => event.id,
                    Heard::Missing(said) | Heard::Dropped(said) => said.after,
                });
                return Ok(Some(heard));
            }
            let chunk = self.response.chunk().await;
            let chunk = chunk.map_err(|source| ClientError::Unreachable {
                url: self.url.clone(),
                source,
            })?;
            let Some(chunk) = chunk else { return Ok(None) };
            for line in self.lines.add(&chunk) {
                if let Some(id) = line.strip_prefix("id:")
                    && self.after.is_none()
                {
                    self.after = id.trim().parse().ok();
                }
                self.heard.extend(self.message.add(&line));
            }
        }
    }
}

/// Bytes that come in any pieces, line by line.
#[derive(Debug, Default)]
struct Lines {
    begun: Vec<u8>,
}

impl Lines {
    fn add(&mut self, bytes: &[u8]) -> Vec<String> {
        self.begun.extend_from_slice(bytes);
        let Some(end) = self.begun.iter().rposition(|byte| *byte == b'\n') else {
            return Vec::new();
        };
        let rest = self.begun.split_off(end + 1);
        let whole = std::mem::replace(&mut self.begun, rest);
        let text = String::from_utf8_lossy(&whole);
        text.lines().map(ToOwned::to_owned).collect()
    }
}

/// A message of the stream, field by field; an empty line ends it.
#[derive(Debug, Default)]
struct Message {
    name: String,
    data: String,
}

impl Message {
    /// What is not understood is left out: a newer server may say more.
    fn add(&mut self, line: &str) -> Option<Heard> {
        if let Some(name) = line.strip_prefix("event:") {
            name.trim().clone_into(&mut self.name);
        } else if let Some(data) = line.strip_prefix("data:") {
            self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
        }
        if !line.is_empty() {
            return None;
        }
        let Message { name, data } = std::mem::take(self);
        match name.as_str() {
            _ if data.is_empty() => None,
            MISSING => serde_json::from_str(&data).ok().map(Heard::Missing),
            DROPPED => serde_json::from_str(&data).ok().map(Heard::Dropped),
            _ => serde_json::from_str(&data).ok().map(Heard::Event),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_read_in_whatever_pieces_it_comes() {
        let text = ": hello\nretry: 1000\n\nid: 7\nevent: task.ready\n\
                    data: {\"id\": 7, \"type\": \"task.ready\", \"at\": \"2027-01-15T08:00:00Z\"}\n\n:\n\n\
                    event: dropped\ndata: {\"after\": 7}\n\n";
        for size in [1, 2, 7, text.len()] {
            let (mut lines, mut message) = (Lines::default(), Message::default());
            let mut heard = Vec::new();
            for piece in text.as_bytes().chunks(size) {
                for line in lines.add(piece) {
                    heard.extend(message.add(&line));
                }
            }
            let [Heard::Event(event), Heard::Dropped(dropped)] = heard.as_slice() else {
                panic!("{heard:?}");
            };
            assert_eq!((event.id, event.event_type.as_str()), (7, "task.ready"));
            assert_eq!(dropped.after, 7);
        }
    }

    #[test]
    fn a_filter_is_a_part_of_the_query() {
        let filter = EventFilter {
            types: vec!["task.*".to_owned(), "dag.failed".to_owned()],
            ..EventFilter::default()
        };
        assert_eq!(filter.query(), "type=task.%2A%2Cdag.failed");
    }
}
