//! The reader of a namespace: it reads what is new once and hands it to all who follow. It is there
//! as long as somebody follows.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;
use workmill_core::ids::Namespace;

use super::{Event, SHARED_STRETCH};
use crate::engine::Engine;

/// The least time between two looks.
const SPACING: Duration = Duration::from_millis(100);

/// How long to wait when the database does not answer.
const AGAIN: Duration = Duration::from_secs(1);

/// Events that were read together; all who follow share them.
pub(super) type Stretch = Arc<Vec<Event>>;

#[derive(Debug, Default)]
pub(crate) struct Feeds {
    feeds: Mutex<HashMap<Namespace, Feed>>,
}

#[derive(Debug)]
struct Feed {
    /// The place of the last event that was handed out.
    place: i64,
    followers: Vec<Outlet>,
}

/// The end of a follower's buffer that the reader fills.
#[derive(Debug)]
struct Outlet {
    sender: mpsc::UnboundedSender<Stretch>,
    buffer: Arc<Buffer>,
}

/// How full a follower's buffer is. Events are counted, not stretches: those differ in length.
#[derive(Debug)]
struct Buffer {
    most: usize,
    waiting: AtomicUsize,
    is_dropped: AtomicBool,
}

/// The end of the buffer that a follower empties.
#[derive(Debug)]
pub(super) struct Inlet {
    receiver: mpsc::UnboundedReceiver<Stretch>,
    buffer: Arc<Buffer>,
}

/// Why nothing comes any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    /// The buffer was full.
    Dropped,
    /// The server is about to stop.
    Closing,
}

impl Inlet {
    pub(super) async fn next(&mut self) -> Result<Stretch, Over> {
        if let Some(events) = self.receiver.recv().await {
            self.buffer
                .waiting
                .fetch_sub(events.len(), Ordering::AcqRel);
            return Ok(events);
        }
        Err(if self.buffer.is_dropped.load(Ordering::Acquire) {
            Over::Dropped
        } else {
            Over::Closing
        })
    }
}

impl Outlet {
    /// False when nobody is there to take it, or somebody who does not keep up. A stretch alone is
    /// never too long.
    fn hand(&self, events: &Stretch) -> bool {
        let waiting = self.buffer.waiting.load(Ordering::Acquire);
        if waiting > 0 && waiting + events.len() > self.buffer.most {
            self.buffer.is_dropped.store(true, Ordering::Release);
            return false;
        }
        self.buffer
            .waiting
            .fetch_add(events.len(), Ordering::AcqRel);
        self.sender.send(Arc::clone(events)).is_ok()
    }
}

impl Feeds {
    fn lock(&self) -> MutexGuard<'_, HashMap<Namespace, Feed>> {
        self.feeds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those who follow, in all namespaces.
    pub(crate) fn followers(&self) -> usize {
        let feeds = self.lock();
        let outlets = feeds.values().flat_map(|feed| &feed.followers);
        outlets.filter(|outlet| !outlet.sender.is_closed()).count()
    }

    fn place(&self, ns: Namespace) -> Option<i64> {
        self.lock().get(&ns).map(|feed| feed.place)
    }

    fn hand_out(&self, ns: Namespace, events: Vec<Event>) {
        let Some(last) = events.last().map(|event| event.id) else {
            return;
        };
        let events = Arc::new(events);
        if let Some(feed) = self.lock().get_mut(&ns) {
            feed.place = last;
            feed.followers.retain(|outlet| outlet.hand(&events));
        }
    }

    /// Ends the feed if nobody follows; those who come later begin another.
    fn end_if_left_alone(&self, ns: Namespace) -> bool {
        let mut feeds = self.lock();
        let Some(feed) = feeds.get_mut(&ns) else {
            return true;
        };
        feed.followers.retain(|outlet| !outlet.sender.is_closed());
        let is_left_alone = feed.followers.is_empty();
        if is_left_alone {
            feeds.remove(&ns);
        }
        is_left_alone
    }
}

/// Joins those who follow a namespace. Answers the place after which everything is handed over.
/// `last` is a place that was the last one a moment ago.
pub(super) fn join(engine: &Arc<Engine>, ns: Namespace, last: i64) -> (Inlet, i64) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let buffer = Arc::new(Buffer {
        most: engine.event_buffer,
        waiting: AtomicUsize::new(0),
        is_dropped: AtomicBool::new(false),
    });
    let outlet = Outlet {
        sender,
        buffer: Arc::clone(&buffer),
    };
    let mut feeds = engine.feeds.lock();
    let place = if let Some(feed) = feeds.get_mut(&ns) {
        feed.followers.push(outlet);
        feed.place
    } else {
        let followers = vec![outlet];
        feeds.insert(
            ns,
            Feed {
                place: last,
                followers,
            },
        );
        tokio::spawn(read_on(Arc::clone(engine), ns));
        last
    };
    (Inlet { receiver, buffer }, place)
}

/// Reads what is new and hands it out, until nobody follows or the server stops.
async fn read_on(engine: Arc<Engine>, ns: Namespace) {
    while !engine.feeds.end_if_left_alone(ns) {
        if engine.closing.is_cancelled() {
            // Those who still follow find that nothing comes any more.
            engine.feeds.lock().remove(&ns);
            return;
        }
        let pause = match read_once(&engine, ns).await {
            Ok(true) => continue,
            Ok(false) => SPACING,
            Err(error) => {
                tracing::debug!(%error, "events cannot be read");
                AGAIN
            }
        };
        let sleeping = tokio::time::sleep(pause);
        engine.closing.run_until_cancelled(sleeping).await;
    }
}

/// Answers whether there is more to read at once.
async fn read_once(engine: &Engine, ns: Namespace) -> Result<bool, workmill_store::StoreError> {
    let Some(place) = engine.feeds.place(ns) else {
        return Ok(false);
    };
    engine.sequence(ns).await?;
    let read = engine.read_events(ns, place, SHARED_STRETCH).await?;
    engine.feeds.hand_out(ns, read.events);
    Ok(read.has_more)
}
