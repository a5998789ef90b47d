//! Claims alone, in two databases that take turns, so that noise meets both alike. What was
//! claimed is completed and replaced, untimed, and few are claimed in a turn, so that a database
//! stays as it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use workmill_core::task::NewTask;

use super::{Numbers, Size, drain, float, median, per_second};
use crate::scene::{Scene, tiny_task};
use crate::server::Server;

const CLAIMERS: usize = 10;
const TURNS: usize = 9;

/// Claims with a deep backlog, and with 10,000 ready.
pub async fn backlog(server: &Server, size: Size) -> Result<Numbers> {
    let deep = size.pick(100_000, 1_000_000);
    let task = tiny_task();
    let mut scenes = Vec::new();
    for count in [10_000, deep] {
        let scene = scene_with_claimers(server, &[]).await?;
        scene.fill(count, &task).await?;
        scenes.push((scene, task.clone()));
    }
    let [shallow, deep_rate, ratio] = compare(server, scenes, size.pick(300, 1000)).await?;
    Ok(Numbers::from([
        ("backlog_size".to_owned(), float(deep)),
        ("claims_at_10k".to_owned(), shallow),
        ("claims_at_1m".to_owned(), deep_rate),
        ("backlog_ratio".to_owned(), ratio),
    ]))
}

/// As many tasks in both databases. In one they are all for the claimers and in one lane; in the
/// other 99 of 100, all ahead and in ten lanes, ask for something that the claimers cannot do.
pub async fn capability(server: &Server, size: Size) -> Result<Numbers> {
    const LANES: usize = 10;
    let mine = size.pick(1_000, 5_000);
    let others = mine * 99;
    let needing = |what: &str| {
        let mut task = tiny_task();
        task.spec.constraints.required_capabilities = vec![what.to_owned()];
        task
    };
    let own = needing("plain");
    let mut scenes = Vec::new();
    for is_foreign in [false, true] {
        let scene = scene_with_claimers(server, &["plain"]).await?;
        for lane in 0..LANES {
            let what = if is_foreign {
                format!("other{lane}")
            } else {
                "plain".to_owned()
            };
            scene.fill(others / LANES, &needing(&what)).await?;
        }
        scene.fill(mine, &own).await?;
        scenes.push((scene, own.clone()));
    }
    let [all, foreign, ratio] = compare(server, scenes, mine / 5).await?;
    Ok(Numbers::from([
        ("claims_all_mine".to_owned(), all),
        ("claims_99_foreign".to_owned(), foreign),
        ("capability_ratio".to_owned(), ratio),
    ]))
}

pub(super) async fn scene_with_claimers(
    server: &Server,
    capabilities: &[&str],
) -> Result<Arc<Scene>> {
    let scene = Arc::new(Scene::new(server).await?);
    for claimer in 0..CLAIMERS {
        scene
            .agent(&format!("claimer{claimer}"), 10_000, capabilities)
            .await?;
    }
    Ok(scene)
}

/// The median rates of both, and the median of what the second is to the first in a turn.
/// Each is refilled with a task of its own.
pub(super) async fn compare(
    server: &Server,
    scenes: Vec<(Arc<Scene>, NewTask)>,
    count: usize,
) -> Result<[f64; 3]> {
    for (scene, more) in &scenes {
        scene.vacuum().await?;
        // Not counted: the first turn meets cold caches and unprepared statements.
        claim_rate(scene, count, more).await?;
    }
    let mut rates = [Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        for ((scene, more), rates) in scenes.iter().zip(&mut rates) {
            rates.push(claim_rate(scene, count, more).await?);
        }
    }
    for (scene, _) in scenes {
        Scene::end_shared(scene, server).await?;
    }
    let [first, second] = rates;
    let ratios = second
        .iter()
        .zip(&first)
        .map(|(second, first)| second / first);
    let ratio = median(ratios.collect());
    Ok([median(first), median(second), ratio])
}

/// Claims so many from ten claimers, one at a time; then completes and replaces them.
async fn claim_rate(scene: &Arc<Scene>, count: usize, more: &NewTask) -> Result<f64> {
    let left = Arc::new(AtomicUsize::new(count));
    let start = Instant::now();
    let mut tasks = Vec::new();
    for claimer in 0..CLAIMERS {
        let (scene, left) = (scene.clone(), left.clone());
        tasks.push(tokio::spawn(async move {
            let agent = format!("claimer{claimer}");
            let mut all = Vec::new();
            while left
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                    left.checked_sub(1)
                })
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
    let rate = per_second(all.len(), start.elapsed());
    for part in all.chunks(500) {
        drain::settle(scene.engine.store(), &scene.caller, part).await?;
    }
    scene.fill(count, more).await?;
    Ok(rate)
}
