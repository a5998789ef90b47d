//! What the programs of the peers share: sizes, clocks and the line that they print.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::mpsc;

/// Handlers count here.
pub static DONE: AtomicUsize = AtomicUsize::new(0);

static STARTED: LazyLock<Mutex<Option<mpsc::UnboundedSender<Instant>>>> =
    LazyLock::new(Mutex::default);

/// What every handler does.
pub fn handle() {
    DONE.fetch_add(1, Ordering::Relaxed);
    if let Ok(started) = STARTED.lock()
        && let Some(started) = started.as_ref()
    {
        let _ = started.send(Instant::now());
    }
}

pub fn measure() -> String {
    std::env::args().nth(1).unwrap_or_default()
}

/// What the jobs of every peer carry; tiny jobs carry an empty text.
#[derive(Clone, Serialize, Deserialize)]
pub struct Payload {
    id: usize,
    text: String,
}

pub fn payload(id: usize) -> Payload {
    let text = match measure().as_str() {
        "bulk_tiny" => String::new(),
        _ => std::env::var("BENCH_PAYLOAD").unwrap_or_default(),
    };
    Payload { id, text }
}

/// A thousand of them.
pub fn payloads() -> Vec<Payload> {
    let one = payload(0);
    let with_id = |id| Payload { id, ..one.clone() };
    (0..1000).map(with_id).collect()
}

/// The name of the rate of the measures `bulk` and `bulk_tiny`.
pub fn bulk_name() -> &'static str {
    if measure() == "bulk_tiny" {
        "enqueue_bulk_tiny"
    } else {
        "enqueue_bulk"
    }
}

pub fn pick<T>(quick: T, full: T) -> T {
    if std::env::var("BENCH_QUICK").is_ok_and(|quick| quick == "1") {
        quick
    } else {
        full
    }
}

/// Spawns `callers` that call until the time is up; answers what was done in a second.
pub async fn rate<F, T>(callers: usize, seconds: u64, call: F) -> Result<f64>
where
    F: Fn() -> T + Clone + Send + 'static,
    T: Future<Output = Result<usize>> + Send,
{
    let start = Instant::now();
    let time = Duration::from_secs(seconds);
    let mut tasks = Vec::new();
    for _ in 0..callers {
        let call = call.clone();
        tasks.push(tokio::spawn(async move {
            let mut count = 0;
            while start.elapsed() < time {
                count += call().await?;
            }
            anyhow::Ok(count)
        }));
    }
    let mut sum = 0;
    for task in tasks {
        sum += task.await??;
    }
    Ok(sum as f64 / start.elapsed().as_secs_f64())
}

/// Jobs a second from the start of the worker until the last handler has run, or until the time
/// is up: whoever has done a tenth by then is slow, whoever has not is not measured.
pub async fn drain_rate(goal: usize, begin: impl Future<Output = Result<()>>) -> Result<f64> {
    let start = Instant::now();
    let longest = Duration::from_secs(pick(15, 60));
    begin.await?;
    loop {
        let (done, took) = (DONE.load(Ordering::Relaxed), start.elapsed());
        if done >= goal || (took > longest && done >= goal / 10) {
            return Ok(done as f64 / took.as_secs_f64());
        }
        if took > longest {
            bail!(
                "only {done} of {goal} jobs were done in {} s",
                took.as_secs()
            );
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// Median and 99th percentile from before the enqueue until the handler starts.
pub async fn idle<T>(samples: usize, enqueue: impl Fn() -> T) -> Result<(f64, f64)>
where
    T: Future<Output = Result<()>>,
{
    let (sender, mut started) = mpsc::unbounded_channel();
    if let Ok(mut place) = STARTED.lock() {
        *place = Some(sender);
    }
    let mut took = Vec::new();
    for _ in 0..samples {
        tokio::time::sleep(Duration::from_millis(12)).await;
        let start = Instant::now();
        enqueue().await?;
        match tokio::time::timeout(Duration::from_secs(20), started.recv()).await {
            Ok(Some(at)) => took.push((at - start).as_secs_f64() * 1000.0),
            _ => bail!("a job did not start within 20 s"),
        }
    }
    took.sort_by(f64::total_cmp);
    let at = |part: f64| took[((took.len() - 1) as f64 * part).round() as usize];
    Ok((at(0.5), at(0.99)))
}

pub fn report(peer: &str, version: &str, values: &[(&str, f64)]) {
    let values: serde_json::Map<String, serde_json::Value> = values
        .iter()
        .map(|(name, value)| ((*name).to_owned(), json!(value)))
        .collect();
    println!(
        "{}",
        json!({"peer": peer, "version": version, "values": values})
    );
}
