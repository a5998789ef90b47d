//! Events: what happened, in pages or as it happens.
//!
//! Each event has a place in the order of its namespace, without gaps, so that whoever names the
//! last one it has seen misses nothing and hears nothing twice. One reader for each namespace and
//! server reads for all who follow; see [`follow`].

mod feed;
pub mod follow;

use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use serde_json::Value;
use workmill_core::fields::{nearest, not_one_of};
use workmill_core::ids::{GraphId, Namespace, TaskId};
use workmill_store::StoreError;
pub use workmill_store::event::EventType;
use workmill_store::events::SequenceEvents;

pub(crate) use feed::Feeds;

use crate::engine::{Caller, Engine};
use crate::error::EngineError;

/// Of events on a page.
pub const MOST_EVENTS: i64 = 1_000;

/// Events that are read at a time for one who asks: each holds its own.
const STRETCH: i64 = 500;

/// Events that are read at a time for all who follow: what the largest submission tells of comes
/// in one piece, so that no follower is dropped because of it.
const SHARED_STRETCH: i64 = 50_000;

/// Stretches that one page goes over, however few events of them fit.
const MOST_STRETCHES: usize = 40;

const MOST_SEQUENCED: i64 = 10_000;

/// A fact in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The place.
    pub id: i64,
    pub at: Timestamp,
    /// What, about which, and the details; shared by all who follow.
    pub fact: Arc<Value>,
    written: Written,
}

/// The text of an event, shared by all streams that send it.
#[derive(Debug, Clone, Default)]
struct Written(Arc<OnceLock<Vec<u8>>>);

/// Follows from the rest of the event.
impl PartialEq for Written {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Event {
    pub(crate) fn new(id: i64, at: Timestamp, fact: Value) -> Self {
        Event {
            id,
            at,
            fact: Arc::new(fact),
            written: Written::default(),
        }
    }

    /// The event as it is sent; the first stream that sends it writes it for all.
    pub fn written(&self, write: impl FnOnce(&Event) -> Vec<u8>) -> &[u8] {
        self.written.0.get_or_init(|| write(self))
    }
}

/// Which events; what is not named does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventFilter {
    /// Names, or `task.*` for all that begin with it.
    pub types: Vec<String>,
    pub task: Option<TaskId>,
    pub graph: Option<GraphId>,
}

impl EventFilter {
    /// Refuses a name that no event has: nothing would ever fit.
    fn check(&self) -> Result<(), EngineError> {
        let problem = self.types.iter().find_map(|wanted| unknown_type(wanted));
        problem.map_or(Ok(()), |problem| Err(EngineError::invalid("type", problem)))
    }

    pub fn fits(&self, fact: &Value) -> bool {
        let says = |name: &str, wanted: &Option<String>| {
            wanted.is_none() || fact[name].as_str() == wanted.as_deref()
        };
        let event_type = fact["type"].as_str().unwrap_or_default();
        let is_of_type = |wanted: &String| is_of_type(event_type, wanted);
        (self.types.is_empty() || self.types.iter().any(is_of_type))
            && says("task_id", &self.task.map(|task| task.to_string()))
            && says("dag_id", &self.graph.map(|graph| graph.to_string()))
    }
}

fn is_of_type(event_type: &str, wanted: &str) -> bool {
    match wanted.strip_suffix('*') {
        Some(beginning) => event_type.starts_with(beginning),
        None => event_type == wanted,
    }
}

/// Beginnings of names that stand for all events of an object, like `task.*`.
pub fn event_groups() -> Vec<String> {
    let groups = EventType::NAMES
        .iter()
        .filter_map(|name| name.split_once('.'));
    let mut groups: Vec<String> = groups.map(|(group, _)| format!("{group}.*")).collect();
    groups.dedup();
    groups
}

