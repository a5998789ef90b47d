//! Claims that pass gates, in turn with claims that have none to pass: see `claims`.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, ensure};
use workmill_core::gate::{Limited, Paused, Purse};
use workmill_core::money::Micros;
use workmill_core::priority::Class;
use workmill_core::resource_lock::ResourceLock;
use workmill_core::task::NewTask;
use workmill_engine::intake::GraphRequest;

use super::claims::{compare, scene_with_claimers};
use super::{Numbers, Size};
use crate::scene::{Scene, tiny_task};
use crate::server::Server;

const PLENTY: i64 = 1_000_000;

/// Every task passes ten limits, two budgets and a lock.
pub async fn in_use(server: &Server, size: Size) -> Result<Numbers> {
    let mut task = tiny_task();
    task.labels = vec!["provider:one".to_owned(), "team:two".to_owned()];
    task.spec.constraints.max_cost_usd = Some(Micros(10_000));
    task.locks = vec![ResourceLock::shared("repo:app/src")];
    let free = scene_with_claimers(server, &[]).await?;
    let gated = scene_with_claimers(server, &[]).await?;
    let limits = [
        Limited::Namespace,
        Limited::AllButCritical,
        Limited::Class(Class::Normal),
        Limited::Class(Class::High),
        Limited::Source("bench".to_owned()),
        Limited::Type("code".to_owned()),
        Limited::Label("provider:one".to_owned()),
        Limited::Label("team:two".to_owned()),
        Limited::Agent("claimer0".to_owned()),
        Limited::Agent("claimer1".to_owned()),
    ];
    set_up(&gated, &limits, &[Purse::Namespace, Purse::EachDay]).await?;
    let count = size.pick(300, 1000);
    free.fill(20 * count, &tiny_task()).await?;
    gated.fill(20 * count, &task).await?;
    let [free, gated, ratio] =
        compare(server, vec![(free, tiny_task()), (gated, task)], count).await?;
    Ok(Numbers::from([
        ("claims_without_gates".to_owned(), free),
        ("claims_through_gates".to_owned(), gated),
        ("gates_in_use_ratio".to_owned(), ratio),
    ]))
}

/// As many gates, none of which these tasks have to pass.
pub async fn for_others(server: &Server, size: Size) -> Result<Numbers> {
    let task = tiny_task();
    let free = scene_with_claimers(server, &[]).await?;
    let gated = scene_with_claimers(server, &[]).await?;
    let other = |name: &str| name.to_owned();
    let limits = [
        Limited::Type(other("review")),
        Limited::Type(other("build")),
        Limited::Label(other("provider:one")),
        Limited::Label(other("provider:two")),
        Limited::Source(other("cron")),
        Limited::Source(other("webhook")),
        Limited::Class(Class::High),
        Limited::Class(Class::Low),
        Limited::Agent(other("somebody")),
        Limited::Agent(other("nobody")),
    ];
    let purses = [
        Purse::Agent(other("somebody")),
        Purse::Agent(other("nobody")),
    ];
    set_up(&gated, &limits, &purses).await?;
    let count = size.pick(300, 1000);
    for scene in [&free, &gated] {
        scene.fill(20 * count, &task).await?;
    }
    let scenes = vec![(free, task.clone()), (gated, task)];
    let [free, gated, ratio] = compare(server, scenes, count).await?;
    Ok(Numbers::from([
        ("claims_no_gates_set".to_owned(), free),
        ("claims_gates_for_others".to_owned(), gated),
        ("gates_for_others_ratio".to_owned(), ratio),
    ]))
}

/// Ninety-nine of a hundred tasks, all ahead: paused, at a limit, locked or unaffordable, a quarter
/// each. The first look at them, which moves them out of the way, is not counted.
pub async fn head(server: &Server, size: Size) -> Result<Numbers> {
    let own = tiny_task();
    let mine = size.pick(500, 2_000);
    let others = 99 * mine / 4;
    let free = scene_with_claimers(server, &[]).await?;
    free.fill(100 * mine, &own).await?;
    let stopped = scene_with_claimers(server, &[]).await?;
    let ahead = NewTask {
        priority: Class::High.base(),
        ..tiny_task()
    };
    let paused = NewTask {
        task_type: "paused".to_owned(),
        ..ahead.clone()
    };
    let limited = NewTask {
        labels: vec!["limited".to_owned()],
        ..ahead.clone()
    };
    let locked = NewTask {
        locks: vec![ResourceLock::exclusive("repo:app")],
        ..ahead.clone()
    };
    let holder = stopped.agent("holder", 1, &[]).await?;
    stopped.submit(std::slice::from_ref(&locked)).await?;
    let held = stopped.claim(&holder, 1, Duration::ZERO).await?;
    ensure!(held.len() == 1, "nobody holds the lock");
    let (engine, caller) = (&stopped.engine, &stopped.caller);
    engine
        .pause(caller, Paused::Type("paused".to_owned()), None)
        .await?;
    engine
        .set_limit(caller, Limited::Label("limited".to_owned()), 0, None)
        .await?;
    for task in [&paused, &limited, &locked] {
        stopped.fill(others, task).await?;
    }
    fill_unaffordable(&stopped, others, &ahead).await?;
    stopped.fill(mine, &own).await?;
    let scenes = vec![(free, own.clone()), (stopped, own)];
    let [free, stopped, ratio] = compare(server, scenes, mine / 5).await?;
    Ok(Numbers::from([
        ("claims_free_head".to_owned(), free),
        ("claims_stopped_head".to_owned(), stopped),
        ("stopped_head_ratio".to_owned(), ratio),
    ]))
}

async fn fill_unaffordable(scene: &Arc<Scene>, count: usize, task: &NewTask) -> Result<()> {
    const MOST: usize = 5_000;
    let mut costly = task.clone();
    costly.spec.constraints.max_cost_usd = Some(Micros(5_000_000));
    let mut left = count;
    while left > 0 {
        let tasks = left.min(MOST);
        let request = GraphRequest {
            created_by: None,
            title: "too dear".to_owned(),
            draft: false,
            budget_usd: Some(Micros(1_000_000)),
            project_id: None,
            tasks: (0..tasks)
                .map(|number| NewTask {
                    name: Some(number.to_string()),
                    ..costly.clone()
                })
                .collect(),
        };
        scene
            .engine
            .submit_graph(&scene.caller, &request, None)
            .await?;
        left -= tasks;
    }
    Ok(())
}

async fn set_up(scene: &Scene, limits: &[Limited], purses: &[Purse]) -> Result<()> {
    let (engine, caller) = (&scene.engine, &scene.caller);
    for limited in limits {
        engine
            .set_limit(caller, limited.clone(), PLENTY, None)
            .await?;
    }
    for purse in purses {
        let budget = Micros(PLENTY * 1_000_000);
        engine
            .set_budget(caller, purse.clone(), budget, None, None)
            .await?;
    }
    Ok(())
}
