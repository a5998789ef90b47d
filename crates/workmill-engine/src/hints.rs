//! Hints between servers: where tasks became ready, so that those who wait on another server
//! need not look by themselves; and from producers: something is in the inbox.
//!
//! What became ready within a few milliseconds goes out as one NOTIFY, after the commits. A hint
//! names namespaces only; who hears it looks. A hint that is lost costs the time until the next
//! look, nothing else.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use workmill_core::ids::Namespace;

use crate::engine::Engine;

/// Hints of one server are sent at most this often.
const GATHERING: Duration = Duration::from_millis(3);

/// PostgreSQL takes up to 8,000 bytes; more namespaces than this wait for the next hint.
const MOST_NAMESPACES: usize = 300;

/// What the database says when something was put into the inbox.
const INBOX: &str = "inbox";

/// How long to wait before trying again to hear others.
const AGAIN: Duration = Duration::from_secs(1);

/// Namespaces whose news has not been sent yet.
#[derive(Debug, Default)]
pub(crate) struct Outgoing {
    namespaces: Mutex<BTreeSet<Namespace>>,
    something: Notify,
}

impl Outgoing {
    pub(crate) fn add(&self, ns: Namespace) {
        self.lock().insert(ns);
        self.something.notify_one();
    }

    fn take(&self) -> Vec<Namespace> {
        let mut waiting = self.lock();
        let taken: Vec<Namespace> = waiting.iter().copied().take(MOST_NAMESPACES).collect();
        for ns in &taken {
            waiting.remove(ns);
        }
        if !waiting.is_empty() {
            self.something.notify_one();
        }
        taken
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeSet<Namespace>> {
        self.namespaces
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
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
        let namespaces = outgoing.take();
        if namespaces.is_empty() {
            continue;
        }
        let hint = write(engine.shared.server, &namespaces);
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
    if hint == INBOX {
        engine.shared.inbox.notify_one();
        return;
    }
    let Some((server, namespaces)) = read(hint) else {
        return;
    };
    if server != engine.shared.server {
        for ns in namespaces {
            engine.shared.wake_up.ring(ns);
        }
    }
}

fn write(server: u64, namespaces: &[Namespace]) -> String {
    let mut hint = server.to_string();
    for ns in namespaces {
        let _ = write!(hint, " {}", ns.0);
    }
    hint
}

fn read(hint: &str) -> Option<(u64, Vec<Namespace>)> {
    let mut words = hint.split(' ');
    let server = words.next()?.parse().ok()?;
    Some((
        server,
        words
            .filter_map(|word| word.parse().ok())
            .map(Namespace)
            .collect(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_is_read_back_and_fits_into_a_notification() {
        let namespaces: Vec<Namespace> =
            (0..300).map(|n| Namespace(0x7fff_ffff_ffff - n)).collect();
        let hint = write(u64::MAX, &namespaces);
        assert!(hint.len() < 8000, "{}", hint.len());
        assert_eq!(read(&hint), Some((u64::MAX, namespaces)));
        assert_eq!(read("nonsense"), None);
    }
}
