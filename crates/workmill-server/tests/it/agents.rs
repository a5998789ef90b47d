//! Agents over HTTP: registering, signs of life, looking, changing.

use anyhow::Result;
use reqwest::Method;
use serde_json::json;
use workmill_core::agent::AgentStatus;
use workmill_core::money::Micros;
use workmill_protocol::agents::{ChangeAgent, RegisterAgent};
use workmill_protocol::role::Role;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim, status};
use crate::refusals::Raw;

fn draining() -> ChangeAgent {
    ChangeAgent {
        status: Some(AgentStatus::Draining),
        ..ChangeAgent::default()
    }
}

/// F-19
#[tokio::test]
async fn an_agent_is_shown_with_the_fields_of_its_registration_and_what_it_holds() -> Result<()> {
    let server = Server::start().await?;
    let raw = Raw::new(&server, Role::Admin).await?;
    let body = r#"{"id": "coder/1", "type": "coder", "capabilities": ["git", "python"],
        "models_available": ["large"], "max_concurrent_tasks": 2, "claim_ttl_sec": 20.5}"#;
    let (created, answer) = raw.call(Method::POST, "/v1/agents", body).await?;
    assert_eq!(created, 201);
    assert_eq!(
        answer,
        json!({
            "id": "coder/1", "status": "active", "session": answer["session"],
            "poll_interval_sec": 5.0, "heartbeat_interval_sec": 30.0, "offline_after_sec": 120.0,
            "by_hand": false,
        })
    );
    assert!(answer["session"].is_string());
    let (_, submitted) = raw
        .call(Method::POST, "/v1/tasks", r#"{"title": "t", "type": "x"}"#)
        .await?;
    let body = r#"{"agent": "coder/1", "start": true}"#;
    raw.call(Method::POST, "/v1/claims", body).await?;
    let (found, shown) = raw.call(Method::GET, "/v1/agents/coder%2F1", "").await?;
    assert_eq!(found, 200);
    let now = shown["last_heartbeat"].clone();
    assert_eq!(
        shown,
        json!({
            "id": "coder/1", "type": "coder", "capabilities": ["git", "python"],
            "models_available": ["large"], "task_types": [], "by_hand": false,
            "max_concurrent_tasks": 2, "current_tasks": 1,
            "tasks": [submitted["tasks"][0]["id"]], "status": "active",
            "last_heartbeat": now, "registered_at": now, "poll_interval_sec": 5.0,
            "claim_ttl_sec": 20.5,
        })
    );
    Ok(())
}

/// F-19
#[tokio::test]
async fn an_operator_drains_an_agent_and_lets_it_work_again() -> Result<()> {
    let server = Server::start().await?;
    let (operator, worker) = (
        server.client(Role::Operator).await?,
        server.client(Role::Agent).await?,
    );
    worker.register(&agent("a b")).await?;
    operator.submit(vec![task("work")]).await?;
    let changed = operator.change_agent("a b", &draining()).await?;
    assert_eq!(
        (changed.status, changed.status_set_by.as_deref()),
        (AgentStatus::Draining, Some("operator"))
    );
    assert_eq!(status(worker.claim(&claim("a b", 0)).await), 409);
    let again = worker.register(&agent("a b")).await?;
    assert_eq!(
        again.status,
        AgentStatus::Draining,
        "a restart is no way out"
    );
    let heard = worker.agent_heartbeat("a b").await?;
    assert_eq!(heard.status, AgentStatus::Draining);
    let active = ChangeAgent {
        status: Some(AgentStatus::Active),
        max_concurrent_tasks: Some(9),
        capabilities: Some(vec!["git".to_owned()]),
        budget_remaining_usd: None,
    };
    let changed = operator.change_agent("a b", &active).await?;
    assert_eq!(
        (changed.max_concurrent_tasks, changed.status_set_by),
        (9, None)
    );
    assert_eq!(changed.capabilities, ["git"]);
    assert_eq!(worker.claim(&claim("a b", 0)).await?.len(), 1);
    Ok(())
}

