//! One round of handing out: who asks, what goes to whom, and what each is answered.

use std::collections::BTreeMap;

use futures_util::try_join;
use jiff::Timestamp;

use super::agents::Agents;
use super::context::Context;
use super::lease::{Leases, lease};
use super::take::{Takings, repeats, twins};
use super::{ClaimAnswer, ClaimRefusal, ClaimRequest, Share};
use crate::error::StoreError;
use crate::operation::Work;

pub(super) struct Round<'a> {
    requests: &'a [ClaimRequest],
    agents: Agents,
    shares: Vec<Result<Share<'a>, ClaimRefusal>>,
    /// Requests that are there twice, each with the place of the first one.
    twins: BTreeMap<usize, usize>,
    takings: Takings,
}

impl<'a> Round<'a> {
    /// The agents are locked, and it is known which gates there are.
    pub(super) fn begin(
        work: &Work<'_>,
        mut agents: Agents,
        requests: &'a [ClaimRequest],
    ) -> Round<'a> {
        let gates = work.gates();
        let mut shares: Vec<Result<Share<'a>, ClaimRefusal>> = requests
            .iter()
            .map(|request| agents.admit(request, &gates))
            .collect();
        let repeats = repeats(&mut agents, requests, &mut shares);
        let twins = twins(requests, &mut shares);
        Round {
            requests,
            agents,
            shares,
            twins,
            takings: Takings::new(repeats),
        }
    }

    /// Takes the best of the lanes for those who ask.
    pub(super) async fn take_ready(
        &mut self,
        work: &mut Work<'_>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.takings
            .take(work, &self.agents, &mut self.shares, now)
            .await
    }

    /// Completes what was taken, with the leases to be written for it.
    pub(super) async fn lease(
        &mut self,
        work: &mut Work<'_>,
        now: Timestamp,
    ) -> Result<Leases<'a>, StoreError> {
        let context = Context::read(work, &mut self.takings.handed).await?;
        self.takings.read_budgets_of_repeats(work).await?;
        let (takings, agents) = (&self.takings, &self.agents);
        lease(work, takings, context, self.requests, agents, now)
    }

    /// Writes what was taken of the lanes and its leases, and commits.
    pub(super) async fn commit(
        &mut self,
        work: &mut Work<'_>,
        leases: &Leases<'_>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let takings = &mut self.takings;
        // What goes to the gates is read where it leaves, so it does not go with the rest.
        if takings.has_stopped() {
            takings.write(work, now).await?;
        }
        takings.door.tell(work);
        let facts = work.take_facts();
        let work = &*work;
        let door = std::mem::take(&mut takings.door);
        let writes = Box::pin(async {
            try_join!(
                takings.write(work, now),
                door.write(work),
                leases.write(work, now),
                work.write_facts(&facts),
            )
            .map(drop)
        });
        work.commit_behind(writes).await
    }

    /// What each request gets, in their order.
    pub(super) fn answer(self, work: &mut Work<'_>, leases: Leases<'_>) -> Vec<ClaimAnswer> {
        let shares = self.shares.into_iter();
        let mut answers: Vec<ClaimAnswer> = shares.map(|share| share.map(|_| Vec::new())).collect();
        for (place, task) in leases.claimed {
            if let Ok(tasks) = &mut answers[place] {
                tasks.push(task);
            }
        }
        for (place, first) in self.twins {
            let again = answers[first].clone();
            answers[place] = again;
        }
        let asked = self.requests.iter().zip(&answers);
        let empty = asked.filter(|(_, answer)| answer.as_ref().is_ok_and(Vec::is_empty));
        work.effects.offers = empty
            .filter_map(|(request, _)| self.agents.offer(&request.agent))
            .collect();
        answers
    }
}
