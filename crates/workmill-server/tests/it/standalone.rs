//! A standalone task is its own graph: calls on graphs accept it.

use anyhow::Result;
use serde_json::json;
use workmill_core::graph::GraphStatus;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::task::NewTask;
use workmill_engine::upkeep::gate_keeper;
use workmill_protocol::gates::{SetBudget, SetPause};
use workmill_protocol::graphs::{CancelGraph, CancelMode, GrowGraph, ListGraphs};
use workmill_protocol::leases::CompleteTask;
use workmill_protocol::retention::Retention;
use workmill_protocol::role::Role;
use workmill_sdk::Client;
use workmill_store::upkeep::retention::Position;
use workmill_store::upkeep::retention::removal::RemoveFinished;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim, status};

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

fn dollars(amount: i64) -> Micros {
    Micros(amount * Micros::ONE_DOLLAR.0)
}

fn budget(amount: i64) -> SetBudget {
    SetBudget {
        budget_usd: dollars(amount),
        time_zone: None,
        note: None,
    }
}

fn done_for(cost: f64) -> CompleteTask {
    CompleteTask {
        output: serde_json::value::to_raw_value(&1).expect("JSON"),
        artifacts: Vec::new(),
        usage: serde_json::from_value(json!({"cost_usd": cost})).expect("a usage"),
        claim: None,
    }
}

#[tokio::test]
async fn the_graph_of_a_standalone_task_is_cancelled_by_its_submitter() -> Result<()> {
    let server = Server::start().await?;
    let producer = server.client(Role::Producer).await?;
    let other = server.client(Role::Producer).await?;
    let graph = submit(&producer, "alone").await?;
    let now = CancelGraph::default();
    assert_eq!(status(other.cancel_graph(graph, &now).await), 403);
    assert_eq!(producer.cancel_graph(graph, &now).await?.cancelled, 1);
    let shown = producer.graph(graph).await?;
    assert_eq!(shown.status, GraphStatus::Cancelled);
    assert_eq!(shown.tasks[0].status, State::Cancelled);
    assert_eq!(producer.cancel_graph(graph, &now).await?.cancelled, 0);
    let missing = GraphId(uuid::Uuid::nil());
    assert_eq!(status(producer.cancel_graph(missing, &now).await), 404);
    Ok(())
}

#[tokio::test]
async fn a_standalone_task_that_drains_finishes_and_spawns_nothing() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    client.register(&agent("ann")).await?;
    let graph = submit(&client, "alone").await?;
    let lease = client.claim(&claim("ann", 0)).await?.remove(0).lease;
    let drain = CancelGraph {
        mode: CancelMode::Drain,
    };
    assert_eq!(client.cancel_graph(graph, &drain).await?.cancelled, 0);
    let grown = client.grow_graph(graph, &more()).await;
    assert_eq!(status(grown), 409);
    client.complete(lease, &done_for(0.0)).await?;
    let shown = client.graph(graph).await?;
    assert_eq!(shown.tasks[0].status, State::Completed);
    Ok(())
}

#[tokio::test]
async fn the_graph_of_a_standalone_task_is_no_draft() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Orchestrator).await?;
    let graph = submit(&client, "alone").await?;
    assert_eq!(status(client.submit_graph(graph).await), 409);
    let nothing = ListGraphs::default();
    assert_eq!(client.graphs(&nothing).await?.items, [], "no row was made");
    let missing = GraphId(uuid::Uuid::nil());
    assert_eq!(status(client.submit_graph(missing).await), 404);
    Ok(())
}

