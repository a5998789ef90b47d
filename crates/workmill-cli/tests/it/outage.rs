//! Two servers on one database, one of them killed again and again, while clients submit, claim and
//! complete as if nothing happened, while a proxy withholds replies. What they were told is held against
//! what is there in the end.

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rand::RngExt;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::task::NewTask;
use workmill_protocol::agents::RegisterAgent;
use workmill_protocol::claims::{ClaimTasks, ClaimedTask};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::graphs::{CreateGraph, GrowGraph};
use workmill_protocol::leases::{CompleteTask, SendHeartbeat, SpawnTasks, Usage};
use workmill_sdk::{Client, ClientError, EventFilter};
use workmill_server::keys;
use workmill_store::Store;
use workmill_store::access::{CreateKey, EnsureNamespace};
use workmill_testkit::database::TestDatabase;
use workmill_testkit::factory::task;
use workmill_testkit::history::{Graphs, History, Rows};
use workmill_testkit::setting;

use crate::support::{Home, Running};

const PRODUCERS: usize = 2;
const AGENTS: usize = 8;

/// Stands between clients and a server, and now and then withholds a reply: it hears it from the server
/// and closes the client's connection instead of passing it on.
struct Proxy {
    url: String,
    withheld: Arc<AtomicUsize>,
    passing: JoinHandle<()>,
}

impl Proxy {
    async fn in_front_of(url: &str) -> Result<Proxy> {
        let server = url
            .strip_prefix("http://")
            .context("an address")?
            .to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let withheld = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&withheld);
        let passing = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (server, count) = (server.clone(), Arc::clone(&count));
                tokio::spawn(async move {
                    // A server that is away refuses the connection; so does the proxy.
                    if let Ok(server) = TcpStream::connect(server).await {
                        pass(client, server, &count).await;
                    }
                });
            }
        });
        Ok(Proxy {
            url,
            withheld,
            passing,
        })
    }

    fn withheld(&self) -> usize {
        self.withheld.load(Ordering::SeqCst)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.passing.abort();
    }
}

