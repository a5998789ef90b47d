//! Submitting twice with the same key is submitting once.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::Result;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::task::NewTask;
use workmill_store::intake::submit::Idempotency;
use workmill_store::intake::{Submission, Submit, SubmitRefusal};
use workmill_store::settlement::dead_letters::Resolution;
use workmill_store::upkeep::idempotency::Place;
use workmill_testkit::factory::{graph, singles, task};

use crate::actors::Queue;

fn keyed(submission: Submission, key: &str, digest: u8) -> Submission {
    let idempotency = Some(Idempotency {
        key: key.to_owned(),
        digest: vec![digest],
    });
    Submission {
        idempotency,
        ..submission
    }
}

/// F-3
#[tokio::test]
async fn the_same_key_returns_the_first_tasks_and_creates_nothing() -> Result<()> {
    let queue = Queue::new().await?;
    for work in [
        singles(&[task("a"), task("b")]),
        graph(&[("a", &[]), ("b", &[0])]),
    ] {
        let key = if work.graph.is_some() {
            "graph"
        } else {
            "tasks"
        };
        let first = queue.submit(keyed(work.clone(), key, 1)).await?;
        let again = queue.submit(keyed(work, key, 1)).await?;
        assert!(!first.is_repeat && again.is_repeat);
        assert_eq!((first.tasks, first.graph), (again.tasks, again.graph));
    }
    let client = queue.test.database.client().await?;
    let stored: i64 = client
        .query_one(
            "select count(*) from workmill.state where ns = $1",
            &[&queue.ns.0],
        )
        .await?
        .get(0);
    assert_eq!(stored, 4);
    Ok(())
}

/// F-3
#[tokio::test]
async fn the_same_key_with_another_body_is_a_conflict_also_within_one_batch() -> Result<()> {
    let queue = Queue::new().await?;
    let one = keyed(singles(&[task("a")]), "key", 1);
    let other = keyed(singles(&[task("b")]), "key", 2);
    let batch = [one.clone(), other.clone(), one.clone()];
    let answers = queue
        .store
        .run(&Submit {
            ns: queue.ns,
            submissions: &batch,
        })
        .await?
        .0;
    let conflict = Err(SubmitRefusal::OtherRequest {
        key: "key".to_owned(),
    });
    assert_eq!(answers[1], conflict);
    let (first, again) = (answers[0].clone().unwrap(), answers[2].clone().unwrap());
    assert_eq!((first.tasks, again.is_repeat), (again.tasks, true));
    let later = queue
        .store
        .run(&Submit {
            ns: queue.ns,
            submissions: &[other],
        })
        .await?
        .0;
    assert_eq!(later[0], conflict);
    Ok(())
}

/// F-3
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_key_that_many_use_at_once_creates_one_task() -> Result<()> {
    let queue = Arc::new(Queue::new().await?);
    let mut submitting = Vec::new();
    for _ in 0..12 {
        let queue = Arc::clone(&queue);
        submitting.push(tokio::spawn(async move {
            queue.submit(keyed(singles(&[task("a")]), "key", 1)).await
        }));
    }
    let mut ids = BTreeSet::new();
    for one in submitting {
        ids.insert(one.await??.tasks[0]);
    }
    assert_eq!(ids.len(), 1);
    Ok(())
}

#[tokio::test]
async fn a_planners_own_id_is_unique() -> Result<()> {
    let queue = Queue::new().await?;
    let planned = NewTask {
        key: Some("step-1".to_owned()),
        ..task("a")
    };
    queue.submit_task(&planned).await?;
    let again = [singles(&[task("fresh")]), singles(&[planned])];
    let answers = queue
        .store
        .run(&Submit {
            ns: queue.ns,
            submissions: &again,
        })
        .await?
        .0;
    assert!(answers[0].is_ok(), "the others do not suffer for it");
    assert_eq!(
        answers[1],
        Err(SubmitRefusal::KeyTaken {
            key: "step-1".to_owned()
        })
    );
    Ok(())
}

impl Queue {
    /// What the key forgetter does, with pages of one key.
    async fn forget_keys(&self) -> Result<usize> {
        let (mut forgotten, mut after) = (0, Place::FIRST);
        loop {
            let now = self.store.now().await?;
            let page = self.store.find_served_keys(now, &after, 1).await?;
            for change in &page.changes {
                forgotten += self.store.run(change).await?.0;
            }
            match page.next {
                Some(next) => after = next,
                None => return Ok(forgotten),
            }
        }
    }
}

/// F-3
#[tokio::test]
async fn a_key_is_kept_until_seven_days_after_the_last_of_its_tasks_ended() -> Result<()> {
    const DAY: i64 = 24 * 3600;
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let once = NewTask {
        max_attempts: Some(1),
        ..task("once")
    };
    let submission = keyed(singles(&[task("first"), once]), "key", 1);
    let other = keyed(singles(&[task("runs for ever")]), "other", 1);
    let first = queue.submit(submission.clone()).await?;
    let lease = agent.take_one().await?.lease;
    agent.complete(lease, json!(1)).await?.expect("completed");
    let lease = agent.take_one().await?.lease;
    agent.fail(lease, Reason::Crash).await?.expect("failed");
    queue.submit(other).await?;
    for _ in 0..2 {
        queue.pass(30 * DAY);
        assert_eq!(queue.forget_keys().await?, 0, "a dead letter is no end");
    }
    let dead = first.tasks[1];
    queue
        .resolve(dead, Resolution::Cancel)
        .await?
        .expect("it is dead");
    assert_eq!(queue.forget_keys().await?, 0);
    queue.pass(7 * DAY - 1);
    assert_eq!(queue.forget_keys().await?, 0);
    assert!(queue.submit(submission.clone()).await?.is_repeat);
    queue.pass(1);
    assert_eq!(queue.forget_keys().await?, 1);
    let anew = queue.submit(submission).await?;
    assert!(!anew.is_repeat);
    assert_ne!(anew.tasks, first.tasks);
    Ok(())
}
