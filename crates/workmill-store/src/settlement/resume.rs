//! A late sign of life: the agent was silent, its lease was lost, nobody else has claimed the
//! task since, so it takes its lease up again and nothing is lost.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use postgres_types::Json;
use serde_json::json;
use uuid::Uuid;
use workmill_core::ids::{LeaseId, Namespace};
use workmill_core::lifecycle::Trigger;
use workmill_core::money::Micros;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::claim;
use workmill_queries::queries::execution::attempt;

use super::history;
use super::late::may_take_up_again;
use super::{Ledger, Refusal, finish, spent};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::execution::Alive;
use crate::gates::{Candidate, Decision, Door};
use crate::held::Held;
use crate::operation::{Operation, Work};

#[derive(Debug)]
pub struct ResumeLease {
    pub ns: Namespace,
    pub key: Uuid,
    /// The agent that held it, as the caller says; checked against the attempt.
    pub lease: LeaseId,
}

impl Operation for ResumeLease {
    type Answer = Result<Alive, Refusal>;
    const DOING: &'static str = "take a lease up again";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let (task, epoch) = (self.lease.task, self.lease.epoch);
        // The agent comes before the task in the order of locks; an attempt never changes.
        let past = history::read_tasks(work, &[task.0]).await?;
        let attempts = past.of_epoch(task, epoch);
        let Some(last) = attempts.last() else {
            return Ok(Err(Refusal::LeaseLost));
        };
        if last.key != Some(self.key) {
            return Ok(Err(Refusal::NotTheHolder));
        }
        if !has_a_slot(work, &last.agent).await? {
            return Ok(Err(Refusal::LeaseLost));
        }
        let mut held = Held::lock(work, [task]).await?;
        let now = work.now().await?;
        let past = history::read_tasks(work, &[task.0]).await?;
        let Some(last) = past.of_epoch(task, epoch).pop() else {
            return Ok(Err(Refusal::LeaseLost));
        };
        let Some(row) = held.tasks.get_mut(&task) else {
            return Ok(Err(Refusal::LeaseLost));
        };
        if held.leases.contains_key(&self.lease) || !may_take_up_again(row, epoch, last) {
            return Ok(Err(Refusal::LeaseLost));
        }
        if row.follow(Trigger::ResumeLease).is_err() {
            return Ok(Err(Refusal::LeaseLost));
        }
        let (_, policy) = past.policy(task)?;
        work.know_gates().await?;
        let mut door = Door::default();
        let candidate = Candidate {
            task,
            epoch,
            graph: row.graph,
            lane: row.lane,
            rank: row.rank,
            spent: Micros(row.spent_micros),
            created_by: past.created_by(task),
            admission: &policy.admission,
        };
        let agents = BTreeSet::from([last.agent.as_str()]);
        door.look_up(work, &[candidate], &agents, false, now)
            .await?;
        let Decision::Passed { has_holds } = door.decide(work, &candidate, &last.agent, now) else {
            // What it has given back is taken.
            work.abandon();
            return Ok(Err(Refusal::LeaseLost));
        };
        row.due = None;
        row.crashes = (row.crashes - 1).max(0);
        let graph = row.graph;
        let lease_ms = last.lease_ms.unwrap_or(policy.lease_ms);
        let max_duration_ms = policy.duration_after(past.timeouts(task));
        let parameters = claim::InsertLeasesParams {
            ns: work.ns,
            now,
            tasks: vec![task.0],
            epochs: vec![epoch],
            resumed: vec![last.resumed + 1],
            task_types: vec![policy.admission.task_type.as_str()],
            agents: vec![last.agent.as_str()],
            agent_types: vec![last.agent_type.as_deref()],
            requests: vec![None::<Uuid>],
            started_ats: vec![last.started_at.or(Some(now))],
            ttls: vec![lease_ms],
            lease_mss: vec![lease_ms],
            max_durations: vec![max_duration_ms],
            have_holds: vec![has_holds],
            spawned: vec![last.spawned],
        };
        let inserted = claim::insert_leases()
            .params(work.transaction, &parameters)
            .await;
        inserted.map_err(|error| work.failed(error))?;
        door.tell(work);
        door.write(work).await?;
        go_on_from(work, self.lease, &past).await?;
        let data = json!({"agent": last.agent, "epoch": epoch});
        let ledger = Ledger {
            events: vec![Event::of_task(EventType::TaskResumed, graph, task, data)],
            ..Ledger::default()
        };
        finish(work, held, ledger).await?;
        Ok(Ok(Alive {
            lease: self.lease,
            expires_in_ms: lease_ms,
            stop: None,
            pause: None,
        }))
    }
}

/// The agent goes on reporting what it has used since the claim, of which a part is posted.
async fn go_on_from(
    work: &Work<'_>,
    lease: LeaseId,
    past: &history::History,
) -> Result<(), StoreError> {
    let (known, posted) = past.spent_in_epoch(lease.task, lease.epoch)?;
    let Some(usage) = spent::stored(&known) else {
        return Ok(());
    };
    let parameters = attempt::UpdatePostedParams {
        posted_micros: posted.0,
        usage: Json(usage),
        ns: work.ns,
        task: lease.task.0,
        epoch: lease.epoch,
    };
    let updated = attempt::update_posted()
        .params(work.transaction, &parameters)
        .await;
    updated.map_err(|error| work.failed(error))?;
    Ok(())
}

async fn has_a_slot(work: &mut Work<'_>, agent: &str) -> Result<bool, StoreError> {
    let agents = [agent];
    let rows = claim::lock_agents()
        .bind(work.transaction, &&agents[..], &work.ns)
        .all()
        .await;
    let rows = rows.map_err(|error| work.failed(error))?;
    let (since, requests) = ([Timestamp::UNIX_EPOCH], Vec::new());
    let leases = claim::count_leases()
        .bind(
            work.transaction,
            &requests,
            &work.ns,
            &&agents[..],
            &&since[..],
        )
        .all()
        .await;
    let leases: BTreeMap<String, i32> = leases
        .map_err(|error| work.failed(error))?
        .into_iter()
        .map(|row| (row.agent, row.leases))
        .collect();
    Ok(rows
        .first()
        .is_some_and(|row| leases.get(agent).copied().unwrap_or(0) < row.slots))
}
