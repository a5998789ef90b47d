//! Producers put tasks in with their own transactions; each becomes a task once, or is refused on
//! its row.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use jiff::SignedDuration;
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_postgres::Client;
use workmill_core::ids::TaskId;
use workmill_engine::Engine;
use workmill_engine::supervise::Supervisor;
use workmill_engine::upkeep::inbox_drainer::{self, Report};
use workmill_engine::upkeep::inbox_pruner;
use workmill_store::StoreError;
use workmill_testkit::database::{TestDatabase, TestStore};
use workmill_testkit::factory::task;

use crate::engine;

/// Far longer than anything here takes.
const LONG: Duration = Duration::from_mins(1);

async fn put(client: &Client, task: &Value) -> Result<()> {
    put_for(client, "test", &task.to_string()).await
}

async fn put_for(client: &Client, ns: &str, task: &str) -> Result<()> {
    let statement = "insert into workmill.inbox (ns, task) values ($1, $2::text::json)";
    client.execute(statement, &[&ns, &task]).await?;
    Ok(())
}

fn asked(title: &str) -> Value {
    json!({"title": title, "type": "code"})
}

/// Outcome, task, and code, detail and field of the error.
type Outcome = (
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
);

/// In the order they were put in.
async fn outcomes(client: &Client) -> Result<Vec<Outcome>> {
    let statement = "select outcome, task_id, error_code, error_detail, error_field
                     from workmill.inbox order by created_at, id";
    let rows = client.query(statement, &[]).await?;
    let row = |row: &tokio_postgres::Row| {
        let text = |column| row.get::<_, Option<String>>(column);
        (text(0), text(1), text(2), text(3), text(4))
    };
    Ok(rows.iter().map(row).collect())
}

async fn count(client: &Client, what: &str) -> Result<i64> {
    let statement = format!("select count(*) from workmill.{what}");
    Ok(client.query_one(&statement, &[]).await?.get(0))
}

/// Until nothing waits any more, whoever handles it.
async fn drain(engine: &Engine, client: &Client) -> Result<Report> {
    let draining = async {
        let mut all = Report::default();
        while count(client, "inbox where handled_at is null").await? > 0 {
            let report = inbox_drainer::run_once(engine).await?;
            all.accepted += report.accepted;
            all.refused += report.refused;
        }
        anyhow::Ok(all)
    };
    timeout(LONG, draining).await?
}

#[tokio::test]
async fn a_task_enters_with_the_commit_of_its_producer_and_not_without() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    let mut producer = database.client().await?;
    let look = database.client().await?;
    producer
        .batch_execute("create table invoice (number integer)")
        .await?;
    for (number, commits) in [(1, false), (2, true)] {
        let transaction = producer.transaction().await?;
        transaction
            .execute("insert into invoice values ($1)", &[&number])
            .await?;
        let task = asked(&format!("Send invoice {number}")).to_string();
        let statement = "insert into workmill.inbox (ns, task) values ('test', $1::text::json)";
        transaction.execute(statement, &[&task]).await?;
        assert!(inbox_drainer::run_once(&engine).await?.is_empty());
        if commits {
            transaction.commit().await?;
        } else {
            transaction.rollback().await?;
        }
        inbox_drainer::run_once(&engine).await?;
    }
    let outcomes = outcomes(&look).await?;
    assert_eq!(outcomes.len(), 1);
    assert_eq!(outcomes[0].0.as_deref(), Some("accepted"));
    let id: TaskId = outcomes[0].1.as_deref().context("no task")?.parse()?;
    let task = engine.task(&caller, id).await?;
    assert_eq!(task.asked.title, "Send invoice 2");
    assert!(task.created_by.starts_with("inbox:"), "{}", task.created_by);
    assert_eq!(count(&look, "state").await?, 1);
    Ok(())
}

