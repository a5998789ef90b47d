//! More than can be done: the queues stay bounded, who comes too late is told so at once, and other
//! namespaces go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use axum::body::Bytes;
use futures_util::future::{join_all, try_join_all};
use reqwest::{Method, Response};
use serde_json::Value;
use tokio::time::timeout;
use uuid::Uuid;
use workmill_core::ids::Namespace;
use workmill_engine::Caller;
use workmill_protocol::role::Role;
use workmill_server::Listening;
use workmill_store::access::EnsureNamespace;
use workmill_testkit::factory::task;

use crate::actors::Server;

/// Nothing here takes nearly so long.
const LONG: Duration = Duration::from_mins(1);

/// Somebody who calls; clones share their connections.
#[derive(Clone)]
struct Actor {
    http: reqwest::Client,
    url: String,
    token: String,
}

impl Actor {
    async fn new(server: &Server, ns: Namespace) -> Result<Self> {
        let actor = Actor {
            http: reqwest::Client::new(),
            url: server.url.clone(),
            token: server.token(ns, Role::Producer).await?,
        };
        let welcome = actor.submit(one_task()).await?;
        assert_eq!(welcome.status(), 201);
        // The first use of a key is noted behind the answer: a commit that no test shall meet.
        let database = server.test.database.client().await?;
        let unused = "select 1 from workmill.api_key where used_at is null";
        while !database.query(unused, &[]).await?.is_empty() {
            tokio::task::yield_now().await;
        }
        Ok(actor)
    }

    async fn call(&self, method: Method, path: &str, body: Bytes) -> Result<Response> {
        let request = self.http.request(method, format!("{}{path}", self.url));
        let request = request.bearer_auth(&self.token).body(body);
        Ok(timeout(LONG, request.send()).await??)
    }

    async fn submit(&self, body: Bytes) -> Result<Response> {
        self.call(Method::POST, "/v1/tasks", body).await
    }
}

