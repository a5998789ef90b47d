//! What a claim would return, without claiming: what is ready is looked at in the order of a claim,
//! page by page, until there is enough or nothing is left.

use std::collections::BTreeSet;

use futures_util::try_join;
use jiff::Timestamp;
use tokio_postgres::IsolationLevel;
use uuid::Uuid;
use workmill_core::admission::Candidate;
use workmill_core::agent::AgentStatus;
use workmill_core::explain::AgentFacts;
use workmill_core::explain::dry_run::{DryRun, Refusal, WouldClaim};
use workmill_core::explain::workers;
use workmill_core::gate::{Gate, Paused};
use workmill_core::ids::{GraphId, Namespace, TaskId};
use workmill_core::lane::{LaneId, Selection, has_another};
use workmill_core::money::Micros;
use workmill_core::policy::Policy;
use workmill_core::rank::{effective, rank_at};
use workmill_queries::client::Params;
use workmill_queries::queries::look::explain as statements;

use super::{Look, failed, seen};
use crate::column::column;
use crate::connect::Store;
use crate::error::StoreError;

/// What is looked at in one page.
const MOST_AT_ONCE: usize = 1_000;

/// Where gates stop more than this, the look ends; a claim goes on, a stretch at a time.
const MOST_LOOKED_AT: usize = 5_000;

impl Store {
    /// What a claim of this agent for so many tasks would return at this moment. Nothing is locked
    /// and nothing changes.
    pub async fn find_would_claim(
        &self,
        ns: Namespace,
        agent: &str,
        selection: &Selection,
        most: usize,
    ) -> Result<WouldClaim, StoreError> {
        let mut client = self.client(super::DOING).await?;
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
        look.would_claim(agent, selection, most).await
    }
}

/// A ready task, as it is ranked, with what gates need to know.
struct Ranked {
    effective: i64,
    task: TaskId,
    graph: GraphId,
    lane: LaneId,
    spent: Micros,
    created_by: String,
    policy: Policy,
    usual: Option<Micros>,
}

impl Ranked {
    fn candidate(&self) -> Candidate<'_> {
        Candidate {
            task: self.task,
            graph: self.graph,
            lane: self.lane,
            spent: self.spent,
            created_by: &self.created_by,
            admission: &self.policy.admission,
            usual: self.usual,
        }
    }
}

