//! Graphs: created whole or not at all, grown while they run, never in a circle.

use anyhow::Result;
use reqwest::Method;
use serde_json::json;
use workmill_core::lifecycle::State;
use workmill_protocol::graphs::CreateGraph;
use workmill_protocol::leases::SendHeartbeat;
use workmill_protocol::role::Role;
use workmill_testkit::factory::task;

use super::{done, named, spawning};
use crate::actors::{Server, agent, claim, status};
use crate::refusals::Raw;

fn graph(tasks: Vec<workmill_core::task::NewTask>) -> CreateGraph {
    CreateGraph {
        title: "g".to_owned(),
        draft: false,
        budget_usd: None,
        project_id: None,
        created_by: None,
        tasks,
    }
}

/// F-10
#[tokio::test]
async fn a_graph_is_created_by_local_names_as_a_whole_or_not_at_all() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Orchestrator).await?;
    let mut nameless = named("c", &["b"]);
    nameless.title.clear();
    for broken in [named("c", &["nobody"]), nameless, named("a", &["b"])] {
        let tasks = vec![named("a", &[]), named("b", &["a"]), broken];
        assert_eq!(status(client.create_graph(&graph(tasks)).await), 400);
    }
    let database = server.test.database.client().await?;
    let stored = "select count(*) from workmill.state";
    let stored: i64 = database.query_one(stored, &[]).await?.get(0);
    assert_eq!(stored, 0, "not one of them");

    let tasks = vec![named("c", &["a", "b"]), named("b", &["a"]), named("a", &[])];
    let created = client.create_graph(&graph(tasks)).await?;
    let ids = &created.tasks;
    let shown = client.graph(created.id).await?;
    assert_eq!(shown.tasks.len(), 3);
    for one in shown.tasks {
        let mut expected = match one.task.title.as_str() {
            "a" => vec![],
            "b" => vec![ids["a"]],
            _ => vec![ids["a"], ids["b"]],
        };
        let mut depends_on = one.depends_on.clone();
        expected.sort();
        depends_on.sort();
        assert_eq!(depends_on, expected, "{}", one.task.title);
        assert_eq!(one.id, ids[&one.task.title]);
    }
    Ok(())
}

/// F-11, mode (a)
#[tokio::test]
async fn a_running_task_spawns_another_and_goes_on() -> Result<()> {
    let server = Server::start().await?;
    let (producer, worker) = (
        server.client(Role::Producer).await?,
        server.client(Role::Agent).await?,
    );
    let parent = producer.submit(vec![task("parent")]).await?.tasks.remove(0);
    worker.register(&agent("a")).await?;
    let lease = worker.claim(&claim("a", 0)).await?.remove(0).lease;
    let spawned = worker.spawn(lease, &spawning(task("child"), false)).await?;
    worker.heartbeat(lease, &SendHeartbeat::default()).await?;
    worker.complete(lease, &done(&json!("done first"))).await?;
    let child = producer.task(spawned.tasks[0]).await?;
    assert_eq!(
        (child.dag_id, child.parent_id, child.status),
        (parent.dag_id, Some(parent.id), State::Ready)
    );
    let claimed = worker.claim(&claim("a", 0)).await?.remove(0);
    assert_eq!(claimed.task.id, child.id);
    assert!(claimed.context.dependency_results.is_empty());
    Ok(())
}

/// F-11, mode (b)
#[tokio::test]
async fn a_running_task_waits_for_what_it_spawns_and_is_claimed_again_with_its_output() -> Result<()>
{
    let server = Server::start().await?;
    let (producer, worker) = (
        server.client(Role::Producer).await?,
        server.client(Role::Agent).await?,
    );
    let parent = producer.submit(vec![task("parent")]).await?.tasks[0].id;
    worker.register(&agent("a")).await?;
    let first = worker.claim(&claim("a", 0)).await?.remove(0).lease;
    let spawned = worker.spawn(first, &spawning(task("child"), true)).await?;
    let child = spawned.tasks[0];
    let waiting = producer.task(parent).await?;
    assert_eq!(
        (waiting.status, waiting.depends_on, waiting.blocked_by),
        (State::Pending, vec![child], vec![child])
    );
    let late = worker.complete(first, &done(&json!("too early"))).await;
    assert_eq!(status(late), 409, "its lease has ended");
    let claimed = worker.claim(&claim("a", 0)).await?.remove(0);
    assert_eq!(claimed.task.id, child, "the parent is not there to claim");
    assert!(worker.claim(&claim("a", 0)).await?.is_empty());
    worker
        .complete(claimed.lease, &done(&json!({"found": 7})))
        .await?;
    let again = worker.claim(&claim("a", 0)).await?.remove(0);
    assert_eq!(again.task.id, parent);
    let [result] = &again.context.dependency_results[..] else {
        panic!("{:?}", again.context);
    };
    assert_eq!((result.task, &result.output), (child, &json!({"found": 7})));
    worker.complete(again.lease, &done(&json!(null))).await?;
    assert_eq!(producer.task(parent).await?.status, State::Completed);
    Ok(())
}

/// F-12: by an edge, by growing, by spawning.
#[tokio::test]
async fn whatever_would_close_a_circle_is_refused_with_its_path_and_changes_nothing() -> Result<()>
{
    let server = Server::start().await?;
    let (client, raw) = (
        server.client(Role::Admin).await?,
        Raw::new(&server, Role::Admin).await?,
    );
    let tasks = vec![named("a", &[]), named("b", &["a"]), named("c", &["b"])];
    let created = client.create_graph(&graph(tasks)).await?;
    let [a, b, c] = ["a", "b", "c"].map(|name| created.tasks[name].to_string());
    let before = client.graph(created.id).await?;
    client.register(&agent("w")).await?;

    let edge = format!("/v1/tasks/{a}/dependencies/{c}");
    let (refused, problem) = raw.call(Method::PUT, &edge, "").await?;
    assert_eq!((refused.as_u16(), &problem["code"]), (409, &json!("cycle")));
    let path: Vec<&str> = problem["path"]
        .as_array()
        .expect("a path")
        .iter()
        .filter_map(|id| id.as_str())
        .collect();
    assert_eq!((path.len(), path.first()), (4, path.last()));
    for id in [&a, &b, &c] {
        assert!(path.contains(&id.as_str()), "{path:?} names {id}");
    }
    let itself = format!("/v1/tasks/{a}/dependencies/{a}");
    assert_eq!(raw.call(Method::PUT, &itself, "").await?.0, 409);

    let grown = json!({"tasks": [named("x", &["y", &c]), named("y", &["x"])]});
    let path = format!("/v1/graphs/{}/tasks", created.id);
    let (refused, problem) = raw.call(Method::POST, &path, &grown.to_string()).await?;
    assert_eq!((refused.as_u16(), &problem["code"]), (409, &json!("cycle")));
    assert_eq!(client.graph(created.id).await?, before);

    let lease = client.claim(&claim("w", 0)).await?.remove(0).lease;
    let before = client.graph(created.id).await?;
    let spawn = spawning(named("child", &[&c]), true);
    assert_eq!(status(client.spawn(lease, &spawn).await), 409);
    assert_eq!(client.graph(created.id).await?, before);
    client.heartbeat(lease, &SendHeartbeat::default()).await?;
    Ok(())
}
