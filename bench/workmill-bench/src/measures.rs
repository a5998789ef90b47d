//! What is measured of Workmill itself, one function for each measure.
//!
//! Every function works on a fresh database and answers numbers by name.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use futures_util::future::{join_all, try_join_all};
use tokio::time::sleep;
use workmill_core::ids::LeaseId;
use workmill_core::task::NewTask;
use workmill_engine::dispatch::{Claimed, ClaimRequest};
use workmill_engine::execution::Report;
use workmill_engine::{Caller, Engine};
use workmill_store::Store;
use workmill_store::dispatch::claim::{Claim, ClaimRequest as StoreRequest};
use workmill_store::settlement::{Settle, Settlement, Settler, Spent};

use crate::scene::{Scene, done, tiny_task, wide_task};
use crate::server::{Server, connect};

/// Numbers by name; the unit is part of the name's meaning and stands in the documentation.
pub type Numbers = BTreeMap<String, f64>;

#[derive(Clone, Copy)]
pub struct Size {
    pub quick: bool,
}

impl Size {
    pub fn pick<T>(self, quick: T, full: T) -> T {
        if self.quick { quick } else { full }
    }

    fn seconds(self, quick: u64, full: u64) -> Duration {
        Duration::from_secs(self.pick(quick, full))
    }
}

/// A measure that runs in every round, or once in a run when it carries its own comparison.
pub struct Measure {
    pub name: &'static str,
    pub once: bool,
}

pub const ALL: &[Measure] = &[
    Measure { name: "raw_insert", once: false },
    Measure { name: "submit_single", once: false },
    Measure { name: "submit_bulk", once: false },
    Measure { name: "drain_single", once: false },
    Measure { name: "drain_batched", once: false },
    Measure { name: "idle", once: false },
    Measure { name: "waiting", once: false },
    Measure { name: "wal", once: false },
    Measure { name: "heartbeats", once: true },
    Measure { name: "capability", once: true },
    Measure { name: "backlog", once: true },
    Measure { name: "held_snapshot", once: true },
];

pub async fn run(name: &str, server: &Server, size: Size) -> Result<Numbers> {
    let mut numbers = Numbers::new();
    match name {
        "raw_insert" => raw_insert(server, size, &mut numbers).await,
        "submit_single" => submit_single(server, size, &mut numbers).await,
        "submit_bulk" => submit_bulk(server, size, &mut numbers).await,
        "drain_single" => drain_single(server, size, &mut numbers).await,
        "drain_batched" => drain_batched(server, size, &mut numbers).await,
        "idle" => idle(server, size, &mut numbers).await,
        "waiting" => waiting(server, size, &mut numbers).await,
        "wal" => wal(server, size, &mut numbers).await,
        "heartbeats" => heartbeats(server, size, &mut numbers).await,
        "capability" => capability(server, size, &mut numbers).await,
        "backlog" => backlog(server, size, &mut numbers).await,
        "held_snapshot" => held_snapshot(server, size, &mut numbers).await,
        other => anyhow::bail!("there is no measure called `{other}`"),
    }?;
    Ok(numbers)
}

/// Calls `one` from several callers until the time is up; answers calls per second.
async fn rate<F, T>(callers: usize, time: Duration, one: F) -> Result<f64>
where
    F: Fn(usize) -> T,
    T: Future<Output = Result<usize>>,
{
    let start = Instant::now();
    let done = AtomicUsize::new(0);
    try_join_all((0..callers).map(async |caller| -> Result<()> {
        while start.elapsed() < time {
            done.fetch_add(one(caller).await?, Ordering::Relaxed);
        }
        Ok(())
    }))
    .await?;
    Ok(done.into_inner() as f64 / start.elapsed().as_secs_f64())
}

