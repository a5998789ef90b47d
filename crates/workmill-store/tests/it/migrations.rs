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
    let known = usize::try_from(migrate::newest_version())?;
    assert_eq!(
        applied, known,
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
    assert!(migrate::migrate(database.url()).await?.applied.is_empty());
    Ok(())
}
