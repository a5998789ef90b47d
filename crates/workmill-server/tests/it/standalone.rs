//! A standalone task is its own graph: calls on graphs accept it.

use anyhow::Result;
use serde_json::json;
use workmill_core::task::NewTask;
use workmill_protocol::graphs::GrowGraph;
use workmill_protocol::leases::CompleteTask;
use workmill_protocol::role::Role;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim};

fn done_for(cost: f64) -> CompleteTask {
    CompleteTask {
        output: serde_json::value::to_raw_value(&1).expect("JSON"),
        artifacts: Vec::new(),
        usage: serde_json::from_value(json!({"cost_usd": cost})).expect("a usage"),
    }
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
