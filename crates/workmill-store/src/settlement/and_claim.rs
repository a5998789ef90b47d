//! Settlements that claim the next tasks in the same transaction: one commit and one call instead of two.
//!
//! The settlements are written as any other ones, then the agents of their leases claim as in any other
//! claim. So a slot that a settlement frees, a dependent that it makes ready and a task that it lets
//! through a gate can be handed out at once. A settlement that is refused claims nothing.
//!
//! The agents are locked first, as the order of locks demands. Which agents those are is read before any
//! lock: the agent of a lease never changes. Their leases are counted under their locks, before the
//! settlements end some of them; the count is corrected by those.
//!
//! Repeating the call returns what it returned before: the settlement is idempotent, and the claim has a
//! request id, which is derived from the lease if the request has none.

use std::collections::BTreeMap;

use uuid::Uuid;
use workmill_core::ids::{LeaseId, Namespace, TaskId};
use workmill_core::lane::Selection;
use workmill_queries::queries::settlement::settle as statements;

use super::{Consequences, Refusal, Settled, Settlement, Settler, settle};
use crate::dispatch::claim::{Agents, ClaimAnswer, ClaimRequest, hand_out};
use crate::error::StoreError;
use crate::operation::{Operation, Work};

/// What the agent of a settled lease claims next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextClaim {
    /// At most this many; never more than the agent has slots free.
    pub most: i32,
    /// Claim and start in one step.
    pub start: bool,
    /// A repeated call with the same id returns the same leases. Without an id, the settled lease
    /// stands for it.
    pub request: Option<Uuid>,
    pub lease_ms: Option<i64>,
    pub selection: Selection,
}

#[derive(Debug, Clone)]
pub struct SettleRequest {
    pub settlement: Settlement,
    /// Only the settlement of an agent can have one.
    pub next: Option<NextClaim>,
}

#[derive(Debug)]
pub struct SettleAndClaim<'a> {
    pub ns: Namespace,
    /// At most one for each task.
    pub requests: &'a [SettleRequest],
}

/// What a request gets.
#[derive(Debug)]
pub struct SettledAndClaimed {
    pub settled: Result<Settled, Refusal>,
    /// `None` if nothing was to be claimed, or if the settlement was refused.
    pub claims: Option<NextClaims>,
}

/// What the agent of a settled lease gets next.
#[derive(Debug)]
pub struct NextClaims {
    pub agent: String,
    pub answer: ClaimAnswer,
}

impl Operation for SettleAndClaim<'_> {
    type Answer = Vec<SettledAndClaimed>;
    const DOING: &'static str = "settle attempts and claim tasks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let wanted = claims_of(work, self.requests).await?;
        let agents = lock_agents(work, &wanted).await?;
        let settlements: Vec<&Settlement> =
            self.requests.iter().map(|one| &one.settlement).collect();
        let (settled, consequences) = settle(work, &settlements).await?;
        let (places, requests) = accepted(wanted, &settled);
        let mut answers: Vec<SettledAndClaimed> = settled.into_iter().map(only_settled).collect();
        let Some(agents) = agents.filter(|_| !requests.is_empty()) else {
            consequences.commit(work).await?;
            return Ok(answers);
        };
        let claimed = claim(work, agents, &consequences, &requests).await?;
        let claimed = requests.into_iter().zip(claimed);
        for (place, (ClaimRequest { agent, .. }, answer)) in places.into_iter().zip(claimed) {
            answers[place].claims = Some(NextClaims { agent, answer });
        }
        Ok(answers)
    }
}

fn only_settled(settled: Result<Settled, Refusal>) -> SettledAndClaimed {
    SettledAndClaimed {
        settled,
        claims: None,
    }
}

/// The claim of each request that has one and whose lease is known.
async fn claims_of(
    work: &Work<'_>,
    requests: &[SettleRequest],
) -> Result<Vec<Option<ClaimRequest>>, StoreError> {
    let leases = requests.iter().filter(|one| one.next.is_some());
    let leases = leases.map(|one| one.settlement.lease);
    let agent_of = find_agents(work, leases).await?;
    let claim = |request: &SettleRequest| {
        let next = request.next.as_ref()?;
        let lease = request.settlement.lease;
        let Settler::Key(key) = request.settlement.settler else {
            return None;
        };
        Some(ClaimRequest {
            key,
            agent: agent_of.get(&lease)?.clone(),
            most: next.most,
            start: next.start,
            request: Some(next.request.unwrap_or_else(|| request_id(lease))),
            lease_ms: next.lease_ms,
            selection: next.selection.clone(),
        })
    };
    Ok(requests.iter().map(claim).collect())
}

async fn find_agents(
    work: &Work<'_>,
    leases: impl Iterator<Item = LeaseId>,
) -> Result<BTreeMap<LeaseId, String>, StoreError> {
    let (tasks, epochs): (Vec<Uuid>, Vec<i32>) =
        leases.map(|lease| (lease.task.0, lease.epoch)).unzip();
    if tasks.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows = statements::find_agents_of_leases()
        .bind(work.transaction, &tasks, &epochs, &work.ns)
        .all()
        .await?;
    let lease = |task, epoch| LeaseId {
        task: TaskId(task),
        epoch,
    };
    let rows = rows.into_iter();
    Ok(rows
        .map(|row| (lease(row.task, row.epoch), row.agent))
        .collect())
}

/// The request id of a claim that has none of its own: the lease, which is never settled for another
/// attempt. The epoch goes into the time of the task's id, because ids of one millisecond may differ in
/// their last bits only.
fn request_id(lease: LeaseId) -> Uuid {
    let epoch = u128::from(lease.epoch.unsigned_abs());
    Uuid::from_u128(lease.task.0.as_u128() ^ (epoch << 96))
}

/// Locks the agents that claim, if there are any.
async fn lock_agents(
    work: &mut Work<'_>,
    wanted: &[Option<ClaimRequest>],
) -> Result<Option<Agents>, StoreError> {
    let requests: Vec<ClaimRequest> = wanted.iter().flatten().cloned().collect();
    if requests.is_empty() {
        return Ok(None);
    }
    let agents = Agents::lock(work, &requests).await?;
    // The settlements are dated after their own locks.
    work.forget_moment();
    work.test_point("settle_and_claim.locked").await?;
    Ok(Some(agents))
}

/// The claims of the accepted settlements, with their places.
fn accepted(
    wanted: Vec<Option<ClaimRequest>>,
    settled: &[Result<Settled, Refusal>],
) -> (Vec<usize>, Vec<ClaimRequest>) {
    let wanted = wanted.into_iter().zip(settled).enumerate();
    let accepted = wanted.filter(|(_, (_, settled))| settled.is_ok());
    accepted
        .filter_map(|(place, (request, _))| Some((place, request?)))
        .unzip()
}

/// Writes the settlements, claims and commits.
async fn claim(
    work: &mut Work<'_>,
    mut agents: Agents,
    consequences: &Consequences,
    requests: &[ClaimRequest],
) -> Result<Vec<ClaimAnswer>, StoreError> {
    consequences.write(work).await?;
    agents.end_leases(&consequences.ended);
    work.test_point("settle_and_claim.settled").await?;
    let claimed = hand_out(work, agents, requests).await?;
    let made_ready = consequences.made_ready();
    work.effects.uncount_claimed(made_ready, &claimed);
    Ok(claimed)
}