/// The yardstick: one prepared INSERT of a row of 1.5 KB, one commit each, 8 connections.
async fn raw_insert(server: &Server, size: Size, numbers: &mut Numbers) -> Result<()> {
    let url = server.fresh_database("wm_bench_raw").await?;
    let client = connect(&url).await?;
    client
        .batch_execute("create table raw (id uuid primary key, body jsonb not null)")
        .await?;
    let body = serde_json::to_string(&wide_task())?;
    let time = size.seconds(2, 4);
    let mut tasks = Vec::new();
    for _ in 0..8 {
        let client = connect(&url).await?;
        let body = body.clone();
        // A task each, as servers have; one future for all would share one thread.
        tasks.push(tokio::spawn(async move {
            let insert = client
                .prepare("insert into raw (id, body) values ($1::text::uuid, $2::text::jsonb)")
                .await?;
            let start = Instant::now();
            let mut count = 0usize;
            while start.elapsed() < time {
                let id = uuid::Uuid::new_v4().to_string();
                client.execute(&insert, &[&id, &body]).await?;
                count += 1;
            }
            anyhow::Ok(count as f64 / start.elapsed().as_secs_f64())
        }));
    }
    let mut sum = 0.0;
    for task in tasks {
        sum += task.await??;
    }
    numbers.insert("raw_insert".to_owned(), sum);
    server.drop_database("wm_bench_raw").await
}

async fn submit_from(scene: &Scene, callers: usize, time: Duration, task: &NewTask) -> Result<f64> {
    let mut tasks = Vec::new();
    for _ in 0..callers {
        let (engine, caller, task) = (scene.engine.clone(), scene.caller.clone(), task.clone());
        tasks.push(tokio::spawn(async move {
            let start = Instant::now();
            let mut count = 0usize;
            while start.elapsed() < time {
                engine.submit_tasks(&caller, std::slice::from_ref(&task)).await?;
                count += 1;
            }
            anyhow::Ok(count as f64 / start.elapsed().as_secs_f64())
        }));
    }
    let mut sum = 0.0;
    for task in tasks {
        sum += task.await??;
    }
    Ok(sum)
}

async fn submit_single(server: &Server, size: Size, numbers: &mut Numbers) -> Result<()> {
    let scene = Scene::new(server).await?;
    let time = size.seconds(2, 5);
    submit_from(&scene, 8, Duration::from_millis(300), &wide_task()).await?;
    let rate = submit_from(&scene, 8, time, &wide_task()).await?;
    numbers.insert("submit_single_8".to_owned(), rate);
    let rate = submit_from(&scene, 64, time, &wide_task()).await?;
    numbers.insert("submit_single_64".to_owned(), rate);
    scene.end(server).await
}

async fn submit_bulk(server: &Server, size: Size, numbers: &mut Numbers) -> Result<()> {
    for (name, task) in [("submit_bulk", wide_task()), ("submit_bulk_tiny", tiny_task())] {
        let scene = Scene::new(server).await?;
        let tasks = vec![task; 1000];
        scene.engine.submit_tasks(&scene.caller, &tasks).await?;
        let rate = rate(2, size.seconds(2, 4), async |_| {
            let ids = scene.engine.submit_tasks(&scene.caller, &tasks).await?;
            Ok(ids.len())
        })
        .await?;
        numbers.insert(name.to_owned(), rate);
        scene.end(server).await?;
    }
    Ok(())
}

/// Ten handlers, each claims one task, completes it, claims the next.
async fn drain_with_handlers(scene: &Arc<Scene>, handlers: usize, agent: &str) -> Result<usize> {
    let mut tasks = Vec::new();
    for _ in 0..handlers {
        let (scene, agent) = (scene.clone(), agent.to_owned());
        tasks.push(tokio::spawn(async move {
            let mut count = 0;
            loop {
                let claimed = scene.claim(&agent, 1, Duration::ZERO).await?;
                let Some(claimed) = claimed.first() else {
                    return anyhow::Ok(count);
                };
                scene.complete(claimed).await?;
                count += 1;
            }
        }));
    }
    let mut sum = 0;
    for task in tasks {
        sum += task.await??;
    }
    Ok(sum)
}

