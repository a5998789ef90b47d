//! The keys of those who wait for work or follow events. Whether they are still good is asked for all
//! of them at once, however many they are, and only while somebody waits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use workmill_store::Store;

use super::KeyRef;

/// Who waits with a revoked key is told after this time at the latest.
const ASK_EVERY: Duration = Duration::from_secs(2);

#[derive(Debug, Default)]
pub(crate) struct KeyWatch {
    watched: Mutex<Watched>,
}

#[derive(Debug, Default)]
struct Watched {
    keys: HashMap<KeyRef, Holders>,
    is_asking: bool,
}

#[derive(Debug, Default)]
struct Holders {
    count: usize,
    ended: CancellationToken,
}

impl KeyWatch {
    /// Returns when the key is not good any more. While the database is away nothing is known.
    pub(crate) async fn ended(self: &Arc<Self>, which: KeyRef, store: &Arc<Store>) {
        let (ended, is_first) = self.come(which);
        let _leaving = Leaving { watch: self, which };
        if is_first {
            tokio::spawn(ask(Arc::clone(self), Arc::clone(store)));
        }
        ended.cancelled().await;
    }

    /// How the key's end is told, and whether nobody asks for it yet.
    fn come(&self, which: KeyRef) -> (CancellationToken, bool) {
        let mut watched = self.lock();
        let holders = watched.keys.entry(which).or_default();
        holders.count += 1;
        let ended = holders.ended.clone();
        (ended, !std::mem::replace(&mut watched.is_asking, true))
    }

    /// All that are watched; nobody asks any more when there are none.
    fn keys(&self) -> Vec<KeyRef> {
        let mut watched = self.lock();
        watched.is_asking = !watched.keys.is_empty();
        watched.keys.keys().copied().collect()
    }

    fn end(&self, which: &KeyRef) {
        if let Some(holders) = self.lock().keys.get(which) {
            holders.ended.cancel();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn ask(watch: Arc<KeyWatch>, store: Arc<Store>) {
    loop {
        sleep(ASK_EVERY).await;
        let keys = watch.keys();
        if keys.is_empty() {
            return;
        }
        match store.find_good_keys(&keys).await {
            Ok(good) => {
                for key in keys.iter().filter(|key| !good.contains(key)) {
                    watch.end(key);
                }
            }
            Err(error) => tracing::debug!(%error, "nobody knows whether keys are still good"),
        }
    }
}

/// Somebody who does not wait any longer, for whatever reason.
struct Leaving<'a> {
    watch: &'a KeyWatch,
    which: KeyRef,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        let mut watched = self.watch.lock();
        if let Some(holders) = watched.keys.get_mut(&self.which) {
            holders.count -= 1;
            if holders.count == 0 {
                watched.keys.remove(&self.which);
            }
        }
    }
}
