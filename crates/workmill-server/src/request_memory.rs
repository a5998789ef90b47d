//! The memory that requests take, bounded for the server and shared between namespaces.
//!
//! A body takes its share as it arrives, not as it was announced, so an idle connection takes nothing.
//! Before a body is parsed it takes what parsing can cost at worst, and afterwards gives back what was
//! not needed. Small bodies have memory of their own, so they never wait for large ones, and no
//! namespace may take more than a quarter of either. A request that finds no memory for a second is
//! refused; one whose body has arrived waits longer.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use workmill_core::ids::Namespace;
use workmill_engine::strict::largest_reading;
use workmill_protocol::error::ErrorCode;

use crate::memory_pool::{Pool, Taken, lock};
use crate::problem::Refused;

/// Bodies up to this size are small.
const SMALL_BODY: usize = 16 * 1024;

/// For all small bodies together.
const SMALL_BODIES: usize = 64 * 1024 * 1024;

const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// A body that has arrived would have to be sent again.
const LONGEST_WAIT_TO_PARSE: Duration = Duration::from_secs(5);

/// How often the text of a request is in memory while it is carried out: as it is stored, and in the
/// statements that store it.
const COPIES: usize = 2;

#[derive(Debug)]
pub(crate) struct RequestMemory {
    small: Pool,
    large: Pool,
}

impl RequestMemory {
    /// `large` bytes for all bodies that are not small.
    pub(crate) fn new(large: usize) -> Self {
        RequestMemory {
            small: Pool::new(SMALL_BODIES),
            large: Pool::new(large),
        }
    }
}

/// What one request takes. Given back when the last clone is dropped: work that goes on without its
/// request keeps a clone.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    memory: Arc<RequestMemory>,
    ns: Namespace,
    taken: Arc<Mutex<Option<Taken>>>,
}

impl Place {
    pub(crate) fn new(memory: Arc<RequestMemory>, ns: Namespace) -> Self {
        Place {
            memory,
            ns,
            taken: Arc::default(),
        }
    }

    /// Takes memory for a body of which so many bytes have arrived.
    pub(crate) async fn arrive(&self, length: usize) -> Result<(), Refused> {
        self.have(length, length, LONGEST_WAIT).await
    }

    /// Takes what parsing a body of this length can cost at worst, besides the body.
    pub(crate) async fn expect_parsing(&self, length: usize) -> Result<(), Refused> {
        let bytes = length + largest_reading(length);
        self.have(length, bytes, LONGEST_WAIT_TO_PARSE).await
    }

    /// Keeps what the request takes from now on: what was parsed, and copies of its text.
    pub(crate) fn has_parsed(&self, length: usize, parsed: usize) {
        if let Some(taken) = lock(&self.taken).as_mut() {
            let needed = parsed + COPIES * length;
            taken.give_back(taken.bytes().saturating_sub(needed));
        }
    }

    /// `bytes` in all, for a body of this length.
    async fn have(&self, length: usize, bytes: usize, wait: Duration) -> Result<(), Refused> {
        // A body that outgrows the small ones takes all of it from the pool of large ones.
        let is_small = length <= SMALL_BODY;
        let pool = if is_small {
            &self.memory.small
        } else {
            &self.memory.large
        };
        let before = lock(&self.taken).take();
        let before = before.filter(|taken| pool.is_of(taken));
        // One request alone always fits.
        let bytes = bytes.min(pool.share());
        let has = before.as_ref().map_or(0, Taken::bytes);
        let more = match bytes.saturating_sub(has) {
            0 => None,
            missing => {
                let taken = pool.take(self.ns, missing, wait).await;
                Some(taken.ok_or_else(no_memory)?)
            }
        };
        *lock(&self.taken) = match (before, more) {
            (Some(mut taken), Some(more)) => {
                taken.merge(more);
                Some(taken)
            }
            (taken, more) => taken.or(more),
        };
        Ok(())
    }
}

fn no_memory() -> Refused {
    let detail = "there is no memory for a body of this size at the moment";
    Refused::new(ErrorCode::Overloaded, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1024 * 1024;

    fn place(memory: &Arc<RequestMemory>, ns: i64) -> Place {
        Place::new(Arc::clone(memory), Namespace(ns))
    }

    fn free(memory: &RequestMemory) -> usize {
        memory.large.free()
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_takes_memory_as_it_arrives_and_gives_all_of_it_back() {
        let memory = Arc::new(RequestMemory::new(8 * MIB));
        let one = place(&memory, 1);
        one.arrive(SMALL_BODY).await.unwrap();
        assert_eq!(free(&memory), 8 * MIB, "small bodies have their own");
        one.arrive(MIB).await.unwrap();
        assert_eq!(free(&memory), 7 * MIB);
        assert_eq!(memory.small.free(), SMALL_BODIES);
        one.expect_parsing(MIB).await.unwrap();
        assert_eq!(free(&memory), 6 * MIB, "at most its share");
        one.has_parsed(MIB / 2, 100);
        assert_eq!(free(&memory), 7 * MIB - 100);
        drop(one);
        assert_eq!(free(&memory), 8 * MIB);
    }

    #[tokio::test(start_paused = true)]
    async fn a_namespace_takes_no_more_than_its_share() {
        let memory = Arc::new(RequestMemory::new(8 * MIB));
        let (greedy, late, other) = (place(&memory, 1), place(&memory, 1), place(&memory, 2));
        greedy.arrive(2 * MIB).await.unwrap();
        let refused = late.arrive(MIB).await.unwrap_err();
        assert_eq!(refused.0.code, ErrorCode::Overloaded);
        late.arrive(SMALL_BODY).await.unwrap();
        other.arrive(2 * MIB).await.unwrap();
        drop(greedy);
        late.arrive(MIB).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn namespaces_that_take_all_they_may_leave_memory_for_a_third_one() {
        let memory = Arc::new(RequestMemory::new(8 * MIB));
        let (one, two) = (place(&memory, 1), place(&memory, 2));
        one.arrive(2 * MIB).await.unwrap();
        two.arrive(2 * MIB).await.unwrap();
        for ns in [1, 2] {
            place(&memory, ns).arrive(MIB).await.unwrap_err();
        }
        let third = place(&memory, 3);
        third.arrive(MIB).await.unwrap();
        third.expect_parsing(MIB).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_has_arrived_waits_longer_for_memory_than_one_that_arrives() {
        let memory = Arc::new(RequestMemory::new(8 * MIB));
        let (first, second) = (place(&memory, 1), place(&memory, 1));
        first.arrive(MIB).await.unwrap();
        second.arrive(MIB).await.unwrap();
        let began = tokio::time::Instant::now();
        let parsing = second.expect_parsing(MIB);
        let ends = async {
            tokio::time::sleep(2 * LONGEST_WAIT).await;
            drop(first);
        };
        let (parsing, ()) = tokio::join!(parsing, ends);
        parsing.unwrap();
        assert_eq!(began.elapsed(), 2 * LONGEST_WAIT);
    }
}
