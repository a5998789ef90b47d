//! Limits on what runs at a time.

use anyhow::Result;
use serde_json::json;
use workmill_core::gate::{Gate, Limited};
use workmill_core::priority::{Class, Priority};
use workmill_core::task::NewTask;
use workmill_testkit::factory::{singles, task};

use super::tasks_of;
use crate::actors::Queue;

fn of_type(name: &str) -> NewTask {
    NewTask {
        task_type: name.to_owned(),
        ..task(name)
    }
}

fn limit_type(name: &str) -> Gate {
    Gate::Limit(Limited::Type(name.to_owned()))
}

/// H-8 (part)
#[tokio::test]
async fn no_more_run_than_the_limit_and_whoever_ends_lets_the_next_one_in() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.set_gate(limit_type("review"), 2).await?;
    let reviews: Vec<NewTask> = (0..5).map(|_| of_type("review")).collect();
    let reviews = queue.submit(singles(&reviews)).await?.tasks;
    let other = queue.submit_task(&of_type("build")).await?;

    let claimed = agent.take(10).await?;
    assert_eq!(tasks_of(&claimed), [reviews[0], reviews[1], other]);
    assert_eq!(queue.gate(&limit_type("review")).await?.used, 2);
    assert!(agent.take(10).await?.is_empty());

    agent
        .complete(claimed[0].lease, json!(1))
        .await?
        .expect("accepted");
    assert_eq!(tasks_of(&agent.take(10).await?), [reviews[2]]);
    agent.release(claimed[1].lease).await?.expect("accepted");
    let back = agent.take(10).await?;
    assert_eq!(
        tasks_of(&back),
        [reviews[1]],
        "what was released is the oldest"
    );
    assert_eq!(queue.gate(&limit_type("review")).await?.used, 2);
    assert_eq!(queue.keep_gates().await?.mended, 0);
    Ok(())
}

#[tokio::test]
async fn a_limit_counts_what_runs_when_it_is_set_and_lets_go_when_it_is_removed() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let tasks: Vec<NewTask> = (0..6).map(|_| of_type("review")).collect();
    queue.submit(singles(&tasks)).await?;
    let running = agent.take(3).await?;
    let changed = queue.set_gate(limit_type("review"), 2).await?;
    assert_eq!(changed.after.expect("set").used, 3);
    assert!(agent.take(10).await?.is_empty());
    agent
        .complete(running[0].lease, json!(1))
        .await?
        .expect("accepted");
    assert!(agent.take(10).await?.is_empty(), "two still run");
    agent
        .complete(running[1].lease, json!(1))
        .await?
        .expect("accepted");
    assert_eq!(agent.take(10).await?.len(), 1);
    queue.set_gate(limit_type("review"), 3).await?;
    assert_eq!(agent.take(10).await?.len(), 1, "raised by one");
    queue.remove_gate(limit_type("review")).await?;
    assert_eq!(agent.take(10).await?.len(), 1, "the last one");
    agent
        .complete(running[2].lease, json!(1))
        .await?
        .expect("accepted");
    assert_eq!(queue.keep_gates().await?.mended, 0);
    assert!(queue.store.find_gates(queue.ns).await?.is_empty());
    Ok(())
}

/// H-8 (part): labels count units, not tasks.
#[tokio::test]
async fn a_label_is_limited_by_units() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let label = "provider:anthropic".to_owned();
    queue
        .set_gate(Gate::Limit(Limited::Label(label.clone())), 10)
        .await?;
    let weighs = |units| NewTask {
        labels: vec![label.clone()],
        cost_units: Some(units),
        ..task("labelled")
    };
    let ids = queue
        .submit(singles(&[weighs(6), weighs(5), weighs(4)]))
        .await?
        .tasks;
    let claimed = agent.take(10).await?;
    assert_eq!(
        tasks_of(&claimed),
        [ids[0], ids[2]],
        "five do not fit beside six"
    );
    agent
        .complete(claimed[0].lease, json!(1))
        .await?
        .expect("accepted");
    assert_eq!(tasks_of(&agent.take(10).await?), [ids[1]]);
    Ok(())
}

