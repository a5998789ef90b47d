//! Settling: how attempts end, and what follows for their tasks and for those that wait.
//!
//! A batch goes through four steps in one transaction: lock the rows; decide each ending by the
//! rules of `workmill-core`, changing the rows in memory; follow the consequences to the tasks
//! that waited; write everything back in sets. Completions, failures, releases and expiries all
//! go this way, so the fence, the attempt row and the graph's tally cannot differ between them.

pub mod adopt;
pub mod and_claim;
pub mod answer;
pub mod bulk;
pub mod cancel;
mod costs;
pub mod dead_letters;
mod decide;
mod ended;
mod failing;
mod follow;
mod history;
mod late;
mod ledger;
pub mod resume;
pub(crate) mod spent;

use futures_util::try_join;
use serde_json::Value;
use serde_json::value::RawValue;
use uuid::Uuid;
use workmill_core::failure::Reason;
use workmill_core::ids::{LeaseId, Namespace, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::lifecycle::{IllegalTransition, State};

use crate::error::StoreError;
use crate::experience::AttemptOutcome;
use crate::gates::release::Release;
use crate::locked_rows::LockedRows;
use crate::operation::{Operation, Work};
use crate::write_back::Changes;

pub use ended::EndedAttempt;
use follow::follow_consequences;
pub(crate) use follow::impossible;
pub(crate) use ledger::{Ended, Ledger};
pub use spent::Spent;
pub use workmill_core::question::WaitsFor;

/// How an attempt ends.
#[derive(Debug, Clone)]
pub enum Ending {
    Complete {
        output: Box<RawValue>,
        /// References to what was put elsewhere.
        artifacts: Vec<Value>,
    },
    Fail {
        reason: Reason,
        message: String,
        details: Option<Value>,
        retry_after_ms: Option<i64>,
    },
    Release,
    /// The agent needs something before it can go on.
    Block {
        waits_for: WaitsFor,
        question: Option<Value>,
        timeout_ms: Option<i64>,
    },
    /// The lease ran out, or the attempt ran too long; looked at again under the lock.
    Expire,
}

#[derive(Debug, Clone)]
pub struct Settlement {
    pub settler: Settler,
    pub lease: LeaseId,
    pub ending: Ending,
    /// As the agent reports it with the ending; what it has reported before is known.
    pub spent: Spent,
    /// In 0..1; moves the delay of a retry.
    pub random: f64,
}

/// Who settles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settler {
    /// The key that registered the agent.
    Key(Uuid),
    /// Workmill itself.
    Upkeep,
}

impl Settler {
    pub(crate) const fn is_agent(self) -> bool {
        match self {
            Settler::Key(_) => true,
            Settler::Upkeep => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The lease is no longer the current one; nothing was changed.
    LeaseLost,
    /// It came too late to count; the output and its cost are kept with the attempt.
    TooLate,
    /// The key is not the one that registered the agent that holds the lease.
    NotTheHolder,
    Illegal(IllegalTransition),
    /// A lease that was taken for lost is alive after all.
    StillAlive,
    NotFound,
    /// Only Workmill can know this, or an agent that it told to stop.
    ReservedReason(Reason),
}

/// What became of the task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    pub state: State,
    /// The same ending had been accepted before.
    pub is_repeat: bool,
    /// When the next attempt is due, for a task that is retried.
    pub retry_in_ms: Option<i64>,
}

impl Settled {
    fn now(state: State) -> Self {
        Settled {
            state,
            is_repeat: false,
            retry_in_ms: None,
        }
    }
}

#[derive(Debug)]
pub struct Settle<'a> {
    pub ns: Namespace,
    /// At most one for each task.
    pub settlements: &'a [Settlement],
}

impl Operation for Settle<'_> {
    type Answer = Vec<Result<Settled, Refusal>>;
    const DOING: &'static str = "settle attempts";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let settlements: Vec<&Settlement> = self.settlements.iter().collect();
        let (answers, consequences) = settle(work, &settlements).await?;
        consequences.commit(work).await?;
        Ok(answers)
    }
}

