//! What stands between a task and running, read in one look: two batches of statements in a
//! transaction that only reads, so that all of it is true of one moment.
//!
//! Nothing is decided here: `workmill_core::explain` tells what the facts mean.

mod attempts;
mod dry_run;
mod seen;
mod whereabouts;

use std::collections::{BTreeMap, BTreeSet};

use deadpool_postgres::Transaction;
use futures_util::try_join;
use jiff::{SignedDuration, Timestamp};
use tokio_postgres::IsolationLevel;
use uuid::Uuid;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::explain::{AgentFacts, Ahead, Dependency, Facts, RecentAttempt};
use workmill_core::ids::{GraphId, Namespace, TaskId};
use workmill_core::lane::{Lane, LaneId, Offer};
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::policy::Policy;
use workmill_core::rank::{DEFAULT_ESTIMATE, Urgency};
use workmill_queries::queries::dispatch::{agents, claim};
use workmill_queries::queries::look::explain as statements;

use crate::clock::Clock;
use crate::connect::Store;
use crate::error::StoreError;
use crate::lanes::Lanes;

const DOING: &str = "explain a task";

/// A look at one namespace at one moment.
struct Look<'a> {
    store: &'a Store,
    transaction: &'a Transaction<'a>,
    ns: i64,
}

fn failed(error: tokio_postgres::Error) -> StoreError {
    StoreError::from_statement(DOING, error)
}

impl Store {
    /// Everything that decides about a task; none: there is no such task.
    pub async fn find_facts(
        &self,
        ns: Namespace,
        task: TaskId,
    ) -> Result<Option<Facts>, StoreError> {
        let mut client = self.client(DOING).await?;
        let transaction = client
            .build_transaction()
            .isolation_level(IsolationLevel::RepeatableRead)
            .read_only(true)
            .start()
            .await
            .map_err(failed)?;
        let look = Look {
            store: self,
            transaction: &transaction,
            ns: ns.0,
        };
        Box::pin(look.facts(task)).await
    }
}

