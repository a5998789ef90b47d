//! Agents: they register and show signs of life; operators change and look at them.

use uuid::Uuid;
use workmill_core::agent::DEFAULT_POLL_INTERVAL_MS;
use workmill_core::ids::TaskId;
use workmill_core::money::Micros;
use workmill_store::dispatch::agents::{
    AgentRefusal, ChangeAgent, RegisterAgent, RemoveAgent, SeeAgent,
};
use workmill_store::look::agents::{Agent, AgentPage};
use workmill_store::upkeep::agents::SignOffAgent;

pub use workmill_store::dispatch::agents::{AgentChange, AgentStatus, Registered};

use super::check_agent_name;
use crate::engine::{Caller, Engine};
use crate::error::EngineError;
use crate::intake::limits::check_words;

const MOST_SLOTS: i32 = 10_000;
/// Of agents on a page.
pub const MOST_AGENTS: i64 = 1_000;
/// A tenth of a second.
const SHORTEST_MS: i64 = 100;
const LONGEST_POLL_INTERVAL_MS: i64 = 3_600_000;
/// Ten years, as for tasks.
const LONGEST_CLAIM_TTL_MS: i64 = 315_360_000_000;

/// What an agent says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentDescription {
    pub agent: String,
    pub agent_type: String,
    pub capabilities: Vec<String>,
    pub models: Vec<String>,
    /// The types of tasks that it takes; any if there are none.
    pub task_types: Vec<String>,
    pub slots: i32,
    pub poll_interval_ms: i64,
    /// How soon it starts what it claims; tasks that give it less time keep to theirs.
    pub claim_ttl_ms: Option<i64>,
    /// What it may still spend. It can lower what others have set, not raise it.
    pub budget_left: Option<Micros>,
    /// It claims by hand. What a worker has registered under the name stays as it is.
    pub is_by_hand: bool,
}

impl AgentDescription {
    /// An agent that says nothing but its name.
    pub fn new(agent: impl Into<String>) -> Self {
        AgentDescription {
            agent: agent.into(),
            agent_type: String::new(),
            capabilities: Vec::new(),
            models: Vec::new(),
            task_types: Vec::new(),
            slots: 1,
            poll_interval_ms: DEFAULT_POLL_INTERVAL_MS,
            claim_ttl_ms: None,
            budget_left: None,
            is_by_hand: false,
        }
    }
}

impl Engine {
    pub async fn register_agent(
        &self,
        caller: &Caller,
        agent: &AgentDescription,
    ) -> Result<Registered, EngineError> {
        let _share = self.shares.take(caller.ns).await?;
        check_agent_name("id", &agent.agent)?;
        if agent.agent_type.contains('\0') {
            let problem = "contains the character U+0000";
            return Err(EngineError::invalid("type", problem));
        }
        check_slots(agent.slots)?;
        check_words("capabilities", &agent.capabilities)?;
        check_words("models_available", &agent.models)?;
        check_words("task_types", &agent.task_types)?;
        check_milliseconds(
            "poll_interval_sec",
            agent.poll_interval_ms,
            LONGEST_POLL_INTERVAL_MS,
        )?;
        if let Some(claim_ttl_ms) = agent.claim_ttl_ms {
            check_milliseconds("claim_ttl_sec", claim_ttl_ms, LONGEST_CLAIM_TTL_MS)?;
        }
        agent.budget_left.map_or(Ok(()), check_is_money)?;
        let operation = RegisterAgent {
            ns: caller.ns,
            key: caller.key,
            agent: &agent.agent,
            agent_type: &agent.agent_type,
            capabilities: agent.capabilities.clone(),
            models: agent.models.clone(),
            task_types: agent.task_types.clone(),
            slots: agent.slots,
            poll_interval_ms: agent.poll_interval_ms,
            claim_ttl_ms: agent.claim_ttl_ms,
            is_by_hand: agent.is_by_hand,
        };
        if let Some(left) = agent.budget_left {
            // Before it may claim: a refused budget must not leave an agent without one.
            match self.seen(caller, &agent.agent).await? {
                Ok(_) | Err(AgentRefusal::Unknown) => {}
                Err(refusal) => return Err(refused(&agent.agent, refusal)),
            }
            self.leave_agent_budget(caller, &agent.agent, left, true)
                .await?;
        }
        let registered = self.run_by(caller, &operation).await?;
        registered.map_err(|refusal| refused(&agent.agent, refusal))
    }

    /// A sign of life of an agent that holds nothing; it hears how it stands.
    pub async fn see_agent(&self, caller: &Caller, agent: &str) -> Result<Registered, EngineError> {
        check_is_a_name(agent)?;
        let _share = self.shares.take(caller.ns).await?;
        let seen = self.seen(caller, agent).await?;
        seen.map_err(|refusal| refused(agent, refusal))
    }

    /// Sets an agent offline that ends, until its next call; unless it holds a task or has registered again
    /// since.
    pub async fn sign_off_agent(
        &self,
        caller: &Caller,
        agent: &str,
        session: Uuid,
    ) -> Result<Registered, EngineError> {
        check_is_a_name(agent)?;
        let _share = self.shares.take(caller.ns).await?;
        let operation = SignOffAgent {
            ns: caller.ns,
            key: caller.key,
            agent,
            session,
        };
        let signed_off = self.run(&operation).await?;
        signed_off.map_err(|refusal| refused(agent, refusal))
    }

