//! 10,000 leases, a sign of life each every 30 s: each at its own moment, and worker by worker.
//!
//! What counts is the processor time of PostgreSQL's processes, not of ours; what the duties of
//! the engine ask of the database meanwhile is part of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tokio::time::sleep;
use workmill_core::ids::LeaseId;
use workmill_core::task::NewTask;
use workmill_engine::execution::Report;

use super::{Numbers, Size, per_second};
use crate::cost::Meter;
use crate::scene::{Scene, wide_task};
use crate::server::Server;

const LEASES: usize = 10_000;
const WORKERS: usize = 100;
const EVERY: Duration = Duration::from_secs(30);

pub async fn measure(server: &Server, size: Size) -> Result<Numbers> {
    let scene = Arc::new(Scene::new(server).await?);
    let leases = leases(&scene).await?;
    scene.vacuum().await?;
    // What filling has left to do is not part of it.
    scene.client().await?.batch_execute("checkpoint").await?;
    let time = size.seconds(10, 30);
    let mut numbers = Numbers::new();

    let idle = processor_share(server, time / 2, sleep(time / 2)).await?;
    numbers.insert("heartbeats_idle_percent".to_owned(), idle);

    for (name, at_once) in [("spread", 1), ("by_worker", LEASES / WORKERS)] {
        let mut beats = Ok(0);
        let beating = async { beats = beat(&scene, &leases, at_once, time).await };
        let share = processor_share(server, time, beating).await?;
        numbers.insert(format!("heartbeats_{name}_percent"), share);
        numbers.insert(format!("heartbeats_{name}_per_s"), per_second(beats?, time));
    }
    Scene::end_shared(scene, server).await?;
    Ok(numbers)
}

async fn leases(scene: &Scene) -> Result<Vec<LeaseId>> {
    let task = NewTask {
        lease_sec: Some(3600.0),
        ..wide_task()
    };
    scene.fill(LEASES, &task).await?;
    let mut leases = Vec::new();
    let each = i32::try_from(LEASES / WORKERS)?;
    for worker in 0..WORKERS {
        let agent = scene.agent(&format!("worker{worker}"), each, &[]).await?;
        let claimed = scene.claim(&agent, each, Duration::ZERO).await?;
        leases.extend(claimed.iter().map(|claimed| claimed.lease));
    }
    ensure!(leases.len() == LEASES, "{} leases", leases.len());
    Ok(leases)
}

async fn beat(
    scene: &Arc<Scene>,
    leases: &[LeaseId],
    at_once: usize,
    time: Duration,
) -> Result<usize> {
    let mut turns = tokio::time::interval(EVERY / u32::try_from(LEASES / at_once)?);
    let start = Instant::now();
    let mut next = 0;
    let mut calls = Vec::new();
    while start.elapsed() < time {
        turns.tick().await;
        for _ in 0..at_once {
            let (scene, lease) = (scene.clone(), leases[next % leases.len()]);
            next += 1;
            calls.push(tokio::spawn(async move {
                let report = Report::default();
                scene.engine.heartbeat(&scene.caller, lease, report).await
            }));
        }
    }
    for call in calls {
        call.await??;
    }
    Ok(next)
}

/// Returns the percentage of one core that PostgreSQL's processes use meanwhile.
async fn processor_share(
    server: &Server,
    time: Duration,
    meanwhile: impl Future<Output = ()>,
) -> Result<f64> {
    let meter = Meter::start(server).await?;
    let start = Instant::now();
    meanwhile.await;
    sleep(time.saturating_sub(start.elapsed())).await;
    let interval = meter.stop().await?;
    let used = interval
        .server_cpu
        .context("the server's processes are not visible on this machine")?;
    Ok(100.0 * used.as_secs_f64() / interval.took.as_secs_f64())
}
