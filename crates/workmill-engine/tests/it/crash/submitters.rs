//! Those who submit: tasks of their own and graphs, each call with a key of its own.

use std::sync::Arc;

use workmill_core::dependency::OnDependencyFailure;
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::money::Micros;
use workmill_core::policy::{Profile, Strategy};
use workmill_core::resource_lock::ResourceLock;
use workmill_core::task::{NewTask, RetryOverrides};
use workmill_testkit::chance::Chance;
use workmill_testkit::factory::task;

use super::client::{Client, Stage};
use super::wire::{Answer, Call};

pub const SUBMITTERS: u64 = 3;

/// Short, so that what a killed process held is soon taken up by others.
const LEASE_SECONDS: f64 = 1.5;
const RETRY_SECONDS: f64 = 0.1;

/// Submits as much as the agents are hungry for.
pub async fn submit(stage: Arc<Stage>, number: u64, seed: u64) {
    let mut client = Client {
        stage: Arc::clone(&stage),
        chance: Chance(seed ^ (number << 40)),
    };
    for count in 0.. {
        let Ok(permit) = stage.hunger.acquire().await else {
            return;
        };
        permit.forget();
        let is_graph = client.chance.one_in(2);
        let many = 1 + client.chance.below(if is_graph { 7 } else { 3 });
        let tasks: Vec<NewTask> = (0..many)
            .map(|place| NewTask {
                name: is_graph.then(|| name(place)),
                depends_on: (0..if is_graph { place } else { 0 })
                    .filter(|_| client.chance.one_in(3))
                    .map(name)
                    .collect(),
                ..some_task(&mut client.chance)
            })
            .collect();
        submit_once(&mut client, format!("{number} {count}"), tasks, is_graph).await;
    }
}

async fn submit_once(client: &mut Client, key: String, tasks: Vec<NewTask>, is_graph: bool) {
    let call = Call::Submit {
        key: key.clone(),
        tasks: tasks.clone(),
        is_graph,
    };
    let answer = create(client, call, &tasks, &[]).await;
    let Some(Answer::Submitted {
        graph: Some(graph),
        tasks: ids,
        ..
    }) = answer
    else {
        return;
    };
    if client.chance.one_in(3) {
        let task = NewTask {
            depends_on: vec![ids[0].to_string()],
            ..some_task(&mut client.chance)
        };
        let tasks = vec![task];
        let call = Call::Grow {
            key: format!("{key} grows"),
            graph,
            tasks: tasks.clone(),
        };
        create(client, call, &tasks, &ids[..1]).await;
    }
}

/// Spawns below a task that is held; not when the lease is gone.
pub async fn spawn_once(client: &mut Client, lease: LeaseId) {
    let tasks = vec![some_task(&mut client.chance)];
    let call = Call::Spawn {
        key: format!("{lease} spawns"),
        lease,
        tasks: tasks.clone(),
    };
    create(client, call, &tasks, &[]).await;
}

/// Makes a call that creates tasks, and writes down what it was told. Each of them depends on all of
/// `existing`, or on others of the call.
async fn create(
    client: &mut Client,
    call: Call,
    tasks: &[NewTask],
    existing: &[TaskId],
) -> Option<Answer> {
    let is_spawn = matches!(call, Call::Spawn { .. });
    let told = client.ask(call).await;
    match &told.answer {
        Answer::LeaseGone if is_spawn => return None,
        Answer::Submitted { is_repeat, .. } if *is_repeat && !told.was_in_doubt => {
            client.wonder("a submission that was sent once", &told);
        }
        Answer::Submitted {
            tasks: ids,
            is_repeat,
            ..
        } if ids.len() == tasks.len() => client.stage.note(|told| {
            told.doubts.submits_found += usize::from(*is_repeat);
            for (task, id) in tasks.iter().zip(ids) {
                let on = match existing {
                    [] => depends_on(task, ids),
                    existing => existing.to_vec(),
                };
                let edges = (task.dependency_rule(), on);
                if told.submitted.insert(*id, edges).is_some() {
                    told.strange.push(format!("{id} was given to two tasks"));
                }
            }
        }),
        _ => client.wonder("a submission", &told),
    }
    Some(told.answer)
}

fn name(place: u64) -> String {
    format!("t{place}")
}

fn depends_on(task: &NewTask, ids: &[TaskId]) -> Vec<TaskId> {
    let places = task.depends_on.iter().map(|name| {
        let place: usize = name[1..].parse().expect("a name of ours");
        ids[place]
    });
    places.collect()
}

/// Of every profile that tries again by itself; below what failed it is cancelled or runs all the
/// same, so that all of it comes to an end.
fn some_task(chance: &mut Chance) -> NewTask {
    let profiles = [
        Profile::Agent,
        Profile::Task,
        Profile::Workflow,
        Profile::Hub,
    ];
    let rules = [OnDependencyFailure::Cancel, OnDependencyFailure::Run];
    let strategies = [Strategy::Fixed, Strategy::Immediate];
    let (is_busy, has_lock) = (chance.one_in(2), chance.one_in(3));
    let paths = ["repo/a", "repo/a/b", "repo/c", "lib"];
    let mut task = task("crash");
    // Each attempt reserves this much, also of its graph.
    task.spec.constraints.max_cost_usd = Some(Micros(100_000));
    NewTask {
        labels: is_busy.then(|| "busy".to_owned()).into_iter().collect(),
        locks: has_lock
            .then(|| ResourceLock::exclusive(chance.pick(&paths).expect("there are four")))
            .into_iter()
            .collect(),
        profile: chance.pick(&profiles).expect("there are four"),
        on_dependency_failure: chance.pick(&rules),
        lease_sec: Some(LEASE_SECONDS),
        claim_ttl_sec: Some(LEASE_SECONDS),
        retry: RetryOverrides {
            strategy: chance.pick(&strategies),
            initial_delay_sec: Some(RETRY_SECONDS),
            jitter: Some(false),
            ..RetryOverrides::default()
        },
        ..task
    }
}
