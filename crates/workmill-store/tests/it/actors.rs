//! The actors of the stories: a queue with agents that can be told what to do.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::time::timeout;
use uuid::Uuid;
use workmill_core::agent::DEFAULT_POLL_INTERVAL_MS;
use workmill_core::failure::Reason;
use workmill_core::graph::GraphStatus;
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_core::lane::Selection;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_store::Store;
use workmill_store::clock::Clock;
use workmill_store::dispatch::agents::{AgentChange, AgentStatus, ChangeAgent, RegisterAgent};
use workmill_store::dispatch::claim::{Claim, ClaimRefusal, ClaimRequest, Claimed};
use workmill_store::execution::{Alive, Beat, Heartbeat, Start};
use workmill_store::intake::{Submission, Submit, Submitted};
use workmill_store::look::Task;
use workmill_store::settlement::answer::{Answer, ExpireBlocks};
use workmill_store::settlement::cancel::{CancelGraph, CancelMode, CancelTasks};
use workmill_store::settlement::dead_letters::{
    Decision, Resolution, ResolveDeadLetters, Unresolved,
};
use workmill_store::settlement::resume::ResumeLease;
use workmill_store::settlement::{
    Ending, Refusal, Settle, Settled, Settlement, Settler, Spent, WaitsFor,
};
use workmill_store::upkeep::PromoteDue;
use workmill_testkit::database::TestStore;
use workmill_testkit::factory;

pub const SOON: Duration = Duration::from_secs(20);

pub struct Queue {
    pub test: Arc<TestStore>,
    pub store: Arc<Store>,
    pub ns: Namespace,
}

pub const KEY: Uuid = Uuid::from_u128(1);
pub const OTHER_KEY: Uuid = Uuid::from_u128(2);

impl Queue {
    pub async fn new() -> Result<Self> {
        Ok(Queue::on(TestStore::new().await?))
    }

    pub fn on(test: TestStore) -> Self {
        Queue {
            store: Arc::clone(&test.store),
            ns: test.ns,
            test: Arc::new(test),
        }
    }

    /// The same queue as another server sees it, which knows nothing yet.
    pub fn on_another_server(&self) -> Result<Self> {
        let clock = Clock::Manual(self.test.clock.clone());
        let store = Store::with_clock(self.test.database.url(), 4, clock)?;
        Ok(Queue {
            store: Arc::new(store),
            ns: self.ns,
            test: Arc::clone(&self.test),
        })
    }

    /// Returns when a transaction waits for the lock of another one.
    pub async fn lock_is_waited_for(&self) -> Result<()> {
        let client = self.test.database.client().await?;
        let waits = "select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'";
        let waiting = async {
            while client.query(waits, &[]).await?.is_empty() {
                tokio::task::yield_now().await;
            }
            anyhow::Ok(())
        };
        timeout(SOON, waiting).await?
    }

    pub fn pass(&self, seconds: i64) {
        self.test.clock.advance(SignedDuration::from_secs(seconds));
    }

    pub async fn submit(&self, submission: Submission) -> Result<Submitted> {
        let operation = Submit {
            ns: self.ns,
            submissions: &[submission],
        };
        Ok(self
            .store
            .run(&operation)
            .await?
            .0
            .remove(0)
            .expect("accepted"))
    }

    pub async fn submit_task(&self, task: &NewTask) -> Result<TaskId> {
        let submission = factory::singles(std::slice::from_ref(task));
        Ok(self.submit(submission).await?.tasks[0])
    }

    pub async fn agent(&self, name: &'static str) -> Result<Agent<'_>> {
        self.agent_with(name, "", &[], 100).await
    }

    pub async fn agent_with(
        &self,
        name: &'static str,
        agent_type: &str,
        capabilities: &[&str],
        slots: i32,
    ) -> Result<Agent<'_>> {
        let operation = RegisterAgent {
            ns: self.ns,
            key: KEY,
            agent: name,
            agent_type,
            capabilities: capabilities.iter().map(ToString::to_string).collect(),
            models: vec![],
            slots,
            poll_interval_ms: DEFAULT_POLL_INTERVAL_MS,
            task_types: Vec::new(),
            is_by_hand: false,
            claim_ttl_ms: None,
        };
        self.store.run(&operation).await?.0.expect("registered");
        Ok(Agent {
            queue: self,
            name,
            key: KEY,
        })
    }

