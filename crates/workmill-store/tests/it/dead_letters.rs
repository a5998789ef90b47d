//! Dead letters, and what makes one.

mod looking;
mod matching;
mod resolving;
mod reviving;

use anyhow::Result;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_core::policy::Strategy;
use workmill_core::task::{Constraints, NewTask, RetryOverrides, Spec};
use workmill_testkit::factory::task;

use crate::actors::Queue;

fn tried_at_once(max_attempts: i32) -> NewTask {
    let retry = RetryOverrides {
        strategy: Some(Strategy::Immediate),
        ..RetryOverrides::default()
    };
    NewTask {
        max_attempts: Some(max_attempts),
        retry,
        ..task("work")
    }
}

/// F-28
#[tokio::test]
async fn a_task_that_different_agents_fail_is_poison() -> Result<()> {
    let queue = Queue::new().await?;
    let id = queue.submit_task(&tried_at_once(10)).await?;
    for name in ["one", "two", "three"] {
        let agent = queue.agent(name).await?;
        let lease = agent.take_one().await?.lease;
        agent.fail(lease, Reason::Unknown).await?.expect("failed");
    }
    assert_eq!(queue.state(id).await?, State::DeadLettered);
    let client = queue.test.database.client().await?;
    let cause: String = client
        .query_one("select cause from workmill.dead_letter", &[])
        .await?
        .get(0);
    assert_eq!(cause, "poison");
    Ok(())
}

/// H-12 (part): the task is given to another agent.
#[tokio::test]
async fn an_agent_that_failed_a_task_is_kept_from_it_while_others_could_do_it() -> Result<()> {
    let queue = Queue::new().await?;
    let clumsy = queue.agent("clumsy").await?;
    let id = queue.submit_task(&tried_at_once(10)).await?;
    let lease = clumsy.take_one().await?.lease;
    clumsy.fail(lease, Reason::Unknown).await?.expect("failed");
    let lease = clumsy.take_one().await?.lease;
    assert_eq!(
        lease.task, id,
        "nobody else could, so it is not kept from it"
    );

    let other = queue.agent("other").await?;
    clumsy.fail(lease, Reason::Unknown).await?.expect("failed");
    assert!(clumsy.take(1).await?.is_empty());
    assert_eq!(other.take_one().await?.lease.task, id);
    Ok(())
}

#[tokio::test]
async fn an_exclusion_ends_after_a_minute() -> Result<()> {
    let queue = Queue::new().await?;
    let (clumsy, _other) = (queue.agent("clumsy").await?, queue.agent("other").await?);
    queue.submit_task(&tried_at_once(10)).await?;
    let lease = clumsy.take_one().await?.lease;
    clumsy.fail(lease, Reason::Unknown).await?.expect("failed");
    queue.pass(59);
    assert!(clumsy.take(1).await?.is_empty());
    queue.pass(1);
    assert_eq!(clumsy.take(1).await?.len(), 1);
    Ok(())
}

/// F-24
#[tokio::test]
async fn from_the_second_failure_on_other_models_are_used() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let constraints = Constraints {
        model_preferences: vec!["sonnet".to_owned()],
        fallback_models: vec!["haiku".to_owned()],
        ..Constraints::default()
    };
    let work = NewTask {
        spec: Spec {
            constraints,
            ..Spec::default()
        },
        ..tried_at_once(9)
    };
    queue.submit_task(&work).await?;
    let mut models = Vec::new();
    for _ in 0..3 {
        let claim = agent.take_one().await?;
        models.push(claim.models.clone());
        agent
            .fail(claim.lease, Reason::Network)
            .await?
            .expect("failed");
    }
    assert_eq!(models, [["sonnet"], ["sonnet"], ["haiku"]]);
    Ok(())
}

/// H-12 (part)
#[tokio::test]
async fn a_retry_after_a_timeout_gets_twice_the_time() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let constraints = Constraints {
        max_duration_sec: Some(60.0),
        ..Constraints::default()
    };
    let work = NewTask {
        max_timeout_sec: Some(120.0),
        spec: Spec {
            constraints,
            ..Spec::default()
        },
        ..tried_at_once(9)
    };
    queue.submit_task(&work).await?;
    agent.take_one().await?;
    queue.pass(60);
    assert_eq!(queue.reap().await?.len(), 1);
    let lease = agent.take_one().await?.lease;
    queue.pass(60);
    assert!(queue.reap().await?.is_empty());
    agent.heartbeat(lease).await?.expect("alive");
    queue.pass(60);
    assert_eq!(queue.reap().await?.len(), 1);
    Ok(())
}

#[tokio::test]
async fn five_lost_agents_in_a_row_end_the_loop() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&tried_at_once(100)).await?;
    for _ in 0..5 {
        agent.take_one().await?;
        queue.pass(90);
        queue.reap().await?;
    }
    assert_eq!(queue.state(id).await?, State::DeadLettered);
    assert!(queue.task(id).await?.output.is_none());
    Ok(())
}
