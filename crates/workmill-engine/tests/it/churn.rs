//! Work comes and goes, and the database does not grow: what was kept long enough is removed as
//! fast as new work comes in.
//!
//! The short form moves the clock by hand and counts rows. The long form, `./dev churn`, works as
//! fast as it can for some minutes and prints the sizes of the tables.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::value::RawValue;
use tokio::sync::Semaphore;
use tokio_postgres::Client;
use tokio_util::sync::CancellationToken;
use workmill_core::edition::Expected;
use workmill_core::task::NewTask;
use workmill_core::usage::Usage;
use workmill_engine::dispatch::ClaimRequest;
use workmill_engine::intake::GraphRequest;
use workmill_engine::retention::Retention;
use workmill_engine::settlement::Ending;
use workmill_engine::supervise::Supervisor;
use workmill_engine::upkeep::{event_pruner, event_sequencer, task_pruner};
use workmill_engine::{Caller, Engine};
use workmill_testkit::database::{TestDatabase, TestStore};
use workmill_testkit::factory::task;

use crate::{caller, engine, register};

const AGENT: &str = "agent";

/// Tasks that are submitted at once.
const BATCH: usize = 50;

fn keep_everything_for(age: Duration) -> Retention {
    Retention {
        completed: Some(age),
        cancelled: Some(age),
        stale: Some(age),
    }
}

/// Single tasks, and a small graph.
async fn submit(engine: &Engine, caller: &Caller) -> Result<()> {
    let singles = vec![task("churn"); BATCH - 2];
    engine.submit_tasks(caller, &singles, None).await?;
    let named = |name: &str| NewTask {
        name: Some(name.to_owned()),
        ..task(name)
    };
    let second = NewTask {
        depends_on: vec!["first".to_owned()],
        ..named("second")
    };
    let request = GraphRequest {
        title: "churn".to_owned(),
        draft: false,
        budget_usd: None,
        project_id: None,
        created_by: None,
        tasks: vec![named("first"), second],
    };
    engine.submit_graph(caller, &request, None).await?;
    Ok(())
}

/// Claims and completes what there is; answers how many that were.
async fn work(engine: &Engine, caller: &Caller, wait: Duration) -> Result<usize> {
    let request = ClaimRequest {
        agent: AGENT.to_owned(),
        most: 100,
        start: true,
        wait,
        request_id: None,
        selection: workmill_core::lane::Selection::default(),
        lease: None,
    };
    let claims = engine.claim(caller, &request).await?;
    let endings = claims.iter().map(|claim| {
        let output = RawValue::from_string("{\"done\":true}".to_owned());
        let ending = output.map(|output| Ending::Complete {
            output,
            artifacts: Vec::new(),
        });
        async {
            let spent = Usage::default();
            engine.settle(caller, claim.lease, ending?, spent).await?;
            anyhow::Ok(())
        }
    });
    futures_util::future::try_join_all(endings).await?;
    Ok(claims.len())
}

/// Rows of each table that has any.
async fn rows(client: &Client) -> Result<BTreeMap<String, i64>> {
    let tables = "select c.relname::text from pg_class c
                  join pg_namespace n on n.oid = c.relnamespace
                  where n.nspname = 'workmill' and c.relkind in ('r', 'p') and not c.relispartition";
    let mut rows = BTreeMap::new();
    for table in client.query(tables, &[]).await? {
        let table: String = table.get(0);
        let count = format!("select count(*) from workmill.{table}");
        let count: i64 = client.query_one(&count, &[]).await?.get(0);
        if count > 0 {
            rows.insert(table, count);
        }
    }
    Ok(rows)
}

#[tokio::test]
async fn rows_stay_as_many_as_the_kept_time_needs() -> Result<()> {
    const ROUNDS_A_DAY: usize = 4;
    const HOURS_A_ROUND: i64 = 6;
    let test = TestStore::new().await?;
    let two_days = Duration::from_hours(2 * 24);
    let engine = Engine::new(Arc::clone(&test.store)).keeping_events_for(two_days);
    let caller = caller(test.ns);
    register(&engine, &caller, AGENT, 1000).await?;
    let kept = keep_everything_for(Duration::from_hours(12));
    engine.set_retention(&caller, kept, Expected::Any).await?;
    let client = test.database.client().await?;
    let (tasks, events) = (
        task_pruner::Position::default(),
        event_pruner::Position::default(),
    );
    let mut at_midnight = Vec::new();
    for round in 0..8 * ROUNDS_A_DAY {
        let now = test.store.now().await?;
        event_pruner::run_once(&engine, now, &events).await?;
        submit(&engine, &caller).await?;
        while work(&engine, &caller, Duration::ZERO).await? > 0 {}
        event_sequencer::run_once(&engine).await?;
        task_pruner::run_once(&engine, now, &tasks).await?;
        if round % ROUNDS_A_DAY == 0 {
            at_midnight.push(rows(&client).await?);
        }
        test.clock
            .advance(jiff::SignedDuration::from_hours(HOURS_A_ROUND));
    }
    let (last, before) = (&at_midnight[7], &at_midnight[5]);
    assert_eq!(last, before, "from the fifth day on nothing grows");
    let batch = i64::try_from(BATCH)?;
    assert_eq!(last["state"], 2 * batch, "and what is kept is there");
    assert_eq!(last["result"], 2 * batch);
    assert_eq!(last["graph"], 2);
    Ok(())
}

