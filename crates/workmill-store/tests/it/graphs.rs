//! Dependencies: what waits, and when it stops waiting.

use std::sync::Arc;

use anyhow::Result;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::graph::GraphStatus;
use workmill_core::json_text::JsonText;
use workmill_core::lifecycle::State;
use workmill_testkit::factory::graph;

use crate::actors::{Agent, KEY, Queue};

/// F-9 (part), F-10
#[tokio::test]
async fn the_last_dependency_to_complete_makes_a_task_ready_in_the_same_transaction() -> Result<()>
{
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let diamond = graph(&[
        ("top", &[]),
        ("left", &[0]),
        ("right", &[0]),
        ("bottom", &[1, 2]),
    ]);
    let submitted = queue.submit(diamond).await?;
    let (id, bottom) = (submitted.graph.expect("a graph"), submitted.tasks[3]);
    let top = agent.take(10).await?;
    assert_eq!(top.len(), 1, "only the root is ready");
    agent
        .complete(top[0].lease, json!("t"))
        .await?
        .expect("completed");
    let sides = agent.take(10).await?;
    assert_eq!(sides.len(), 2);
    agent
        .complete(sides[0].lease, json!("l"))
        .await?
        .expect("completed");
    assert_eq!(queue.state(bottom).await?, State::Pending);
    agent
        .complete(sides[1].lease, json!("r"))
        .await?
        .expect("completed");
    assert_eq!(queue.state(bottom).await?, State::Ready);

    let last = agent.take_one().await?;
    let outputs: Vec<_> = last
        .dependencies
        .iter()
        .filter_map(|dependency| dependency.output.as_ref().map(JsonText::value))
        .collect();
    assert_eq!(
        outputs,
        [json!("l"), json!("r")],
        "it is handed what it waited for"
    );
    agent
        .complete(last.lease, json!("b"))
        .await?
        .expect("completed");
    let found = queue
        .store
        .find_graph(queue.ns, id)
        .await?
        .expect("the graph is there");
    assert_eq!(found.status, GraphStatus::Completed);
    Ok(())
}

/// F-8
#[tokio::test]
async fn a_graph_with_a_dead_letter_and_nothing_that_moves_has_failed() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let submitted = queue
        .submit(graph(&[("a", &[]), ("b", &[0]), ("c", &[])]))
        .await?;
    let id = submitted.graph.expect("a graph");
    let status = async || -> Result<GraphStatus> {
        Ok(queue
            .store
            .find_graph(queue.ns, id)
            .await?
            .expect("the graph is there")
            .status)
    };
    let claims = agent.take(10).await?;
    assert_eq!(claims.len(), 2);
    agent
        .fail(claims[0].lease, Reason::InvalidInput)
        .await?
        .expect("failed");
    assert_eq!(
        status().await?,
        GraphStatus::Running,
        "the other one still runs"
    );
    agent
        .complete(claims[1].lease, json!(1))
        .await?
        .expect("completed");
    assert_eq!(status().await?, GraphStatus::Failed);
    Ok(())
}

/// The last two parents of a fan-in finish at the same moment, over real connections.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn parents_that_finish_together_strand_nobody() -> Result<()> {
    let queue = Arc::new(Queue::new().await?);
    queue.agent("agent").await?;
    for _ in 0..50 {
        let child = queue
            .submit(graph(&[("a", &[]), ("b", &[]), ("child", &[0, 1])]))
            .await?
            .tasks[2];
        let agent = Agent {
            queue: &queue,
            name: "agent",
            key: KEY,
        };
        let parents = agent.take(2).await?;
        let mut both = Vec::new();
        for parent in parents {
            let queue = Arc::clone(&queue);
            both.push(tokio::spawn(async move {
                let agent = Agent {
                    queue: &queue,
                    name: "agent",
                    key: KEY,
                };
                agent.complete(parent.lease, json!(1)).await
            }));
        }
        for one in both {
            one.await??.expect("completed");
        }
        let claim = agent.take_one().await?;
        assert_eq!(claim.lease.task, child);
        agent
            .complete(claim.lease, json!(1))
            .await?
            .expect("completed");
    }
    Ok(())
}

#[tokio::test]
async fn what_more_work_waits_behind_runs_first() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let mut work = graph(&[
        ("leaf", &[]),
        ("root", &[]),
        ("middle", &[1]),
        ("end", &[2]),
    ]);
    work.tasks[1].critical_path = 2;
    let submitted = queue.submit(work).await?;
    assert_eq!(agent.take_one().await?.lease.task, submitted.tasks[1]);
    Ok(())
}