async fn drain_single(server: &Server, size: Size, numbers: &mut Numbers) -> Result<()> {
    let scene = Arc::new(Scene::new(server).await?);
    let agent = scene.agent("worker", 10, &[]).await?;
    let count = size.pick(3_000, 10_000);
    scene.fill(count, &wide_task()).await?;
    let start = Instant::now();
    let drained = drain_with_handlers(&scene, 10, &agent).await?;
    numbers.insert("drain_single".to_owned(), drained as f64 / start.elapsed().as_secs_f64());
    ensure!(drained == count, "{drained} of {count} tasks were drained");
    unwrap(scene)?.end(server).await
}

fn unwrap(scene: Arc<Scene>) -> Result<Scene> {
    Arc::into_inner(scene).ok_or_else(|| anyhow::anyhow!("somebody still uses the database"))
}

/// A worker with many slots: claims many at once, and completes each on its own.
async fn drain_engine(
    server: &Server,
    count: usize,
    claimers: usize,
    most: i32,
) -> Result<f64> {
    let scene = Arc::new(Scene::new(server).await?);
    scene.fill(count, &wide_task()).await?;
    for claimer in 0..claimers {
        scene.agent(&format!("worker{claimer}"), 10_000, &[]).await?;
    }
    let start = Instant::now();
    let mut tasks = Vec::new();
    for claimer in 0..claimers {
        let scene = scene.clone();
        tasks.push(tokio::spawn(async move {
            let agent = format!("worker{claimer}");
            // Claims the next while the last ones are being completed.
            let mut completing: Option<tokio::task::JoinHandle<Result<usize>>> = None;
            let mut count = 0;
            loop {
                let claimed = scene.claim(&agent, most, Duration::ZERO).await?;
                if let Some(completing) = completing.take() {
                    count += completing.await??;
                }
                if claimed.is_empty() {
                    return anyhow::Ok(count);
                }
                let scene = scene.clone();
                completing = Some(tokio::spawn(async move {
                    scene.complete_all(&claimed).await?;
                    Ok(claimed.len())
                }));
            }
        }));
    }
    let mut drained = 0;
    for task in tasks {
        drained += task.await??;
    }
    let time = start.elapsed().as_secs_f64();
    ensure!(drained == count, "{drained} of {count} tasks were drained");
    unwrap(scene)?.end(server).await?;
    Ok(drained as f64 / time)
}

/// Straight on the store: a transaction claims a batch, another completes it.
async fn drain_store(server: &Server, count: usize, claimers: usize, most: i32) -> Result<f64> {
    let scene = Arc::new(Scene::new(server).await?);
    scene.fill(count, &wide_task()).await?;
    for claimer in 0..claimers {
        scene.agent(&format!("worker{claimer}"), 10_000, &[]).await?;
    }
    let start = Instant::now();
    let mut tasks = Vec::new();
    for claimer in 0..claimers {
        let scene = scene.clone();
        tasks.push(tokio::spawn(async move {
            let request = StoreRequest {
                key: scene.caller.key,
                agent: format!("worker{claimer}"),
                most,
                start: true,
                request: None,
            };
            let mut count = 0;
            loop {
                let claimed = claim_from_store(scene.engine.store(), &scene.caller, &request).await?;
                if claimed.is_empty() {
                    return anyhow::Ok(count);
                }
                settle_in_store(scene.engine.store(), &scene.caller, &claimed).await?;
                count += claimed.len();
            }
        }));
    }
    let mut drained = 0;
    for task in tasks {
        drained += task.await??;
    }
    let time = start.elapsed().as_secs_f64();
    ensure!(drained == count, "{drained} of {count} tasks were drained");
    unwrap(scene)?.end(server).await?;
    Ok(drained as f64 / time)
}

async fn claim_from_store(
    store: &Store,
    caller: &Caller,
    request: &StoreRequest,
) -> Result<Vec<Claimed>> {
    let claim = Claim {
        ns: caller.ns,
        requests: std::slice::from_ref(request),
    };
    let (mut answers, _) = store.run(&claim).await?;
    let answer = answers.pop().unwrap_or_else(|| Ok(Vec::new()));
    answer.map_err(|refusal| anyhow::anyhow!("the claim was refused: {refusal:?}"))
}

