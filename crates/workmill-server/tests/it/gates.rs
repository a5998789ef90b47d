//! Limits, budgets and pauses over HTTP.

use anyhow::{Context, Result};
use reqwest::Method;
use serde_json::{Value, json};
use workmill_core::ids::GraphId;
use workmill_core::money::Micros;
use workmill_core::task::NewTask;
use workmill_engine::upkeep::gate_keeper;
use workmill_protocol::gates::{SetBudget, SetLimit, SetPause};
use workmill_protocol::graphs::{CancelGraph, CreateGraph};
use workmill_protocol::leases::CompleteTask;
use workmill_protocol::role::Role;
use workmill_sdk::Client;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim, status};
use crate::refusals::Raw;

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

fn limit(max: i64) -> SetLimit {
    SetLimit {
        max,
        shares: false,
        note: Some("as agreed".to_owned()),
    }
}

/// A task that may cost so much.
fn costing(amount: i64) -> NewTask {
    let mut task = task("costly");
    task.spec.constraints.max_cost_usd = Some(dollars(amount));
    task
}

async fn claims(client: &Client) -> Result<usize> {
    Ok(client.claim(&claim("ann", 0)).await?.len())
}

#[tokio::test]
async fn limits_budgets_and_pauses_are_listed_in_pages() -> Result<()> {
    let server = Server::start().await?;
    let token = server.token(server.test.ns, Role::Operator).await?;
    let client = Client::new(&server.url, &token)?;
    let get = async |path: &str| -> Result<Value> {
        let request = reqwest::Client::new().get(format!("{}{path}", server.url));
        let answer = request.bearer_auth(&token).send().await?;
        Ok(answer.error_for_status()?.json().await?)
    };
    for n in 0..3 {
        let limit = SetLimit {
            max: 1,
            shares: false,
            note: None,
        };
        client.set_limit(&format!("type:t{n}"), &limit).await?;
        client
            .pause(&format!("type:t{n}"), &SetPause::default())
            .await?;
        let budget = json!({"title": "g", "budget_usd": 1, "tasks": [{"title": "t", "type": "x"}]});
        let create = reqwest::Client::new().post(format!("{}/v1/graphs", server.url));
        let created = create.bearer_auth(&token).json(&budget).send().await?;
        created.error_for_status()?;
    }
    for list in ["limits", "pauses", "budgets"] {
        let whole = get(&format!("/v1/{list}")).await?;
        let whole = whole["items"].as_array().context("items")?.clone();
        assert_eq!(whole.len(), 3, "{list}");
        let first = get(&format!("/v1/{list}?limit=2")).await?;
        assert_eq!(first["items"], json!(whole[..2]), "{list}");
        let cursor = first["next_cursor"].as_str().context("a cursor")?;
        let second = get(&format!("/v1/{list}?limit=2&cursor={cursor}")).await?;
        assert_eq!(second["items"], json!(whole[2..]), "{list}");
        assert_eq!(second["next_cursor"], Value::Null, "{list}");
    }
    assert_eq!(client.budgets().await?.len(), 3);
    Ok(())
}

/// H-8 (part)
#[tokio::test]
async fn a_limit_is_set_seen_and_removed() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    client.register(&agent("ann")).await?;
    client.submit(vec![task("a"), task("b"), task("c")]).await?;
    let set = client.set_limit("type:code", &limit(1)).await?;
    assert_eq!((set.scope.as_str(), set.max, set.used), ("type:code", 1, 0));
    assert_eq!(
        (set.set_by.as_str(), set.note.as_deref()),
        ("operator", Some("as agreed"))
    );
    assert_eq!(claims(&client).await?, 1);
    assert_eq!(claims(&client).await?, 0);
    let seen = client.limits().await?;
    assert_eq!(
        (seen.len(), seen[0].used, seen[0].has_waiting),
        (1, 1, true)
    );
    assert_eq!(client.set_limit("type:code", &limit(2)).await?.used, 1);
    assert_eq!(claims(&client).await?, 1, "raising it is enough");
    client.remove_limit("type:code").await?;
    assert!(client.limits().await?.is_empty());
    assert_eq!(claims(&client).await?, 1);
    assert_eq!(status(client.remove_limit("type:code").await), 404);
    let shared = SetLimit {
        shares: true,
        ..limit(100)
    };
    client.set_limit("namespace", &shared).await?;
    let scopes: Vec<(String, i64)> = client
        .limits()
        .await?
        .into_iter()
        .map(|limit| (limit.scope, limit.max))
        .collect();
    for expected in [
        ("namespace", 100),
        ("all_but_critical", 80),
        ("class:low", 5),
    ] {
        assert!(
            scopes.contains(&(expected.0.to_owned(), expected.1)),
            "{scopes:?}"
        );
    }
    client.set_limit("label:provider:a/b c", &limit(3)).await?;
    client.remove_limit("label:provider:a/b c").await?;
    Ok(())
}

