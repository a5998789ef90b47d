//! The same work over HTTP and through the engine in the same process, in turn; and how soon a
//! waiting agent hears of a task.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use tokio::task::JoinHandle;
use tokio::time::sleep;
use workmill_core::task::NewTask;
use workmill_protocol::batches::{LeaseSettlement, SettleLeases};
use workmill_protocol::claims::{ClaimTasks, ClaimedTask};
use workmill_protocol::leases::{CompleteTask, Usage};
use workmill_sdk::Client;

use super::{Numbers, Size, median, per_second, percentile};
use crate::scene::{Scene, result, wide_task};
use crate::served::Served;
use crate::server::Server;

/// Callers at a time, each with a connection and an agent of its own.
const CALLERS: usize = 64;

/// Tasks in one call, where many go in one.
const MANY: usize = 100;

const TURNS: usize = 5;

/// Submits, claims and completes, over HTTP and in the process.
pub async fn throughput(server: &Server, size: Size) -> Result<Numbers> {
    let scene = Arc::new(Scene::new(server).await?);
    let door = Served::start(&scene)?;
    for caller in 0..CALLERS {
        scene.agent(&agent(caller), 1_000, &[]).await?;
    }
    let time = size.seconds(1, 3);
    let mut numbers = Numbers::new();
    for (name, many) in [("bulk", MANY), ("single", 1)] {
        // Not counted: the first turn meets cold caches and unprepared statements.
        work(&scene, None, many, time).await?;
        work(&scene, Some(&door.client), many, time).await?;
        let (mut inside, mut outside, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..TURNS {
            let in_process = work(&scene, None, many, time).await?;
            let over_http = work(&scene, Some(&door.client), many, time).await?;
            inside.push(in_process);
            outside.push(over_http);
            ratios.push(over_http / in_process);
        }
        numbers.insert(format!("engine_{name}"), median(inside));
        numbers.insert(format!("http_{name}"), median(outside));
        numbers.insert(format!("http_{name}_ratio"), median(ratios));
    }
    door.stop()?;
    Scene::end_shared(scene, server).await?;
    Ok(numbers)
}

/// As `idle`, over HTTP.
pub async fn idle(server: &Server, size: Size) -> Result<Numbers> {
    let scene = Arc::new(Scene::new(server).await?);
    let door = Served::start(&scene)?;
    let agent = scene.agent("worker", 10, &[]).await?;
    let mut took = Vec::new();
    for _ in 0..size.pick(100, 300) {
        let waiting = {
            let (client, agent) = (door.client.clone(), agent.clone());
            tokio::spawn(async move {
                let claimed = claim(&client, &agent, 1, Duration::from_secs(10)).await?;
                anyhow::Ok((Instant::now(), claimed))
            })
        };
        // As long as the programs of the peers pause.
        sleep(Duration::from_millis(12)).await;
        let start = Instant::now();
        door.client.submit(vec![wide_task()]).await?;
        let (at, claimed) = waiting.await??;
        took.push((at - start).as_secs_f64() * 1000.0);
        complete(&door.client, claimed).await?;
    }
    door.stop()?;
    Scene::end_shared(scene, server).await?;
    Ok(Numbers::from([
        ("http_idle_p50_ms".to_owned(), percentile(&mut took, 50)),
        ("http_idle_p99_ms".to_owned(), percentile(&mut took, 99)),
    ]))
}

fn agent(caller: usize) -> String {
    format!("worker{caller}")
}

/// How many tasks a second went all the way, `many` in a call; in the process without a client.
async fn work(
    scene: &Arc<Scene>,
    client: Option<&Client>,
    many: usize,
    time: Duration,
) -> Result<f64> {
    let start = Instant::now();
    let callers = (0..CALLERS).map(|caller| {
        let (scene, client) = (scene.clone(), client.cloned());
        let agent = agent(caller);
        tokio::spawn(async move {
            let tasks = vec![wide_task(); many];
            let mut count = 0;
            while start.elapsed() < time {
                count += match &client {
                    Some(client) => once_over_http(client, &agent, &tasks).await?,
                    None => once_in_process(&scene, &agent, &tasks).await?,
                };
            }
            anyhow::Ok(count)
        })
    });
    let callers: Vec<JoinHandle<Result<usize>>> = callers.collect();
    let count = super::sum(callers).await?;
    let rate = per_second(count, start.elapsed());
    drain(scene).await?;
    Ok(rate)
}

async fn once_in_process(scene: &Scene, agent: &str, tasks: &[NewTask]) -> Result<usize> {
    scene.submit(tasks).await?;
    let most = i32::try_from(tasks.len())?;
    let claimed = scene.claim(agent, most, Duration::ZERO).await?;
    scene.complete_all(&claimed).await?;
    Ok(claimed.len())
}

async fn once_over_http(client: &Client, agent: &str, tasks: &[NewTask]) -> Result<usize> {
    client.submit(tasks.to_vec()).await?;
    let most = i32::try_from(tasks.len())?;
    let claimed = claim(client, agent, most, Duration::ZERO).await?;
    let count = claimed.len();
    complete(client, claimed).await?;
    Ok(count)
}

async fn claim(client: &Client, agent: &str, max: i32, wait: Duration) -> Result<Vec<ClaimedTask>> {
    let request = ClaimTasks {
        agent: agent.to_owned(),
        max,
        wait_ms: u64::try_from(wait.as_millis())?,
        start: true,
        request_id: None,
        task_types: Vec::new(),
        profile: None,
        lease_sec: None,
    };
    Ok(client.claim(&request).await?)
}

/// One by one where there is one, all in one call where there are several.
async fn complete(client: &Client, mut claimed: Vec<ClaimedTask>) -> Result<()> {
    let completion = || CompleteTask {
        output: result(),
        artifacts: Vec::new(),
        usage: Usage::default(),
        claim: None,
    };
    if claimed.len() <= 1 {
        if let Some(claimed) = claimed.pop() {
            client.complete(claimed.lease, &completion()).await?;
        }
        return Ok(());
    }
    let settlements = claimed.iter().map(|claimed| LeaseSettlement {
        lease: claimed.lease.to_string(),
        complete: Some(completion()),
        ..LeaseSettlement::default()
    });
    let settlements = SettleLeases {
        settlements: settlements.collect(),
    };
    let answers = client.settlements(&settlements).await?;
    let are_done = answers.items.iter().all(|answer| answer.problem.is_none());
    ensure!(are_done, "a completion was refused");
    Ok(())
}

/// What was submitted and claimed by nobody when the time was up is not left for the next turn.
async fn drain(scene: &Scene) -> Result<()> {
    loop {
        let claimed = scene.claim(&agent(0), 1_000, Duration::ZERO).await?;
        if claimed.is_empty() {
            return Ok(());
        }
        scene.complete_all(&claimed).await?;
    }
}
