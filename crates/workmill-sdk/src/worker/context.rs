//! What a handler is given: the task with all that helps, and the ways to tell of the work.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{Notify, watch};
use workmill_core::failure::Reason;
use workmill_core::ids::LeaseId;
use workmill_core::json_text::JsonText;
use workmill_core::task::NewTask;
use workmill_protocol::claims::{ClaimedTask, DependencyResult, TaskToDo};
use workmill_protocol::leases::{SendHeartbeat, SpawnTasks, Usage};

use super::server::{Server, spawned_key};
use crate::error::ClientError;

/// One attempt at a task. Clones are the same attempt.
#[derive(Debug, Clone)]
pub struct TaskContext {
    shared: Arc<Shared>,
}

/// Why the work is not wanted any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cancelled {
    /// The server says so, and why: the task was cancelled, its deadline passed, its budget is used up.
    ToldToStop(String),
    /// The attempt has run for as long as it may.
    TimeIsUp,
    /// The task is somebody else's now, or has ended.
    LeaseLost,
    /// The worker gives the task back.
    Released,
}

#[derive(Debug)]
struct Shared {
    claim: ClaimedTask,
    server: Server,
    told: Mutex<Told>,
    /// There is something to tell.
    news: Notify,
    cancelled: watch::Sender<Option<Cancelled>>,
    is_paused: AtomicBool,
    is_over: watch::Sender<bool>,
}

/// What the handler has told.
#[derive(Debug, Default)]
struct Told {
    /// Not sent yet.
    report: SendHeartbeat,
    usage: Usage,
    artifacts: Vec<Value>,
    details: Option<Value>,
    spawned: usize,
}

impl TaskContext {
    pub(super) fn new(claim: ClaimedTask, server: Server) -> Self {
        TaskContext {
            shared: Arc::new(Shared {
                claim,
                server,
                told: Mutex::default(),
                news: Notify::new(),
                cancelled: watch::Sender::new(None),
                is_paused: AtomicBool::new(false),
                is_over: watch::Sender::new(false),
            }),
        }
    }

    /// All that the claim has answered: the context pack.
    pub fn claim(&self) -> &ClaimedTask {
        &self.shared.claim
    }

    pub fn lease(&self) -> LeaseId {
        self.shared.claim.lease
    }

    pub fn task(&self) -> &TaskToDo {
        &self.shared.claim.task
    }

    pub fn prompt(&self) -> &str {
        &self.task().asked.spec.prompt
    }

    /// What the tasks have put out that this one depends on.
    pub fn dependencies(&self) -> &[DependencyResult] {
        &self.shared.claim.context.dependency_results
    }

    /// Returns the whole output of a dependency; fetches it if it was too large for the claim.
    pub async fn output_of(&self, result: &DependencyResult) -> Result<Value, ClientError> {
        self.shared.server.output(result).await
    }

    /// How long the attempt may run: `max_duration_sec`, doubled by each timeout before.
    pub fn time_limit(&self) -> Option<Duration> {
        let earlier = &self.shared.claim.context.earlier_attempts;
        let timeouts = earlier
            .iter()
            .filter(|attempt| attempt.reason == Some(Reason::Timeout));
        let timeouts = u32::try_from(timeouts.count()).unwrap_or(u32::MAX);
        let limit_ms = self.task().asked.policy().duration_after(timeouts)?;
        u64::try_from(limit_ms).ok().map(Duration::from_millis)
    }

    /// Which models to use, the preferred one first: from the second failure on those to fall back on.
    pub fn models(&self) -> &[String] {
        &self.shared.claim.context.models
    }

    /// What an earlier attempt has left to go on from.
    pub fn last_checkpoint(&self) -> Option<&Value> {
        self.shared.claim.context.checkpoint.as_ref()
    }

    /// Tells how far it is. Sent with a heartbeat as soon as possible; only the last word counts.
    pub fn progress(&self, progress: impl Into<Value>) {
        self.report(SendHeartbeat {
            progress: Some(JsonText::from(&progress.into())),
            ..SendHeartbeat::default()
        });
    }

    /// Leaves something for the next attempt to go on from, should this one end without a result.
    pub fn checkpoint(&self, checkpoint: impl Into<Value>) {
        self.report(SendHeartbeat {
            checkpoint: Some(JsonText::from(&checkpoint.into())),
            ..SendHeartbeat::default()
        });
    }

    /// Adds to what the attempt has cost so far.
    pub fn cost(&self, dollars: f64) {
        let mut told = self.told();
        let usage = &mut told.usage;
        usage.cost_usd = Some(usage.cost_usd.unwrap_or(0.0) + dollars);
        let usage = usage.clone();
        drop(told);
        self.report_usage(usage);
    }

