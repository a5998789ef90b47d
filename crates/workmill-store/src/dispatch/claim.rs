//! Claiming hands the best-ranked ready tasks to agents, with the context that they need.
//!
//! [`hand_out`] shows the steps; each is a module:
//!
//! 1. `agents` locks the agents' rows and counts their leases, so their free slots are exact;
//! 2. `lanes` matches requests with lanes, and groups requests that match the same lanes;
//! 3. `pick` locks the best-ranked tasks of the lanes with SKIP LOCKED, so no claim waits for another;
//! 4. `admit` lets picked tasks pass their gates and grants them to slots, or moves them to the gate;
//! 5. `context` reads what is handed over with the tasks;
//! 6. `lease` turns grants into claimed tasks with leases;
//! 7. `write` writes everything and commits.
//!
//! `slots` has the two types that connect the steps: a `Slot` is the right of a request to one task, and a
//! `Grant` is a task that goes to a request. `round` has the state of a claim between the steps.

mod admit;
mod agents;
mod claimed;
mod context;
mod lanes;
mod lease;
mod outputs;
mod pick;
mod request;
mod round;
mod slots;
mod spec;
mod write;

use std::collections::BTreeMap;

use workmill_core::ids::Namespace;
use workmill_core::lane::Offer;

use crate::error::StoreError;
use crate::operation::{Operation, Work};
pub(crate) use agents::Agents;
pub use claimed::{Budget, Claimed, DependencyOutput, Reference};
use context::Context;
use lanes::{LaneMatcher, Turn};
use lease::Leased;
pub use request::{ClaimAnswer, ClaimRefusal, ClaimRequest};
use round::Round;
use slots::Slots;

#[derive(Debug)]
pub struct Claim<'a> {
    pub ns: Namespace,
    pub requests: &'a [ClaimRequest],
}

impl Operation for Claim<'_> {
    type Answer = Vec<ClaimAnswer>;
    const DOING: &'static str = "claim tasks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let agents = Agents::lock(work, self.requests).await?;
        work.test_point("claim.locked").await?;
        hand_out(work, agents, self.requests).await
    }
}

/// Hands ready tasks to agents that are locked, and commits.
pub(crate) async fn hand_out(
    work: &mut Work<'_>,
    mut agents: Agents,
    requests: &[ClaimRequest],
) -> Result<Vec<ClaimAnswer>, StoreError> {
    let now = work.now().await?;
    work.know_gates().await?;
    agents.tell_of_returns(work);
    agents.read_budgets(work, now).await?;
    work.refresh_lanes(now).await?;

    let mut slots = Slots::open(&agents, requests, &work.gates());
    let mut round = Round::new(&agents, now);
    round.repeat(work, &mut slots).await?;
    let mut lanes = LaneMatcher::new(&agents, now);
    for turn in Turn::ALL {
        if !slots.is_any_open() || turn != Turn::Together && work.is_planted("lanes not read again")
        {
            break;
        }
        for group in lanes.groups(work, &slots, turn).await? {
            round.serve(work, &mut slots, &group).await?;
        }
    }
    round.read_budgets_of_repeats(work).await?;
    let mut context = Context::read(work, &round.grants).await?;
    let Leased { claimed, leases } = round.lease(work, &mut context, requests);
    round.commit(work, &leases).await?;

    let answers = slots.into_answers(claimed);
    work.effects.offers = empty_handed(&agents, requests, &answers);
    Ok(answers)
}

/// Returns what the agents bring that got nothing: they are woken when a task for them becomes ready.
fn empty_handed(
    agents: &Agents,
    requests: &[ClaimRequest],
    answers: &[ClaimAnswer],
) -> BTreeMap<String, Offer> {
    let asked = requests.iter().zip(answers);
    let empty = asked.filter(|(_, answer)| answer.as_ref().is_ok_and(Vec::is_empty));
    let offers = empty.filter_map(|(request, _)| agents.offer(&request.agent));
    offers.collect()
}
