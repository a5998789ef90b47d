//! Draining what was submitted before.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use tokio::task::JoinHandle;
use workmill_engine::Caller;
use workmill_engine::dispatch::Claimed;
use workmill_store::Store;
use workmill_store::dispatch::claim::{Claim, ClaimRequest};
use workmill_store::settlement::{Settle, Settlement, Settler, Spent};

use super::{Numbers, Size, per_second};
use crate::cost::{Interval, Meter};
use crate::scene::{Scene, Tenant, done, wide_task};
use crate::server::Server;

/// Handlers that claim one task, complete it, and claim the next, until no task is left or the
/// time is up. Returns how many were completed.
pub async fn with_handlers(
    tenant: &Tenant,
    handlers: usize,
    agent: &str,
    longest: Duration,
) -> Result<usize> {
    let work = Work {
        tenant: tenant.clone(),
        agent: agent.to_owned(),
        most: 1,
        end: Instant::now() + longest,
    };
    let tasks = (0..handlers)
        .map(|_| tokio::spawn(work.clone().one_by_one()))
        .collect();
    super::sum(tasks).await
}

pub async fn single(server: &Server, size: Size) -> Result<Numbers> {
    let count = size.pick(4_000, 20_000);
    let scene = filled(server, count).await?;
    let agent = scene.agent("worker", 10, &[]).await?;
    let meter = Meter::start(server).await?;
    let drained = with_handlers(&scene, 10, &agent, longest(size)).await?;
    let interval = meter.stop().await?;
    check(drained, count, interval.took, longest(size))?;
    scene.end(server).await?;
    let mut numbers = Numbers::new();
    interval.add(&mut numbers, "drain_single", drained);
    Ok(numbers)
}

#[derive(Clone, Copy)]
enum Through {
    Engine,
    Store,
}

/// Several shapes; the fastest counts, and all are reported.
pub async fn batched(server: &Server, size: Size) -> Result<Numbers> {
    let engine: &[(usize, i32)] = size.pick(&[(4, 200)], &[(4, 200), (2, 1000)]);
    let store: &[(usize, i32)] = size.pick(&[], &[(4, 200)]);
    let mut numbers = Numbers::new();
    for (through, name, shapes) in [
        (Through::Engine, "engine", engine),
        (Through::Store, "store", store),
    ] {
        let mut best: Option<(usize, Interval)> = None;
        for &(claimers, most) in shapes {
            let (drained, interval) = in_shape(server, size, through, claimers, most).await?;
            let shape = format!("drain_batched_{name}_{claimers}x{most}");
            interval.add(&mut numbers, &shape, drained);
            let rate = per_second(drained, interval.took);
            if best.is_none_or(|(drained, interval)| rate > per_second(drained, interval.took)) {
                best = Some((drained, interval));
            }
        }
        if let Some((drained, interval)) = best {
            interval.add(&mut numbers, &format!("drain_batched_best_{name}"), drained);
        }
    }
    Ok(numbers)
}

async fn in_shape(
    server: &Server,
    size: Size,
    through: Through,
    claimers: usize,
    most: i32,
) -> Result<(usize, Interval)> {
    let count = size.pick(40_000, 200_000);
    let scene = filled(server, count).await?;
    let mut agents = Vec::new();
    for claimer in 0..claimers {
        let name = format!("worker{claimer}");
        agents.push(scene.agent(&name, 10_000, &[]).await?);
    }
    let meter = Meter::start(server).await?;
    let end = Instant::now() + longest(size);
    let tasks = agents.into_iter().map(|agent| {
        let tenant = scene.tenant.clone();
        let work = Work {
            tenant,
            agent,
            most,
            end,
        };
        match through {
            Through::Engine => tokio::spawn(work.in_batches()),
            Through::Store => tokio::spawn(work.on_store()),
        }
    });
    let drained = super::sum(tasks.collect()).await?;
    let interval = meter.stop().await?;
    check(drained, count, interval.took, longest(size))?;
    scene.end(server).await?;
    Ok((drained, interval))
}

/// As long as the peers have.
fn longest(size: Size) -> Duration {
    size.seconds(15, 60)
}

/// Checks that all tasks were drained, or that the time was up.
fn check(drained: usize, count: usize, took: Duration, longest: Duration) -> Result<()> {
    let is_whole = drained == count || took >= longest;
    ensure!(is_whole, "{drained} of {count} tasks were drained");
    Ok(())
}

async fn filled(server: &Server, count: usize) -> Result<Scene> {
    let scene = Scene::new(server).await?;
    scene.fill(count, &wide_task()).await?;
    scene.vacuum().await?;
    Ok(scene)
}

/// A claimer that drains until no task is left or the end is reached; each way of working returns
/// how many tasks it completed.
#[derive(Clone)]
pub struct Work {
    pub tenant: Tenant,
    pub agent: String,
    pub most: i32,
    pub end: Instant,
}

impl Work {
    /// A handler: claims, completes, claims the next.
    pub async fn one_by_one(self) -> Result<usize> {
        let mut count = 0;
        loop {
            let claimed = self.claim().await?;
            if claimed.is_empty() {
                return Ok(count);
            }
            self.tenant.complete_all(&claimed).await?;
            count += claimed.len();
        }
    }

    /// A worker with many slots: claims many at once, completes each on its own, and claims the
    /// next while the last ones are being completed.
    pub async fn in_batches(self) -> Result<usize> {
        let mut completing: Option<JoinHandle<Result<usize>>> = None;
        let mut count = 0;
        loop {
            let claimed = self.claim().await?;
            if let Some(completing) = completing.take() {
                count += completing.await??;
            }
            if claimed.is_empty() {
                return Ok(count);
            }
            let tenant = self.tenant.clone();
            completing = Some(tokio::spawn(async move {
                tenant.complete_all(&claimed).await?;
                Ok(claimed.len())
            }));
        }
    }

    /// Returns no task once the end is reached.
    async fn claim(&self) -> Result<Vec<Claimed>> {
        if Instant::now() >= self.end {
            return Ok(Vec::new());
        }
        let (agent, most) = (&self.agent, self.most);
        self.tenant.claim(agent, most, Duration::ZERO).await
    }

    /// A transaction claims a batch, another completes it.
    async fn on_store(self) -> Result<usize> {
        let (store, caller) = (self.tenant.engine.store(), &self.tenant.caller);
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