    /// What an operator does; answers whether there is such an agent.
    pub async fn set_status(&self, agent: &str, status: AgentStatus) -> Result<bool> {
        let operation = ChangeAgent {
            ns: self.ns,
            agent,
            change: AgentChange {
                status: Some(status),
                ..AgentChange::default()
            },
            changed_by: "operator",
        };
        Ok(self.store.run(&operation).await?.0.is_ok())
    }

    pub async fn task(&self, id: TaskId) -> Result<Task> {
        Ok(self
            .store
            .find_task(self.ns, id)
            .await?
            .expect("the task is there"))
    }

    pub async fn state(&self, id: TaskId) -> Result<State> {
        Ok(self.task(id).await?.state)
    }

    pub async fn settle_as(
        &self,
        settler: Settler,
        lease: LeaseId,
        ending: Ending,
    ) -> Result<Result<Settled, Refusal>> {
        let settlement = Settlement {
            settler,
            lease,
            ending,
            spent: Spent::default(),
            random: 0.5,
        };
        let operation = Settle {
            ns: self.ns,
            settlements: &[settlement],
        };
        Ok(self.store.run(&operation).await?.0.remove(0))
    }

    pub async fn cancel(&self, task: TaskId) -> Result<Result<State, Refusal>> {
        let operation = CancelTasks {
            ns: self.ns,
            tasks: vec![task],
            cancelled_by: "test".to_owned(),
        };
        Ok(self.store.run(&operation).await?.0.remove(0))
    }

    pub async fn cancel_graph(&self, graph: GraphId, mode: CancelMode) -> Result<usize> {
        let operation = CancelGraph {
            ns: self.ns,
            graph,
            mode,
            cancelled_by: "test".to_owned(),
        };
        Ok(self
            .store
            .run(&operation)
            .await?
            .0
            .expect("the graph is there"))
    }

    pub async fn answer(&self, task: TaskId, input: Value) -> Result<Result<State, Refusal>> {
        let operation = Answer {
            ns: self.ns,
            task,
            answered_by: "test".to_owned(),
            input,
        };
        Ok(self.store.run(&operation).await?.0)
    }

    pub async fn resolve(
        &self,
        task: TaskId,
        resolution: Resolution<'_>,
    ) -> Result<Result<State, Unresolved>> {
        let operation = ResolveDeadLetters {
            ns: self.ns,
            tasks: vec![task],
            decision: decision(resolution),
        };
        Ok(self.store.run(&operation).await?.0.remove(0))
    }

    /// What the block expirer does.
    pub async fn expire_blocks(&self) -> Result<usize> {
        let now = self.store.now().await?;
        let mut expired = 0;
        for (ns, tasks) in self.store.find_expired_blocks(now, 1000).await? {
            expired += self
                .store
                .run(&ExpireBlocks {
                    ns,
                    tasks,
                    random: 0.5,
                })
                .await?
                .0;
        }
        Ok(expired)
    }

    pub async fn graph_status(&self, graph: GraphId) -> Result<GraphStatus> {
        let found = self.store.find_graph(self.ns, graph).await?;
        Ok(found.expect("the graph is there").status)
    }

    /// What the lease reaper does.
    pub async fn reap(&self) -> Result<Vec<Result<Settled, Refusal>>> {
        let mut answers = Vec::new();
        let now = self.store.now().await?;
        for (_, leases) in self.store.find_lost_leases(now, 1000).await? {
            for lease in leases {
                answers.push(
                    self.settle_as(Settler::Upkeep, lease, Ending::Expire)
                        .await?,
                );
            }
        }
        Ok(answers)
    }

    pub async fn promote(&self) -> Result<usize> {
        Ok(self
            .store
            .run(&PromoteDue {
                ns: self.ns,
                most: 1000,
            })
            .await?
            .0)
    }
}

pub fn decision(resolution: Resolution<'_>) -> Decision<'_> {
    Decision {
        resolution,
        by: "test",
        note: None,
    }
}

pub struct Agent<'a> {
    pub queue: &'a Queue,
    pub name: &'static str,
    pub key: Uuid,
}