impl Look<'_> {
    async fn would_claim(
        &self,
        name: &str,
        selection: &Selection,
        most: usize,
    ) -> Result<WouldClaim, StoreError> {
        let pause = Gate::Pause(Paused::Agent(name.to_owned()));
        let pauses = BTreeSet::from([pause]);
        let (agents, known, now, each_day, pauses) = try_join!(
            self.agents(),
            self.lanes(),
            self.now(),
            self.each_day(),
            self.gates(&pauses),
        )?;
        let refused = |refusal| WouldClaim {
            refusal: Some(refusal),
            ..WouldClaim::default()
        };
        let workers = workers(&agents);
        let mut agents = agents.into_iter();
        let Some(agent) = agents.find(|agent| agent.offer.agent == name) else {
            return Ok(refused(Refusal::UnknownAgent));
        };
        if agent.status != AgentStatus::Active {
            return Ok(refused(Refusal::NotActive));
        }
        if !pauses.is_empty() {
            return Ok(refused(Refusal::Paused));
        }
        let taken = self.leases(&[&agent]).await?;
        let taken = taken.get(name).copied().unwrap_or(0);
        let free = usize::try_from(agent.slots - taken).unwrap_or(0);
        if free == 0 {
            return Ok(refused(Refusal::NoFreeSlot));
        }
        let lanes: Vec<(LaneId, i64)> = known
            .iter()
            .filter(|(_, lane)| lane.matches(&agent.offer) && selection.admits_lane(lane))
            .map(|(id, lane)| (*id, lane.boost.offset(now)))
            .collect();
        let mut run = DryRun {
            agent: name,
            wanted: most.min(free),
            gate_decisions: seen::gate_decisions(each_day, now)?,
            now,
            would: WouldClaim::default(),
        };
        self.share_out(&mut run, &agent, selection, &lanes, false)
            .await?;
        // As in a claim: tasks that it failed are the last, if no other live agent could run them.
        let lone: Vec<(LaneId, i64)> = lanes
            .into_iter()
            .filter(|(id, _)| !has_another(&known[id], name, &workers))
            .collect();
        self.share_out(&mut run, &agent, selection, &lone, true)
            .await?;
        Ok(run.would)
    }

    async fn share_out(
        &self,
        run: &mut DryRun<'_>,
        agent: &AgentFacts,
        selection: &Selection,
        lanes: &[(LaneId, i64)],
        is_kept_from: bool,
    ) -> Result<(), StoreError> {
        let mut after = None;
        let mut looked_at = 0;
        let mut learned: BTreeSet<Gate> = BTreeSet::new();
        while !run.is_done() {
            // Where many are stopped, many more are likely to be.
            let missing = run.wanted - run.would.tasks.len();
            let page = missing.max(2 * run.would.stopped.len()).min(MOST_AT_ONCE);
            let found = self
                .page(
                    &agent.offer.agent,
                    lanes,
                    is_kept_from,
                    after,
                    page,
                    run.now,
                )
                .await?;
            self.learn(run, &found, &mut learned).await?;
            for ranked in &found {
                if run.is_done() {
                    break;
                }
                let task_type = ranked.policy.admission.task_type.as_str();
                let is_wanted = selection.admits(task_type, ranked.policy.profile);
                if is_wanted && agent.offer.takes_type(task_type) {
                    run.offer(&ranked.candidate());
                }
            }
            looked_at += found.len();
            after = found.last().map(|last| (last.effective, last.task));
            if found.len() < page {
                break;
            }
            if looked_at >= MOST_LOOKED_AT {
                run.would.is_cut_off = !run.is_done();
                break;
            }
        }
        Ok(())
    }

    /// Reads the gates and locks that these have to do with, each once: what was taken from them in
    /// this run stays taken.
    async fn learn(
        &self,
        run: &mut DryRun<'_>,
        found: &[Ranked],
        learned: &mut BTreeSet<Gate>,
    ) -> Result<(), StoreError> {
        let mut wanted = BTreeSet::new();
        for ranked in found {
            let candidate = ranked.candidate();
            wanted.extend(run.gate_decisions.wanted(&candidate, [run.agent], run.now));
        }
        wanted.retain(|gate| !learned.contains(gate));
        let roots: Vec<&str> = wanted
            .iter()
            .filter_map(|gate| match gate {
                Gate::Locks(root) => Some(root.as_str()),
                Gate::Pause(_) | Gate::Limit(_) | Gate::Budget(_) => None,
            })
            .collect();
        let (gates, held) = try_join!(self.gates(&wanted), self.held_locks(&roots))?;
        run.gate_decisions.learn(gates, held);
        learned.extend(wanted);
        Ok(())
    }

    async fn page(
        &self,
        agent: &str,
        lanes: &[(LaneId, i64)],
        is_kept_from: bool,
        after: Option<(i64, TaskId)>,
        wanted: usize,
        now: Timestamp,
    ) -> Result<Vec<Ranked>, StoreError> {
        let bound = |aged: i64| after.map_or(i64::MIN, |(effective, _)| rank_at(effective, aged));
        let parameters = statements::FindCandidatesParams {
            ns: self.ns,
            now,
            agent,
            is_kept_from,
            lanes: column(lanes, |(lane, _)| lane.0),
            aged: column(lanes, |(_, aged)| *aged),
            bounds: column(lanes, |(_, aged)| bound(*aged)),
            after: after.map_or(Uuid::nil(), |(_, task)| task.0),
            wanted: i64::try_from(wanted).unwrap_or(i64::MAX),
        };
        let rows = statements::find_candidates()
            .params(self.transaction, &parameters)
            .all()
            .await
            .map_err(failed)?;
        rows.into_iter()
            .map(|row| {
                let task = TaskId(row.task);
                let lane = LaneId(row.lane);
                let aged = lanes.iter().find(|(id, _)| *id == lane);
                let aged = aged.map_or(0, |(_, aged)| *aged);
                let policy: Policy = serde_json::from_value(row.policy)
                    .map_err(|error| StoreError::Corrupt(format!("policy of {task}: {error}")))?;
                let known = self.store.lanes.of(self.ns);
                let models = known.get(&lane).map(|lane| &lane.models[..]);
                let task_type = policy.admission.task_type.as_str();
                let models = models.unwrap_or_default();
                let usual = self.store.usual.cost(self.ns, task_type, models);
                Ok(Ranked {
                    effective: effective(row.rank, aged),
                    task,
                    graph: GraphId(row.graph),
                    lane,
                    spent: Micros(row.spent_micros),
                    created_by: row.created_by,
                    policy,
                    usual,
                })
            })
            .collect()
    }
}
