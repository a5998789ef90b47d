//! Events over HTTP: pages, streams, and coming back to a stream.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;
use workmill_engine::events::EventFilter as Wanted;
use workmill_engine::events::follow::Heard as Followed;
use workmill_engine::shares::LONGEST_WAIT;
use workmill_engine::{Caller, Engine};
use workmill_protocol::events::Event;
use workmill_protocol::role::Role;
use workmill_sdk::{Client, ClientError, EventFilter, EventStream, Heard};
use workmill_server::Listening;
use workmill_testkit::database::TestStore;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim};

fn all() -> EventFilter {
    EventFilter::default()
}

fn of_type(name: &str) -> EventFilter {
    EventFilter {
        types: vec![name.to_owned()],
        ..EventFilter::default()
    }
}

/// All events, page by page.
async fn pages(client: &Client, filter: &EventFilter, limit: u32) -> Result<Vec<Event>> {
    let (mut events, mut after) = (Vec::new(), 0);
    loop {
        let page = client.events(filter, after, limit).await?;
        assert!(!page.missing && page.items.len() <= limit as usize);
        events.extend(page.items);
        after = page.after;
        if page.next_cursor.is_none() {
            return Ok(events);
        }
    }
}

async fn next(stream: &mut EventStream) -> Result<Event> {
    match stream.next().await?.context("the stream goes on")? {
        Heard::Event(event) => Ok(*event),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn events_are_numbered_without_gaps_and_read_in_pages_of_any_length() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    client.register(&agent("a")).await?;
    let submitted = client.submit(vec![task("a"), task("b"), task("c")]).await?;
    client.claim(&claim("a", 0)).await?;
    let whole = pages(&client, &all(), 1000).await?;
    let ids: Vec<i64> = whole.iter().map(|event| event.id).collect();
    let count = i64::try_from(ids.len())?;
    assert_eq!(ids, (1..=count).collect::<Vec<_>>());
    for limit in [1, 2, 3] {
        assert_eq!(pages(&client, &all(), limit).await?, whole, "{limit}");
    }
    let second = submitted.tasks[1].id;
    let filter = EventFilter {
        task: Some(second.to_string()),
        ..all()
    };
    let of_second = pages(&client, &filter, 10).await?;
    let types: Vec<&str> = of_second
        .iter()
        .map(|event| event.event_type.as_str())
        .collect();
    assert_eq!(types, ["task.submitted", "task.ready"]);
    let graph = EventFilter {
        graph: Some(second.into()),
        ..all()
    };
    assert_eq!(pages(&client, &graph, 10).await?, of_second);
    assert_eq!(
        pages(&client, &of_type("task.submitted"), 1).await?.len(),
        3
    );
    assert_eq!(pages(&client, &of_type("agent.*"), 1).await?.len(), 1);
    let later = client.events(&all(), count, 10).await?;
    assert_eq!((later.items.len(), later.after), (0, count));
    Ok(())
}

#[tokio::test]
async fn what_is_asked_for_wrongly_is_refused() -> Result<()> {
    let server = Server::start().await?;
    let token = server.token(server.test.ns, Role::Producer).await?;
    let get = |query: &str| {
        reqwest::Client::new()
            .get(format!("{}/v1/events?{query}", server.url))
            .bearer_auth(&token)
    };
    for query in ["limit=0", "limit=x", "after=-1", "task=x", "colour=red"] {
        assert_eq!(get(query).send().await?.status(), 400, "{query}");
    }
    let stream = get("").header("accept", "text/event-stream");
    let stream = stream.header("last-event-id", "x").send().await?;
    assert_eq!(stream.status(), 400);
    Ok(())
}

#[tokio::test]
async fn a_stream_tells_what_happens_and_goes_on_in_the_middle_of_a_transaction() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    client.submit(vec![task("before")]).await?;
    let mut stream = client.follow_events(&all(), None).await?;
    let mut ready = client.follow_events(&of_type("task.ready"), None).await?;
    client.submit(vec![task("a"), task("b"), task("c")]).await?;
    let mut told = Vec::new();
    while told.len() < 6 {
        told.push(next(&mut stream).await?);
    }
    let whole = pages(&client, &all(), 1000).await?;
    assert!(whole.len() == 8 && whole.ends_with(&told), "{told:?}");
    for _ in 0..3 {
        assert_eq!(next(&mut ready).await?.event_type, "task.ready");
    }
    // Each of them, those of one transaction too, is a place to go on from.
    for (place, event) in whole.iter().enumerate() {
        let mut again = client.follow_events(&all(), Some(event.id)).await?;
        for expected in &whole[place + 1..] {
            assert_eq!(next(&mut again).await?, *expected);
        }
    }
    Ok(())
}

