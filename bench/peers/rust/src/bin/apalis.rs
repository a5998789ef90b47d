use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use apalis::prelude::*;
use apalis_postgres::{Config, PostgresStorage};
use sqlx9::postgres::{PgConnectOptions, PgPoolOptions};
use workmill_bench_peers::{
    Payload, bulk_name, drain_rate, handle, idle, measure, payload, payloads, pick, rate, report,
};

async fn bench(_: Payload) -> Result<(), BoxDynError> {
    handle();
    Ok(())
}

#[tokio::main]
async fn main() -> Result<()> {
    let measure = measure();
    let pool = PgPoolOptions::new()
        .max_connections(if measure == "single" { 8 } else { 16 })
        .connect_with(PgConnectOptions::new())
        .await?;
    PostgresStorage::setup(&pool).await?;
    let config = |batch| Config::default().queue("bench").batch_size(batch);
    let mut storage = PostgresStorage::<Payload>::new(&pool).with_config(config(10));
    let begin = async |batch: usize, concurrency: usize| -> Result<()> {
        let backend = PostgresStorage::<Payload>::new(&pool)
            .with_config(config(batch))
            .with_pubsub()
            .poll_with_interval(Duration::from_millis(50));
        // The future of a worker that spawns is not `Send` enough to be spawned itself.
        let runtime = tokio::runtime::Handle::current();
        std::thread::spawn(move || {
            runtime.block_on(async move {
                WorkerBuilder::new("bench")
                    .backend(backend)
                    .concurrency(concurrency)
                    .parallelize(tokio::spawn)
                    .build(bench)
                    .run()
                    .await
            })
        });
        Ok(())
    };
    let one = payload(1);
    let thousand = Arc::new(payloads());
    let mut values = Vec::new();
    match measure.as_str() {
        "single" => {
            let single = rate(8, pick(2, 5), move || {
                let (mut storage, one) = (storage.clone(), one.clone());
                async move {
                    storage
                        .push(one)
                        .await
                        .map_err(|error| anyhow::anyhow!("{error:?}"))?;
                    Ok(1)
                }
            });
            values.push(("enqueue_single_8", single.await?));
        }
        "bulk" | "bulk_tiny" => {
            let bulk = rate(2, pick(2, 4), move || {
                let (mut storage, thousand) = (storage.clone(), thousand.clone());
                async move {
                    let tasks = (*thousand).clone();
                    storage
                        .push_bulk(tasks)
                        .await
                        .map_err(|error| anyhow::anyhow!("{error:?}"))?;
                    Ok(1000)
                }
            });
            values.push((bulk_name(), bulk.await?));
        }
        "drain" | "drain_batched" => {
            let is_batched = measure == "drain_batched";
            let count = if is_batched {
                pick(40_000, 200_000)
            } else {
                pick(4_000, 20_000)
            };
            for _ in 0..count / 1000 {
                let tasks = (*thousand).clone();
                storage
                    .push_bulk(tasks)
                    .await
                    .map_err(|error| anyhow::anyhow!("{error:?}"))?;
            }
            sqlx9::raw_sql("vacuum analyze").execute(&pool).await?;
            let (batch, concurrency) = if is_batched { (1000, 1000) } else { (10, 10) };
            let name = if is_batched {
                "drain_batched"
            } else {
                "drain_10"
            };
            values.push((name, drain_rate(count, begin(batch, concurrency)).await?));
        }
        _ => {
            begin(10, 10).await?;
            tokio::time::sleep(Duration::from_millis(500)).await;
            let (p50, p99) = idle(pick(100, 300), || {
                let (mut storage, one) = (storage.clone(), one.clone());
                async move {
                    storage
                        .push(one)
                        .await
                        .map_err(|error| anyhow::anyhow!("{error:?}"))?;
                    Ok(())
                }
            })
            .await?;
            values.extend([("idle_p50_ms", p50), ("idle_p99_ms", p99)]);
        }
    }
    report("apalis-postgres", "1.0.0", &values);
    std::process::exit(0);
}
