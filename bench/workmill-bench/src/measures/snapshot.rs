//! Somebody keeps a transaction open while work goes on: what was deleted cannot be cleaned up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::{Numbers, Size, float, per_second};
use crate::scene::{Scene, wide_task};
use crate::server::Server;

const WORKERS: usize = 4;
/// How many seconds the beginning and the end are.
const PART: usize = 5;

pub async fn measure(server: &Server, size: Size) -> Result<Numbers> {
    let mut numbers = Numbers::new();
    // Without a snapshot, only as long as it takes to know what is normal.
    let free = (false, "free", size.seconds(10, 15));
    let held = (true, "held", size.seconds(15, 60));
    for (is_held, name, time) in [free, held] {
        let scene = Arc::new(Scene::new(server).await?);
        scene.fill(2_000, &wide_task()).await?;
        scene.vacuum().await?;
        let holder = scene.client().await?;
        if is_held {
            let begin =
                "begin isolation level repeatable read; select count(*) from workmill.state";
            holder.batch_execute(begin).await?;
        }
        let seconds = second_by_second(&scene, time).await?;
        if is_held {
            holder.batch_execute("rollback").await?;
        }
        drop(holder);
        Scene::end_shared(scene, server).await?;

        let mean = |part: &[f64]| part.iter().sum::<f64>() / float(part.len());
        let first = mean(&seconds[..PART]);
        let last = mean(&seconds[seconds.len() - PART..]);
        numbers.insert(format!("snapshot_{name}_first"), first);
        numbers.insert(format!("snapshot_{name}_last"), last);
        numbers.insert(format!("snapshot_{name}_ratio"), last / first);
    }
    Ok(numbers)
}

/// How many tasks were finished in each second.
async fn second_by_second(scene: &Arc<Scene>, time: Duration) -> Result<Vec<f64>> {
    let stop = Arc::new(AtomicBool::new(false));
    let done = Arc::new(AtomicUsize::new(0));
    let mut workers = Vec::new();
    for worker in 0..WORKERS {
        workers.push(work(scene, worker, &stop, &done));
    }
    sleep(Duration::from_secs(1)).await;
    let mut seconds = Vec::new();
    let start = Instant::now();
    let mut last = (start, done.load(Ordering::Relaxed));
    while start.elapsed() < time {
        sleep(Duration::from_secs(1)).await;
        let now = (Instant::now(), done.load(Ordering::Relaxed));
        seconds.push(per_second(now.1 - last.1, now.0 - last.0));
        last = now;
    }
    stop.store(true, Ordering::Relaxed);
    for worker in workers {
        worker.await??;
    }
    Ok(seconds)
}

/// Claims and completes 50, and submits as many anew.
fn work(
    scene: &Arc<Scene>,
    worker: usize,
    stop: &Arc<AtomicBool>,
    done: &Arc<AtomicUsize>,
) -> JoinHandle<Result<()>> {
    let (scene, stop, done) = (scene.clone(), stop.clone(), done.clone());
    tokio::spawn(async move {
        let agent = scene.agent(&format!("worker{worker}"), 1000, &[]).await?;
        while !stop.load(Ordering::Relaxed) {
            let claimed = scene.claim(&agent, 50, Duration::from_secs(1)).await?;
            scene.complete_all(&claimed).await?;
            done.fetch_add(claimed.len(), Ordering::Relaxed);
            if !claimed.is_empty() {
                scene.submit(&vec![wide_task(); claimed.len()]).await?;
            }
        }
        Ok(())
    })
}
