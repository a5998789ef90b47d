//! Submits, one at a time and a thousand at a time.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use workmill_core::task::NewTask;

use super::{Numbers, Size};
use crate::cost::Meter;
use crate::scene::{Scene, Tenant, tiny_task, wide_task};
use crate::server::Server;

/// Callers that submit one task each and wait for the answer. Returns the number of tasks, and the
/// time.
pub async fn submit_from(
    tenant: &Tenant,
    callers: usize,
    time: Duration,
    task: &NewTask,
) -> Result<(usize, Duration)> {
    let (tenant, task) = (tenant.clone(), Arc::new([task.clone()]));
    super::repeat(callers, time, move || {
        let (tenant, task) = (tenant.clone(), task.clone());
        async move { tenant.submit(task.as_slice()).await }
    })
    .await
}

pub async fn single(server: &Server, size: Size) -> Result<Numbers> {
    let scene = Scene::new(server).await?;
    let time = size.seconds(2, 5);
    let mut numbers = Numbers::new();
    submit_from(&scene, 8, Duration::from_millis(300), &wide_task()).await?;
    for callers in [8, 64] {
        let meter = Meter::start(server).await?;
        let (count, _) = submit_from(&scene, callers, time, &wide_task()).await?;
        let interval = meter.stop().await?;
        interval.add(&mut numbers, &format!("submit_single_{callers}"), count);
    }
    scene.end(server).await?;
    Ok(numbers)
}

pub async fn bulk(server: &Server, size: Size) -> Result<Numbers> {
    let mut numbers = Numbers::new();
    for (name, task) in [
        ("submit_bulk", wide_task()),
        ("submit_bulk_tiny", tiny_task()),
    ] {
        let scene = Scene::new(server).await?;
        let tasks = Arc::new(vec![task; 1000]);
        scene.submit(&tasks).await?;
        let tenant = scene.tenant.clone();
        let meter = Meter::start(server).await?;
        let calls = super::repeat(2, size.seconds(2, 4), move || {
            let (tenant, tasks) = (tenant.clone(), tasks.clone());
            async move { tenant.submit(&tasks).await }
        });
        let (count, _) = calls.await?;
        meter.stop().await?.add(&mut numbers, name, count);
        scene.end(server).await?;
    }
    Ok(numbers)
}
