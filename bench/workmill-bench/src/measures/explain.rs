//! How long it takes to say why a task is not running, among very many that wait.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};
use workmill_core::gate::Limited;
use workmill_core::ids::TaskId;
use workmill_core::priority::Class;
use workmill_core::task::NewTask;

use super::{Numbers, Size, float, percentile};
use crate::scene::{Scene, tiny_task};
use crate::server::Server;

/// Four lanes, a limit, agents that could take some of the tasks; asked about the first, the last
/// and others in between.
pub async fn measure(server: &Server, size: Size) -> Result<Numbers> {
    const LANES: usize = 4;
    let count = size.pick(100_000, 1_000_000);
    let scene = Arc::new(Scene::new(server).await?);
    for agent in 0..10 {
        scene
            .agent(&format!("worker{agent}"), 4, &["lane0"])
            .await?;
    }
    let (engine, caller) = (&scene.engine, &scene.caller);
    let label = Limited::Label("provider:one".to_owned());
    engine.set_limit(caller, label, 0, None).await?;
    let mut asked = Vec::new();
    for lane in 0..LANES {
        let mut task = NewTask {
            labels: vec!["provider:one".to_owned()],
            ..tiny_task()
        };
        task.spec.constraints.required_capabilities = vec![format!("lane{lane}")];
        asked.push(submit_one(&scene, &task).await?);
        scene.fill(count / LANES / 2, &task).await?;
        asked.push(submit_one(&scene, &task).await?);
        scene.fill(count / LANES / 2, &task).await?;
        asked.push(submit_one(&scene, &task).await?);
        task.priority = Class::Critical.base();
        asked.push(submit_one(&scene, &task).await?);
    }
    scene.vacuum().await?;
    let mut took = Vec::new();
    // The first round is not counted: it prepares the statements.
    for round in 0..size.pick(6, 21) {
        for task in &asked {
            let start = Instant::now();
            engine.explain(caller, *task).await?;
            if round > 0 {
                took.push(start.elapsed().as_secs_f64() * 1000.0);
            }
        }
    }
    Scene::end_shared(scene, server).await?;
    Ok(Numbers::from([
        ("explain_among".to_owned(), float(count)),
        ("explain_p50_ms".to_owned(), percentile(&mut took, 50)),
        ("explain_p99_ms".to_owned(), percentile(&mut took, 99)),
    ]))
}

async fn submit_one(scene: &Scene, task: &NewTask) -> Result<TaskId> {
    let task = std::slice::from_ref(task);
    let submitted = scene.engine.submit_tasks(&scene.caller, task, None).await?;
    submitted
        .tasks
        .first()
        .copied()
        .context("no task came back")
}
