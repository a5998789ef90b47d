//! A standalone task is its own graph: calls on graphs accept it.

use anyhow::Result;
use serde_json::json;
use workmill_core::ids::GraphId;
use workmill_core::task::NewTask;
use workmill_protocol::graphs::{CancelGraph, GrowGraph, ListGraphs};
use workmill_protocol::leases::CompleteTask;
use workmill_protocol::role::Role;
use workmill_sdk::Client;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim};

/// Submits a standalone task; returns its graph.
async fn submit(client: &Client, title: &str) -> Result<GraphId> {
    let submitted = client.submit(vec![task(title)]).await?;
    Ok(submitted.tasks[0].id.into())
}

fn more() -> GrowGraph {
    GrowGraph {
        tasks: vec![task("more")],
    }
}

fn done_for(cost: f64) -> CompleteTask {
    CompleteTask {
        output: serde_json::value::to_raw_value(&1).expect("JSON"),
        artifacts: Vec::new(),
        usage: serde_json::from_value(json!({"cost_usd": cost})).expect("a usage"),
    }
}

#[tokio::test]
async fn a_standalone_task_that_grows_becomes_a_graph_of_its_title_and_submitter() -> Result<()> {
    let server = Server::start().await?;
    let producer = server.client(Role::Producer).await?;
    let orchestrator = server.client(Role::Orchestrator).await?;
    let graph = submit(&producer, "Mend the roof").await?;
    let list = ListGraphs {
        q: Some("roof".to_owned()),
        created_by: Some("producer".to_owned()),
        ..ListGraphs::default()
    };
    assert_eq!(orchestrator.graphs(&list).await?.items, []);
    orchestrator.grow_graph(graph, &more()).await?;
    let listed = orchestrator.graphs(&list).await?.items;
    assert_eq!(listed.len(), 1);
    assert_eq!(
        (listed[0].id, listed[0].title.as_str()),
        (graph, "Mend the roof")
    );
    let shown = producer.graph(graph).await?;
    assert_eq!(
        (shown.title.as_str(), shown.created_by.as_str()),
        ("Mend the roof", "producer")
    );
    let now = CancelGraph::default();
    assert_eq!(producer.cancel_graph(graph, &now).await?.cancelled, 2);
    Ok(())
}

#[tokio::test]
async fn a_first_claim_hands_over_what_a_standalone_task_came_to_depend_on() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    client.register(&agent("ann")).await?;
    let first = client.submit(vec![task("first")]).await?.tasks[0].id;
    let below = NewTask {
        depends_on: vec![first.to_string()],
        ..task("second")
    };
    let below = GrowGraph { tasks: vec![below] };
    let second = client.grow_graph(first.into(), &below).await?.tasks[0].id;
    client.remove_dependency(second, first).await?;
    client.add_dependency(first, second).await?;
    let mut claimed = client.claim(&claim("ann", 0)).await?.remove(0);
    assert_eq!(claimed.lease.task, second);
    client.complete(claimed.lease, &done_for(0.0)).await?;
    claimed = client.claim(&claim("ann", 0)).await?.remove(0);
    assert_eq!(claimed.lease.task, first);
    let handed = &claimed.context.dependency_results;
    assert_eq!(handed.len(), 1);
    assert_eq!(handed[0].task, second);
    Ok(())
}
