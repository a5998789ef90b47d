//! How long it takes to explain a task among a million; called where there are so many.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::json;
use tokio_postgres::Client;
use uuid::Uuid;
use workmill_core::explain::explain;
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::policy::Profile;
use workmill_core::resource_lock::ResourceLock;
use workmill_store::Store;
use workmill_testkit::database::TestDatabase;

/// Far more than it takes, so that a machine that does other things at the same time passes; a
/// look at all that waits takes ten times as long.
const PATIENCE: Duration = Duration::from_millis(100);

/// Explains the worst-ranked task of the fullest lane, with a hundred agents, locks that thousands
/// hold, and gates; and tries a claim.
pub async fn measure(database: &TestDatabase, client: &Client) -> Result<()> {
    let mut policy = Profile::Agent.policy();
    policy.admission.task_type = "code".to_owned();
    policy.admission.labels = vec!["x".to_owned(), "y".to_owned()];
    policy.admission.locks = vec![ResourceLock::exclusive("repo/a")];
    let policy = serde_json::to_string(&policy)?;
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
         update workmill.spec set policy = '{policy}'
         where ns = 1 and task in (
             select task from workmill.ready where ns = 1 and lane = 0
             order by rank limit 2000
         );
         update workmill.spec set policy = '{policy}'
         where ns = 1 and task = (
             select task from workmill.ready where ns = 1 and lane = 0
             order by rank desc limit 1
         );
         analyze workmill.lane, workmill.finished, workmill.gate;"
    );
    client.batch_execute(&script).await?;
    let last = "select task from workmill.ready where ns = 1 and lane = 0
        order by rank desc limit 1";
    let last: Uuid = client.query_one(last, &[]).await?.get(0);
    let store = Store::new(database.url(), 2)?;
    let ns = Namespace(1);
    let mut took = Vec::new();
    for _ in 0..100 {
        let begun = Instant::now();
        let facts = store.find_facts(ns, TaskId(last)).await?;
        let explanation = explain(&facts.context("the task is there")?);
        took.push(begun.elapsed());
        let position = explanation.position.context("it is ready")?;
        ensure!(position.more && explanation.agents.registered == 100);
    }
    let (median, worst) = figures(took);
    println!("explain among a million: median {median:?}, worst {worst:?}");
    ensure!(median < PATIENCE, "explaining takes {median:?}");

    let agent = "select agent from workmill.agent where ns = 1 limit 1";
    let agent: String = client.query_one(agent, &[]).await?.get(0);
    client
        .execute(
            "update workmill.agent set slots = 1000000 where ns = 1",
            &[],
        )
        .await?;
    let mut took = Vec::new();
    for _ in 0..100 {
        let begun = Instant::now();
        let would = store.find_would_claim(ns, &agent, 10).await?;
        took.push(begun.elapsed());
        ensure!(would.refusal.is_none(), "{}", json!(would));
    }
    let (median, worst) = figures(took);
    println!("a dry run of a claim for ten: median {median:?}, worst {worst:?}");
    ensure!(median < 10 * PATIENCE, "a dry run takes {median:?}");
    Ok(())
}

fn figures(mut took: Vec<Duration>) -> (Duration, Duration) {
    took.sort();
    (took[took.len() / 2], took[took.len() - 1])
}
