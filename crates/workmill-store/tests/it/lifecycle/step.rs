//! What can be done to a task: each step an operation of the store, with the arrows it takes.

use anyhow::Result;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::{State, Trigger, next};
use workmill_store::intake::draft::SubmitDraft;
use workmill_store::intake::plan::{PlanMode, SyncPlan};
use workmill_store::settlement::adopt::Adopt;
use workmill_store::settlement::dead_letters::Resolution;
use workmill_store::settlement::{Refusal, Settled};
use workmill_testkit::factory::{draft, task};

use super::scene::Scene;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    SubmitDraft,
    AddDependency,
    Claim,
    Start,
    Complete,
    Fail,
    FailForGood,
    Release,
    WaitForChild,
    Block,
    Answer,
    Cancel,
    Revive,
    CompleteLate,
    BeatLate,
    Adopt,
    Restore,
    Promote,
    Expire,
    ExpireToBlocked,
    ExpireQuestion,
    ExpireLastQuestion,
    PassDeadline,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Done,
    /// It was so before.
    Same,
    Refused,
}

impl Step {
    /// Those that can be tried in any state; what lets time pass comes last, the longest at the
    /// end.
    pub const ALL: [Step; 17] = [
        Step::SubmitDraft,
        Step::AddDependency,
        Step::Claim,
        Step::Start,
        Step::Complete,
        Step::Fail,
        Step::FailForGood,
        Step::Release,
        Step::WaitForChild,
        Step::Block,
        Step::Answer,
        Step::Cancel,
        Step::Revive,
        Step::Promote,
        Step::Expire,
        Step::ExpireQuestion,
        Step::PassDeadline,
    ];

    /// The arrows that it takes one after the other, in one transaction.
    pub fn triggers(self) -> &'static [Trigger] {
        match self {
            Step::SubmitDraft => &[Trigger::Submit, Trigger::Promote],
            Step::AddDependency => &[Trigger::AddDependency],
            Step::Promote => &[Trigger::Promote],
            Step::Claim => &[Trigger::Claim],
            Step::Start => &[Trigger::Start],
            Step::Complete => &[Trigger::SubmitOutput, Trigger::Accept],
            Step::Fail | Step::Expire | Step::ExpireQuestion => &[Trigger::Retry],
            Step::FailForGood | Step::ExpireLastQuestion => &[Trigger::DeadLetter],
            Step::Release => &[Trigger::Release],
            Step::WaitForChild => &[Trigger::WaitForChild],
            Step::Block | Step::ExpireToBlocked => &[Trigger::Block],
            Step::Answer => &[Trigger::Answer],
            Step::Cancel => &[Trigger::Cancel],
            Step::Revive => &[Trigger::Revive, Trigger::Promote],
            Step::CompleteLate => &[Trigger::SubmitLateOutput, Trigger::Accept],
            Step::BeatLate => &[Trigger::ResumeLease],
            Step::Adopt => &[Trigger::Adopt],
            Step::Restore => &[Trigger::Restore, Trigger::Promote],
            Step::PassDeadline => &[Trigger::PassDeadline],
        }
    }

    /// Whether the lifecycle has its arrows, and this step is the one that takes them: agents end
    /// only what they hold, and what waits for a dependency does not wait for its time.
    pub fn is_legal(self, from: State) -> bool {
        let mut state = Ok(from);
        for trigger in self.triggers() {
            state = state.and_then(|state| next(state, *trigger));
        }
        let is_taken = match self {
            Step::Block => from == State::Running,
            Step::Promote => from == State::Retrying,
            Step::Fail | Step::FailForGood | Step::Expire => from.is_leased(),
            Step::ExpireQuestion => from == State::Blocked,
            _ => true,
        };
        state.is_ok() && is_taken
    }

    pub async fn take(self, scene: &Scene) -> Result<Answer> {
        let (queue, agent, lease) = (&scene.queue, scene.agent(), scene.lease);
        Ok(match self {
            Step::SubmitDraft => {
                let operation = SubmitDraft {
                    ns: queue.ns,
                    graph: scene.graph,
                };
                done(queue.store.run(&operation).await?.0.is_ok())
            }
            Step::AddDependency => match queue.add_edge(scene.task, scene.other).await? {
                Ok(true) => Answer::Done,
                // A pending one waits for the other already; a third one is as good.
                Ok(false) => {
                    let more = draft(&task("more"));
                    let more = queue.grow(scene.graph, &[more]).await?.expect("grown");
                    done(queue.add_edge(scene.task, more[0]).await? == Ok(true))
                }
                Err(_) => Answer::Refused,
            },
            Step::Claim => {
                let claimed = agent.try_claim(1, false).await?.expect("it is active");
                done(claimed.first().is_some_and(|one| one.lease == lease))
            }
            Step::Start if scene.state().await? == State::Running => {
                agent.start(lease).await?.expect("it is so already");
                Answer::Same
            }
            Step::Start => done(agent.start(lease).await?.is_ok()),
            Step::Complete | Step::CompleteLate => settled(agent.complete(lease, json!(1)).await?),
            Step::Fail => settled(agent.fail(lease, Reason::Network).await?),
            Step::FailForGood => settled(agent.fail(lease, Reason::InvalidInput).await?),
            Step::Release => settled(agent.release(lease).await?),
            Step::Block => settled(agent.block(lease, Some(1_000)).await?),
            Step::WaitForChild => {
                let child = [draft(&task("child"))];
                done(queue.spawn(lease, &child, true).await?.is_ok())
            }
            Step::Answer => done(queue.answer(scene.task, json!("this one")).await?.is_ok()),
            Step::Cancel if scene.state().await? == State::Cancelled => {
                queue.cancel(scene.task).await?.expect("it is so already");
                Answer::Same
            }
            Step::Cancel => done(queue.cancel(scene.task).await?.is_ok()),
            Step::Revive => done(queue.resolve(scene.task, Resolution::Retry).await?.is_ok()),
            Step::BeatLate => done(agent.resume(lease).await?.is_ok()),
            Step::Adopt => {
                let operation = Adopt {
                    ns: queue.ns,
                    task: scene.task,
                    epoch: None,
                    adopted_by: "operator",
                    note: None,
                };
                done(queue.store.run(&operation).await?.0.is_ok())
            }
            Step::Restore => {
                let operation = SyncPlan {
                    ns: queue.ns,
                    planner: "planner",
                    key: None,
                    tasks: &scene.plan,
                    mode: PlanMode::Sync,
                    is_preview: false,
                };
                done(queue.store.run(&operation).await?.0.is_ok())
            }
            Step::Promote => {
                queue.pass(60);
                done(queue.promote().await? > 0)
            }
            Step::Expire | Step::ExpireToBlocked => {
                queue.pass(1_800);
                done(!queue.reap().await?.is_empty())
            }
            Step::ExpireQuestion | Step::ExpireLastQuestion => {
                queue.pass(60);
                done(queue.expire_blocks().await? > 0)
            }
            Step::PassDeadline => {
                queue.pass(40_000);
                done(queue.pass_deadlines().await?.0 > 0)
            }
        })
    }
}

fn done(was_done: bool) -> Answer {
    if was_done {
        Answer::Done
    } else {
        Answer::Refused
    }
}

fn settled(answer: Result<Settled, Refusal>) -> Answer {
    match answer {
        Ok(settled) if settled.is_repeat => Answer::Same,
        Ok(_) => Answer::Done,
        Err(_) => Answer::Refused,
    }
}
