//! A submission that goes straight to agents that wait for it: taken in and handed out in one
//! transaction, with one commit instead of two.
//!
//! Where nothing stands before it, it is written as taken and never lies in its lane. Otherwise it
//! takes its place there, and those who wait get the best there is, which may be something else.
//! Most often it is one task for one who waits, and nothing is in its way: that is tried first, in a
//! single exchange with the database (see [`at_once`]).

mod at_once;

use std::collections::BTreeSet;

use futures_util::try_join;
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::lifecycle::State;
use workmill_queries::queries::intake::hand_over as statements;

use super::arrival::{Arrival, Entry, Last, TaskDraft};
use super::submit::{Answer, Earlier, Known, Plan, Submission, answer, decide, key_of, write};
use crate::connect::Store;
use crate::dispatch::claim::{Agents, ClaimAnswer, ClaimRequest, Newcomer, Round, hand_out};
use crate::error::StoreError;
use crate::operation::{Effects, Operation, Work};
use crate::write_back::announce;
use at_once::AtOnce;

#[derive(Debug)]
pub struct HandOver<'a> {
    pub ns: Namespace,
    pub submission: &'a Submission,
    /// Of those who wait.
    pub requests: &'a [ClaimRequest],
    /// The lanes that they take work from.
    pub lanes: &'a [LaneId],
}

impl Store {
    pub async fn hand_over(
        &self,
        hand_over: &HandOver<'_>,
    ) -> Result<((Answer, Vec<ClaimAnswer>), Effects), StoreError> {
        if let Some(at_once) = AtOnce::foresee(self, hand_over)
            && let (Some(answer), effects) = self.run(&at_once).await?
        {
            return Ok((answer, effects));
        }
        self.run(hand_over).await
    }
}

impl Operation for HandOver<'_> {
    type Answer = (Answer, Vec<ClaimAnswer>);
    const DOING: &'static str = "submit tasks and hand them over";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let submissions = std::slice::from_ref(self.submission);
        // Sent together, executed in this order: what stands before is looked at under the locks of the
        // agents, who may have been waited for. Prepared before, so that none is overtaken.
        let prepare_look = async {
            let prepared = statements::look_before().prepare(work.transaction).await;
            prepared.map(drop).map_err(|error| work.failed(error))
        };
        try_join!(Agents::prepare(work), prepare_look)?;
        let (agents, (before, known)) = try_join!(
            Agents::lock(work, self.requests),
            look_before(work, self.submission, self.lanes),
        )?;
        work.test_point("hand_over.looked").await?;
        let mut plans = decide(work, submissions, &known).await?;
        let claimed = match &mut plans[..] {
            [Plan::Enters(arrival)] if before.lets_pass(work, arrival).await? => {
                hand_newcomers(work, agents, self.requests, arrival).await?
            }
            plans => {
                write(work, submissions, plans, Last::More).await?;
                hand_out(work, agents, self.requests).await?
            }
        };
        handed_over(work, plans, claimed)
    }
}

fn handed_over(
    work: &mut Work<'_>,
    plans: Vec<Plan<'_>>,
    claimed: Vec<ClaimAnswer>,
) -> Result<(Answer, Vec<ClaimAnswer>), StoreError> {
    call_for_the_rest(work, &plans, &claimed);
    let entered = answer(plans).pop();
    let entered = entered
        .ok_or_else(|| StoreError::Corrupt("a submission was left without an answer".to_owned()))?;
    Ok((entered, claimed))
}

/// What is there before something new comes in.
struct Before {
    gates_version: i64,
    /// Something is ready that those who wait may have to take first.
    is_ready: bool,
}

async fn look_before(
    work: &Work<'_>,
    submission: &Submission,
    lanes: &[LaneId],
) -> Result<(Before, Known), StoreError> {
    let lanes: Vec<i64> = lanes.iter().map(|lane| lane.0).collect();
    let key = key_of(submission);
    let found = statements::look_before()
        .bind(work.transaction, &lanes, &work.ns, &key)
        .opt()
        .await;
    let Some(row) = found.map_err(|error| work.failed(error))? else {
        return Err(StoreError::Corrupt("a namespace has no anchor".to_owned()));
    };
    let before = Before {
        gates_version: row.gates_version,
        is_ready: row.is_ready,
    };
    let known = match (key, row.digest, row.tasks) {
        (Some(key), Some(digest), Some(tasks)) => {
            let earlier = Earlier {
                digest,
                graph: row.graph,
                tasks,
            };
            Known::under(key.to_owned(), earlier)
        }
        _ => Known::default(),
    };
    Ok((before, known))
}

impl Before {
    /// Whether nothing stands before what arrives: nothing else is ready, and there is no gate.
    async fn lets_pass(&self, work: &Work<'_>, arrival: &Arrival<'_>) -> Result<bool, StoreError> {
        // A graph has its tally, and may bring a budget.
        let is_alone = arrival.graph.is_none();
        if self.is_ready || !is_alone || arrival.drafts.iter().any(asks_for_locks) {
            return Ok(false);
        }
        work.expect_gates(self.gates_version, work.now().await?)
            .await?;
        Ok(work.gates().is_empty())
    }
}

fn asks_for_locks(draft: &TaskDraft) -> bool {
    !draft.policy.admission.locks.is_empty()
}

/// Hands what arrives to those who wait, the best first, and writes it as it was handed out; commits.
async fn hand_newcomers(
    work: &mut Work<'_>,
    agents: Agents,
    requests: &[ClaimRequest],
    arrival: &mut Arrival<'_>,
) -> Result<Vec<ClaimAnswer>, StoreError> {
    let now = work.now().await?;
    announce(work, arrival.rows.iter());
    let mut round = Round::begin(work, agents, requests);
    let tasks = arrival.drafts.iter().zip(&mut arrival.rows);
    let mut ready: Vec<_> = tasks.filter(|(_, row)| row.state == State::Ready).collect();
    ready.sort_by_key(|(draft, row)| (row.rank - work.aged(draft.lane.boost), row.task));
    for (draft, row) in ready {
        let created_by = arrival.created_by;
        let newcomer = Newcomer {
            row,
            draft,
            created_by,
        };
        round.take_new(work, newcomer, now);
    }
    let leases = round.lease(work, now).await?;
    let arrivals = [&*arrival];
    let entry = Entry::of(work, &arrivals, now);
    let facts = work.take_facts();
    let writes = async {
        try_join!(
            entry.write(work),
            leases.write(work, now),
            work.write_facts(&facts),
        )
        .map(drop)
    };
    work.commit_behind(Box::pin(writes)).await?;
    Ok(round.answer(work, leases))
}

/// Nobody has to be called for what is handed over.
fn call_for_the_rest(work: &mut Work<'_>, plans: &[Plan<'_>], claimed: &[ClaimAnswer]) {
    let handed = claimed.iter().flatten().flatten();
    let handed: BTreeSet<TaskId> = handed.map(|claimed| claimed.lease.task).collect();
    let ready = &mut work.effects.ready;
    for plan in plans {
        let Plan::Enters(arrival) = plan else {
            continue;
        };
        for row in arrival.rows.iter().filter(|row| handed.contains(&row.task)) {
            if let Some(left) = ready.get_mut(&row.lane) {
                *left -= 1;
            }
        }
    }
    ready.retain(|_, left| *left > 0);
}
