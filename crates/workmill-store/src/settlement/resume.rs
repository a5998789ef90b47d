//! A late heartbeat: the agent was silent and lost its lease, and no agent has claimed the task since.
//! The agent gets its lease back, so no work is lost.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use postgres_types::Json;
use serde_json::json;
use uuid::Uuid;
use workmill_core::ids::{LeaseId, Namespace};
use workmill_core::lifecycle::Trigger;
use workmill_core::money::Micros;
use workmill_core::policy::Policy;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::claim;
use workmill_queries::queries::execution::attempt;
use workmill_queries::queries::task::locked_rows::FindAttempts;

use super::history::{self, History};
use super::late::may_take_up_again;
use super::{Ledger, Refusal, finish, spent};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::execution::Alive;
use crate::gates::{Candidate, Decision, GateDecisions};
use crate::locked_rows::{LockedRows, TaskRow};
use crate::operation::{Operation, Work};

#[derive(Debug)]
pub struct ResumeLease {
    pub ns: Namespace,
    /// The caller's key, which must be that of the attempt.
    pub key: Uuid,
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
        // The lock order has the agent before the task, so its name is read first; an attempt never
        // changes.
        let past = history::read_tasks(work, &[task.0]).await?;
        let Some(last) = past.of_epoch(task, epoch).pop() else {
            return Ok(Err(Refusal::LeaseLost));
        };
        if last.key != Some(self.key) {
            return Ok(Err(Refusal::NotTheHolder));
        }
        if !has_a_slot(work, &last.agent).await? {
            return Ok(Err(Refusal::LeaseLost));
        }
        let mut held = LockedRows::lock(work, [task]).await?;
        let past = history::read_tasks(work, &[task.0]).await?;
        let Some(last) = past.of_epoch(task, epoch).pop() else {
            return Ok(Err(Refusal::LeaseLost));
        };
        if !take_up(&mut held, self.lease, last) {
            return Ok(Err(Refusal::LeaseLost));
        }
        let Some(row) = held.tasks.get(&task) else {
            return Ok(Err(Refusal::LeaseLost));
        };
        let attempt = Resumed {
            lease: self.lease,
            last,
            past: &past,
            policy: &past.policy(task)?.1,
        };
        let mut gate_decisions = GateDecisions::default();
        let Some(has_holds) = attempt.pass_gates(work, &mut gate_decisions, row).await? else {
            // Another task has taken what the attempt had given back.
            work.abandon();
            return Ok(Err(Refusal::LeaseLost));
        };
        attempt.insert_lease(work, has_holds).await?;
        gate_decisions.tell(work);
        gate_decisions.write(work).await?;
        go_on_from(work, self.lease, &past).await?;
        let data = json!({"agent": last.agent, "epoch": epoch});
        let event = Event::of_task(EventType::TaskResumed, row.graph, task, data);
        let ledger = Ledger {
            events: vec![event],
            ..Ledger::default()
        };
        finish(work, held, ledger).await?;
        Ok(Ok(Alive {
            lease: self.lease,
            expires_in_ms: attempt.lease_ms(),
            stop: None,
            pause: None,
        }))
    }
}

/// Changes the row of the task as the resumption does. Returns false if the attempt must not be resumed.
fn take_up(held: &mut LockedRows, lease: LeaseId, last: &FindAttempts) -> bool {
    let has_lease = held.leases.contains_key(&lease);
    let Some(row) = held.tasks.get_mut(&lease.task) else {
        return false;
    };
    if has_lease || !may_take_up_again(row, lease.epoch, last) {
        return false;
    }
    if row.follow(Trigger::ResumeLease).is_err() {
        return false;
    }
    row.due = None;
    row.crashes = (row.crashes - 1).max(0);
    true
}

/// An attempt that its agent resumes.
struct Resumed<'a> {
    lease: LeaseId,
    /// How the attempt ended last.
    last: &'a FindAttempts,
    past: &'a History,
    policy: &'a Policy,
}

impl Resumed<'_> {
    /// Passes the gates of the task as a claim does. Returns whether the lease has holds; none if a
    /// gate is closed.
    async fn pass_gates(
        &self,
        work: &mut Work<'_>,
        gate_decisions: &mut GateDecisions,
        row: &TaskRow,
    ) -> Result<Option<bool>, StoreError> {
        let now = work.now().await?;
        work.know_gates().await?;
        let candidate = Candidate {
            task: self.lease.task,
            epoch: self.lease.epoch,
            graph: row.graph,
            lane: row.lane,
            rank: row.rank,
            spent: Micros(row.spent_micros),
            created_by: self.past.created_by(self.lease.task),
            admission: &self.policy.admission,
        };
        let agent = self.last.agent.as_str();
        let agents = BTreeSet::from([agent]);
        gate_decisions
            .look_up(work, &[candidate], &agents, false, now)
            .await?;
        Ok(match gate_decisions.decide(work, &candidate, agent, now) {
            Decision::Passed { has_holds } => Some(has_holds),
            Decision::Stopped(_) | Decision::NotThisAgent => None,
        })
    }

    fn lease_ms(&self) -> i64 {
        self.last.lease_ms.unwrap_or(self.policy.lease_ms)
    }

    /// Inserts the lease again, with the epoch that it had.
    async fn insert_lease(&self, work: &Work<'_>, has_holds: bool) -> Result<(), StoreError> {
        let (last, now, lease_ms) = (self.last, work.now().await?, self.lease_ms());
        let timeouts = self.past.timeouts(self.lease.task);
        let parameters = claim::InsertLeasesParams {
            ns: work.ns,
            now,
            tasks: vec![self.lease.task.0],
            epochs: vec![self.lease.epoch],
            resumed: vec![last.resumed + 1],
            task_types: vec![self.policy.admission.task_type.as_str()],
            agents: vec![last.agent.as_str()],
            agent_types: vec![last.agent_type.as_deref()],
            requests: vec![None::<Uuid>],
            started_ats: vec![last.started_at.or(Some(now))],
            ttls: vec![lease_ms],
            lease_mss: vec![lease_ms],
            max_durations: vec![self.policy.duration_after(timeouts)],
            have_holds: vec![has_holds],
            spawned: vec![last.spawned],
        };
        claim::insert_leases()
            .params(work.transaction, &parameters)
            .await?;
        Ok(())
    }
}

/// Writes the usage that is known of the attempt into its lease: the agent continues to report its usage
/// since the claim, a part of which is posted.
async fn go_on_from(work: &Work<'_>, lease: LeaseId, past: &History) -> Result<(), StoreError> {
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
    attempt::update_posted()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}

/// Locks the row of the agent. Returns whether the agent has a free slot.
async fn has_a_slot(work: &mut Work<'_>, agent: &str) -> Result<bool, StoreError> {
    let agents = [agent];
    let rows = claim::lock_agents()
        .bind(work.transaction, &&agents[..], &work.ns)
        .all()
        .await?;
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
    let leases: BTreeMap<String, i32> = leases?
        .into_iter()
        .map(|row| (row.agent, row.leases))
        .collect();
    Ok(rows
        .first()
        .is_some_and(|row| leases.get(agent).copied().unwrap_or(0) < row.slots))
}
