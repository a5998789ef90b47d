//! Step 1, lock agents: their rows are locked and their leases counted under these locks, so their free
//! slots are exact.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{TryFutureExt, try_join};
use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::agent::{self, AgentStatus};
use workmill_core::gate::{Gate, Paused, Purse};
use workmill_core::ids::{GraphId, LeaseId, TaskId};
use workmill_core::lane::{Lane, LaneId, Offer};
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::policy::Policy;
use workmill_queries::queries::dispatch::claim;
use workmill_queries::queries::gates::gates;

use super::super::agents::{read_status, see, tell_of_return};
use super::request::{ClaimRefusal, ClaimRequest};
use super::slots::Facts;
use crate::error::StoreError;
use crate::gates::cache::KnownGates;
use crate::operation::Work;

/// An agent's row.
#[derive(Debug)]
struct KnownAgent {
    offer: Offer,
    status: AgentStatus,
    key: Uuid,
    /// How soon it starts a task that it has claimed, if the agent sets this itself.
    claim_ttl_ms: Option<i64>,
}

/// The agents of a batch; their rows are locked.
pub(crate) struct Agents {
    known: BTreeMap<String, KnownAgent>,
    free: BTreeMap<String, i32>,
    /// How much agents with a budget may still spend. A hint: the gate decides.
    left: BTreeMap<String, Micros>,
    /// Agents that had fallen silent, with the status that they come back with.
    returned: Vec<(String, AgentStatus)>,
    /// The leases that earlier calls with the same request ids got.
    pub(super) requested: Vec<RequestedLease>,
}

/// A lease that an earlier call with the same request id got.
pub(super) struct RequestedLease {
    pub(super) agent: String,
    pub(super) request: Option<Uuid>,
    pub(super) facts: Facts,
    pub(super) state: State,
    pub(super) ttl_ms: i64,
}

impl From<claim::FindRequestedLeases> for RequestedLease {
    fn from(row: claim::FindRequestedLeases) -> RequestedLease {
        RequestedLease {
            facts: Facts {
                task: TaskId(row.task),
                graph: GraphId(row.graph),
                in_graph: row.in_graph,
                lane: LaneId(row.lane),
                epoch: row.epoch,
                attempts: row.attempts,
                spent: Micros(row.spent_micros),
            },
            state: if row.started_at.is_some() {
                State::Running
            } else {
                State::Claimed
            },
            agent: row.agent,
            request: row.request,
            ttl_ms: row.ttl_ms,
        }
    }
}

impl KnownAgent {
    fn read(row: claim::LockAgents) -> Result<KnownAgent, StoreError> {
        Ok(KnownAgent {
            status: read_status(&row.agent, &row.status)?,
            offer: Offer {
                agent: row.agent,
                agent_type: row.r#type,
                capabilities: row.capabilities,
                models: row.models,
                task_types: row.task_types,
            },
            key: row.key,
            claim_ttl_ms: row.claim_ttl_ms,
        })
    }
}

impl Agents {
    pub(crate) async fn lock(
        work: &Work<'_>,
        requests: &[ClaimRequest],
    ) -> Result<Agents, StoreError> {
        let names: BTreeSet<&str> = requests
            .iter()
            .map(|request| request.agent.as_str())
            .collect();
        let names: Vec<&str> = names.into_iter().collect();
        let since = count_since(work, &names);
        let ids: Vec<Uuid> = requests.iter().filter_map(|one| one.request).collect();
        // Sent in this order: leases are counted, and clock and gates are read, under the agents' locks.
        // The gates must be read under these locks, because a transaction that sets up a gate waits for
        // them (see `gates::earlier`).
        let (lock_agents, count_leases) = (claim::lock_agents(), claim::count_leases());
        let (rows, counted, ()) = try_join!(
            lock_agents
                .bind(work.transaction, &names, &work.ns)
                .all()
                .map_err(|error| work.failed(error)),
            count_leases
                .bind(work.transaction, &ids, &work.ns, &names, &since)
                .all()
                .map_err(|error| work.failed(error)),
            work.read_moment(),
        )?;
        let now = work.now().await?;
        let requested = if counted.iter().any(|row| row.is_repeat) {
            let leases = claim::find_requested_leases()
                .bind(work.transaction, &names, &work.ns, &ids)
                .all()
                .await?;
            leases.into_iter().map(RequestedLease::from).collect()
        } else {
            Vec::new()
        };
        let mut held: BTreeMap<String, i32> = BTreeMap::new();
        for (row, since) in counted.into_iter().zip(since) {
            remember_count(work, &row, since, now);
            held.insert(row.agent, row.leases);
        }
        let mut agents = Agents {
            known: BTreeMap::new(),
            free: BTreeMap::new(),
            left: BTreeMap::new(),
            returned: Vec::new(),
            requested,
        };
        let is_its_own = |row: &claim::LockAgents| {
            let mut own = requests.iter().filter(|one| one.agent == row.agent);
            own.any(|request| request.key == row.key)
        };
        let seen = rows.iter().filter(|row| is_its_own(row));
        let seen = seen
            .filter(|row| row.silent_since.is_some() || agent::is_worth_writing(row.seen_at, now));
        let seen: Vec<&str> = seen.map(|row| row.agent.as_str()).collect();
        see(work, &seen).await?;
        for row in rows {
            if row.silent_since.is_some() && is_its_own(&row) {
                let status = read_status(&row.agent, &row.status)?;
                agents.returned.push((row.agent.clone(), status));
            }
            let mut busy = held.get(&row.agent).copied().unwrap_or(0);
            if work.is_planted("slots not counted") {
                busy = 0;
            }
            agents.free.insert(row.agent.clone(), row.slots - busy);
            agents
                .known
                .insert(row.agent.clone(), KnownAgent::read(row)?);
        }
        Ok(agents)
    }

