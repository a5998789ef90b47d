//! Submits, one at a time and a thousand at a time.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use workmill_core::task::NewTask;

use super::{Numbers, Size};
use crate::scene::{Scene, tiny_task, wide_task};
use crate::server::Server;

/// Callers that submit one task each and wait for the answer.
pub async fn submit_from(
    scene: &Arc<Scene>,
    callers: usize,
    time: Duration,
    task: &NewTask,
) -> Result<f64> {
    let (scene, task) = (scene.clone(), Arc::new([task.clone()]));
    super::rate(callers, time, move || {
        let (scene, task) = (scene.clone(), task.clone());
        async move { scene.submit(task.as_slice()).await }
    })
    .await
}

pub async fn single(server: &Server, size: Size) -> Result<Numbers> {
    let scene = Arc::new(Scene::new(server).await?);
    let time = size.seconds(2, 5);
    let mut numbers = Numbers::new();
    submit_from(&scene, 8, Duration::from_millis(300), &wide_task()).await?;
    for callers in [8, 64] {
        let rate = submit_from(&scene, callers, time, &wide_task()).await?;
        numbers.insert(format!("submit_single_{callers}"), rate);
    }
    Scene::end_shared(scene, server).await?;
    Ok(numbers)
}

pub async fn bulk(server: &Server, size: Size) -> Result<Numbers> {
    let mut numbers = Numbers::new();
    for (name, task) in [
        ("submit_bulk", wide_task()),
        ("submit_bulk_tiny", tiny_task()),
    ] {
        let scene = Arc::new(Scene::new(server).await?);
        let tasks = Arc::new(vec![task; 1000]);
        scene.submit(&tasks).await?;
        let rate = {
            let scene = scene.clone();
            super::rate(2, size.seconds(2, 4), move || {
                let (scene, tasks) = (scene.clone(), tasks.clone());
                async move { scene.submit(&tasks).await }
            })
            .await?
        };
        numbers.insert(name.to_owned(), rate);
        Scene::end_shared(scene, server).await?;
    }
    Ok(numbers)
}