async fn settle_in_store(store: &Store, caller: &Caller, claimed: &[Claimed]) -> Result<()> {
    let settlements: Vec<Settlement> = claimed
        .iter()
        .map(|claimed| Settlement {
            settler: Settler::Key(caller.key),
            lease: claimed.lease,
            ending: done(),
            spent: Spent::default(),
            random: 0.5,
        })
        .collect();
    let settle = Settle {
        ns: caller.ns,
        settlements: &settlements,
    };
    let (answers, _) = store.run(&settle).await?;
    ensure!(answers.iter().all(Result::is_ok), "a completion was refused");
    Ok(())
}

/// Several shapes; the best counts, and all are reported.
async fn drain_batched(server: &Server, size: Size, numbers: &mut Numbers) -> Result<()> {
    let count = size.pick(20_000, 60_000);
    let shapes: &[(usize, i32)] = size.pick(&[(4, 200)], &[(4, 50), (4, 200), (2, 1000)]);
    for &(claimers, most) in shapes {
        let rate = drain_engine(server, count, claimers, most).await?;
        numbers.insert(format!("drain_batched_engine_{claimers}x{most}"), rate);
    }
    let shapes: &[(usize, i32)] = size.pick(&[(2, 200)], &[(2, 200), (4, 200), (2, 1000)]);
    for &(claimers, most) in shapes {
        let rate = drain_store(server, count, claimers, most).await?;
        numbers.insert(format!("drain_batched_store_{claimers}x{most}"), rate);
    }
    for kind in ["engine", "store"] {
        let prefix = format!("drain_batched_{kind}_");
        let best = numbers
            .iter()
            .filter(|(name, _)| name.starts_with(&prefix))
            .map(|(_, rate)| *rate)
            .fold(0.0, f64::max);
        numbers.insert(format!("drain_batched_best_{kind}"), best);
    }
    Ok(())
}

/// From before the submit until the handler has its task.
async fn idle(server: &Server, size: Size, numbers: &mut Numbers) -> Result<()> {
    let scene = Arc::new(Scene::new(server).await?);
    let agent = scene.agent("worker", 10, &[]).await?;
    let mut took = Vec::new();
    let task = wide_task();
    for _ in 0..size.pick(100, 300) {
        let waiting = {
            let (scene, agent) = (scene.clone(), agent.clone());
            tokio::spawn(async move {
                let claimed = scene.claim(&agent, 1, Duration::from_secs(10)).await?;
                anyhow::Ok((Instant::now(), claimed))
            })
        };
        sleep(Duration::from_millis(12)).await;
        let start = Instant::now();
        scene.engine.submit_tasks(&scene.caller, std::slice::from_ref(&task)).await?;
        let (at, claimed) = waiting.await??;
        took.push((at - start).as_secs_f64() * 1000.0);
        scene.complete_all(&claimed).await?;
    }
    took.sort_by(f64::total_cmp);
    numbers.insert("idle_p50_ms".to_owned(), percentile(&took, 0.5));
    numbers.insert("idle_p99_ms".to_owned(), percentile(&took, 0.99));
    unwrap(scene)?.end(server).await
}

fn percentile(sorted: &[f64], part: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * part).round() as usize).copied().unwrap_or(f64::NAN)
}

