//! Dead letters, and what makes one.

use anyhow::Result;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_core::policy::Strategy;
use workmill_core::task::{Constraints, NewTask, RetryOverrides, Spec};
use workmill_store::look::dead_letters::DeadLetterFilter;
use workmill_store::settlement::Refusal;
use workmill_store::settlement::dead_letters::Resolution;
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

/// F-26
#[tokio::test]
async fn a_dead_letter_is_sent_round_again_or_cancelled() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    assert_eq!(
        queue.resolve(id, Resolution::Retry).await?,
        Err(Refusal::NotFound)
    );
    for resolution in [Resolution::Retry, Resolution::Cancel] {
        let lease = agent.take_one().await?.lease;
        agent
            .fail(lease, Reason::PermissionDenied)
            .await?
            .expect("failed");
        assert_eq!(queue.state(id).await?, State::DeadLettered);
        queue.resolve(id, resolution).await?.expect("resolved");
    }
    let task = queue.task(id).await?;
    assert_eq!(
        (task.state, task.attempts.len(), task.epoch),
        (State::Cancelled, 2, 2)
    );
    Ok(())
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

/// H-12: given to somebody else.
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

/// H-12
#[tokio::test]
async fn a_retry_after_a_timeout_gets_twice_the_time() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let constraints = Constraints {
        max_duration_sec: Some(60.0),
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

/// F-26, A-6
#[tokio::test]
async fn dead_letters_are_listed_with_their_history_and_grouped_by_what_failed_alike() -> Result<()>
{
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    for (task_type, reason) in [
        ("code", Reason::InvalidInput),
        ("code", Reason::InvalidInput),
        ("review", Reason::PermissionDenied),
    ] {
        queue
            .submit_task(&NewTask {
                task_type: task_type.to_owned(),
                ..task("work")
            })
            .await?;
        let lease = agent.take_one().await?.lease;
        agent.fail(lease, reason).await?.expect("failed");
    }
    let all = DeadLetterFilter::default();
    let letters = queue
        .store
        .find_dead_letters(queue.ns, &all, None, 10)
        .await?;
    assert_eq!(letters.len(), 3);
    assert!(
        letters
            .iter()
            .all(|letter| letter.task.attempts.len() == 1 && !letter.is_reviewed)
    );
    let page = queue
        .store
        .find_dead_letters(queue.ns, &all, Some(letters[0].task.id), 1)
        .await?;
    assert_eq!(page[0].task.id, letters[1].task.id);
    let code = DeadLetterFilter {
        task_type: Some("code".to_owned()),
        ..all
    };
    assert_eq!(queue.store.count_dead_letters(queue.ns, &code).await?, 2);
    let groups = queue.store.group_dead_letters(queue.ns, 10).await?;
    let sizes: Vec<_> = groups
        .iter()
        .map(|group| (group.reason, group.letters))
        .collect();
    assert_eq!(
        sizes,
        [
            (Some(Reason::InvalidInput), 2),
            (Some(Reason::PermissionDenied), 1)
        ]
    );
    Ok(())
}
