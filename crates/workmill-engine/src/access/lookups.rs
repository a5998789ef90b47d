//! Looking up keys that this process does not know.
//!
//! Somebody may send random keys in a loop. Unknown keys are looked up together, one statement at a
//! time, so the database answers a bounded number of statements however many keys come, and a good key
//! that is not known yet waits for two statements at most. A key that was found to be bad is remembered
//! by itself: a client that repeats it costs no statement, and no other key is refused for it.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use workmill_store::access::KeyRef;
use workmill_store::{Store, StoreError};

use crate::error::EngineError;

/// Tokens are random and shown only once they are stored, so a bad one does not become good. This is
/// for keys that come back with a restored database.
const REMEMBERED: Duration = Duration::from_secs(30);

/// Bad keys that are remembered.
const MOST_REMEMBERED: usize = 10_000;

/// Keys in one statement.
const MOST_TOGETHER: usize = 5_000;

type Answer = Result<bool, Arc<StoreError>>;

#[derive(Debug, Default)]
pub(crate) struct KeyLookups {
    bad: Mutex<HashMap<KeyRef, Instant>>,
    queue: Mutex<Queue>,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: HashMap<KeyRef, Vec<oneshot::Sender<Answer>>>,
    is_asking: bool,
    /// Statements sent so far.
    sent: usize,
}

impl KeyLookups {
    /// Whether the key is good, as far as the database knows now or knew a moment ago.
    pub(crate) async fn is_good(
        self: &Arc<Self>,
        which: KeyRef,
        store: &Arc<Store>,
    ) -> Result<bool, EngineError> {
        if self.is_remembered(&which, Instant::now()) {
            return Ok(false);
        }
        let (reply, answer) = oneshot::channel();
        let starts = {
            let mut queue = lock(&self.queue);
            queue.waiting.entry(which).or_default().push(reply);
            !mem::replace(&mut queue.is_asking, true)
        };
        if starts {
            tokio::spawn(ask(Arc::clone(self), Arc::clone(store)));
        }
        // The runtime is going down where nothing is answered.
        let answer = answer.await.map_err(|_| EngineError::Overloaded)?;
        let is_good = answer.map_err(EngineError::Store)?;
        if !is_good {
            self.remember(which, Instant::now());
        }
        Ok(is_good)
    }

    fn is_remembered(&self, which: &KeyRef, now: Instant) -> bool {
        lock(&self.bad).get(which).is_some_and(|until| now < *until)
    }

    fn remember(&self, which: KeyRef, now: Instant) {
        let mut bad = lock(&self.bad);
        if bad.len() >= MOST_REMEMBERED {
            bad.retain(|_, until| now < *until);
        }
        if bad.len() >= MOST_REMEMBERED {
            bad.clear();
        }
        bad.insert(which, now + REMEMBERED);
    }

    /// The next keys to look up; none when nobody waits any more.
    fn take(&self) -> HashMap<KeyRef, Vec<oneshot::Sender<Answer>>> {
        let mut queue = lock(&self.queue);
        let mut taken = mem::take(&mut queue.waiting);
        if taken.len() > MOST_TOGETHER {
            let rest: Vec<KeyRef> = taken.keys().skip(MOST_TOGETHER).copied().collect();
            let rest = rest.into_iter().filter_map(|key| taken.remove_entry(&key));
            queue.waiting.extend(rest.collect::<Vec<_>>());
        }
        queue.is_asking = !taken.is_empty();
        queue.sent += usize::from(queue.is_asking);
        taken
    }

    /// Statements sent so far.
    pub(crate) fn sent(&self) -> usize {
        lock(&self.queue).sent
    }
}

async fn ask(lookups: Arc<KeyLookups>, store: Arc<Store>) {
    loop {
        let taken = lookups.take();
        if taken.is_empty() {
            return;
        }
        let keys: Vec<KeyRef> = taken.keys().copied().collect();
        let found = store.find_good_keys(&keys).await.map_err(Arc::new);
        for (key, replies) in taken {
            for reply in replies {
                // A caller that has gone away needs no answer.
                let _ = reply.send(match &found {
                    Ok(good) => Ok(good.contains(&key)),
                    Err(error) => Err(Arc::clone(error)),
                });
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_key_is_remembered_for_a_while_and_their_number_is_bounded() {
        let lookups = KeyLookups::default();
        let key = |n: usize| {
            let mut hash = [0; 32];
            hash[..8].copy_from_slice(&n.to_le_bytes());
            KeyRef::Token(hash)
        };
        let now = Instant::now();
        lookups.remember(key(0), now);
        assert!(lookups.is_remembered(&key(0), now));
        assert!(!lookups.is_remembered(&key(1), now));
        assert!(!lookups.is_remembered(&key(0), now + REMEMBERED));
        for n in 0..MOST_REMEMBERED + 10 {
            lookups.remember(key(n), now);
        }
        assert!(lock(&lookups.bad).len() <= MOST_REMEMBERED);
    }
}
