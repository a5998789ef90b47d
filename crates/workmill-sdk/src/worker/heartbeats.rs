//! Signs of life of the tasks that run, from a thread of their own: a handler that blocks all threads
//! of its runtime does not lose its lease.

use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use workmill_protocol::leases::Directive;

use super::context::{Cancelled, TaskContext};
use super::server::is_lost;
use crate::client::Client;
use crate::error::ClientError;

/// Handlers may tell more often; what they tell in between is told together.
const SPACING: Duration = Duration::from_millis(100);

/// Between two tries while the server is away.
const PAUSE: Duration = Duration::from_millis(500);

/// Between the deadline of a task and the next heartbeat.
const AFTER_DEADLINE: Duration = Duration::from_millis(250);

/// How long one call may take; then another one is tried.
const SHORTEST_TIMEOUT: Duration = Duration::from_secs(5);

/// Clones share one thread.
#[derive(Debug, Clone)]
pub(super) struct Heartbeats {
    attempts: mpsc::UnboundedSender<TaskContext>,
}

/// Heartbeats are sent until this is dropped.
pub(super) struct Beating {
    context: TaskContext,
}

impl Drop for Beating {
    fn drop(&mut self) {
        self.context.end();
    }
}

impl Heartbeats {
    /// The thread ends when all clones are dropped.
    pub(super) fn start(client: &Client) -> Result<Self, ClientError> {
        // Connections live on the runtime that opened them, so this one has its own.
        let client = client.with_own_connections()?;
        // What could not be told is told with what has come since.
        let client = client.with_patience(Duration::ZERO);
        let (attempts, mut new) = mpsc::unbounded_channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime on one thread needs nothing that a program may lack");
            runtime.block_on(async {
                while let Some(context) = new.recv().await {
                    tokio::spawn(keep_alive(client.clone(), context));
                }
            });
        });
        Ok(Heartbeats { attempts })
    }

    pub(super) fn keep_alive(&self, context: &TaskContext) -> Beating {
        // The thread listens as long as this is there.
        let _ = self.attempts.send(context.clone());
        Beating {
            context: context.clone(),
        }
    }
}

/// Returns the time until the next heartbeat. The server tells an attempt to stop at the deadline of its
/// task, which may have been moved since the claim, so the worker asks at that moment, and then less and
/// less often.
fn until_next(interval: Duration, deadline: Option<Instant>) -> Duration {
    let now = Instant::now();
    match deadline {
        Some(deadline) if deadline > now => (deadline - now).min(interval),
        Some(deadline) => (now - deadline).max(AFTER_DEADLINE).min(interval),
        None => interval,
    }
}

async fn keep_alive(client: Client, context: TaskContext) {
    let interval = u64::try_from(context.claim().heartbeat_ms).unwrap_or(0);
    let interval = Duration::from_millis(interval).max(SPACING);
    let deadline = context.claim().deadline_in_ms;
    let deadline = deadline.map(|left| u64::try_from(left).unwrap_or(0));
    let deadline = deadline.and_then(|left| {
        let left = Duration::from_millis(left);
        Instant::now().checked_add(left)
    });
    let mut wait = until_next(interval, deadline);
    loop {
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = context.news() => {}
            () = context.ended() => return,
        }
        let report = context.take_report();
        let call = client.heartbeat(context.lease(), &report);
        let answer = tokio::time::timeout(interval.max(SHORTEST_TIMEOUT), call).await;
        wait = if context.is_cancelled() {
            interval
        } else {
            until_next(interval, deadline)
        };
        match answer {
            Ok(Ok(alive)) => {
                context.pause(alive.directive == Directive::Pause);
                if alive.directive == Directive::Stop {
                    // It goes on beating: to stop takes time, too.
                    let why = alive.reason.unwrap_or_default();
                    context.cancel(Cancelled::ToldToStop(why));
                }
            }
            Ok(Err(error)) if is_lost(&error) => {
                context.cancel(Cancelled::LeaseLost);
                return;
            }
            // What is refused is left out from now on.
            Ok(Err(error)) if !error.may_pass() => {}
            // Away, or too slow.
            Ok(Err(_)) | Err(_) => {
                context.put_back(report);
                wait = PAUSE;
            }
        }
        tokio::time::sleep(SPACING).await;
    }
}
