//! Deciding about all dead letters that fit a filter, while others decide too.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Result;
use jiff::Timestamp;
use serde_json::json;
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_store::look::dead_letters::DeadLetterFilter;
use workmill_store::settlement::dead_letters::Resolution;
use workmill_store::settlement::dead_letters::matching::{
    LARGEST_BATCH, ResolveMatching, ResolvedBatch,
};
use workmill_testkit::factory::{singles, task};

use super::resolving::Retitled;
use crate::actors::{Queue, decision};

impl Queue {
    async fn resolve_batch(
        &self,
        until: Timestamp,
        after: Option<TaskId>,
        resolution: Resolution<'_>,
    ) -> Result<ResolvedBatch> {
        let operation = ResolveMatching {
            ns: self.ns,
            filter: &DeadLetterFilter::default(),
            until,
            after,
            decision: decision(resolution),
        };
        Ok(self.store.run(&operation).await?.0)
    }

    /// Batch after batch to the end; answers how many it resolved.
    async fn resolve_all(&self, until: Timestamp) -> Result<usize> {
        let (mut resolved, mut after) = (0, None);
        loop {
            let batch = self.resolve_batch(until, after, Resolution::Retry).await?;
            resolved += batch.resolved;
            after = batch.next;
            if after.is_none() {
                return Ok(resolved);
            }
        }
    }

    async fn times_revived(&self) -> Result<BTreeMap<String, usize>> {
        let mut times = BTreeMap::new();
        for fact in self.facts("task.revived").await? {
            *times.entry(fact["task_id"].to_string()).or_default() += 1;
        }
        Ok(times)
    }
}

/// F-26
#[tokio::test]
async fn a_batch_ends_and_the_next_one_goes_on_from_there() -> Result<()> {
    let queue = Queue::new().await?;
    let most = usize::try_from(LARGEST_BATCH)?;
    let tasks = queue.bury(most + 3).await?;
    let now = queue.test.clock.now();
    let batch = queue.resolve_batch(now, None, Resolution::Retry).await?;
    assert_eq!((batch.resolved, batch.next), (most, Some(tasks[most - 1])));
    let again = queue.resolve_batch(now, None, Resolution::Retry).await?;
    assert_eq!(
        (again.resolved, again.next),
        (3, None),
        "whoever begins anew goes on where the other stopped"
    );
    assert!(queue.letters().await?.is_empty());
    Ok(())
}

/// F-26
#[tokio::test]
async fn what_dies_after_the_moment_of_the_decision_is_left() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit_task(&task("work")).await?;
    agent.bury_one().await?;
    let until = queue.test.clock.now();
    assert_eq!(queue.resolve_all(until).await?, 1);
    queue.pass(1);
    agent.bury_one().await?;
    assert_eq!(
        queue.resolve_all(until).await?,
        0,
        "the same task, a new letter"
    );
    assert_eq!(queue.resolve_all(queue.test.clock.now()).await?, 1);
    Ok(())
}

/// F-26
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_others_decided_between_look_and_lock_is_passed_over() -> Result<()> {
    let queue = Arc::new(Queue::new().await?);
    let agent = queue.agent("agent").await?;
    let mut tasks = Vec::new();
    for title in ["cancelled", "back again", "untouched"] {
        tasks.push(queue.submit_task(&task(title)).await?);
        agent.bury_one().await?;
    }
    let until = queue.test.clock.now();
    let mut found = queue.store.test_points.pause_at("dead_letters.found");
    let run = tokio::spawn({
        let queue = Arc::clone(&queue);
        async move { queue.resolve_batch(until, None, Resolution::Retry).await }
    });
    let paused = found.arrival().await;
    queue.store.test_points.disarm("dead_letters.found");
    for (task, resolution) in tasks.iter().zip([Resolution::Cancel, Resolution::Retry]) {
        queue.resolve(*task, resolution).await?.expect("resolved");
    }
    queue.pass(1);
    assert_eq!(agent.bury_one().await?, tasks[1]);
    paused.go_on();
    let batch = run.await??;
    assert_eq!((batch.resolved, batch.gone), (1, 2));
    let mut states = Vec::new();
    for task in &tasks {
        states.push(queue.state(*task).await?);
    }
    assert_eq!(
        states,
        [State::Cancelled, State::DeadLettered, State::Ready]
    );
    Ok(())
}

