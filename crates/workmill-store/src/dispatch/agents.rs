//! Registering workers, and setting them active, draining or offline. An agent belongs to the key
//! that registered it first.

use serde_json::{Value, json};
use uuid::Uuid;
use workmill_core::audit::{Action, AuditEntry, Subject};
use workmill_core::capability;
use workmill_core::ids::Namespace;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::agents;

use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::operation::{Operation, Work};

#[derive(Debug)]
pub struct RegisterAgent<'a> {
    pub ns: Namespace,
    pub key: Uuid,
    pub agent: &'a str,
    pub agent_type: &'a str,
    pub capabilities: Vec<String>,
    pub models: Vec<String>,
    pub slots: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registration {
    Done,
    /// Another key registered an agent of this name.
    TakenByAnotherKey,
}

impl Operation for RegisterAgent<'_> {
    type Answer = Registration;
    const DOING: &'static str = "register an agent";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Registration, StoreError> {
        let now = work.now().await?;
        let capabilities = capability::normalise(self.capabilities.clone());
        let models = capability::normalise(self.models.clone());
        let inserted = agents::insert_agent()
            .params(
                work.transaction,
                &agents::InsertAgentParams {
                    ns: work.ns,
                    agent: self.agent,
                    type_: self.agent_type,
                    capabilities: capabilities.as_slice(),
                    models: models.as_slice(),
                    slots: self.slots,
                    key: self.key,
                    now,
                },
            )
            .await
            .map_err(|error| work.failed(error))?;
        if inserted == 0 {
            let key = agents::lock_agent_key()
                .bind(work.transaction, &work.ns, &self.agent)
                .one()
                .await
                .map_err(|error| work.failed(error))?;
            if key != self.key {
                return Ok(Registration::TakenByAnotherKey);
            }
            let parameters = agents::UpdateAgentParams {
                ns: work.ns,
                agent: self.agent,
                type_: self.agent_type,
                capabilities: capabilities.as_slice(),
                models: models.as_slice(),
                slots: self.slots,
                now,
            };
            agents::update_agent()
                .params(work.transaction, &parameters)
                .await
                .map_err(|error| work.failed(error))?;
        }
        // Agents register at every start; only the first time is somebody's decision.
        if inserted > 0 {
            let after = json!({
                "type": self.agent_type, "capabilities": capabilities, "models": models,
                "slots": self.slots, "key": self.key,
            });
            let subject = Subject::Agent(self.agent.to_owned());
            let entry = AuditEntry::new(Action::AgentRegistered, subject, Value::Null, after);
            work.audit(entry);
        }
        work.emit(Event {
            event_type: EventType::AgentRegistered,
            graph: None,
            task: None,
            data: json!({
                "agent": self.agent, "type": self.agent_type, "capabilities": capabilities,
                "slots": self.slots,
            }),
        });
        Ok(Registration::Done)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentStatus {
    Active,
    /// Finishes what it holds and claims nothing new.
    Draining,
    Offline,
}

impl AgentStatus {
    pub const fn name(self) -> &'static str {
        match self {
            AgentStatus::Active => "active",
            AgentStatus::Draining => "draining",
            AgentStatus::Offline => "offline",
        }
    }
}

#[derive(Debug)]
pub struct SetAgentStatus<'a> {
    pub ns: Namespace,
    pub agent: &'a str,
    pub status: AgentStatus,
}

impl Operation for SetAgentStatus<'_> {
    /// Whether there is such an agent.
    type Answer = bool;
    const DOING: &'static str = "set the status of an agent";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<bool, StoreError> {
        let before = agents::lock_agent_status()
            .bind(work.transaction, &work.ns, &self.agent)
            .opt()
            .await
            .map_err(|error| work.failed(error))?;
        let updated = agents::update_agent_status()
            .bind(work.transaction, &self.status.name(), &work.ns, &self.agent)
            .await
            .map_err(|error| work.failed(error))?;
        if updated > 0 {
            work.audit(AuditEntry::new(
                Action::AgentStatusSet,
                Subject::Agent(self.agent.to_owned()),
                json!({"status": before}),
                json!({"status": self.status.name()}),
            ));
            work.emit(Event {
                event_type: EventType::AgentStatus,
                graph: None,
                task: None,
                data: json!({"agent": self.agent, "status": self.status.name()}),
            });
        }
        Ok(updated > 0)
    }
}
