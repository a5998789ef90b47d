//! Lease tokens: good for one lease, on any server of the database, and for nothing else.

use std::sync::Arc;

use anyhow::Result;
use reqwest::Method;
use serde_json::json;
use workmill_core::attempt::Outcome;
use workmill_core::ids::LeaseId;
use workmill_core::lifecycle::State;
use workmill_engine::Engine;
use workmill_protocol::keys::CreateKey;
use workmill_protocol::leases::{CompleteTask, SendHeartbeat, SpawnTasks, Usage};
use workmill_protocol::role::Role;
use workmill_sdk::{Client, ClientError};
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim};

fn status<T: std::fmt::Debug>(answer: Result<T, ClientError>) -> u16 {
    match answer {
        Err(ClientError::Refused(problem)) => problem.status,
        other => panic!("not refused: {other:?}"),
    }
}

fn done() -> CompleteTask {
    CompleteTask {
        output: serde_json::value::to_raw_value(&json!(1)).expect("JSON"),
        artifacts: Vec::new(),
        usage: Usage::default(),
        claim: None,
    }
}

#[tokio::test]
async fn a_lease_token_acts_on_its_lease_and_on_nothing_else() -> Result<()> {
    let server = Server::start().await?;
    let (producer, worker) = (
        server.client(Role::Producer).await?,
        server.client(Role::Agent).await?,
    );
    producer.submit(vec![task("a"), task("b")]).await?;
    worker.register(&agent("a")).await?;
    let (mine, other) = (
        worker.claim(&claim("a", 0)).await?.remove(0),
        worker.claim(&claim("a", 0)).await?.remove(0),
    );
    let token = worker.lease_token(mine.lease).await?;
    assert_eq!(token.lease, mine.lease);
    let held = Client::new(&server.url, &token.token)?;

    let beat = SendHeartbeat::default();
    held.start(mine.lease).await?;
    held.heartbeat(mine.lease, &beat).await?;
    let spawn = SpawnTasks {
        tasks: vec![task("child")],
        wait: false,
    };
    held.spawn(mine.lease, &spawn).await?;
    assert_eq!(status(held.heartbeat(other.lease, &beat).await), 403);
    assert_eq!(status(held.complete(other.lease, &done()).await), 403);
    assert_eq!(status(held.claim(&claim("a", 0)).await), 403);
    assert_eq!(held.task(mine.task.id).await?.status, State::Running);
    assert_eq!(status(held.task(other.task.id).await), 403);
    assert!(held.lease(mine.lease).await?.is_held);
    assert_eq!(status(held.lease(other.lease).await), 403);
    assert_eq!(status(held.lease_token(mine.lease).await), 403);
    assert_eq!(status(held.register(&agent("b")).await), 403);
    assert_eq!(status(held.keys(None).await), 403);

    let settled = held.complete(mine.lease, &done()).await?;
    assert_eq!(settled.status, State::Completed);
    assert_eq!(
        status(held.heartbeat(mine.lease, &beat).await),
        409,
        "ended"
    );
    assert_eq!(status(worker.lease_token(mine.lease).await), 409, "ended");
    assert_eq!(status(held.task(mine.task.id).await), 403, "ended");
    let ended = held.lease(mine.lease).await?;
    assert_eq!(
        (ended.is_held, ended.outcome),
        (false, Some(Outcome::Completed))
    );
    let never = LeaseId {
        epoch: 7,
        ..mine.lease
    };
    assert_eq!(status(worker.lease(never).await), 404);
    assert_eq!(
        status(server.client(Role::Agent).await?.lease(mine.lease).await),
        403
    );
    Ok(())
}

#[tokio::test]
async fn only_the_holder_gets_a_token_and_a_forged_one_is_no_key() -> Result<()> {
    let server = Server::start().await?;
    let (producer, worker, other) = (
        server.client(Role::Producer).await?,
        server.client(Role::Agent).await?,
        server.client(Role::Agent).await?,
    );
    producer.submit(vec![task("a")]).await?;
    worker.register(&agent("a")).await?;
    let lease = worker.claim(&claim("a", 0)).await?.remove(0).lease;
    assert_eq!(status(other.lease_token(lease).await), 403);
    let token = worker.lease_token(lease).await?.token;
    let last = if token.ends_with('0') { '1' } else { '0' };
    let forged = format!("{}{last}", &token[..token.len() - 1]);
    for token in [forged.as_str(), "wm_lease_", "wm_lease_00_00"] {
        let held = Client::new(&server.url, token)?;
        assert_eq!(status(held.start(lease).await), 401, "{token}");
    }
    Ok(())
}

#[tokio::test]
async fn a_lease_token_is_good_on_every_server_and_ends_with_its_key() -> Result<()> {
    let server = Server::start().await?;
    let admin = server.client(Role::Admin).await?;
    let key = CreateKey {
        name: "worker".to_owned(),
        role: Role::Agent,
        namespace: None,
    };
    let key = admin.create_key(&key).await?;
    let worker = Client::new(&server.url, &key.token)?;
    admin.submit(vec![task("a")]).await?;
    worker.register(&agent("a")).await?;
    let lease = worker.claim(&claim("a", 0)).await?.remove(0).lease;
    let token = worker.lease_token(lease).await?.token;
    // Another server on the same database has made no secret of its own.
    let other = Engine::new(Arc::clone(&server.test.store));
    assert_eq!(
        other.lease_secret().await?,
        server.engine.lease_secret().await?
    );
    let held = Client::new(&server.url, &token)?;
    held.start(lease).await?;
    admin.revoke_key(key.id).await?;
    assert_eq!(status(held.start(lease).await), 401);
    let raw = reqwest::Client::new()
        .request(
            Method::POST,
            format!("{}/v1/leases/{lease}/start", server.url),
        )
        .bearer_auth(&token)
        .send()
        .await?;
    assert!(
        !raw.text().await?.contains(&token),
        "a token never comes back"
    );
    Ok(())
}