async fn pass(client: TcpStream, server: TcpStream, withheld: &AtomicUsize) {
    let (mut requests, mut answers) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let back = async {
        let mut reply = vec![0; 64 * 1024];
        loop {
            let read = from_server.read(&mut reply).await.unwrap_or(0);
            if read > 0 && rand::rng().random_bool(0.02) {
                withheld.fetch_add(1, Ordering::SeqCst);
                return;
            }
            if read == 0 || answers.write_all(&reply[..read]).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = back => {}
        _ = tokio::io::copy(&mut requests, &mut to_server) => {}
    }
}

/// Two servers, each always at the same address.
struct Servers {
    home: Home,
    database: String,
    urls: [String; 2],
    running: Mutex<[Option<Running>; 2]>,
}

impl Servers {
    fn start(database: &TestDatabase) -> Result<Servers> {
        let (home, database) = (Home::new()?, database.url().to_owned());
        let one = start(&home, &database, 0)?;
        let other = start(&home, &database, 0)?;
        Ok(Servers {
            home,
            database,
            urls: [one.url.clone(), other.url.clone()],
            running: Mutex::new([Some(one), Some(other)]),
        })
    }

    /// Kills one with SIGKILL, and starts it again at its address.
    async fn kill(&self, which: usize) -> Result<()> {
        let mut running = self.running.lock().await;
        let mut killed = running[which].take().context("it runs")?;
        tokio::task::block_in_place(|| {
            killed.child.kill()?;
            killed.child.wait()?;
            let port = self.urls[which].rsplit(':').next().context("a port")?;
            running[which] = Some(start(&self.home, &self.database, port.parse()?)?);
            Ok(())
        })
    }
}

fn start(home: &Home, database: &str, port: u16) -> Result<Running> {
    let mut command = home.command(&["serve"]);
    command.env("DATABASE_URL", database);
    // Nobody reads what it says.
    Running::start_on(command, port, Stdio::null())
}

/// What the clients were told.
#[derive(Default)]
struct Told {
    history: History,
    submitted: Mutex<Graphs>,
    is_enough: AtomicBool,
    /// Leases that were lost to a silence longer than they allow.
    lost: AtomicUsize,
}

/// Nothing acknowledged is lost, nothing completes twice, and the clients do nothing special.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_two_servers_is_killed_again_and_again_and_no_client_notices() -> Result<()> {
    let seconds = u64::from(setting("WORKMILL_OUTAGE_SECONDS", 15));
    let database = TestDatabase::new().await?;
    let store = Store::new(database.url(), 2)?;
    let (ns, _) = store.run(&EnsureNamespace { name: "default" }).await?;
    let token = keys::mint();
    let key = CreateKey {
        ns,
        name: "tester",
        role: "admin",
        hash: &keys::hash(&token),
    };
    store.run(&key).await?;
    let servers = Servers::start(&database)?;
    let proxies = [
        Proxy::in_front_of(&servers.urls[0]).await?,
        Proxy::in_front_of(&servers.urls[1]).await?,
    ];
    let client_of = |n: usize| Client::new(&proxies[n % 2].url, &token);
    let told = Arc::new(Told::default());
    let mut producers = tokio::task::JoinSet::new();
    for n in 0..PRODUCERS {
        producers.spawn(produce(client_of(n)?, Arc::clone(&told)));
    }
    let mut agents = tokio::task::JoinSet::new();
    for n in 0..AGENTS {
        agents.spawn(work(client_of(n)?, format!("agent{n}"), Arc::clone(&told)));
    }

    let (began, mut kills) = (Instant::now(), 0);
    while began.elapsed() < Duration::from_secs(seconds) {
        let pause = rand::rng().random_range(500..3000);
        tokio::time::sleep(Duration::from_millis(pause)).await;
        servers.kill(rand::rng().random_range(0..2)).await?;
        kills += 1;
    }
    told.is_enough.store(true, Ordering::SeqCst);
    while let Some(ended) = producers.join_next().await {
        ended??;
    }
    while let Some(ended) = agents.join_next().await {
        ended??;
    }

    let submitted = told.submitted.lock().await.clone();
    let rows = Rows::read(&database.client().await?, ns.0).await?;
    let events = read_events(&client_of(0)?).await?;
    let is_done = |state: State| state == State::Completed;
    let found = told.history.check(&rows, &submitted, &events, is_done);
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(rows.states.len(), submitted.len(), "nothing is there twice");
    let withheld = proxies.iter().map(Proxy::withheld).sum::<usize>();
    ensure!(withheld > 0, "no reply was withheld");
    println!(
        "{kills} kills and {withheld} withheld replies in {:?}: {} tasks, {} events, {} leases lost on the way",
        began.elapsed(),
        submitted.len(),
        events.len(),
        told.lost.load(Ordering::SeqCst),
    );
    ensure!(kills > 3 && submitted.len() > 50, "little has happened");
    Ok(())
}

