//! The engine: a store, and those who wait for work in this process.

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use tokio::sync::{Notify, OnceCell, Semaphore};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use workmill_core::audit::Actor;
use workmill_core::authority::Authority;
use workmill_core::ids::Namespace;
use workmill_core::price::PriceTable;
use workmill_core::retention::DEFAULT_EVENT_AGE;
use workmill_store::operation::{Effects, Operation};
use workmill_store::{Store, StoreError};

use crate::access::{KeyCache, KeyLookups, KeyWatch};
use crate::events::Feeds;
use crate::gather::{Gatherer, batches_at_once};
use crate::hints::Outgoing;
use crate::metrics::Metrics;
use crate::shares::Shares;
use crate::upkeep::agent_watcher::Heard;
use crate::upkeep::experience_recorder::Outcomes;
use crate::upkeep::{inbox_drainer, inbox_pruner};
use crate::waiting_claims::{Call, WaitingClaims};
use crate::{dispatch, execution, intake, log, settlement};

/// Who asks. The server has checked the key and the role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub ns: Namespace,
    pub key: Uuid,
    /// What the key is called; shown as the creator of what it submits.
    pub name: String,
    pub authority: Authority,
}

impl Caller {
    pub(crate) fn actor(&self) -> Actor {
        Actor {
            name: self.name.clone(),
            key: Some(self.key),
        }
    }
}

/// What all operations share: the store, and those who wait for work in this process.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) store: Arc<Store>,
    pub(crate) waiting_claims: WaitingClaims,
    /// What is to be learnt from attempts that have ended.
    pub(crate) outcomes: Outcomes,
    /// When agents ended attempts.
    pub(crate) heard: Heard,
    /// What other servers are to be told.
    pub(crate) outgoing: Outgoing,
    /// Rung when something was put into the inbox.
    pub(crate) inbox: Notify,
    /// Tells this server's hints from those of others.
    pub(crate) server: u64,
    /// What is counted in this process.
    pub(crate) metrics: Metrics,
    /// Turns of those who submit many tasks, of all namespaces.
    pub(crate) large_turns: Arc<Semaphore>,
}

impl Shared {
    /// Runs a store operation and then what is to happen after its commit.
    pub(crate) async fn run<O: Operation>(&self, operation: &O) -> Result<O::Answer, StoreError> {
        let (answer, mut effects) = self.store.run(operation).await?;
        self.take_effect(operation.namespace(), &mut effects);
        Ok(answer)
    }

    /// What is to happen after a commit.
    pub(crate) fn take_effect(&self, ns: Namespace, effects: &mut Effects) {
        self.metrics.count(effects);
        log::write(ns, &effects.told);
        let (outcomes, ended) = (&mut effects.outcomes, &mut effects.ended);
        if !outcomes.is_empty() || !ended.is_empty() {
            let (outcomes, ended) = (std::mem::take(outcomes), std::mem::take(ended));
            for counted in self.outcomes.add(ns, outcomes, ended) {
                self.metrics.count_of_type(&counted);
            }
        }
        self.heard.add(ns, std::mem::take(&mut effects.heard));
        self.waiting_claims.learn(ns, &effects.offers);
        if !effects.ready.is_empty() {
            let lanes = self.store.known_lanes(ns);
            self.waiting_claims
                .call(ns, &effects.ready, &lanes, Call::News);
            self.outgoing.add(ns, &effects.ready);
        }
    }
}

/// So many events wait for a follower that does not keep up; together they are a few megabytes.
const EVENT_BUFFER: usize = 10_000;

#[derive(Debug)]
pub struct Engine {
    pub(crate) shared: Arc<Shared>,
    /// What each namespace may have of the database.
    pub shares: Shares,
    /// The turns of streams that read stored events.
    pub(crate) catching_up: Shares,
    /// How often the lanes are looked over for those who wait.
    pub(crate) look_again: Duration,
    pub(crate) prices: Arc<PriceTable>,
    /// How long events are kept.
    pub(crate) event_age: Duration,
    /// How long rows of the inbox are kept after they were handled.
    pub(crate) inbox_age: Duration,
    /// How often the inbox is looked into although nobody rang.
    pub(crate) inbox_sweep: Duration,
    /// Keys that were good a moment ago.
    pub(crate) keys: KeyCache,
    /// Keys of those who wait.
    pub(crate) key_watch: Arc<KeyWatch>,
    /// Looks up keys that are not known.
    pub(crate) key_lookups: Arc<KeyLookups>,
    /// What lease tokens are signed with, once it was read.
    pub(crate) lease_secret: OnceCell<Vec<u8>>,
    /// Those who follow events.
    pub(crate) feeds: Feeds,
    /// Events that may wait for a follower before it is dropped.
    pub(crate) event_buffer: usize,
    /// Cancelled when nobody shall wait any longer.
    pub(crate) closing: CancellationToken,
    pub(crate) submits: Gatherer<intake::Submits>,
    pub(crate) large_submits: Gatherer<intake::LargeSubmits>,
    pub(crate) claims: Gatherer<dispatch::Claims>,
    pub(crate) starts: Gatherer<execution::Starts>,
    pub(crate) heartbeats: Gatherer<execution::Heartbeats>,
    pub(crate) settlements: Gatherer<settlement::Settlements>,
}

