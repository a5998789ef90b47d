//! How long a task takes from before its submit until a waiting handler has it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::time::sleep;

use super::{Numbers, Size, percentile};
use crate::scene::{Scene, wide_task};
use crate::server::Server;

pub async fn measure(server: &Server, size: Size) -> Result<Numbers> {
    let scene = Arc::new(Scene::new(server).await?);
    let agent = scene.agent("worker", 10, &[]).await?;
    let mut took = Vec::new();
    let task = [wide_task()];
    for _ in 0..size.pick(100, 300) {
        let waiting = {
            let (scene, agent) = (scene.clone(), agent.clone());
            tokio::spawn(async move {
                let claimed = scene.claim(&agent, 1, Duration::from_secs(10)).await?;
                anyhow::Ok((Instant::now(), claimed))
            })
        };
        // As long as the programs of the peers pause.
        sleep(Duration::from_millis(12)).await;
        let start = Instant::now();
        scene.submit(&task).await?;
        let (at, claimed) = waiting.await??;
        took.push((at - start).as_secs_f64() * 1000.0);
        scene.complete_all(&claimed).await?;
    }
    Scene::end_shared(scene, server).await?;
    Ok(Numbers::from([
        ("idle_p50_ms".to_owned(), percentile(&mut took, 50)),
        ("idle_p99_ms".to_owned(), percentile(&mut took, 99)),
    ]))
}