/// F-18
#[tokio::test]
async fn raising_a_used_up_budget_is_the_one_call_that_goes_on() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    client.register(&agent("ann")).await?;
    let graph = CreateGraph {
        title: "g".to_owned(),
        draft: false,
        budget_usd: Some(dollars(5)),
        project_id: None,
        created_by: None,
        tasks: vec![costing(4), costing(4)],
    };
    let graph = client.create_graph(&graph).await?.id;
    let lease = client.claim(&claim("ann", 0)).await?.remove(0).lease;
    assert_eq!(claims(&client).await?, 0, "one dollar is left");
    let scope = format!("graph:{graph}");
    let seen = client.budgets().await?.remove(0);
    assert_eq!(
        (
            seen.scope.as_str(),
            seen.budget_usd,
            seen.used_usd,
            seen.remaining_usd
        ),
        (scope.as_str(), dollars(5), dollars(4), dollars(1))
    );
    assert!(seen.has_waiting);
    let raised = client.set_budget(&scope, &budget(8)).await?;
    assert_eq!(
        (raised.budget_usd, raised.spent_usd),
        (dollars(8), Micros::ZERO)
    );
    assert_eq!(claims(&client).await?, 1);
    let done: CompleteTask = serde_json::from_str(r#"{"usage": {"cost_usd": 3}}"#)?;
    client.complete(lease, &done).await?;
    let seen = client.budgets().await?.remove(0);
    assert_eq!((seen.spent_usd, seen.used_usd), (dollars(3), dollars(7)));
    client.remove_budget(&scope).await?;
    assert!(client.budgets().await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn the_budget_of_each_day_shows_what_today_has_used() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    client.register(&agent("ann")).await?;
    client.submit(vec![costing(2)]).await?;
    let each_day = SetBudget {
        time_zone: Some("Europe/Berlin".to_owned()),
        ..budget(10)
    };
    client.set_budget("each_day", &each_day).await?;
    assert_eq!(claims(&client).await?, 1);
    let seen = client.budgets().await?;
    assert_eq!(seen.len(), 1, "single days are not listed");
    assert_eq!(
        (
            seen[0].scope.as_str(),
            seen[0].used_usd,
            seen[0].remaining_usd
        ),
        ("each_day", dollars(2), dollars(8))
    );
    assert_eq!(seen[0].time_zone.as_deref(), Some("Europe/Berlin"));
    Ok(())
}

#[tokio::test]
async fn what_is_paused_starts_nothing_until_it_is_resumed() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    client.register(&agent("ann")).await?;
    client.submit(vec![task("a")]).await?;
    let why = SetPause {
        note: Some("the provider is down".to_owned()),
    };
    for scope in ["namespace", "type:code"] {
        let set = client.pause(scope, &why).await?;
        assert_eq!(
            (set.scope.as_str(), set.set_by.as_str()),
            (scope, "operator")
        );
        assert_eq!(claims(&client).await?, 0);
        let seen = client.pauses().await?;
        assert_eq!((seen.len(), &seen[0].note), (1, &why.note));
        client.resume(scope).await?;
        assert_eq!(status(client.resume(scope).await), 404);
    }
    assert_eq!(claims(&client).await?, 1);
    Ok(())
}

#[tokio::test]
async fn bad_gates_are_refused_and_set_nothing() -> Result<()> {
    let server = Server::start().await?;
    let raw = Raw::new(&server, Role::Operator).await?;
    for (path, body, field) in [
        ("limits/colour:red", json!({"max": 1}), "scope"),
        ("limits/namespace:x", json!({"max": 1}), "scope"),
        (
            "limits/graph:dag_01J8K2M0000000000000000000",
            json!({"max": 1}),
            "scope",
        ),
        ("limits/type:x", json!({"max": -1}), "max"),
        ("limits/type:x", json!({"max": 1, "maximum": 1}), "maximum"),
        ("limits/type:x", json!({"max": 1, "shares": true}), "shares"),
        ("limits/type:x", json!({"max": 1, "note": "a\u{0}"}), "note"),
        ("limits/type:a%0Ab", json!({"max": 1}), "scope"),
        ("budgets/type:x", json!({"budget_usd": 1}), "scope"),
        ("budgets/day:2026-11-15", json!({"budget_usd": 1}), "scope"),
        ("budgets/namespace", json!({"budget_usd": -1}), "budget_usd"),
        (
            "budgets/each_day",
            json!({"budget_usd": 1, "time_zone": "Mars"}),
            "time_zone",
        ),
        (
            "budgets/namespace",
            json!({"budget_usd": 1, "time_zone": "UTC"}),
            "time_zone",
        ),
        ("pauses/source:cron", json!({}), "scope"),
        ("pauses/type:x", json!({"why": "x"}), "why"),
    ] {
        let path = format!("/v1/{path}");
        let (status, problem) = raw.call(Method::PUT, &path, &body.to_string()).await?;
        assert_eq!(status, 400, "{path} {body} {problem}");
        assert_eq!(problem["field"], json!(field), "{path} {body}");
    }
    for kind in ["limits", "budgets", "pauses"] {
        let (_, list) = raw.call(Method::GET, &format!("/v1/{kind}"), "").await?;
        assert_eq!(list, json!({"items": [], "next_cursor": null}));
    }
    Ok(())
}

