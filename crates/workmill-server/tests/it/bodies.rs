//! Bodies on their way: slow ones, large ones, and those that are announced and never come.

use std::time::Duration;

use anyhow::Result;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use workmill_protocol::role::Role;
use workmill_server::{Listening, Pace};
use workmill_store::access::EnsureNamespace;

use crate::actors::Server;

const MIB: usize = 1024 * 1024;
const LONG: Duration = Duration::from_secs(30);

/// Begins a submission of so many bytes, and sends a part of them.
async fn begin(server: &Server, token: &str, announced: usize, sent: usize) -> Result<TcpStream> {
    let mut stream = TcpStream::connect(server.url.trim_start_matches("http://")).await?;
    let head = format!(
        "POST /v1/tasks HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
         content-length: {announced}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&vec![b' '; sent]).await?;
    Ok(stream)
}

/// Submits a task with so many bytes of white space around it; answers the status.
async fn submit(server: &Server, token: &str, size: usize) -> Result<u16> {
    let mut body = br#"{"title": "t", "type": "x"}"#.to_vec();
    body.resize(size, b' ');
    let request = reqwest::Client::new().post(format!("{}/v1/tasks", server.url));
    let answer = request.bearer_auth(token).body(body).send();
    Ok(timeout(LONG, answer).await??.status().as_u16())
}

async fn answer(stream: &mut TcpStream) -> Result<String> {
    let mut text = Vec::new();
    timeout(LONG, stream.read_to_end(&mut text)).await??;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

#[tokio::test]
async fn bodies_that_are_announced_and_do_not_come_take_nothing_from_others() -> Result<()> {
    let server = Server::start().await?;
    let token = server.token(server.test.ns, Role::Producer).await?;
    let mut idle = Vec::new();
    for _ in 0..20 {
        idle.push(begin(&server, &token, 64 * MIB, 100).await?);
    }
    assert_eq!(submit(&server, &token, 8 * MIB).await?, 201);
    Ok(())
}

#[tokio::test]
async fn a_body_that_comes_too_slowly_is_ended_with_408() -> Result<()> {
    let server = Server::start_listening(Listening {
        pace: Pace {
            window: Duration::from_millis(200),
            bytes: 1024,
        },
        ..Listening::default()
    })
    .await?;
    let token = server.token(server.test.ns, Role::Producer).await?;
    // A call without a body does not wait for one, either.
    let mut slow = begin(&server, &token, MIB, 100).await?;
    let text = answer(&mut slow).await?;
    assert!(text.starts_with("HTTP/1.1 408"), "{text}");
    assert!(
        text.contains("connection: close") && text.contains("body_too_slow"),
        "{text}"
    );
    Ok(())
}

#[tokio::test]
async fn a_namespace_that_fills_its_share_leaves_the_share_of_others() -> Result<()> {
    let server = Server::start_listening(Listening {
        request_memory: 16 * MIB,
        ..Listening::default()
    })
    .await?;
    let greedy = server.token(server.test.ns, Role::Producer).await?;
    let (ns, _) = server
        .test
        .store
        .run(&EnsureNamespace { name: "other" })
        .await?;
    let other = server.token(ns, Role::Producer).await?;
    let full = begin(&server, &greedy, 9 * MIB, 8 * MIB).await?;
    // Sent is not yet arrived: the share is full when a large body finds no place.
    while submit(&server, &greedy, MIB).await? != 503 {}
    assert_eq!(
        submit(&server, &greedy, 10_000).await?,
        201,
        "small bodies have their own"
    );
    assert_eq!(submit(&server, &other, MIB).await?, 201);
    drop(full);
    while submit(&server, &greedy, MIB).await? != 201 {}
    Ok(())
}

#[tokio::test]
async fn each_call_has_a_largest_body_of_its_own() -> Result<()> {
    let server = Server::start().await?;
    let token = server.token(server.test.ns, Role::Admin).await?;
    let send = |path: &str, size: usize| {
        let request = reqwest::Client::new().post(format!("{}{path}", server.url));
        request.bearer_auth(&token).body(vec![b' '; size]).send()
    };
    for (path, largest) in [("/v1/claims", 2), ("/v1/leases/x/complete", 16)] {
        let fits = send(path, largest * MIB).await?;
        assert_ne!(fits.status(), 413, "{path}");
        // The server may hang up before it has read all of it.
        if let Ok(refused) = send(path, largest * MIB + 1).await {
            assert_eq!(refused.status(), 413, "{path}");
            let problem: Value = refused.json().await?;
            assert_eq!(problem["code"], "too_large");
        }
    }
    Ok(())
}

/// Nine bytes that would take a hundred times as much.
#[tokio::test]
async fn free_form_json_that_takes_too_much_memory_is_refused_with_413() -> Result<()> {
    let server = Server::start().await?;
    let token = server.token(server.test.ns, Role::Producer).await?;
    let items = vec![r#"{"":0}"#; 100_000].join(",");
    let body = format!(r#"{{"title": "t", "type": "x", "metadata": [{items}]}}"#);
    let request = reqwest::Client::new().post(format!("{}/v1/tasks", server.url));
    let refused = request.bearer_auth(&token).body(body).send().await?;
    assert_eq!(refused.status(), 413);
    let problem: Value = refused.json().await?;
    assert!(
        problem["field"]
            .as_str()
            .is_some_and(|field| field.starts_with("metadata["))
    );
    Ok(())
}
