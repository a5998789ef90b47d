//! Where several servers meet: stores on one database with one clock, and the few calls that
//! races are made of.

use std::sync::Arc;

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::json;
use serde_json::value::to_raw_value;
use tokio_postgres::Client;
use uuid::Uuid;
use workmill_core::agent::DEFAULT_POLL_INTERVAL_MS;
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_core::lifecycle::State;
use workmill_store::access::EnsureNamespace;
use workmill_store::clock::{Clock, ManualClock};
use workmill_store::dispatch::agents::RegisterAgent;
use workmill_store::dispatch::claim::{Claim, ClaimRequest};
use workmill_store::events::SequenceEvents;
use workmill_store::execution::{Beat, Heartbeat};
use workmill_store::intake::{Submission, Submit, Submitted};
use workmill_store::settlement::answer::ExpireBlocks;
use workmill_store::settlement::cancel::{CancelGraph, CancelMode, CancelTasks};
use workmill_store::settlement::dead_letters::{Decision, Resolution, ResolveDeadLetters};
use workmill_store::settlement::resume::ResumeLease;
use workmill_store::settlement::{Ending, Refusal, Settle, Settled, Settlement, Settler};
use workmill_store::upkeep::PromoteDue;
use workmill_store::{Store, StoreError};
use workmill_testkit::database::TestDatabase;

use super::driver::settlement;
use super::invariants;
use super::world::beginning;

pub const KEY: Uuid = Uuid::from_u128(1);
const ALL: i64 = 1_000_000;

pub type Answer = Result<Settled, Refusal>;

pub struct Arena {
    pub database: TestDatabase,
    pub servers: Vec<Arc<Server>>,
    pub clock: ManualClock,
    pub ns: Namespace,
}

/// One server process: a store with its own connections and memory.
pub struct Server {
    pub store: Store,
    pub ns: Namespace,
}

impl Arena {
    pub async fn new(servers: usize, fault: Option<&'static str>) -> Result<Arena> {
        let database = TestDatabase::new().await?;
        // A circle is to be noticed soon: some tests plant one.
        let soon = "do $$ begin
            execute format('alter database %I set deadlock_timeout = 50', current_database());
        end $$";
        database.client().await?.batch_execute(soon).await?;
        let clock = ManualClock::at(beginning());
        let mut opened = Vec::new();
        let mut ns = Namespace(0);
        for _ in 0..servers {
            let store = Store::with_clock(database.url(), 4, Clock::Manual(clock.clone()))?;
            if let Some(fault) = fault {
                store.test_points.switch_on(fault);
            }
            ns = store.run(&EnsureNamespace { name: "race" }).await?.0;
            opened.push(Arc::new(Server { store, ns }));
        }
        Ok(Arena {
            database,
            servers: opened,
            clock,
            ns,
        })
    }

    pub fn server(&self, number: usize) -> &Arc<Server> {
        &self.servers[number % self.servers.len()]
    }

    pub fn pass(&self, seconds: i64) {
        self.clock.advance(SignedDuration::from_secs(seconds));
    }

    /// What is wrong after everybody has gone: rows that contradict each other, events without a
    /// place, and transactions that waited for each other in a circle.
    pub async fn verdict(&self) -> Result<Vec<String>> {
        self.servers[0].sequence_events().await?;
        let client = self.database.client().await?;
        let mut found = invariants::violations(&client, self.ns.0).await?;
        found.extend(invariants::events_without_place(&client, self.ns.0).await?);
        for server in &self.servers {
            server.store.close();
        }
        let deadlocks = deadlocks(&client).await?;
        if deadlocks > 0 {
            found.push(format!("{deadlocks} deadlocks"));
        }
        Ok(found)
    }
}

/// Connections report what they met at the latest when they end.
async fn deadlocks(client: &Client) -> Result<i64> {
    let others = "select count(*) from pg_stat_activity
                  where datname = current_database() and application_name = 'workmill'";
    while client.query_one(others, &[]).await?.get::<_, i64>(0) > 0 {
        tokio::task::yield_now().await;
    }
    let deadlocks = "select deadlocks from pg_stat_database where datname = current_database()";
    Ok(client.query_one(deadlocks, &[]).await?.get(0))
}

impl Server {
    pub async fn submit(&self, submission: Submission) -> Result<Submitted, StoreError> {
        let operation = Submit {
            ns: self.ns,
            submissions: &[submission],
        };
        let mut submitted = self.store.run(&operation).await?.0;
        Ok(submitted.remove(0).expect("it breaks no rule"))
    }

    pub async fn register(&self, agent: &str, slots: i32) -> Result<(), StoreError> {
        let operation = RegisterAgent {
            ns: self.ns,
            key: KEY,
            agent,
            agent_type: "",
            capabilities: vec![],
            models: vec![],
            slots,
            poll_interval_ms: DEFAULT_POLL_INTERVAL_MS,
            task_types: Vec::new(),
            is_by_hand: false,
            claim_ttl_ms: None,
        };
        let registered = self.store.run(&operation).await?.0;
        registered.expect("the key is the first one's");
        Ok(())
    }

