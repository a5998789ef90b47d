//! What a running attempt tells is kept.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::{Value, json};
use workmill_core::ids::LeaseId;
use workmill_core::price::PriceTable;
use workmill_core::usage::{ModelUsage, Usage};
use workmill_engine::dispatch::ClaimRequest;
use workmill_engine::execution::Report;
use workmill_engine::settlement::Ending;
use workmill_engine::upkeep::lease_reaper;
use workmill_engine::{Caller, Engine, EngineError};
use workmill_testkit::database::TestStore;
use workmill_testkit::factory::task;

use crate::{caller, register};

async fn take_slow_task(engine: &Engine, caller: &Caller) -> Result<LeaseId> {
    register(engine, caller, "agent", 1).await?;
    engine.submit_tasks(caller, &[task("slow")], None).await?;
    let request = ClaimRequest {
        agent: "agent".to_owned(),
        most: 1,
        start: true,
        wait: Duration::ZERO,
        request_id: None,
        selection: workmill_core::lane::Selection::default(),
        lease: None,
    };
    Ok(engine.claim(caller, &request).await?.remove(0).lease)
}

async fn lose(test: &TestStore, engine: &Engine) -> Result<()> {
    test.clock.advance(SignedDuration::from_mins(10));
    let reaped = lease_reaper::run_once(engine, test.clock.now()).await?;
    assert_eq!(reaped.reaped, 1);
    Ok(())
}

fn tokens(model: &str, input_tokens: u64) -> Usage {
    let figures = ModelUsage {
        input_tokens,
        ..ModelUsage::default()
    };
    Usage::of_model(model, figures)
}

/// F-21
#[tokio::test]
async fn a_late_heartbeat_that_takes_the_lease_up_again_keeps_its_checkpoint() -> Result<()> {
    let test = TestStore::new().await?;
    let engine = Engine::new(Arc::clone(&test.store));
    let caller = caller(test.ns);
    let lease = take_slow_task(&engine, &caller).await?;
    lose(&test, &engine).await?;

    let report = Report {
        progress: Some(json!("half").into()),
        checkpoint: Some(json!({"page": 7}).into()),
        ..Report::default()
    };
    engine.heartbeat(&caller, lease, report).await?;

    let client = test.database.client().await?;
    let kept = "select c.data, l.progress from workmill.checkpoint c join workmill.lease l
                using (ns, task, epoch)";
    let kept = client.query_one(kept, &[]).await?;
    assert_eq!(kept.get::<_, Value>(0), json!({"page": 7}));
    assert_eq!(kept.get::<_, Value>(1), json!("half"));
    Ok(())
}

/// F-37
#[tokio::test]
async fn tokens_are_priced_by_the_table_of_this_server() -> Result<()> {
    let test = TestStore::new().await?;
    let prices = json!({"small": {"input_cost_per_token": 3e-06}});
    let engine =
        Engine::new(Arc::clone(&test.store)).with_prices(PriceTable::read(&prices.to_string())?);
    let caller = caller(test.ns);
    let lease = take_slow_task(&engine, &caller).await?;
    let report = Report {
        usage: Some(tokens("acme/small-20260101", 1000)),
        ..Report::default()
    };
    engine.heartbeat(&caller, lease, report).await?;
    let running = engine.task(&caller, lease.task).await?;
    assert_eq!(running.spent.cost_micros, 3000);
    assert!(!running.spent.is_unpriced);
    lose(&test, &engine).await?;
    let late = Report {
        usage: Some(tokens("acme/small-20260101", 1500)),
        ..Report::default()
    };
    engine.heartbeat(&caller, lease, late).await?;
    let output = serde_json::value::to_raw_value(&json!(1))?;
    let usage = tokens("homemade", 10);
    engine
        .settle(
            &caller,
            lease,
            Ending::Complete {
                output,
                artifacts: Vec::new(),
            },
            usage,
        )
        .await?;
    let done = engine.task(&caller, lease.task).await?;
    assert_eq!(
        (done.spent.cost_micros, done.spent.input_tokens),
        (4500, 1510)
    );
    assert!(
        done.spent.is_unpriced,
        "nobody knows what the last one cost"
    );
    Ok(())
}

#[tokio::test]
async fn usage_out_of_bounds_is_refused_and_changes_nothing() -> Result<()> {
    let test = TestStore::new().await?;
    let engine = Engine::new(Arc::clone(&test.store));
    let caller = caller(test.ns);
    let lease = take_slow_task(&engine, &caller).await?;
    let usage = tokens("m", u64::MAX);
    let report = Report {
        usage: Some(usage.clone()),
        ..Report::default()
    };
    let refusals = [
        engine.heartbeat(&caller, lease, report).await.err(),
        engine
            .settle(&caller, lease, Ending::Release, usage)
            .await
            .err(),
    ];
    for refusal in refusals {
        let Some(EngineError::Invalid { at, .. }) = refusal else {
            panic!("{refusal:?}");
        };
        assert_eq!(at, "usage.models.m.input_tokens");
    }
    let task = engine.task(&caller, lease.task).await?;
    assert_eq!(task.spent.input_tokens, 0);
    assert!(task.running.is_some());
    Ok(())
}
