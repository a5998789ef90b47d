//! Draining what was submitted before.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use tokio::task::JoinHandle;
use workmill_engine::Caller;
use workmill_engine::dispatch::Claimed;
use workmill_store::Store;
use workmill_store::dispatch::claim::{Claim, ClaimRequest};
use workmill_store::settlement::{Settle, Settlement, Settler, Spent};

use super::{Numbers, Size, per_second};
use crate::scene::{Scene, done, wide_task};
use crate::server::Server;

/// Handlers that claim one task, complete it, and claim the next, until nothing is left or the
/// time is up. Answers how many were completed.
pub async fn with_handlers(
    scene: &Arc<Scene>,
    handlers: usize,
    agent: &str,
    longest: Duration,
) -> Result<usize> {
    let start = Instant::now();
    let tasks = (0..handlers)
        .map(|_| {
            let (scene, agent) = (scene.clone(), agent.to_owned());
            tokio::spawn(async move {
                let mut count = 0;
                while start.elapsed() < longest {
                    let claimed = scene.claim(&agent, 1, Duration::ZERO).await?;
                    let Some(claimed) = claimed.first() else {
                        break;
                    };
                    scene.complete(claimed).await?;
                    count += 1;
                }
                anyhow::Ok(count)
            })
        })
        .collect();
    super::sum(tasks).await
}

pub async fn single(server: &Server, size: Size) -> Result<Numbers> {
    let count = size.pick(4_000, 20_000);
    let scene = filled(server, count).await?;
    let agent = scene.agent("worker", 10, &[]).await?;
    let longest = longest(size);
    let start = Instant::now();
    let drained = with_handlers(&scene, 10, &agent, longest).await?;
    let rate = rate(drained, count, start.elapsed(), longest)?;
    Scene::end_shared(scene, server).await?;
    Ok(Numbers::from([("drain_single".to_owned(), rate)]))
}

/// Several shapes; the best counts, and all are reported.
pub async fn batched(server: &Server, size: Size) -> Result<Numbers> {
    let count = size.pick(40_000, 200_000);
    let engine: &[(usize, i32)] = size.pick(&[(4, 200)], &[(4, 200), (2, 1000)]);
    let store: &[(usize, i32)] = size.pick(&[], &[(4, 200)]);
    let mut numbers = Numbers::new();
    for (kind, shapes) in [("engine", engine), ("store", store)] {
        let mut best: f64 = 0.0;
        for &(claimers, most) in shapes {
            let scene = filled(server, count).await?;
            let start = Instant::now();
            let mut tasks = Vec::new();
            for claimer in 0..claimers {
                let agent = scene
                    .agent(&format!("worker{claimer}"), 10_000, &[])
                    .await?;
                let work = Work {
                    scene: scene.clone(),
                    agent,
                    most,
                    end: start + longest(size),
                };
                tasks.push(match kind {
                    "engine" => tokio::spawn(work.through_engine()),
                    _ => tokio::spawn(work.on_store()),
                });
            }
            let drained = super::sum(tasks).await?;
            let rate = rate(drained, count, start.elapsed(), longest(size))?;
            numbers.insert(format!("drain_batched_{kind}_{claimers}x{most}"), rate);
            best = best.max(rate);
            Scene::end_shared(scene, server).await?;
        }
        if best > 0.0 {
            numbers.insert(format!("drain_batched_best_{kind}"), best);
        }
    }
    Ok(numbers)
}

/// As long as the peers have.
fn longest(size: Size) -> Duration {
    size.seconds(15, 60)
}

/// Everything was drained, or the time was up.
fn rate(drained: usize, count: usize, took: Duration, longest: Duration) -> Result<f64> {
    let is_whole = drained == count || took >= longest;
    ensure!(is_whole, "{drained} of {count} tasks were drained");
    Ok(per_second(drained, took))
}

async fn filled(server: &Server, count: usize) -> Result<Arc<Scene>> {
    let scene = Arc::new(Scene::new(server).await?);
    scene.fill(count, &wide_task()).await?;
    scene.vacuum().await?;
    Ok(scene)
}

/// One of the claimers of a batched drain.
struct Work {
    scene: Arc<Scene>,
    agent: String,
    most: i32,
    end: Instant,
}

impl Work {
    /// A worker with many slots: claims many at once, completes each on its own, and claims the
    /// next while the last ones are being completed.
    async fn through_engine(self) -> Result<usize> {
        let mut completing: Option<JoinHandle<Result<usize>>> = None;
        let mut count = 0;
        loop {
            let claimed = if Instant::now() < self.end {
                self.scene
                    .claim(&self.agent, self.most, Duration::ZERO)
                    .await?
            } else {
                Vec::new()
            };
            if let Some(completing) = completing.take() {
                count += completing.await??;
            }
            if claimed.is_empty() {
                return Ok(count);
            }
            let scene = self.scene.clone();
            completing = Some(tokio::spawn(async move {
                scene.complete_all(&claimed).await?;
                Ok(claimed.len())
            }));
        }
    }

    /// A transaction claims a batch, another completes it.
    async fn on_store(self) -> Result<usize> {
        let (store, caller) = (self.scene.engine.store(), &self.scene.caller);
        let request = ClaimRequest {
            key: caller.key,
            agent: self.agent,
            most: self.most,
            start: true,
            request: None,
            selection: workmill_core::lane::Selection::default(),
            lease_ms: None,
        };
        let mut count = 0;
        while Instant::now() < self.end {
            let claimed = claim(store, caller, &request).await?;
            if claimed.is_empty() {
                break;
            }
            settle(store, caller, &claimed).await?;
            count += claimed.len();
        }
        Ok(count)
    }
}

async fn claim(store: &Store, caller: &Caller, request: &ClaimRequest) -> Result<Vec<Claimed>> {
    let claim = Claim {
        ns: caller.ns,
        requests: std::slice::from_ref(request),
    };
    let (mut answers, _) = store.run(&claim).await?;
    let answer = answers.pop().unwrap_or_else(|| Ok(Vec::new()));
    answer.map_err(|refusal| anyhow::anyhow!("the claim was refused: {refusal:?}"))
}

/// Completes many in one transaction.
pub async fn settle(store: &Store, caller: &Caller, claimed: &[Claimed]) -> Result<()> {
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
    ensure!(
        answers.iter().all(Result::is_ok),
        "a completion was refused"
    );
    Ok(())
}
