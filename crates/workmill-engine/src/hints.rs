//! Hints between servers: where tasks became ready, so that those who wait on another server
//! need not look by themselves; and from producers: something is in the inbox.
//!
//! What became ready within a few milliseconds goes out as one NOTIFY, after the commits: how many
//! tasks in which lanes. A hint that is lost costs the time until the next look, nothing else.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use workmill_core::ids::Namespace;
use workmill_core::lane::LaneId;
use workmill_store::upkeep::agenda::Ready;

use crate::engine::Engine;
use crate::waiting_claims::Call;

/// Hints of one server are sent at most this often.
const GATHERING: Duration = Duration::from_millis(3);

/// PostgreSQL takes up to 8,000 bytes; more lanes than this wait for the next hint.
const MOST_LANES: usize = 150;

/// More than that are as good as that many.
const MOST_TASKS: usize = 10_000;

/// What the database says when something was put into the inbox.
const INBOX: &str = "inbox";

/// How long to wait before trying again to hear others.
const AGAIN: Duration = Duration::from_secs(1);

/// Tasks that became ready, by namespace and lane.
type News = BTreeMap<(Namespace, LaneId), usize>;

/// News that has not been sent yet.
#[derive(Debug, Default)]
pub(crate) struct Outgoing {
    news: Mutex<News>,
    something: Notify,
}

impl Outgoing {
    pub(crate) fn add(&self, ns: Namespace, ready: &Ready) {
        let mut news = self.lock();
        for (lane, tasks) in ready {
            *news.entry((ns, *lane)).or_default() += tasks;
        }
        drop(news);
        self.something.notify_one();
    }

    fn take(&self) -> News {
        let mut waiting = self.lock();
        let rest = match waiting.keys().nth(MOST_LANES).copied() {
            Some(first) => waiting.split_off(&first),
            None => News::new(),
        };
        if !rest.is_empty() {
            self.something.notify_one();
        }
        std::mem::replace(&mut *waiting, rest)
    }

    fn lock(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sends what this server has to tell, until told to stop.
pub(crate) async fn send(engine: Arc<Engine>, stop: CancellationToken) {
    let outgoing = &engine.shared.outgoing;
    while stop
        .run_until_cancelled(outgoing.something.notified())
        .await
        .is_some()
    {
        sleep(GATHERING).await;
        let news = outgoing.take();
        if news.is_empty() {
            continue;
        }
        let hint = write(engine.shared.server, &news);
        if let Err(error) = engine.store().notify(&hint).await {
            tracing::debug!(%error, "a hint was not sent");
        }
    }
}

/// Wakes those who wait here for what other servers have made ready, until told to stop.
pub(crate) async fn hear(engine: Arc<Engine>, stop: CancellationToken) {
    let listening = async {
        loop {
            match engine.store().listen().await {
                Ok(mut listener) => {
                    // What came in while nobody listened.
                    engine.shared.inbox.notify_one();
                    while let Some(hint) = listener.next().await {
                        wake(&engine, &hint);
                    }
                    tracing::debug!("the connection that hears other servers is gone");
                }
                Err(error) => tracing::debug!(%error, "other servers cannot be heard"),
            }
            sleep(AGAIN).await;
        }
    };
    let _: Option<std::convert::Infallible> = stop.run_until_cancelled(listening).await;
}

fn wake(engine: &Engine, hint: &str) {
    let shared = &engine.shared;
    if hint == INBOX {
        shared.inbox.notify_one();
        return;
    }
    let Some((server, news)) = read(hint) else {
        return;
    };
    if server == shared.server {
        return;
    }
    let mut by_namespace: BTreeMap<Namespace, Ready> = BTreeMap::new();
    for ((ns, lane), tasks) in news {
        by_namespace.entry(ns).or_default().insert(lane, tasks);
    }
    for (ns, ready) in by_namespace {
        shared.store.lanes_became_ready(ns, &ready);
        let lanes = shared.store.known_lanes(ns);
        shared
            .waiting_claims
            .call(ns, &ready, &lanes, Call::FromElsewhere);
    }
}

fn write(server: u64, news: &News) -> String {
    let mut hint = server.to_string();
    for ((ns, lane), tasks) in news {
        let tasks = tasks.min(&MOST_TASKS);
        let _ = write!(hint, " {}:{}:{tasks}", ns.0, lane.0);
    }
    hint
}

fn read(hint: &str) -> Option<(u64, News)> {
    let mut words = hint.split(' ');
    let server = words.next()?.parse().ok()?;
    let read_one = |word: &str| {
        let mut parts = word.split(':');
        let ns = Namespace(parts.next()?.parse().ok()?);
        let lane = LaneId(parts.next()?.parse().ok()?);
        Some(((ns, lane), parts.next()?.parse().ok()?))
    };
    Some((server, words.filter_map(read_one).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_is_read_back_and_fits_into_a_notification() {
        let outgoing = Outgoing::default();
        for n in 0..400 {
            let ns = Namespace(0x7fff_ffff_ffff - n / 2);
            let ready = Ready::from([(LaneId(i64::MIN + n), MOST_TASKS)]);
            outgoing.add(ns, &ready);
        }
        let mut told = News::new();
        for most in [MOST_LANES, MOST_LANES, 100, 0] {
            let news = outgoing.take();
            assert_eq!(news.len(), most);
            let hint = write(u64::MAX, &news);
            assert!(hint.len() < 8000, "{}", hint.len());
            assert_eq!(read(&hint), Some((u64::MAX, news.clone())));
            told.extend(news);
        }
        assert_eq!(told.len(), 400);
        assert_eq!(read("nonsense"), None);
    }
}