    /// Says all that the attempt has used since the claim; what was said before is replaced.
    pub fn usage(&self, usage: Usage) {
        self.told().usage = usage.clone();
        self.report_usage(usage);
    }

    /// A reference to something that was put elsewhere; goes with the result.
    pub fn artifact(&self, reference: impl Into<Value>) {
        self.told().artifacts.push(reference.into());
    }

    /// Sets the details of the failure that the worker reports if the server refuses the result.
    pub fn details(&self, details: impl Into<Value>) {
        self.told().details = Some(details.into());
    }

    /// Adds tasks below this one, once, even if the server goes away in the middle of it. A task
    /// without a key gets one for that purpose.
    pub async fn spawn(&self, mut tasks: Vec<NewTask>) -> Result<(), ClientError> {
        let lease = self.lease();
        for task in &mut tasks {
            let mut told = self.told();
            told.spawned += 1;
            task.key
                .get_or_insert_with(|| spawned_key(lease, told.spawned));
        }
        let spawn = SpawnTasks { tasks, wait: false };
        self.shared.server.spawn(lease, spawn).await
    }

    /// A token for acting on this lease and nothing else: for whoever does the work and shall have
    /// no key.
    pub async fn lease_token(&self) -> Result<String, ClientError> {
        self.shared.server.lease_token(self.lease()).await
    }

    /// Returns when the work is not wanted any more, and says why.
    pub async fn cancelled(&self) -> Cancelled {
        let mut cancelled = self.shared.cancelled.subscribe();
        let why = cancelled.wait_for(Option::is_some).await;
        // The sender lives as long as this.
        why.ok()
            .and_then(|why| why.clone())
            .unwrap_or(Cancelled::LeaseLost)
    }

    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.borrow().is_some()
    }

    /// Why the work is not wanted any more; `None` while it is wanted.
    pub fn why_cancelled(&self) -> Option<Cancelled> {
        self.shared.cancelled.borrow().clone()
    }

    /// Whether to rest at the next good moment.
    pub fn is_paused(&self) -> bool {
        self.shared.is_paused.load(Ordering::Relaxed)
    }

    /// The first word counts.
    pub(super) fn cancel(&self, why: Cancelled) {
        self.shared.cancelled.send_if_modified(|cancelled| {
            let is_first = cancelled.is_none();
            cancelled.get_or_insert(why);
            is_first
        });
    }

    pub(super) fn pause(&self, is_paused: bool) {
        self.shared.is_paused.store(is_paused, Ordering::Relaxed);
    }

    pub(super) fn server(&self) -> &Server {
        &self.shared.server
    }

    pub(super) fn used(&self) -> Usage {
        self.told().usage.clone()
    }

    pub(super) fn artifacts(&self) -> Vec<Value> {
        self.told().artifacts.clone()
    }

    pub(super) fn failure_details(&self) -> Option<Value> {
        self.told().details.clone()
    }

    /// What is to be sent; the caller sends it, or puts it back.
    pub(super) fn take_report(&self) -> SendHeartbeat {
        std::mem::take(&mut self.told().report)
    }

    /// What could not be sent; newer words stay.
    pub(super) fn put_back(&self, unsent: SendHeartbeat) {
        let mut told = self.told();
        let newer = std::mem::take(&mut told.report);
        told.report = together(newer, unsent);
    }

    /// Returns when there is something to send.
    pub(super) async fn news(&self) {
        self.shared.news.notified().await;
    }

    pub(super) fn end(&self) {
        self.shared.is_over.send_replace(true);
    }

    /// Returns when the attempt has been reported.
    pub(super) async fn ended(&self) {
        let mut is_over = self.shared.is_over.subscribe();
        let _ = is_over.wait_for(|is_over| *is_over).await;
    }

    fn report(&self, news: SendHeartbeat) {
        self.shared.server.told(&news);
        let mut told = self.told();
        let older = std::mem::take(&mut told.report);
        told.report = together(news, older);
        self.shared.news.notify_one();
    }

    fn report_usage(&self, usage: Usage) {
        self.report(SendHeartbeat {
            usage: Some(usage),
            ..SendHeartbeat::default()
        });
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        let told = self.shared.told.lock();
        told.unwrap_or_else(PoisonError::into_inner)
    }
}

/// One report with what both say; of what both speak of, the newer word.
fn together(newer: SendHeartbeat, older: SendHeartbeat) -> SendHeartbeat {
    SendHeartbeat {
        progress: newer.progress.or(older.progress),
        checkpoint: newer.checkpoint.or(older.checkpoint),
        usage: newer.usage.or(older.usage),
    }
}
