//! How long it takes to explain a task among a million; called where there are so many.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tokio_postgres::Client;
use uuid::Uuid;
use workmill_core::explain::explain;
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::lane::Selection;
use workmill_core::policy::Profile;
use workmill_core::price::PriceTable;
use workmill_core::resource_lock::ResourceLock;
use workmill_store::Store;
use workmill_testkit::database::TestDatabase;

/// Explains the worst-ranked task of the fullest lane, with a hundred agents and seven gates, once
/// with five hundred locks held below the root of its own and once with twenty thousand; and tries a
/// claim that looks past five thousand. The figures are printed: what they are worth depends on what
/// else the machine does, and that the work is bounded is for the plans to show.
pub async fn measure(database: &TestDatabase, client: &Client) -> Result<()> {
    let mut policy = Profile::Agent.policy();
    "code".clone_into(&mut policy.admission.task_type);
    policy.admission.labels = vec!["x".to_owned(), "y".to_owned()];
    policy.admission.locks = vec![ResourceLock::exclusive("repo/a")];
    let usual = serde_json::to_string(&policy)?;
    policy.admission.locks = vec![ResourceLock::exclusive("root5/a")];
    let crowded = serde_json::to_string(&policy)?;
    let script = format!(
        "insert into workmill.lane select 1, i, '{{\"boost\": \"tenth\"}}'
         from generate_series(0, 3) as i;
         insert into workmill.finished
         select 1, '2026-01-01'::timestamptz + i * interval '1 second',
             lpad(to_hex(i), 32, '0')::uuid
         from generate_series(1, 100000) as i;
         insert into workmill.gate (
             ns, gate, cap, used, spent, has_waiters, is_nearly_used_up, is_used_up, is_removed,
             set_by, set_at
         )
         select 1, g, 1000000, 0, 0, false, false, false, false, 'me', '2026-01-01'
         from unnest('{{limit:namespace,limit:type:code,limit:label:x,limit:label:y,
             budget:namespace,budget:each_day,limit:class:normal}}'::text[]) as g;
         update workmill.spec set policy = '{usual}'
         where ns = 1 and task in (
             select r.task
             from generate_series(0, 3) as l
             cross join lateral (
                 select task from workmill.ready where ns = 1 and lane = l order by rank limit 6000
             ) as r
         );
         insert into workmill.held_lock (ns, root, task, path, is_shared, agent)
         select 1, 'repo', lpad(to_hex(i), 32, '0')::uuid, 'repo/' || i, false, 'agent'
         from generate_series(1, 500) as i;
         analyze workmill.lane, workmill.finished, workmill.gate;"
    );
    client.batch_execute(&script).await?;
    let last = "select task from workmill.ready where ns = 1 and lane = 0
        order by rank desc limit 1";
    let last: Uuid = client.query_one(last, &[]).await?.get(0);
    let store = Store::new(database.url(), 2)?;
    let ns = Namespace(1);
    for (locks, policy) in [("500", &usual), ("20000", &crowded)] {
        let change = format!(
            "update workmill.spec set policy = '{policy}' where ns = 1 and task = '{last}'"
        );
        client.batch_execute(&change).await?;
        let mut took = Vec::new();
        for _ in 0..100 {
            let begun = Instant::now();
            let facts = store.find_facts(ns, TaskId(last)).await?;
            let explanation = explain(&facts.context("the task is there")?, &PriceTable::default());
            took.push(begun.elapsed());
            let position = explanation.position.context("it is ready")?;
            ensure!(position.more && explanation.agents.registered == 100);
        }
        let (median, worst) = figures(took);
        println!("explain, {locks} locks below its root: median {median:?}, worst {worst:?}");
    }

    let agent = "select agent from workmill.agent where ns = 1 limit 1";
    let agent: String = client.query_one(agent, &[]).await?.get(0);
    client
        .execute(
            "update workmill.agent set slots = 1000000 where ns = 1",
            &[],
        )
        .await?;
    let mut took = Vec::new();
    for _ in 0..5 {
        let begun = Instant::now();
        let would = store
            .find_would_claim(ns, &agent, &Selection::default(), 10)
            .await?;
        took.push(begun.elapsed());
        ensure!(would.refusal.is_none() && would.is_cut_off);
        ensure!(would.tasks.len() == 1, "one holds the lock of all others");
    }
    let (median, worst) = figures(took);
    println!("a dry run that looks past 5000: median {median:?}, worst {worst:?}");
    Ok(())
}

fn figures(mut took: Vec<Duration>) -> (Duration, Duration) {
    took.sort();
    (took[took.len() / 2], took[took.len() - 1])
}
