//! Events that were missing, or in the wrong order.

use anyhow::Result;
use serde_json::json;
use workmill_core::ids::TaskId;
use workmill_core::task::NewTask;
use workmill_store::Store;
use workmill_store::clock::Clock;
use workmill_store::events::SequenceEvents;
use workmill_store::settlement::cancel::CancelMode;
use workmill_store::settlement::{Ending, Settle, Settler};
use workmill_testkit::factory::{graph, task};

use crate::actors::{KEY, Queue};
use crate::model::driver::settlement;

/// Both servers act within one millisecond, so the ids of their events tell nothing.
#[tokio::test]
async fn what_follows_from_an_event_is_read_after_it_also_when_another_server_wrote_it()
-> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let url = queue.test.database.url();
    let other = Store::with_clock(url, 2, Clock::Manual(queue.test.clock.clone()))?;
    for _ in 0..10 {
        let tasks = queue.submit(graph(&[("a", &[]), ("b", &[0])])).await?.tasks;
        let lease = agent.take_one().await?.lease;
        let ending = Ending::Complete {
            output: serde_json::value::to_raw_value(&1)?,
            artifacts: Vec::new(),
        };
        let settler = Settler::Key(KEY);
        let operation = Settle {
            ns: queue.ns,
            settlements: &[settlement(settler, lease, ending)],
        };
        other.run(&operation).await?.0.remove(0).expect("completed");
        let lease = agent.take_one().await?.lease;
        assert_eq!(lease.task, tasks[1]);
        agent.complete(lease, json!(1)).await?.expect("completed");
    }
    let operation = SequenceEvents {
        ns: queue.ns,
        most: 1000,
    };
    queue.store.run(&operation).await?;
    let mut known = std::collections::BTreeSet::new();
    for batch in queue.store.read_events(queue.ns, 0, 1000).await? {
        for fact in batch.facts {
            let task = fact["task_id"].to_string();
            match fact["type"].as_str() {
                Some("task.ready") => assert!(known.insert(task)),
                Some("task.claimed") => assert!(known.contains(&task), "claimed before ready"),
                _ => {}
            }
        }
    }
    Ok(())
}

async fn events_of(queue: &Queue, task: TaskId) -> Result<Vec<String>> {
    let operation = SequenceEvents {
        ns: queue.ns,
        most: 1000,
    };
    queue.store.run(&operation).await?;
    let batches = queue.store.read_events(queue.ns, 0, 1000).await?;
    let facts = batches.iter().flat_map(|batch| &batch.facts);
    let facts = facts.filter(|fact| fact["task_id"] == task.to_string());
    Ok(facts
        .map(|fact| fact["type"].as_str().unwrap_or("").to_owned())
        .collect())
}

/// F-27 (part)
#[tokio::test]
async fn a_question_that_nobody_answers_tells_of_the_retry_and_of_the_dead_letter() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let asked = NewTask {
        max_attempts: Some(2),
        ..task("work")
    };
    let id = queue.submit_task(&asked).await?;
    for expected in ["task.retrying", "task.dead_lettered"] {
        let lease = agent.take_one().await?.lease;
        agent.block(lease, Some(60_000)).await?.expect("blocked");
        queue.pass(60);
        assert_eq!(queue.expire_blocks().await?, 1);
        let told = events_of(&queue, id).await?;
        assert_eq!(told.last().map(String::as_str), Some(expected));
        queue.pass(600);
        queue.promote().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_task_given_back_to_a_graph_that_is_drained_tells_that_it_is_cancelled() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let submitted = queue.submit(graph(&[("a", &[])])).await?;
    let lease = agent.take_one().await?.lease;
    let id = submitted.graph.expect("a graph");
    queue.cancel_graph(id, CancelMode::Drain).await?;
    agent.release(lease).await?.expect("released");
    let told = events_of(&queue, submitted.tasks[0]).await?;
    assert_eq!(told.last().map(String::as_str), Some("task.cancelled"));
    Ok(())
}
