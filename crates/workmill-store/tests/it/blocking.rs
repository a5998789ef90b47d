//! Tasks that wait for an answer.

use anyhow::Result;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_store::settlement::Refusal;
use workmill_testkit::factory::task;

use crate::actors::Queue;

#[tokio::test]
async fn a_blocked_task_frees_its_slot_and_gets_the_answer_with_its_next_claim() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent_with("agent", "", &[], 1).await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    agent.block(lease, None).await?.expect("blocked");
    assert_eq!(queue.state(id).await?, State::Blocked);
    queue.submit_task(&task("other")).await?;
    let other = agent.take_one().await?.lease;
    agent.complete(other, json!(1)).await?.expect("completed");

    assert_eq!(
        queue.answer(id, json!("the red one")).await?,
        Ok(State::Ready)
    );
    let again = agent.take_one().await?;
    assert_eq!(
        (again.lease.task, again.attempt),
        (id, 1),
        "blocking burns no attempt"
    );
    let [answered] = &again.answers[..] else {
        panic!("one answer: {:?}", again.answers);
    };
    assert_eq!(answered.question, Some(json!("which one?")));
    assert_eq!(answered.input, json!("the red one"));
    assert_eq!(queue.task(id).await?.answers, again.answers, "it stays");
    assert!(matches!(
        queue.answer(id, json!(1)).await?,
        Err(Refusal::Illegal(_))
    ));
    Ok(())
}

#[tokio::test]
async fn a_question_that_nobody_answers_in_time_fails_the_attempt() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    agent.block(lease, Some(60_000)).await?.expect("blocked");
    queue.pass(59);
    assert_eq!(queue.expire_blocks().await?, 0);
    queue.pass(1);
    assert_eq!(queue.expire_blocks().await?, 1);
    let task = queue.task(id).await?;
    assert_eq!((task.state, task.attempts_counted), (State::Retrying, 1));
    assert_eq!(
        task.attempts.last().and_then(|last| last.reason),
        Some(Reason::Timeout)
    );
    assert_eq!(queue.expire_blocks().await?, 0, "once");
    Ok(())
}

#[tokio::test]
async fn a_question_that_nobody_answers_in_time_stays_with_the_attempt() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    agent.block(lease, Some(60_000)).await?.expect("blocked");
    queue.pass(60);
    assert_eq!(queue.expire_blocks().await?, 1);
    let asked = Some(json!({"waits_for": "input", "question": "which one?"}));
    let shown = queue.task(id).await?;
    let last = shown.attempts.last().expect("an attempt");
    assert_eq!(last.message.as_deref(), Some("no answer came in time"));
    assert_eq!(last.details, asked);
    queue.pass(3600);
    queue.promote().await?;
    let again = agent.take_one().await?;
    assert_eq!(again.lease.task, id);
    let earlier = again.earlier_attempts.last().expect("an attempt");
    assert_eq!(earlier.details, asked, "the next attempt knows it");
    Ok(())
}