impl Look<'_> {
    async fn facts(&self, task: TaskId) -> Result<Option<Facts>, StoreError> {
        let id = task.0;
        let (row, dependencies, gated, held, rest, history, agents, lanes, now, each_day) = try_join!(
            self.row(id),
            self.dependencies(id),
            self.gated(id),
            self.held(id),
            self.rest(id),
            self.history(id),
            self.agents(),
            self.lanes(),
            self.now(),
            self.each_day(),
        )?;
        let Some(row) = row else { return Ok(None) };
        let corrupt = |what: String| StoreError::Corrupt(format!("{task}: {what}"));
        let state =
            State::from_code(row.state).ok_or_else(|| corrupt(format!("state {}", row.state)))?;
        let asks = lanes.get(&LaneId(row.lane)).cloned();
        let asks = asks.ok_or_else(|| corrupt(format!("lane {}", row.lane)))?;
        let policy: Policy =
            serde_json::from_value(row.policy).map_err(|error| corrupt(error.to_string()))?;
        let task_type = policy.admission.task_type.as_str();
        let usual = self.store.usual.cost(self.ns, task_type, &asks.models);
        let mut facts = Facts {
            now,
            task,
            graph: GraphId(row.graph),
            state,
            lane: LaneId(row.lane),
            urgency: urgency(&policy, row.submitted_at, row.critical_path),
            rule: OnDependencyFailure::from_code(row.on_dependency_failure)
                .ok_or_else(|| corrupt("its rule for failed dependencies".to_owned()))?,
            unmet: usize::try_from(row.unmet).unwrap_or(0),
            dependencies,
            due: row.due,
            is_draft: row.is_draft.unwrap_or(false),
            is_draining: row.is_draining.unwrap_or(false),
            shunned: row.shunned.unwrap_or_default(),
            shunned_until: row.shunned_until,
            created_by: row.created_by,
            admission: policy.admission,
            spent: Micros(row.spent_micros),
            usual,
            gated,
            door: seen::door(each_day, now)?,
            agents,
            asks,
            ahead: None,
            recent: Vec::new(),
            held,
            blocked: rest.0,
            dead_letter: rest.1,
            history,
        };
        self.look_further(&mut facts, &lanes, row.rank).await?;
        Ok(Some(facts))
    }

    /// What depends on what was read first: the gates of the task, the slots of the agents that
    /// could run it, what is better ranked in their lanes, and what else failed when the task did.
    async fn look_further(
        &self,
        facts: &mut Facts,
        lanes: &Lanes,
        rank: i64,
    ) -> Result<(), StoreError> {
        let could: Vec<&AgentFacts> = facts
            .agents
            .iter()
            .filter(|agent| facts.asks.matches(&agent.offer))
            .collect();
        let names: Vec<&str> = could
            .iter()
            .map(|agent| agent.offer.agent.as_str())
            .collect();
        let candidate = facts.candidate();
        let wanted = facts
            .door
            .wanted(&candidate, names.iter().copied(), facts.now);
        let is_ready = facts.state == State::Ready;
        let effective = rank - facts.asks.boost.offset(facts.now);
        let rivals = rivals(&could, lanes);
        let ahead = async {
            if !is_ready {
                return Ok(None);
            }
            self.ahead(facts, lanes, &rivals, effective).await.map(Some)
        };
        let recent = async {
            if !is_ready {
                return Ok(Vec::new());
            }
            self.recent().await
        };
        let (gates, held, leases, ahead, recent, tallies) = try_join!(
            self.gates(&wanted),
            self.locks_in_the_way(facts.task, &facts.admission.locks),
            self.leases(&could),
            ahead,
            recent,
            self.tallies(&facts.history),
        )?;
        facts.history.tallies = tallies;
        facts.ahead = ahead;
        facts.recent = recent;
        facts.door.learn(gates, held);
        for agent in &mut facts.agents {
            agent.leases = leases.get(&agent.offer.agent).copied().unwrap_or(0);
        }
        Ok(())
    }

    async fn now(&self) -> Result<Timestamp, StoreError> {
        match &self.store.clock {
            Clock::Manual(clock) => Ok(clock.now()),
            Clock::Database => {
                let clock = "select clock_timestamp()";
                let row = self.transaction.query_one(clock, &[]).await;
                row.and_then(|row| row.try_get(0)).map_err(failed)
            }
        }
    }

    async fn row(&self, task: Uuid) -> Result<Option<statements::FindExplainedTask>, StoreError> {
        statements::find_explained_task()
            .bind(self.transaction, &self.ns, &task)
            .opt()
            .await
            .map_err(failed)
    }

    async fn dependencies(&self, task: Uuid) -> Result<Vec<Dependency>, StoreError> {
        let rows = statements::find_explained_dependencies()
            .bind(self.transaction, &self.ns, &task)
            .all()
            .await
            .map_err(failed)?;
        rows.into_iter()
            .map(|row| {
                let task = TaskId(row.depends_on);
                let corrupt = || StoreError::Corrupt(format!("{task}: state {}", row.state));
                Ok(Dependency {
                    task,
                    state: State::from_code(row.state).ok_or_else(corrupt)?,
                    freed_runners: row.freed_runners,
                })
            })
            .collect()
    }

    /// Registered agents; how many slots they use is counted for those that matter.
    async fn agents(&self) -> Result<Vec<AgentFacts>, StoreError> {
        let rows = agents::find_agents()
            .bind(self.transaction, &self.ns)
            .all()
            .await
            .map_err(failed)?;
        let agents = rows.into_iter().map(|row| AgentFacts {
            offer: Offer {
                agent: row.agent,
                agent_type: row.r#type,
                capabilities: row.capabilities,
                models: row.models,
            },
            status: row.status,
            slots: row.slots,
            leases: 0,
        });
        Ok(agents.collect())
    }

    /// All lanes. What a lane asks follows from its id, so those that are known are not read again.
    async fn lanes(&self) -> Result<Lanes, StoreError> {
        let known = self.store.lanes.of(self.ns);
        let rows = claim::find_lanes()
            .bind(self.transaction, &self.ns)
            .all()
            .await
            .map_err(failed)?;
        let mut new = BTreeMap::new();
        for row in rows {
            if !known.contains_key(&LaneId(row.lane)) {
                let lane: Lane = serde_json::from_value(row.asks)
                    .map_err(|error| StoreError::Corrupt(format!("lane {}: {error}", row.lane)))?;
                new.insert(LaneId(row.lane), lane);
            }
        }
        self.store.lanes.learn(self.ns, new);
        Ok(self.store.lanes.of(self.ns))
    }

    /// How many of their slots these agents use.
    async fn leases(&self, agents: &[&AgentFacts]) -> Result<BTreeMap<String, i32>, StoreError> {
        let names: Vec<&str> = agents
            .iter()
            .map(|agent| agent.offer.agent.as_str())
            .collect();
        let slots: Vec<i64> = agents.iter().map(|agent| agent.slots.into()).collect();
        let rows = statements::count_taken_slots()
            .bind(self.transaction, &names, &slots, &self.ns)
            .all()
            .await
            .map_err(failed)?;
        let counted = rows.into_iter().map(|row| (row.agent, row.leases));
        Ok(counted.collect())
    }

    async fn ahead(
        &self,
        facts: &Facts,
        lanes: &Lanes,
        rivals: &[LaneId],
        effective: i64,
    ) -> Result<Ahead, StoreError> {
        let aged: Vec<i64> = rivals
            .iter()
            .map(|lane| lanes[lane].boost.offset(facts.now))
            .collect();
        let bounds: Vec<i64> = aged.iter().map(|aged| effective + aged).collect();
        let ids: Vec<i64> = rivals.iter().map(|lane| lane.0).collect();
        let count = async {
            let statement = statements::count_ahead();
            let counted = statement.bind(self.transaction, &ids, &bounds, &self.ns, &facts.task.0);
            counted.one().await.map_err(failed)
        };
        let first = async {
            let statement = statements::find_ahead();
            let (transaction, task) = (self.transaction, facts.task.0);
            let found = statement.bind(transaction, &ids, &bounds, &aged, &self.ns, &task);
            found.all().await.map_err(failed)
        };
        let (count, first) = try_join!(count, first)?;
        Ok(Ahead {
            count: usize::try_from(count).unwrap_or(0),
            first: first.into_iter().map(TaskId).collect(),
        })
    }

    async fn recent(&self) -> Result<Vec<RecentAttempt>, StoreError> {
        let rows = statements::find_recent_attempts()
            .bind(self.transaction, &self.ns)
            .all()
            .await
            .map_err(failed)?;
        let recent = rows.into_iter().map(|row| {
            let ran = row
                .ended_at
                .duration_since(row.started_at.unwrap_or(row.claimed_at));
            RecentAttempt {
                task_type: row.task_type.unwrap_or_default(),
                ran_ms: i64::try_from(ran.as_millis()).unwrap_or(0),
            }
        });
        Ok(recent.collect())
    }
}

