//! How attempts end, and what follows.

use anyhow::Result;
use serde_json::json;
use workmill_core::attempt::Outcome;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_core::policy::{Profile, Strategy};
use workmill_core::task::{NewTask, RetryOverrides};
use workmill_store::settlement::{Refusal, Settler};
use workmill_testkit::factory::task;

use crate::actors::{OTHER_KEY, Queue};

fn at_once() -> RetryOverrides {
    RetryOverrides {
        strategy: Some(Strategy::Immediate),
        ..RetryOverrides::default()
    }
}

/// T-7
#[tokio::test]
async fn a_completed_task_keeps_its_output_and_its_attempt() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let claim = agent.take_one().await?;
    queue.pass(20);
    agent
        .complete(claim.lease, json!({"answer": 42}))
        .await?
        .expect("completed");
    let task = queue.task(id).await?;
    assert_eq!(task.state, State::Completed);
    assert_eq!(task.output, Some(json!({"answer": 42})));
    assert_eq!(task.attempts.len(), 1);
    assert_eq!(task.attempts[0].outcome, Outcome::Completed);
    let took = task.attempts[0]
        .ended_at
        .duration_since(task.attempts[0].claimed_at);
    assert_eq!(took.as_secs(), 20);
    assert_eq!(task.running, None);
    Ok(())
}

#[tokio::test]
async fn the_same_completion_twice_is_answered_twice_and_counted_once() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let claim = agent.take_one().await?;
    assert!(
        !agent
            .complete(claim.lease, json!({"a": 1}))
            .await?
            .expect("first")
            .is_repeat
    );
    assert!(
        agent
            .complete(claim.lease, json!({"a": 1}))
            .await?
            .expect("again")
            .is_repeat
    );
    let other_words = agent.complete(claim.lease, json!({"a": 2})).await?;
    assert_eq!(other_words, Err(Refusal::LeaseLost));
    assert_eq!(queue.task(id).await?.attempts.len(), 1);
    assert_eq!(queue.task(id).await?.output, Some(json!({"a": 1})));
    Ok(())
}

/// F-21
#[tokio::test]
async fn a_late_completion_is_refused_after_another_agent_claimed() -> Result<()> {
    let queue = Queue::new().await?;
    let (slow, quick) = (queue.agent("slow").await?, queue.agent("quick").await?);
    let id = queue
        .submit_task(&NewTask {
            retry: at_once(),
            ..task("work")
        })
        .await?;
    let lost = slow.take_one().await?;
    queue.pass(91);
    assert_eq!(queue.reap().await?.len(), 1);
    let current = quick.take_one().await?;
    assert_eq!((lost.lease.epoch, current.lease.epoch), (1, 2));
    let too_late = slow.complete(lost.lease, json!("late")).await?;
    assert_eq!(too_late, Err(Refusal::TooLate), "kept, but refused");
    for refused in [
        slow.complete(lost.lease, json!("again")).await?.err(),
        slow.fail(lost.lease, Reason::Crash).await?.err(),
        slow.release(lost.lease).await?.err(),
        slow.heartbeat(lost.lease).await?.err(),
        slow.start(lost.lease).await?.err(),
        slow.resume(lost.lease).await?.err(),
    ] {
        assert_eq!(refused, Some(Refusal::LeaseLost));
    }
    assert_eq!(queue.state(id).await?, State::Running);
    quick
        .complete(current.lease, json!("in time"))
        .await?
        .expect("completed");
    assert_eq!(queue.task(id).await?.output, Some(json!("in time")));
    Ok(())
}

#[tokio::test]
async fn another_key_cannot_act_on_a_lease() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    let thief = crate::actors::Agent {
        queue: &queue,
        name: "agent",
        key: OTHER_KEY,
    };
    assert_eq!(
        thief.complete(lease, json!(1)).await?,
        Err(Refusal::NotTheHolder)
    );
    assert!(thief.heartbeat(lease).await?.is_err());
    assert!(thief.start(lease).await?.is_err());
    assert_eq!(queue.state(id).await?, State::Running);
    Ok(())
}

/// F-6 (part)
#[tokio::test]
async fn a_task_that_was_not_started_cannot_be_completed() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let claim = agent
        .try_claim(1, false)
        .await?
        .expect("may claim")
        .remove(0);
    let refused = agent.complete(claim.lease, json!(1)).await?;
    assert!(matches!(refused, Err(Refusal::Illegal(_))), "{refused:?}");
    assert_eq!(queue.state(id).await?, State::Claimed);
    agent.start(claim.lease).await?.expect("started");
    agent
        .start(claim.lease)
        .await?
        .expect("starting twice is starting once");
    agent
        .complete(claim.lease, json!(1))
        .await?
        .expect("completed");
    Ok(())
}

