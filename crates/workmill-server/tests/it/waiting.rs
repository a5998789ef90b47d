//! Many who wait for work, and what they cost.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use workmill_core::gate::Limited;
use workmill_engine::supervise::Supervisor;
use workmill_engine::{Caller, Engine};
use workmill_protocol::role::Role;
use workmill_sdk::Client;
use workmill_store::Store;
use workmill_store::access::EnsureNamespace;
use workmill_testkit::database::TestStore;
use workmill_testkit::factory::task;
use workmill_testkit::proxy::Proxy;
use workmill_testkit::{open_many_files, setting};

use crate::actors::{Server, agent, claim};

const SOON: Duration = Duration::from_mins(1);

/// A server whose statements are counted.
async fn counted() -> Result<(Server, Proxy)> {
    let test = TestStore::new().await?;
    let counted = Proxy::in_front_of(test.database.url()).await?;
    let engine = Engine::new(Arc::new(Store::new(counted.url(), 16)?));
    Ok((Server::start_with(test, engine).await?, counted))
}

/// So many agents that ask for work and wait.
async fn let_wait(
    server: &Server,
    worker: &Client,
    agents: usize,
) -> Result<JoinSet<Result<usize>>> {
    stream::iter(0..agents)
        .map(|n| async move { worker.register(&agent(&format!("agent{n}"))).await })
        .buffer_unordered(16)
        .try_for_each(|_| async { Ok(()) })
        .await?;
    let mut waiting = JoinSet::new();
    for n in 0..agents {
        let worker = worker.clone();
        waiting.spawn(async move {
            let claimed = worker.claim(&claim(&format!("agent{n}"), 50_000)).await?;
            Ok(claimed.len())
        });
    }
    let all_wait = async {
        while server.engine.waiting_claims() < agents {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(SOON, all_wait).await?;
    Ok(waiting)
}

/// F-22: as many are answered as there are tasks. The others stay silent, and ask nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_agents_wait_and_as_many_are_answered_as_there_are_tasks() -> Result<()> {
    open_many_files()?;
    let agents = usize::try_from(setting("WORKMILL_WAITING_AGENTS", 2_000))?;
    let (server, counted) = counted().await?;
    let (producer, worker) = (
        server.client(Role::Producer).await?,
        server.client(Role::Agent).await?,
    );
    let mut waiting = let_wait(&server, &worker, agents).await?;
    let before = counted.statements();
    producer.submit(vec![task("work"); 50]).await?;
    for _ in 0..50 {
        let answered = timeout(SOON, waiting.join_next()).await?;
        assert_eq!(answered.expect("somebody waits")??, 1);
    }
    let asked = counted.statements() - before;
    assert_eq!(server.engine.waiting_claims(), agents - 50);
    assert!(waiting.try_join_next().is_none(), "the others wait on");
    assert!(asked < 50 * 12, "{asked} statements for 50 tasks");
    println!("{agents} agents waited, {asked} statements handed out 50 tasks");
    server.engine.stop_waiting();
    while let Some(answered) = waiting.join_next().await {
        assert_eq!(answered??, 0);
    }
    server.stop().await
}

/// A hundred namespaces with work that was done, gates and agents that wait: a server that has
/// nothing to do asks at most two statements a second.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_server_asks_next_to_nothing() -> Result<()> {
    open_many_files()?;
    let seconds = u64::from(setting("WORKMILL_IDLE_SECONDS", 10));
    let (server, counted) = counted().await?;
    for n in 0..100 {
        let name = format!("namespace{n}");
        let store = server.engine.store();
        let (ns, _) = store.run(&EnsureNamespace { name: &name }).await?;
        let caller = Caller {
            ns,
            key: uuid::Uuid::from_u128(1),
            name,
            authority: workmill_core::authority::Authority::Orchestrator,
        };
        let engine = &server.engine;
        engine
            .set_limit(&caller, Limited::Namespace, 5, None)
            .await?;
        engine.submit_tasks(&caller, &[task("ready")], None).await?;
    }
    let supervisor = Supervisor::start(Arc::clone(&server.engine));
    let worker = server.client(Role::Agent).await?;
    let waiting = let_wait(&server, &worker, 100).await?;
    // The first turns look through everything once, and give the events their places.
    sleep(Duration::from_secs(4)).await;
    let (before, began) = (counted.statements(), Instant::now());
    sleep(Duration::from_secs(seconds)).await;
    let asked = counted.statements() - before;
    println!("{asked} statements in {:?}", began.elapsed());
    assert!(asked <= 2 * seconds, "{asked} statements in {seconds} s");
    server.engine.stop_waiting();
    drop(waiting);
    supervisor.stop().await;
    server.stop().await
}