fn one_task() -> Bytes {
    Bytes::from_static(br#"{"title": "t", "type": "x"}"#)
}

/// A task with so much white space behind it.
fn large_body(size: usize) -> Bytes {
    let mut body = one_task().to_vec();
    body.resize(size, b' ');
    Bytes::from(body)
}

async fn start() -> Result<Server> {
    Server::start_listening(Listening {
        has_open_metrics: true,
        ..Listening::default()
    })
    .await
}

async fn another_namespace(server: &Server) -> Result<Namespace> {
    let foreign = EnsureNamespace { name: "foreign" };
    Ok(server.test.store.run(&foreign).await?.0)
}

/// Requests that wait for the next batch of this kind.
async fn waiting(server: &Server, operation: &str) -> Result<usize> {
    let text = reqwest::get(format!("{}/metrics", server.url))
        .await?
        .text()
        .await?;
    let series = format!("workmill_gatherer_waiting{{operation=\"{operation}\"}} ");
    let line = text.lines().find_map(|line| line.strip_prefix(&series));
    Ok(line.context("the gauge")?.parse()?)
}

async fn wait_until_waiting(server: &Server, operation: &str, length: usize) -> Result<()> {
    let reached = async {
        while waiting(server, operation).await? != length {
            tokio::task::yield_now().await;
        }
        anyhow::Ok(())
    };
    timeout(LONG, reached).await?
}

async fn assert_overloaded(answer: Response) -> Result<()> {
    assert_eq!(answer.status(), 503);
    assert!(answer.headers().contains_key("retry-after"));
    let problem: Value = answer.json().await?;
    assert_eq!(problem["code"], "overloaded", "{problem}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_database_stalls_the_queue_stays_at_its_bound_and_another_namespace_goes_on()
-> Result<()> {
    const LONGEST_QUEUE: usize = 2_000;
    const PATIENT: usize = 900;
    let server = start().await?;
    let crowd = Actor::new(&server, server.test.ns).await?;
    let other = Actor::new(&server, another_namespace(&server).await?).await?;
    let points = &server.test.store.test_points;
    let mut commits = points.pause_at("commit");
    let first = tokio::spawn({
        let crowd = crowd.clone();
        async move { crowd.submit(one_task()).await }
    });
    let stalled = commits.arrival().await;

    // By the engine, as one connection each would need more open files than tests may have.
    let queue_up = |count: usize| {
        let (engine, ns) = (Arc::clone(&server.engine), server.test.ns);
        tokio::spawn(async move {
            let (key, name) = (Uuid::nil(), "crowd".to_owned());
            let caller = Caller {
                ns,
                key,
                name,
                authority: workmill_core::authority::Authority::Orchestrator,
            };
            let tasks = [task("one of many")];
            let submits = (0..count).map(|_| engine.submit_tasks(&caller, &tasks, None));
            try_join_all(submits).await
        })
    };
    let patient = queue_up(PATIENT);
    let impatient = queue_up(LONGEST_QUEUE - PATIENT);
    wait_until_waiting(&server, "submit", LONGEST_QUEUE).await?;
    let begun = Instant::now();
    for answer in join_all((0..200).map(|_| crowd.submit(one_task()))).await {
        assert_overloaded(answer?).await?;
    }
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(waiting(&server, "submit").await?, LONGEST_QUEUE);

    let (answer, ()) = tokio::join!(other.submit(one_task()), async {
        commits.arrival().await.go_on();
    });
    assert_eq!(answer?.status(), 201, "the other namespace is not stalled");

    impatient.abort();
    assert!(impatient.await.is_err());
    let left = waiting(&server, "submit").await?;
    assert!(
        left <= 2 * PATIENT,
        "{left} wait, {PATIENT} of them are there"
    );
    points.disarm("commit");
    stalled.go_on();
    assert_eq!(first.await??.status(), 201);
    assert_eq!(patient.await??.len(), PATIENT);
    assert_eq!(waiting(&server, "submit").await?, 0);
    let database = server.test.database.client().await?;
    let stored = "select count(*) from workmill.state where ns = $1";
    let stored: i64 = database
        .query_one(stored, &[&server.test.ns.0])
        .await?
        .get(0);
    assert_eq!(
        usize::try_from(stored)?,
        2 + PATIENT,
        "for those who had gone, nothing"
    );
    Ok(())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Who calls alone shares nothing with the flood but the machine: it does not wait longer than two
/// turns of those who wait in the queue of the flood.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_in_one_namespace_does_not_slow_another_beyond_its_share() -> Result<()> {
    let server = start().await?;
    let crowd = Actor::new(&server, server.test.ns).await?;
    let other = Actor::new(&server, another_namespace(&server).await?).await?;
    let is_over = Arc::new(AtomicBool::new(false));
    let flood: Vec<_> = (0..64)
        .map(|_| {
            let (crowd, is_over) = (crowd.clone(), Arc::clone(&is_over));
            tokio::spawn(async move {
                let mut times = Vec::new();
                while !is_over.load(Ordering::Relaxed) {
                    let begun = Instant::now();
                    assert_eq!(crowd.submit(one_task()).await?.status(), 201);
                    times.push(begun.elapsed());
                }
                anyhow::Ok(times)
            })
        })
        .collect();
    let mut alone = Vec::new();
    for _ in 0..30 {
        let begun = Instant::now();
        assert_eq!(other.submit(one_task()).await?.status(), 201);
        alone.push(begun.elapsed());
    }
    is_over.store(true, Ordering::Relaxed);
    let mut flooded = Vec::new();
    for times in flood {
        flooded.extend(times.await??);
    }
    let (alone, flooded) = (median(alone), median(flooded));
    println!("alone {alone:?}, in the flood {flooded:?}");
    assert!(
        alone < 2 * flooded,
        "alone {alone:?}, in the flood {flooded:?}"
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_namespace_that_looks_too_much_waits_for_itself_and_for_nobody_else() -> Result<()> {
    let server = start().await?;
    let crowd = Actor::new(&server, server.test.ns).await?;
    let other = Actor::new(&server, another_namespace(&server).await?).await?;
    let shares = &server.engine.shares;
    let taken = (0..shares.places()).map(|_| shares.take(server.test.ns));
    let mut taken = try_join_all(taken).await?;
    let mut waits =
        tokio::spawn(async move { crowd.call(Method::GET, "/v1/tasks", Bytes::new()).await });
    let looked = other.call(Method::GET, "/v1/tasks", Bytes::new()).await?;
    assert_eq!(looked.status(), 200);
    let early = timeout(Duration::from_millis(200), &mut waits).await;
    assert!(early.is_err(), "all places of its namespace are taken");
    taken.pop();
    assert_eq!(waits.await??.status(), 200);
    Ok(())
}

/// On one thread, so that who was let run has come as far as it can.
#[tokio::test]
async fn large_submissions_of_two_namespaces_take_turns() -> Result<()> {
    const FLOOD: usize = 12;
    let server = start().await?;
    let submit = |ns: Namespace, key: usize| {
        let engine = Arc::clone(&server.engine);
        tokio::spawn(async move {
            let name = "somebody".to_owned();
            let key = key.to_string();
            let caller = Caller {
                ns,
                key: Uuid::nil(),
                name,
                authority: workmill_core::authority::Authority::Orchestrator,
            };
            let tasks = vec![task("one of many"); 100];
            engine.submit_tasks(&caller, &tasks, Some(&key)).await
        })
    };
    let (flooded, other) = (server.test.ns, another_namespace(&server).await?);
    // Whoever uses a key that is being written waits for who writes it.
    let hold = "insert into workmill.idempotency (ns, key, digest, at, tasks)
        select $1, n::text, '', now(), '{}' from generate_series($2::integer, $3) n";
    let (mut first, mut rest) = (
        server.test.database.client().await?,
        server.test.database.client().await?,
    );
    let (first, rest) = (first.transaction().await?, rest.transaction().await?);
    first.execute(hold, &[&flooded.0, &0, &0]).await?;
    let last = i32::try_from(FLOOD)?;
    rest.execute(hold, &[&flooded.0, &1, &last]).await?;
    let flood: Vec<_> = (0..FLOOD).map(|key| submit(flooded, key)).collect();
    wait_until_waiting(&server, "large_submit", FLOOD - 2).await?;
    let one = submit(other, 0);
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(!one.is_finished(), "both turns are taken");
    first.rollback().await?;
    timeout(LONG, one).await???;
    assert!(!flood[1].is_finished());
    rest.rollback().await?;
    for answer in flood {
        timeout(LONG, answer).await???;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_bodies_beyond_the_memory_for_them_are_sent_back() -> Result<()> {
    const MIB: usize = 1024 * 1024;
    let server = Server::start_listening(Listening {
        has_open_metrics: true,
        request_memory: 512 * MIB,
        ..Listening::default()
    })
    .await?;
    let producer = Actor::new(&server, server.test.ns).await?;
    let mut commits = server.test.store.test_points.pause_at("commit");
    // Until it is answered, a body counts twice, and a namespace has a quarter of the memory.
    let body = large_body(7 * MIB);
    let send = |body: &Bytes| {
        let (producer, body) = (producer.clone(), body.clone());
        tokio::spawn(async move { producer.submit(body).await })
    };
    let first = send(&body);
    let stalled = commits.arrival().await;
    let second = send(&body);
    wait_until_waiting(&server, "submit", 1).await?;
    let beyond: Vec<_> = (0..10).map(|_| send(&body)).collect();
    for answer in beyond {
        assert_overloaded(answer.await??).await?;
    }
    let looked = producer
        .call(Method::GET, "/v1/tasks", Bytes::new())
        .await?;
    assert_eq!(looked.status(), 200);
    let small = send(&large_body(16 * 1024));
    wait_until_waiting(&server, "submit", 2).await?;
    server.test.store.test_points.disarm("commit");
    stalled.go_on();
    for answer in [first, second] {
        assert_eq!(answer.await??.status(), 201);
    }
    assert_eq!(small.await??.status(), 201, "small bodies need no room");
    assert_eq!(send(&body).await??.status(), 201, "there is room again");
    Ok(())
}
