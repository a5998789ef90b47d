//! Dispatch: agents register, claim, and wait when there is nothing to claim.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use uuid::Uuid;
use workmill_core::ids::Namespace;
use workmill_store::StoreError;
use workmill_store::dispatch::agents::{RegisterAgent, Registration, SetAgentStatus};
use workmill_store::dispatch::claim::{Claim, ClaimRefusal, ClaimRequest as AgentRequest};

pub use workmill_store::dispatch::agents::AgentStatus;
pub use workmill_store::dispatch::claim::{Claimed, DependencyOutput, Reference};

use crate::engine::{Caller, Engine, Shared};
use crate::error::EngineError;
use crate::gather::Batch;

/// The longest a claim may wait.
pub const LONGEST_WAIT: Duration = Duration::from_secs(50);

/// The most tasks handed out in one call.
pub const MOST_CLAIMS: i32 = 1000;

const MOST_SLOTS: i32 = 10_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentDescription {
    pub agent: String,
    pub agent_type: String,
    pub capabilities: Vec<String>,
    pub models: Vec<String>,
    pub slots: i32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRequest {
    pub agent: String,
    pub most: i32,
    pub start: bool,
    pub wait: Duration,
    /// Asking again with the same id returns what the first call was given.
    pub request_id: Option<Uuid>,
}

impl Engine {
    pub async fn register_agent(
        &self,
        caller: &Caller,
        agent: &AgentDescription,
    ) -> Result<(), EngineError> {
        check_agent_name("id", &agent.agent)?;
        if !(1..=MOST_SLOTS).contains(&agent.slots) {
            let problem = format!("{} is not between 1 and {MOST_SLOTS}", agent.slots);
            return Err(EngineError::invalid("max_concurrent_tasks", problem));
        }
        let operation = RegisterAgent {
            ns: caller.ns,
            key: caller.key,
            agent: &agent.agent,
            agent_type: &agent.agent_type,
            capabilities: agent.capabilities.clone(),
            models: agent.models.clone(),
            slots: agent.slots,
        };
        let registration = self.run_by(caller, &operation).await?;
        match registration {
            Registration::Done => Ok(()),
            Registration::TakenByAnotherKey => Err(EngineError::Forbidden {
                problem: format!("agent `{}` was registered by another key", agent.agent),
            }),
        }
    }

    /// A draining agent finishes what it holds and claims nothing new. Registering again makes it
    /// active.
    pub async fn set_agent_status(
        &self,
        caller: &Caller,
        agent: &str,
        status: AgentStatus,
    ) -> Result<(), EngineError> {
        let operation = SetAgentStatus {
            ns: caller.ns,
            agent,
            status,
        };
        if self.run_by(caller, &operation).await? {
            return Ok(());
        }
        Err(EngineError::NotFound {
            what: format!("agent `{agent}`"),
        })
    }

    /// Hands out ready tasks; waits for some when there are none and the request allows it.
    pub async fn claim(
        &self,
        caller: &Caller,
        request: &ClaimRequest,
    ) -> Result<Vec<Claimed>, EngineError> {
        check_agent_name("agent", &request.agent)?;
        if !(1..=MOST_CLAIMS).contains(&request.most) {
            let problem = format!("{} is not between 1 and {MOST_CLAIMS}", request.most);
            return Err(EngineError::invalid("max", problem));
        }
        let deadline = Instant::now() + request.wait.min(LONGEST_WAIT);
        let bell = self.shared.wake_up.bell(caller.ns);
        loop {
            // Subscribed before looking, so that nothing becomes ready unnoticed in between.
            let rung = bell.notified();
            let claimed = self.claim_now(caller, request).await?;
            let is_over = Instant::now() >= deadline || self.closing.is_cancelled();
            if !claimed.is_empty() || is_over {
                return Ok(claimed);
            }
            let again = deadline.min(Instant::now() + self.look_again);
            let _ = timeout_at(again, self.closing.run_until_cancelled(rung)).await;
        }
    }

    async fn claim_now(
        &self,
        caller: &Caller,
        request: &ClaimRequest,
    ) -> Result<Vec<Claimed>, EngineError> {
        let asked = AgentRequest {
            key: caller.key,
            agent: request.agent.clone(),
            most: request.most,
            start: request.start,
            request: request.request_id,
        };
        self.claims
            .call(&self.shared, caller.ns, asked)
            .await?
            .map_err(|refusal| match refusal {
                ClaimRefusal::UnknownAgent => EngineError::NotFound {
                    what: format!("agent `{}`", request.agent),
                },
                ClaimRefusal::ForeignAgent => EngineError::Forbidden {
                    problem: format!("agent `{}` was registered by another key", request.agent),
                },
                ClaimRefusal::NotActive => EngineError::Conflict {
                    problem: format!("agent `{}` is draining or offline", request.agent),
                },
            })
    }
}

fn check_agent_name(at: &str, name: &str) -> Result<(), EngineError> {
    let is_plain = |letter: char| !letter.is_control();
    if name.trim().is_empty() || name.chars().count() > 200 || !name.chars().all(is_plain) {
        return Err(EngineError::invalid(
            at,
            "1 to 200 characters, none of them a control character",
        ));
    }
    Ok(())
}

/// Claims of one namespace, gathered.
#[derive(Debug)]
pub(crate) struct Claims;

impl Batch for Claims {
    type Request = AgentRequest;
    type Answer = Result<Vec<Claimed>, ClaimRefusal>;
    const MOST: usize = 200;

    async fn run(
        shared: &Shared,
        ns: Namespace,
        requests: &[AgentRequest],
    ) -> Result<Vec<Self::Answer>, StoreError> {
        shared.run(&Claim { ns, requests }).await
    }
}
