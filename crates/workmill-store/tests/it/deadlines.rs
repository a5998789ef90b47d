//! Deadlines press, make stale, and stop.

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::graph::GraphStatus;
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::policy::Profile;
use workmill_core::priority::Priority;
use workmill_core::task::NewTask;
use workmill_store::settlement::{Ending, Settler};
use workmill_store::upkeep::deadlines::{PassDeadlines, RefreshRanks};
use workmill_testkit::factory::{graph, task};

use crate::actors::Queue;

impl Queue {
    /// What the deadline watcher does: how many became stale, how many were told to stop.
    pub async fn pass_deadlines(&self) -> Result<(usize, usize)> {
        let now = self.store.now().await?;
        let mut all = (0, 0);
        for (ns, tasks) in self.store.find_passed_deadlines(now, 1000).await? {
            let (stale, stopping) = self.store.run(&PassDeadlines { ns, tasks }).await?.0;
            all = (all.0 + stale, all.1 + stopping);
        }
        Ok(all)
    }

    /// What the rank refresher does.
    async fn refresh_ranks(&self) -> Result<usize> {
        let now = self.store.now().await?;
        let mut refreshed = 0;
        for ns in self.store.find_namespaces_with_pressing_tasks(now).await? {
            let ranks = self.store.find_ranks_to_refresh(ns, now, 1000).await?;
            refreshed += self.store.run(&RefreshRanks { ns, ranks }).await?.0;
        }
        Ok(refreshed)
    }

    async fn submit_due_in(&self, seconds: i64, priority: i64) -> Result<TaskId> {
        let deadline = self.store.now().await? + SignedDuration::from_secs(seconds);
        let priority = Priority::new(priority)?;
        self.submit_task(&NewTask {
            deadline: Some(deadline),
            priority,
            ..task("due")
        })
        .await
    }
}

/// H-4
#[tokio::test]
async fn what_did_not_run_before_its_deadline_is_stale_and_never_claimed() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_due_in(100, 50).await?;
    queue.pass(99);
    assert_eq!(queue.pass_deadlines().await?, (0, 0));
    queue.pass(1);
    assert_eq!(queue.pass_deadlines().await?, (1, 0));
    assert_eq!(queue.state(id).await?, State::Stale);
    assert!(agent.take(1).await?.is_empty());
    assert_eq!(queue.pass_deadlines().await?, (0, 0), "once");
    Ok(())
}

#[tokio::test]
async fn what_runs_past_its_deadline_is_told_to_stop_and_fails_for_good() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_due_in(50, 50).await?;
    let claimed = agent.take_one().await?;
    assert_eq!(claimed.deadline_in_ms, Some(50_000));
    let lease = claimed.lease;
    queue.pass(50);
    assert_eq!(queue.pass_deadlines().await?, (0, 1));
    let alive = agent.heartbeat(lease).await?.expect("alive");
    assert_eq!(alive.stop.as_deref(), Some("deadline_exceeded"));
    agent
        .fail(lease, Reason::DeadlineExceeded)
        .await?
        .expect("it confirms");
    let task = queue.task(id).await?;
    assert_eq!(task.state, State::DeadLettered);
    assert_eq!(task.attempts[0].reason, Some(Reason::DeadlineExceeded));
    Ok(())
}

#[tokio::test]
async fn an_attempt_that_confirms_a_stop_keeps_its_details_and_counts_once() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_due_in(50, 50).await?;
    let lease = agent.take_one().await?.lease;
    queue.pass(50);
    assert_eq!(queue.pass_deadlines().await?, (0, 1));
    let details = json!({"stderr": "half of it"});
    for is_repeat in [false, true] {
        let ending = Ending::Fail {
            reason: Reason::DeadlineExceeded,
            message: "stopped".to_owned(),
            details: Some(details.clone()),
            retry_after_ms: None,
        };
        let settled = queue.settle_as(Settler::Key(agent.key), lease, ending);
        assert_eq!(settled.await?.expect("taken").is_repeat, is_repeat);
    }
    let task = queue.task(id).await?;
    assert_eq!((task.attempts.len(), task.late.len()), (1, 0));
    let attempt = &task.attempts[0];
    let message = attempt.message.as_deref();
    assert_eq!(message, Some("the deadline passed while it ran"));
    assert_eq!(attempt.details, Some(details));
    Ok(())
}

#[tokio::test]
async fn a_finished_task_has_no_deadline_any_more() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_due_in(50, 50).await?;
    let lease = agent.take_one().await?.lease;
    agent.complete(lease, json!(1)).await?.expect("completed");
    queue.pass(100);
    assert_eq!(queue.pass_deadlines().await?, (0, 0));
    assert_eq!(queue.state(id).await?, State::Completed);
    Ok(())
}

/// F-13, H-4: at twice the estimate before its deadline a task counts as critical.
#[tokio::test]
async fn a_deadline_lifts_a_task_above_others_as_it_comes_near() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let pressed = queue.submit_due_in(3600, 90).await?;
    let urgent = NewTask {
        priority: Priority::new(10)?,
        ..task("urgent")
    };
    let urgent = queue.submit_task(&urgent).await?;
    assert_eq!(
        queue.refresh_ranks().await?,
        0,
        "an hour away it does not press"
    );
    let first = agent.take_one().await?.lease;
    assert_eq!(first.task, urgent);
    agent.release(first).await?.expect("released");
    queue.pass(3600 - 600);
    assert_eq!(queue.refresh_ranks().await?, 1);
    assert_eq!(agent.take_one().await?.lease.task, pressed);
    Ok(())
}

