//! Registration of agents, their heartbeats, and changes that others make to them. An agent belongs to
//! the key that registered it first.
//!
//! A repeated registration makes an agent active, unless another key has set it draining or offline:
//! that status stays until it is set to active. The registration replaces all other fields, so what
//! others have changed of them lasts until then.
//!
//! A claim by hand registers its agent, too, but only if the name is free or was registered by hand: it
//! never changes a worker's registration.

mod registration;

use serde_json::{Value, json};
use uuid::Uuid;
use workmill_core::audit::{Action, AuditEntry, Subject};
use workmill_core::capability;
use workmill_core::edition::{Edition, Expected};
use workmill_core::ids::Namespace;
use workmill_core::lane::{LaneId, Offer};
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::agents;
use workmill_queries::queries::experience::record;

pub use registration::RegisterAgent;
pub use workmill_core::agent::AgentStatus;

use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::operation::{Operation, Work};

/// An agent as it is registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Registered {
    pub status: AgentStatus,
    pub poll_interval_ms: i64,
    /// Named by the registration that counts; none: it is older than sessions.
    pub session: Option<Uuid>,
    pub is_by_hand: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentRefusal {
    Unknown,
    /// Another key registered an agent of this name.
    TakenByAnotherKey,
    /// It is not as the caller has seen it.
    Changed,
    /// It holds so many leases.
    Holding(i64),
}

/// An agent's row, locked.
pub(crate) struct Locked {
    pub(crate) status: AgentStatus,
    /// By somebody else than the agent.
    was_set: bool,
    pub(crate) is_silent: bool,
    pub(crate) registered: Registered,
}

/// Tells that an agent is back that had fallen silent.
pub(crate) fn tell_of_return(work: &mut Work<'_>, agent: &str, status: AgentStatus) {
    work.emit(Event {
        event_type: EventType::AgentOnline,
        graph: None,
        task: None,
        data: json!({"agent": agent, "status": status}),
    });
}

/// Locks the row of an agent that belongs to this key.
pub(crate) async fn lock_own(
    work: &Work<'_>,
    key: Uuid,
    agent: &str,
) -> Result<Result<Locked, AgentRefusal>, StoreError> {
    let row = agents::lock_agent()
        .bind(work.transaction, &work.ns, &agent)
        .opt()
        .await;
    let Some(row) = row? else {
        return Ok(Err(AgentRefusal::Unknown));
    };
    if row.key != key {
        return Ok(Err(AgentRefusal::TakenByAnotherKey));
    }
    let status = read_status(agent, &row.status)?;
    Ok(Ok(Locked {
        status,
        was_set: row.status_set_by.is_some(),
        is_silent: row.silent_since.is_some(),
        registered: Registered {
            status,
            poll_interval_ms: row.poll_interval_ms,
            session: row.session,
            is_by_hand: row.is_by_hand,
        },
    }))
}

pub(crate) fn read_status(agent: &str, name: &str) -> Result<AgentStatus, StoreError> {
    AgentStatus::from_name(name)
        .ok_or_else(|| StoreError::Corrupt(format!("agent `{agent}` has status {name}")))
}

/// A sign of life of an agent that has nothing else to say: it holds no lease, or is told to wait.
/// It hears how it stands.
#[derive(Debug)]
pub struct SeeAgent<'a> {
    pub ns: Namespace,
    pub key: Uuid,
    pub agent: &'a str,
}

impl Operation for SeeAgent<'_> {
    type Answer = Result<Registered, AgentRefusal>;
    const DOING: &'static str = "note a sign of life of an agent";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let locked = match lock_own(work, self.key, self.agent).await? {
            Ok(locked) => locked,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if locked.is_silent {
            tell_of_return(work, self.agent, locked.status);
        }
        see(work, &[self.agent]).await?;
        Ok(Ok(locked.registered))
    }
}

/// An agent that is set active again has another chance: what it failed before does not count.
async fn forget_failures(work: &Work<'_>, agent: &str) -> Result<(), StoreError> {
    record::forget_failures()
        .bind(work.transaction, &work.ns, &agent)
        .await?;
    Ok(())
}

/// Writes down that agents were seen; their rows are locked.
pub(crate) async fn see(work: &Work<'_>, seen: &[&str]) -> Result<(), StoreError> {
    if seen.is_empty() {
        return Ok(());
    }
    let now = work.now().await?;
    agents::see_agents()
        .bind(work.transaction, &now, &work.ns, &seen)
        .await?;
    Ok(())
}

/// What somebody else changes about an agent; what is not named stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AgentChange {
    pub status: Option<AgentStatus>,
    pub slots: Option<i32>,
    pub capabilities: Option<Vec<String>>,
    /// Only if it is at one of these.
    pub expected: Expected,
}

/// Of what others change about an agent.
pub(crate) fn edition(status: AgentStatus, slots: i32, capabilities: &[String]) -> Edition {
    Edition::of(&(status.name(), slots, capabilities))
}

#[derive(Debug)]
pub struct ChangeAgent<'a> {
    pub ns: Namespace,
    pub agent: &'a str,
    pub change: AgentChange,
    pub changed_by: &'a str,
}