/// F-26
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_runs_and_single_decisions_at_once_resolve_each_letter_once() -> Result<()> {
    const LETTERS: usize = 1200;
    let queue = Arc::new(Queue::new().await?);
    let tasks = queue.bury(LETTERS).await?;
    let until = queue.test.clock.now();
    let mut deciding = Vec::new();
    for _ in 0..2 {
        let queue = Arc::clone(&queue);
        deciding.push(tokio::spawn(async move { queue.resolve_all(until).await }));
    }
    let queue_of_one = Arc::clone(&queue);
    deciding.push(tokio::spawn(async move {
        let mut resolved = 0;
        for task in tasks.iter().rev().step_by(7) {
            let answer = queue_of_one.resolve(*task, Resolution::Retry).await?;
            resolved += usize::from(answer.is_ok());
        }
        Ok(resolved)
    }));
    let mut resolved = 0;
    for one in deciding {
        resolved += one.await??;
    }
    assert_eq!(resolved, LETTERS);
    let times = queue.times_revived().await?;
    assert_eq!(times.len(), LETTERS);
    assert!(times.values().all(|times| *times == 1));
    assert!(queue.letters().await?.is_empty());
    Ok(())
}

/// F-26: promise 4, paid work is kept.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_late_result_counts_whether_it_comes_before_or_after_the_decision() -> Result<()> {
    const LETTERS: usize = 120;
    let queue = Arc::new(Queue::new().await?);
    let agent = queue.agent_with("agent", "", &[], 1000).await?;
    let once = NewTask {
        max_attempts: Some(1),
        ..task("lost")
    };
    queue.submit(singles(&vec![once; LETTERS])).await?;
    let claims = agent.take(i32::try_from(LETTERS)?).await?;
    queue.pass(90);
    assert_eq!(queue.reap().await?.len(), LETTERS);
    assert_eq!(queue.letters().await?.len(), LETTERS);
    let until = queue.test.clock.now();
    let run = tokio::spawn({
        let queue = Arc::clone(&queue);
        async move { queue.resolve_all(until).await }
    });
    for claim in &claims {
        agent
            .complete(claim.lease, json!("late"))
            .await?
            .expect("nobody has claimed since");
    }
    run.await??;
    for claim in &claims {
        let done = queue.task(claim.lease.task).await?;
        assert_eq!(done.state, State::Completed);
    }
    assert!(queue.letters().await?.is_empty());
    assert!(agent.take(1).await?.is_empty(), "none is ready as well");
    assert!(
        queue
            .times_revived()
            .await?
            .values()
            .all(|times| *times == 1)
    );
    Ok(())
}

/// F-26
#[tokio::test]
async fn what_cannot_be_modified_stays_a_dead_letter_and_is_named() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let mut tasks = Vec::new();
    for title in ["one", "stubborn"] {
        tasks.push(queue.submit_task(&task(title)).await?);
        agent.bury_one().await?;
    }
    let better = Resolution::ModifyAndRetry(&Retitled("better"));
    let batch = queue
        .resolve_batch(queue.test.clock.now(), None, better)
        .await?;
    assert_eq!(batch.resolved, 1);
    assert_eq!(batch.unfit, [(tasks[1], "it is stubborn".to_owned())]);
    assert_eq!(queue.state(tasks[1]).await?, State::DeadLettered);
    assert_eq!(queue.task(tasks[0]).await?.asked.title, "better");
    Ok(())
}
