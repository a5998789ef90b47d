//! Working as an agent: claim tasks, run a handler for each, report what came of it.
//!
//! ```no_run
//! use serde_json::json;
//! use workmill_sdk::Client;
//! use workmill_sdk::worker::{TaskContext, Worker};
//!
//! # async fn example() -> Result<(), workmill_sdk::ClientError> {
//! let client = Client::new("http://127.0.0.1:7070", "wm_…")?;
//! let worker = Worker::new(client, "counter-1").capability("count").slots(4);
//! let stop = worker.stop();
//! # let _ = stop;
//! worker
//!     .run(|context: TaskContext| async move {
//!         let words = context.prompt().split_whitespace().count();
//!         Ok(json!({"words": words}))
//!     })
//!     .await?;
//! # Ok(())
//! # }
//! ```
//!
//! The call that ends an attempt also claims the next task, so a busy worker needs one call per task; a
//! worker that gets none polls for work. The worker looks after the lease: it sends heartbeats from a thread of its own, so that a handler
//! that blocks does not lose its task, and repeats every report until the server has answered. A
//! server that is away for minutes costs nothing but time. What a handler must do itself is to
//! listen: [`TaskContext::cancelled`] says when its work is not wanted any more.

mod claiming;
mod context;
mod handler;
mod heartbeats;
mod server;
mod settlement;
mod slot;
mod stop;
pub mod testkit;

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::task::{JoinError, JoinSet};
use uuid::Uuid;
use workmill_core::money::Micros;
use workmill_protocol::agents::RegisterAgent;
use workmill_protocol::claims::ClaimedTask;

use crate::client::Client;
use crate::error::ClientError;
use claiming::Claiming;
use heartbeats::Heartbeats;
use slot::{Remaining, Slot};

pub use context::{Cancelled, TaskContext};
pub use handler::{Failure, Handled, NotDone};
pub use settlement::Ended;
pub use stop::Stop;

/// How long one call waits for work, unless the worker says.
const POLL_INTERVAL: Duration = Duration::from_secs(30);

/// How long a handler may take to end when its task is to be given back.
const GRACE: Duration = Duration::from_secs(10);

/// How long the server is told at the end that this agent ends, or asked what a claim was given that
/// was not waited for.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// An agent, and how it works.
pub struct Worker {
    client: Client,
    agent: RegisterAgent,
    most: Option<u64>,
    waits: bool,
    grace: Duration,
    stop: Stop,
    on_end: Option<EndHook>,
}

impl std::fmt::Debug for Worker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker")
            .field("agent", &self.agent)
            .finish_non_exhaustive()
    }
}

/// How many attempts ended how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    pub completed: u64,
    pub failed: u64,
    /// Attempts that ran for as long as they may, or past the deadline of their task.
    pub timed_out: u64,
    /// Attempts that cost more than they may.
    pub over_budget: u64,
    /// Tasks that wait for an answer.
    pub blocked: u64,
    /// Tasks that wait for tasks that they spawned.
    pub waiting: u64,
    pub cancelled: u64,
    /// Tasks that were given back without a result.
    pub released: u64,
    /// Leases that ran out, and tasks that another agent has taken over.
    pub lost: u64,
    /// Attempts whose end did not reach the server before the worker ended; their leases expire.
    pub unreported: u64,
}

/// Called with each attempt that has ended, and how it ended.
type EndHook = Arc<dyn Fn(&ClaimedTask, Ended) + Send + Sync>;

impl Worker {
    pub fn new(client: Client, agent: impl Into<String>) -> Self {
        Worker {
            // A server that is away is waited for, until the worker is told to stop.
            client: client.with_patience(Duration::MAX),
            agent: RegisterAgent {
                poll_interval_sec: Some(POLL_INTERVAL.as_secs_f64()),
                ..RegisterAgent::new(agent)
            },
            most: None,
            waits: true,
            grace: GRACE,
            stop: Stop::default(),
            on_end: None,
        }
    }

    /// How many tasks it works on at a time; one unless said.
    #[must_use]
    pub fn slots(mut self, slots: i32) -> Self {
        self.agent.max_concurrent_tasks = slots.max(1);
        self
    }

    #[must_use]
    pub fn agent_type(mut self, agent_type: impl Into<String>) -> Self {
        self.agent.agent_type = agent_type.into();
        self
    }

    #[must_use]
    pub fn capability(mut self, capability: impl Into<String>) -> Self {
        self.agent.capabilities.push(capability.into());
        self
    }

