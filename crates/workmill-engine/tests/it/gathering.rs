//! Requests that come together share a transaction, and none suffers for another.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use serde_json::json;
use workmill_core::task::NewTask;
use workmill_engine::EngineError;
use workmill_engine::dispatch::ClaimRequest;
use workmill_engine::settlement::{Ending, Spent};
use workmill_testkit::database::TestDatabase;
use workmill_testkit::factory::task;

use crate::{engine, register};

fn now(agent: &str, most: i32) -> ClaimRequest {
    ClaimRequest {
        agent: agent.to_owned(),
        most,
        start: true,
        wait: Duration::ZERO,
        request_id: None,
    }
}

/// F-16
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_callers_at_once_share_commits_and_get_their_own_answers() -> Result<()> {
    const CALLERS: usize = 200;
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    let engine = Arc::new(engine);
    let commits = async || -> Result<i64> {
        let client = database.client().await?;
        let query = "select count(*) from workmill.event";
        Ok(client.query_one(query, &[]).await?.get(0))
    };
    let mut submitting = Vec::new();
    for number in 0..CALLERS {
        let (engine, caller) = (Arc::clone(&engine), caller.clone());
        submitting.push(tokio::spawn(async move {
            engine
                .submit_tasks(&caller, &[task(&format!("task {number}"))], None)
                .await
        }));
    }
    let mut ids = BTreeSet::new();
    for one in submitting {
        ids.insert(one.await??.tasks[0]);
    }
    assert_eq!(ids.len(), CALLERS);
    let transactions = commits().await?;
    assert!(
        transactions < 100,
        "{transactions} transactions for {CALLERS} callers"
    );

    register(&engine, &caller, "agent", 1000).await?;
    let mut working = Vec::new();
    for _ in 0..CALLERS {
        let (engine, caller) = (Arc::clone(&engine), caller.clone());
        working.push(tokio::spawn(async move {
            let claim = engine.claim(&caller, &now("agent", 1)).await?.remove(0);
            let output = serde_json::value::to_raw_value(&json!(1)).expect("JSON");
            let ending = Ending::Complete { output };
            engine
                .settle(&caller, claim.lease, ending, Spent::default())
                .await?;
            Ok::<_, EngineError>(claim.lease.task)
        }));
    }
    let mut done = BTreeSet::new();
    for one in working {
        done.insert(one.await??);
    }
    assert_eq!(done, ids);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_refused_request_does_not_hold_up_its_neighbours() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    let engine = Arc::new(engine);
    let keyed = NewTask {
        key: Some("taken".to_owned()),
        ..task("keyed")
    };
    engine
        .submit_tasks(&caller, std::slice::from_ref(&keyed), None)
        .await?;
    let mut submitting = Vec::new();
    for number in 0..40 {
        let (engine, caller) = (Arc::clone(&engine), caller.clone());
        let work = if number % 4 == 0 {
            keyed.clone()
        } else {
            task("plain")
        };
        submitting.push(tokio::spawn(async move {
            engine.submit_tasks(&caller, &[work], None).await
        }));
    }
    let mut refused = 0;
    for one in submitting {
        match one.await? {
            Ok(_) => {}
            Err(EngineError::Conflict { .. }) => refused += 1,
            Err(error) => return Err(error.into()),
        }
    }
    assert_eq!(refused, 10);
    Ok(())
}
