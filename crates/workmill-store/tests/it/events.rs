//! Every transition leaves an event, in the transaction that made it true.

use anyhow::Result;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_testkit::factory::graph;

use crate::actors::Queue;

async fn types(queue: &Queue) -> Result<Vec<String>> {
    let client = queue.test.database.client().await?;
    let rows = client
        .query("select type from workmill.event where task is not null or graph is not null order by batch, place", &[])
        .await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// F-9
#[tokio::test]
async fn the_events_tell_the_whole_story_in_order() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(graph(&[("a", &[]), ("b", &[0])])).await?;
    let claim = agent.take_one().await?;
    agent
        .fail(claim.lease, Reason::Crash)
        .await?
        .expect("failed");
    queue.pass(10);
    queue.promote().await?;
    let claim = agent.take_one().await?;
    agent
        .complete(claim.lease, json!(1))
        .await?
        .expect("completed");
    let claim = agent.take_one().await?;
    agent
        .complete(claim.lease, json!(1))
        .await?
        .expect("completed");
    let told = types(&queue).await?;
    let expected = [
        "dag.submitted",
        "task.submitted",
        "task.submitted",
        "task.ready",
        "task.claimed",
        "task.started",
        "task.failed",
        "task.retrying",
        "task.ready",
        "task.claimed",
        "task.started",
        "task.completed",
        "task.ready",
        "task.claimed",
        "task.started",
        "task.completed",
        "dag.completed",
    ];
    assert_eq!(told, expected);
    Ok(())
}

#[tokio::test]
async fn what_is_refused_leaves_no_event() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(graph(&[("a", &[])])).await?;
    let lease = agent.take_one().await?.lease;
    agent.complete(lease, json!(1)).await?.expect("completed");
    let before = types(&queue).await?;
    agent.complete(lease, json!(2)).await?.unwrap_err();
    agent.fail(lease, Reason::Crash).await?.unwrap_err();
    assert_eq!(types(&queue).await?, before);
    Ok(())
}