/// Namespace and task, with the code and the field of the refusal; no code: it is fine.
fn cases() -> Vec<(&'static str, String, &'static str, Option<&'static str>)> {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let with_payload = |payload: &str| {
        format!(r#"{{"title": "t", "type": "x", "spec": {{"payload": {payload}}}}}"#)
    };
    let with = |field: &str, value: Value| {
        let mut task = asked("t");
        task[field] = value;
        task.to_string()
    };
    vec![
        ("test", "7".to_owned(), "invalid", Some("task")),
        ("test", "[]".to_owned(), "invalid", Some("task")),
        (
            "test",
            r#"{"type": "x"}"#.to_owned(),
            "invalid",
            Some("task.title"),
        ),
        (
            "test",
            with("colour", json!("red")),
            "invalid",
            Some("task.colour"),
        ),
        (
            "test",
            with("title", json!("a\u{0}b")),
            "invalid",
            Some("task.title"),
        ),
        (
            "test",
            with_payload(r#""a\u0000b""#),
            "invalid",
            Some("task"),
        ),
        (
            "test",
            with_payload(&nested(70)),
            "invalid",
            Some("task.spec.payload"),
        ),
        (
            "test",
            with_payload(&nested(2_000)),
            "invalid",
            Some("task.spec.payload"),
        ),
        (
            "test",
            with("depends_on", json!(["a"])),
            "invalid",
            Some("task.depends_on"),
        ),
        ("nowhere", asked("t").to_string(), "not_found", Some("ns")),
        (
            "test",
            with("project_id", json!("proj_01M7GHHJC60E8TF436WM9NKXNZ")),
            "invalid",
            Some("project_id"),
        ),
        // The first of each two is fine.
        ("test", with("key", json!("k")), "", None),
        ("test", with("key", json!("k")), "conflict", None),
        ("test", with("idempotency_key", json!("i")), "", None),
        (
            "test",
            json!({"title": "other", "type": "x", "idempotency_key": "i"}).to_string(),
            "conflict",
            None,
        ),
        ("test", asked("the last").to_string(), "", None),
    ]
}

#[tokio::test]
async fn what_cannot_be_a_task_is_refused_on_its_row_and_stops_nothing_behind_it() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, _) = engine(&database).await?;
    let client = database.client().await?;
    let cases = cases();
    for (ns, task, ..) in &cases {
        put_for(&client, ns, task)
            .await
            .with_context(|| task.clone())?;
    }
    drain(&engine, &client).await?;
    let outcomes = outcomes(&client).await?;
    for ((_, task, code, field), outcome) in cases.iter().zip(&outcomes) {
        let (word, id, error_code, detail, error_field) = outcome;
        let expected = if code.is_empty() {
            "accepted"
        } else {
            "refused"
        };
        assert_eq!(word.as_deref(), Some(expected), "{task}: {outcome:?}");
        assert_eq!(id.is_some(), code.is_empty(), "{task}: {outcome:?}");
        assert_eq!(
            error_code.as_deref().unwrap_or(""),
            *code,
            "{task}: {outcome:?}"
        );
        assert_eq!(error_field.as_deref(), *field, "{task}: {outcome:?}");
        assert_eq!(detail.is_some(), !code.is_empty(), "{task}: {outcome:?}");
    }
    assert_eq!(count(&client, "state").await?, 3);
    Ok(())
}

/// Limits hold before anything is stored.
#[tokio::test]
async fn what_is_too_large_or_no_json_fails_in_the_producers_own_statement() -> Result<()> {
    let database = TestDatabase::new().await?;
    let client = database.client().await?;
    let large = json!({"title": "t", "type": "x", "spec": {"prompt": "x".repeat(1024 * 1024)}});
    assert!(put(&client, &large).await.is_err());
    assert!(put_for(&client, "test", "{").await.is_err());
    assert!(put_for(&client, &"n".repeat(201), "{}").await.is_err());
    assert_eq!(count(&client, "inbox").await?, 0);
    Ok(())
}

/// A row that only the database objects to is found among its neighbours.
#[tokio::test]
async fn a_row_that_the_database_refuses_does_not_hold_up_the_others() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, _) = engine(&database).await?;
    let client = database.client().await?;
    client
        .batch_execute("alter table workmill.spec add check (body ->> 'title' <> 'poison')")
        .await?;
    for title in ["first", "poison", "last"] {
        put(&client, &asked(title)).await?;
    }
    let report = drain(&engine, &client).await?;
    assert_eq!((report.accepted, report.refused), (2, 1));
    let outcomes = outcomes(&client).await?;
    assert_eq!(outcomes[1].2.as_deref(), Some("internal"));
    assert_eq!(count(&client, "state").await?, 2);
    Ok(())
}

#[tokio::test]
async fn the_same_idempotency_key_means_the_same_task_in_the_inbox_and_in_calls() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    let client = database.client().await?;
    let mut keyed = task("once");
    keyed.idempotency_key = Some("order-7".to_owned());
    for _ in 0..2 {
        put(&client, &serde_json::to_value(&keyed)?).await?;
    }
    drain(&engine, &client).await?;
    let submitted = engine.submit_tasks(&caller, &[keyed], None).await?;
    assert!(submitted.is_repeat);
    let id = submitted.tasks[0].to_string();
    for outcome in outcomes(&client).await? {
        assert_eq!(outcome.1.as_deref(), Some(id.as_str()));
    }
    assert_eq!(count(&client, "state").await?, 1);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_make_one_task_of_each_row() -> Result<()> {
    const ROWS: i64 = 2_000;
    let database = TestDatabase::new().await?;
    let (one, _) = engine(&database).await?;
    let (other, _) = engine(&database).await?;
    let client = database.client().await?;
    let (a, b) = (database.client().await?, database.client().await?);
    client
        .execute(
            "insert into workmill.inbox (ns, task)
             select 'test', json_build_object('title', n::text, 'type', 'code')
             from generate_series(1, $1::bigint) as n",
            &[&ROWS],
        )
        .await?;
    let (first, second) = tokio::try_join!(drain(&one, &a), drain(&other, &b))?;
    assert_eq!(first.accepted + second.accepted, usize::try_from(ROWS)?);
    assert_eq!(count(&client, "state").await?, ROWS);
    let titles = "(select distinct body ->> 'title' from workmill.spec) as titles";
    let statement = format!("select count(*) from {titles}");
    assert_eq!(
        client.query_one(&statement, &[]).await?.get::<_, i64>(0),
        ROWS
    );
    let named = "(select distinct task_id from workmill.inbox) as named";
    let statement = format!("select count(*) from {named}");
    assert_eq!(
        client.query_one(&statement, &[]).await?.get::<_, i64>(0),
        ROWS
    );
    Ok(())
}

