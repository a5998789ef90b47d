//! One operation, one transaction: begun, decided, written, committed, and repeated when another
//! transaction was in the way.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use futures_util::TryFutureExt;
use futures_util::future::try_join;
use jiff::{SignedDuration, Timestamp};
use postgres_types::Json;
use serde_json::Value;
use uuid::Uuid;
use workmill_core::audit::{Actor, AuditEntry};
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::lane::{Lane, LaneId, Offer};
use workmill_core::rank::Boost;
use workmill_queries::client::{GenericClient, Params};
use workmill_queries::queries::events::write as events;

use crate::clock::Clock;
use crate::connect::Store;
use crate::dispatch::claim::ClaimAnswer;
use crate::error::StoreError;
use crate::event::{Event, EventType, Told};
use crate::experience::{AttemptOutcome, UsualCosts};
use crate::gates::cache::{GateCache, GatesOfWork};
use crate::lane_cursors::LaneCursors;
use crate::lanes::LaneCache;
use crate::lease_counts::LeaseCounts;
use crate::settlement::EndedAttempt;
use crate::test_points::TestPoints;
use crate::transaction::Transaction;

/// A batch of requests of one kind, for one namespace.
///
/// `run` may be called more than once: a transaction that lost against another one is rolled
/// back and run again. It takes its locks in the order of [`lock_order`](crate::lock_order).
pub trait Operation: Sync {
    type Answer: Send;

    /// A verb for error messages: "trying to …".
    const DOING: &'static str;

    fn namespace(&self) -> Namespace;

    fn run(
        &self,
        work: &mut Work<'_>,
    ) -> impl Future<Output = Result<Self::Answer, StoreError>> + Send;
}

/// What is to happen once the transaction has committed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Effects {
    /// How many tasks became ready in which lane.
    pub ready: BTreeMap<LaneId, usize>,
    /// What agents bring that have asked for tasks and got none.
    pub offers: BTreeMap<String, Offer>,
    /// Gates stopped so much that a claim gave up; looking again is worth while.
    pub is_unfinished: bool,
    /// When agents ended attempts; to be written down.
    pub heard: BTreeMap<String, Timestamp>,
    /// How attempts ended; to be recorded.
    pub outcomes: Vec<AttemptOutcome>,
    /// What has happened, to be counted.
    pub events: BTreeMap<EventType, u64>,
    /// The attempts that ended, to be counted.
    pub ended: Vec<EndedAttempt>,
    /// How long tasks had waited that were claimed for the first time.
    pub waits: Vec<SignedDuration>,
    /// What has happened, where somebody reads of it in the log.
    pub told: Vec<Told>,
}

impl Effects {
    /// Takes tasks that this transaction made ready and handed out off those that waiting claims are
    /// woken for.
    pub(crate) fn uncount_claimed(
        &mut self,
        made_ready: impl Iterator<Item = (TaskId, LaneId)>,
        claimed: &[ClaimAnswer],
    ) {
        let claimed = claimed.iter().flatten().flatten();
        let claimed: BTreeSet<TaskId> = claimed.map(|claimed| claimed.lease.task).collect();
        for (_, lane) in made_ready.filter(|(task, _)| claimed.contains(task)) {
            if let Some(left) = self.ready.get_mut(&lane) {
                *left -= 1;
            }
        }
        self.ready.retain(|_, left| *left > 0);
    }
}

/// A transaction under way.
pub struct Work<'a> {
    pub(crate) transaction: &'a Transaction,
    pub(crate) ns: i64,
    pub(crate) effects: Effects,
    doing: &'static str,
    store: &'a Store,
    now: OnceLock<Timestamp>,
    events: Vec<Event>,
    /// Who asked for it, where somebody did.
    pub(crate) actor: Option<&'a Actor>,
    /// What was done by hand, to be written with the rest.
    pub(crate) audited: Vec<AuditEntry>,
    /// Refused after something was written: nothing of it stays.
    is_abandoned: bool,
    /// What it knows of gates.
    pub(crate) gates: Mutex<GatesOfWork>,
    /// Lanes written here; the process remembers them when they are committed.
    pub(crate) new_lanes: BTreeMap<LaneId, Lane>,
}

/// How often a transaction is repeated before its conflict is reported.
const TRIES: usize = 8;

/// A conflict is over at once, and so is the trouble with a connection that died while nobody used
/// it. Otherwise the database is away: knocking on and on would only hold up its return.
fn pause_after(error: &StoreError, tried: usize) -> Duration {
    match error {
        StoreError::Unavailable { .. } if tried > 1 => FIRST_PAUSE * (1 << (tried - 2)),
        _ => Duration::ZERO,
    }
}

const FIRST_PAUSE: Duration = Duration::from_millis(10);

const READ_CLOCK: &str = "select clock_timestamp()";

