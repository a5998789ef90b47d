//! The yardstick: one prepared INSERT of a row of 1.5 KB, one commit each, 8 connections.

use std::time::Instant;

use anyhow::Result;

use super::{Numbers, Size, YARDSTICK, per_second};
use crate::scene::wide_task;
use crate::server::{Server, connect};

const DATABASE: &str = "wm_bench_raw";
const CONNECTIONS: usize = 8;

pub async fn measure(server: &Server, size: Size) -> Result<Numbers> {
    let url = server.fresh_database(DATABASE).await?;
    let client = connect(&url).await?;
    client
        .batch_execute("create table raw (id uuid primary key, body jsonb not null)")
        .await?;
    let body = serde_json::to_string(&wide_task())?;
    let time = size.seconds(1, 3);
    let mut connections = Vec::new();
    for _ in 0..CONNECTIONS {
        let client = connect(&url).await?;
        let insert = client
            .prepare("insert into raw (id, body) values ($1::text::uuid, $2::text::jsonb)")
            .await?;
        connections.push((client, insert));
    }
    let start = Instant::now();
    let tasks = connections
        .into_iter()
        .map(|(client, insert)| {
            let body = body.clone();
            tokio::spawn(async move {
                let mut count = 0;
                while start.elapsed() < time {
                    let id = uuid::Uuid::new_v4().to_string();
                    client.execute(&insert, &[&id, &body]).await?;
                    count += 1;
                }
                anyhow::Ok(count)
            })
        })
        .collect();
    let count = super::sum(tasks).await?;
    let rate = per_second(count, start.elapsed());
    server.drop_database(DATABASE).await?;
    Ok(Numbers::from([(YARDSTICK.to_owned(), rate)]))
}
