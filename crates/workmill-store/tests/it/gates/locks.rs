//! Locks on resources.

use anyhow::Result;
use serde_json::json;
use workmill_core::gate::Paused;
use workmill_core::resource_lock::ResourceLock;
use workmill_core::task::NewTask;
use workmill_store::gates::change::GateChange;
use workmill_testkit::factory::{singles, task};

use super::tasks_of;
use crate::actors::Queue;

fn locks(paths: &[&str]) -> NewTask {
    NewTask {
        locks: paths
            .iter()
            .map(|path| ResourceLock::exclusive(path))
            .collect(),
        ..task("locks")
    }
}

fn shares(path: &str) -> NewTask {
    NewTask {
        locks: vec![ResourceLock::shared(path)],
        ..task("shares")
    }
}

#[tokio::test]
async fn two_tasks_never_hold_what_conflicts() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let ids = queue
        .submit(singles(&[
            locks(&["repo:app/src"]),
            locks(&["repo:app/src/auth"]),
            locks(&["repo:app/docs"]),
            locks(&["repo:app"]),
            locks(&["repo:other"]),
            shares("repo:lib"),
            shares("repo:lib/x"),
        ]))
        .await?
        .tasks;
    let claimed = agent.take(10).await?;
    assert_eq!(tasks_of(&claimed), [ids[0], ids[2], ids[4], ids[5], ids[6]]);
    assert!(agent.take(10).await?.is_empty());
    // Held until the end of the lease.
    agent
        .complete(claimed[0].lease, json!(1))
        .await?
        .expect("accepted");
    let next = agent.take(10).await?;
    assert_eq!(
        tasks_of(&next),
        [ids[1]],
        "the whole repository is still in use"
    );
    agent
        .complete(claimed[1].lease, json!(1))
        .await?
        .expect("accepted");
    assert!(agent.take(10).await?.is_empty());
    agent
        .complete(next[0].lease, json!(1))
        .await?
        .expect("accepted");
    assert_eq!(tasks_of(&agent.take(10).await?), [ids[3]]);
    assert_eq!(queue.keep_gates().await?.mended, 0);
    Ok(())
}

#[tokio::test]
async fn a_waiting_task_does_not_block_the_lane_behind_it() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let first = queue.submit_task(&locks(&["a"])).await?;
    assert_eq!(tasks_of(&agent.take(1).await?), [first]);
    let many: Vec<NewTask> = (0..300).map(|_| locks(&["a/b"])).collect();
    queue.submit(singles(&many)).await?;
    let free = queue.submit_task(&task("free")).await?;
    assert_eq!(tasks_of(&agent.take(1).await?), [free]);
    Ok(())
}

/// A task that wants much gets it, however many small ones keep coming.
#[tokio::test]
async fn what_waits_for_much_is_not_overtaken_for_ever() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit_task(&locks(&["repo/a"])).await?;
    let mut running = agent.take(1).await?;
    let whole = queue.submit_task(&locks(&["repo"])).await?;
    let mut rounds = 0;
    loop {
        // There is always a small one running when another one ends.
        queue.submit_task(&locks(&["repo/a"])).await?;
        queue.submit_task(&locks(&["repo/b"])).await?;
        running.extend(agent.take(2).await?);
        if tasks_of(&running).contains(&whole) {
            break;
        }
        if !running.is_empty() {
            let oldest = running.remove(0);
            agent
                .complete(oldest.lease, json!(1))
                .await?
                .expect("accepted");
        }
        queue.pass(1);
        queue.keep_gates().await?;
        rounds += 1;
        assert!(rounds < 30, "it waits for ever");
    }
    assert!(rounds >= 10, "patience comes first: {rounds}");
    Ok(())
}

/// Each waits below another root; whoever is made way for has the way free below both.
#[tokio::test]
async fn two_that_need_the_same_two_do_not_stand_in_each_others_way() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit_task(&locks(&["b"])).await?;
    let holds_b = agent.take(1).await?;
    let waits_at_b = queue.submit_task(&locks(&["a", "b"])).await?;
    assert!(agent.take(1).await?.is_empty());
    queue.submit_task(&locks(&["a"])).await?;
    let holds_a = agent.take(1).await?;
    let waits_at_a = queue.submit_task(&locks(&["a", "b"])).await?;
    assert!(agent.take(1).await?.is_empty());
    queue.pass(10);
    queue.keep_gates().await?;
    for held in [holds_a, holds_b] {
        let done = agent.complete(held[0].lease, json!(1)).await?;
        done.expect("accepted");
    }
    let first = agent.take(2).await?;
    assert_eq!(tasks_of(&first), [waits_at_b]);
    let done = agent.complete(first[0].lease, json!(1)).await?;
    done.expect("accepted");
    assert_eq!(tasks_of(&agent.take(2).await?), [waits_at_a]);
    Ok(())
}

/// A lock that is reserved for a task which a pause has stopped would be idle until the pause ends.
#[tokio::test]
async fn a_lock_is_not_reserved_for_a_task_that_another_gate_holds_back() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit_task(&locks(&["repo"])).await?;
    let running = agent.take(1).await?;
    let paused = NewTask {
        labels: vec!["slow".to_owned()],
        ..locks(&["repo"])
    };
    queue.submit_task(&paused).await?;
    let free = queue.submit_task(&locks(&["repo"])).await?;
    assert!(agent.take(2).await?.is_empty());
    queue.pass(10);
    queue.keep_gates().await?;
    let pause = GateChange::Pause {
        what: Paused::Label("slow".to_owned()),
        note: None,
    };
    queue.change_gates(&[pause]).await?;
    let done = agent.complete(running[0].lease, json!(1)).await?;
    done.expect("accepted");
    let nothing = agent.take(1).await?;
    assert!(nothing.is_empty(), "the pause stops the first one");
    queue.keep_gates().await?;
    assert_eq!(tasks_of(&agent.take(1).await?), [free]);
    Ok(())
}

/// Waiting for one and then for the other is one wait: patience does not begin anew.
#[tokio::test]
async fn who_waits_for_one_after_the_other_has_waited_all_the_while() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit_task(&locks(&["a"])).await?;
    let mut held = agent.take(1).await?;
    let both = queue.submit_task(&locks(&["a", "b"])).await?;
    assert!(agent.take(1).await?.is_empty());
    for path in ["b", "a"] {
        queue.pass(6);
        queue.submit_task(&locks(&[path])).await?;
        held.extend(agent.take(1).await?);
        let done = agent.complete(held.remove(0).lease, json!(1)).await?;
        done.expect("accepted");
        assert!(agent.take(1).await?.is_empty(), "{path} is held now");
    }
    queue.keep_gates().await?;
    queue.submit_task(&locks(&["b"])).await?;
    assert!(agent.take(1).await?.is_empty(), "b is for who wants both");
    let done = agent.complete(held.remove(0).lease, json!(1)).await?;
    done.expect("accepted");
    assert_eq!(tasks_of(&agent.take(1).await?), [both]);
    Ok(())
}
