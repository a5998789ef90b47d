//! A task that was brought into a state, and what it takes to act on it.

use anyhow::Result;
use jiff::SignedDuration;
use workmill_core::failure::Reason;
use workmill_core::ids::{GraphId, LeaseId, TaskId};
use workmill_core::lifecycle::State;
use workmill_core::policy::Profile;
use workmill_core::task::NewTask;
use workmill_store::intake::{Dependency, NewGraph, Submission, TaskDraft};
use workmill_testkit::factory::{draft, task};

use super::step::{Answer, Step};
use crate::actors::{Agent, KEY, Queue};

pub struct Scene {
    pub queue: Queue,
    pub graph: GraphId,
    pub task: TaskId,
    /// Another one of its graph, which nobody works on.
    pub other: TaskId,
    /// The one it has, had last, or might have had.
    pub lease: LeaseId,
}

impl Scene {
    async fn new(asked: NewTask, waits: bool, is_draft: bool) -> Result<Scene> {
        let queue = Queue::new().await?;
        queue.agent("agent").await?;
        let deadline = queue.store.now().await? + SignedDuration::from_hours(10);
        let asked = NewTask {
            target_agent: Some("agent".to_owned()),
            deadline: Some(deadline),
            ..asked
        };
        let other = NewTask {
            target_agent: Some("nobody".to_owned()),
            ..task("other")
        };
        let depends_on = waits.then_some(Dependency::New(0)).into_iter().collect();
        let submission = Submission {
            created_by: "test".to_owned(),
            key: None,
            graph: Some(NewGraph {
                title: "graph".to_owned(),
                is_draft,
                budget: None,
                project: None,
            }),
            idempotency: None,
            tasks: vec![
                draft(&other),
                TaskDraft {
                    depends_on,
                    ..draft(&asked)
                },
            ],
        };
        let submitted = queue.submit(submission).await?;
        let (other, task) = (submitted.tasks[0], submitted.tasks[1]);
        Ok(Scene {
            queue,
            graph: submitted.graph.expect("a graph"),
            task,
            other,
            lease: LeaseId { task, epoch: 1 },
        })
    }

    pub fn agent(&self) -> Agent<'_> {
        Agent {
            queue: &self.queue,
            name: "agent",
            key: KEY,
        }
    }

    pub async fn state(&self) -> Result<State> {
        self.queue.state(self.task).await
    }

    /// Takes steps that must be possible.
    async fn after(self, steps: &[Step]) -> Result<Scene> {
        for step in steps {
            assert_eq!(step.take(&self).await?, Answer::Done, "{step:?}");
        }
        Ok(self)
    }

    /// Everything that is known, as text.
    pub async fn rows(&self) -> Result<Vec<String>> {
        let client = self.queue.test.database.client().await?;
        let mut rows = Vec::new();
        for table in [
            "state",
            "ready",
            "due",
            "blocked",
            "lease",
            "attempt",
            "result",
            "late_result",
            "finished",
            "dead_letter",
            "edge",
            "graph",
            "answer",
            "deadline",
            "event",
            "spec",
        ] {
            let all = format!("select t::text from workmill.{table} t where ns = $1 order by 1");
            for row in client.query(&all, &[&self.queue.ns.0]).await? {
                rows.push(format!("{table} {}", row.get::<_, String>(0)));
            }
        }
        Ok(rows)
    }
}

/// A task that was brought into this state.
pub async fn reach(state: State) -> Result<Scene> {
    reach_as(task("work"), state).await
}

pub async fn reach_as(asked: NewTask, state: State) -> Result<Scene> {
    let scene = Scene::new(asked, state == State::Pending, state == State::Created).await?;
    let steps: &[Step] = match state {
        State::Created | State::Pending | State::Ready => &[],
        State::Claimed => &[Step::Claim],
        State::Running => &[Step::Claim, Step::Start],
        State::Blocked => &[Step::Claim, Step::Start, Step::Block],
        State::Retrying => &[Step::Claim, Step::Start, Step::Fail],
        State::Completed => &[Step::Claim, Step::Start, Step::Complete],
        State::DeadLettered => &[Step::Claim, Step::Start, Step::FailForGood],
        State::Cancelled => &[Step::Cancel],
        State::Stale => &[Step::PassDeadline],
        State::Validating => anyhow::bail!("no task rests there"),
    };
    let scene = scene.after(steps).await?;
    assert_eq!(scene.state().await?, state);
    Ok(scene)
}

/// A task whose agent was lost, and which rests in this state since.
pub async fn expired(state: State) -> Result<Scene> {
    let asked = match state {
        State::Ready => NewTask {
            profile: Profile::Task,
            ..task("work")
        },
        State::Blocked => NewTask {
            profile: Profile::Work,
            ..task("work")
        },
        State::DeadLettered => NewTask {
            max_attempts: Some(1),
            ..task("work")
        },
        _ => task("work"),
    };
    let scene = Scene::new(asked, false, false).await?;
    scene.agent().take_one().await?;
    scene.queue.pass(3_000);
    scene.queue.reap().await?.remove(0).expect("it was lost");
    assert_eq!(scene.state().await?, state);
    let reason = scene.queue.task(scene.task).await?.attempts[0].reason;
    assert_eq!(reason, Some(Reason::HeartbeatTimeout));
    Ok(scene)
}

/// A task that a person looks at when its agent is lost.
pub async fn watched(is_running: bool) -> Result<Scene> {
    let asked = NewTask {
        profile: Profile::Work,
        claim_ttl_sec: Some(60.0),
        ..task("work")
    };
    let state = if is_running {
        State::Running
    } else {
        State::Claimed
    };
    reach_as(asked, state).await
}

/// A task that has asked something and has no attempt left.
pub async fn asked_with_its_last_attempt() -> Result<Scene> {
    let asked = NewTask {
        max_attempts: Some(1),
        ..task("work")
    };
    reach_as(asked, State::Blocked).await
}
