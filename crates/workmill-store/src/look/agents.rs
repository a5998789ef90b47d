//! Agents as they stand: what they bring, what they hold, when they were last seen.

use jiff::Timestamp;
use workmill_core::agent::AgentStatus;
use workmill_core::edition::Edition;
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::money::Micros;
use workmill_queries::queries::look::agents;

use crate::connect::Store;
use crate::dispatch::agents::{edition, read_status};
use crate::error::StoreError;

const DOING: &str = "look at agents";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    pub agent: String,
    pub agent_type: String,
    pub capabilities: Vec<String>,
    pub models: Vec<String>,
    /// The types of tasks that it takes; any if there are none.
    pub task_types: Vec<String>,
    pub slots: i32,
    /// Offline while it is silent.
    pub status: AgentStatus,
    pub silent_since: Option<Timestamp>,
    /// It claims by hand, and no program waits for work under its name.
    pub is_by_hand: bool,
    /// Who has set it draining or offline.
    pub status_set_by: Option<String>,
    pub poll_interval_ms: i64,
    pub claim_ttl_ms: Option<i64>,
    pub registered_at: Timestamp,
    /// When it last registered, showed a sign of life, claimed (written down only now and then) or
    /// renewed a lease that it still holds. Neither claims nor heartbeats of leases write the
    /// agent's row for it, so with its last lease the time of that lease's heartbeat goes, too.
    pub last_seen_at: Timestamp,
    /// Its leases.
    pub current_tasks: i32,
    /// What it may still spend, if that is limited; what it has reserved is counted as spent.
    pub budget_left: Option<Micros>,
}

impl Agent {
    /// Of what others change about it.
    pub fn edition(&self) -> Edition {
        edition(self.status, self.slots, &self.capabilities)
    }
}

/// Agents in the order of their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentPage {
    pub agents: Vec<Agent>,
    /// With this one the next page begins; none when there is no more.
    pub next: Option<String>,
}

impl Store {
    /// The agents from this name on; at most so many.
    pub async fn find_agents(
        &self,
        ns: Namespace,
        from: &str,
        most: i64,
    ) -> Result<AgentPage, StoreError> {
        let client = self.client(DOING).await?;
        let rows = agents::find_agents()
            .bind(&client, &ns.0, &from, &most.saturating_add(1))
            .all()
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        let mut agents = rows
            .into_iter()
            .map(read_agent)
            .collect::<Result<Vec<Agent>, StoreError>>()?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let rest = agents.split_off(agents.len().min(most));
        Ok(AgentPage {
            agents,
            next: rest.into_iter().next().map(|agent| agent.agent),
        })
    }

    pub async fn find_agent(
        &self,
        ns: Namespace,
        agent: &str,
    ) -> Result<Option<Agent>, StoreError> {
        let page = self.find_agents(ns, agent, 1).await?;
        let mut found = page.agents.into_iter();
        Ok(found.next().filter(|found| found.agent == agent))
    }

    /// The tasks that an agent holds.
    pub async fn find_tasks_of_agent(
        &self,
        ns: Namespace,
        agent: &str,
    ) -> Result<Vec<TaskId>, StoreError> {
        let client = self.client(DOING).await?;
        let tasks = agents::find_tasks_of_agent()
            .bind(&client, &ns.0, &agent)
            .all()
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(tasks.into_iter().map(TaskId).collect())
    }
}

fn read_agent(row: agents::FindAgents) -> Result<Agent, StoreError> {
    let renewed_at = row.renewed_at.unwrap_or(row.seen_at);
    Ok(Agent {
        status: read_status(&row.agent, &row.status)?.seen(row.silent_since.is_some()),
        silent_since: row.silent_since,
        is_by_hand: row.is_by_hand,
        agent: row.agent,
        agent_type: row.r#type,
        capabilities: row.capabilities,
        models: row.models,
        task_types: row.task_types,
        slots: row.slots,
        status_set_by: row.status_set_by,
        poll_interval_ms: row.poll_interval_ms,
        claim_ttl_ms: row.claim_ttl_ms,
        registered_at: row.registered_at,
        last_seen_at: row.seen_at.max(renewed_at),
        current_tasks: row.leases,
        budget_left: row.budget_left.map(|left| Micros(left.max(0))),
    })
}