#[tokio::test]
async fn below_a_stale_task_the_default_is_to_be_cancelled() -> Result<()> {
    let queue = Queue::new().await?;
    let mut work = graph(&[("a", &[]), ("b", &[0])]);
    work.tasks[0].deadline = Some(queue.store.now().await? + SignedDuration::from_secs(10));
    let submitted = queue.submit(work).await?;
    queue.pass(10);
    assert_eq!(queue.pass_deadlines().await?, (1, 0));
    assert_eq!(queue.state(submitted.tasks[1]).await?, State::Cancelled);
    let id = submitted.graph.expect("a graph");
    assert_eq!(queue.graph_status(id).await?, GraphStatus::Failed);
    Ok(())
}

/// F-13
#[tokio::test]
async fn ranks_that_are_right_do_not_stand_before_one_that_is_not() -> Result<()> {
    let queue = Queue::new().await?;
    for _ in 0..5 {
        queue.submit_due_in(1700, 50).await?;
    }
    let last = queue.submit_due_in(1790, 50).await?;
    queue.pass(900);
    assert_eq!(queue.refresh_ranks().await?, 6);
    queue.pass(100);
    let now = queue.store.now().await?;
    let found = async |most: i64| -> Result<Vec<TaskId>> {
        let found = queue.store.find_ranks_to_refresh(queue.ns, now, most);
        Ok(found.await?.iter().map(|stale| stale.task).collect())
    };
    let all = found(1000).await?;
    assert_eq!((all.len(), all.last()), (6, Some(&last)));
    assert_eq!(
        found(4).await?,
        all[..4],
        "no more than are asked for at once"
    );
    // All but the last are made right.
    let stale = queue.store.find_ranks_to_refresh(queue.ns, now, 5).await?;
    let ranks = stale[..5].to_vec();
    let operation = RefreshRanks {
        ns: queue.ns,
        ranks,
    };
    assert_eq!(queue.store.run(&operation).await?.0, 5);
    assert_eq!(found(2).await?, [last]);
    Ok(())
}

/// F-13
#[tokio::test]
async fn an_edit_has_the_last_word_over_a_refresh_that_was_under_way() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let plain = queue.submit_task(&task("plain")).await?;
    let id = queue.submit_due_in(1000, 50).await?;
    queue.pass(500);
    let now = queue.store.now().await?;
    let ranks = queue.store.find_ranks_to_refresh(queue.ns, now, 10).await?;
    assert_eq!(ranks.len(), 1);
    let relaxed = NewTask {
        deadline: Some(now + SignedDuration::from_hours(1000)),
        priority: Priority::new(50)?,
        ..task("due much later")
    };
    queue.edit(id, 1, &relaxed).await?.expect("edited");
    let refresh = RefreshRanks {
        ns: queue.ns,
        ranks,
    };
    assert_eq!(queue.store.run(&refresh).await?.0, 0);
    assert_eq!(agent.take_one().await?.lease.task, plain);
    Ok(())
}

/// It comes without the graphs' locks, so it must not wait for tasks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refresh_leaves_what_somebody_holds_for_later() -> Result<()> {
    let queue = Queue::new().await?;
    let busy = queue.submit_due_in(1000, 50).await?;
    let free = queue.submit_due_in(1000, 50).await?;
    queue.pass(500);
    let mut client = queue.test.database.client().await?;
    let holding = client.transaction().await?;
    let hold = "select 1 from workmill.state where task = $1 for update";
    holding.query_one(hold, &[&busy.0]).await?;
    let patience = std::time::Duration::from_secs(30);
    let refreshed = tokio::time::timeout(patience, queue.refresh_ranks()).await??;
    assert_eq!(refreshed, 1);
    holding.rollback().await?;
    let now = queue.store.now().await?;
    let left = queue.store.find_ranks_to_refresh(queue.ns, now, 10).await?;
    assert_eq!(left.iter().map(|one| one.task).collect::<Vec<_>>(), [busy]);
    assert_eq!(queue.refresh_ranks().await?, 1);
    assert_ne!(busy, free);
    Ok(())
}

/// H-4: hard is hard, also where every attempt may be followed by another one.
#[tokio::test]
async fn what_comes_back_after_its_deadline_passed_while_it_ran_is_stale() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let deadline = queue.store.now().await? + SignedDuration::from_secs(50);
    let id = queue
        .submit_task(&NewTask {
            profile: Profile::Task,
            deadline: Some(deadline),
            ..task("due")
        })
        .await?;
    let lease = agent.take_one().await?.lease;
    queue.pass(50);
    assert_eq!(queue.pass_deadlines().await?, (0, 1));
    assert_eq!(queue.pass_deadlines().await?, (0, 0), "it is told once");
    agent.release(lease).await?.expect("stopped");
    assert_eq!(queue.state(id).await?, State::Ready);
    assert_eq!(queue.pass_deadlines().await?, (1, 0));
    assert_eq!(queue.state(id).await?, State::Stale);
    assert!(agent.take(1).await?.is_empty());
    Ok(())
}

/// H-4
#[tokio::test]
async fn an_edit_that_gives_more_time_comes_before_a_deadline_that_was_found_passed() -> Result<()>
{
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_due_in(100, 50).await?;
    queue.pass(100);
    let now = queue.store.now().await?;
    let mut found = queue.store.find_passed_deadlines(now, 10).await?;
    let tasks = found.remove(&queue.ns).expect("one has passed");
    let later = NewTask {
        deadline: Some(now + SignedDuration::from_secs(100)),
        ..task("due later")
    };
    queue.edit(id, 1, &later).await?.expect("edited");
    let pass = PassDeadlines {
        ns: queue.ns,
        tasks,
    };
    assert_eq!(queue.store.run(&pass).await?.0, (0, 0));
    queue.pass(100);
    assert_eq!(queue.pass_deadlines().await?, (1, 0), "the new one counts");
    assert!(agent.take(1).await?.is_empty());
    Ok(())
}
