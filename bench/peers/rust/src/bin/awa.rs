use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use awa::model::insert::params_with;
use awa::model::migrations;
use awa::model::{QueueStorage, QueueStorageConfig};
use awa::{Client, InsertOpts, InsertParams, JobArgs, JobResult, QueueConfig};
use serde::{Deserialize, Serialize};
use sqlx8::postgres::{PgConnectOptions, PgPoolOptions};
use workmill_bench_peers::{
    Payload, bulk_name, drain_rate, handle, idle, measure, payload, payloads, pick, rate, report,
};

#[derive(Serialize, Deserialize, JobArgs)]
struct Bench {
    payload: Payload,
}

fn job(payload: Payload) -> Bench {
    Bench { payload }
}

fn options() -> InsertOpts {
    InsertOpts {
        queue: "bench".into(),
        ..InsertOpts::default()
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let measure = measure();
    let pool = PgPoolOptions::new()
        .max_connections(if measure == "single" { 8 } else { 20 })
        .connect_with(PgConnectOptions::new())
        .await?;
    migrations::run(&pool).await?;
    let is_batched = measure == "drain_batched";
    if is_batched {
        // Gives up strict order for throughput, as its documentation recommends.
        sqlx8::query("insert into awa.queue_meta (queue, enqueue_shards) values ('bench', 4)")
            .execute(&pool)
            .await?;
    }
    let config = QueueConfig {
        max_workers: if is_batched { 1024 } else { 10 },
        poll_interval: Duration::from_millis(50),
        // Without a deadline it takes its shorter path.
        deadline_duration: Duration::ZERO,
        ..QueueConfig::default()
    };
    // What its documentation recommends to producers of many jobs.
    let storage = Arc::new(QueueStorage::new(QueueStorageConfig::default())?);
    let client = Client::builder(pool.clone())
        .queue("bench", config)
        .register::<Bench, _, _>(|_, _| async {
            handle();
            Ok(JobResult::Completed)
        })
        .build()?;
    let thousand: Vec<InsertParams> = payloads()
        .into_iter()
        .map(|payload| params_with(&job(payload), options()))
        .collect::<Result<_, _>>()?;
    let thousand = Arc::new(thousand);
    let one = Arc::new(job(payload(1)));
    let mut values = Vec::new();
    match measure.as_str() {
        "single" => {
            let single = rate(8, pick(2, 5), move || {
                let (pool, one) = (pool.clone(), one.clone());
                async move {
                    awa::insert_with(&pool, &*one, options()).await?;
                    Ok(1)
                }
            });
            values.push(("enqueue_single_8", single.await?));
        }
        "bulk" | "bulk_tiny" => {
            let bulk = rate(2, pick(2, 4), move || {
                let (pool, thousand) = (pool.clone(), thousand.clone());
                let storage = storage.clone();
                async move { Ok(storage.enqueue_params_copy(&pool, &thousand).await?) }
            });
            values.push((bulk_name(), bulk.await?));
        }
        "drain" | "drain_batched" => {
            let count = if is_batched {
                pick(40_000, 200_000)
            } else {
                pick(4_000, 20_000)
            };
            for _ in 0..count / 1000 {
                storage.enqueue_params_copy(&pool, &thousand).await?;
            }
            sqlx8::raw_sql("vacuum analyze").execute(&pool).await?;
            let name = if is_batched {
                "drain_batched"
            } else {
                "drain_10"
            };
            let begin = async {
                client.start().await?;
                Ok(())
            };
            values.push((name, drain_rate(count, begin).await?));
        }
        _ => {
            client.start().await?;
            tokio::time::sleep(Duration::from_millis(500)).await;
            let (p50, p99) = idle(pick(100, 300), || async {
                awa::insert_with(&pool, &*one, options()).await?;
                Ok(())
            })
            .await?;
            values.extend([("idle_p50_ms", p50), ("idle_p99_ms", p99)]);
        }
    }
    report("awa", "0.6.9", &values);
    std::process::exit(0);
}
