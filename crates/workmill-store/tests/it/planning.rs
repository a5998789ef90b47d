//! A planner's list: what it brings, changes and takes away, and what it leaves alone.

mod random;

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::json;
use workmill_core::attempt::Outcome;
use workmill_core::failure::Reason;
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::policy::Profile;
use workmill_core::priority::Priority;
use workmill_core::task::NewTask;
use workmill_store::intake::plan::{
    PlanAction, PlanChanges, PlanMode, PlanProblem, PlanRefusal, PlannedTask, SyncPlan,
};
use workmill_store::settlement::Refusal;
use workmill_testkit::factory::{draft, task};
use workmill_testkit::invariants::violations;

use crate::actors::Queue;

/// A line of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    key: String,
    spec_ref: String,
    title: String,
    priority: u8,
    deps: Vec<String>,
}

fn line(key: &str, spec_ref: &str, deps: &[&str]) -> Line {
    Line {
        key: key.to_owned(),
        spec_ref: spec_ref.to_owned(),
        title: key.to_owned(),
        priority: 2,
        deps: deps.iter().map(|on| (*on).to_owned()).collect(),
    }
}

impl Line {
    fn task(&self) -> NewTask {
        NewTask {
            profile: Profile::Task,
            key: Some(self.key.clone()),
            priority: Priority::new(self.priority.into()).expect("a priority"),
            metadata: json!({"spec_ref": self.spec_ref}),
            ..task(&self.title)
        }
    }

    fn planned(&self) -> PlannedTask {
        PlannedTask {
            spec_ref: self.spec_ref.clone(),
            deps: self.deps.clone(),
            key: self.key.clone(),
            body: draft(&self.task()).body,
        }
    }
}

impl Queue {
    async fn sync_as(
        &self,
        lines: &[Line],
        mode: PlanMode,
        is_preview: bool,
    ) -> Result<Result<PlanChanges, PlanRefusal>> {
        let tasks: Vec<PlannedTask> = lines.iter().map(Line::planned).collect();
        let operation = SyncPlan {
            ns: self.test.ns,
            planner: "planner",
            key: None,
            tasks: &tasks,
            mode,
            is_preview,
        };
        Ok(self.test.store.run(&operation).await?.0)
    }

    async fn sync(&self, lines: &[Line]) -> Result<(usize, usize, usize, usize)> {
        let changes = self.sync_as(lines, PlanMode::Sync, false).await?;
        Ok(counts(&changes.expect("a good list")))
    }

    async fn assert_sound(&self) -> Result<()> {
        let client = self.test.database.client().await?;
        assert_eq!(violations(&client, self.ns.0).await?, Vec::<String>::new());
        Ok(())
    }

    async fn planned_task(&self, key: &str) -> Result<TaskId> {
        let client = self.test.database.client().await?;
        let find = "select task from workmill.task_key where ns = $1 and key = $2";
        let row = client.query_one(find, &[&self.test.ns.0, &key]).await?;
        Ok(TaskId(row.get(0)))
    }
}

/// Inserted, updated, deleted, skipped.
fn counts(changes: &PlanChanges) -> (usize, usize, usize, usize) {
    let count = |action: PlanAction| {
        let all = changes.changes.iter();
        all.filter(|change| change.action == action).count()
    };
    (
        count(PlanAction::Inserted),
        count(PlanAction::Updated),
        count(PlanAction::Deleted),
        changes.skipped,
    )
}