/// Single submits while nobody waits, while 50 agents wait for something else, and while 50
/// other servers have an agent waiting.
async fn waiting(server: &Server, size: Size, numbers: &mut Numbers) -> Result<()> {
    let time = size.seconds(2, 4);
    let mut task = wide_task();
    task.spec.constraints.required_capabilities = vec!["rare".to_owned()];
    for kind in ["none", "agents", "servers"] {
        let scene = Arc::new(Scene::new(server).await?);
        let mut waiting = Vec::new();
        let mut engines = Vec::new();
        if kind != "none" {
            for n in 0..50 {
                let agent = scene.agent(&format!("waiting{n}"), 1, &[]).await?;
                let engine = if kind == "agents" {
                    scene.engine.clone()
                } else {
                    Arc::new(Engine::new(Arc::new(Store::new(&scene.url, 1)?)))
                };
                engines.push(engine.clone());
                let caller = scene.caller.clone();
                waiting.push(tokio::spawn(async move {
                    let request = ClaimRequest {
                        agent,
                        most: 1,
                        start: true,
                        wait: Duration::from_secs(50),
                        request_id: None,
                    };
                    engine.claim(&caller, &request).await
                }));
            }
            sleep(Duration::from_millis(500)).await;
        }
        submit_from(&scene, 8, Duration::from_millis(300), &task).await?;
        let rate = submit_from(&scene, 8, time, &task).await?;
        numbers.insert(format!("submit_waiting_{kind}"), rate);
        for engine in &engines {
            engine.stop_waiting();
        }
        join_all(waiting).await;
        for engine in engines {
            engine.store().close();
        }
        unwrap(scene)?.end(server).await?;
    }
    for kind in ["agents", "servers"] {
        let ratio = numbers[&format!("submit_waiting_{kind}")] / numbers["submit_waiting_none"];
        numbers.insert(format!("waiting_{kind}_ratio"), ratio);
    }
    Ok(())
}

/// From submit to completion, whatever the server logged in between.
async fn wal(server: &Server, size: Size, numbers: &mut Numbers) -> Result<()> {
    let count = size.pick(5_000, 20_000);
    for kind in ["single", "batched"] {
        let scene = Arc::new(Scene::new(server).await?);
        let agent = scene.agent("worker", 10_000, &[]).await?;
        // The first touch of a page after a checkpoint logs the page: let tables have some.
        scene.fill(500, &wide_task()).await?;
        drain_with_handlers(&scene, 10, &agent).await?;
        let before = scene.wal_position().await?;
        if kind == "single" {
            let mut tasks = Vec::new();
            for _ in 0..8 {
                let scene = scene.clone();
                tasks.push(tokio::spawn(async move {
                    let task = wide_task();
                    for _ in 0..count / 8 {
                        scene.engine.submit_tasks(&scene.caller, std::slice::from_ref(&task)).await?;
                    }
                    anyhow::Ok(())
                }));
            }
            for task in tasks {
                task.await??;
            }
            drain_with_handlers(&scene, 10, &agent).await?;
        } else {
            scene.fill(count, &wide_task()).await?;
            loop {
                let claimed = scene.claim(&agent, 200, Duration::ZERO).await?;
                if claimed.is_empty() {
                    break;
                }
                scene.complete_all(&claimed).await?;
            }
        }
        let bytes = scene.wal_position().await? - before;
        numbers.insert(format!("wal_bytes_{kind}"), bytes as f64 / count as f64);
        unwrap(scene)?.end(server).await?;
    }
    Ok(())
}

/// 10,000 leases, a sign of life each every 30 s: each at its own moment, and worker by worker.
async fn heartbeats(server: &Server, size: Size, numbers: &mut Numbers) -> Result<()> {
    const LEASES: usize = 10_000;
    const WORKERS: usize = 100;
    let every = Duration::from_secs(30);
    let scene = Arc::new(Scene::new(server).await?);
    let task = NewTask {
        lease_sec: Some(3600.0),
        ..wide_task()
    };
    scene.fill(LEASES, &task).await?;
    let mut leases: Vec<LeaseId> = Vec::new();
    for worker in 0..WORKERS {
        let agent = scene.agent(&format!("worker{worker}"), 100, &[]).await?;
        let claimed = scene.claim(&agent, 100, Duration::ZERO).await?;
        leases.extend(claimed.iter().map(|claimed| claimed.lease));
    }
    ensure!(leases.len() == LEASES, "{} leases", leases.len());
    scene.client().await?.batch_execute("vacuum analyze").await?;
    let time = size.seconds(10, 30);

    let idle = processor_share(server, time / 2, sleep(time / 2)).await?;
    numbers.insert("heartbeats_idle_percent".to_owned(), idle);

    for (name, at_once) in [("spread", 1), ("by_worker", LEASES / WORKERS)] {
        let gap = every / u32::try_from(LEASES / at_once)?;
        let beating = async {
            let mut turns = tokio::time::interval(gap);
            let start = Instant::now();
            let mut next = 0;
            let mut calls = Vec::new();
            while start.elapsed() < time {
                turns.tick().await;
                for _ in 0..at_once {
                    let (scene, lease) = (scene.clone(), leases[next % LEASES]);
                    next += 1;
                    calls.push(tokio::spawn(async move {
                        scene.engine.heartbeat(&scene.caller, lease, Report::default()).await
                    }));
                }
            }
            for call in calls {
                call.await??;
            }
            anyhow::Ok(next)
        };
        let mut beats = Ok(0);
        let share = processor_share(server, time, async { beats = beating.await }).await?;
        let beats = beats?;
        numbers.insert(format!("heartbeats_{name}_percent"), share);
        numbers.insert(format!("heartbeats_{name}_per_s"), beats as f64 / time.as_secs_f64());
    }
    unwrap(scene)?.end(server).await
}