    async fn seen(
        &self,
        caller: &Caller,
        agent: &str,
    ) -> Result<Result<Registered, AgentRefusal>, EngineError> {
        let operation = SeeAgent {
            ns: caller.ns,
            key: caller.key,
            agent,
        };
        Ok(self.run(&operation).await?)
    }

    /// A draining agent finishes what it holds and claims nothing new; it stays so, though it
    /// registers again, until it is set active. `budget_left` is what it may spend from now on, whatever
    /// it was before.
    pub async fn change_agent(
        &self,
        caller: &Caller,
        agent: &str,
        change: AgentChange,
        budget_left: Option<Micros>,
    ) -> Result<(), EngineError> {
        check_is_a_name(agent)?;
        if let Some(slots) = change.slots {
            check_slots(slots)?;
        }
        if let Some(capabilities) = &change.capabilities {
            check_words("capabilities", capabilities)?;
        }
        if let Some(left) = budget_left {
            check_is_money(left)?;
            // Before the rest, which is refused with nothing changed if the budget is.
            let edition = self.agent(caller, agent).await?.edition();
            if !change.expected.admits(&edition) {
                return Err(refused(agent, AgentRefusal::Changed));
            }
            self.leave_agent_budget(caller, agent, left, false).await?;
        }
        let operation = ChangeAgent {
            ns: caller.ns,
            agent,
            change,
            changed_by: &caller.name,
        };
        let changed = self.run_by(caller, &operation).await?;
        changed.map_err(|refusal| refused(agent, refusal))
    }

    /// Removes an agent that holds nothing; it may register again.
    pub async fn remove_agent(&self, caller: &Caller, agent: &str) -> Result<(), EngineError> {
        check_is_a_name(agent)?;
        let operation = RemoveAgent {
            ns: caller.ns,
            agent,
        };
        let removed = self.run_by(caller, &operation).await?;
        removed.map_err(|refusal| refused(agent, refusal))
    }

    pub async fn agent(&self, caller: &Caller, agent: &str) -> Result<Agent, EngineError> {
        check_is_a_name(agent)?;
        let found = self.store().find_agent(caller.ns, agent).await?;
        found.ok_or_else(|| refused(agent, AgentRefusal::Unknown))
    }

    pub async fn tasks_of_agent(
        &self,
        caller: &Caller,
        agent: &str,
    ) -> Result<Vec<TaskId>, EngineError> {
        Ok(self.store().find_tasks_of_agent(caller.ns, agent).await?)
    }

    /// A page of agents by name, beginning with the one named.
    pub async fn agents(
        &self,
        caller: &Caller,
        from: Option<&str>,
        most: i64,
    ) -> Result<AgentPage, EngineError> {
        if !(1..=MOST_AGENTS).contains(&most) {
            let problem = format!("{most} is not between 1 and {MOST_AGENTS}");
            return Err(EngineError::invalid("limit", problem));
        }
        if let Some(from) = from {
            check_agent_name("cursor", from)?;
        }
        let from = from.unwrap_or_default();
        Ok(self.store().find_agents(caller.ns, from, most).await?)
    }
}

fn refused(agent: &str, refusal: AgentRefusal) -> EngineError {
    match refusal {
        AgentRefusal::Unknown => EngineError::NotFound {
            what: format!("agent `{agent}`"),
        },
        AgentRefusal::TakenByAnotherKey => EngineError::Forbidden {
            problem: format!("agent `{agent}` was registered by another key"),
        },
        AgentRefusal::Changed => EngineError::Changed {
            problem: format!("agent `{agent}` was changed meanwhile"),
        },
        AgentRefusal::Holding(leases) => EngineError::Conflict {
            problem: format!(
                "agent `{agent}` holds {leases} {}: set it draining and wait, or cancel what it \
                 works on",
                if leases == 1 { "task" } else { "tasks" }
            ),
        },
    }
}

/// What cannot be a name names nobody.
fn check_is_a_name(agent: &str) -> Result<(), EngineError> {
    check_agent_name("id", agent).map_err(|_| refused(agent, AgentRefusal::Unknown))
}

fn check_is_money(left: Micros) -> Result<(), EngineError> {
    if left.is_negative() {
        let problem = "must not be negative";
        return Err(EngineError::invalid("budget_remaining_usd", problem));
    }
    Ok(())
}

fn check_slots(slots: i32) -> Result<(), EngineError> {
    if (1..=MOST_SLOTS).contains(&slots) {
        return Ok(());
    }
    let problem = format!("{slots} is not between 1 and {MOST_SLOTS}");
    Err(EngineError::invalid("max_concurrent_tasks", problem))
}

fn check_milliseconds(at: &str, value: i64, most: i64) -> Result<(), EngineError> {
    if (SHORTEST_MS..=most).contains(&value) {
        return Ok(());
    }
    let problem = format!("not between 0.1 and {} seconds", most / 1000);
    Err(EngineError::invalid(at, problem))
}