/// Readers come and go while many write; each finds everything, in order, once.
#[tokio::test]
async fn a_reader_that_comes_back_misses_nothing_and_hears_nothing_twice() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    let writers: Vec<_> = (0..4)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move {
                for _ in 0..25 {
                    client.submit(vec![task("t"), task("t")]).await?;
                }
                Ok::<(), ClientError>(())
            })
        })
        .collect();
    let most = 4 * 25 * 4;
    let readers: Vec<_> = [3, 7, 50]
        .into_iter()
        .map(|stay| {
            let client = client.clone();
            tokio::spawn(async move {
                let mut heard: Vec<Event> = Vec::new();
                while heard.len() < most {
                    let after = heard.last().map_or(0, |event| event.id);
                    let mut stream = client.follow_events(&all(), Some(after)).await?;
                    for _ in 0..stay.min(most - heard.len()) {
                        heard.push(next(&mut stream).await?);
                    }
                }
                anyhow::Ok(heard)
            })
        })
        .collect();
    for writer in writers {
        writer.await??;
    }
    for reader in readers {
        let heard = reader.await??;
        assert_eq!(heard, pages(&client, &all(), 1000).await?);
    }
    Ok(())
}

#[tokio::test]
async fn streams_end_when_the_server_stops() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    let mut stream = client.follow_events(&all(), None).await?;
    let stopped = tokio::spawn(server.stop());
    assert_eq!(stream.next().await?, None);
    stopped.await??;
    Ok(())
}

#[tokio::test]
async fn a_stream_is_for_those_who_may_look_and_of_their_namespace_only() -> Result<()> {
    let server = Server::start().await?;
    let (mine, foreign) = (
        server.client(Role::Producer).await?,
        server.foreign_client(Role::Producer).await?,
    );
    let worker = server.client(Role::Agent).await?;
    match worker.follow_events(&all(), None).await {
        Err(ClientError::Refused(problem)) => assert_eq!(problem.status, 403),
        other => panic!("{other:?}"),
    }
    let id = mine.submit(vec![task("t")]).await?.tasks[0].id;
    let filter = EventFilter {
        task: Some(id.to_string()),
        ..all()
    };
    assert!(pages(&foreign, &filter, 10).await?.is_empty());
    let mut theirs = foreign.follow_events(&all(), Some(0)).await?;
    let own = foreign.submit(vec![task("own")]).await?.tasks[0].id;
    let heard = next(&mut theirs).await?;
    assert_eq!(heard.task_id, Some(own.to_string()));
    Ok(())
}

#[tokio::test]
async fn a_follower_that_does_not_keep_up_is_dropped_and_told_where_to_go_on() -> Result<()> {
    let test = TestStore::new().await?;
    let engine = Engine::new(Arc::clone(&test.store)).buffering_events(3);
    let server = Server::start_with(test, engine).await?;
    let client = server.client(Role::Operator).await?;
    let caller = Caller {
        ns: server.test.ns,
        key: uuid::Uuid::nil(),
        name: "test".to_owned(),
        authority: workmill_core::authority::Authority::Orchestrator,
    };
    let follow = |after| server.engine.follow(&caller, Wanted::default(), after);
    let (mut slow, mut quick) = (follow(None).await?, follow(None).await?);
    let mut last = Vec::new();
    for _ in 0..2 {
        client.submit(vec![task("t")]).await?;
        let Followed::Events(events) = quick.next().await? else {
            panic!("it keeps up");
        };
        assert_eq!(events.len(), 2);
        last = events;
    }
    let Followed::Events(events) = slow.next().await? else {
        panic!("there was room for it");
    };
    let after = events[1].id;
    assert_eq!(slow.next().await?, Followed::Dropped { after });
    let mut again = follow(Some(after)).await?;
    assert_eq!(again.next().await?, Followed::Events(last));
    Ok(())
}

#[tokio::test]
async fn a_stream_that_catches_up_takes_no_place_of_other_calls() -> Result<()> {
    let server = Server::start().await?;
    let (engine, ns) = (&server.engine, server.test.ns);
    let client = server.client(Role::Operator).await?;
    client.submit(vec![task("t")]).await?;
    let stored = pages(&client, &all(), 10).await?;
    let caller = Caller {
        ns,
        key: uuid::Uuid::nil(),
        name: "test".to_owned(),
        authority: workmill_core::authority::Authority::Orchestrator,
    };
    let mut taken = Vec::new();
    for _ in 0..engine.shares.places() {
        taken.push(engine.shares.take(ns).await?);
    }
    let mut follower = engine.follow(&caller, Wanted::default(), Some(0)).await?;
    let heard = timeout(LONGEST_WAIT / 2, follower.next()).await??;
    let Followed::Events(events) = heard else {
        panic!("{heard:?}");
    };
    assert_eq!(events.len(), stored.len());
    Ok(())
}

const A_MINUTE: Duration = Duration::from_mins(1);

