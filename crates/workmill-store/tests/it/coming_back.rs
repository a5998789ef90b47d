//! Agents that come back after their lease was lost. Paid work is kept.

use anyhow::Result;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_core::policy::Profile;
use workmill_core::task::NewTask;
use workmill_store::settlement::Refusal;
use workmill_testkit::factory::{singles, task};

use crate::actors::{Agent, OTHER_KEY, Queue};

/// Every state that a late completion is accepted from.
#[tokio::test]
async fn a_late_completion_counts_while_nobody_has_claimed_since() -> Result<()> {
    let retrying = task("retrying");
    let ready = NewTask {
        profile: Profile::Task,
        ..task("ready")
    };
    let blocked = NewTask {
        profile: Profile::Work,
        ..task("blocked")
    };
    let dead = NewTask {
        max_attempts: Some(1),
        ..task("dead")
    };
    for (work, rests) in [
        (retrying, State::Retrying),
        (ready, State::Ready),
        (blocked, State::Blocked),
        (dead, State::DeadLettered),
    ] {
        let queue = Queue::new().await?;
        let agent = queue.agent("agent").await?;
        let id = queue.submit_task(&work).await?;
        let lease = agent.take_one().await?.lease;
        queue.pass(3600);
        queue.reap().await?;
        assert_eq!(queue.state(id).await?, rests);
        agent
            .complete(lease, json!("late"))
            .await?
            .expect("accepted");
        let done = queue.task(id).await?;
        assert_eq!(
            (done.state, done.output),
            (State::Completed, Some(json!("late")))
        );
        assert_eq!(done.attempts.len(), 1, "the lost attempt is not rewritten");
        assert!(
            agent
                .complete(lease, json!("late"))
                .await?
                .expect("again")
                .is_repeat
        );
        assert_eq!(queue.promote().await?, 0);
        assert!(agent.take(1).await?.is_empty(), "it is in no lane any more");
    }
    Ok(())
}

#[tokio::test]
async fn a_late_failure_is_only_recorded() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    queue.pass(90);
    queue.reap().await?;
    assert_eq!(
        agent.fail(lease, Reason::Crash).await?,
        Err(Refusal::TooLate)
    );
    assert_eq!(
        queue.state(id).await?,
        State::Retrying,
        "the retry goes its way"
    );
    Ok(())
}

#[tokio::test]
async fn a_late_sign_of_life_takes_the_lease_up_again() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    for _ in 0..3 {
        queue.pass(90);
        queue.reap().await?;
        assert_eq!(queue.state(id).await?, State::Retrying);
        assert_eq!(agent.heartbeat(lease).await?, Err(Refusal::LeaseLost));
        agent.resume(lease).await?.expect("taken up again");
        assert_eq!(queue.state(id).await?, State::Running);
        agent.heartbeat(lease).await?.expect("alive");
        assert_eq!(queue.promote().await?, 0);
    }
    agent.complete(lease, json!(1)).await?.expect("completed");
    let done = queue.task(id).await?;
    assert_eq!(
        (done.epoch, done.attempts_counted, done.attempts.len()),
        (1, 1, 4)
    );
    Ok(())
}

/// What the claim asked for holds, not what the task says (90 s).
#[tokio::test]
async fn a_lease_that_is_taken_up_again_lasts_as_long_as_it_did() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit_task(&task("work")).await?;
    let lease = agent.take_one_for(600_000).await?.lease;
    for _ in 0..2 {
        queue.pass(630);
        queue.reap().await?;
        let again = agent.resume(lease).await?.expect("taken up again");
        assert_eq!(again.expires_in_ms, 600_000);
        queue.pass(570);
        queue.reap().await?;
        let alive = agent.heartbeat(lease).await?.expect("alive");
        assert_eq!(alive.expires_in_ms, 600_000);
    }
    Ok(())
}

#[tokio::test]
async fn a_lease_is_not_taken_up_again_without_a_free_slot_or_by_another_key() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent_with("agent", "", &[], 1).await?;
    queue
        .submit(singles(&[task("first"), task("second")]))
        .await?;
    let lease = agent.take_one().await?.lease;
    queue.pass(90);
    queue.reap().await?;
    let thief = Agent {
        queue: &queue,
        name: "agent",
        key: OTHER_KEY,
    };
    assert_eq!(thief.resume(lease).await?, Err(Refusal::NotTheHolder));
    agent.take_one().await?;
    assert_eq!(
        agent.resume(lease).await?,
        Err(Refusal::LeaseLost),
        "its one slot is taken"
    );
    Ok(())
}

/// An attempt has one outcome: what its agent has called a timeout is no result a minute later.
#[tokio::test]
async fn an_agent_that_reported_a_timeout_itself_has_nothing_more_to_say() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let asked = |title| {
        let mut asked = task(title);
        asked.spec.constraints.max_duration_sec = Some(60.0);
        asked
    };
    let client = queue.test.database.client().await?;
    let kept = "select count(*) from workmill.late_result";

    queue.submit_task(&asked("given up")).await?;
    let given_up = agent.take_one().await?.lease;
    let failed = agent.fail(given_up, Reason::Timeout).await?;
    failed.expect("an agent may say so");
    let refused = agent.complete(given_up, json!("after all")).await?;
    assert_eq!(refused, Err(Refusal::LeaseLost));
    let again = agent.fail(given_up, Reason::Timeout).await?;
    assert!(again.expect("it said so before").is_repeat);
    assert_eq!(client.query_one(kept, &[]).await?.get::<_, i64>(0), 0);

    queue.submit_task(&asked("cut off")).await?;
    let cut_off = agent.take_one().await?.lease;
    queue.pass(60);
    queue.reap().await?.remove(0).expect("it ran too long");
    let refused = agent.complete(cut_off, json!("after all")).await?;
    assert_eq!(
        refused,
        Err(Refusal::TooLate),
        "Workmill ended it: the work is kept"
    );
    assert_eq!(client.query_one(kept, &[]).await?.get::<_, i64>(0), 1);
    Ok(())
}

/// Whoever gave up too late and then finds its result after all has worked for it.
#[tokio::test]
async fn a_completion_counts_though_a_late_failure_came_before_it() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    queue.pass(3600);
    queue.reap().await?;
    let failed = agent.fail(lease, Reason::Crash).await?;
    assert_eq!(failed, Err(Refusal::TooLate));
    agent
        .complete(lease, json!("found"))
        .await?
        .expect("accepted");
    assert_eq!(queue.task(id).await?.output, Some(json!("found")));
    let again = agent.complete(lease, json!("found")).await?;
    assert!(again.expect("again").is_repeat);
    Ok(())
}