/// Its connection goes with it, so nothing of what it had written stays, and what it held is free.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_dies_before_its_commit_has_neither_lost_nor_doubled_anything() -> Result<()>
{
    let database = TestDatabase::new().await?;
    let (dying, _) = engine(&database).await?;
    let (surviving, _) = engine(&database).await?;
    let client = database.client().await?;
    for title in ["a", "b", "c"] {
        put(&client, &asked(title)).await?;
    }
    let mut pause = dying.store().test_points.pause_at("commit");
    let dying = Arc::new(dying);
    let draining = tokio::spawn({
        let dying = Arc::clone(&dying);
        async move { inbox_drainer::run_once(&dying).await }
    });
    let paused = pause.arrival().await;
    assert!(
        timeout(LONG, inbox_drainer::run_once(&surviving))
            .await??
            .is_empty(),
        "another server is at them"
    );
    draining.abort();
    let _ = draining.await;
    drop(paused);
    assert_eq!(drain(&surviving, &client).await?.accepted, 3);
    assert_eq!(count(&client, "state").await?, 3);
    assert!(inbox_drainer::run_once(&surviving).await?.is_empty());
    Ok(())
}

/// The database goes away at each commit, again and again, and comes back.
#[tokio::test]
async fn commits_that_fail_leave_everything_to_the_next_turn() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, _) = engine(&database).await?;
    let client = database.client().await?;
    put(&client, &asked("a")).await?;
    engine.store().test_points.fail_at("commit", 8);
    let failed = inbox_drainer::run_once(&engine).await;
    assert!(
        matches!(failed, Err(StoreError::Unavailable { .. })),
        "{failed:?}"
    );
    assert_eq!(count(&client, "state").await?, 0);
    assert_eq!(outcomes(&client).await?[0].0, None);
    assert_eq!(inbox_drainer::run_once(&engine).await?.accepted, 1);
    assert_eq!(count(&client, "state").await?, 1);
    Ok(())
}

/// With no sweep in sight, only the producer's commit can have rung.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_of_a_producer_wakes_a_server_that_never_looks_by_itself() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, _) = engine(&database).await?;
    let engine = Arc::new(engine.looking_into_inbox_every(Duration::from_hours(24)));
    let supervisor = Supervisor::start(Arc::clone(&engine));
    let client = database.client().await?;
    let listening = "select count(*) from pg_stat_activity
                     where query = 'listen workmill' and datname = current_database()";
    while client.query_one(listening, &[]).await?.get::<_, i64>(0) == 0 {
        tokio::task::yield_now().await;
    }
    // The first may have been seen by the look with which listening begins.
    for title in ["a", "b", "c"] {
        put(&client, &asked(title)).await?;
        let handled = async {
            while count(&client, "inbox where handled_at is null").await? > 0 {
                tokio::task::yield_now().await;
            }
            anyhow::Ok(())
        };
        timeout(Duration::from_secs(20), handled).await??;
    }
    supervisor.stop().await;
    Ok(())
}

/// What nobody was told of is found by looking.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_whose_ring_nobody_heard_is_found_by_the_sweep() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, _) = engine(&database).await?;
    let engine = Arc::new(engine.looking_into_inbox_every(Duration::from_millis(100)));
    let client = database.client().await?;
    client
        .batch_execute("alter table workmill.inbox disable trigger ring")
        .await?;
    let supervisor = Supervisor::start(Arc::clone(&engine));
    for title in ["a", "b"] {
        put(&client, &asked(title)).await?;
        let handled = async {
            while count(&client, "inbox where handled_at is null").await? > 0 {
                tokio::task::yield_now().await;
            }
            anyhow::Ok(())
        };
        timeout(Duration::from_secs(20), handled).await??;
    }
    supervisor.stop().await;
    Ok(())
}

#[tokio::test]
async fn handled_rows_go_after_seven_days_and_waiting_ones_never() -> Result<()> {
    let test = TestStore::new().await?;
    let engine = Engine::new(Arc::clone(&test.store));
    let client = test.database.client().await?;
    put(&client, &asked("a")).await?;
    put_for(&client, "nowhere", "{}").await?;
    drain(&engine, &client).await?;
    put(&client, &asked("waits")).await?;
    let prune = async |days: i64| -> Result<u64> {
        let now = test.clock.now() + SignedDuration::from_hours(days * 24);
        let position = inbox_pruner::Position::default();
        Ok(inbox_pruner::run_once(&engine, now, &position).await?.rows)
    };
    assert_eq!(prune(6).await?, 0);
    assert_eq!(prune(8).await?, 2);
    assert_eq!(prune(800).await?, 0);
    assert_eq!(count(&client, "inbox").await?, 1);
    // The task itself stays.
    assert_eq!(count(&client, "state").await?, 1);
    Ok(())
}
