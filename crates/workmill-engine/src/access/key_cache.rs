//! Keys that were good a moment ago, so that a request needs no query of its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use uuid::Uuid;
use workmill_store::access::{KeyRef, KnownKey};

/// A revoked key is refused everywhere after this time at the latest.
const FRESH: Duration = Duration::from_secs(2);

/// The use of a key is noted at most this often.
const NOTED: Duration = Duration::from_mins(1);

/// More than this are not remembered.
const MOST: usize = 10_000;

#[derive(Debug, Default)]
pub(crate) struct KeyCache {
    known: Mutex<HashMap<KeyRef, Entry>>,
    noted: Mutex<HashMap<Uuid, Instant>>,
}

#[derive(Debug)]
struct Entry {
    key: Arc<KnownKey>,
    read_at: Instant,
    /// When its token ends, if another one has taken its place.
    ends_at: Option<Instant>,
}

impl Entry {
    fn is_fresh(&self, now: Instant) -> bool {
        now < self.read_at + FRESH && self.ends_at.is_none_or(|ends_at| now < ends_at)
    }
}

impl KeyCache {
    pub(crate) fn fresh(&self, which: &KeyRef, now: Instant) -> Option<Arc<KnownKey>> {
        let known = lock(&self.known);
        let entry = known.get(which).filter(|entry| entry.is_fresh(now))?;
        Some(Arc::clone(&entry.key))
    }

    pub(crate) fn was_good(&self, which: &KeyRef) -> bool {
        lock(&self.known).contains_key(which)
    }

    /// Remembers what was read just now.
    pub(crate) fn remember(
        &self,
        which: KeyRef,
        found: Option<KnownKey>,
        now: Instant,
    ) -> Option<Arc<KnownKey>> {
        let mut known = lock(&self.known);
        let Some(key) = found.map(Arc::new) else {
            known.remove(&which);
            return None;
        };
        make_room(&mut known, |entry| entry.is_fresh(now));
        let entry = Entry {
            key: Arc::clone(&key),
            read_at: now,
            ends_at: key.good_for.map(|left| now + left),
        };
        known.insert(which, entry);
        Some(key)
    }

    pub(crate) fn forget(&self, id: Uuid) {
        lock(&self.known).retain(|_, entry| entry.key.id != id);
    }

    /// True once a minute for each key.
    pub(crate) fn is_to_be_noted(&self, id: Uuid, now: Instant) -> bool {
        let is_recent = |noted: &Instant| now < *noted + NOTED;
        let mut noted = lock(&self.noted);
        if noted.get(&id).is_some_and(is_recent) {
            return false;
        }
        make_room(&mut noted, is_recent);
        noted.insert(id, now);
        true
    }
}

/// What is forgotten is only read, or noted, once more.
fn make_room<K: Eq + std::hash::Hash, V>(map: &mut HashMap<K, V>, is_of_use: impl Fn(&V) -> bool) {
    if map.len() >= MOST {
        map.retain(|_, value| is_of_use(value));
    }
    if map.len() >= MOST {
        map.clear();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use workmill_core::ids::Namespace;

    fn key(good_for: Option<Duration>) -> KnownKey {
        KnownKey {
            ns: Namespace(1),
            namespace: "one".to_owned(),
            id: Uuid::from_u128(7),
            name: "key".to_owned(),
            role: "agent".to_owned(),
            good_for,
        }
    }

    #[test]
    fn a_key_is_read_again_after_two_seconds_and_when_its_token_ends() {
        let key_cache = KeyCache::default();
        let which = KeyRef::Token([1; 32]);
        let began = Instant::now();
        let after = |milliseconds| began + Duration::from_millis(milliseconds);
        key_cache.remember(which, Some(key(None)), began);
        assert!(key_cache.fresh(&which, after(1999)).is_some());
        assert!(key_cache.fresh(&which, after(2000)).is_none());
        assert!(key_cache.was_good(&which));
        let ending = key(Some(Duration::from_millis(100)));
        key_cache.remember(which, Some(ending), began);
        assert!(key_cache.fresh(&which, after(99)).is_some());
        assert!(key_cache.fresh(&which, after(100)).is_none());
        key_cache.remember(which, None, began);
        assert!(!key_cache.was_good(&which));
        key_cache.remember(which, Some(key(None)), began);
        key_cache.forget(Uuid::from_u128(7));
        assert!(key_cache.fresh(&which, began).is_none());
    }

    #[test]
    fn the_use_of_a_key_is_noted_once_a_minute() {
        let key_cache = KeyCache::default();
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let began = Instant::now();
        assert!(key_cache.is_to_be_noted(one, began) && key_cache.is_to_be_noted(two, began));
        assert!(!key_cache.is_to_be_noted(one, began + Duration::from_secs(59)));
        assert!(key_cache.is_to_be_noted(one, began + NOTED));
    }
}
