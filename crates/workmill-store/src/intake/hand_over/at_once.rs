//! A lone task for one who waits, in a single exchange with the database.
//!
//! What is to be written is decided from what this process remembers: what the agent brings, which
//! gates there are, what time it is. It is sent together with what was taken for granted, behind the
//! agent's lock. Where that does not hold, nothing is written, and the task goes the longer way.

use std::sync::Arc;

use futures_util::try_join;
use jiff::Timestamp;
use postgres_types::Json;
use workmill_core::ids::Namespace;
use workmill_queries::client::Params;
use workmill_queries::queries::intake::hand_over as statements;

use super::super::arrival::Arrival;
use super::super::keys::overtaken;
use super::super::submit::{Answer, Known, Plan, decide, key_of};
use super::{HandOver, asks_for_locks, handed_over};
use crate::connect::Store;
use crate::dispatch::claim::{Agents, ClaimAnswer, KnownAgent, NewLease, Newcomer, Round};
use crate::error::StoreError;
use crate::operation::{Operation, Work};
use crate::write_back::announce;

/// With what is taken for granted.
#[derive(Debug)]
pub(super) struct AtOnce<'a> {
    hand_over: &'a HandOver<'a>,
    agent: Arc<KnownAgent>,
    /// At which there were none.
    gates_version: i64,
}

impl<'a> AtOnce<'a> {
    /// Nothing where it is not worth trying.
    pub(super) fn foresee(store: &Store, hand_over: &'a HandOver<'a>) -> Option<AtOnce<'a>> {
        let submission = hand_over.submission;
        let ([request], [task]) = (hand_over.requests, &submission.tasks[..]) else {
            return None;
        };
        let brings_nothing_else = submission.graph.is_none()
            && task.depends_on.is_empty()
            && task.scheduled_for.is_none()
            && task.deadline.is_none()
            && task.key.is_none()
            && task.project.is_none()
            && !asks_for_locks(task);
        let ns = hand_over.ns.0;
        let gates = store.gates.of(ns);
        if !brings_nothing_else || !gates.is_empty() {
            return None;
        }
        Some(AtOnce {
            hand_over,
            agent: store.seats.remembered(ns, &request.agent)?,
            gates_version: gates.version(),
        })
    }
}

impl Operation for AtOnce<'_> {
    /// Nothing where something is not as it was taken for granted.
    type Answer = Option<(Answer, Vec<ClaimAnswer>)>;
    const DOING: &'static str = HandOver::DOING;

    fn namespace(&self) -> Namespace {
        self.hand_over.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let handed = self.hand_out(work).await?;
        // Where nothing was sent, what was to be told of the task must not be, either.
        if handed.is_none() && !work.transaction.is_committed() {
            work.abandon();
        }
        Ok(handed)
    }
}

impl AtOnce<'_> {
    async fn hand_out(
        &self,
        work: &mut Work<'_>,
    ) -> Result<Option<(Answer, Vec<ClaimAnswer>)>, StoreError> {
        let Some(now) = work.take_for_now() else {
            return Ok(None);
        };
        let submissions = std::slice::from_ref(self.hand_over.submission);
        let mut plans = decide(work, submissions, &Known::default()).await?;
        let [Plan::Enters(arrival)] = &mut plans[..] else {
            return Ok(None);
        };
        announce(work, arrival.rows.iter());
        let agents = Agents::with_a_slot(Arc::clone(&self.agent));
        let mut round = Round::begin(work, agents, self.hand_over.requests);
        for (draft, row) in arrival.drafts.iter().zip(&mut arrival.rows) {
            let created_by = arrival.created_by;
            let newcomer = Newcomer {
                row,
                draft,
                created_by,
            };
            round.take_new(work, newcomer, now);
        }
        let leases = round.lease(work, now).await?;
        let Some(lease) = leases.only() else {
            return Ok(None);
        };
        work.test_point("hand_over.looked").await?;
        if !self.write(work, arrival, lease, now).await? {
            return Ok(None);
        }
        let claimed = round.answer(work, leases);
        handed_over(work, plans, claimed).map(Some)
    }

    /// Writes it all and commits, if it is as it was taken for granted; tells whether it is.
    async fn write(
        &self,
        work: &mut Work<'_>,
        arrival: &Arrival<'_>,
        lease: &NewLease<'_>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let ([row], [draft]) = (&arrival.rows[..], arrival.drafts) else {
            return Ok(false);
        };
        let facts = work.take_facts();
        let work = &*work;
        let offer = &self.agent.offer;
        let lanes = work.lanes();
        let lanes = lanes.iter().filter(|(_, lane)| lane.matches(offer));
        let lanes: Vec<i64> = lanes.map(|(id, _)| id.0).collect();
        let parameters = statements::HandOverAtOnceParams {
            ns: work.ns,
            told: work.told_time(),
            now,
            gates_version: self.gates_version,
            lanes: &lanes,
            agent: lease.agent,
            agent_version: self.agent.version.as_str(),
            since: work.seats().since(work.ns, lease.agent),
            request: lease.request,
            request_key: key_of(self.hand_over.submission),
            digest: arrival.idempotency.map(|one| one.digest.as_slice()),
            task: row.task.0,
            created_by: arrival.created_by,
            created_by_key: arrival.key,
            body: Json(&draft.body),
            policy: Json(&draft.policy),
            graph: row.graph.0,
            lane: row.lane.0,
            rank: row.rank,
            state: row.state.code(),
            critical_path: row.critical_path,
            on_dependency_failure: row.on_dependency_failure.code(),
            epoch: row.epoch,
            attempts: row.attempts,
            starts: lease.started_at.is_some(),
            ttl_ms: lease.ttl_ms,
            lease_ms: lease.lease_ms,
            max_duration_ms: lease.max_duration_ms,
            batch: work.mint().await?,
            count: i32::try_from(facts.len()).unwrap_or(i32::MAX),
            facts: Json(&facts),
        };
        let lock = async {
            let locked = statements::lock_agent()
                .bind(work.transaction, &work.ns, &lease.agent)
                .await;
            locked.map_err(|error| work.failed(error))
        };
        let hand_over = async {
            let handed_at = statements::hand_over_at_once()
                .params(work.transaction, &parameters)
                .opt()
                .await;
            handed_at.map_err(|error| overtaken(work, error))
        };
        let mut is_as_expected = false;
        let writes = async {
            let (_, handed_at) = try_join!(lock, hand_over)?;
            is_as_expected = handed_at.is_some();
            Ok(())
        };
        work.commit_behind(Box::pin(writes)).await?;
        Ok(is_as_expected)
    }
}