/// T-10 T-11
#[tokio::test]
async fn a_list_inserts_updates_deletes_and_skips_what_is_done_and_again_changes_nothing()
-> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let first = [
        line("a", "one", &[]),
        line("b", "one", &["a"]),
        line("c", "one", &["b"]),
        line("other", "two", &["c"]),
    ];
    assert_eq!(queue.sync(&first).await?, (4, 0, 0, 0));
    assert_eq!(queue.sync(&first).await?, (0, 0, 0, 0));
    let lease = agent.take_one().await?.lease;
    assert_eq!(lease.task, queue.planned_task("a").await?);
    agent.complete(lease, json!("a")).await?.expect("done");

    // `two` is not on the list, so nothing is said of it.
    let second = [
        line("a", "one", &[]),
        Line {
            title: "another title".to_owned(),
            ..line("b", "one", &["a"])
        },
        line("d", "one", &["a", "b"]),
    ];
    let preview = queue.sync_as(&second, PlanMode::Sync, true).await?;
    assert_eq!(counts(&preview.expect("a good list")), (1, 1, 1, 1));
    assert_eq!(queue.sync(&second).await?, (1, 1, 1, 1));
    assert_eq!(queue.sync(&second).await?, (0, 0, 0, 1));
    let c = queue.planned_task("c").await?;
    assert_eq!(queue.state(c).await?, State::Cancelled);
    let other = queue.planned_task("other").await?;
    assert_eq!(
        queue.state(other).await?,
        State::Ready,
        "deleted blockers do not block"
    );

    // It is back, and blocks again.
    assert_eq!(queue.sync(&first).await?, (0, 2, 1, 1));
    assert_eq!(queue.state(c).await?, State::Pending);
    assert_eq!(queue.state(other).await?, State::Pending);
    Ok(())
}

/// New tasks are written 5,000 at a time.
#[tokio::test]
async fn tasks_of_a_long_list_wait_for_others_that_are_written_later() -> Result<()> {
    const LAST: usize = 5_001;
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let list: Vec<Line> = (0..=LAST)
        .map(|n| match n {
            0 => line("t0", "one", &["t5001"]),
            // All but the last wait for the first.
            LAST => line("t5001", "one", &[]),
            _ => line(&format!("t{n}"), "one", &["t0"]),
        })
        .collect();
    assert_eq!(queue.sync(&list).await?, (LAST + 1, 0, 0, 0));
    assert_eq!(queue.sync(&list).await?, (0, 0, 0, 0));
    for key in ["t5001", "t0"] {
        let lease = agent.take_one().await?.lease;
        assert_eq!(lease.task, queue.planned_task(key).await?);
        agent.complete(lease, json!(key)).await?.expect("done");
    }
    let freed = queue.planned_task("t5000").await?;
    assert_eq!(queue.state(freed).await?, State::Ready);
    let edited: Vec<Line> = list
        .iter()
        .map(|line| Line {
            title: format!("{} again", line.title),
            ..line.clone()
        })
        .collect();
    assert_eq!(queue.sync(&edited).await?, (0, LAST - 1, 0, 2));
    queue.assert_sound().await
}

/// T-10: what somebody works on is described anew and goes on; removed, it is told to stop.
#[tokio::test]
async fn an_active_task_keeps_its_lease_when_it_is_edited_and_is_stopped_when_it_is_removed()
-> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue
        .sync(&[line("a", "one", &[]), line("b", "one", &[])])
        .await?;
    let lease = agent.take_one().await?.lease;
    let edited = Line {
        title: "better".to_owned(),
        priority: 1,
        ..line("a", "one", &["b"])
    };
    let list = [edited, line("b", "one", &[])];
    assert_eq!(queue.sync(&list).await?, (0, 1, 0, 0));
    assert_eq!(
        queue.sync(&list).await?,
        (0, 0, 0, 0),
        "what it depends on can wait"
    );
    let shown = queue.task(lease.task).await?;
    assert_eq!(shown.state, State::Running);
    let alive = agent.heartbeat(lease).await?.expect("it goes on");
    assert!(alive.stop.is_none());
    agent.release(lease).await?.expect("given back");
    assert_eq!(
        queue.sync(&list).await?,
        (0, 1, 0, 0),
        "now it depends on the other one"
    );
    assert_eq!(queue.state(lease.task).await?, State::Pending);

    let lease = agent.take_one().await?.lease;
    assert_eq!(lease.task, queue.planned_task("b").await?);
    let without = [line("a", "one", &[])];
    assert_eq!(queue.sync(&without).await?, (0, 1, 1, 0));
    assert_eq!(queue.state(lease.task).await?, State::Cancelled);
    let alive = agent.heartbeat(lease).await?.expect("it is told");
    assert_eq!(alive.stop.as_deref(), Some("cancelled"));
    Ok(())
}