impl Engine {
    pub fn new(store: Arc<Store>) -> Self {
        let connections = store.connections().most;
        let processors = available_parallelism().map_or(1, NonZero::get);
        let at_once = batches_at_once(processors, connections);
        let shares = Shares::new(connections);
        Engine {
            shared: Arc::new(Shared {
                store,
                waiting_claims: WaitingClaims::default(),
                outcomes: Outcomes::default(),
                heard: Heard::default(),
                outgoing: Outgoing::default(),
                inbox: Notify::new(),
                server: rand::random(),
                metrics: Metrics::default(),
                large_turns: Arc::new(Semaphore::new(intake::LARGE_SUBMITS)),
            }),
            shares,
            catching_up: Shares::to_catch_up(),
            look_again: Duration::from_secs(1),
            prices: Arc::new(PriceTable::built_in()),
            event_age: DEFAULT_EVENT_AGE,
            inbox_age: inbox_pruner::USUAL_AGE,
            inbox_sweep: inbox_drainer::USUAL_SWEEP,
            keys: KeyCache::default(),
            key_watch: Arc::default(),
            key_lookups: Arc::default(),
            lease_secret: OnceCell::new(),
            feeds: Feeds::default(),
            event_buffer: EVENT_BUFFER,
            closing: CancellationToken::new(),
            submits: Gatherer::new(at_once),
            large_submits: Gatherer::new(at_once),
            claims: Gatherer::new(at_once),
            starts: Gatherer::new(at_once),
            heartbeats: Gatherer::new(at_once),
            settlements: Gatherer::new(at_once),
        }
    }

    /// How often the duties look over the lanes for those who wait for work: that catches what no
    /// hint has told. Every second, unless this says otherwise.
    #[must_use]
    pub fn looking_again_after(self, look_again: Duration) -> Self {
        Engine { look_again, ..self }
    }

    /// How long events are kept, in all namespaces alike.
    #[must_use]
    pub fn keeping_events_for(self, event_age: Duration) -> Self {
        Engine { event_age, ..self }
    }

    /// How long rows of the inbox are kept after they were handled.
    #[must_use]
    pub fn keeping_inbox_for(self, inbox_age: Duration) -> Self {
        Engine { inbox_age, ..self }
    }

    /// How often the inbox is looked into although nobody rang.
    #[must_use]
    pub fn looking_into_inbox_every(self, inbox_sweep: Duration) -> Self {
        Engine {
            inbox_sweep,
            ..self
        }
    }

    /// How many events may wait for a follower before it is dropped.
    #[must_use]
    pub fn buffering_events(self, event_buffer: usize) -> Self {
        Engine {
            event_buffer,
            ..self
        }
    }

    pub fn store(&self) -> &Store {
        &self.shared.store
    }

    /// How many wait for work here at this moment.
    pub fn waiting_claims(&self) -> usize {
        self.shared.waiting_claims.waiting()
    }

    /// Answers those who wait for work with what there is, now and from now on.
    pub fn stop_waiting(&self) {
        self.closing.cancel();
    }

    pub(crate) async fn run<O: Operation>(&self, operation: &O) -> Result<O::Answer, StoreError> {
        self.shared.run(operation).await
    }

    /// Runs what somebody does by hand: it is recorded under the caller's name.
    pub(crate) async fn run_by<O: Operation>(
        &self,
        caller: &Caller,
        operation: &O,
    ) -> Result<O::Answer, StoreError> {
        let store = &self.shared.store;
        let (answer, mut effects) = store.run_by(&caller.actor(), operation).await?;
        self.shared.take_effect(operation.namespace(), &mut effects);
        Ok(answer)
    }
}