/// Says that no event has this name, and which names are near.
fn unknown_type(wanted: &str) -> Option<String> {
    if EventType::NAMES.iter().any(|name| is_of_type(name, wanted)) {
        return None;
    }
    let problem = format!("no event is called `{wanted}`");
    let groups = event_groups();
    let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
    let all = [EventType::NAMES, &groups].concat();
    if nearest(wanted, &all).is_some() {
        return Some(not_one_of(&problem, wanted, &all));
    }
    let group = wanted.split('.').next().unwrap_or_default();
    let mut of_group = EventType::NAMES.to_vec();
    of_group.retain(|name| name.split('.').next() == Some(group));
    let known = if of_group.is_empty() {
        groups
    } else {
        of_group
    };
    Some(not_one_of(&problem, wanted, &known))
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct EventPage {
    pub events: Vec<Event>,
    /// The place up to which was looked: what follows it is to be asked for next.
    pub after: i64,
    /// There may be more already.
    pub has_more: bool,
    /// Events that followed the place that was asked for are not kept any more.
    pub is_cut: bool,
}

impl Engine {
    /// What followed a place, in order. There may be fewer than were asked for, even none, and
    /// more further on: the page says so.
    pub async fn events(
        &self,
        caller: &Caller,
        filter: &EventFilter,
        after: i64,
        most: i64,
    ) -> Result<EventPage, EngineError> {
        if !(1..=MOST_EVENTS).contains(&most) {
            let problem = format!("{most} is not between 1 and {MOST_EVENTS}");
            return Err(EngineError::invalid("limit", problem));
        }
        filter.check()?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        self.sequence(caller.ns).await?;
        let mut page = EventPage {
            after,
            ..EventPage::default()
        };
        for _ in 0..MOST_STRETCHES {
            let read = self.read_events(caller.ns, page.after, STRETCH).await?;
            page.is_cut |= read.is_cut;
            page.has_more = read.has_more;
            for event in read.events {
                if page.events.len() == most {
                    page.has_more = true;
                    return Ok(page);
                }
                page.after = event.id;
                if filter.fits(&event.fact) {
                    page.events.push(event);
                }
            }
            if !page.has_more {
                break;
            }
        }
        Ok(page)
    }

    /// Gives what is committed its place, so that it can be read: readers need not wait for the
    /// duty.
    pub(crate) async fn sequence(&self, ns: Namespace) -> Result<(), StoreError> {
        let most = MOST_SEQUENCED;
        self.run(&SequenceEvents { ns, most }).await?;
        Ok(())
    }

    /// At most so many events after a place, whatever they are about.
    async fn read_events(
        &self,
        ns: Namespace,
        after: i64,
        most: i64,
    ) -> Result<EventPage, StoreError> {
        let batches = self.store().read_events(ns, after, most).await?;
        let mut events = Vec::new();
        for batch in batches {
            let at = batch.at;
            for (id, fact) in batch.numbered().filter(|(id, _)| *id > after) {
                events.push(Event::new(id, at, fact));
            }
        }
        let (Some(first), Some(last)) = (events.first(), events.last()) else {
            return Ok(EventPage {
                after,
                ..EventPage::default()
            });
        };
        Ok(EventPage {
            after: last.id,
            // From the very beginning means from the oldest that is kept.
            is_cut: after > 0 && first.id > after + 1,
            has_more: last.id < self.store().find_last_event(ns).await?,
            events,
        })
    }

    /// Returns when nobody shall wait any longer.
    pub async fn closing(&self) {
        self.closing.cancelled().await;
    }

    /// What followed a place and what follows from now on; without a place only that.
    pub async fn follow(
        self: &Arc<Self>,
        caller: &Caller,
        filter: EventFilter,
        after: Option<i64>,
    ) -> Result<follow::Follower, EngineError> {
        filter.check()?;
        follow::Follower::new(self, caller.ns, filter, after).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_event_is_written_once_for_all_who_send_it() {
        let event = Event::new(7, Timestamp::UNIX_EPOCH, json!({}));
        let of_another_stream = event.clone();
        assert_eq!(
            event.written(|event| event.id.to_string().into_bytes()),
            b"7"
        );
        assert_eq!(of_another_stream.written(|_| unreachable!()), b"7");
    }

    #[test]
    fn a_filter_names_types_a_task_and_a_graph() {
        let task: TaskId = "task_01J8K2M0000000000000000000".parse().unwrap();
        let fact = json!({"type": "task.ready", "task_id": task.to_string()});
        let fits = |types: &[&str], task| {
            let types = types.iter().map(ToString::to_string).collect();
            let filter = EventFilter {
                types,
                task,
                graph: None,
            };
            filter.fits(&fact)
        };
        assert!(fits(&[], None) && fits(&["dag.failed", "task.ready"], Some(task)));
        assert!(fits(&["task.*"], None) && !fits(&["dag.*", "task.read"], None));
        let graph = EventFilter {
            graph: Some(task.into()),
            ..EventFilter::default()
        };
        assert!(!graph.fits(&fact));
    }
}
