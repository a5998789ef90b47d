//! Drains under two conditions that take turns, so that noise meets both alike: few and many
//! finished tasks, one and many namespaces, one and several servers.
//!
//! Both conditions have the same number of tasks and of workers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use futures_util::future::try_join_all;
use workmill_engine::Engine;
use workmill_engine::supervise::Supervisor;
use workmill_store::Store;

use super::drain::Work;
use super::{Numbers, Size, float, median};
use crate::cost::{Interval, Meter};
use crate::scene::{CONNECTIONS, Scene, Tenant, tiny_task, wide_task};
use crate::server::Server;

const TURNS: usize = 5;
const LONGEST: Duration = Duration::from_mins(2);

/// Workers of one condition.
struct Side<'a> {
    name: String,
    scene: &'a Scene,
    /// They get equal shares of the tasks.
    namespaces: Vec<Tenant>,
    workers: Vec<(Tenant, String)>,
    /// How many tasks a worker claims at a time.
    most: i32,
}

impl Side<'_> {
    async fn drain(&self, server: &Server, count: usize) -> Result<Interval> {
        let (share, task) = (count / self.namespaces.len(), wide_task());
        try_join_all(self.namespaces.iter().map(|one| one.fill(share, &task))).await?;
        self.scene.vacuum().await?;
        let meter = Meter::start(server).await?;
        let drained = drain_all(&self.workers, self.most).await?;
        let interval = meter.stop().await?;
        ensure!(drained == count, "{drained} of {count} tasks were drained");
        Ok(interval)
    }
}

/// Adds the costs of both sides, and the median of the second's rate to the first's in a turn.
async fn compare(
    server: &Server,
    sides: [Side<'_>; 2],
    count: usize,
    name: &str,
    numbers: &mut Numbers,
) -> Result<()> {
    for side in &sides {
        // Not counted: the first turn meets cold caches and unprepared statements.
        side.drain(server, count).await?;
    }
    let mut intervals = [Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        for (side, intervals) in sides.iter().zip(&mut intervals) {
            intervals.push(side.drain(server, count).await?);
        }
    }
    let [first, second] = &intervals;
    let turns = first.iter().zip(second);
    let ratios = turns.map(|(first, second)| first.took.as_secs_f64() / second.took.as_secs_f64());
    numbers.insert(format!("{name}_ratio"), median(ratios.collect()));
    for (side, intervals) in sides.iter().zip(&intervals) {
        let total = intervals.iter().copied().sum::<Interval>();
        total.add(numbers, &side.name, count * TURNS);
    }
    Ok(())
}

/// Batched drains in a database with 10,000 finished tasks, and in one with a million.
pub async fn finished_tasks(server: &Server, size: Size) -> Result<Numbers> {
    let many = size.pick(100_000, 1_000_000);
    let scenes = [Scene::new(server).await?, Scene::new(server).await?];
    let [few_scene, many_scene] = &scenes;
    let sides = [
        with_finished("drain_finished_few", few_scene, 10_000).await?,
        with_finished("drain_finished_many", many_scene, many).await?,
    ];
    let mut numbers = Numbers::from([("finished_tasks".to_owned(), float(many))]);
    let count = size.pick(4_000, 20_000);
    compare(server, sides, count, "finished_tasks", &mut numbers).await?;
    for scene in scenes {
        scene.end(server).await?;
    }
    Ok(numbers)
}

async fn with_finished<'a>(name: &str, scene: &'a Scene, finished: usize) -> Result<Side<'a>> {
    let workers = workers(&scene.tenant, "worker", 2).await?;
    let task = tiny_task();
    for _ in 0..finished / 10_000 {
        scene.fill(10_000, &task).await?;
        let drained = drain_all(&workers, 1000).await?;
        ensure!(drained == 10_000, "{drained} of 10000 tasks were finished");
    }
    Ok(Side {
        name: name.to_owned(),
        scene,
        namespaces: vec![scene.tenant.clone()],
        workers,
        most: 1000,
    })
}

