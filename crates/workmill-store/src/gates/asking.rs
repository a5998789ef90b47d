//! What candidates ask of gates, and whether they are still where they were picked.

use std::collections::BTreeSet;

use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::admission::Ask;
use workmill_core::gate::{Gate, Purse};
use workmill_core::ids::TaskId;
use workmill_queries::queries::gates::gates as statements;

use super::admit::Candidate;
use super::waiters::Below;
use crate::error::StoreError;
use crate::operation::Work;

/// What candidates ask for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(super) gates: BTreeSet<Gate>,
    pub(super) locks: BTreeSet<Below>,
    /// A gate that is not asked now may have stopped one of them a moment ago.
    pub(super) may_be_elsewhere: bool,
}

impl Wanted {
    pub(super) fn len(&self) -> usize {
        self.gates.len() + self.locks.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

pub(super) fn find_wanted(
    work: &Work<'_>,
    candidates: &[Candidate<'_>],
    agents: &BTreeSet<&str>,
    now: Timestamp,
) -> Wanted {
    let known = work.gates();
    let mut wanted = Wanted::default();
    for candidate in candidates {
        for lock in &candidate.admission.locks {
            wanted.gates.insert(Gate::Locks(lock.root().to_owned()));
            wanted.locks.extend(Below::against(lock));
        }
        if known.is_empty() {
            continue;
        }
        // A deadline that comes near makes it another class.
        wanted.may_be_elsewhere |= candidate.admission.deadline.is_some();
        let asks = asks_of(work, candidate, "", now);
        wanted.gates.extend(asks.into_iter().map(|ask| ask.gate));
    }
    // Who takes a task decides about the gates of agents, whatever the task.
    let of_agents = agents.iter().flat_map(|agent| Gate::of_agent(agent));
    wanted
        .gates
        .extend(of_agents.filter(|gate| known.contains(gate)));
    let is_day = |gate: &Gate| matches!(gate, Gate::Budget(Purse::Day(_)));
    if wanted.gates.iter().any(is_day) {
        wanted.gates.insert(Gate::Budget(Purse::EachDay));
    }
    wanted
}

/// Those that are still in their lanes; the lock is held.
pub(super) async fn find_still_ready(
    work: &Work<'_>,
    candidates: &[Candidate<'_>],
) -> Result<BTreeSet<TaskId>, StoreError> {
    let lanes: Vec<i64> = candidates.iter().map(|one| one.lane.0).collect();
    let ranks: Vec<i64> = candidates.iter().map(|one| one.rank).collect();
    let tasks: Vec<Uuid> = candidates.iter().map(|one| one.task.0).collect();
    let found = statements::find_still_ready()
        .bind(work.transaction, &lanes, &ranks, &tasks, &work.ns)
        .all()
        .await?;
    Ok(found.into_iter().map(TaskId).collect())
}

/// Returns what a task asks of the pauses, limits and budgets that are set, with an agent.
pub(super) fn asks_of(
    work: &Work<'_>,
    candidate: &Candidate<'_>,
    agent: &str,
    now: Timestamp,
) -> Vec<Ask> {
    let known = work.gates();
    let mut asks = all_asks_of(work, candidate, agent, now);
    asks.retain(|ask| known.contains(&ask.gate));
    asks
}

/// Returns what a task asks of every pause, limit and budget that could stop it with an agent.
pub(super) fn all_asks_of(
    work: &Work<'_>,
    candidate: &Candidate<'_>,
    agent: &str,
    now: Timestamp,
) -> Vec<Ask> {
    let lanes = work.lanes();
    let models = lanes.get(candidate.lane).map(|lane| &lane.models[..]);
    let task_type = &candidate.admission.task_type;
    let usual = work.usual_cost(task_type, models.unwrap_or_default());
    let candidate = candidate.at_gates(usual);
    candidate.asks(agent, work.gates().day(now), now)
}
