//! One round of handing out: who asks, what goes to whom, and what each is answered.

use std::collections::BTreeMap;

use futures_util::try_join;
use jiff::Timestamp;
use workmill_core::lane::Lane;
use workmill_core::money::Micros;

use super::agents::Agents;
use super::context::{Context, Spec};
use super::lease::{Leases, lease};
use super::take::{Takings, repeats, twins};
use super::{ClaimAnswer, ClaimRefusal, ClaimRequest, Handed, Share};
use crate::error::StoreError;
use crate::held::TaskRow;
use crate::intake::TaskDraft;
use crate::operation::Work;

pub(crate) struct Round<'a> {
    requests: &'a [ClaimRequest],
    agents: Agents,
    shares: Vec<Result<Share<'a>, ClaimRefusal>>,
    /// Requests that are there twice, each with the place of the first one.
    twins: BTreeMap<usize, usize>,
    takings: Takings,
}

/// A task that is just coming in, and that nobody else can see yet.
pub(crate) struct Newcomer<'a> {
    pub(crate) row: &'a mut TaskRow,
    pub(crate) draft: &'a TaskDraft,
    pub(crate) created_by: &'a str,
}

impl<'a> Round<'a> {
    /// The agents are locked, and it is known which gates there are.
    pub(crate) fn begin(
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

    /// Gives a task that is ready as it comes in to the first who may take it. It is written by
    /// whoever lets it in. There must be no gate for it to pass. One whose lane is new is left to the
    /// next look: nobody knows the lane before it is committed.
    pub(crate) fn take_new(&mut self, work: &Work<'_>, new: Newcomer<'_>, now: Timestamp) {
        let Newcomer {
            row,
            draft,
            created_by,
        } = new;
        let taker = self.find_taker(&draft.lane);
        let Some(place) = taker.filter(|_| work.knows_lane(row.lane)) else {
            return;
        };
        let request = &self.requests[place];
        if let Ok(share) = &mut self.shares[place] {
            share.wanted -= 1;
        }
        if let Some(free) = self.agents.free.get_mut(&request.agent) {
            *free -= 1;
        }
        let mut handed = Handed {
            place,
            task: row.task,
            graph: row.graph,
            lane: row.lane,
            epoch: row.epoch + 1,
            attempts: row.attempts + 1,
            rank: row.rank,
            starts: false,
            has_holds: false,
            spent: Micros::ZERO,
            spec: Some(Spec {
                submitted_at: now,
                created_by: created_by.to_owned(),
                body: draft.body.clone(),
                policy: draft.policy.clone(),
                references: Vec::new(),
            }),
            repeat: None,
        };
        handed.goes_to(place, request);
        row.epoch = handed.epoch;
        row.attempts = handed.attempts;
        row.state = handed.state();
        self.takings.was_written(handed);
    }

    /// The first who asks for more, has a slot free and matches.
    fn find_taker(&self, lane: &Lane) -> Option<usize> {
        let mut shares = self.shares.iter();
        shares.position(|share| {
            let Ok(share) = share else { return false };
            let agent = &share.request.agent;
            let is_free = self.agents.free.get(agent).is_some_and(|free| *free > 0);
            let known = self.agents.known.get(agent);
            share.wanted > 0 && is_free && known.is_some_and(|known| lane.matches(&known.offer))
        })
    }

    /// Completes what was taken, with the leases to be written for it.
    pub(crate) async fn lease(
        &mut self,
        work: &mut Work<'_>,
        now: Timestamp,
    ) -> Result<Leases<'a>, StoreError> {
        let context = Context::read(work, &mut self.takings.handed).await?;
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
    pub(crate) fn answer(self, work: &mut Work<'_>, leases: Leases<'_>) -> Vec<ClaimAnswer> {
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
