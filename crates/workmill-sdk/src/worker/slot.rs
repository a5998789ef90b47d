//! One slot of a worker: attempts one after the other. The call that ends an attempt claims the next task
//! for the slot, as long as the worker wants one; without one, the slot is free for the worker's next poll.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use workmill_protocol::claims::{ClaimedTask, NextClaim};

use super::context::TaskContext;
use super::handler::{self, NotDone};
use super::heartbeats::Heartbeats;
use super::server::Server;
use super::settlement;
use super::stop::Stop;
use super::{EndHook, LAST_WORDS, Tally, Worker};
use crate::client::Client;

/// How many tasks a worker may still claim. Each claim reserves its tasks before it is sent, so that
/// claims of several slots together do not exceed the number.
#[derive(Debug)]
pub(super) struct Remaining(AtomicU64);

impl Remaining {
    pub(super) fn of(most: Option<u64>) -> Self {
        Remaining(AtomicU64::new(most.unwrap_or(u64::MAX)))
    }

    pub(super) fn left(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    /// Reserves up to `most` tasks; returns how many.
    pub(super) fn reserve(&self, most: u64) -> u64 {
        let taken = |left: u64| Some(left - left.min(most));
        let before = self
            .0
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, taken);
        before.unwrap_or_default().min(most)
    }

    /// Gives back what was reserved and not claimed.
    pub(super) fn give_back(&self, unclaimed: u64) {
        self.0.fetch_add(unclaimed, Ordering::SeqCst);
    }
}

/// What every slot of a worker shares.
#[derive(Clone)]
pub(super) struct Slot {
    client: Client,
    heartbeats: Heartbeats,
    stop: Stop,
    grace: Duration,
    on_end: Option<EndHook>,
    /// Whether the end of an attempt claims the next task.
    claims_next: bool,
    remaining: Arc<Remaining>,
    tally: Arc<Mutex<Tally>>,
}

impl Slot {
    pub(super) fn new(worker: &Worker, heartbeats: Heartbeats, remaining: Arc<Remaining>) -> Self {
        Slot {
            client: worker.client.clone(),
            heartbeats,
            stop: worker.stop.clone(),
            grace: worker.grace,
            on_end: worker.on_end.clone(),
            claims_next: worker.waits,
            remaining,
            tally: Arc::default(),
        }
    }

    pub(super) fn tally(&self) -> Tally {
        self.with_tally(|tally| *tally)
    }

    /// Counts an attempt that ended in a panic; its lease expires by itself.
    pub(super) fn count_lost(&self) {
        self.with_tally(|tally| tally.lost += 1);
    }

    fn with_tally<T>(&self, act: impl FnOnce(&mut Tally) -> T) -> T {
        act(&mut self.tally.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Works on a claimed task, and then on those that the slot claims with the end of each.
    pub(super) async fn work<Handle, Handling, Output>(
        self,
        claim: ClaimedTask,
        handle: Arc<Handle>,
    ) where
        Handle: Fn(TaskContext) -> Handling + Send + Sync + 'static,
        Handling: Future<Output = Result<Output, NotDone>> + Send + 'static,
        Output: Serialize + Send + 'static,
    {
        let mut next = Some(claim);
        while let Some(claim) = next {
            next = self.attempt(claim, &*handle).await;
        }
    }

    /// One attempt, from the claim to its end; returns the next claim.
    async fn attempt<Handle, Handling, Output>(
        &self,
        claim: ClaimedTask,
        handle: &Handle,
    ) -> Option<ClaimedTask>
    where
        Handle: Fn(TaskContext) -> Handling + Send + Sync + 'static,
        Handling: Future<Output = Result<Output, NotDone>> + Send + 'static,
        Output: Serialize + Send + 'static,
    {
        let context = TaskContext::new(claim, Server::Real(self.client.clone()));
        let beating = self.heartbeats.keep_alive(&context);
        let handled = handler::run(handle, &context, &self.stop, self.grace).await;
        let wanted = self.next_claim();
        let is_reserved = wanted.is_some();
        let (ended, next) = settlement::settle(&context, handled, &self.stop, wanted).await;
        drop(beating);
        if let Some(hook) = &self.on_end {
            hook(context.claim(), ended);
        }
        self.with_tally(|tally| tally.count(ended));
        if is_reserved && next.is_none() {
            self.remaining.give_back(1);
        }
        self.unless_draining(next).await
    }

    /// Reserves a task and returns the claim of it, if the worker wants another one.
    fn next_claim(&self) -> Option<NextClaim> {
        let wants_more = self.claims_next && !self.stop.is_draining();
        let claim = NextClaim {
            start: true,
            ..NextClaim::default()
        };
        (wants_more && self.remaining.reserve(1) == 1).then_some(claim)
    }

    /// Gives a claim back that came after the worker was told to claim nothing new.
    async fn unless_draining(&self, next: Option<ClaimedTask>) -> Option<ClaimedTask> {
        let next = next?;
        if !self.stop.is_draining() {
            return Some(next);
        }
        let client = self.client.clone().with_patience(LAST_WORDS);
        // A lease that is not given back expires by itself.
        let _ = client.release(next.lease).await;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_tasks_are_reserved_than_remain() {
        let remaining = Remaining::of(Some(3));
        assert_eq!((remaining.reserve(2), remaining.reserve(2)), (2, 1));
        assert_eq!((remaining.reserve(1), remaining.left()), (0, 0));
        remaining.give_back(1);
        assert_eq!((remaining.reserve(5), remaining.reserve(5)), (1, 0));
    }
}