    /// Claims and starts.
    pub async fn claim(&self, agent: &str, most: i32) -> Result<Vec<LeaseId>, StoreError> {
        let request = ClaimRequest {
            key: KEY,
            agent: agent.to_owned(),
            most,
            start: true,
            request: None,
            selection: workmill_core::lane::Selection::default(),
            lease_ms: None,
        };
        let operation = Claim {
            ns: self.ns,
            requests: &[request],
        };
        let claimed = self.store.run(&operation).await?.0.remove(0);
        let claimed = claimed.expect("the agent may claim");
        Ok(claimed.into_iter().map(|one| one.lease).collect())
    }

    pub async fn settle(&self, settlements: &[Settlement]) -> Result<Vec<Answer>, StoreError> {
        let operation = Settle {
            ns: self.ns,
            settlements,
        };
        Ok(self.store.run(&operation).await?.0)
    }

    pub async fn complete(&self, leases: &[LeaseId]) -> Result<Vec<Answer>, StoreError> {
        let settlements: Vec<Settlement> = leases.iter().map(|lease| completion(*lease)).collect();
        self.settle(&settlements).await
    }

    pub async fn cancel(&self, task: TaskId) -> Result<Result<State, Refusal>, StoreError> {
        let operation = CancelTasks {
            ns: self.ns,
            tasks: vec![task],
            cancelled_by: "race".to_owned(),
        };
        Ok(self.store.run(&operation).await?.0.remove(0))
    }

    /// What the lease reaper does; answers how many leases it ended.
    pub async fn reap(&self) -> Result<usize, StoreError> {
        let now = self.store.now().await?;
        let mut lost = self.store.find_lost_leases(now, ALL).await?;
        let settlements: Vec<Settlement> = lost
            .remove(&self.ns)
            .unwrap_or_default()
            .into_iter()
            .map(|lease| settlement(Settler::Upkeep, lease, Ending::Expire))
            .collect();
        if settlements.is_empty() {
            return Ok(0);
        }
        let answers = self.settle(&settlements).await?;
        Ok(answers.iter().filter(|answer| answer.is_ok()).count())
    }

    pub async fn end(&self, lease: LeaseId, ending: Ending) -> Result<Answer, StoreError> {
        let one = settlement(Settler::Key(KEY), lease, ending);
        Ok(self.settle(&[one]).await?.remove(0))
    }

    pub async fn resume(&self, lease: LeaseId) -> Result<bool, StoreError> {
        let operation = ResumeLease {
            ns: self.ns,
            key: KEY,
            lease,
        };
        Ok(self.store.run(&operation).await?.0.is_ok())
    }

    pub async fn heartbeat(&self, lease: LeaseId) -> Result<bool, StoreError> {
        let beat = Beat {
            key: KEY,
            lease,
            progress: Some(json!("half").into()),
            checkpoint: Some(json!(lease.epoch).into()),
            usage: None,
        };
        let operation = Heartbeat {
            ns: self.ns,
            beats: &[beat],
        };
        Ok(self.store.run(&operation).await?.0[0].is_ok())
    }

    pub async fn answer(&self, task: TaskId) -> Result<(), StoreError> {
        let operation = workmill_store::settlement::answer::Answer {
            ns: self.ns,
            task,
            answered_by: "race".to_owned(),
            input: json!("yes"),
        };
        self.store.run(&operation).await.map(drop)
    }

    pub async fn revive(&self, tasks: Vec<TaskId>) -> Result<(), StoreError> {
        let operation = ResolveDeadLetters {
            ns: self.ns,
            tasks,
            decision: Decision {
                resolution: Resolution::Retry,
                by: "race",
                note: None,
            },
        };
        self.store.run(&operation).await?;
        Ok(())
    }

    pub async fn drain(&self, graph: GraphId) -> Result<(), StoreError> {
        let operation = CancelGraph {
            ns: self.ns,
            graph,
            mode: CancelMode::Drain,
            cancelled_by: "race".to_owned(),
        };
        self.store.run(&operation).await.map(drop)
    }

    /// What the block expirer does.
    pub async fn expire_blocks(&self) -> Result<usize, StoreError> {
        let now = self.store.now().await?;
        let mut found = self.store.find_expired_blocks(now, ALL).await?;
        let operation = ExpireBlocks {
            ns: self.ns,
            tasks: found.remove(&self.ns).unwrap_or_default(),
            random: 0.5,
        };
        Ok(self.store.run(&operation).await?.0)
    }

    pub async fn sequence_events(&self) -> Result<(), StoreError> {
        let operation = SequenceEvents {
            ns: self.ns,
            most: ALL,
        };
        self.store.run(&operation).await?;
        Ok(())
    }

    pub async fn promote(&self) -> Result<usize, StoreError> {
        let operation = PromoteDue {
            ns: self.ns,
            most: ALL,
        };
        Ok(self.store.run(&operation).await?.0)
    }
}

/// The output is the epoch, so that a result shows whose it is.
pub fn completion(lease: LeaseId) -> Settlement {
    let output = to_raw_value(&lease.epoch).expect("a number is JSON");
    let artifacts = Vec::new();
    let ending = Ending::Complete { output, artifacts };
    settlement(Settler::Key(KEY), lease, ending)
}
