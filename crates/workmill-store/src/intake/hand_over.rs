//! A submission that goes straight to agents that wait for it: taken in and handed out in one
//! transaction, with one commit instead of two.

use futures_util::try_join;
use workmill_core::ids::Namespace;

use super::arrival::Last;
use super::submit::{Answer, Submission, enter, find_known_keys};
use crate::dispatch::claim::{Agents, ClaimAnswer, ClaimRequest, hand_out};
use crate::error::StoreError;
use crate::operation::{Operation, Work};

#[derive(Debug)]
pub struct HandOver<'a> {
    pub ns: Namespace,
    pub submission: &'a Submission,
    /// Of those who wait. They get the best there is, which may be something else.
    pub requests: &'a [ClaimRequest],
}

impl Operation for HandOver<'_> {
    type Answer = (Answer, Vec<ClaimAnswer>);
    const DOING: &'static str = "submit tasks and hand them over";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let submissions = std::slice::from_ref(self.submission);
        // The agents first: a lease is dated under the lock of its agent.
        let (agents, known) = try_join!(
            Agents::lock(work, self.requests),
            find_known_keys(work, submissions),
        )?;
        let mut entered = enter(work, submissions, &known, Last::More).await?;
        work.test_point("hand_over.entered").await?;
        let claimed = hand_out(work, agents, self.requests).await?;
        let entered = entered.pop().ok_or_else(|| {
            StoreError::Corrupt("a submission was left without an answer".to_owned())
        })?;
        Ok((entered, claimed))
    }
}
