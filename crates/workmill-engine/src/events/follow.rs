//! Following: first what is stored, then what the reader of the namespace hands over.
//!
//! The order decides: catch up with what is stored until little is left, join those who follow,
//! which names the place after which everything comes by itself, read up to that place, and from
//! there on only listen. What comes twice on the way is known by its place.

use std::sync::Arc;

use workmill_core::ids::Namespace;

use super::feed::{Inlet, Over, join};
use super::{Event, EventFilter, EventPage, STRETCH};
use crate::engine::Engine;
use crate::error::EngineError;

/// What a follower hears.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// Those that fit; there may be none.
    Events(Vec<Event>),
    /// Events between two places are not kept any more; what follows begins at `next`.
    Missing { after: i64, next: i64 },
    /// It did not keep up. It may come again and go on after this place.
    Dropped { after: i64 },
    /// The server is about to stop.
    Closing,
}

#[derive(Debug)]
pub struct Follower {
    engine: Arc<Engine>,
    ns: Namespace,
    filter: EventFilter,
    /// Everything up to this place was heard.
    after: i64,
    /// Little of what is stored is left to read.
    is_near: bool,
    joined: Option<Joined>,
    /// Heard, but not told yet.
    waiting: Option<Vec<Event>>,
}

#[derive(Debug)]
struct Joined {
    inlet: Inlet,
    /// Up to here it is to be read.
    place: i64,
}

impl Follower {
    pub(super) async fn new(
        engine: &Arc<Engine>,
        ns: Namespace,
        filter: EventFilter,
        after: Option<i64>,
    ) -> Result<Self, EngineError> {
        let mut follower = Follower {
            engine: Arc::clone(engine),
            ns,
            filter,
            after: after.unwrap_or(0),
            is_near: false,
            joined: None,
            waiting: None,
        };
        if after.is_none() {
            // What has happened already shall have its place.
            engine.sequence(ns).await?;
            follower.after = follower.join().await?;
        }
        Ok(follower)
    }

    /// The place up to which everything was heard: from here one can go on.
    pub fn after(&self) -> i64 {
        self.after
    }

    /// Waits for what comes next. Nothing is lost when it is not waited for to the end.
    pub async fn next(&mut self) -> Result<Heard, EngineError> {
        if let Some(events) = self.waiting.take() {
            return Ok(Heard::Events(events));
        }
        if self.joined.is_none() && self.is_near {
            self.join().await?;
        }
        match &mut self.joined {
            Some(joined) if self.after >= joined.place => match joined.inlet.next().await {
                Ok(events) => {
                    let events: Vec<Event> = events
                        .iter()
                        .filter(|event| event.id > self.after)
                        .cloned()
                        .collect();
                    Ok(Heard::Events(self.hear(events)))
                }
                Err(Over::Dropped) => Ok(Heard::Dropped { after: self.after }),
                Err(Over::Closing) => Ok(Heard::Closing),
            },
            _ => self.catch_up().await,
        }
    }

    /// Reads a stretch of what is stored. Many may catch up at the same time, as after a restart: they
    /// take turns, and each holds one short stretch.
    async fn catch_up(&mut self) -> Result<Heard, EngineError> {
        let share = self.engine.catching_up.take(self.ns).await?;
        let EventPage {
            events,
            has_more,
            is_cut,
            ..
        } = self
            .engine
            .read_events(self.ns, self.after, STRETCH)
            .await?;
        drop(share);
        let before = self.after;
        let next = events.first().map(|event| event.id);
        let fitting = self.hear(events);
        if !has_more {
            self.is_near = true;
            // All up to the place was there to be read; what was not is not kept any more.
            if let Some(joined) = &mut self.joined {
                joined.place = joined.place.min(self.after);
            }
        }
        if let Some(next) = next.filter(|_| is_cut) {
            self.waiting = Some(fitting);
            return Ok(Heard::Missing {
                after: before,
                next,
            });
        }
        Ok(Heard::Events(fitting))
    }

    /// Answers the place after which everything comes by itself.
    async fn join(&mut self) -> Result<i64, EngineError> {
        let last = self.engine.store().find_last_event(self.ns).await?;
        let (inlet, place) = join(&self.engine, self.ns, last);
        self.joined = Some(Joined { inlet, place });
        Ok(place)
    }

    fn hear(&mut self, events: Vec<Event>) -> Vec<Event> {
        if let Some(last) = events.last() {
            self.after = last.id;
        }
        let fits = |event: &Event| self.filter.fits(&event.fact);
        events.into_iter().filter(fits).collect()
    }
}