/// Decides each settlement and what follows from it. Nothing is written yet.
async fn settle(
    work: &mut Work<'_>,
    settlements: &[&Settlement],
) -> Result<(Vec<Result<Settled, Refusal>>, Consequences), StoreError> {
    let tasks = settlements.iter().map(|settlement| settlement.lease.task);
    let mut held = LockedRows::lock(work, tasks).await?;
    work.test_point("settle.locked").await?;
    let now = work.now().await?;
    let history = history::read(work, &held, settlements).await?;

    let mut ledger = Ledger::default();
    let mut answers = Vec::with_capacity(settlements.len());
    for settlement in settlements {
        let answer = decide::decide(&mut held, &mut ledger, &history, settlement, now)?;
        answers.push(answer);
    }
    let consequences = Consequences::follow(work, held, ledger).await?;
    Ok((answers, consequences))
}

/// Follows the consequences of what was decided, writes everything and commits.
pub(crate) async fn finish(
    work: &mut Work<'_>,
    held: LockedRows,
    ledger: Ledger,
) -> Result<(), StoreError> {
    let consequences = Consequences::follow(work, held, ledger).await?;
    consequences.commit(work).await
}

/// The rows to be written after a decision.
struct Consequences {
    ledger: Ledger,
    release: Release,
    changes: Changes,
    /// The leases that end, with their agents.
    ended: Vec<(LeaseId, String)>,
}

impl Consequences {
    /// Follows what was decided to the dependents, the gates and the graphs.
    async fn follow(
        work: &mut Work<'_>,
        mut held: LockedRows,
        mut ledger: Ledger,
    ) -> Result<Consequences, StoreError> {
        for event in ledger.events.drain(..) {
            work.emit(event);
        }
        follow_consequences(work, &mut held).await?;
        costs::count(work, &mut held, &mut ledger).await?;
        let now = work.now().await?;
        let ended = ledger.ended.iter().filter(|one| one.said_by_agent);
        let ended = ended.map(|one| one.lease.agent.clone());
        let heard = ended.chain(ledger.late.iter().map(|one| one.agent.clone()));
        work.effects.heard.extend(heard.map(|agent| (agent, now)));
        let outcomes = ledger.ended.iter();
        let outcomes = outcomes.filter_map(|ended| AttemptOutcome::of(ended, now));
        work.effects.outcomes.extend(outcomes);
        work.effects
            .ended
            .extend(ended::counted(&ledger, &held, now));
        // New lanes come before gates in the order of locks.
        work.write_lanes(&ledger.lanes).await?;
        work.wrote_lanes(&ledger.lanes);
        let endings = ledger.endings(&held);
        let release = Release::settle(work, &endings).await?;
        // An attempt of a blocked task that times out has no lease any more.
        let ended = ledger.ended.iter().map(|one| &one.lease);
        let ended = ended.filter(|one| held.leases.contains_key(&one.lease));
        let ended = ended.map(|one| (one.lease, one.agent.clone())).collect();
        let changes = held.into_changes(work);
        changes.bring_gates_back(work).await?;
        Ok(Consequences {
            ledger,
            release,
            changes,
            ended,
        })
    }

    /// Writes everything and commits.
    async fn commit(self, work: &mut Work<'_>) -> Result<(), StoreError> {
        let (facts, audited) = (work.take_facts(), work.take_audited());
        let work = &*work;
        // Boxed: together they would make every operation's future large.
        let writes = Box::pin(async {
            try_join!(
                self.write_rows(work),
                work.write_facts(&facts),
                work.write_audited(&audited),
            )
            .map(drop)
        });
        work.commit_behind(writes).await
    }

    /// Writes everything but the events, for an operation that goes on and writes them with its own.
    async fn write(&self, work: &mut Work<'_>) -> Result<(), StoreError> {
        let audited = work.take_audited();
        let work = &*work;
        let writes = async { try_join!(self.write_rows(work), work.write_audited(&audited)) };
        Box::pin(writes).await.map(drop)
    }

    async fn write_rows(&self, work: &Work<'_>) -> Result<(), StoreError> {
        try_join!(
            self.ledger.write(work),
            self.release.write(work),
            self.changes.write(work, &self.ledger.remarks),
        )
        .map(drop)
    }

    /// The tasks that become ready by this, each with its lane.
    fn made_ready(&self) -> impl Iterator<Item = (TaskId, LaneId)> {
        self.changes.made_ready().chain(self.release.returning())
    }
}