impl Store {
    pub async fn run<O: Operation>(
        &self,
        operation: &O,
    ) -> Result<(O::Answer, Effects), StoreError> {
        self.run_for(None, operation).await
    }

    /// The same on somebody's behalf: what the operation does by hand is recorded under that name.
    pub async fn run_by<O: Operation>(
        &self,
        actor: &Actor,
        operation: &O,
    ) -> Result<(O::Answer, Effects), StoreError> {
        self.run_for(Some(actor), operation).await
    }

    /// The same for an actor, if there is one.
    pub(crate) async fn run_for<O: Operation>(
        &self,
        actor: Option<&Actor>,
        operation: &O,
    ) -> Result<(O::Answer, Effects), StoreError> {
        let mut tried = 1;
        loop {
            match self.run_once(actor, operation).await {
                Err(error) if tried < TRIES && error.is_worth_repeating() => {
                    tracing::debug!(doing = O::DOING, tried, %error, "transaction is repeated");
                    tokio::time::sleep(pause_after(&error, tried)).await;
                    tried += 1;
                }
                answer => return answer,
            }
        }
    }

    async fn run_once<O: Operation>(
        &self,
        actor: Option<&Actor>,
        operation: &O,
    ) -> Result<(O::Answer, Effects), StoreError> {
        let transaction = Transaction::on(self.client(O::DOING).await?);
        let answer = self.run_in(&transaction, actor, operation).await;
        // A statement that failed leaves the transaction open.
        if answer.is_ok() || transaction.rollback().await.is_ok() {
            transaction.give_back();
        }
        answer
    }

    async fn run_in<O: Operation>(
        &self,
        transaction: &Transaction,
        actor: Option<&Actor>,
        operation: &O,
    ) -> Result<(O::Answer, Effects), StoreError> {
        let mut work = Work {
            transaction,
            ns: operation.namespace().0,
            effects: Effects::default(),
            doing: O::DOING,
            store: self,
            now: OnceLock::new(),
            events: Vec::new(),
            actor,
            audited: Vec::new(),
            is_abandoned: false,
            gates: Mutex::default(),
            new_lanes: BTreeMap::new(),
        };
        let failed = |error| StoreError::from_statement(O::DOING, error);
        let begin = transaction.begin().map_err(failed);
        // Polled first, and so sent first: what the operation sends follows without waiting for
        // the answer. Boxed: operations are large, and their callers shall not be.
        let run = try_join(begin, Box::pin(operation.run(&mut work))).await;
        let ((), answer) = run.map_err(|error| {
            let error = error.while_doing(O::DOING);
            if transaction.is_committed() {
                error.with_the_commit_on_its_way()
            } else {
                error
            }
        })?;
        if work.is_abandoned {
            transaction.rollback().await.map_err(failed)?;
            return Ok((answer, Effects::default()));
        }
        if !transaction.is_committed() {
            let (facts, audited) = (work.take_facts(), work.take_audited());
            work.write_facts(&facts).await?;
            work.write_audited(&audited).await?;
            work.commit().await?;
        }
        debug_assert!(work.audited.is_empty(), "{} was not recorded", O::DOING);
        self.lanes.learn(work.ns, work.new_lanes);
        self.lanes.expect(work.ns, work.effects.ready.keys());
        Ok((answer, work.effects))
    }
}

