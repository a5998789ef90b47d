//! Claiming the next tasks with the end of a lease.

use anyhow::{Context, Result};
use reqwest::Method;
use serde_json::{Value, json};
use workmill_core::agent::AgentStatus;
use workmill_core::lifecycle::State;
use workmill_protocol::agents::ChangeAgent;
use workmill_protocol::role::Role;
use workmill_sdk::Client;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim};
use crate::refusals::Raw;

/// A key, once as a client and once for bare requests.
async fn key(server: &Server, role: Role) -> Result<(Client, Raw<'_>)> {
    let token = server.token(server.test.ns, role).await?;
    let client = Client::new(&server.url, &token)?;
    Ok((client, Raw::with_token(server, token)))
}

/// Registers an agent with four slots, submits four tasks and claims one of them.
async fn lease_of(client: &Client, name: &str) -> Result<String> {
    client.register(&agent(name)).await?;
    let tasks = ["a", "b", "c", "d"].map(task);
    client.submit(tasks.to_vec()).await?;
    let claimed = client.claim(&claim(name, 0)).await?;
    let first = claimed.first().context("there are four tasks")?;
    Ok(first.lease.to_string())
}

fn path(lease: &str, what: &str) -> String {
    format!("/v1/leases/{lease}/{what}")
}

/// The members of an object, of all its levels.
fn members(value: &Value) -> Vec<String> {
    let of = |(name, value): (&String, &Value)| {
        let below = members(value).into_iter();
        let below = below.map(|member| format!("{name}.{member}"));
        below.chain([name.clone()]).collect::<Vec<_>>()
    };
    value
        .as_object()
        .into_iter()
        .flat_map(|object| object.iter().flat_map(of))
        .collect()
}

#[tokio::test]
async fn a_completion_and_a_failure_return_the_next_claims_and_return_them_again() -> Result<()> {
    let server = Server::start().await?;
    let (client, raw) = key(&server, Role::Admin).await?;
    let first = lease_of(&client, "a").await?;
    let like = client.claim(&claim("a", 0)).await?;
    let like = serde_json::to_value(&like[0])?;

    let body = r#"{"output": 1, "claim": {"max": 1, "start": true}}"#;
    let complete = path(&first, "complete");
    let (status, answer) = raw.call(Method::POST, &complete, body).await?;
    assert_eq!(
        (status.as_u16(), &answer["status"]),
        (200, &json!("completed"))
    );
    assert_eq!(answer["claims"].as_array().map(Vec::len), Some(1));
    assert_eq!(members(&answer["claims"][0]), members(&like));
    let again = raw.call(Method::POST, &complete, body).await?.1;
    let lease = answer["claims"][0]["lease"].clone();
    assert_eq!(again["claims"][0]["lease"], lease);
    assert_eq!(again["claims"].as_array().map(Vec::len), Some(1));

    let body = r#"{"reason": "not_found", "message": "no file", "claim": {}}"#;
    let fail = path(lease.as_str().context("a lease")?, "fail");
    let answer = raw.call(Method::POST, &fail, body).await?.1;
    assert_eq!(answer["status"], json!("dead_lettered"));
    assert_eq!(answer["claims"][0]["status"], json!("claimed"));
    let last = like["lease"].as_str().context("a lease")?;

    let none = raw
        .call(Method::POST, &path(last, "complete"), "{}")
        .await?
        .1;
    assert_eq!(
        none,
        json!({"status": "completed"}),
        "nothing was asked for"
    );
    Ok(())
}