    /// Frees the slots of leases that end in this transaction. They were counted before, and are not
    /// handed out again for their request id.
    pub(crate) fn end_leases(&mut self, ended: &[(LeaseId, String)]) {
        for (lease, agent) in ended {
            if let Some(free) = self.free.get_mut(agent) {
                *free += 1;
            }
            let is_it = |one: &RequestedLease| {
                (one.facts.task, one.facts.epoch) == (lease.task, lease.epoch)
            };
            self.requested.retain(|one| !is_it(one));
        }
    }

    /// Tells of those that are back.
    pub(super) fn tell_of_returns(&mut self, work: &mut Work<'_>) {
        for (agent, status) in self.returned.drain(..) {
            tell_of_return(work, &agent, status);
        }
    }

    /// Reads what agents may still spend, where that is limited, so that they need not look at what
    /// they cannot afford.
    pub(super) async fn read_budgets(
        &mut self,
        work: &Work<'_>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let known = work.gates();
        let budget = |agent: &String| Gate::Budget(Purse::Agent(agent.clone()));
        let limited = self.known.keys();
        let limited: Vec<&String> = limited
            .filter(|agent| known.contains(&budget(agent)))
            .collect();
        if limited.is_empty() {
            return Ok(());
        }
        work.refresh_usual(now).await?;
        let names: Vec<String> = limited.iter().map(|one| budget(one).to_string()).collect();
        let rows = gates::find_gates()
            .bind(work.transaction, &names, &work.ns)
            .all()
            .await?;
        let left: BTreeMap<String, i64> = rows
            .into_iter()
            .filter(|row| !row.is_removed)
            .filter_map(|row| Some((row.gate, row.cap?.saturating_sub(row.used))))
            .collect();
        for agent in limited {
            if let Some(left) = left.get(&budget(agent).to_string()) {
                self.left.insert(agent.clone(), Micros(*left));
            }
        }
        Ok(())
    }

    /// Returns whether a request's agent may take tasks from a lane, and could pay for one.
    pub(super) fn may_take(&self, work: &Work<'_>, request: &ClaimRequest, lane: &Lane) -> bool {
        let Some(known) = self.known.get(&request.agent) else {
            return false;
        };
        let can_pay = || {
            let Some(left) = self.left.get(&request.agent) else {
                return true;
            };
            let task_type = lane.task_type.as_deref().unwrap_or_default();
            lane.least_cost(work.usual_cost(task_type, &lane.models)) <= *left
        };
        lane.matches(&known.offer) && request.selection.admits_lane(lane) && can_pay()
    }

    /// Returns whether a request wants a task of this type and profile: of a lane that does not say
    /// them, only its tasks can tell.
    pub(super) fn wants(&self, request: &ClaimRequest, policy: &Policy) -> bool {
        let task_type = policy.admission.task_type.as_str();
        let known = self.known.get(&request.agent);
        known.is_some_and(|known| known.offer.takes_type(task_type))
            && request.selection.admits(task_type, policy.profile)
    }

    /// What an agent brings, by its name.
    pub(super) fn offer(&self, agent: &str) -> Option<(String, Offer)> {
        let known = self.known.get(agent)?;
        Some((agent.to_owned(), known.offer.clone()))
    }

    /// Returns how many tasks a request wants, or why it gets none.
    pub(super) fn admit(
        &self,
        request: &ClaimRequest,
        gates: &KnownGates,
    ) -> Result<i32, ClaimRefusal> {
        let known = self.known.get(&request.agent);
        let known = known.ok_or(ClaimRefusal::UnknownAgent)?;
        if known.key != request.key {
            return Err(ClaimRefusal::ForeignAgent);
        }
        if known.status != AgentStatus::Active {
            return Err(ClaimRefusal::NotActive);
        }
        let pause = Gate::Pause(Paused::Agent(request.agent.clone()));
        let is_paused = gates.contains(&pause);
        Ok(if is_paused { 0 } else { request.most })
    }

    pub(super) fn free_slots(&self, agent: &str) -> i32 {
        self.free.get(agent).copied().unwrap_or(0)
    }

    pub(super) fn type_of(&self, agent: &str) -> Option<String> {
        Some(self.known.get(agent)?.offer.agent_type.clone())
    }

    pub(super) fn claim_ttl_ms(&self, agent: &str) -> Option<i64> {
        self.known.get(agent)?.claim_ttl_ms
    }
}

/// From when on the leases of each agent are to be counted.
pub(crate) fn count_since(work: &Work<'_>, agents: &[&str]) -> Vec<Timestamp> {
    let agents = agents.iter();
    agents
        .map(|agent| work.lease_counts().since(work.ns, agent))
        .collect()
}

/// The agents' rows are locked, and were when this was counted.
pub(crate) fn remember_count(
    work: &Work<'_>,
    counted: &claim::CountLeases,
    since: Timestamp,
    now: Timestamp,
) {
    let agent = counted.agent.as_str();
    work.lease_counts()
        .counted(work.ns, agent, since, counted.oldest, now);
}
