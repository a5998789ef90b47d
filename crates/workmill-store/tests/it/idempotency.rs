//! Submitting twice with the same key is submitting once.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::Result;
use workmill_core::task::NewTask;
use workmill_store::intake::submit::Idempotency;
use workmill_store::intake::{Submission, Submit, SubmitRefusal};
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
        .query_one("select count(*) from workmill.state", &[])
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