impl Work<'_> {
    /// The moment of this transaction. Read at the first call, so make it after the locks, or
    /// together with them: what is sent together is executed in the order it was sent.
    pub(crate) async fn now(&self) -> Result<Timestamp, StoreError> {
        if let Some(now) = self.now.get() {
            return Ok(*now);
        }
        let now = match &self.store.clock {
            Clock::Manual(clock) => clock.now(),
            Clock::Database => {
                let now = self.read_clock().await;
                now?
            }
        };
        Ok(*self.now.get_or_init(|| now))
    }

    /// Lets the moment be read again, under the next locks. Nothing was decided with the first one.
    pub(crate) fn forget_moment(&mut self) {
        self.now = OnceLock::new();
    }

    async fn read_clock(&self) -> Result<Timestamp, tokio_postgres::Error> {
        let statement = self.transaction.prepare(READ_CLOCK).await?;
        self.transaction
            .query_one(&statement, &[])
            .await?
            .try_get(0)
    }

    /// A fresh time-ordered id.
    pub(crate) async fn mint(&self) -> Result<Uuid, StoreError> {
        let now = self.now().await?;
        Ok(self.store.mint(now))
    }

    pub(crate) fn wrote_lanes(&mut self, lanes: &BTreeMap<LaneId, Lane>) {
        self.new_lanes
            .extend(lanes.iter().map(|(id, lane)| (*id, lane.clone())));
    }

    pub(crate) fn lane_cache(&self) -> &LaneCache {
        &self.store.lanes
    }

    pub(crate) fn lane_cursors(&self) -> &LaneCursors {
        &self.store.lane_cursors
    }

    pub(crate) fn lease_counts(&self) -> &LeaseCounts {
        &self.store.lease_counts
    }

    pub(crate) fn gate_cache(&self) -> &GateCache {
        &self.store.gates
    }

    pub(crate) fn usual_costs(&self) -> &UsualCosts {
        &self.store.usual
    }

    /// Whether time is told by a test, to whom slowness means nothing.
    pub(crate) fn is_timed_by_a_test(&self) -> bool {
        matches!(self.store.clock, Clock::Manual(_))
    }

    /// Takes everything back: the answer is a refusal.
    pub(crate) fn abandon(&mut self) {
        self.is_abandoned = true;
    }

    /// What ageing has taken off the ranks of a lane by now; zero before the clock was read.
    pub(crate) fn aged(&self, boost: Boost) -> i64 {
        if self.is_planted("ageing not counted") {
            return 0;
        }
        self.now.get().map_or(0, |now| boost.offset(*now))
    }

    pub(crate) fn emit(&mut self, event: Event) {
        self.events.push(event);
    }

    pub(crate) fn failed(&self, error: tokio_postgres::Error) -> StoreError {
        StoreError::from_statement(self.doing, error)
    }

    /// A place where tests can wait or fail; nothing in a release build.
    pub(crate) async fn test_point(&self, name: &'static str) -> Result<(), StoreError> {
        if self.store.test_points.pass(name).await {
            let source = format!("the test point {name} was told to fail").into();
            return Err(StoreError::Unavailable {
                doing: self.doing,
                source,
            });
        }
        Ok(())
    }

    /// Whether a test wants this done wrong; always false in a release build.
    pub(crate) fn is_planted(&self, fault: &'static str) -> bool {
        self.store.test_points.is_on(fault)
    }

    /// The faults that tests have planted, for code that has no work at hand.
    pub(crate) fn planted(&self) -> TestPoints {
        self.store.test_points.clone()
    }

    /// A statement that belongs to a planted fault.
    pub(crate) async fn run_if_planted(
        &self,
        fault: &'static str,
        statement: &str,
    ) -> Result<(), StoreError> {
        if self.is_planted(fault) {
            self.transaction.batch_execute(statement).await?;
        }
        Ok(())
    }

    /// Takes what is to be told so far, to be written with the rest.
    pub(crate) fn take_facts(&mut self) -> Vec<Value> {
        for event in &self.events {
            *self.effects.events.entry(event.event_type).or_default() += 1;
            self.effects.told.extend(Told::of(event));
        }
        self.events.drain(..).map(Event::into_fact).collect()
    }

    /// Writes facts as one batch, and leaves it to the sequencer to give it its place.
    pub(crate) async fn write_facts(&self, facts: &[Value]) -> Result<(), StoreError> {
        if facts.is_empty() {
            return Ok(());
        }
        let batch = self.mint().await?;
        let now = self.now().await?;
        let parameters = events::InsertEventsParams {
            ns: self.ns,
            batch,
            now,
            facts: Json(facts),
            count: i32::try_from(facts.len()).unwrap_or(i32::MAX),
        };
        events::insert_events()
            .params(self.transaction, &parameters)
            .await?;
        Ok(())
    }

    async fn commit(&self) -> Result<(), StoreError> {
        self.test_point("commit").await?;
        self.answer_early_if_planted().await?;
        self.committed(self.transaction.commit().await)
    }

    async fn answer_early_if_planted(&self) -> Result<(), StoreError> {
        let early = "set local synchronous_commit to off";
        self.run_if_planted("answered before it is on disk", early)
            .await
    }

    /// Makes the last writes and commits, without waiting in between; nothing may depend on what
    /// the writes answer. An operation that ends with this has told all its facts.
    pub(crate) async fn commit_behind(
        &self,
        writes: impl Future<Output = Result<(), StoreError>>,
    ) -> Result<(), StoreError> {
        // Tests stop between the writes and the commit.
        if self.store.test_points.is_armed("commit") {
            return writes.await;
        }
        self.answer_early_if_planted().await?;
        let committed = self.transaction.commit_behind(writes).await?;
        self.committed(committed)
    }

    /// A commit whose answer is lost is neither a success nor a failure.
    fn committed(&self, answer: Result<(), tokio_postgres::Error>) -> Result<(), StoreError> {
        match answer {
            Ok(()) => Ok(()),
            Err(source) if was_rolled_back(&source) => {
                Err(StoreError::from_statement(self.doing, source))
            }
            Err(source) => Err(StoreError::UnknownOutcome {
                doing: self.doing,
                source,
            }),
        }
    }
}

/// Only a conflict (class 40) or a violated constraint (class 23) says for certain that nothing
/// was committed. Anything else, a terminated connection included, may follow the commit.
fn was_rolled_back(error: &tokio_postgres::Error) -> bool {
    error
        .code()
        .is_some_and(|code| matches!(&code.code()[..2], "40" | "23"))
}
