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

/// F-9 (part)
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

/// A submission of thousands of tasks is one transaction; no reader has to hold all its events.
#[tokio::test]
async fn events_of_one_transaction_are_read_in_pieces_of_any_length() -> Result<()> {
    let queue = Queue::new().await?;
    let chain: Vec<(String, Vec<usize>)> = (0..9)
        .map(|place: usize| {
            (
                format!("t{place}"),
                place.checked_sub(1).into_iter().collect(),
            )
        })
        .collect();
    let chain: Vec<(&str, &[usize])> = chain
        .iter()
        .map(|(name, on)| (name.as_str(), on.as_slice()))
        .collect();
    queue.submit(graph(&chain)).await?;
    let agent = queue.agent("agent").await?;
    agent.take_one().await?;
    types(&queue).await?;
    let whole = queue.store.read_events(queue.ns, 0, 1000).await?;
    let whole: Vec<_> = whole.into_iter().flat_map(EventBatch::numbered).collect();
    assert!(whole.len() > 10, "{whole:?}");
    for most in 1..i64::try_from(whole.len())? {
        let mut read: Vec<(i64, serde_json::Value)> = Vec::new();
        loop {
            let after = read.last().map_or(0, |(place, _)| *place);
            let batches = queue.store.read_events(queue.ns, after, most).await?;
            let piece: Vec<_> = batches.into_iter().flat_map(EventBatch::numbered).collect();
            assert!(i64::try_from(piece.len())? <= most, "{piece:?}");
            if piece.is_empty() {
                break;
            }
            read.extend(piece);
        }
        assert_eq!(read, whole, "{most} at a time");
    }
    Ok(())
}
