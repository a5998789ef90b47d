use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use graphile_worker::{
    IntoTaskHandlerResult, JobSpec, LocalQueueConfig, RawJobSpec, TaskHandler, WorkerContext,
    WorkerOptions,
};
use serde::{Deserialize, Serialize};
use sqlx9::postgres::{PgConnectOptions, PgPoolOptions};
use workmill_bench_peers::{
    Payload, bulk_name, drain_rate, handle, idle, measure, payload, payloads, pick, rate, report,
};

#[derive(Clone, Serialize, Deserialize)]
struct Bench(Payload);

impl TaskHandler for Bench {
    const IDENTIFIER: &'static str = "bench";

    async fn run(self, _: WorkerContext) -> impl IntoTaskHandlerResult {
        handle();
        Ok::<(), String>(())
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let measure = measure();
    let connections = if measure == "single" { 8 } else { 16 };
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .connect_with(PgConnectOptions::new())
        .await?;
    let options = || {
        WorkerOptions::default()
            .pg_pool(pool.clone())
            .schema("graphile_worker")
            .listen_os_shutdown_signals(false)
            .define_job::<Bench>()
    };
    let options = match measure.as_str() {
        "drain_batched" => {
            let queue = LocalQueueConfig::builder()
                .size(1000)
                .queue_count(2)
                .build();
            options()
                .concurrency(64)
                .local_queue(queue)
                .complete_job_batch_delay(Duration::from_millis(1))
        }
        // Without a local queue a handler takes one job each time it is told to look, and jobs
        // that are already there tell nobody: only looking often drains them.
        "drain" => options()
            .concurrency(10)
            .poll_interval(Duration::from_millis(1)),
        _ => options().concurrency(10),
    };
    let worker = Arc::new(options.init().await?);
    let utils = Arc::new(worker.create_utils());
    let thousand: Arc<Vec<RawJobSpec>> = Arc::new(
        payloads()
            .into_iter()
            .map(|payload| RawJobSpec {
                identifier: "bench".to_owned(),
                payload: serde_json::json!(payload),
                spec: JobSpec::default(),
            })
            .collect(),
    );
    let begin = async || -> Result<()> {
        let worker = worker.clone();
        tokio::spawn(async move { worker.run().await });
        Ok(())
    };
    let job = Bench(payload(1));
    let mut values = Vec::new();
    match measure.as_str() {
        "single" => {
            let single = rate(8, pick(2, 5), move || {
                let (utils, job) = (utils.clone(), job.clone());
                async move {
                    utils.add_job(job.clone(), JobSpec::default()).await?;
                    Ok(1)
                }
            });
            values.push(("enqueue_single_8", single.await?));
        }
        "bulk" | "bulk_tiny" => {
            let bulk = rate(2, pick(2, 4), move || {
                let (utils, thousand) = (utils.clone(), thousand.clone());
                async move { Ok(utils.add_raw_jobs(&thousand).await?.len()) }
            });
            values.push((bulk_name(), bulk.await?));
        }
        "drain" | "drain_batched" => {
            let count = if measure == "drain" {
                pick(4_000, 20_000)
            } else {
                pick(40_000, 200_000)
            };
            for _ in 0..count / 1000 {
                utils.add_raw_jobs(&thousand).await?;
            }
            sqlx9::raw_sql("vacuum analyze").execute(&pool).await?;
            let name = if measure == "drain" {
                "drain_10"
            } else {
                "drain_batched"
            };
            values.push((name, drain_rate(count, begin()).await?));
        }
        _ => {
            begin().await?;
            tokio::time::sleep(Duration::from_millis(300)).await;
            let (p50, p99) = idle(pick(100, 300), || async {
                utils.add_job(job.clone(), JobSpec::default()).await?;
                Ok(())
            })
            .await?;
            values.extend([("idle_p50_ms", p50), ("idle_p99_ms", p99)]);
        }
    }
    report("graphile_worker (Rust)", "0.14.1", &values);
    std::process::exit(0);
}