/// F-23, F-25
#[tokio::test]
async fn a_failed_attempt_waits_for_its_delay_and_the_next_one_knows_of_it() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let claim = agent.take_one().await?;
    let settled = agent
        .fail(claim.lease, Reason::Crash)
        .await?
        .expect("failed");
    assert_eq!(
        (settled.state, settled.retry_in_ms),
        (State::Retrying, Some(10_000))
    );
    assert_eq!(queue.promote().await?, 0, "not due yet");
    assert!(agent.take(1).await?.is_empty());
    queue.pass(10);
    assert_eq!(queue.promote().await?, 1);
    let again = agent.take_one().await?;
    assert_eq!((again.lease.task, again.attempt), (id, 2));
    assert_eq!(again.earlier_attempts.len(), 1);
    assert_eq!(again.earlier_attempts[0].reason, Some(Reason::Crash));
    assert_eq!(
        again.earlier_attempts[0].message.as_deref(),
        Some("it broke")
    );
    Ok(())
}

/// F-26, A-3
#[tokio::test]
async fn the_last_allowed_attempt_leads_to_a_dead_letter_with_the_whole_history() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let workflow = NewTask {
        profile: Profile::Workflow,
        ..task("work")
    };
    let id = queue.submit_task(&workflow).await?;
    for delay in [5, 20] {
        let claim = agent.take_one().await?;
        let settled = agent
            .fail(claim.lease, Reason::Network)
            .await?
            .expect("failed");
        assert_eq!(settled.retry_in_ms, Some(delay * 1000));
        queue.pass(delay);
        assert_eq!(queue.promote().await?, 1);
    }
    let claim = agent.take_one().await?;
    let settled = agent
        .fail(claim.lease, Reason::Network)
        .await?
        .expect("failed");
    assert_eq!(
        (settled.state, settled.retry_in_ms),
        (State::DeadLettered, None)
    );
    assert_eq!(queue.task(id).await?.attempts.len(), 3);
    queue.pass(10_000);
    assert_eq!(
        queue.promote().await?,
        0,
        "a dead letter does not come back by itself"
    );
    Ok(())
}

/// T-8
#[tokio::test]
async fn a_failed_task_of_the_task_profile_is_open_again_at_once() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue
        .submit_task(&NewTask {
            profile: Profile::Task,
            ..task("work")
        })
        .await?;
    for attempt in 1..=20 {
        let claim = agent.take_one().await?;
        assert_eq!(claim.attempt, attempt);
        agent
            .fail(claim.lease, Reason::InvalidInput)
            .await?
            .expect("failed");
    }
    Ok(())
}

#[tokio::test]
async fn a_released_task_is_ready_again_and_burns_no_attempt() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    for _ in 0..5 {
        let claim = agent.take_one().await?;
        assert_eq!(claim.attempt, 1);
        agent.release(claim.lease).await?.expect("released");
        assert_eq!(queue.state(id).await?, State::Ready);
    }
    Ok(())
}

#[tokio::test]
async fn upkeep_ends_nothing_that_is_alive() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    let ending = workmill_store::settlement::Ending::Expire;
    assert_eq!(
        queue.settle_as(Settler::Upkeep, lease, ending).await?,
        Err(Refusal::StillAlive)
    );
    Ok(())
}

#[tokio::test]
async fn what_only_workmill_can_know_is_no_reason_for_an_agent_to_give() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    for reason in [
        Reason::HeartbeatTimeout,
        Reason::ClaimExpired,
        Reason::DeadlineExceeded,
        Reason::BudgetExceeded,
        Reason::Cancelled,
    ] {
        assert_eq!(
            agent.fail(lease, reason).await?,
            Err(Refusal::ReservedReason(reason))
        );
    }
    let task = queue.task(id).await?;
    assert_eq!((task.state, task.attempts.len()), (State::Running, 0));

    queue.cancel(id).await?.expect("cancelled");
    let confirmed = agent.fail(lease, Reason::Cancelled).await?;
    assert_eq!(confirmed.map(|settled| settled.state), Ok(State::Cancelled));
    Ok(())
}