/// A client that does not read, at the other end of a real connection.
#[tokio::test]
async fn a_connection_that_is_not_read_ends_with_the_place_to_go_on_from() -> Result<()> {
    let test = TestStore::new().await?;
    let engine = Engine::new(Arc::clone(&test.store)).buffering_events(50);
    let server = Server::start_with(test, engine).await?;
    let client = server.client(Role::Operator).await?;
    let token = server.token(server.test.ns, Role::Producer).await?;
    let address: std::net::SocketAddr = server.url.trim_start_matches("http://").parse()?;
    let socket = tokio::net::TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(4096)?;
    let mut connection = socket.connect(address).await?;
    let request = format!(
        "GET /v1/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
         accept: text/event-stream\r\n\r\n"
    );
    connection.write_all(request.as_bytes()).await?;
    let mut first = [0; 12];
    connection.read_exact(&mut first).await?;
    assert_eq!(&first, b"HTTP/1.1 200");
    for _ in 0..15 {
        client.submit(vec![task("t"); 1000]).await?;
    }
    let mut ids = Vec::new();
    let mut lines = BufReader::new(connection).lines();
    let after = loop {
        let line = timeout(A_MINUTE, lines.next_line()).await??;
        let line = line.context("it says why it ends")?;
        if line == "event: dropped" {
            let id = lines.next_line().await?.context("from where to go on")?;
            break id.strip_prefix("id: ").context("an id")?.parse::<i64>()?;
        }
        if let Some(id) = line.strip_prefix("id: ") {
            ids.push(id.parse::<i64>()?);
        }
    };
    // The first is where it began.
    assert_eq!(ids, (0..=after).collect::<Vec<_>>());
    let mut again = client.follow_events(&all(), Some(after)).await?;
    assert_eq!(next(&mut again).await?.id, after + 1);
    Ok(())
}

/// A stream that is open and of which nobody reads anything.
async fn open_stream(server: &Server, token: &str) -> Result<TcpStream> {
    let mut stream = TcpStream::connect(server.url.trim_start_matches("http://")).await?;
    let head = format!(
        "GET /v1/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
         accept: text/event-stream\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    let mut status = [0; 12];
    stream.read_exact(&mut status).await?;
    assert_eq!(&status, b"HTTP/1.1 200");
    Ok(stream)
}

#[tokio::test]
async fn a_key_may_have_so_many_streams_and_the_next_one_is_refused_by_name() -> Result<()> {
    let server = Server::start_listening(Listening {
        most_streams: 2,
        ..Listening::default()
    })
    .await?;
    let token = server.token(server.test.ns, Role::Producer).await?;
    let ask = |token: &str| {
        let request = reqwest::Client::new().get(format!("{}/v1/events", server.url));
        let request = request.bearer_auth(token);
        request.header("accept", "text/event-stream").send()
    };
    let first = open_stream(&server, &token).await?;
    let _second = open_stream(&server, &token).await?;
    let refused = ask(&token).await?;
    assert_eq!(refused.status(), 429);
    let problem: serde_json::Value = refused.json().await?;
    assert_eq!(problem["code"], "rate_limited");
    let detail = problem["detail"].as_str().context("a detail")?;
    assert!(detail.contains("2 streams"), "{detail}");
    let other = server.token(server.test.ns, Role::Producer).await?;
    assert_eq!(ask(&other).await?.status(), 200);
    drop(first);
    timeout(Duration::from_secs(30), async {
        while ask(&token).await?.status() != 200 {}
        anyhow::Ok(())
    })
    .await?
}

/// Each event is written once, streams that nobody reads cost nothing, and requests go in between.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_streams_and_a_large_submission_do_not_hold_up_other_requests() -> Result<()> {
    const TASKS: usize = 2_000;
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    let (mut unread, mut read) = (Vec::new(), Vec::new());
    for _ in 0..2 {
        let token = server.token(server.test.ns, Role::Producer).await?;
        for _ in 0..35 {
            unread.push(open_stream(&server, &token).await?);
        }
        let reader = Client::new(&server.url, &token)?;
        for _ in 0..15 {
            read.push(reader.follow_events(&all(), None).await?);
        }
    }
    let readers: Vec<_> = read
        .into_iter()
        .map(|mut stream| {
            tokio::spawn(async move {
                for _ in 0..2 * TASKS {
                    next(&mut stream).await?;
                }
                anyhow::Ok(())
            })
        })
        .collect();
    let submission =
        tokio::spawn(async move { client.submit(vec![task("one of many"); TASKS]).await });
    let http = reqwest::Client::new();
    let mut longest = Duration::ZERO;
    while !submission.is_finished() || !readers.iter().all(tokio::task::JoinHandle::is_finished) {
        let began = Instant::now();
        http.get(format!("{}/health", server.url)).send().await?;
        longest = longest.max(began.elapsed());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    submission.await??;
    for reader in readers {
        reader.await??;
    }
    println!("the longest of the other requests took {longest:?}");
    // In a debug build on a busy machine. It was minutes when each stream wrote each event.
    assert!(longest < Duration::from_secs(2), "{longest:?}");
    Ok(())
}
