//! Step 7, write: granted tasks leave their lanes, stopped ones move to their gates, and the leases, holds
//! and events are written with the commit.

use futures_util::try_join;
use workmill_core::lifecycle::State;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::claim;
use workmill_queries::queries::task::write_back as rows;

use super::lease::NewLease;
use super::round::{Leaving, Round};
use crate::column::column;
use crate::error::StoreError;
use crate::gates::{Stopped, write_stopped};
use crate::operation::Work;

impl Round<'_> {
    /// Writes which tasks leave their lanes, granted or stopped. A claim does so before it picks again,
    /// and at its end.
    pub(super) async fn write(&mut self, work: &Work<'_>) -> Result<(), StoreError> {
        if self.leaving.is_empty() && self.stopped.is_empty() {
            return Ok(());
        }
        // Moving a task to its gate reads its row in the lane, so this comes first.
        write_stopped(work, &self.stopped, self.now).await?;
        let states = [State::Claimed, State::Running];
        let [claimed, running] = states.map(|state| self.claim_states(work, state));
        try_join!(claimed, running, leave_lanes(work, &self.stopped))?;
        let anew = "update workmill.state set epoch = 1 where epoch > 1";
        work.run_if_planted("epoch starts anew", anew).await?;
        self.moved += self.stopped.len();
        self.stopped.clear();
        self.leaving.clear();
        Ok(())
    }

    /// Writes all that is left, and commits.
    pub(super) async fn commit(
        mut self,
        work: &mut Work<'_>,
        leases: &[NewLease<'_>],
    ) -> Result<(), StoreError> {
        // What moves to the gates is read from the lanes, so it is not sent with the rest.
        if !self.stopped.is_empty() {
            self.write(work).await?;
        }
        self.gate_decisions.tell(work);
        let facts = work.take_facts();
        let work = &*work;
        let now = self.now;
        let gate_decisions = std::mem::take(&mut self.gate_decisions);
        let writes = Box::pin(async {
            try_join!(
                self.write(work),
                gate_decisions.write(work),
                NewLease::write(leases, work, now),
                work.write_facts(&facts),
            )
            .map(drop)
        });
        work.commit_behind(writes).await
    }

    /// Takes the granted tasks that are in this state now out of their lanes.
    async fn claim_states(&self, work: &Work<'_>, state: State) -> Result<(), StoreError> {
        let tasks: Vec<&Leaving> = self
            .leaving
            .iter()
            .filter(|one| one.state == state)
            .collect();
        if tasks.is_empty() {
            return Ok(());
        }
        let parameters = claim::ClaimStatesParams {
            ns: work.ns,
            now: self.now,
            state: state.code(),
            lanes: column(&tasks, |one| one.lane.0),
            ranks: column(&tasks, |one| one.rank),
            tasks: column(&tasks, |one| one.task.0),
        };
        claim::claim_states()
            .params(work.transaction, &parameters)
            .await?;
        Ok(())
    }
}

/// Takes stopped tasks out of their lanes.
async fn leave_lanes(work: &Work<'_>, tasks: &[Stopped]) -> Result<(), StoreError> {
    if tasks.is_empty() {
        return Ok(());
    }
    let parameters = rows::DeleteReadyParams {
        ns: work.ns,
        lanes: column(tasks, |task| task.lane.0),
        ranks: column(tasks, |task| task.rank),
        tasks: column(tasks, |task| task.task.0),
    };
    rows::delete_ready()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}
