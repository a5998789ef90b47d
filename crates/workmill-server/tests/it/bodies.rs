//! Bodies on their way: slow ones, large ones, and those that are announced and never come.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use workmill_engine::shares::LONGEST_WAIT;
use workmill_protocol::role::Role;
use workmill_server::{Listening, Pace};
use workmill_store::access::EnsureNamespace;

use crate::actors::Server;

const MIB: usize = 1024 * 1024;
const LONG: Duration = Duration::from_secs(30);

/// Begins a submission of so many bytes, and sends a part of them.
async fn begin(server: &Server, token: &str, announced: usize, sent: usize) -> Result<TcpStream> {
    call(server, token, "POST", "/v1/tasks", announced, sent).await
}

/// Begins a call with a body of so many bytes, and sends a part of them.
async fn call(
    server: &Server,
    token: &str,
    method: &str,
    path: &str,
    announced: usize,
    sent: usize,
) -> Result<TcpStream> {
    let mut stream = TcpStream::connect(server.url.trim_start_matches("http://")).await?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
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
async fn calls_whose_body_has_not_arrived_hold_no_share_of_the_database() -> Result<()> {
    let server = Server::start().await?;
    let token = server.token(server.test.ns, Role::Orchestrator).await?;
    let mut half_open = Vec::new();
    for (method, path) in [("GET", "/v1/tasks"), ("POST", "/v1/claims/preview")] {
        for _ in 0..2 * server.engine.shares.places() {
            half_open.push(call(&server, &token, method, path, 1_000, 1).await?);
        }
    }
    // Each of them has been let in: the server takes connections in their order.
    let look = reqwest::Client::new().get(format!("{}/v1/stats", server.url));
    let looked = timeout(LONGEST_WAIT / 2, look.bearer_auth(&token).send()).await??;
    assert_eq!(looked.status(), 200);
    Ok(())
}

/// A server with a graph that fills all the memory for answers that its namespace may take.
struct LargeGraph {
    server: Server,
    token: String,
    path: String,
}

impl LargeGraph {
    /// Larger than what the sockets on the way keep.
    const TASKS: usize = 24;

    async fn start(longest_unread: Duration) -> Result<LargeGraph> {
        let server = Server::start_listening(Listening {
            answer_memory: 16 * MIB,
            longest_unread,
            ..Listening::default()
        })
        .await?;
        let token = server.token(server.test.ns, Role::Orchestrator).await?;
        let prompt = "x".repeat(MIB - 10_000);
        let task = |n| json!({"name": format!("t{n}"), "title": "t", "type": "x", "spec": {"prompt": prompt}});
        let tasks: Vec<Value> = (0..Self::TASKS).map(task).collect();
        let create = reqwest::Client::new().post(format!("{}/v1/graphs", server.url));
        let create = create.bearer_auth(&token);
        let created = create.json(&json!({"title": "g", "tasks": tasks})).send();
        let created: Value = created.await?.error_for_status()?.json().await?;
        let id = created["id"].as_str().context("an id")?;
        let path = format!("/v1/graphs/{id}");
        Ok(LargeGraph {
            server,
            token,
            path,
        })
    }

    async fn look(&self) -> Result<u16> {
        let request = reqwest::Client::new().get(format!("{}{}", self.server.url, self.path));
        let answer = request.bearer_auth(&self.token).send().await?;
        let status = answer.status().as_u16();
        answer.bytes().await?;
        Ok(status)
    }

    /// Asks for the graph, and reads only the beginning of the answer.
    async fn leave_unread(&self) -> Result<TcpStream> {
        let mut unread = call(&self.server, &self.token, "GET", &self.path, 0, 0).await?;
        let mut status = [0; 12];
        timeout(LONG, unread.read_exact(&mut status)).await??;
        assert_eq!(&status, b"HTTP/1.1 200");
        Ok(unread)
    }
}

#[tokio::test]
async fn a_large_answer_is_refused_while_its_namespace_leaves_others_unread() -> Result<()> {
    let graph = LargeGraph::start(LONG).await?;
    let unread = graph.leave_unread().await?;
    assert_eq!(graph.look().await?, 503);
    drop(unread);
    while graph.look().await? != 200 {}
    Ok(())
}

#[tokio::test]
async fn a_client_that_does_not_read_its_answer_is_disconnected() -> Result<()> {
    let graph = LargeGraph::start(Duration::from_millis(200)).await?;
    let mut unread = graph.leave_unread().await?;
    assert_eq!(graph.look().await?, 200, "the memory is given back");
    let mut rest = Vec::new();
    let read = timeout(LONG, unread.read_to_end(&mut rest)).await?;
    assert!(read.is_err() || rest.len() < LargeGraph::TASKS * MIB);
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
