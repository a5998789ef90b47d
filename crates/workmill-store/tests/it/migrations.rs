//! The schema is brought up to date once, and used only by servers that understand it.

use anyhow::Result;
use workmill_store::StoreError;
use workmill_store::migrate::{self, SchemaError};
use workmill_testkit::database::TestDatabase;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn servers_that_start_at_once_migrate_once() -> Result<()> {
    let database = TestDatabase::empty().await?;
    let mut starting = Vec::new();
    for _ in 0..6 {
        let url = database.url().to_owned();
        starting.push(tokio::spawn(async move { migrate::migrate(&url).await }));
    }
    let mut applied = 0;
    for one in starting {
        applied += one.await??.applied.len();
    }
    assert_eq!(
        applied,
        migrate::texts().len(),
        "each migration was applied by exactly one of them"
    );
    migrate::check(database.url()).await?;
    Ok(())
}

#[tokio::test]
async fn a_database_without_the_schema_is_refused_with_the_fix() -> Result<()> {
    let database = TestDatabase::empty().await?;
    let error = migrate::check(database.url()).await.unwrap_err();
    assert!(
        matches!(error, StoreError::Schema(SchemaError::Missing)),
        "{error:?}"
    );
    assert!(error.to_string().contains("workmill migrate"));
    Ok(())
}

#[tokio::test]
async fn a_schema_that_needs_a_newer_server_is_refused_and_left_alone() -> Result<()> {
    let database = TestDatabase::new().await?;
    let client = database.client().await?;
    client
        .execute("update workmill.compatibility set minimum_server = 99", &[])
        .await?;
    for error in [
        migrate::check(database.url()).await.unwrap_err(),
        migrate::migrate(database.url()).await.unwrap_err(),
    ] {
        assert!(
            matches!(
                error,
                StoreError::Schema(SchemaError::NeedsNewerServer { minimum: 99 })
            ),
            "{error:?}"
        );
    }
    Ok(())
}

#[tokio::test]
async fn a_schema_that_was_made_otherwise_is_refused_with_what_to_do() -> Result<()> {
    let database = TestDatabase::new().await?;
    let client = database.client().await?;
    let otherwise = "update workmill.schema_history set checksum = '1' where version = 1";
    assert_eq!(client.execute(otherwise, &[]).await?, 1);
    let error = migrate::migrate(database.url()).await.unwrap_err();
    let words = error.to_string();
    assert!(words.contains("Nothing was changed"), "{words}");
    assert!(words.contains("--data FOLDER"), "{words}");
    Ok(())
}

/// A newer server may have applied migrations that this one does not know.
#[tokio::test]
async fn an_older_server_works_on_a_newer_schema_that_allows_it() -> Result<()> {
    let database = TestDatabase::new().await?;
    let client = database.client().await?;
    client
        .execute(
            "insert into workmill.schema_history select 999, 'from_the_future', applied_on, '1'
             from workmill.schema_history limit 1",
            &[],
        )
        .await?;
    migrate::check(database.url()).await?;
    let migrated = migrate::migrate(database.url()).await?;
    assert!(migrated.applied.is_empty());
    assert_eq!(migrated.version, 999, "the version that the database has");
    Ok(())
}

#[tokio::test]
async fn events_of_before_get_a_number_each() -> Result<()> {
    let database = TestDatabase::empty().await?;
    let client = database.client().await?;
    let texts = migrate::texts();
    let before = texts[..4].join("\n");
    client.batch_execute("create schema workmill").await?;
    client.batch_execute(&before).await?;
    client
        .batch_execute(
            "insert into workmill.event (ns, batch, at, facts)
             select ns, lpad(to_hex(n), 32, '0')::uuid, now(), facts
             from (values
                 (1, 1, '[1, 2, 3]'::json), (1, 2, '[4]'), (1, 3, '[5, 6]'), (2, 4, '[7, 8]')
             ) as v (ns, n, facts);
             insert into workmill.event_order (ns, seq, batch)
             select ns, row_number() over (partition by ns order by batch), batch
             from workmill.event where batch <> lpad('3', 32, '0')::uuid;
             insert into workmill.event_sequence (ns, seq) values (1, 2), (2, 1), (3, 9);
             insert into workmill.event_pending (ns, written_at, batch)
             values (1, now(), lpad('3', 32, '0')::uuid)",
        )
        .await?;
    client.batch_execute(&texts[4]).await?;
    let numbers = async |statement: &str| -> Result<Vec<i64>> {
        let rows = client.query(statement, &[]).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    };
    let places = "select seq from workmill.event_order order by ns, seq";
    assert_eq!(numbers(places).await?, [3, 4, 2]);
    let last = "select seq from workmill.event_sequence order by ns";
    assert_eq!(numbers(last).await?, [4, 2, 0]);
    let waiting = "select facts::bigint from workmill.event_pending";
    assert_eq!(numbers(waiting).await?, [2]);
    Ok(())
}