/// Sizes of tables with their indexes and partitions, in kilobytes, and live rows.
async fn sizes(client: &Client, at: &str) -> Result<BTreeMap<String, i64>> {
    let sizes = "select c.relname::text,
                     (select coalesce(sum(pg_total_relation_size(t.relid)), 0)::bigint / 1024
                      from pg_partition_tree(c.oid) t)
                     + case when c.relkind = 'r' then pg_total_relation_size(c.oid) / 1024 else 0 end
                 from pg_class c join pg_namespace n on n.oid = c.relnamespace
                 where n.nspname = 'workmill' and c.relkind in ('r', 'p') and not c.relispartition
                 order by 2 desc limit 12";
    let rows = rows(client).await?;
    println!("{at}:");
    for row in client.query(sizes, &[]).await? {
        let (table, kilobytes): (String, i64) = (row.get(0), row.get(1));
        let count = rows.get(&table).copied().unwrap_or(0);
        println!("  {table:16} {kilobytes:>9} kB {count:>9} rows");
    }
    Ok(rows)
}

/// The long form.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_database_stays_small_under_load() -> Result<()> {
    let Some(seconds) = std::env::var("WORKMILL_CHURN_SECONDS").ok() else {
        return Ok(());
    };
    let half = Duration::from_secs(seconds.parse::<u64>()?) / 2;
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    let kept = Duration::from_secs(10);
    let engine = Arc::new(engine.keeping_events_for(kept));
    register(&engine, &caller, AGENT, 10_000).await?;
    engine
        .set_retention(&caller, keep_everything_for(kept), Expected::Any)
        .await?;
    let client = database.client().await?;
    let supervisor = Supervisor::start(Arc::clone(&engine));
    sizes(&client, "at the beginning").await?;
    let load = Load::start(&engine, &caller);
    let begun = Instant::now();
    let mut lately = load.run_for(half).await;
    let middle = sizes(&client, "in the middle").await?;
    check_size(&middle, lately);
    lately = load.run_for(half).await;
    let end = sizes(&client, "at the end").await?;
    check_size(&end, lately);
    let done = load.stop().await?;
    supervisor.stop().await;
    let rate = f64::from(u32::try_from(done)?) / begun.elapsed().as_secs_f64();
    println!("{done} tasks were worked on, {rate:.0} a second, each kept for {kept:?}");
    Ok(())
}

/// What is there is what waits and what ended lately, however fast that was: twice the time that it
/// is kept, and no more.
fn check_size(rows: &BTreeMap<String, i64>, lately: usize) {
    println!("{lately} tasks ended in the last {LATELY:?}");
    let most = i64::try_from(lately + Load::MOST_WAITING).expect("a number of rows");
    for table in [
        "state", "spec", "result", "attempt", "finished", "graph", "edge",
    ] {
        let rows = rows[table];
        assert!(rows < most, "{table} grows: {rows} rows, at most {most}");
    }
}

/// Twice as long as everything is kept.
const LATELY: Duration = Duration::from_secs(20);

/// Those who submit and those who work, until they are told to stop.
struct Load {
    done: Arc<AtomicUsize>,
    stop: CancellationToken,
    workers: Vec<tokio::task::JoinHandle<Result<()>>>,
}

impl Load {
    /// Tasks that may wait at once: who submits goes on when others were completed.
    const MOST_WAITING: usize = 2_000;

    fn start(engine: &Arc<Engine>, caller: &Caller) -> Load {
        let (stop, room) = (
            CancellationToken::new(),
            Arc::new(Semaphore::new(Load::MOST_WAITING)),
        );
        let done = Arc::new(AtomicUsize::new(0));
        let mut workers = Vec::new();
        for number in 0..6 {
            let (engine, caller) = (Arc::clone(engine), caller.clone());
            let (stop, room, done) = (stop.clone(), Arc::clone(&room), Arc::clone(&done));
            workers.push(tokio::spawn(async move {
                while !stop.is_cancelled() {
                    if number < 2 {
                        let batch = u32::try_from(BATCH)?;
                        let acquired = stop.run_until_cancelled(room.acquire_many(batch)).await;
                        let Some(permits) = acquired else { break };
                        permits?.forget();
                        submit(&engine, &caller).await?;
                    } else {
                        let wait = Duration::from_millis(200);
                        let worked = work(&engine, &caller, wait).await?;
                        room.add_permits(worked);
                        done.fetch_add(worked, Ordering::SeqCst);
                    }
                }
                Ok(())
            }));
        }
        Load {
            done,
            stop,
            workers,
        }
    }

    /// Answers how many tasks ended lately.
    async fn run_for(&self, time: Duration) -> usize {
        tokio::time::sleep(time.saturating_sub(LATELY)).await;
        let before = self.done.load(Ordering::SeqCst);
        tokio::time::sleep(LATELY).await;
        self.done.load(Ordering::SeqCst) - before
    }

    async fn stop(self) -> Result<usize> {
        self.stop.cancel();
        for worker in self.workers {
            worker.await??;
        }
        Ok(self.done.load(Ordering::SeqCst))
    }
}