/// T-2 T-10: what comes back is waited for again by those that still can.
#[tokio::test]
async fn who_has_begun_without_a_deleted_task_goes_on_without_it_when_it_is_back() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let others = ["works", "done", "asks", "given up", "waits"];
    let below = others.map(|key| line(key, "two", &["a"]));
    let whole: Vec<Line> = below
        .iter()
        .cloned()
        .chain([line("a", "one", &[])])
        .collect();
    assert_eq!(queue.sync(&whole).await?, (6, 0, 0, 0));
    let hopeless = NewTask {
        max_attempts: Some(1),
        ..below[3].task()
    };
    let hopeless_id = queue.planned_task("given up").await?;
    queue
        .edit(hopeless_id, 1, &hopeless)
        .await?
        .expect("edited");
    assert_eq!(queue.sync(&[line("b", "one", &[])]).await?, (1, 0, 1, 0));

    let mut leases = Vec::new();
    for key in &others[..4] {
        let claim = agent.take_one().await?;
        assert_eq!(claim.lease.task, queue.planned_task(key).await?);
        leases.push(claim.lease);
    }
    agent.complete(leases[1], json!(1)).await?.expect("done");
    agent.block(leases[2], None).await?.expect("asked");
    agent.fail(leases[3], Reason::Crash).await?.expect("failed");

    let back = [line("a", "one", &[]), line("b", "one", &[])];
    assert_eq!(queue.sync(&back).await?, (0, 1, 0, 0));
    let mut states = Vec::new();
    for key in others {
        let task = queue.task(queue.planned_task(key).await?).await?;
        states.push((task.state, task.depends_on.len()));
    }
    let begun = [
        State::Running,
        State::Completed,
        State::Blocked,
        State::DeadLettered,
    ];
    let expected: Vec<(State, usize)> = begun.map(|state| (state, 0)).into();
    assert_eq!(states, [expected, vec![(State::Pending, 1)]].concat());
    queue.assert_sound().await?;

    // The list says what it said before. Free again, it waits.
    assert_eq!(queue.sync(&below).await?, (0, 1, 0, 1), "one was edited");
    assert_eq!(queue.sync(&below).await?, (0, 0, 0, 1));
    queue.assert_sound().await?;
    agent.release(leases[0]).await?.expect("given back");
    assert_eq!(queue.sync(&below).await?, (0, 1, 0, 1));
    assert_eq!(queue.state(leases[0].task).await?, State::Pending);
    queue.assert_sound().await
}

/// T-2 T-10: whoever was told to stop and has not stopped yet must not speak for who has the task next.
#[tokio::test]
async fn who_had_a_deleted_task_has_lost_it_when_it_is_back() -> Result<()> {
    let queue = Queue::new().await?;
    let slow = queue.agent_with("slow", "", &[], 1).await?;
    let next = queue.agent("next").await?;
    let list = [line("a", "one", &[])];
    queue.sync(&list).await?;
    let old = slow.take_one().await?.lease;
    queue.sync(&[line("b", "one", &[])]).await?;
    queue.sync(&list).await?;
    queue.assert_sound().await?;
    let new = next.take_one().await?.lease;
    assert_eq!((new.task, new.epoch), (old.task, old.epoch + 1));

    assert_eq!(slow.heartbeat(old).await?, Err(Refusal::LeaseLost));
    assert_eq!(slow.start(old).await?, Err(Refusal::LeaseLost));
    assert_eq!(slow.release(old).await?, Err(Refusal::LeaseLost));
    assert_eq!(
        slow.complete(old, json!("old")).await?,
        Err(Refusal::TooLate)
    );
    queue.pass(599);
    assert!(next.heartbeat(new).await?.is_ok());
    queue.pass(2);
    assert_eq!(queue.reap().await?, [], "the old lease is gone");
    assert_eq!(queue.state(new.task).await?, State::Running);
    next.complete(new, json!("new")).await?.expect("done");
    let shown = queue.task(new.task).await?;
    let outcomes = shown.attempts.iter().map(|attempt| attempt.outcome);
    let expected = [Outcome::Cancelled, Outcome::Completed];
    assert_eq!(outcomes.collect::<Vec<_>>(), expected);
    queue.assert_sound().await
}

