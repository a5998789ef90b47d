//! Tasks of workflows: addressed to agents, with short leases.

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_core::policy::Profile;
use workmill_core::task::{NewTask, Spec};
use workmill_testkit::factory::task;

use crate::actors::Queue;

/// A-1 (part): addressed to an agent by its name, typed, with a payload, not before its time.
#[tokio::test]
async fn a_task_that_is_addressed_to_an_agent_goes_to_that_one_when_it_is_available() -> Result<()>
{
    let queue = Queue::new().await?;
    let (named, other) = (queue.agent("pricing").await?, queue.agent("other").await?);
    let available_at = queue.store.now().await? + SignedDuration::from_secs(60);
    let addressed = NewTask {
        profile: Profile::Workflow,
        target_agent: Some("pricing".to_owned()),
        task_type: "recompute".to_owned(),
        scheduled_for: Some(available_at),
        spec: Spec {
            payload: json!({"sku": [1, 2]}),
            ..Spec::default()
        },
        ..task("reprice")
    };
    let id = queue.submit_task(&addressed).await?;
    queue.pass(59);
    queue.promote().await?;
    assert!(named.take(1).await?.is_empty(), "not available yet");
    queue.pass(1);
    queue.promote().await?;
    assert!(other.take(1).await?.is_empty(), "it is not for everybody");
    for attempt in 1..=3 {
        let claim = named.take_one().await?;
        assert_eq!((claim.lease.task, claim.attempt), (id, attempt));
        let asked: NewTask = serde_json::from_str(claim.body.get())?;
        assert_eq!(asked.task_type, "recompute");
        assert_eq!(asked.spec.payload, json!({"sku": [1, 2]}));
        named
            .fail(claim.lease, Reason::Network)
            .await?
            .expect("failed");
        queue.pass(45);
        queue.promote().await?;
    }
    assert_eq!(
        queue.state(id).await?,
        State::DeadLettered,
        "three attempts"
    );
    Ok(())
}

/// A-2 (part)
#[tokio::test]
async fn a_lease_of_a_workflow_lasts_half_a_minute_unless_it_is_renewed() -> Result<()> {
    let queue = Queue::new().await?;
    let (one, other) = (
        queue.agent("host-1 pid 7").await?,
        queue.agent("other").await?,
    );
    let workflow = NewTask {
        profile: Profile::Workflow,
        ..task("step")
    };
    let id = queue.submit_task(&workflow).await?;
    let claim = one.take_one().await?;
    assert_eq!(claim.ttl_ms, 30_000);
    queue.pass(29);
    one.heartbeat(claim.lease).await?.expect("renewed");
    queue.pass(29);
    assert!(queue.reap().await?.is_empty());
    let owner = queue.task(id).await?.running.map(|running| running.agent);
    assert_eq!(owner.as_deref(), Some("host-1 pid 7"));
    queue.pass(1);
    assert_eq!(queue.reap().await?.len(), 1);
    queue.pass(5);
    queue.promote().await?;
    assert_eq!(other.take_one().await?.lease.task, id, "eligible again");
    Ok(())
}
