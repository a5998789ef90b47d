//! Shares: what one namespace may have of the database at a time.
//!
//! Calls that are gathered need none, as each namespace has one batch of a kind under way. All others
//! (looking, steering, operating) run statements of their own. Of those a namespace may have half
//! the connections; what comes beyond waits for its own, not in front of other namespaces.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use workmill_core::ids::Namespace;

use crate::error::EngineError;

/// Calls of one namespace that wait before callers are turned away.
pub const MOST_WAITING: usize = 1_000;

/// A call that has waited so long is told to come back later.
pub const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Streams of one namespace that read stored events at a time. They have places of their own, so many
/// streams that catch up together, as after a restart, do not keep other calls waiting.
const CATCHING_UP: usize = 2;

/// A stream waits longer than a call: its client would only come back and wait again.
const LONGEST_WAIT_TO_CATCH_UP: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub struct Shares {
    /// Of each namespace.
    places: usize,
    longest_wait: Duration,
    /// One entry for each namespace that has ever called; only admins create those.
    namespaces: Mutex<HashMap<Namespace, Arc<Semaphore>>>,
}

/// A place that is given back when this is dropped.
#[derive(Debug)]
pub struct Share {
    _place: OwnedSemaphorePermit,
}

impl Shares {
    pub(crate) fn new(connections: usize) -> Self {
        Shares {
            places: (connections / 2).max(1),
            longest_wait: LONGEST_WAIT,
            namespaces: Mutex::default(),
        }
    }

    /// The places of streams that read stored events.
    pub(crate) fn to_catch_up() -> Self {
        Shares {
            places: CATCHING_UP,
            longest_wait: LONGEST_WAIT_TO_CATCH_UP,
            namespaces: Mutex::default(),
        }
    }

    /// How many calls of one namespace may run together.
    pub fn places(&self) -> usize {
        self.places
    }

    /// Waits for a place among those of the namespace.
    pub async fn take(&self, ns: Namespace) -> Result<Share, EngineError> {
        let places = {
            let namespaces = self.namespaces.lock();
            let mut namespaces = namespaces.unwrap_or_else(PoisonError::into_inner);
            let new = || Arc::new(Semaphore::new(self.places));
            let places = namespaces.entry(ns).or_insert_with(new);
            // Whoever has a place or waits for one holds on to it, and so does the map.
            if Arc::strong_count(places) > self.places + MOST_WAITING {
                return Err(EngineError::Overloaded);
            }
            Arc::clone(places)
        };
        match timeout(self.longest_wait, places.acquire_owned()).await {
            Ok(Ok(place)) => Ok(Share { _place: place }),
            Ok(Err(_)) | Err(_) => Err(EngineError::Overloaded),
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_namespace_has_its_places_and_never_those_of_another() {
        let (shares, one, other) = (Shares::new(8), Namespace(1), Namespace(2));
        let taken = join_all((0..4).map(|_| shares.take(one))).await;
        assert!(taken.iter().all(Result::is_ok));
        assert!(shares.take(one).await.is_err(), "after a while");
        assert!(shares.take(other).await.is_ok());
        drop(taken);
        assert!(shares.take(one).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn only_so_many_wait_for_a_place() {
        let (shares, ns) = (Shares::new(2), Namespace(1));
        let _taken = shares.take(ns).await;
        let begun = tokio::time::Instant::now();
        let refused_at_once = async {
            let answer = shares.take(ns).await;
            answer.is_err() && begun.elapsed().is_zero()
        };
        let waiting = join_all((0..MOST_WAITING).map(|_| shares.take(ns)));
        let (waited, refused) = futures_util::join!(waiting, refused_at_once);
        assert!(refused);
        assert!(waited.iter().all(Result::is_err));
    }
}