/// H-3 (part): a fifth stays free for critical work.
#[tokio::test]
async fn classes_have_their_share_and_critical_work_its_reserve() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.set_gate(Gate::Limit(Limited::Namespace), 10).await?;
    for (limited, cap) in workmill_core::gate::class_limits(10) {
        queue.set_gate(Gate::Limit(limited), cap).await?;
    }
    let of = |class: Class| NewTask {
        priority: class.base(),
        ..task(class.name())
    };
    let mut wanted = Vec::new();
    for class in Class::ALL {
        wanted.extend(std::iter::repeat_n(of(class), 10));
    }
    // All but the critical ones first.
    queue.submit(singles(&wanted[10..])).await?;
    let mut claimed = agent.take(100).await?;
    let count = |class: Class, claimed: &[workmill_store::dispatch::claim::Claimed]| {
        let title = format!("\"title\":\"{}\"", class.name());
        claimed
            .iter()
            .filter(|claim| claim.body.get().replace(": ", ":").contains(&title))
            .count()
    };
    assert_eq!(count(Class::High, &claimed), 4);
    assert_eq!(count(Class::Normal, &claimed), 3);
    assert_eq!(count(Class::Low, &claimed), 1);
    assert_eq!(
        count(Class::Background, &claimed),
        0,
        "eight is all but critical"
    );
    queue.submit(singles(&wanted[..10])).await?;
    claimed = agent.take(100).await?;
    assert_eq!(claimed.len(), 2, "the reserve");
    assert_eq!(count(Class::Critical, &claimed), 2);
    Ok(())
}

#[tokio::test]
async fn an_agents_limit_holds_back_the_agent_and_not_the_task() -> Result<()> {
    let queue = Queue::new().await?;
    let (one, other) = (queue.agent("one").await?, queue.agent("other").await?);
    let limit = Gate::Limit(Limited::Agent("one".to_owned()));
    queue.set_gate(limit, 1).await?;
    let tasks: Vec<NewTask> = (0..3).map(|_| task("plain")).collect();
    let ids = queue.submit(singles(&tasks)).await?.tasks;
    assert_eq!(tasks_of(&one.take(5).await?), [ids[0]]);
    assert!(one.take(5).await?.is_empty());
    assert_eq!(tasks_of(&other.take(5).await?), [ids[1], ids[2]]);
    Ok(())
}

/// F-13: the order among those that pass is the order of their rank, and what is let in later is
/// still behind what is more urgent.
#[tokio::test]
async fn those_who_waited_at_a_gate_come_in_the_order_of_their_rank() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.set_gate(limit_type("review"), 1).await?;
    let with = |priority| NewTask {
        priority: Priority::new(priority).expect("on the scale"),
        ..of_type("review")
    };
    let ids = queue
        .submit(singles(&[with(50), with(70), with(30), with(60)]))
        .await?
        .tasks;
    let mut order = Vec::new();
    for _ in 0..4 {
        let claimed = agent.take(4).await?;
        assert_eq!(claimed.len(), 1);
        order.push(claimed[0].lease.task);
        if order.len() == 2 {
            // More urgent than all that wait.
            order.push(queue.submit_task(&with(0)).await?);
        }
        agent
            .complete(claimed[0].lease, json!(1))
            .await?
            .expect("accepted");
    }
    assert_eq!(order[..4], [ids[2], ids[0], order[2], order[2]]);
    Ok(())
}

