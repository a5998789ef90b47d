//! What a running attempt tells is kept.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::{Value, json};
use workmill_engine::Engine;
use workmill_engine::dispatch::ClaimRequest;
use workmill_engine::execution::Report;
use workmill_engine::upkeep::lease_reaper;
use workmill_testkit::database::TestStore;
use workmill_testkit::factory::task;

use crate::{caller, register};

/// F-21
#[tokio::test]
async fn a_late_heartbeat_that_takes_the_lease_up_again_keeps_its_checkpoint() -> Result<()> {
    let test = TestStore::new().await?;
    let engine = Engine::new(Arc::clone(&test.store));
    let caller = caller(test.ns);
    register(&engine, &caller, "agent", 1).await?;
    engine.submit_tasks(&caller, &[task("slow")], None).await?;
    let request = ClaimRequest {
        agent: "agent".to_owned(),
        most: 1,
        start: true,
        wait: Duration::ZERO,
        request_id: None,
    };
    let lease = engine.claim(&caller, &request).await?.remove(0).lease;
    test.clock.advance(SignedDuration::from_mins(10));
    let reaped = lease_reaper::run_once(&engine, test.clock.now()).await?;
    assert_eq!(reaped.reaped, 1);

    let report = Report {
        progress: Some(json!("half")),
        checkpoint: Some(json!({"page": 7})),
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