impl Operation for ChangeAgent<'_> {
    type Answer = Result<(), AgentRefusal>;
    const DOING: &'static str = "change an agent";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let before = agents::lock_agent_status()
            .bind(work.transaction, &work.ns, &self.agent)
            .opt()
            .await;
        let Some(before) = before? else {
            return Ok(Err(AgentRefusal::Unknown));
        };
        let current = read_status(self.agent, &before.status)?;
        let current = current.seen(before.silent_since.is_some());
        let edition = edition(current, before.slots, &before.capabilities);
        if !self.change.expected.admits(&edition) {
            return Ok(Err(AgentRefusal::Changed));
        }
        let AgentChange {
            status,
            slots,
            capabilities,
            expected: _,
        } = self.change.clone();
        let capabilities = capabilities.map(capability::normalise);
        let is_away = status.is_some_and(|status| status != AgentStatus::Active);
        let parameters = agents::ChangeAgentParams {
            ns: work.ns,
            agent: self.agent,
            status: status.map(AgentStatus::name),
            status_set_by: is_away.then_some(self.changed_by),
            slots,
            capabilities: capabilities.as_deref(),
        };
        if is_away {
            wake_those_left(work, &[self.agent]).await?;
        }
        agents::change_agent()
            .params(work.transaction, &parameters)
            .await?;
        if status == Some(AgentStatus::Active) {
            forget_failures(work, self.agent).await?;
        }
        let event_type = if status.is_some() {
            EventType::AgentStatus
        } else {
            EventType::AgentChanged
        };
        let mut data = json!({"agent": self.agent, "by": self.changed_by});
        let changes = [
            ("status", status.map(|status| status.name().into())),
            ("slots", slots.map(Into::into)),
            ("capabilities", capabilities.map(Into::into)),
        ];
        for (field, value) in changes {
            if let Some(value) = value {
                data[field] = value;
            }
        }
        if let Some(status) = status {
            work.audit(AuditEntry::new(
                Action::AgentStatusSet,
                Subject::Agent(self.agent.to_owned()),
                json!({"status": before.status}),
                json!({"status": status.name()}),
            ));
        }
        work.emit(Event {
            event_type,
            graph: None,
            task: None,
            data,
        });
        Ok(Ok(()))
    }
}

/// Removes an agent that holds nothing. Its name is free then, also for another key.
#[derive(Debug)]
pub struct RemoveAgent<'a> {
    pub ns: Namespace,
    pub agent: &'a str,
}

impl Operation for RemoveAgent<'_> {
    type Answer = Result<(), AgentRefusal>;
    const DOING: &'static str = "remove an agent";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let before = agents::lock_agent()
            .bind(work.transaction, &work.ns, &self.agent)
            .opt()
            .await;
        let Some(before) = before? else {
            return Ok(Err(AgentRefusal::Unknown));
        };
        let leases = agents::count_leases_of_agent()
            .bind(work.transaction, &work.ns, &self.agent)
            .one()
            .await?;
        if leases > 0 {
            return Ok(Err(AgentRefusal::Holding(leases)));
        }
        work.audit(AuditEntry::new(
            Action::AgentRemoved,
            Subject::Agent(self.agent.to_owned()),
            json!({
                "type": before.r#type, "capabilities": before.capabilities,
                "models": before.models, "task_types": before.task_types, "key": before.key,
            }),
            Value::Null,
        ));
        wake_those_left(work, &[self.agent]).await?;
        remove(work, &[self.agent], "request").await?;
        Ok(Ok(()))
    }
}

/// An agent that may claim.
pub(crate) struct LiveAgent {
    pub(crate) offer: Offer,
    /// It claims by hand: no program takes what is ready.
    is_by_hand: bool,
}

/// Reads the agents that may claim.
pub(crate) async fn live_agents(work: &Work<'_>) -> Result<Vec<LiveAgent>, StoreError> {
    let rows = agents::find_live_agents()
        .bind(work.transaction, &work.ns)
        .all()
        .await?;
    let agents = rows.into_iter().map(|row| LiveAgent {
        offer: Offer {
            agent: row.agent,
            agent_type: row.r#type,
            capabilities: row.capabilities,
            models: row.models,
            task_types: row.task_types,
        },
        is_by_hand: row.is_by_hand,
    });
    Ok(agents.collect())
}

/// Reads the agents that may claim and do not claim by hand. They can be counted on to take a task that
/// another one failed.
pub(crate) async fn live_workers(work: &Work<'_>) -> Result<Vec<Offer>, StoreError> {
    let agents = live_agents(work).await?.into_iter();
    let workers = agents.filter(|agent| !agent.is_by_hand);
    Ok(workers.map(|agent| agent.offer).collect())
}

/// Wakes waiting claims in the lanes that agents leave, because another agent may be the only one left
/// there and is then no longer kept from tasks that it failed. Call it before the agents' rows change.
pub(crate) async fn wake_those_left(
    work: &mut Work<'_>,
    leaving: &[&str],
) -> Result<(), StoreError> {
    let workers = live_workers(work).await?;
    let is_leaving = |offer: &&Offer| leaving.contains(&offer.agent.as_str());
    let left: Vec<&Offer> = workers.iter().filter(is_leaving).collect();
    if left.is_empty() {
        return Ok(());
    }
    let ready = work.find_ready_lanes().await?;
    let known = work.lanes();
    let lanes = ready.into_iter().filter(|id| {
        let lane = known.get(*id);
        lane.is_some_and(|lane| left.iter().any(|offer| lane.matches(offer)))
    });
    let lanes: Vec<LaneId> = lanes.collect();
    for lane in lanes {
        work.effects.ready.entry(lane).or_insert(1);
    }
    Ok(())
}

/// Deletes agents that hold nothing; their rows are locked.
pub(crate) async fn remove(
    work: &mut Work<'_>,
    names: &[&str],
    because: &str,
) -> Result<(), StoreError> {
    if names.is_empty() {
        return Ok(());
    }
    agents::delete_agents()
        .bind(work.transaction, &work.ns, &names)
        .await?;
    agents::delete_agent_records()
        .bind(work.transaction, &work.ns, &names)
        .await?;
    for agent in names {
        work.emit(Event {
            event_type: EventType::AgentRemoved,
            graph: None,
            task: None,
            data: json!({"agent": agent, "because": because}),
        });
    }
    Ok(())
}