/// Submits single tasks and graphs until it is enough.
async fn produce(client: Client, told: Arc<Told>) -> Result<()> {
    while !told.is_enough.load(Ordering::SeqCst) {
        let mut new = Graphs::new();
        let singles = client
            .submit(vec![short("single"), short("single")])
            .await?;
        for single in singles.tasks {
            new.insert(single.id, (OnDependencyFailure::Wait, Vec::new()));
        }
        let chain = CreateGraph {
            title: "chain".to_owned(),
            project_id: None,
            created_by: None,
            draft: false,
            // Each of its attempts reserves ten cents: two run at a time.
            budget_usd: Some(Micros(250_000)),
            tasks: vec![
                named("first", &[]),
                named("second", &["first"]),
                named("last", &["second", "first"]),
            ],
        };
        let chain = client.create_graph(&chain).await?;
        let made = &chain.tasks;
        let ids = |names: &[&str]| {
            names
                .iter()
                .map(|name| made[*name])
                .collect::<Vec<TaskId>>()
        };
        for (name, above) in [
            ("first", &[][..]),
            ("second", &["first"]),
            ("last", &["second", "first"]),
        ] {
            new.insert(made[name], (OnDependencyFailure::Wait, ids(above)));
        }
        let growth = GrowGraph {
            tasks: vec![NewTask {
                depends_on: vec![made["first"].to_string()],
                ..short("grown")
            }],
        };
        for grown in client.grow_graph(chain.id, &growth).await?.tasks {
            let edges = (OnDependencyFailure::Wait, vec![chain.tasks["first"]]);
            new.insert(grown.id, edges);
        }
        told.submitted.lock().await.extend(new);
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    Ok(())
}

fn short(title: &str) -> NewTask {
    let mut task = task(title);
    task.spec.constraints.max_cost_usd = Some(Micros(100_000));
    NewTask {
        lease_sec: Some(20.0),
        max_attempts: Some(50),
        ..task
    }
}

fn named(name: &str, above: &[&str]) -> NewTask {
    NewTask {
        name: Some(name.to_owned()),
        depends_on: above.iter().map(|&above| above.to_owned()).collect(),
        ..short(name)
    }
}

/// Claims, beats and completes until everything that was submitted is done.
async fn work(client: Client, agent: String, told: Arc<Told>) -> Result<()> {
    client
        .register(&RegisterAgent {
            max_concurrent_tasks: 4,
            ..RegisterAgent::new(&agent)
        })
        .await?;
    loop {
        let was_enough = told.is_enough.load(Ordering::SeqCst);
        let asked = told.history.moment();
        let request = ClaimTasks {
            agent: agent.clone(),
            max: 4,
            wait_ms: 2_000,
            start: true,
            request_id: None,
            task_types: Vec::new(),
            profile: None,
            lease_sec: None,
        };
        let claimed = client.claim(&request).await?;
        let leases: Vec<_> = claimed.iter().map(|claimed| claimed.lease).collect();
        told.history.note(&told.history.claims, asked, &leases);
        let is_nothing_left = claimed.is_empty() && was_enough;
        for claimed in claimed {
            act(&client, &claimed, &told).await?;
        }
        if is_nothing_left && is_all_done(&client).await? {
            return Ok(());
        }
    }
}

async fn act(client: &Client, claimed: &ClaimedTask, told: &Told) -> Result<()> {
    let lease = claimed.lease;
    if rand::rng().random_bool(0.3) {
        let beat = client.heartbeat(lease, &SendHeartbeat::default()).await;
        if is_lost(beat, told)?.is_none() {
            return Ok(());
        }
    }
    if claimed.task.asked.title != "spawned" && rand::rng().random_bool(0.1) {
        let wait = rand::rng().random_bool(0.5);
        let tasks = vec![short("spawned")];
        let spawned = client.spawn(lease, &SpawnTasks { tasks, wait }).await;
        let spawned = is_lost(spawned, told)?;
        let is_over = spawned.is_none() || wait;
        let mut submitted = told.submitted.lock().await;
        for child in spawned.map(|spawned| spawned.tasks).unwrap_or_default() {
            submitted.insert(child, (OnDependencyFailure::Wait, Vec::new()));
        }
        if is_over {
            return Ok(());
        }
    }
    let asked = told.history.moment();
    let completion = CompleteTask {
        output: serde_json::value::to_raw_value(&json!({"by": lease.to_string()}))?,
        artifacts: Vec::new(),
        usage: Usage::default(),
        claim: None,
    };
    let completed = client.complete(lease, &completion).await;
    if is_lost(completed, told)?.is_some() {
        told.history
            .note(&told.history.completions, asked, &[lease]);
    }
    Ok(())
}

/// A lease that ran out is part of an agent's life; any other error is not.
fn is_lost<T>(answer: Result<T, ClientError>, told: &Told) -> Result<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(ClientError::Refused(problem)) if problem.code == ErrorCode::LeaseLost => {
            told.lost.fetch_add(1, Ordering::SeqCst);
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

async fn is_all_done(client: &Client) -> Result<bool> {
    let stats = client.stats().await?;
    // What waits for a dependency waits for something that is in one of these places.
    let places = [
        stats.ready,
        stats.gated,
        stats.due,
        stats.held,
        stats.blocked,
    ];
    Ok(places.iter().all(|place| place.tasks == 0))
}

/// As the checker reads them; they are numbered without gaps.
async fn read_events(client: &Client) -> Result<Vec<Value>> {
    let (mut events, mut after) = (Vec::new(), 0);
    loop {
        let page = client.events(&EventFilter::default(), after, 1_000).await?;
        for event in &page.items {
            after += 1;
            ensure!(
                event.id == after,
                "event {} follows {}",
                event.id,
                after - 1
            );
            events.push(json!({
                "type": event.event_type,
                "task_id": event.task_id,
                "epoch": event.data.get("epoch"),
            }));
        }
        if page.next_cursor.is_none() {
            return Ok(events);
        }
    }
}
