//! How long a lease lives.

use anyhow::Result;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_core::policy::Profile;
use workmill_core::task::{Constraints, NewTask, Spec};
use workmill_store::execution::{Beat, Heartbeat};
use workmill_store::upkeep::amnesty::GrantAmnesty;
use workmill_testkit::factory::task;

use crate::actors::{KEY, Queue};

/// F-20
#[tokio::test]
async fn a_claim_that_is_not_started_in_time_fails_the_attempt() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    agent.try_claim(1, false).await?.expect("may claim");
    queue.pass(59);
    assert!(queue.reap().await?.is_empty());
    queue.pass(1);
    assert_eq!(queue.reap().await?.len(), 1);
    let task = queue.task(id).await?;
    assert_eq!(task.state, State::Retrying);
    assert_eq!(task.attempts[0].reason, Some(Reason::ClaimExpired));
    Ok(())
}

/// F-21
#[tokio::test]
async fn heartbeats_keep_a_lease_alive_and_silence_loses_it() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    for _ in 0..10 {
        queue.pass(80);
        assert_eq!(
            agent.heartbeat(lease).await?.expect("alive").expires_in_ms,
            90_000
        );
        assert!(queue.reap().await?.is_empty());
    }
    queue.pass(90);
    assert_eq!(queue.reap().await?.len(), 1);
    assert_eq!(
        queue.task(id).await?.attempts[0].reason,
        Some(Reason::HeartbeatTimeout)
    );
    Ok(())
}

#[tokio::test]
async fn running_too_long_ends_an_attempt_that_still_shows_life() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let constraints = Constraints {
        max_duration_sec: Some(300.0),
        ..Constraints::default()
    };
    let bounded = NewTask {
        spec: Spec {
            constraints,
            ..Spec::default()
        },
        ..task("work")
    };
    let id = queue.submit_task(&bounded).await?;
    let lease = agent.take_one().await?.lease;
    for _ in 0..5 {
        queue.pass(60);
        agent.heartbeat(lease).await?.expect("alive");
    }
    assert_eq!(queue.reap().await?.len(), 1);
    assert_eq!(
        queue.task(id).await?.attempts[0].reason,
        Some(Reason::Timeout)
    );
    Ok(())
}

/// T-6
#[tokio::test]
async fn an_abandoned_task_of_the_task_profile_can_be_claimed_when_its_lease_ran_out() -> Result<()>
{
    let queue = Queue::new().await?;
    let (gone, next) = (queue.agent("gone").await?, queue.agent("next").await?);
    let id = queue
        .submit_task(&NewTask {
            profile: Profile::Task,
            ..task("work")
        })
        .await?;
    // A claim is a start in this profile.
    let claimed = gone.try_claim(1, false).await?.expect("may claim");
    assert_eq!(claimed[0].state, State::Running);
    queue.pass(600);
    queue.reap().await?;
    let claim = next.take_one().await?;
    assert_eq!((claim.lease.task, claim.attempt), (id, 2));
    next.complete(claim.lease, json!(1))
        .await?
        .expect("completed");
    Ok(())
}

/// A lease of the work profile that runs out waits for a person instead of going round.
#[tokio::test]
async fn a_stale_work_item_is_blocked_and_not_retried() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue
        .submit_task(&NewTask {
            profile: Profile::Work,
            ..task("work")
        })
        .await?;
    agent.take_one().await?;
    queue.pass(30 * 60);
    queue.reap().await?;
    assert_eq!(queue.state(id).await?, State::Blocked);
    Ok(())
}

#[tokio::test]
async fn a_scheduled_task_is_not_claimed_before_its_time() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let now = queue.store.now().await?;
    let later = NewTask {
        scheduled_for: Some(now + jiff::SignedDuration::from_secs(100)),
        ..task("later")
    };
    let id = queue.submit_task(&later).await?;
    assert_eq!(queue.state(id).await?, State::Pending);
    queue.pass(99);
    assert_eq!(queue.promote().await?, 0);
    assert!(agent.take(1).await?.is_empty());
    queue.pass(1);
    assert_eq!(queue.promote().await?, 1);
    assert_eq!(agent.take_one().await?.lease.task, id);
    Ok(())
}

/// Promise 9: an outage kills no work.
#[tokio::test]
async fn after_an_outage_every_lease_has_its_full_time_again() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    let was_away = async || {
        let longest = jiff::SignedDuration::from_secs(3);
        anyhow::Ok(queue.store.read_agenda(longest, &[]).await?.was_away)
    };
    assert!(!was_away().await?, "the first turn ever");
    queue.pass(3);
    assert!(!was_away().await?);
    queue.pass(3600);
    for _ in 0..2 {
        assert!(was_away().await?, "until the leases have their time again");
    }
    assert_eq!(queue.store.run(&GrantAmnesty { ns: queue.ns }).await?.0, 1);
    queue.store.touch_liveness(queue.store.now().await?).await?;
    assert!(!was_away().await?);
    assert!(queue.reap().await?.is_empty());
    queue.pass(89);
    agent.heartbeat(lease).await?.expect("alive");
    Ok(())
}

/// F-21
#[tokio::test]
async fn a_heartbeat_tells_how_far_the_work_has_come() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    queue.pass(30);
    for progress in [Some(json!({"done": 3, "of": 10})), None] {
        let beat = Beat {
            key: KEY,
            lease,
            progress: progress.map(Into::into),
            checkpoint: None,
            usage: None,
        };
        let operation = Heartbeat {
            ns: queue.ns,
            beats: &[beat],
        };
        assert!(queue.store.run(&operation).await?.0[0].is_ok());
        let running = queue.task(id).await?.running.expect("it runs");
        assert_eq!(running.renewed_at, queue.store.now().await?);
        assert_eq!(
            running.progress,
            Some(json!({"done": 3, "of": 10})),
            "who says nothing new has said it before"
        );
        queue.pass(30);
    }
    Ok(())
}