#[tokio::test]
async fn gates_are_for_operators_and_on_ones_own_graphs_only() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    let mine: GraphId = client.submit(vec![task("alone")]).await?.tasks[0].dag_id;
    let foreign = server.foreign_client(Role::Operator).await?;
    let scope = format!("graph:{mine}");
    assert_eq!(status(foreign.set_budget(&scope, &budget(1)).await), 404);
    assert_eq!(
        status(foreign.pause(&scope, &SetPause::default()).await),
        404
    );
    client.pause(&scope, &SetPause::default()).await?;
    assert_eq!(status(foreign.resume(&scope).await), 404);
    assert!(foreign.pauses().await?.is_empty());
    let orchestrator = server.client(Role::Orchestrator).await?;
    assert_eq!(
        status(orchestrator.set_limit("namespace", &limit(1)).await),
        403
    );
    assert_eq!(
        status(orchestrator.set_budget("namespace", &budget(1)).await),
        403
    );
    assert_eq!(
        status(orchestrator.pause("namespace", &SetPause::default()).await),
        403
    );
    assert_eq!(status(orchestrator.resume(&scope).await), 403);
    assert_eq!(orchestrator.pauses().await?.len(), 1, "but they may look");
    let worker = server.client(Role::Agent).await?;
    assert_eq!(status(worker.limits().await), 403);
    Ok(())
}

/// The budgets and pauses of graphs that have ended are out of the way of lists and claims, and hold again when
/// their graph goes on.
#[tokio::test]
async fn a_budget_of_an_ended_graph_is_put_aside_until_the_graph_goes_on() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    let raw = Raw::new(&server, Role::Operator).await?;
    client.register(&agent("ann")).await?;
    let graph = CreateGraph {
        title: "g".to_owned(),
        draft: false,
        budget_usd: Some(dollars(3)),
        project_id: None,
        created_by: None,
        tasks: vec![costing(1)],
    };
    let graph = client.create_graph(&graph).await?.id;
    let scope = format!("graph:{graph}");
    let done = |cost: f64| CompleteTask {
        output: serde_json::value::to_raw_value(&1).expect("JSON"),
        artifacts: Vec::new(),
        usage: serde_json::from_value(json!({"cost_usd": cost})).expect("a usage"),
        claim: None,
    };
    let keep = async || gate_keeper::run_once(&server.engine, true).await;
    keep().await?;
    assert_eq!(client.budgets().await?.len(), 1, "it runs");
    let lease = client.claim(&claim("ann", 0)).await?.remove(0).lease;
    client.complete(lease, &done(1.0)).await?;
    assert_eq!(keep().await?.retired, 1);
    assert_eq!(client.budgets().await?, []);
    let shown = client.graph(graph).await?.budget_ceiling_usd;
    assert_eq!(shown, Some(dollars(3)), "the graph still shows it");
    let ended = client.budgets_of_ended_graphs().await?;
    assert_eq!((ended.len(), ended[0].scope.as_str()), (1, scope.as_str()));
    assert_eq!(
        (ended[0].budget_usd, ended[0].spent_usd),
        (dollars(3), dollars(1))
    );
    let database = server.test.database.client().await?;
    let gates = "select count(*) from workmill.gate where ns = $1";
    let left = database.query_one(gates, &[&server.test.ns.0]).await?;
    assert_eq!(left.get::<_, i64>(0), 0, "no claim reads it");

    let more = json!({"tasks": [costing(2), costing(2)]}).to_string();
    let path = format!("/v1/graphs/{graph}/tasks");
    let (status, _) = raw.call(Method::POST, &path, &more).await?;
    assert_eq!(status, 201);
    let back = client.budgets().await?.remove(0);
    assert_eq!((back.scope, back.spent_usd), (scope.clone(), dollars(1)));
    assert_eq!(client.budgets_of_ended_graphs().await?, []);
    let lease = client.claim(&claim("ann", 0)).await?.remove(0).lease;
    assert_eq!(
        claims(&client).await?,
        0,
        "one dollar spent, two reserved, of three"
    );
    client.complete(lease, &done(2.0)).await?;
    assert_eq!(claims(&client).await?, 0);
    client.cancel_graph(graph, &CancelGraph::default()).await?;
    assert_eq!(keep().await?.retired, 1);
    assert_eq!(client.budgets().await?, []);

    // Whoever changes it finds it as it was.
    let raised = client.set_budget(&scope, &budget(9)).await?;
    assert_eq!(
        (raised.spent_usd, raised.budget_usd),
        (dollars(3), dollars(9))
    );
    assert_eq!(keep().await?.retired, 1);
    client.remove_budget(&scope).await?;
    assert_eq!(client.budgets_of_ended_graphs().await?, []);
    assert_eq!(client.graph(graph).await?.budget_ceiling_usd, None);
    Ok(())
}
