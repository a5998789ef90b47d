//! What agents spawn: urgency, names and refusals.

use super::*;

/// Spawns tasks that each depend on the one before; returns the id of the last one.
async fn spawn_chain(
    worker: &Hand,
    lease: LeaseId,
    first_depends_on: Option<&str>,
    length: usize,
) -> Result<String> {
    let chain = (0..length).map(|place| {
        let before = match place.checked_sub(1) {
            Some(before) => Some(format!("link {before}")),
            None => first_depends_on.map(ToOwned::to_owned),
        };
        let on: Vec<String> = before.into_iter().collect();
        json!({"name": format!("link {place}"), "title": "link", "type": "code", "depends_on": on})
    });
    let spawn = json!({"tasks": chain.collect::<Vec<_>>()});
    let path = format!("/v1/leases/{lease}/spawn");
    let (status, spawned) = worker.post(&path, None, &spawn).await?;
    assert_eq!(status, 201, "{spawned}");
    let ids = spawned["tasks"].as_array().context("ids")?;
    let last = ids.last().and_then(Value::as_str).context("an id")?;
    Ok(last.to_owned())
}

#[tokio::test]
async fn a_chain_that_an_agent_spawns_does_not_run_before_more_urgent_work() -> Result<()> {
    let server = Server::start().await?;
    let planner = Hand::new(&server, Role::Orchestrator).await?;
    let worker = Hand::new(&server, Role::Agent).await?;
    let parent = json!({"title": "parent", "type": "code", "priority": 60});
    planner.submit(&parent).await?;
    let lease = worker.claim_as("a").await?;
    let waiting = json!({"title": "waiting", "type": "code", "priority": 45});
    let waiting = planner.submit(&waiting).await?;
    let first = spawn_chain(&worker, lease, None, 1).await?;
    let middle = spawn_chain(&worker, lease, Some(&first), 10).await?;
    // An edit keeps the bound, and so does a chain that grows afterwards.
    let path = format!("/v1/tasks/{first}");
    let edit = json!({"title": "first"});
    let (status, edited) = planner.call(Method::PATCH, &path, None, &edit).await?;
    assert_eq!(status, 200, "{edited}");
    spawn_chain(&worker, lease, Some(&middle), 11).await?;
    let next = worker.claim_again("a").await?;
    assert_eq!(next.task.to_string(), waiting);
    let next = worker.claim_again("a").await?;
    assert_eq!(next.task.to_string(), first);
    let explained = planner.client.explain(&first).await?;
    let shown = serde_json::to_value(&explained)?.to_string();
    assert!(!shown.contains(r#""critical_path":20"#), "{shown}");
    Ok(())
}

#[tokio::test]
async fn a_spawned_chain_counts_as_much_as_that_of_the_spawning_task() -> Result<()> {
    let server = Server::start().await?;
    let planner = Hand::new(&server, Role::Orchestrator).await?;
    let worker = Hand::new(&server, Role::Agent).await?;
    let graph = json!({"title": "g", "tasks": [
        {"name": "parent", "title": "parent", "type": "code", "priority": 50},
        {"name": "b", "title": "b", "type": "none", "depends_on": ["parent"]},
        {"name": "c", "title": "c", "type": "none", "depends_on": ["b"]},
    ]});
    assert_eq!(planner.post("/v1/graphs", None, &graph).await?.0, 201);
    let lease = worker.claim_as("a").await?;
    let before = json!({"title": "before", "type": "code", "priority": 47});
    let before = planner.submit(&before).await?;
    let after = json!({"title": "after", "type": "code", "priority": 49});
    let after = planner.submit(&after).await?;
    let first = spawn_chain(&worker, lease, None, 1).await?;
    spawn_chain(&worker, lease, Some(&first), 10).await?;
    for expected in [before, first, after] {
        assert_eq!(worker.claim_again("a").await?.task.to_string(), expected);
    }
    Ok(())
}

#[tokio::test]
async fn a_refused_spawn_names_tasks_only_as_the_agent_has_named_them() -> Result<()> {
    let server = Server::start().await?;
    let planner = Hand::new(&server, Role::Orchestrator).await?;
    let worker = Hand::new(&server, Role::Agent).await?;
    let foreign = json!({"title": "foreign", "type": "none", "key": "elsewhere"});
    planner.submit(&foreign).await?;
    let graph = json!({"title": "g", "tasks": [
        {"name": "parent", "title": "parent", "type": "code"},
        {"title": "other", "type": "none", "key": "beside"},
        {"name": "between", "title": "b", "type": "none", "depends_on": ["parent"]},
        {"title": "c", "type": "none", "key": "behind", "depends_on": ["between"]},
    ]});
    assert_eq!(planner.post("/v1/graphs", None, &graph).await?.0, 201);
    let lease = worker.claim_as("a").await?;
    for (on, wait, expected) in [
        ("elsewhere", false, 404),
        ("elsewhere", true, 404),
        ("beside", false, 403),
        ("behind", true, 409),
    ] {
        let child = json!({"title": "t", "type": "code", "depends_on": [on]});
        let path = format!("/v1/leases/{lease}/spawn");
        let spawn = json!({"tasks": [child], "wait": wait});
        let (status, refused) = worker.post(&path, None, &spawn).await?;
        assert_eq!(status, expected, "{on}: {refused}");
        let said = refused.to_string().replace(&lease.task.to_string(), "");
        assert!(said.contains(on), "{said}");
        assert!(!said.contains("task_"), "{said}");
    }
    Ok(())
}

#[tokio::test]
async fn an_agent_without_a_type_is_told_why_it_cannot_spawn() -> Result<()> {
    let server = Server::start().await?;
    let planner = Hand::new(&server, Role::Orchestrator).await?;
    let worker = Hand::new(&server, Role::Agent).await?;
    let parent = json!({"title": "parent", "type": "code", "profile": "workflow"});
    planner.submit(&parent).await?;
    let untyped = json!({"id": "x", "max_concurrent_tasks": 2});
    assert_eq!(worker.post("/v1/agents", None, &untyped).await?.0, 201);
    let lease = worker.claim_again("x").await?;
    let child = json!({"title": "child", "type": "a8c"});
    let (status, refused) = worker.spawn(lease, child).await?;
    assert_eq!(
        (status, &refused["field"]),
        (403, &json!("tasks")),
        "{refused}"
    );
    let detail = refused["detail"].as_str().context("a detail")?;
    assert!(
        detail.contains("agent `x` had registered no type"),
        "{detail}"
    );
    Ok(())
}

#[tokio::test]
async fn a_spawn_beyond_the_budget_is_told_how_much_is_left() -> Result<()> {
    let server = Server::start().await?;
    let planner = Hand::new(&server, Role::Orchestrator).await?;
    let worker = Hand::new(&server, Role::Agent).await?;
    let costing = |usd: f64| json!({"title": "t", "type": "code", "spec": {"constraints": {"max_cost_usd": usd}}});
    planner.submit(&costing(0.3)).await?;
    let lease = worker.claim_as("a").await?;
    let path = format!("/v1/leases/{lease}/spawn");
    for (tasks, told) in [
        (vec![costing(0.5)], "the spawning task has $0.30 left"),
        (
            vec![costing(0.2), costing(0.2)],
            "the spawning task has $0.30 left, of which the tasks before this one take $0.20",
        ),
    ] {
        let (status, refused) = worker.post(&path, None, &json!({"tasks": tasks})).await?;
        assert_eq!(status, 403, "{refused}");
        let detail = refused["detail"].as_str().context("a detail")?;
        assert!(detail.ends_with(told), "{detail}");
    }
    Ok(())
}
