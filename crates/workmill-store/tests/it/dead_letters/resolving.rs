//! Deciding about dead letters that are named.

use anyhow::Result;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_store::intake::TaskDraft;
use workmill_store::settlement::dead_letters::{
    Redraft, Resolution, ResolveDeadLetters, ReviewDeadLetters, Unresolved,
};
use workmill_testkit::factory::{draft, graph, task};

use crate::actors::{Agent, Queue, decision};

/// Gives every task this title, unless it is called `stubborn`.
#[derive(Debug)]
pub struct Retitled(pub &'static str);

impl Redraft for Retitled {
    fn redraft(&self, asked: NewTask) -> Result<TaskDraft, String> {
        if asked.title == "stubborn" {
            return Err("it is stubborn".to_owned());
        }
        Ok(draft(&NewTask {
            title: self.0.to_owned(),
            ..asked.clone()
        }))
    }
}

impl Agent<'_> {
    /// Makes a dead letter of what is claimed next.
    pub async fn bury_one(&self) -> Result<TaskId> {
        let lease = self.take_one().await?.lease;
        self.fail(lease, Reason::InvalidInput)
            .await?
            .expect("failed");
        Ok(lease.task)
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
        Err(Unresolved::NotADeadLetter)
    );
    for resolution in [Resolution::Retry, Resolution::Cancel] {
        agent.bury_one().await?;
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

/// F-26
#[tokio::test]
async fn a_dead_letter_is_modified_and_sent_round_again() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    agent.bury_one().await?;
    let better = Resolution::ModifyAndRetry(&Retitled("better"));
    assert_eq!(queue.resolve(id, better).await?, Ok(State::Ready));
    assert_eq!(
        queue.resolve(id, better).await?,
        Err(Unresolved::NotADeadLetter),
        "what is ready is not modified"
    );
    assert_eq!(queue.task(id).await?.version, 2);
    let claim = agent.take_one().await?;
    assert!(claim.body.get().contains("better"));
    assert_eq!(
        (
            claim.lease.epoch,
            claim.attempt,
            claim.earlier_attempts.len()
        ),
        (2, 1, 1)
    );
    Ok(())
}

/// F-26
#[tokio::test]
async fn of_several_the_one_that_does_not_fit_stays_and_is_named() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let mut tasks = Vec::new();
    for title in ["one", "stubborn", "three"] {
        tasks.push(queue.submit_task(&task(title)).await?);
        agent.bury_one().await?;
    }
    tasks.push(tasks[0]);
    let operation = ResolveDeadLetters {
        ns: queue.ns,
        tasks: tasks.clone(),
        decision: decision(Resolution::ModifyAndRetry(&Retitled("better"))),
    };
    let answers = queue.store.run(&operation).await?.0;
    let unfit = Err(Unresolved::Unfit("it is stubborn".to_owned()));
    let again = Err(Unresolved::NotADeadLetter);
    assert_eq!(
        answers,
        [Ok(State::Ready), unfit, Ok(State::Ready), again],
        "naming one twice resolves it once"
    );
    let stubborn = queue.task(tasks[1]).await?;
    assert_eq!((stubborn.state, stubborn.version), (State::DeadLettered, 1));
    assert_eq!(queue.task(tasks[2]).await?.asked.title, "better");
    Ok(())
}

/// F-26
#[tokio::test]
async fn resolving_sets_a_failed_graph_running_and_cancelling_takes_what_waits_along() -> Result<()>
{
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let submitted = queue.submit(graph(&[("a", &[]), ("b", &[0])])).await?;
    let (id, tasks) = (submitted.graph.expect("a graph"), submitted.tasks);
    agent.bury_one().await?;
    assert_eq!(queue.graph_status(id).await?.name(), "failed");
    let retry = queue.resolve(tasks[0], Resolution::Retry).await?;
    assert_eq!(retry, Ok(State::Ready));
    assert_eq!(queue.graph_status(id).await?.name(), "running");
    agent.bury_one().await?;
    let cancel = queue.resolve(tasks[0], Resolution::Cancel).await?;
    assert_eq!(cancel, Ok(State::Cancelled));
    assert_eq!(queue.state(tasks[1]).await?, State::Cancelled);
    Ok(())
}

/// F-26
#[tokio::test]
async fn a_letter_is_marked_as_reviewed_and_one_that_comes_back_is_not() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let alive = queue.submit_task(&task("alive")).await?;
    agent.bury_one().await?;
    let review = ReviewDeadLetters {
        ns: queue.ns,
        tasks: vec![alive, id],
        is_reviewed: true,
    };
    assert_eq!(queue.store.run(&review).await?.0, [id]);
    assert!(queue.letters().await?[0].is_reviewed);
    queue.cancel(alive).await?.expect("cancelled");
    queue
        .resolve(id, Resolution::Retry)
        .await?
        .expect("retried");
    agent.bury_one().await?;
    assert!(!queue.letters().await?[0].is_reviewed);
    Ok(())
}

/// F-26
#[tokio::test]
async fn who_decided_and_why_is_told() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    agent.bury_one().await?;
    let mut decision = decision(Resolution::Retry);
    decision.note = Some("the key was renewed");
    let operation = ResolveDeadLetters {
        ns: queue.ns,
        tasks: vec![id],
        decision,
    };
    queue.store.run(&operation).await?;
    let facts = queue.facts("task.revived").await?;
    assert_eq!(facts.len(), 1);
    assert_eq!(facts[0]["note"], json!("the key was renewed"));
    assert_eq!(facts[0]["by"], json!("test"));
    Ok(())
}
