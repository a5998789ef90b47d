//! A submission that is claimed in the transaction that creates it, by claims that wait for work:
//! one commit instead of two.
//!
//! The submission enters as any other does, then the waiting requests claim as any other claim does.
//! So they may get another task that ranks before it, or nothing.
//!
//! The agents are locked before the idempotency key, because a claim reads the clock under their locks.
//! No transaction that holds an idempotency key waits for an agent, so this cannot end in a deadlock.

use workmill_core::ids::Namespace;

use super::claim::{Agents, ClaimAnswer, ClaimRequest, hand_out};
use crate::error::StoreError;
use crate::intake::Submission;
use crate::intake::submit::{Answer, Entering, Last};
use crate::operation::{Operation, Work};

#[derive(Debug)]
pub struct HandOver<'a> {
    pub ns: Namespace,
    pub submission: &'a Submission,
    /// The claims that wait.
    pub requests: &'a [ClaimRequest],
}

impl Operation for HandOver<'_> {
    type Answer = (Answer, Vec<ClaimAnswer>);
    const DOING: &'static str = "submit tasks and hand them over";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let agents = Agents::lock(work, self.requests).await?;
        work.test_point("hand_over.locked").await?;
        let entering = Entering::decide(work, std::slice::from_ref(self.submission)).await?;
        entering.write(work, Last::More).await?;
        let claimed = hand_out(work, agents, self.requests).await?;
        let made_ready = entering.tasks().map(|row| (row.task, row.lane));
        work.effects.uncount_claimed(made_ready, &claimed);
        let answer = entering.answers().pop();
        let answer = answer.ok_or_else(|| {
            StoreError::Corrupt("a submission was left without an answer".to_owned())
        })?;
        Ok((answer, claimed))
    }
}
