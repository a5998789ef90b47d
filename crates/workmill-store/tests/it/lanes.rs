//! Lanes: what tasks ask of agents. Those without tasks cost nothing and go; what they ask is told
//! again from a task where their row is gone.

use std::time::{Duration, Instant};

use anyhow::Result;
use jiff::SignedDuration;
use workmill_core::gate::{Gate, Purse};
use workmill_core::lane::Selection;
use workmill_core::money::Micros;
use workmill_core::policy::Profile;
use workmill_core::priority::Priority;
use workmill_core::task::NewTask;
use workmill_store::StoreError;
use workmill_store::dispatch::agents::RegisterAgent;
use workmill_store::intake::Submit;
use workmill_store::upkeep::lanes::{PruneLanes, UNUSED};
use workmill_testkit::factory::{singles, task};

use crate::actors::{Agent, KEY, Queue};

async fn count_lanes(queue: &Queue) -> Result<i64> {
    let client = queue.test.database.client().await?;
    let counted = "select count(*) from workmill.lane where ns = $1";
    Ok(client
        .query_one(counted, &[&queue.ns.0])
        .await?
        .try_get(0)?)
}

/// Lanes that any agent matches and that no task is in.
async fn add_empty_lanes(queue: &Queue, lanes: i32) -> Result<()> {
    let client = queue.test.database.client().await?;
    let add = "insert into workmill.lane (ns, lane, asks, seen_at)
         select $1, i, jsonb_build_object('boost', 'none', 'task_type', 'x' || i), $3
         from generate_series(1, $2) i";
    let now = queue.test.clock.now();
    client.execute(add, &[&queue.ns.0, &lanes, &now]).await?;
    Ok(())
}

/// The quickest of some claims that find nothing.
async fn time_of_an_empty_claim(agent: &Agent<'_>) -> Result<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..10 {
        let began = Instant::now();
        assert!(agent.take(1).await?.is_empty());
        best = best.min(began.elapsed());
    }
    Ok(best)
}

#[tokio::test]
async fn a_claim_costs_the_same_however_many_lanes_have_no_tasks() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let few = time_of_an_empty_claim(&agent).await?;
    add_empty_lanes(&queue, 9_000).await?;
    // A server that has learnt them all, as their tasks came in.
    let mut lanes = Vec::new();
    for number in 0..500 {
        lanes.push(NewTask {
            task_type: format!("y{number}"),
            ..task("gone")
        });
    }
    queue.submit(singles(&lanes)).await?;
    let claimed = agent.take(100).await?;
    assert_eq!(claimed.len(), 100);
    for claim in claimed {
        agent.complete(claim.lease, 1.into()).await?.expect("done");
    }
    while let [claim, ..] = &agent.take(1).await?[..] {
        agent.complete(claim.lease, 1.into()).await?.expect("done");
    }
    let many = time_of_an_empty_claim(&agent).await?;
    assert!(
        many < few * 5 + Duration::from_millis(5),
        "{few:?}, {many:?}"
    );
    Ok(())
}

#[tokio::test]
async fn lanes_that_are_not_used_go_and_those_with_tasks_stay() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    add_empty_lanes(&queue, 20).await?;
    let kept = queue.submit_task(&task("kept")).await?;
    let prune = PruneLanes {
        ns: queue.ns,
        most: 1_000,
    };
    assert_eq!(queue.store.run(&prune).await?.0, 0, "they are young");
    queue
        .test
        .clock
        .advance(UNUSED + SignedDuration::from_secs(1));
    assert_eq!(queue.store.run(&prune).await?.0, 20);
    assert_eq!(queue.store.run(&prune).await?.0, 0, "nothing is done twice");
    assert_eq!(count_lanes(&queue).await?, 1);
    assert_eq!(agent.take_one().await?.lease.task, kept);
    queue.pass(60 * 60);
    assert_eq!(queue.store.run(&prune).await?.0, 1);
    let namespaces = queue
        .store
        .find_namespaces_with_old_lanes(queue.test.clock.now());
    assert!(
        namespaces.await?.contains(&queue.ns),
        "a lane is remembered"
    );
    queue.store.forget_removed_lanes(queue.ns).await?;
    assert!(queue.store.known_lanes(queue.ns).is_empty());
    Ok(())
}