/// T-10: a namespace has one plan, whoever begins it.
#[tokio::test]
async fn two_planners_that_begin_at_once_share_one_plan() -> Result<()> {
    let queue = Arc::new(Queue::new().await?);
    let mut missing = queue.store.test_points.pause_at("plan.missing");
    let begin = |key: &'static str| {
        let queue = Arc::clone(&queue);
        tokio::spawn(async move {
            let list = [line(key, key, &[])];
            queue.sync_as(&list, PlanMode::Add, false).await
        })
    };
    let both = [begin("a"), begin("b")];
    let (first, second) = (missing.arrival().await, missing.arrival().await);
    queue.store.test_points.disarm("plan.missing");
    first.go_on();
    second.go_on();
    for one in both {
        let changes = one.await??.expect("a good list");
        assert_eq!(counts(&changes), (1, 0, 0, 0));
    }
    let list = [line("a", "a", &["b"]), line("b", "b", &[])];
    assert_eq!(queue.sync(&list).await?, (0, 1, 0, 0));
    queue.assert_sound().await
}

/// T-4 T-10: what a list does not change can be claimed meanwhile, and what it changes is looked at
/// again when it is locked.
#[tokio::test]
async fn a_list_holds_up_only_what_it_changes() -> Result<()> {
    let queue = Arc::new(Queue::new().await?);
    let agent = queue.agent("agent").await?;
    let list = ["a", "b", "c"].map(|key| line(key, "one", &[]));
    queue.sync(&list).await?;
    let mut read = queue.store.test_points.pause_at("plan.read");
    let preview = queue.sync_as(&list, PlanMode::Sync, true).await?;
    assert_eq!(counts(&preview.expect("a good list")), (0, 0, 0, 0));
    assert_eq!(queue.sync(&list).await?, (0, 0, 0, 0), "nobody is held up");

    let changed = [
        line("a", "one", &["c"]),
        line("b", "one", &[]),
        line("c", "one", &[]),
    ];
    let syncing = tokio::spawn({
        let (queue, changed) = (Arc::clone(&queue), changed.clone());
        async move { queue.sync(&changed).await }
    });
    let paused = read.arrival().await;
    queue.store.test_points.disarm("plan.read");
    let leases = [agent.take_one().await?.lease, agent.take_one().await?.lease];
    paused.go_on();
    assert_eq!(syncing.await??, (0, 0, 0, 0), "somebody works on it now");
    assert_eq!(queue.state(leases[0].task).await?, State::Running);
    queue.assert_sound().await?;
    agent.release(leases[0]).await?.expect("given back");
    assert_eq!(queue.sync(&changed).await?, (0, 1, 0, 0));
    queue.assert_sound().await
}

/// F-11 T-10: the planner does not know of what a task has spawned.
#[tokio::test]
async fn a_list_leaves_a_task_waiting_for_what_it_has_spawned() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let list = [line("b", "two", &[]), line("a", "one", &["b"])];
    queue.sync(&list).await?;
    let b = agent.take_one().await?.lease;
    agent.complete(b, json!(1)).await?.expect("done");
    let a = agent.take_one().await?.lease;
    let children = queue.spawn(a, &[draft(&task("child"))], true).await?;
    let child = children.expect("spawned")[0];

    assert_eq!(
        queue.sync(&list[1..]).await?,
        (0, 0, 0, 0),
        "nothing is said of it"
    );
    assert_eq!(queue.state(a.task).await?, State::Pending);
    let other = [line("a", "one", &["c"]), line("c", "one", &[])];
    assert_eq!(queue.sync(&other).await?, (1, 1, 0, 0));
    let c = queue.planned_task("c").await?;
    let mut waits_for = queue.task(a.task).await?.depends_on;
    waits_for.sort();
    assert_eq!(
        waits_for,
        BTreeSet::from([child, c]).into_iter().collect::<Vec<_>>()
    );
    queue.assert_sound().await
}