#[tokio::test]
async fn what_the_claim_of_the_next_tasks_does_not_take_is_refused_by_name() -> Result<()> {
    let server = Server::start().await?;
    let (client, raw) = key(&server, Role::Admin).await?;
    let lease = lease_of(&client, "a").await?;
    for (claim, field) in [
        (json!({"wait_ms": 1000}), "claim.wait_ms"),
        (json!({"agent": "b"}), "claim.agent"),
        (json!({"max": 0}), "claim.max"),
        (json!({"lease_sec": 0}), "claim.lease_sec"),
    ] {
        let body = json!({"output": 1, "claim": claim}).to_string();
        let (status, problem) = raw
            .call(Method::POST, &path(&lease, "complete"), body)
            .await?;
        assert_eq!((status.as_u16(), &problem["field"]), (400, &json!(field)));
    }
    let release = r#"{"claim": {}}"#;
    let (status, problem) = raw
        .call(Method::POST, &path(&lease, "release"), release)
        .await?;
    assert_eq!((status.as_u16(), &problem["field"]), (400, &json!("claim")));
    assert!(
        client.lease(lease.parse()?).await?.is_held,
        "nothing was settled"
    );
    Ok(())
}

#[tokio::test]
async fn neither_a_lease_token_nor_the_key_of_another_agent_claims_the_next_task() -> Result<()> {
    let server = Server::start().await?;
    let (client, _) = key(&server, Role::Admin).await?;
    let lease = lease_of(&client, "a").await?;
    let token = client.lease_token(lease.parse()?).await?.token;
    let (other, raw_other) = key(&server, Role::Agent).await?;
    other.register(&agent("b")).await?;
    let complete = path(&lease, "complete");
    for key in [Raw::with_token(&server, token), raw_other] {
        let body = r#"{"output": 1, "claim": {}}"#;
        let status = key.call(Method::POST, &complete, body).await?.0;
        assert_eq!(status.as_u16(), 403);
    }
    assert!(client.lease(lease.parse()?).await?.is_held);
    assert_eq!(client.agent("a").await?.current_tasks, 1);
    assert_eq!(client.agent("b").await?.current_tasks, 0);
    Ok(())
}

#[tokio::test]
async fn a_settlement_of_a_batch_has_its_own_claims_and_all_together_a_bound() -> Result<()> {
    let server = Server::start().await?;
    let (client, raw) = key(&server, Role::Admin).await?;
    let first = lease_of(&client, "a").await?;
    let second = client.claim(&claim("a", 0)).await?[0].lease.to_string();
    let items = |max: i32| {
        json!({"settlements": [
            {"lease": first, "complete": {"output": 1, "claim": {"max": max}}},
            {"lease": second, "fail": {"reason": "not_found", "claim": {"max": 1}}},
            {"lease": "nonsense", "complete": {"output": 1, "claim": {}}},
        ]})
        .to_string()
    };
    let (status, problem) = raw
        .call(Method::POST, "/v1/settlements", items(999))
        .await?;
    assert_eq!(
        (status.as_u16(), &problem["field"]),
        (400, &json!("settlements"))
    );
    let answer = raw.call(Method::POST, "/v1/settlements", items(1)).await?.1;
    for item in [0, 1] {
        let claims = &answer["items"][item]["result"]["claims"];
        assert_eq!(claims.as_array().map(Vec::len), Some(1), "{item}");
    }
    assert_eq!(answer["items"][2]["problem"]["code"], json!("not_found"));
    Ok(())
}

#[tokio::test]
async fn the_end_of_a_lease_is_accepted_though_its_agent_may_not_claim() -> Result<()> {
    let server = Server::start().await?;
    let (client, raw) = key(&server, Role::Admin).await?;
    let lease = lease_of(&client, "a").await?;
    let draining = ChangeAgent {
        status: Some(AgentStatus::Draining),
        ..ChangeAgent::default()
    };
    client.change_agent("a", &draining).await?;
    let body = r#"{"output": 1, "claim": {}}"#;
    let answer = raw
        .call(Method::POST, &path(&lease, "complete"), body)
        .await?
        .1;
    assert_eq!(answer["status"], serde_json::to_value(State::Completed)?);
    assert_eq!(answer["claims"], json!([]));
    assert_eq!(answer["claim_problem"]["code"], json!("conflict"));
    Ok(())
}