/// H-8 (part), A-11: nothing leaks when an agent dies.
#[tokio::test]
async fn an_expired_lease_gives_back_what_it_held() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.set_gate(limit_type("review"), 1).await?;
    let ids = queue
        .submit(singles(&[of_type("review"), of_type("review")]))
        .await?
        .tasks;
    assert_eq!(agent.take(2).await?.len(), 1);
    queue.pass(1000);
    assert_eq!(queue.reap().await?.len(), 1);
    let next = agent.take(2).await?;
    assert_eq!(tasks_of(&next), [ids[1]]);
    let late = workmill_core::ids::LeaseId {
        task: ids[0],
        epoch: 1,
    };
    let resumed = agent.resume(late).await?;
    assert!(resumed.is_err(), "its place is taken: {resumed:?}");
    agent
        .complete(next[0].lease, json!(1))
        .await?
        .expect("accepted");
    assert!(agent.resume(late).await?.is_ok(), "its place is free again");
    assert_eq!(queue.gate(&limit_type("review")).await?.used, 1);
    assert_eq!(queue.keep_gates().await?.mended, 0);
    Ok(())
}

/// A task that was let in and is cancelled before anybody took it blocks nobody.
#[tokio::test]
async fn room_that_nobody_took_is_offered_again() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.set_gate(limit_type("review"), 1).await?;
    let tasks: Vec<NewTask> = (0..3).map(|_| of_type("review")).collect();
    let ids = queue.submit(singles(&tasks)).await?.tasks;
    let first = agent.take(3).await?;
    agent
        .complete(first[0].lease, json!(1))
        .await?
        .expect("accepted");
    queue.cancel(ids[1]).await?.expect("accepted");
    assert!(
        agent.take(3).await?.is_empty(),
        "the third waits at the gate"
    );
    assert_eq!(queue.keep_gates().await?.returned, 1);
    assert_eq!(tasks_of(&agent.take(3).await?), [ids[2]]);
    Ok(())
}

#[tokio::test]
async fn a_stopped_task_can_be_cancelled_and_edited_like_any_other() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.set_gate(limit_type("review"), 1).await?;
    let tasks: Vec<NewTask> = (0..3).map(|_| of_type("review")).collect();
    let ids = queue.submit(singles(&tasks)).await?.tasks;
    let first = agent.take(3).await?;
    queue.cancel(ids[1]).await?.expect("accepted");
    agent
        .complete(first[0].lease, json!(1))
        .await?
        .expect("accepted");
    assert_eq!(tasks_of(&agent.take(3).await?), [ids[2]]);
    let page = queue
        .store
        .find_disagreements(workmill_store::upkeep::consistency::Place::FIRST, 100)
        .await?;
    assert!(page.suspects.is_empty(), "{page:?}");
    Ok(())
}

/// H-8 (part): tasks too large for the free part do not keep out tasks that fit.
#[tokio::test]
async fn whoever_ends_lets_in_who_fits_past_those_who_do_not() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let label = "provider:anthropic".to_owned();
    queue
        .set_gate(Gate::Limit(Limited::Label(label.clone())), 10)
        .await?;
    let weighs = |units| NewTask {
        labels: vec![label.clone()],
        cost_units: Some(units),
        ..task("labelled")
    };
    queue.submit(singles(&[weighs(8), weighs(2)])).await?;
    let running = agent.take(2).await?;
    let mut waiting = vec![weighs(9); 5];
    waiting.push(weighs(2));
    let waiting = queue.submit(singles(&waiting)).await?.tasks;
    assert!(agent.take(10).await?.is_empty());
    agent
        .complete(running[1].lease, json!(1))
        .await?
        .expect("accepted");
    assert_eq!(tasks_of(&agent.take(10).await?), [waiting[5]]);
    Ok(())
}

/// H-8 (part): a task is cancelled while it runs, and its agent completes it nevertheless.
#[tokio::test]
async fn a_completion_that_comes_too_late_gives_back_once() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.set_gate(limit_type("review"), 1).await?;
    let id = queue.submit_task(&of_type("review")).await?;
    let claimed = agent.take_one().await?;
    queue.cancel(id).await?.expect("accepted");
    assert_eq!(queue.gate(&limit_type("review")).await?.used, 1);
    let answer = agent.complete(claimed.lease, json!(1)).await?;
    assert!(answer.is_err(), "its output is only kept: {answer:?}");
    assert_eq!(queue.gate(&limit_type("review")).await?.used, 0);
    assert_eq!(queue.keep_gates().await?.mended, 0);
    Ok(())
}
