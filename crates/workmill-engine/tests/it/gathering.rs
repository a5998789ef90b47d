//! Requests that come together share a transaction, and none suffers for another.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use serde_json::json;
use workmill_core::task::NewTask;
use workmill_core::usage::Usage;
use workmill_engine::EngineError;
use workmill_engine::dispatch::ClaimRequest;
use workmill_engine::settlement::Ending;
use workmill_testkit::database::TestDatabase;
use workmill_testkit::factory::task;

use crate::{engine, register};

pub(crate) fn now(agent: &str, most: i32) -> ClaimRequest {
    ClaimRequest {
        agent: agent.to_owned(),
        most,
        start: true,
        wait: Duration::ZERO,
        request_id: None,
        selection: workmill_core::lane::Selection::default(),
        lease: None,
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
            let ending = Ending::Complete {
                output,
                artifacts: Vec::new(),
            };
            engine
                .settle(&caller, claim.lease, ending, Usage::default())
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

/// Two that settle one task take turns, and what goes wrong with the second is not the first's.
#[tokio::test]
async fn who_was_settled_hears_so_although_the_next_one_on_its_task_fails() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    register(&engine, &caller, "agent", 1).await?;
    engine.submit_tasks(&caller, &[task("once")], None).await?;
    let lease = engine.claim(&caller, &now("agent", 1)).await?[0].lease;
    let complete = |output: i32| {
        let output = serde_json::value::to_raw_value(&output).expect("JSON");
        engine.settle(
            &caller,
            lease,
            Ending::Complete {
                output,
                artifacts: Vec::new(),
            },
            Usage::default(),
        )
    };
    let points = &engine.store().test_points;
    let mut settling = points.pause_at("settle.locked");
    let break_the_second = async {
        settling.arrival().await.go_on();
        let second = settling.arrival().await;
        points.disarm("settle.locked");
        points.fail_at("commit", usize::MAX);
        second.go_on();
    };
    let (first, second, ()) = tokio::join!(complete(1), complete(2), break_the_second);
    assert!(!first?.is_repeat);
    assert!(matches!(second, Err(EngineError::Store(_))), "{second:?}");
    Ok(())
}