/// A submission relies on a lane that it knows, while another server removes it.
#[tokio::test]
async fn a_task_whose_lane_was_removed_meanwhile_is_claimed_all_the_same() -> Result<()> {
    let queue = Queue::new().await?;
    let first = queue.agent("first").await?;
    let other = queue.on_another_server()?;
    queue.submit_task(&task("before")).await?;
    first.take_one().await?;
    queue
        .test
        .clock
        .advance(UNUSED + SignedDuration::from_secs(1));
    let mut pause = other.store.test_points.pause_at("prune.lanes.found");
    let prune = PruneLanes {
        ns: queue.ns,
        most: 1_000,
    };
    let removing = async { Ok::<_, anyhow::Error>(other.store.run(&prune).await?.0) };
    let submitting = async {
        let found = pause.arrival().await;
        let id = queue.submit_task(&task("meanwhile")).await?;
        found.go_on();
        Ok::<_, anyhow::Error>(id)
    };
    let (removed, id) = tokio::try_join!(removing, submitting)?;
    assert_eq!((removed, count_lanes(&queue).await?), (1, 0));
    let third = queue.on_another_server()?;
    let claimed = third.agent("second").await?.take_one().await?;
    assert_eq!(claimed.lease.task, id);
    assert_eq!(count_lanes(&queue).await?, 1, "it is there again");
    Ok(())
}

/// A server that was started anew, or another one, does not know the lanes of tasks that wait.
#[tokio::test]
async fn the_best_task_is_claimed_though_it_becomes_ready_in_a_lane_that_is_not_known() -> Result<()>
{
    for is_told_by_a_hint in [false, true] {
        let queue = Queue::new().await?;
        let other = queue.on_another_server()?;
        let agent = other.agent("agent").await?;
        let urgent = NewTask {
            task_type: "urgent".to_owned(),
            priority: Priority::new(0)?,
            scheduled_for: Some(queue.test.clock.now() + SignedDuration::from_secs(1)),
            ..task("urgent")
        };
        let urgent = queue.submit_task(&urgent).await?;
        queue.submit(singles(&vec![task("plain"); 2])).await?;
        agent.take_one().await?;
        queue.pass(1);
        if is_told_by_a_hint {
            assert_eq!(queue.promote().await?, 1);
            let lanes = queue.store.known_lanes(queue.ns);
            let ready = lanes.keys().map(|lane| (*lane, 1)).collect();
            other.store.lanes_became_ready(queue.ns, &ready);
        } else {
            assert_eq!(other.promote().await?, 1);
        }
        let claimed = agent.take_one().await?.lease.task;
        assert_eq!(claimed, urgent, "told by a hint: {is_told_by_a_hint}");
    }
    Ok(())
}

#[tokio::test]
async fn a_task_that_waits_at_a_gate_is_told_its_lane_again() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let limit = Gate::Limit(workmill_core::gate::Limited::Type("code".to_owned()));
    queue.set_gate(limit.clone(), 0).await?;
    let id = queue.submit_task(&task("gated")).await?;
    assert!(agent.take(1).await?.is_empty());
    let client = queue.test.database.client().await?;
    client.execute("delete from workmill.lane", &[]).await?;
    let other = queue.on_another_server()?;
    other.set_gate(limit, 1).await?;
    let claimed = other.agent("agent").await?.take_one().await?;
    assert_eq!(claimed.lease.task, id);
    Ok(())
}

