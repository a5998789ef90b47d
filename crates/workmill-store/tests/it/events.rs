//! Every transition leaves an event, in the transaction that made it true.

use anyhow::Result;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_store::events::{EventBatch, SequenceEvents};
use workmill_testkit::factory::graph;

use crate::actors::Queue;

pub async fn types(queue: &Queue) -> Result<Vec<String>> {
    queue
        .store
        .run(&SequenceEvents {
            ns: queue.ns,
            most: 1000,
        })
        .await?;
    let batches = queue.store.read_events(queue.ns, 0, 1000).await?;
    let numbered = batches.clone().into_iter();
    let places: Vec<i64> = numbered
        .flat_map(EventBatch::numbered)
        .map(|(place, _)| place)
        .collect();
    assert_eq!(
        places,
        (1..=i64::try_from(places.len())?).collect::<Vec<_>>(),
        "no gap"
    );
    let facts = batches.iter().flat_map(|batch| &batch.facts);
    let types = facts.filter_map(|fact| fact["type"].as_str().map(ToOwned::to_owned));
    Ok(types.filter(|name| !name.starts_with("agent.")).collect())
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