/// Percent of one core that the server's processes use meanwhile.
async fn processor_share(
    server: &Server,
    time: Duration,
    meanwhile: impl Future<Output = ()>,
) -> Result<f64> {
    let before = server.processor_seconds().await?;
    let start = Instant::now();
    meanwhile.await;
    let rest = time.saturating_sub(start.elapsed());
    sleep(rest).await;
    let used = server.processor_seconds().await? - before;
    Ok(100.0 * used / start.elapsed().as_secs_f64())
}

/// Claims a fixed number from ten claimers, one at a time; then completes and replaces them,
/// untimed. Median of several turns.
async fn claim_rate(scene: &Arc<Scene>, turns: usize, count: usize, more: &NewTask) -> Result<f64> {
    let mut rates = Vec::new();
    for _ in 0..turns {
        let left = Arc::new(AtomicUsize::new(count));
        let start = Instant::now();
        let mut tasks = Vec::new();
        for claimer in 0..10 {
            let (scene, left) = (scene.clone(), left.clone());
            tasks.push(tokio::spawn(async move {
                let agent = format!("claimer{claimer}");
                let mut all = Vec::new();
                while left
                    .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
                    .is_ok()
                {
                    let mut claimed = scene.claim(&agent, 1, Duration::ZERO).await?;
                    ensure!(!claimed.is_empty(), "a claim came back empty");
                    all.append(&mut claimed);
                }
                Ok(all)
            }));
        }
        let mut all = Vec::new();
        for task in tasks {
            all.append(&mut task.await??);
        }
        rates.push(all.len() as f64 / start.elapsed().as_secs_f64());
        for part in all.chunks(500) {
            settle_in_store(scene.engine.store(), &scene.caller, part).await?;
        }
        scene.fill(count, more).await?;
    }
    rates.sort_by(f64::total_cmp);
    Ok(percentile(&rates, 0.5))
}

async fn claimers(scene: &Scene, capabilities: &[&str]) -> Result<()> {
    for claimer in 0..10 {
        scene.agent(&format!("claimer{claimer}"), 10_000, capabilities).await?;
    }
    Ok(())
}

async fn backlog(server: &Server, size: Size, numbers: &mut Numbers) -> Result<()> {
    let deep = size.pick(100_000, 1_000_000);
    for (name, count) in [("claims_at_10k", 10_000), ("claims_at_1m", deep)] {
        let scene = Arc::new(Scene::new(server).await?);
        claimers(&scene, &[]).await?;
        scene.fill(count, &tiny_task()).await?;
        scene.client().await?.batch_execute("vacuum analyze").await?;
        let rate = claim_rate(&scene, 5, size.pick(1000, 2000), &tiny_task()).await?;
        numbers.insert(name.to_owned(), rate);
        unwrap(scene)?.end(server).await?;
    }
    numbers.insert("backlog_size".to_owned(), deep as f64);
    let ratio = numbers["claims_at_1m"] / numbers["claims_at_10k"];
    numbers.insert("backlog_ratio".to_owned(), ratio);
    Ok(())
}

