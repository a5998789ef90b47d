//! Registration of an agent: a new row, or an update of the row that the same key registered before.

use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;
use workmill_core::audit::{Action, AuditEntry, Subject};
use workmill_core::capability;
use workmill_core::ids::Namespace;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::agents;

use super::{AgentRefusal, AgentStatus, Registered, lock_own, see, tell_of_return};
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
    /// The types of tasks that the agent takes; any type if there are none.
    pub task_types: Vec<String>,
    pub slots: i32,
    pub poll_interval_ms: i64,
    pub claim_ttl_ms: Option<i64>,
    /// A person claims by hand under this name; no program waits for work.
    pub is_by_hand: bool,
}

impl Operation for RegisterAgent<'_> {
    type Answer = Result<Registered, AgentRefusal>;
    const DOING: &'static str = "register an agent";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let description = Description {
            capabilities: capability::normalise(self.capabilities.clone()),
            models: capability::normalise(self.models.clone()),
            task_types: capability::normalise(self.task_types.clone()),
            now: work.now().await?,
            session: work.mint().await?,
        };
        let status = if self.insert(work, &description).await? {
            // A repeated registration is routine; only the first is recorded.
            self.audit(work, &description);
            AgentStatus::Active
        } else {
            let before = match lock_own(work, self.key, self.agent).await? {
                Ok(before) => before,
                Err(refusal) => return Ok(Err(refusal)),
            };
            if before.is_silent {
                tell_of_return(work, self.agent, before.status);
            }
            if self.is_by_hand && !before.registered.is_by_hand {
                see(work, &[self.agent]).await?;
                return Ok(Ok(before.registered));
            }
            let status = before.status.after_registering(before.was_set);
            self.update(work, &description, status).await?;
            status
        };
        self.emit(work, &description, status);
        Ok(Ok(Registered {
            status,
            poll_interval_ms: self.poll_interval_ms,
            session: Some(description.session),
            is_by_hand: self.is_by_hand,
        }))
    }
}

/// What a registration writes beside the members of the request.
struct Description {
    capabilities: Vec<String>,
    models: Vec<String>,
    task_types: Vec<String>,
    now: Timestamp,
    session: Uuid,
}

impl RegisterAgent<'_> {
    /// Inserts the agent. Returns false if its name is taken.
    async fn insert(&self, work: &Work<'_>, description: &Description) -> Result<bool, StoreError> {
        let parameters = agents::InsertAgentParams {
            ns: work.ns,
            agent: self.agent,
            type_: self.agent_type,
            capabilities: description.capabilities.as_slice(),
            models: description.models.as_slice(),
            task_types: description.task_types.as_slice(),
            slots: self.slots,
            poll_interval_ms: self.poll_interval_ms,
            claim_ttl_ms: self.claim_ttl_ms,
            key: self.key,
            session: description.session,
            is_by_hand: self.is_by_hand,
            now: description.now,
        };
        let inserted = agents::insert_agent()
            .params(work.transaction, &parameters)
            .await?;
        Ok(inserted > 0)
    }

    async fn update(
        &self,
        work: &Work<'_>,
        description: &Description,
        status: AgentStatus,
    ) -> Result<(), StoreError> {
        let parameters = agents::UpdateAgentParams {
            ns: work.ns,
            agent: self.agent,
            type_: self.agent_type,
            capabilities: description.capabilities.as_slice(),
            models: description.models.as_slice(),
            task_types: description.task_types.as_slice(),
            slots: self.slots,
            status: status.name(),
            poll_interval_ms: self.poll_interval_ms,
            claim_ttl_ms: self.claim_ttl_ms,
            session: description.session,
            is_by_hand: self.is_by_hand,
            now: description.now,
        };
        agents::update_agent()
            .params(work.transaction, &parameters)
            .await?;
        Ok(())
    }

    fn audit(&self, work: &mut Work<'_>, description: &Description) {
        let after = json!({
            "type": self.agent_type, "capabilities": description.capabilities,
            "models": description.models, "task_types": description.task_types,
            "slots": self.slots, "key": self.key,
        });
        let subject = Subject::Agent(self.agent.to_owned());
        let entry = AuditEntry::new(Action::AgentRegistered, subject, Value::Null, after);
        work.audit(entry);
    }

    fn emit(&self, work: &mut Work<'_>, description: &Description, status: AgentStatus) {
        work.emit(Event {
            event_type: EventType::AgentRegistered,
            graph: None,
            task: None,
            data: json!({
                "agent": self.agent, "type": self.agent_type,
                "capabilities": description.capabilities, "task_types": description.task_types,
                "slots": self.slots, "status": status,
            }),
        });
    }
}
