//! Whoever is sent round again begins anew.

use anyhow::Result;
use workmill_core::failure::Reason;
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::policy::Strategy;
use workmill_core::task::{Constraints, NewTask, Spec};
use workmill_store::settlement::dead_letters::Resolution;

use super::resolving::Retitled;
use super::tried_at_once;
use crate::actors::Queue;

async fn fail(queue: &Queue, name: &'static str, reason: Reason) -> Result<State> {
    let agent = queue.agent(name).await?;
    let lease = agent.take_one().await?.lease;
    Ok(agent.fail(lease, reason).await?.expect("failed").state)
}

async fn cause(queue: &Queue) -> Result<String> {
    let client = queue.test.database.client().await?;
    let row = client
        .query_one("select cause from workmill.dead_letter", &[])
        .await?;
    Ok(row.get(0))
}

async fn poison(queue: &Queue) -> Result<TaskId> {
    let id = queue.submit_task(&tried_at_once(10)).await?;
    for name in ["one", "two", "three"] {
        fail(queue, name, Reason::Unknown).await?;
    }
    assert_eq!(cause(queue).await?, "poison");
    Ok(id)
}

/// F-26, F-28
#[tokio::test]
async fn what_was_poison_gets_all_its_attempts_when_it_is_revived() -> Result<()> {
    let modified = Retitled("another title");
    for resolution in [Resolution::Retry, Resolution::ModifyAndRetry(&modified)] {
        let queue = Queue::new().await?;
        let id = poison(&queue).await?;
        queue.resolve(id, resolution).await?.expect("resolved");
        assert_eq!(fail(&queue, "one", Reason::Unknown).await?, State::Ready);
        assert_eq!(fail(&queue, "two", Reason::Unknown).await?, State::Ready);
        let third = fail(&queue, "three", Reason::Unknown).await?;
        assert_eq!(third, State::DeadLettered, "it is poison once more");
        assert_eq!(cause(&queue).await?, "poison");
        assert_eq!(queue.task(id).await?.attempts.len(), 6, "all is still told");
    }
    Ok(())
}

/// F-28: the same failure again is poison, but not when the first one is forgiven.
#[tokio::test]
async fn a_failure_of_before_does_not_make_the_same_one_poison() -> Result<()> {
    let queue = Queue::new().await?;
    let id = queue.submit_task(&tried_at_once(10)).await?;
    assert_eq!(fail(&queue, "one", Reason::Crash).await?, State::Ready);
    assert_eq!(
        fail(&queue, "two", Reason::Crash).await?,
        State::DeadLettered
    );
    queue
        .resolve(id, Resolution::Retry)
        .await?
        .expect("resolved");
    assert_eq!(fail(&queue, "three", Reason::Crash).await?, State::Ready);
    assert_eq!(
        fail(&queue, "four", Reason::Crash).await?,
        State::DeadLettered
    );
    Ok(())
}

/// F-26
#[tokio::test]
async fn a_task_that_used_up_its_attempts_has_them_again() -> Result<()> {
    let queue = Queue::new().await?;
    let id = queue.submit_task(&tried_at_once(2)).await?;
    for _ in 0..3 {
        assert_eq!(fail(&queue, "one", Reason::Network).await?, State::Ready);
        let last = fail(&queue, "one", Reason::Network).await?;
        assert_eq!(last, State::DeadLettered);
        assert_eq!(cause(&queue).await?, "used_up");
        queue
            .resolve(id, Resolution::Retry)
            .await?
            .expect("resolved");
    }
    Ok(())
}

#[tokio::test]
async fn a_crash_loop_is_counted_anew() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&tried_at_once(100)).await?;
    for _ in 0..2 {
        for lost in 1..=5 {
            assert_eq!(queue.state(id).await?, State::Ready, "lost {lost} times");
            agent.take_one().await?;
            queue.pass(100);
            queue.reap().await?.remove(0).expect("it was lost");
        }
        assert_eq!(cause(&queue).await?, "crash_loop");
        queue
            .resolve(id, Resolution::Retry)
            .await?
            .expect("resolved");
    }
    Ok(())
}

/// F-23: the first retry after a revival waits no longer than the first of all.
#[tokio::test]
async fn the_delays_begin_anew() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let mut asked = tried_at_once(3);
    asked.retry.strategy = Some(Strategy::Exponential);
    asked.retry.jitter = Some(false);
    let id = queue.submit_task(&asked).await?;
    let mut delays = Vec::new();
    for _ in 0..2 {
        for _ in 0..3 {
            let lease = agent.take_one().await?.lease;
            let failed = agent.fail(lease, Reason::Network).await?.expect("failed");
            delays.push(failed.retry_in_ms);
            queue.pass(300);
            queue.promote().await?;
        }
        queue
            .resolve(id, Resolution::Retry)
            .await?
            .expect("resolved");
    }
    let round = [Some(10_000), Some(20_000), None];
    assert_eq!(delays, [round, round].concat());
    Ok(())
}

/// F-24
#[tokio::test]
async fn models_that_failed_a_task_are_not_tried_again_because_it_was_revived() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let constraints = Constraints {
        model_preferences: vec!["large".to_owned()],
        fallback_models: vec!["small".to_owned()],
        ..Constraints::default()
    };
    let work = NewTask {
        spec: Spec {
            constraints,
            ..Spec::default()
        },
        ..tried_at_once(2)
    };
    let id = queue.submit_task(&work).await?;
    let mut models = Vec::new();
    for _ in 0..4 {
        let claim = agent.take_one().await?;
        models.push(claim.models.clone());
        let failed = agent
            .fail(claim.lease, Reason::Network)
            .await?
            .expect("failed");
        if failed.state == State::DeadLettered {
            queue
                .resolve(id, Resolution::Retry)
                .await?
                .expect("resolved");
        }
    }
    assert_eq!(models, [["large"], ["large"], ["large"], ["small"]]);
    Ok(())
}