/// The lanes from which the agents that could run a task take work: of those that are active, if
/// any is.
fn rivals(could: &[&AgentFacts], lanes: &Lanes) -> Vec<LaneId> {
    let active: Vec<&&AgentFacts> = could
        .iter()
        .filter(|agent| agent.status == "active")
        .collect();
    let agents: Vec<&AgentFacts> = if active.is_empty() {
        could.to_vec()
    } else {
        active.into_iter().copied().collect()
    };
    let is_theirs = |lane: &Lane| agents.iter().any(|agent| lane.matches(&agent.offer));
    let lanes = lanes.iter().filter(|(_, lane)| is_theirs(lane));
    let ids: BTreeSet<LaneId> = lanes.map(|(id, _)| *id).collect();
    ids.into_iter().collect()
}

fn urgency(policy: &Policy, submitted: Timestamp, critical_path: i16) -> Urgency {
    let admission = &policy.admission;
    let estimate = admission.estimate_ms.map(SignedDuration::from_millis);
    Urgency {
        base: admission.priority,
        boost: policy.boost,
        submitted,
        critical_path: if policy.critical_path {
            u8::try_from(critical_path).unwrap_or(0)
        } else {
            0
        },
        deadline: admission.deadline,
        estimate: estimate.unwrap_or(DEFAULT_ESTIMATE),
    }
}
