//! The worker of the Rust SDK against a real server.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use workmill_core::agent::AgentStatus;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_protocol::agents::ChangeAgent;
use workmill_sdk::worker::{Cancelled, NotDone, Tally, TaskContext, Worker};
use workmill_sdk::{Client, ClientError};
use workmill_testkit::factory::task;

use crate::agent_run::{Mill, once, output};

/// The program itself, but for its `main`.
#[allow(dead_code)]
#[path = "../../../workmill-sdk/examples/word_counter.rs"]
mod word_counter;

fn completed(completed: u64) -> Tally {
    Tally {
        completed,
        ..Tally::default()
    }
}

impl Mill {
    fn worker(&self, agent: &str) -> Result<Worker, ClientError> {
        Ok(Worker::new(Client::new(&self.url, &self.key)?, agent))
    }
}

#[tokio::test]
async fn the_example_counts_words() -> Result<()> {
    let mill = Mill::start().await?;
    let mut new = once("words");
    new.spec.prompt = "to be or not to be".to_owned();
    new.spec.constraints.required_capabilities = vec!["count".to_owned()];
    let id = mill.submit(new).await?;
    let client = Client::new(&mill.url, &mill.key)?;
    let worker = word_counter::worker(client).max_tasks(1);
    assert_eq!(worker.run(word_counter::count_words).await?, completed(1));
    let task = mill.admin.task(id).await?;
    assert_eq!(output(&task), json!({"words": 6}));
    assert!((task.cost_usd - 0.001).abs() < 1e-9, "{}", task.cost_usd);
    Ok(())
}

/// F-32 (part): heartbeats do not depend on the handler.
#[tokio::test]
async fn a_handler_that_blocks_its_only_thread_keeps_its_lease() -> Result<()> {
    let mill = Mill::start().await?;
    let new = NewTask {
        lease_sec: Some(1.0),
        ..once("blocks")
    };
    let id = mill.submit(new).await?;
    let (open, gate) = mpsc::channel::<()>();
    let gate = std::sync::Mutex::new(gate);
    let worker = mill.worker("blocker")?.max_tasks(1);
    let working = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let gate = Arc::new(gate);
        let handle = move |_: TaskContext| {
            let gate = Arc::clone(&gate);
            async move {
                // Not a moment for anything else on this thread.
                gate.lock().unwrap().recv()?;
                Ok(json!("at last"))
            }
        };
        anyhow::Ok(runtime.block_on(worker.run(handle))?)
    });
    let lived = |task: &workmill_protocol::tasks::Task| {
        let claim = task.claim.as_ref();
        claim.map(|claim| (claim.heartbeat_at - claim.claimed_at).get_seconds())
    };
    mill.task_when(id, |task| lived(task) >= Some(3)).await?;
    open.send(())?;
    let tally = working.join().expect("the worker does not panic")?;
    assert_eq!(tally, completed(1));
    let task = mill.admin.task(id).await?;
    assert_eq!((output(&task), task.attempts.len()), (json!("at last"), 1));
    Ok(())
}

#[tokio::test]
async fn a_handler_hears_why_it_is_cancelled() -> Result<()> {
    let mill = Mill::start().await?;
    let id = mill.submit(once("cancelled")).await?;
    let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
    let worker = mill.worker("listener")?.max_tasks(1);
    let working = tokio::spawn(worker.run(move |context: TaskContext| {
        let tell = tell.clone();
        async move {
            tell.send(context.cancelled().await)?;
            Err::<Value, _>(NotDone::Released)
        }
    }));
    mill.task_in(id, State::Running).await?;
    mill.admin.cancel(id).await?;
    let why = told.recv().await.context("it hears")?;
    assert_eq!(why, Cancelled::ToldToStop("cancelled".to_owned()));
    assert_eq!(working.await??.cancelled, 1);
    assert_eq!(mill.admin.task(id).await?.status, State::Cancelled);
    Ok(())
}

