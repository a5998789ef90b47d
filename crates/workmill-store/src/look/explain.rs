//! What stands between a task and running, read in one look: two batches of statements in a
//! transaction that only reads, so that all of it is true of one moment.
//!
//! Nothing is decided here: `workmill_core::explain` tells what the facts mean.

mod attempts;
mod dry_run;
mod seen;
mod whereabouts;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use deadpool_postgres::Transaction;
use futures_util::try_join;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use tokio_postgres::IsolationLevel;
use uuid::Uuid;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::explain::{AgentFacts, Ahead, CauseFacts, Dependency, Facts, RecentAttempt};
use workmill_core::ids::{GraphId, Namespace, TaskId};
use workmill_core::lane::{Lane, LaneId, Offer};
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::policy::Policy;
use workmill_core::rank::{self, DEFAULT_ESTIMATE, Urgency};
use workmill_core::task::NewTask;
use workmill_queries::queries::dispatch::{agents, lanes};
use workmill_queries::queries::look::explain as statements;
use workmill_queries::queries::task::locked_rows::find_specs;

use crate::clock::Clock;
use crate::connect::Store;
use crate::dispatch::agents::read_status;
use crate::error::StoreError;
use crate::lanes::{Lanes, read_lane};

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
        let Some(mut facts) = Box::pin(look.facts(task)).await? else {
            return Ok(None);
        };
        facts.cause = look.cause(&facts).await?;
        Ok(Some(facts))
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
        let policy: Policy =
            serde_json::from_value(row.policy).map_err(|error| corrupt(error.to_string()))?;
        let asks = self.asks(task, LaneId(row.lane), &policy).await?;
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
            gate_decisions: seen::gate_decisions(each_day, now)?,
            agents,
            asks,
            ahead: None,
            recent: Vec::new(),
            held,
            blocked: rest.0,
            dead_letter: rest.1,
            history,
            cause: None,
        };
        self.look_further(&mut facts, &lanes, row.rank).await?;
        Ok(Some(facts))
    }

    /// Follows the dependencies of a task to what is waited for in the end.
    async fn cause(&self, facts: &Facts) -> Result<Option<Box<CauseFacts>>, StoreError> {
        let waits = matches!(facts.state, State::Pending | State::Created) && facts.unmet > 0;
        if !waits {
            return Ok(None);
        }
        let mut search = Search::default();
        let unmet = facts.dependencies.iter();
        let unmet = unmet.filter(|one| !facts.rule.goes_on(one.state, one.freed_runners));
        for one in unmet {
            search.reach(one.task, one.state, facts.task);
        }
        while let Some(level) = search.next_level() {
            let unmet = self.unmet_dependencies(&level).await?;
            for (task, state) in level {
                match unmet.get(&task) {
                    Some(waited_for) => {
                        for (next, state) in waited_for {
                            search.reach(*next, *state, task);
                        }
                    }
                    None => search.ends_at(task, state),
                }
            }
        }
        let Some(task) = search.found() else {
            return Ok(None);
        };
        let through = search.way(facts.task, task);
        let cause = Box::pin(self.facts(task)).await?;
        Ok(cause.map(|facts| Box::new(CauseFacts { facts, through })))
    }

    /// Returns which dependencies these tasks still wait for; tasks that wait for none are left out.
    async fn unmet_dependencies(
        &self,
        tasks: &[(TaskId, State)],
    ) -> Result<BTreeMap<TaskId, BTreeMap<TaskId, State>>, StoreError> {
        let ids: Vec<Uuid> = tasks.iter().map(|(task, _)| task.0).collect();
        let rows = statements::find_waited_for()
            .bind(self.transaction, &ids, &self.ns)
            .all()
            .await
            .map_err(failed)?;
        let mut unmet: BTreeMap<TaskId, BTreeMap<TaskId, State>> = BTreeMap::new();
        for row in rows {
            let (task, next) = (TaskId(row.task), TaskId(row.depends_on));
            let corrupt = |what: &str| StoreError::Corrupt(format!("{task}: {what}"));
            let rule = OnDependencyFailure::from_code(row.on_dependency_failure)
                .ok_or_else(|| corrupt("its rule for failed dependencies"))?;
            let state =
                State::from_code(row.state).ok_or_else(|| corrupt("the state of a dependency"))?;
            if !rule.goes_on(state, row.freed_runners) {
                unmet.entry(task).or_default().insert(next, state);
            }
        }
        Ok(unmet)
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
            .gate_decisions
            .wanted(&candidate, names.iter().copied(), facts.now);
        let is_ready = facts.state == State::Ready;
        let effective = rank::effective(rank, facts.asks.boost.offset(facts.now));
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
        facts.gate_decisions.learn(gates, held);
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
        let agents = rows.into_iter().map(|row| {
            Ok(AgentFacts {
                status: read_status(&row.agent, &row.status)?,
                offer: Offer {
                    agent: row.agent,
                    agent_type: row.r#type,
                    capabilities: row.capabilities,
                    models: row.models,
                    task_types: row.task_types,
                },
                slots: row.slots,
                leases: 0,
                is_silent: row.silent_since.is_some(),
                seen_at: row.seen_at,
                is_by_hand: row.is_by_hand,
            })
        });
        agents.collect()
    }

    /// The lanes that have ready tasks.
    async fn lanes(&self) -> Result<Lanes, StoreError> {
        let ready = lanes::find_ready_lanes()
            .bind(self.transaction, &self.ns)
            .all()
            .await
            .map_err(failed)?;
        let ready: BTreeSet<LaneId> = ready.into_iter().map(LaneId).collect();
        self.learn_lanes(&ready).await?;
        let known = self.store.lanes.of(self.ns);
        let known = known.iter().filter(|(id, _)| ready.contains(id));
        Ok(Arc::new(
            known.map(|(id, lane)| (*id, lane.clone())).collect(),
        ))
    }

    /// Reads those of the lanes that are not known. One whose row is gone stays unknown.
    async fn learn_lanes(&self, wanted: &BTreeSet<LaneId>) -> Result<(), StoreError> {
        let known = self.store.lanes.of(self.ns);
        let unknown = wanted.iter().filter(|lane| !known.contains_key(lane));
        let unknown: Vec<i64> = unknown.map(|lane| lane.0).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let rows = lanes::find_lanes()
            .bind(self.transaction, &unknown, &self.ns)
            .all()
            .await
            .map_err(failed)?;
        let read = |row: lanes::FindLanes| Ok((LaneId(row.lane), read_lane(row.lane, row.asks)?));
        let new: BTreeMap<LaneId, Lane> = rows
            .into_iter()
            .map(read)
            .collect::<Result<_, StoreError>>()?;
        self.store.lanes.learn(self.ns, new);
        Ok(())
    }

    /// What a task asks of an agent, with its type and profile, where its lane does not say them.
    async fn asks(&self, task: TaskId, lane: LaneId, policy: &Policy) -> Result<Lane, StoreError> {
        self.learn_lanes(&BTreeSet::from([lane])).await?;
        let asks = match self.store.lanes.of(self.ns).get(&lane) {
            Some(asks) => asks.clone(),
            None => self.asks_of_its_spec(task, lane, policy).await?,
        };
        Ok(Lane {
            task_type: Some(policy.admission.task_type.clone()),
            profile: Some(policy.profile),
            ..asks
        })
    }

    async fn asks_of_its_spec(
        &self,
        task: TaskId,
        lane: LaneId,
        policy: &Policy,
    ) -> Result<Lane, StoreError> {
        let corrupt = |what: String| StoreError::Corrupt(format!("{task}: {what}"));
        let spec = find_specs()
            .bind(self.transaction, &&[task.0][..], &self.ns)
            .one()
            .await
            .map_err(failed)?;
        let asked = NewTask::deserialize(&spec.body).map_err(|error| corrupt(error.to_string()))?;
        let found = asked.lane_with_id(policy.boost, lane);
        found.ok_or_else(|| corrupt(format!("lane {}", lane.0)))
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
        let bounds = aged.iter().map(|aged| rank::rank_at(effective, *aged));
        let bounds: Vec<i64> = bounds.collect();
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
    let active: Vec<&&AgentFacts> = could.iter().filter(|agent| agent.is_live()).collect();
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

/// A chain of dependencies is followed this far.
const LONGEST_CHAIN: usize = 1_000;

/// The search for a cause ends when it has reached this many tasks.
const MOST_REACHED: usize = 10_000;

/// The search for the task that a chain of dependencies waits for in the end. It goes over all branches,
/// level by level, and ends at the first level with a task that needs a person.
#[derive(Default)]
struct Search {
    /// From each task that was reached to the one that waits for it.
    waits: BTreeMap<TaskId, TaskId>,
    /// Tasks of the next level, which may wait for others themselves.
    next: Vec<(TaskId, State)>,
    levels: usize,
    /// The most hopeless end so far; of equal ones the nearest.
    end: Option<(u8, TaskId)>,
}

impl Search {
    fn reach(&mut self, task: TaskId, state: State, waits: TaskId) {
        if self.waits.contains_key(&task) {
            return;
        }
        self.waits.insert(task, waits);
        match state {
            State::Pending | State::Created => self.next.push((task, state)),
            _ => self.ends_at(task, state),
        }
    }

    fn ends_at(&mut self, task: TaskId, state: State) {
        let hopelessness = hopelessness(state);
        if self.end.is_none_or(|(least, _)| hopelessness < least) {
            self.end = Some((hopelessness, task));
        }
    }

    /// Takes the tasks whose dependencies are to be read; `None` ends the search.
    fn next_level(&mut self) -> Option<Vec<(TaskId, State)>> {
        let needs_a_person = self.end.is_some_and(|(least, _)| least <= NEEDS_A_PERSON);
        let is_too_far = self.levels >= LONGEST_CHAIN || self.waits.len() >= MOST_REACHED;
        if self.next.is_empty() || needs_a_person || is_too_far {
            return None;
        }
        self.levels += 1;
        Some(std::mem::take(&mut self.next))
    }

    /// Returns the cause: a task at the end of a chain, or where the search has ended.
    fn found(&self) -> Option<TaskId> {
        let end = self.end.map(|(_, task)| task);
        end.or_else(|| self.next.first().map(|(task, _)| *task))
    }

    /// Returns the tasks between the one that waits and the cause.
    fn way(&self, from: TaskId, cause: TaskId) -> Vec<TaskId> {
        let step = |task: &TaskId| self.waits.get(task).copied();
        let way = std::iter::successors(step(&cause), step);
        let mut way: Vec<TaskId> = way.take_while(|task| *task != from).collect();
        way.reverse();
        way
    }
}

/// Of several tasks that are waited for, the one with the least number is the cause: it does not
/// move by itself.
fn hopelessness(state: State) -> u8 {
    match state {
        State::DeadLettered | State::Stale | State::Cancelled => 0,
        State::Blocked => NEEDS_A_PERSON,
        State::Pending | State::Created => 2,
        State::Retrying => 3,
        State::Ready => 4,
        State::Claimed | State::Running | State::Validating | State::Completed => 5,
    }
}

/// Up to this number a task does not move before a person decides.
const NEEDS_A_PERSON: u8 = 1;

fn urgency(policy: &Policy, submitted: Timestamp, critical_path: i16) -> Urgency {
    let admission = &policy.admission;
    let estimate = admission.estimate_ms.map(SignedDuration::from_millis);
    Urgency {
        base: admission.priority,
        boost: policy.boost,
        submitted,
        critical_path: policy.points_of_chain(u8::try_from(critical_path).unwrap_or(0)),
        deadline: admission.deadline,
        estimate: estimate.unwrap_or(DEFAULT_ESTIMATE),
    }
}