#[tokio::test]
async fn the_graph_of_a_standalone_task_shows_its_budget_with_what_was_spent() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    client.register(&agent("ann")).await?;
    let graph = submit(&client, "alone").await?;
    let lease = client.claim(&claim("ann", 0)).await?.remove(0).lease;
    client.complete(lease, &done_for(1.0)).await?;
    assert_eq!(client.graph(graph).await?.budget_ceiling_usd, None);
    let scope = format!("graph:{graph}");
    let set = client.set_budget(&scope, &budget(3)).await?;
    assert_eq!((set.budget_usd, set.spent_usd), (dollars(3), dollars(1)));
    let shown = client.graph(graph).await?;
    assert_eq!(shown.budget_ceiling_usd, Some(dollars(3)));
    client.remove_budget(&scope).await?;
    assert_eq!(client.graph(graph).await?.budget_ceiling_usd, None);
    Ok(())
}

#[tokio::test]
async fn gates_of_an_ended_standalone_task_are_put_aside_until_it_grows() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    client.register(&agent("ann")).await?;
    let keep = async || gate_keeper::run_once(&server.engine, true).await;

    let done = submit(&client, "done").await?;
    let lease = client.claim(&claim("ann", 0)).await?.remove(0).lease;
    let cancelled = submit(&client, "cancelled").await?;
    let waiting = submit(&client, "waiting").await?;
    let scope = format!("graph:{done}");
    client.set_budget(&scope, &budget(3)).await?;
    let of_cancelled = format!("graph:{cancelled}");
    let pause = SetPause { note: None };
    client.pause(&of_cancelled, &pause).await?;
    let of_waiting = format!("graph:{waiting}");
    client.set_budget(&of_waiting, &budget(5)).await?;
    assert_eq!(keep().await?.retired, 0, "none has ended");

    client.complete(lease, &done_for(1.0)).await?;
    client.cancel(TaskId(cancelled.0)).await?;
    assert_eq!(keep().await?.retired, 2);
    let left = client.budgets().await?;
    assert_eq!((left.len(), &left[0].scope), (1, &of_waiting));
    assert_eq!(client.pauses().await?, []);
    let ceiling = client.graph(done).await?.budget_ceiling_usd;
    assert_eq!(ceiling, Some(dollars(3)), "the graph still shows it");
    let ended = client.budgets_of_ended_graphs().await?;
    assert_eq!((ended.len(), &ended[0].scope), (1, &scope));
    assert_eq!(
        (ended[0].budget_usd, ended[0].spent_usd),
        (dollars(3), dollars(1))
    );

    // A change finds the budget as it was.
    let raised = client.set_budget(&scope, &budget(9)).await?;
    assert_eq!(
        (raised.budget_usd, raised.spent_usd),
        (dollars(9), dollars(1))
    );
    assert_eq!(keep().await?.retired, 1);

    client.grow_graph(done, &more()).await?;
    let budgets = client.budgets().await?;
    let back = budgets.iter().find(|budget| budget.scope == scope);
    let back = back.expect("the budget is back");
    assert_eq!((back.budget_usd, back.spent_usd), (dollars(9), dollars(1)));
    assert_eq!(client.budgets_of_ended_graphs().await?, []);
    Ok(())
}

#[tokio::test]
async fn gates_of_a_standalone_task_are_removed_with_it() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.register(&agent("ann")).await?;
    let graph = submit(&client, "alone").await?;
    let scope = format!("graph:{graph}");
    client.set_budget(&scope, &budget(3)).await?;
    client.pause(&scope, &SetPause { note: None }).await?;
    client.cancel(TaskId(graph.0)).await?;
    gate_keeper::run_once(&server.engine, true).await?;
    assert_eq!(client.budgets_of_ended_graphs().await?.len(), 1);
    let at_once = Retention {
        cancelled_sec: Some(0.0),
        ..Retention::default()
    };
    client.set_retention(&at_once).await?;
    server.pass_a_second();
    let remove = RemoveFinished {
        ns: server.test.ns,
        after: Position::FIRST,
        most: 100,
    };
    let (removed, _) = server.test.store.run(&remove).await?;
    assert_eq!(removed.tasks, 1);
    assert_eq!(client.budgets_of_ended_graphs().await?, []);
    Ok(())
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