/// The server adds them, and its answer is lost: the call is repeated, and they are there once.
#[tokio::test]
async fn spawned_tasks_are_there_once_though_the_answer_is_lost() -> Result<()> {
    let mill = Mill::start().await?;
    let id = mill.submit(once("parent")).await?;
    let between = Between::start(&mill, "/spawn ").await?;
    let worker = Worker::new(Client::new(&between.url, &mill.key)?, "spawner").max_tasks(1);
    let tally = worker.run(|context: TaskContext| async move {
        context.spawn(vec![task("one"), task("two")]).await?;
        context.spawn(vec![task("three")]).await?;
        Ok(json!("all of them"))
    });
    assert_eq!(tally.await?, completed(1));
    assert!(between.answers() > 1, "the first one was lost");
    let parent = mill.admin.task(id).await?;
    let graph = mill.admin.graph(parent.dag_id).await?;
    let titles: Vec<_> = graph.tasks.iter().map(|task| &task.task.title).collect();
    assert_eq!(titles, ["parent", "one", "two", "three"]);
    Ok(())
}

/// A busy worker needs one call per task; a repeated call gets the claim of the first one.
#[tokio::test]
async fn a_busy_worker_claims_with_its_completions_and_loses_nothing_with_a_lost_answer()
-> Result<()> {
    let mill = Mill::start().await?;
    let mut ids = Vec::new();
    for title in ["one", "two", "three"] {
        ids.push(mill.submit(once(title)).await?);
    }
    let between = Between::start(&mill, "/complete ").await?;
    let worker = Worker::new(Client::new(&between.url, &mill.key)?, "busy").max_tasks(3);
    let tally = worker.run(|_| async { Ok(json!(1)) }).await?;
    assert_eq!(tally, completed(3));
    assert!(between.answers() > 1, "the first one was lost");
    assert_eq!(between.polls(), 1);
    for id in ids {
        let task = mill.admin.task(id).await?;
        assert_eq!((task.status, task.attempts.len()), (State::Completed, 1));
    }
    Ok(())
}

#[tokio::test]
async fn slots_that_claim_with_their_completions_stay_within_the_number_of_tasks() -> Result<()> {
    let mill = Mill::start().await?;
    let tasks = (0..9).map(|nth| once(&format!("t{nth}"))).collect();
    let submitted = mill.admin.submit(tasks).await?.tasks;
    let worker = mill.worker("several")?.slots(3).max_tasks(5);
    assert_eq!(worker.run(|_| async { Ok(json!(1)) }).await?, completed(5));
    let mut left = 0;
    for task in submitted {
        left += usize::from(mill.admin.task(task.id).await?.status == State::Ready);
    }
    assert_eq!(left, 4, "nothing else was claimed");
    Ok(())
}

#[tokio::test]
async fn a_worker_that_drains_claims_nothing_with_the_end_of_its_attempt() -> Result<()> {
    let mill = Mill::start().await?;
    let (first, second) = (
        mill.submit(once("first")).await?,
        mill.submit(once("second")).await?,
    );
    let worker = mill.worker("drains")?;
    let stop = worker.stop();
    let drain = worker.stop();
    let tally = worker.run(move |_| {
        let drain = drain.clone();
        async move {
            drain.drain();
            Ok(json!(1))
        }
    });
    assert_eq!(tally.await?, completed(1));
    assert!(stop.further(), "it was draining");
    assert_eq!(mill.admin.task(first).await?.status, State::Completed);
    let second = mill.admin.task(second).await?;
    assert_eq!((second.status, second.attempts.len()), (State::Ready, 0));
    Ok(())
}

/// Hands everything on between a client and the server, but for the first answer to one call.
struct Between {
    url: String,
    counted: Arc<Counted>,
    handing_on: tokio::task::JoinHandle<()>,
}

#[derive(Default)]
struct Counted {
    /// Answers to the call, the lost one included.
    answers: AtomicUsize,
    polls: AtomicUsize,
}

impl Drop for Between {
    fn drop(&mut self) {
        self.handing_on.abort();
    }
}

impl Between {
    async fn start(mill: &Mill, call: &'static str) -> Result<Between> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let server = mill.url.trim_start_matches("http://").to_owned();
        let counted = Arc::<Counted>::default();
        let handing_on = tokio::spawn(hand_on(listener, server, call, Arc::clone(&counted)));
        Ok(Between {
            url,
            counted,
            handing_on,
        })
    }

    fn answers(&self) -> usize {
        self.counted.answers.load(Ordering::SeqCst)
    }

    fn polls(&self) -> usize {
        self.counted.polls.load(Ordering::SeqCst)
    }
}

