//! Asking for work, and giving back what came too late.

use std::sync::Arc;
use std::time::{Duration, Instant};

use uuid::Uuid;
use workmill_core::agent::AgentStatus;
use workmill_protocol::claims::{ClaimTasks, ClaimedTask};
use workmill_protocol::error::ErrorCode;

use super::server::refusal;
use super::slot::Remaining;
use super::{LAST_WORDS, Worker};
use crate::error::ClientError;

/// The longest that one call waits for work; proxies end those that say nothing for a minute.
const LONGEST_WAIT: Duration = Duration::from_secs(45);

/// Before the next question, where an answer came sooner than it should.
const PAUSE: Duration = Duration::from_millis(300);

/// Between two questions whether an agent that an operator has drained may work again.
const REST: Duration = Duration::from_secs(2);

pub(super) struct Claiming<'a> {
    worker: &'a Worker,
    remaining: Arc<Remaining>,
    is_over: bool,
    /// How long one call waits for work.
    wait: Duration,
    /// The worker has been told that its agent gets no work.
    has_warned: bool,
}

impl<'a> Claiming<'a> {
    /// An agent that asks for work this often, as its registration was answered.
    pub(super) fn new(
        worker: &'a Worker,
        poll_interval_sec: f64,
        remaining: Arc<Remaining>,
    ) -> Self {
        let interval = Duration::try_from_secs_f64(poll_interval_sec).unwrap_or(LONGEST_WAIT);
        Claiming {
            wait: interval.min(LONGEST_WAIT),
            worker,
            remaining,
            is_over: false,
            has_warned: false,
        }
    }

    /// Warns once that an agent that is not active gets no work.
    pub(super) fn warn_unless_active(&mut self, status: AgentStatus) {
        if status == AgentStatus::Active || std::mem::replace(&mut self.has_warned, true) {
            return;
        }
        let (agent, status) = (&self.worker.agent.id, status.name());
        tracing::warn!(
            agent,
            "the agent is {status}: it gets no work until an operator sets it active"
        );
    }

    /// For how many tasks there is room.
    pub(super) fn free(&self, running: usize) -> i32 {
        if self.is_over || self.worker.stop.is_draining() {
            return 0;
        }
        let running = i32::try_from(running).unwrap_or(i32::MAX);
        let slots = (self.worker.agent.max_concurrent_tasks - running).clamp(0, MOST);
        slots.min(i32::try_from(self.remaining.left()).unwrap_or(i32::MAX))
    }

    /// Claims up to so many tasks. None came: ask again, if there is still room.
    pub(super) async fn next(&mut self, free: i32) -> Result<Vec<ClaimedTask>, ClientError> {
        let worker = self.worker;
        // The end of an attempt may have reserved the last one meanwhile.
        let reserved = self.remaining.reserve(u64::try_from(free).unwrap_or(0));
        if reserved == 0 {
            return Ok(Vec::new());
        }
        let wait = if worker.waits {
            self.wait
        } else {
            Duration::ZERO
        };
        let request = ClaimTasks {
            agent: worker.agent.id.clone(),
            max: i32::try_from(reserved).unwrap_or(free),
            wait_ms: u64::try_from(wait.as_millis()).unwrap_or(0),
            start: true,
            request_id: Some(Uuid::new_v4()),
            task_types: Vec::new(),
            profile: None,
            lease_sec: None,
        };
        let claims = tokio::select! {
            claims = self.ask(&request) => claims?,
            () = worker.stop.drained() => {
                give_back(worker, request).await;
                Vec::new()
            }
        };
        self.is_over = !worker.waits;
        self.remaining
            .give_back(reserved.saturating_sub(claims.len() as u64));
        Ok(claims)
    }

    async fn ask(&mut self, request: &ClaimTasks) -> Result<Vec<ClaimedTask>, ClientError> {
        let worker = self.worker;
        loop {
            let asked = Instant::now();
            match worker.client.claim(request).await {
                Ok(claims) => {
                    // A server that is about to end answers at once.
                    let pause = PAUSE.min(Duration::from_millis(request.wait_ms));
                    if claims.is_empty() && asked.elapsed() < pause {
                        tokio::time::sleep(pause).await;
                    }
                    self.has_warned &= claims.is_empty();
                    return Ok(claims);
                }
                Err(error) => match refusal(&error) {
                    // Forgotten, by a database that was restored for instance.
                    Some(ErrorCode::NotFound) => {
                        worker.client.register(&worker.agent).await?;
                    }
                    // Drained by an operator, who may think better of it.
                    Some(ErrorCode::Conflict) => {
                        self.warn_of_conflict().await;
                        if !worker.waits {
                            return Ok(Vec::new());
                        }
                        tokio::time::sleep(REST).await;
                    }
                    _ => return Err(error),
                },
            }
        }
    }

    /// Asks the server for the status of the agent that it gives no work, once.
    async fn warn_of_conflict(&mut self) {
        if self.has_warned {
            return;
        }
        let client = self.worker.client.clone().with_patience(LAST_WORDS);
        if let Ok(seen) = client.agent_heartbeat(&self.worker.agent.id).await {
            self.warn_unless_active(seen.status);
        }
    }
}

/// The most that one call may claim.
const MOST: i32 = 1_000;

/// The call that was given up may have claimed something. Asked again, the server says what; left
/// alone, those tasks would wait until their leases have run out.
async fn give_back(worker: &Worker, request: ClaimTasks) {
    let client = worker.client.clone().with_patience(LAST_WORDS);
    let request = ClaimTasks {
        wait_ms: 0,
        ..request
    };
    let Ok(claims) = client.claim(&request).await else {
        return;
    };
    for claim in claims {
        // What is not given back comes back by itself.
        let _ = client.release(claim.lease).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;

    /// F-19 (part)
    #[test]
    fn a_call_waits_as_long_as_the_interval_that_the_registration_was_answered()
    -> Result<(), ClientError> {
        let worker = Worker::new(Client::new("http://127.0.0.1:1", "key")?, "agent");
        for (answered, expected) in [(0.5, 0.5), (5.0, 5.0), (3_600.0, 45.0), (f64::NAN, 45.0)] {
            let remaining = Arc::new(Remaining::of(None));
            let claiming = Claiming::new(&worker, answered, remaining);
            assert_eq!(claiming.wait, Duration::from_secs_f64(expected));
        }
        Ok(())
    }
}