/// F-18, F-19
#[tokio::test]
async fn only_an_operator_raises_the_budget_of_an_agent() -> Result<()> {
    let server = Server::start().await?;
    let (operator, worker) = (
        server.client(Role::Operator).await?,
        server.client(Role::Agent).await?,
    );
    let with = |dollars: i64| RegisterAgent {
        budget_remaining_usd: Some(Micros(dollars * 1_000_000)),
        ..RegisterAgent::new("spender")
    };
    let mut costly = task("costly");
    costly.spec.constraints.max_cost_usd = Some(Micros(4_000_000));
    operator.submit(vec![costly]).await?;
    worker.register(&with(3)).await?;
    worker.register(&with(30)).await?;
    let left = operator.agent("spender").await?.budget_remaining_usd;
    assert_eq!(
        left,
        Some(Micros(3_000_000)),
        "a restart is no way to money"
    );
    assert!(worker.claim(&claim("spender", 0)).await?.is_empty());
    let more = ChangeAgent {
        budget_remaining_usd: Some(Micros(5_000_000)),
        ..ChangeAgent::default()
    };
    operator.change_agent("spender", &more).await?;
    assert_eq!(worker.claim(&claim("spender", 0)).await?.len(), 1);
    let left = operator.agent("spender").await?.budget_remaining_usd;
    assert_eq!(left, Some(Micros(1_000_000)), "four are reserved");
    Ok(())
}

/// F-19
#[tokio::test]
async fn agents_are_listed_in_pages() -> Result<()> {
    let server = Server::start().await?;
    let (client, raw) = (
        server.client(Role::Admin).await?,
        Raw::new(&server, Role::Producer).await?,
    );
    for id in ["c", "a", "b &?"] {
        let described = RegisterAgent {
            poll_interval_sec: Some(0.5),
            ..RegisterAgent::new(id)
        };
        assert!((client.register(&described).await?.poll_interval_sec - 0.5).abs() < 1e-9);
    }
    let (_, first) = raw.call(Method::GET, "/v1/agents?limit=1", "").await?;
    assert_eq!(
        (&first["items"][0]["id"], &first["next_cursor"]),
        (&json!("a"), &json!("b &?"))
    );
    let rest = client.agents(Some("b &?")).await?;
    let ids: Vec<&str> = rest.items.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(
        (ids.as_slice(), rest.next_cursor),
        (["b &?", "c"].as_slice(), None)
    );
    assert_eq!(client.agents(None).await?.items.len(), 3);
    for query in [
        "limit=0",
        "limit=1001",
        "limit=x",
        "colour=red",
        "cursor=%00",
    ] {
        let (refused, problem) = raw
            .call(Method::GET, &format!("/v1/agents?{query}"), "")
            .await?;
        assert_eq!(
            (refused.as_u16(), &problem["code"]),
            (400, &json!("invalid")),
            "{query}"
        );
    }
    Ok(())
}

#[tokio::test]
async fn agents_are_changed_only_by_operators_and_only_where_they_are() -> Result<()> {
    let server = Server::start().await?;
    let owner = server.client(Role::Agent).await?;
    owner.register(&agent("a")).await?;
    for role in [Role::Producer, Role::Agent, Role::Orchestrator] {
        let client = server.client(role).await?;
        assert_eq!(
            status(client.change_agent("a", &draining()).await),
            403,
            "{role}"
        );
    }
    let foreign = server.foreign_client(Role::Operator).await?;
    assert_eq!(status(foreign.agent("a").await), 404);
    assert_eq!(status(foreign.change_agent("a", &draining()).await), 404);
    assert_eq!(status(foreign.agent_heartbeat("a").await), 404);
    assert!(foreign.agents(None).await?.items.is_empty());
    let another = server.client(Role::Agent).await?;
    assert_eq!(status(another.agent_heartbeat("a").await), 403);
    assert_eq!(
        owner.agent_heartbeat("a").await?.status,
        AgentStatus::Active
    );

    let session = owner.agent_heartbeat("a").await?.session.expect("one");
    assert_eq!(status(another.sign_off("a", session).await), 403);
    assert_eq!(status(foreign.sign_off("a", session).await), 404);
    let signed_off = owner.sign_off("a", session).await?;
    assert_eq!(signed_off.status, AgentStatus::Offline);

    let raw = Raw::new(&server, Role::Operator).await?;
    for (path, body, code) in [
        ("/v1/agents/a", r#"{"budget": 1}"#, 400),
        ("/v1/agents/a", r#"{"status": "asleep"}"#, 400),
        ("/v1/agents/a", r#"{"max_concurrent_tasks": 0}"#, 400),
        ("/v1/agents/%00", r#"{"status": "active"}"#, 404),
        ("/v1/agents/b", "{}", 404),
    ] {
        let (refused, problem) = raw.call(Method::PATCH, path, body).await?;
        assert_eq!(refused.as_u16(), code, "{path} {body}: {problem}");
    }
    Ok(())
}
