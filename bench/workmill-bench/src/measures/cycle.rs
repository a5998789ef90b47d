//! Tasks on their whole way from submission to completion: one at a time, and batched.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::drain::with_handlers;
use super::{Numbers, Size};
use crate::cost::Meter;
use crate::scene::{Scene, Tenant, wide_task};
use crate::server::Server;

const CALLERS: usize = 8;
const LONGEST: Duration = Duration::from_mins(2);

pub async fn measure(server: &Server, size: Size) -> Result<Numbers> {
    let count = size.pick(4_000, 20_000);
    let mut numbers = Numbers::new();
    for kind in ["single", "batched"] {
        let scene = Scene::new(server).await?;
        let agent = scene.agent("worker", 10_000, &[]).await?;
        // After a checkpoint, the first change of a page logs the whole page: the tables get their
        // first pages before the interval.
        scene.fill(500, &wide_task()).await?;
        with_handlers(&scene, 10, &agent, LONGEST).await?;
        let meter = Meter::start(server).await?;
        let finished = match kind {
            "single" => one_at_a_time(&scene, count, &agent).await?,
            _ => batched(&scene, count, &agent).await?,
        };
        let interval = meter.stop().await?;
        ensure!(
            finished == count,
            "{finished} of {count} tasks were finished"
        );
        interval.add(&mut numbers, &format!("cycle_{kind}"), count);
        scene.end(server).await?;
    }
    Ok(numbers)
}

async fn one_at_a_time(tenant: &Tenant, count: usize, agent: &str) -> Result<usize> {
    let task = Arc::new([wide_task()]);
    let tasks = (0..CALLERS)
        .map(|_| {
            let (tenant, task) = (tenant.clone(), task.clone());
            tokio::spawn(async move {
                for _ in 0..count / CALLERS {
                    tenant.submit(task.as_slice()).await?;
                }
                anyhow::Ok(count / CALLERS)
            })
        })
        .collect();
    super::sum(tasks).await?;
    with_handlers(tenant, 10, agent, LONGEST).await
}

async fn batched(tenant: &Tenant, count: usize, agent: &str) -> Result<usize> {
    tenant.fill(count, &wide_task()).await?;
    let mut finished = 0;
    loop {
        let claimed = tenant.claim(agent, 200, Duration::ZERO).await?;
        if claimed.is_empty() {
            return Ok(finished);
        }
        tenant.complete_all(&claimed).await?;
        finished += claimed.len();
    }
}