/// 99 of 100 tasks ask for something that the claimers cannot do, and rank before the rest.
async fn capability(server: &Server, size: Size, numbers: &mut Numbers) -> Result<()> {
    let mine = size.pick(500, 2000);
    let lanes = 10;
    for foreign in [false, true] {
        let scene = Arc::new(Scene::new(server).await?);
        claimers(&scene, &["plain"]).await?;
        for lane in 0..lanes {
            let mut task = tiny_task();
            if foreign {
                task.spec.constraints.required_capabilities = vec![format!("other{lane}")];
            }
            scene.fill(mine * 99 / lanes, &task).await?;
        }
        let mut own = tiny_task();
        own.spec.constraints.required_capabilities = vec!["plain".to_owned()];
        scene.fill(mine, &own).await?;
        scene.client().await?.batch_execute("vacuum analyze").await?;
        let rate = claim_rate(&scene, 5, mine, &own).await?;
        let name = if foreign { "claims_99_foreign" } else { "claims_all_mine" };
        numbers.insert(name.to_owned(), rate);
        unwrap(scene)?.end(server).await?;
    }
    let ratio = numbers["claims_99_foreign"] / numbers["claims_all_mine"];
    numbers.insert("capability_ratio".to_owned(), ratio);
    Ok(())
}

/// Somebody keeps a transaction open while work goes on: what was deleted cannot be cleaned up.
async fn held_snapshot(server: &Server, size: Size, numbers: &mut Numbers) -> Result<()> {
    let time = size.seconds(15, 60);
    for (name, held) in [("free", false), ("held", true)] {
        // Without a snapshot, only as long as it takes to know what is normal.
        let time = if held { time } else { size.seconds(10, 15) };
        let scene = Arc::new(Scene::new(server).await?);
        scene.fill(2_000, &wide_task()).await?;
        let holder = scene.client().await?;
        if held {
            holder
                .batch_execute(
                    "begin isolation level repeatable read; select count(*) from workmill.state",
                )
                .await?;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let done = Arc::new(AtomicUsize::new(0));
        let mut workers = Vec::new();
        for worker in 0..4 {
            let (scene, stop, done) = (scene.clone(), stop.clone(), done.clone());
            workers.push(tokio::spawn(async move {
                let agent = scene.agent(&format!("worker{worker}"), 1000, &[]).await?;
                while !stop.load(Ordering::Relaxed) {
                    let claimed = scene.claim(&agent, 50, Duration::from_secs(1)).await?;
                    scene.complete_all(&claimed).await?;
                    done.fetch_add(claimed.len(), Ordering::Relaxed);
                    let more = vec![wide_task(); claimed.len()];
                    if !more.is_empty() {
                        scene.engine.submit_tasks(&scene.caller, &more).await?;
                    }
                }
                anyhow::Ok(())
            }));
        }
        sleep(Duration::from_secs(1)).await;
        let mut seconds = Vec::new();
        let start = Instant::now();
        let mut last = (start, done.load(Ordering::Relaxed));
        while start.elapsed() < time {
            sleep(Duration::from_secs(1)).await;
            let now = (Instant::now(), done.load(Ordering::Relaxed));
            seconds.push((now.1 - last.1) as f64 / (now.0 - last.0).as_secs_f64());
            last = now;
        }
        stop.store(true, Ordering::Relaxed);
        for worker in workers {
            worker.await??;
        }
        if held {
            holder.batch_execute("rollback").await?;
        }
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        let first = mean(&seconds[..5]);
        let end = mean(&seconds[seconds.len() - 5..]);
        numbers.insert(format!("snapshot_{name}_first"), first);
        numbers.insert(format!("snapshot_{name}_last"), end);
        numbers.insert(format!("snapshot_{name}_ratio"), end / first);
        drop(holder);
        unwrap(scene)?.end(server).await?;
    }
    Ok(())
}
