//! A task that was brought into a state, and what it takes to act on it.

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::ids::{GraphId, LeaseId, TaskId};
use workmill_core::lifecycle::State;
use workmill_core::policy::Profile;
use workmill_core::task::NewTask;
use workmill_store::intake::plan::{PlanMode, PlannedTask, SyncPlan};
use workmill_store::intake::{Dependency, NewGraph, Submission, TaskDraft};
use workmill_store::settlement::Refusal;
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
    /// The planner's list that the task is from, if a planner wrote it.
    pub plan: Vec<PlannedTask>,
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
            plan: Vec::new(),
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

    /// Brings a ready task into this state.
    async fn go_on_to(self, state: State) -> Result<Scene> {
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
        let scene = self.after(steps).await?;
        assert_eq!(scene.state().await?, state);
        Ok(scene)
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
    scene.go_on_to(state).await
}

/// A task in this state that an operator can give the output of a lost attempt.
pub async fn with_a_late_result(state: State) -> Result<Scene> {
    let mut scene = expired(State::Retrying).await?;
    let lost = scene.lease;
    scene.lease.epoch = 2;
    let steps = [Step::Promote, Step::Claim, Step::Release];
    let scene = scene.after(&steps).await?;
    let late = scene.agent().complete(lost, json!("late")).await?;
    assert_eq!(late, Err(Refusal::TooLate), "another claim came before");
    let lease = LeaseId {
        epoch: 3,
        ..scene.lease
    };
    let scene = Scene { lease, ..scene };
    if state == State::Pending {
        return scene.after(&[Step::AddDependency]).await;
    }
    scene.go_on_to(state).await
}

/// A task of a planner's list that came into this state and can be brought back by the same list.
pub async fn planned(state: State) -> Result<Scene> {
    let queue = Queue::new().await?;
    let deadline = queue.store.now().await? + SignedDuration::from_hours(10);
    let asked = NewTask {
        key: Some("planned".to_owned()),
        deadline: Some(deadline),
        ..task("work")
    };
    let plan = vec![PlannedTask {
        spec_ref: "document".to_owned(),
        deps: Vec::new(),
        key: "planned".to_owned(),
        body: draft(&asked).body,
    }];
    let operation = SyncPlan {
        ns: queue.ns,
        planner: "planner",
        key: None,
        tasks: &plan,
        mode: PlanMode::Sync,
        is_preview: false,
    };
    queue.store.run(&operation).await?.0.expect("a good list");
    let client = queue.test.database.client().await?;
    let find = "select task, graph from workmill.state where ns = $1";
    let row = client.query_one(find, &[&queue.ns.0]).await?;
    let task = TaskId(row.get(0));
    let scene = Scene {
        queue,
        graph: GraphId(row.get(1)),
        task,
        other: task,
        lease: LeaseId { task, epoch: 1 },
        plan,
    };
    scene.go_on_to(state).await
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