/// Batched drains by 64 workers in one namespace, and in 64 namespaces with a worker each.
pub async fn namespaces(server: &Server, size: Size) -> Result<Numbers> {
    const NAMESPACES: usize = 64;
    let scene = Scene::new(server).await?;
    let mut many = Vec::new();
    let mut many_workers = Vec::new();
    for n in 0..NAMESPACES {
        let (tenant, _) = Tenant::new(scene.engine.clone(), &format!("bench{n}")).await?;
        many_workers.extend(workers(&tenant, "worker", 1).await?);
        many.push(tenant);
    }
    let new_side = |name: &str, namespaces, workers| Side {
        name: name.to_owned(),
        scene: &scene,
        namespaces,
        workers,
        most: 100,
    };
    let one = vec![scene.tenant.clone()];
    let one_workers = workers(&scene.tenant, "worker", NAMESPACES).await?;
    let sides = [
        new_side("drain_1_namespace", one, one_workers),
        new_side("drain_64_namespaces", many, many_workers),
    ];
    let mut numbers = Numbers::new();
    let count = NAMESPACES * size.pick(100, 500);
    compare(server, sides, count, "namespaces", &mut numbers).await?;
    scene.end(server).await?;
    Ok(numbers)
}

/// Drains by the same number of workers on one server, and on three: handlers that take one task
/// at a time, and workers that take batches.
pub async fn servers(server: &Server, size: Size) -> Result<Numbers> {
    let scene = Scene::new(server).await?;
    let others = [OtherServer::start(&scene)?, OtherServer::start(&scene)?];
    let tenants = [
        scene.tenant.clone(),
        others[0].tenant.clone(),
        others[1].tenant.clone(),
    ];
    let mut numbers = Numbers::new();
    for (kind, count, each, most) in [
        ("handlers", size.pick(2_000, 8_000), 4, 1),
        ("batched", size.pick(8_000, 40_000), 2, 200),
    ] {
        let new_side = |servers, workers| Side {
            name: format!("drain_{kind}_on_{servers}"),
            scene: &scene,
            namespaces: vec![scene.tenant.clone()],
            workers,
            most,
        };
        let on_one = workers(&scene.tenant, &format!("one_{kind}"), 3 * each).await?;
        let mut on_three = Vec::new();
        for (n, tenant) in tenants.iter().enumerate() {
            on_three.extend(workers(tenant, &format!("three{n}_{kind}"), each).await?);
        }
        let sides = [new_side(1, on_one), new_side(3, on_three)];
        let name = format!("servers_{kind}");
        compare(server, sides, count, &name, &mut numbers).await?;
    }
    for other in others {
        other.stop().await;
    }
    scene.end(server).await?;
    Ok(numbers)
}

/// Another server on the scene's database: an engine with connections and duties of its own.
struct OtherServer {
    tenant: Tenant,
    duties: Supervisor,
}

impl OtherServer {
    fn start(scene: &Scene) -> Result<OtherServer> {
        let store = Arc::new(Store::new(&scene.url, CONNECTIONS)?);
        let engine = Arc::new(Engine::new(store));
        let duties = Supervisor::start(engine.clone());
        let caller = scene.caller.clone();
        let tenant = Tenant { engine, caller };
        Ok(OtherServer { tenant, duties })
    }

    async fn stop(self) {
        self.tenant.engine.stop_waiting();
        self.duties.stop().await;
        self.tenant.engine.store().close();
    }
}

/// Registers workers and returns each with the server that it calls.
async fn workers(tenant: &Tenant, name: &str, count: usize) -> Result<Vec<(Tenant, String)>> {
    let mut workers = Vec::new();
    for n in 0..count {
        let agent = tenant.agent(&format!("{name}{n}"), 10_000, &[]).await?;
        workers.push((tenant.clone(), agent));
    }
    Ok(workers)
}

/// Returns how many tasks the workers completed until no task was left.
async fn drain_all(workers: &[(Tenant, String)], most: i32) -> Result<usize> {
    let end = Instant::now() + LONGEST;
    let tasks = workers.iter().map(|(tenant, agent)| {
        let work = Work {
            tenant: tenant.clone(),
            agent: agent.clone(),
            most,
            end,
        };
        match most {
            1 => tokio::spawn(work.one_by_one()),
            _ => tokio::spawn(work.in_batches()),
        }
    });
    super::sum(tasks.collect()).await
}
