//! What is measured of Workmill itself, one module for each kind of work.
//!
//! Every measure works on fresh databases and answers numbers by name.

mod claims;
mod cycle;
mod drain;
mod drains_compared;
mod explain;
mod gates;
mod heartbeats;
mod http;
mod idle;
mod raw_insert;
mod snapshot;
mod submit;
mod waiting;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use tokio::task::JoinHandle;

use crate::server::Server;

/// Numbers by name; the unit is part of the name's meaning and stands in the documentation.
pub type Numbers = BTreeMap<String, f64>;

/// The yardstick, measured again before everything that peers are compared in.
pub const YARDSTICK: &str = "raw_insert";

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

const fn every_round(name: &'static str) -> Measure {
    Measure { name, once: false }
}

const fn once(name: &'static str) -> Measure {
    Measure { name, once: true }
}

pub const ALL: &[Measure] = &[
    every_round(YARDSTICK),
    every_round("submit_single"),
    every_round("submit_bulk"),
    every_round("drain_single"),
    every_round("drain_batched"),
    every_round("cycle"),
    every_round("idle"),
    every_round("http_idle"),
    once("waiting"),
    once("heartbeats"),
    once("capability"),
    once("backlog"),
    once("gates_in_use"),
    once("gates_for_others"),
    once("stopped_head"),
    once("finished_tasks"),
    once("namespaces"),
    once("servers"),
    once("held_snapshot"),
    once("explain"),
    once("http"),
];

pub async fn run(name: &str, server: &Server, size: Size) -> Result<Numbers> {
    match name {
        YARDSTICK => raw_insert::measure(server, size).await,
        "submit_single" => submit::single(server, size).await,
        "submit_bulk" => submit::bulk(server, size).await,
        "drain_single" => drain::single(server, size).await,
        "drain_batched" => drain::batched(server, size).await,
        "cycle" => cycle::measure(server, size).await,
        "idle" => idle::measure(server, size).await,
        "waiting" => waiting::measure(server, size).await,
        "heartbeats" => heartbeats::measure(server, size).await,
        "capability" => claims::capability(server, size).await,
        "backlog" => claims::backlog(server, size).await,
        "gates_in_use" => gates::in_use(server, size).await,
        "gates_for_others" => gates::for_others(server, size).await,
        "stopped_head" => gates::head(server, size).await,
        "finished_tasks" => drains_compared::finished_tasks(server, size).await,
        "namespaces" => drains_compared::namespaces(server, size).await,
        "servers" => drains_compared::servers(server, size).await,
        "held_snapshot" => snapshot::measure(server, size).await,
        "explain" => explain::measure(server, size).await,
        "http" => http::throughput(server, size).await,
        "http_idle" => http::idle(server, size).await,
        other => bail!("there is no measure called `{other}`"),
    }
}

/// Calls `one` repeatedly until the time is up, from as many tasks as there are callers: one
/// future for all of them would share one thread. Returns the sum of the answers, and the time.
async fn repeat<F, T>(callers: usize, time: Duration, one: F) -> Result<(usize, Duration)>
where
    F: Fn() -> T + Clone + Send + 'static,
    T: Future<Output = Result<usize>> + Send,
{
    let start = Instant::now();
    let tasks = (0..callers)
        .map(|_| {
            let one = one.clone();
            tokio::spawn(async move {
                let mut count = 0;
                while start.elapsed() < time {
                    count += one().await?;
                }
                anyhow::Ok(count)
            })
        })
        .collect();
    let count = sum(tasks).await?;
    Ok((count, start.elapsed()))
}

async fn sum(tasks: Vec<JoinHandle<Result<usize>>>) -> Result<usize> {
    let mut sum = 0;
    for task in tasks {
        sum += task.await??;
    }
    Ok(sum)
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub fn float(count: usize) -> f64 {
    count as f64
}

pub fn per_second(count: usize, time: Duration) -> f64 {
    float(count) / time.as_secs_f64()
}

fn percentile(values: &mut [f64], part: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    values.get(last * part / 100).copied().unwrap_or(f64::NAN)
}

fn median(mut values: Vec<f64>) -> f64 {
    percentile(&mut values, 50)
}