impl Agent<'_> {
    pub async fn try_claim(
        &self,
        most: i32,
        start: bool,
    ) -> Result<Result<Vec<Claimed>, ClaimRefusal>> {
        let request = ClaimRequest {
            start,
            ..self.request(most)
        };
        self.send(request).await
    }

    /// Claims and starts, of what it selects.
    pub async fn take_selected(&self, most: i32, selection: Selection) -> Result<Vec<Claimed>> {
        let request = ClaimRequest {
            selection,
            ..self.request(most)
        };
        Ok(self.send(request).await?.expect("the agent may claim"))
    }

    fn request(&self, most: i32) -> ClaimRequest {
        ClaimRequest {
            key: self.key,
            agent: self.name.to_owned(),
            most,
            start: true,
            request: None,
            selection: Selection::default(),
            lease_ms: None,
        }
    }

    async fn send(&self, request: ClaimRequest) -> Result<Result<Vec<Claimed>, ClaimRefusal>> {
        let operation = Claim {
            ns: self.queue.ns,
            requests: &[request],
        };
        Ok(self.queue.store.run(&operation).await?.0.remove(0))
    }

    /// Claims and starts.
    pub async fn take(&self, most: i32) -> Result<Vec<Claimed>> {
        Ok(self
            .try_claim(most, true)
            .await?
            .expect("the agent may claim"))
    }

    pub async fn take_one(&self) -> Result<Claimed> {
        Ok(self
            .take(1)
            .await?
            .pop()
            .expect("there is something to claim"))
    }

    /// With a lease as long as this, whatever the task says.
    pub async fn take_one_for(&self, lease_ms: i64) -> Result<Claimed> {
        let request = ClaimRequest {
            lease_ms: Some(lease_ms),
            ..self.request(1)
        };
        let claimed = self.send(request).await?;
        let mut claimed = claimed.expect("the agent may claim");
        Ok(claimed.pop().expect("there is something to claim"))
    }

    pub async fn start(&self, lease: LeaseId) -> Result<Result<Alive, Refusal>> {
        let operation = Start {
            ns: self.queue.ns,
            leases: &[(self.key, lease)],
        };
        Ok(self.queue.store.run(&operation).await?.0.remove(0))
    }

    pub async fn heartbeat(&self, lease: LeaseId) -> Result<Result<Alive, Refusal>> {
        let beat = Beat {
            key: self.key,
            lease,
            progress: None,
            checkpoint: None,
            usage: None,
        };
        let operation = Heartbeat {
            ns: self.queue.ns,
            beats: &[beat],
        };
        Ok(self.queue.store.run(&operation).await?.0.remove(0))
    }

    /// What a late sign of life leads to.
    pub async fn resume(&self, lease: LeaseId) -> Result<Result<Alive, Refusal>> {
        let operation = ResumeLease {
            ns: self.queue.ns,
            key: self.key,
            lease,
        };
        Ok(self.queue.store.run(&operation).await?.0)
    }

    pub async fn block(
        &self,
        lease: LeaseId,
        timeout_ms: Option<i64>,
    ) -> Result<Result<Settled, Refusal>> {
        let question = Some(serde_json::json!("which one?"));
        let ending = Ending::Block {
            waits_for: WaitsFor::Input,
            question,
            timeout_ms,
        };
        self.queue
            .settle_as(Settler::Key(self.key), lease, ending)
            .await
    }

    pub async fn complete(
        &self,
        lease: LeaseId,
        output: Value,
    ) -> Result<Result<Settled, Refusal>> {
        let output: Box<RawValue> = serde_json::value::to_raw_value(&output)?;
        let ending = Ending::Complete {
            output,
            artifacts: Vec::new(),
        };
        self.queue
            .settle_as(Settler::Key(self.key), lease, ending)
            .await
    }

    pub async fn fail(&self, lease: LeaseId, reason: Reason) -> Result<Result<Settled, Refusal>> {
        let ending = Ending::Fail {
            reason,
            message: "it broke".to_owned(),
            details: None,
            retry_after_ms: None,
        };
        self.queue
            .settle_as(Settler::Key(self.key), lease, ending)
            .await
    }

    pub async fn release(&self, lease: LeaseId) -> Result<Result<Settled, Refusal>> {
        self.queue
            .settle_as(Settler::Key(self.key), lease, Ending::Release)
            .await
    }
}