async fn hand_on(listener: TcpListener, server: String, call: &'static str, counted: Arc<Counted>) {
    while let Ok((mut client, _)) = listener.accept().await {
        let (server, counted) = (server.clone(), Arc::clone(&counted));
        tokio::spawn(async move {
            let mut server = TcpStream::connect(server).await?;
            let (mut asked, mut answered) = (vec![0; 65536], vec![0; 65536]);
            let mut is_the_call = false;
            loop {
                tokio::select! {
                    read = client.read(&mut asked) => {
                        let asked = &asked[..read?];
                        if asked.is_empty() {
                            return anyhow::Ok(());
                        }
                        let text = String::from_utf8_lossy(asked);
                        is_the_call |= text.contains(call);
                        counted.polls.fetch_add(text.matches("/v1/claims ").count(), Ordering::SeqCst);
                        server.write_all(asked).await?;
                    }
                    read = server.read(&mut answered) => {
                        let read = read?;
                        let is_lost = || counted.answers.fetch_add(1, Ordering::SeqCst) == 0;
                        if read == 0 || is_the_call && is_lost() {
                            return Ok(());
                        }
                        client.write_all(&answered[..read]).await?;
                    }
                }
            }
        });
    }
}

#[tokio::test]
async fn an_agent_that_is_drained_by_an_operator_waits_until_it_may_work_again() -> Result<()> {
    let mill = Mill::start().await?;
    let status = |status| ChangeAgent {
        status: Some(status),
        ..ChangeAgent::default()
    };
    let quick = |_: TaskContext| async { Ok(()) };
    assert_eq!(mill.worker("a")?.once().run(quick).await?, completed(0));
    mill.admin
        .change_agent("a", &status(AgentStatus::Draining))
        .await?;
    let id = mill.submit(once("waits")).await?;
    assert_eq!(mill.worker("a")?.once().run(quick).await?, completed(0));
    let working = tokio::spawn(mill.worker("a")?.max_tasks(1).run(quick));
    mill.admin
        .change_agent("a", &status(AgentStatus::Active))
        .await?;
    assert_eq!(working.await??, completed(1));
    assert_eq!(mill.admin.task(id).await?.status, State::Completed);
    Ok(())
}

/// A claim that waits is not waited for, and what it was given in the end comes back at once.
#[tokio::test]
async fn a_worker_that_waits_for_work_stops_at_once() -> Result<()> {
    let mill = Mill::start().await?;
    let worker = mill.worker("idle")?.slots(2);
    let stop = worker.stop();
    let working = tokio::spawn(worker.run(|_| async { Ok(()) }));
    while mill.admin.agent("idle").await.is_err() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stop.drain();
    let ended = tokio::time::timeout(Duration::from_secs(10), working).await;
    assert_eq!(ended.context("it waits on")???, completed(0));
    Ok(())
}

#[tokio::test]
async fn a_handler_that_does_not_listen_is_dropped_and_its_task_given_back() -> Result<()> {
    let mill = Mill::start().await?;
    let id = mill.submit(once("deaf")).await?;
    let worker = mill.worker("deaf")?.grace(Duration::from_millis(200));
    let stop = worker.stop();
    let working = tokio::spawn(worker.run(|_| async {
        std::future::pending::<()>().await;
        Ok(())
    }));
    mill.task_in(id, State::Running).await?;
    assert!(
        !stop.further() && stop.further(),
        "first drain, then release"
    );
    assert_eq!(working.await??.released, 1);
    let task = mill.admin.task(id).await?;
    assert_eq!((task.status, task.attempts_counted), (State::Ready, 0));
    Ok(())
}

#[tokio::test]
async fn a_worker_takes_only_the_types_of_tasks_that_it_names() -> Result<()> {
    let mill = Mill::start().await?;
    let of_type = |task_type: &str| NewTask {
        task_type: task_type.to_owned(),
        ..once(task_type)
    };
    let other = mill.submit(of_type("other")).await?;
    let wanted = mill.submit(of_type("wanted")).await?;
    let worker = mill
        .worker("chooses")?
        .task_type("wanted")
        .poll_interval(Duration::from_secs(7))
        .max_tasks(1);
    let handle = |_: TaskContext| async { Ok(json!(1)) };
    assert_eq!(worker.run(handle).await?, completed(1));
    assert_eq!(mill.admin.task(wanted).await?.status, State::Completed);
    assert_eq!(mill.admin.task(other).await?.status, State::Ready);
    let shown = mill.admin.agent("chooses").await?;
    assert!((shown.poll_interval_sec - 7.0).abs() < 1e-9);
    Ok(())
}
