//! The details of a failure: where they are shown, and how large they may be.

use anyhow::{Context, Result};
use jiff::SignedDuration;
use reqwest::Method;
use serde_json::{Value, json};
use workmill_core::ids::LeaseId;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_engine::upkeep::due_promoter;
use workmill_protocol::claims::ClaimedTask;
use workmill_protocol::leases::FailTask;
use workmill_protocol::role::Role;
use workmill_sdk::Client;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim};
use crate::refusals::Raw;

async fn fail(client: &Client, lease: LeaseId, details: &Value) -> Result<State> {
    let failure = json!({"reason": "network", "message": "no route", "details": details});
    let failure: FailTask = serde_json::from_value(failure)?;
    Ok(client.fail(lease, &failure).await?.status)
}

/// Claims the task again after its retry delay.
async fn claim_again(server: &Server, client: &Client) -> Result<ClaimedTask> {
    server.test.clock.advance(SignedDuration::from_hours(1));
    due_promoter::run_once(&server.engine, server.test.clock.now()).await?;
    client.register(&agent("a")).await?;
    let claims = client.claim(&claim("a", 0)).await?;
    claims.into_iter().next().context("it is ready again")
}

#[tokio::test]
async fn details_of_a_failure_are_shown_with_its_attempt_and_handed_to_the_next() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let asked = NewTask {
        max_attempts: Some(2),
        ..task("work")
    };
    let id = client.submit(vec![asked]).await?.tasks[0].id;
    client.register(&agent("a")).await?;
    let first = client.claim(&claim("a", 0)).await?.remove(0);
    let details = json!({"stderr": "no such host", "tries": [1, 2]});
    assert_eq!(fail(&client, first.lease, &details).await?, State::Retrying);
    let ended = client.lease(first.lease).await?;
    assert_eq!(ended.details.as_ref(), Some(&details));
    assert_eq!(ended.error.as_deref(), Some("no route"));

    let second = claim_again(&server, &client).await?;
    let earlier = &second.context.earlier_attempts[0];
    assert_eq!(earlier.details.as_ref(), Some(&details));
    let last = json!("the last words");
    assert_eq!(
        fail(&client, second.lease, &last).await?,
        State::DeadLettered
    );

    let attempts = client.task(id).await?.attempts;
    let shown: Vec<_> = attempts.iter().map(|one| one.details.clone()).collect();
    assert_eq!(shown, [Some(details.clone()), Some(last.clone())]);
    let raw = Raw::new(&server, Role::Producer).await?;
    let path = format!("/v1/dead-letters/{id}");
    let (_, letter) = raw.call(Method::GET, &path, "").await?;
    let history = &letter["failure_history"];
    assert_eq!(
        [&history[0]["details"], &history[1]["details"]],
        [&details, &last]
    );
    Ok(())
}

#[tokio::test]
async fn details_are_bounded_where_they_come_in_and_where_they_are_handed_on() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let asked = NewTask {
        max_attempts: Some(9),
        ..task("work")
    };
    let id = client.submit(vec![asked]).await?.tasks[0].id;
    client.register(&agent("a")).await?;
    let first = client.claim(&claim("a", 0)).await?.remove(0);
    let too_large = fail(&client, first.lease, &json!("x".repeat(70_000))).await;
    let refusal = too_large.expect_err("it is too large").to_string();
    assert!(refusal.contains("at most 65536"), "{refusal}");

    let large = json!("x".repeat(40_000));
    fail(&client, first.lease, &large).await?;
    let second = claim_again(&server, &client).await?;
    fail(&client, second.lease, &json!("newer")).await?;
    let third = claim_again(&server, &client).await?;
    let earlier = third.context.earlier_attempts;
    assert_eq!(earlier[0].details.as_ref(), Some(&large));
    assert_eq!(earlier[1].details, Some(json!("newer")));
    fail(&client, third.lease, &large).await?;

    // Two of them are larger than a claim takes: the newest is in it.
    let fourth = claim_again(&server, &client).await?;
    let earlier = fourth.context.earlier_attempts;
    assert_eq!(
        (&earlier[0].details, earlier[0].details_left_out),
        (&None, true)
    );
    assert_eq!(earlier[2].details.as_ref(), Some(&large));
    let whole = client.task(id).await?.attempts;
    assert_eq!(whole[0].details.as_ref(), Some(&large));
    Ok(())
}
