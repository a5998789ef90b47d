//! What the server logs from the submit of a task to its completion.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::drain::with_handlers;
use super::{Numbers, Size, float};
use crate::scene::{Scene, wide_task};
use crate::server::Server;

const CALLERS: usize = 8;
const LONGEST: Duration = Duration::from_mins(2);

pub async fn measure(server: &Server, size: Size) -> Result<Numbers> {
    let count = size.pick(4_000, 20_000);
    let mut numbers = Numbers::new();
    for kind in ["single", "batched"] {
        let scene = Arc::new(Scene::new(server).await?);
        let agent = scene.agent("worker", 10_000, &[]).await?;
        // The first touch of a page after a checkpoint logs the page: let tables have some.
        scene.fill(500, &wide_task()).await?;
        with_handlers(&scene, 10, &agent, LONGEST).await?;
        let before = scene.wal_position().await?;
        let finished = match kind {
            "single" => one_at_a_time(&scene, count, &agent).await?,
            _ => batched(&scene, count, &agent).await?,
        };
        ensure!(
            finished == count,
            "{finished} of {count} tasks were finished"
        );
        let bytes = usize::try_from(scene.wal_position().await? - before)?;
        numbers.insert(format!("wal_bytes_{kind}"), float(bytes) / float(count));
        Scene::end_shared(scene, server).await?;
    }
    Ok(numbers)
}

async fn one_at_a_time(scene: &Arc<Scene>, count: usize, agent: &str) -> Result<usize> {
    let tasks = (0..CALLERS)
        .map(|_| {
            let scene = scene.clone();
            tokio::spawn(async move {
                let task = [wide_task()];
                for _ in 0..count / CALLERS {
                    scene.submit(&task).await?;
                }
                anyhow::Ok(count / CALLERS)
            })
        })
        .collect();
    super::sum(tasks).await?;
    with_handlers(scene, 10, agent, LONGEST).await
}

async fn batched(scene: &Arc<Scene>, count: usize, agent: &str) -> Result<usize> {
    scene.fill(count, &wide_task()).await?;
    let mut finished = 0;
    loop {
        let claimed = scene.claim(agent, 200, Duration::ZERO).await?;
        if claimed.is_empty() {
            return Ok(finished);
        }
        scene.complete_all(&claimed).await?;
        finished += claimed.len();
    }
}