/// T-10: somebody has given a planned task a deadline, and it has passed.
#[tokio::test]
async fn a_task_that_was_not_done_in_time_is_back_when_it_is_listed() -> Result<()> {
    let queue = Queue::new().await?;
    let list = [line("a", "one", &[]), line("b", "one", &["a"])];
    queue.sync(&list).await?;
    let a = queue.planned_task("a").await?;
    let deadline = queue.store.now().await? + SignedDuration::from_secs(1);
    let hurried = NewTask {
        deadline: Some(deadline),
        ..list[0].task()
    };
    queue.edit(a, 1, &hurried).await?.expect("edited");
    queue.pass(2);
    assert_eq!(queue.pass_deadlines().await?, (1, 0));
    assert_eq!(queue.state(a).await?, State::Stale);

    assert_eq!(queue.sync(&list).await?, (0, 1, 0, 0));
    assert_eq!(queue.state(a).await?, State::Ready);
    assert_eq!(
        queue.pass_deadlines().await?,
        (0, 0),
        "the planner sets none"
    );
    let b = queue.planned_task("b").await?;
    assert_eq!(queue.state(b).await?, State::Pending);
    queue.assert_sound().await
}

#[tokio::test]
async fn a_list_with_mistakes_is_refused_with_all_of_them_and_changes_nothing() -> Result<()> {
    let queue = Queue::new().await?;
    queue
        .sync(&[line("a", "one", &[]), line("b", "one", &["a"])])
        .await?;
    let foreign = NewTask {
        key: Some("taken".to_owned()),
        ..task("not of the plan")
    };
    queue.submit_task(&foreign).await?;
    let before = whole(&queue).await?;
    let unknown = [
        line("c", "one", &["nobody", "a"]),
        line("b", "one", &["nowhere"]),
    ];
    let refused = queue.sync_as(&unknown, PlanMode::Sync, false).await?;
    let missing = |name: &str| PlanProblem::UnknownDependency(name.to_owned());
    let removed = PlanProblem::RemovedDependency("a".to_owned());
    let expected = vec![
        (0, missing("nobody")),
        (0, removed),
        (1, missing("nowhere")),
    ];
    assert_eq!(refused, Err(PlanRefusal::Tasks(expected)));

    let circle = [
        line("a", "one", &["new"]),
        line("b", "one", &["a"]),
        line("new", "one", &["b"]),
    ];
    let Err(PlanRefusal::Cycle(path)) = queue.sync_as(&circle, PlanMode::Sync, false).await? else {
        panic!("a circle");
    };
    assert_eq!((path.len(), path.first()), (4, path.last()));

    let taken = [
        line("a", "one", &[]),
        line("b", "one", &["a"]),
        line("taken", "one", &[]),
    ];
    let refused = queue.sync_as(&taken, PlanMode::Sync, false).await?;
    let expected = vec![(2, PlanProblem::KeyTaken)];
    assert_eq!(refused, Err(PlanRefusal::Tasks(expected)));
    let refused = queue.sync_as(&taken[..1], PlanMode::Add, false).await?;
    let expected = vec![(0, PlanProblem::KeyTaken)];
    assert_eq!(
        refused,
        Err(PlanRefusal::Tasks(expected)),
        "adding edits nothing"
    );
    assert_eq!(whole(&queue).await?, before);
    Ok(())
}

/// Everything that a list could have changed.
async fn whole(queue: &Queue) -> Result<Vec<String>> {
    let client = queue.test.database.client().await?;
    let mut all = Vec::new();
    for table in [
        "state",
        "spec",
        "edge",
        "plan_task",
        "event",
        "graph",
        "audit",
    ] {
        let read = format!("select t::text from workmill.{table} t order by 1");
        let rows = client.query(&read, &[]).await?;
        all.extend(rows.iter().map(|row| row.get::<_, String>(0)));
    }
    Ok(all)
}
