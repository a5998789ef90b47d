//! What happens when a transaction is disturbed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;
use workmill_core::lifecycle::State;
use workmill_testkit::factory::task;

use crate::actors::{Agent, KEY, Queue};

/// F-1
#[tokio::test]
async fn a_connection_lost_before_the_commit_is_tried_again_and_counts_once() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    queue.store.test_points.fail_at("commit", 3);
    agent.complete(lease, json!(1)).await?.expect("completed");
    let task = queue.task(id).await?;
    assert_eq!((task.state, task.attempts.len()), (State::Completed, 1));
    Ok(())
}

/// Every try is a connection to a server that is busy coming back.
#[tokio::test]
async fn while_the_database_is_away_it_is_asked_less_and_less_often() -> Result<()> {
    let queue = Queue::new().await?;
    queue.store.test_points.fail_at("commit", usize::MAX);
    let began = Instant::now();
    let answer = queue.submit_task(&task("work")).await;
    assert!(answer.is_err());
    let pauses = Duration::from_millis(10 + 20 + 40 + 80 + 160 + 320);
    assert!(began.elapsed() >= pauses, "{:?}", began.elapsed());
    Ok(())
}

/// The reaper and the agent meet in the same moment: paid work is kept.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_completion_that_waits_behind_the_reaper_becomes_the_outcome() -> Result<()> {
    let queue = Arc::new(Queue::new().await?);
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    queue.pass(90);
    let mut pause = queue.store.test_points.pause_at("settle.locked");
    let reaper = tokio::spawn({
        let queue = Arc::clone(&queue);
        async move { queue.reap().await }
    });
    let reaping = pause.arrival().await;
    queue.store.test_points.disarm("settle.locked");
    let completion = tokio::spawn({
        let queue = Arc::clone(&queue);
        async move {
            Agent {
                queue: &queue,
                name: "agent",
                key: KEY,
            }
            .complete(lease, json!(1))
            .await
        }
    });
    wait_until_somebody_waits_for_a_lock(&queue).await?;
    reaping.go_on();
    assert!(reaper.await??[0].is_ok());
    completion.await??.expect("nobody has claimed since");
    let task = queue.task(id).await?;
    assert_eq!(task.state, State::Completed);
    assert_eq!(task.attempts.len(), 1, "the attempt is not rewritten");
    assert_eq!(queue.promote().await?, 0, "it waits for no retry any more");
    Ok(())
}

async fn wait_until_somebody_waits_for_a_lock(queue: &Queue) -> Result<()> {
    let client = queue.test.database.client().await?;
    loop {
        let waiting: i64 = client
            .query_one(
                "select count(*) from pg_stat_activity
                 where datname = current_database() and wait_event_type = 'Lock'",
                &[],
            )
            .await?
            .get(0);
        if waiting > 0 {
            return Ok(());
        }
        tokio::task::yield_now().await;
    }
}