    /// A model that it can use.
    #[must_use]
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.agent.models_available.push(model.into());
        self
    }

    /// A type of tasks that it takes; without any it takes all.
    #[must_use]
    pub fn task_type(mut self, task_type: impl Into<String>) -> Self {
        self.agent.task_types.push(task_type.into());
        self
    }

    /// How often it asks for work while there is none: each call waits this long, at most 45
    /// seconds, and is answered as soon as there is work. Thirty seconds unless said.
    #[must_use]
    pub fn poll_interval(mut self, interval: Duration) -> Self {
        self.agent.poll_interval_sec = Some(interval.as_secs_f64());
        self
    }

    /// What it may spend.
    #[must_use]
    pub fn budget(mut self, budget: Micros) -> Self {
        self.agent.budget_remaining_usd = Some(budget);
        self
    }

    /// Ends after so many tasks.
    #[must_use]
    pub fn max_tasks(mut self, most: u64) -> Self {
        self.most = Some(most);
        self
    }

    /// Claims once, without waiting, and ends when that is done.
    #[must_use]
    pub fn once(mut self) -> Self {
        self.waits = false;
        self
    }

    /// How long a handler may take to end when its task is to be given back; then it is dropped. Ten
    /// seconds unless said.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Calls this when an attempt has ended, with what the server says of its end.
    #[must_use]
    pub fn on_end(mut self, hook: impl Fn(&ClaimedTask, Ended) + Send + Sync + 'static) -> Self {
        self.on_end = Some(Arc::new(hook));
        self
    }

    /// Stops the worker from outside.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Works until it is stopped, or has done what it was to do. Then the agent is offline.
    ///
    /// An error is a refusal that waiting cannot change: a bad key, or an agent of that name that
    /// belongs to somebody else. What runs is finished even then.
    pub async fn run<Handle, Handling, Output>(self, handle: Handle) -> Result<Tally, ClientError>
    where
        Handle: Fn(TaskContext) -> Handling + Send + Sync + 'static,
        Handling: Future<Output = Result<Output, NotDone>> + Send + 'static,
        Output: Serialize + Send + 'static,
    {
        let registered = tokio::select! {
            registered = self.client.register(&self.agent) => registered?,
            () = self.stop.drained() => return Ok(Tally::default()),
        };
        let heartbeats = Heartbeats::start(&self.client)?;
        let handle = Arc::new(handle);
        let remaining = Arc::new(Remaining::of(self.most));
        let slot = Slot::new(&self, heartbeats, Arc::clone(&remaining));
        let mut claiming = Claiming::new(&self, registered.poll_interval_sec, remaining);
        claiming.warn_unless_active(registered.status);
        let mut running = JoinSet::new();
        let refused = loop {
            // Slots that have no task any more make room.
            while let Some(ended) = running.try_join_next() {
                count_panic(&slot, &ended);
            }
            let free = claiming.free(running.len());
            if free == 0 {
                match running.join_next().await {
                    Some(ended) => count_panic(&slot, &ended),
                    None => break None,
                }
                continue;
            }
            match claiming.next(free).await {
                Ok(claims) => {
                    for claim in claims {
                        running.spawn(slot.clone().work(claim, Arc::clone(&handle)));
                    }
                }
                Err(error) => break Some(error),
            }
        };
        while let Some(ended) = running.join_next().await {
            count_panic(&slot, &ended);
        }
        if let Some(session) = registered.session {
            self.sign_off(session).await;
        }
        refused.map_or(Ok(slot.tally()), Err)
    }

    /// Tells the server that no more calls will come: until it knows, others count on this agent. A server
    /// that cannot be told finds out by itself.
    async fn sign_off(&self, session: Uuid) {
        let client = self.client.clone().with_patience(Duration::ZERO);
        let telling = client.sign_off(&self.agent.id, session);
        let _ = tokio::time::timeout(LAST_WORDS, telling).await;
    }
}

fn count_panic(slot: &Slot, ended: &Result<(), JoinError>) {
    if ended.is_err() {
        slot.count_lost();
    }
}

impl Tally {
    fn count(&mut self, ended: Ended) {
        match ended {
            Ended::Completed => self.completed += 1,
            Ended::Failed => self.failed += 1,
            Ended::TimedOut => self.timed_out += 1,
            Ended::OverBudget => self.over_budget += 1,
            Ended::Blocked => self.blocked += 1,
            Ended::Waits => self.waiting += 1,
            Ended::Cancelled => self.cancelled += 1,
            Ended::Released => self.released += 1,
            Ended::Lost => self.lost += 1,
            Ended::Unreported => self.unreported += 1,
        }
    }
}