#[tokio::test]
async fn a_namespace_has_at_most_ten_thousand_lanes() -> Result<()> {
    let queue = Queue::new().await?;
    queue.submit_task(&task("known")).await?;
    add_empty_lanes(&queue, 9_999).await?;
    queue.submit_task(&task("known")).await?;
    let new = NewTask {
        task_type: "new".to_owned(),
        ..task("refused")
    };
    let submissions = [singles(&[new])];
    let operation = Submit {
        ns: queue.ns,
        submissions: &submissions,
    };
    let refused = queue.store.run(&operation).await;
    assert!(
        matches!(refused, Err(StoreError::TooManyLanes { most: 10_000 })),
        "{refused:?}"
    );
    Ok(())
}

/// Each of two submissions alone stays within the bound.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn submissions_at_the_same_time_do_not_exceed_the_most_lanes_together() -> Result<()> {
    let queue = Queue::new().await?;
    let other = queue.on_another_server()?;
    let client = queue.test.database.client().await?;
    let bound = "insert into workmill.lane_bound (ns, most) values ($1, 5)";
    client.execute(bound, &[&queue.ns.0]).await?;
    let of_types = |from: i32| {
        let types = (from..from + 4).map(|number| NewTask {
            task_type: format!("x{number}"),
            ..task("new")
        });
        [singles(&types.collect::<Vec<_>>())]
    };
    let (first, second) = (of_types(0), of_types(4));
    let ns = queue.ns;
    let submit = |submissions| Submit { ns, submissions };
    let (first, second) = (submit(&first), submit(&second));
    let mut committing = queue.store.test_points.pause_at("commit");
    let (entered, refused) = tokio::join!(queue.store.run(&first), async {
        let paused = committing.arrival().await;
        drop(committing);
        let (refused, waited) = tokio::join!(other.store.run(&second), async {
            let waited = queue.lock_is_waited_for().await;
            paused.go_on();
            waited
        });
        waited?;
        anyhow::Ok(refused)
    });
    entered?.0.remove(0).expect("it is within the bound");
    let refused = refused?;
    assert!(
        matches!(refused, Err(StoreError::TooManyLanes { most: 5 })),
        "{refused:?}"
    );
    assert_eq!(count_lanes(&queue).await?, 4);
    Ok(())
}

fn costing(dollars: i64) -> NewTask {
    let mut task = task("costs");
    task.spec.constraints.max_cost_usd = Some(Micros(dollars * 1_000_000));
    task
}

/// F-18: three thousand tasks that the agent cannot afford stand before the one that it can.
#[tokio::test]
async fn an_agent_finds_the_one_task_that_it_can_afford() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let rich = queue.agent("rich").await?;
    let budget = Gate::Budget(Purse::Agent("agent".to_owned()));
    // In lanes of another cost, and in a lane of the same cost as what is left.
    for (dearer, left) in [(5, 1_000_000), (5, 4_500_000)] {
        queue.set_gate(budget.clone(), left).await?;
        let dear: Vec<NewTask> = (0..3_000).map(|_| costing(dearer)).collect();
        queue.submit(singles(&dear)).await?;
        let cheap = queue.submit_task(&costing(1)).await?;
        let began = Instant::now();
        let claimed = agent.take_one().await?;
        let took = began.elapsed();
        assert_eq!(claimed.lease.task, cheap);
        assert!(took < Duration::from_secs(2), "{took:?}");
        assert!(agent.take(1).await?.is_empty(), "the rest is too dear");
        agent.release(claimed.lease).await?.expect("given back");
        queue.cancel(cheap).await?.expect("cancelled");
        while !rich.take(1_000).await?.is_empty() {}
    }
    Ok(())
}

/// F-18: a retry may cost no more than what its task has left.
#[tokio::test]
async fn what_an_attempt_has_cost_moves_its_task_to_a_cheaper_lane() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let poor = queue.agent("poor").await?;
    let budget = Gate::Budget(Purse::Agent("poor".to_owned()));
    queue.set_gate(budget, 1_000_000).await?;
    let id = queue.submit_task(&costing(8)).await?;
    assert!(poor.take(1).await?.is_empty());
    let claimed = agent.take_one().await?;
    let ending = workmill_store::settlement::Ending::Fail {
        reason: workmill_core::failure::Reason::Network,
        message: "gone".to_owned(),
        details: None,
        retry_after_ms: None,
    };
    let spent = crate::gates::spent(7_500_000);
    let settled = queue.settle_with(KEY, claimed.lease, ending, spent).await?;
    settled.expect("failed");
    queue.pass(60);
    queue.promote().await?;
    assert_eq!(poor.take_one().await?.lease.task, id);
    Ok(())
}

async fn agent_for<'a>(queue: &'a Queue, name: &'static str, types: &[&str]) -> Result<Agent<'a>> {
    let operation = RegisterAgent {
        ns: queue.ns,
        key: KEY,
        agent: name,
        agent_type: "",
        capabilities: Vec::new(),
        models: Vec::new(),
        task_types: types.iter().map(ToString::to_string).collect(),
        slots: 10,
        poll_interval_ms: 5_000,
        claim_ttl_ms: None,
        is_by_hand: false,
    };
    queue.store.run(&operation).await?.0.expect("registered");
    Ok(Agent {
        queue,
        name,
        key: KEY,
    })
}

fn of_type(task_type: &str, profile: Profile) -> NewTask {
    NewTask {
        task_type: task_type.to_owned(),
        profile,
        ..task(task_type)
    }
}

#[tokio::test]
async fn an_agent_and_a_claim_say_which_types_of_tasks_they_take() -> Result<()> {
    let queue = Queue::new().await?;
    let reviewer = agent_for(&queue, "reviewer", &["review", "test"]).await?;
    let all = agent_for(&queue, "all", &[]).await?;
    let ids = queue
        .submit(singles(&[
            of_type("code", Profile::Agent),
            of_type("review", Profile::Agent),
            of_type("test", Profile::Agent),
            of_type("code", Profile::Task),
        ]))
        .await?
        .tasks;
    let only = |types: &[&str], profile| Selection {
        task_types: types.iter().map(ToString::to_string).collect(),
        profile,
    };
    let claimed = |claims: Vec<workmill_store::dispatch::claim::Claimed>| {
        let tasks = claims.into_iter().map(|claim| claim.lease.task);
        tasks.collect::<Vec<_>>()
    };
    let none = reviewer.take_selected(4, only(&["code"], None)).await?;
    assert!(none.is_empty(), "a claim cannot widen what the agent takes");
    let tests = reviewer.take_selected(4, only(&["test"], None)).await?;
    assert_eq!(claimed(tests), [ids[2]]);
    assert_eq!(claimed(reviewer.take(4).await?), [ids[1]]);
    let planned = all.take_selected(4, only(&[], Some(Profile::Task))).await?;
    assert_eq!(claimed(planned), [ids[3]]);
    assert_eq!(claimed(all.take(4).await?), [ids[0]]);
    Ok(())
}

/// Lanes of older releases do not say their type: the task does.
#[tokio::test]
async fn types_are_kept_to_in_lanes_that_do_not_say_them() -> Result<()> {
    let queue = Queue::new().await?;
    let reviewer = agent_for(&queue, "reviewer", &["review"]).await?;
    let mut submission = singles(&[
        of_type("code", Profile::Agent),
        of_type("review", Profile::Agent),
    ]);
    for draft in &mut submission.tasks {
        draft.lane = draft.lane.clone().untyped();
    }
    let ids = queue.submit(submission).await?.tasks;
    let claimed = reviewer.take(4).await?;
    assert_eq!(claimed.len(), 1);
    assert_eq!(claimed[0].lease.task, ids[1]);
    let only_planned = Selection {
        profile: Some(Profile::Task),
        ..Selection::default()
    };
    let all = agent_for(&queue, "all", &[]).await?;
    assert!(all.take_selected(4, only_planned).await?.is_empty());
    assert_eq!(all.take_one().await?.lease.task, ids[0]);
    Ok(())
}
