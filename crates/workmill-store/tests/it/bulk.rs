//! Actions on many tasks meet others who act on the same ones.

use std::sync::Arc;

use anyhow::Result;
use serde_json::json;
use workmill_core::bulk::{Change, TaskFilter};
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_store::Store;
use workmill_store::intake::TaskDraft;
use workmill_store::settlement::bulk::{ChangeMatching, ChangedBatch};
use workmill_store::settlement::dead_letters::Redraft;
use workmill_testkit::factory::{draft, graph, task};
use workmill_testkit::invariants::violations;

use crate::actors::Queue;

#[derive(Debug)]
struct Edited(Change);

impl Redraft for Edited {
    fn redraft(&self, asked: NewTask) -> Result<TaskDraft, String> {
        if asked.title == "unfit" {
            return Err("it does not fit".to_owned());
        }
        Ok(draft(&self.0.edit(&asked)))
    }
}

async fn change(store: &Store, queue: &Queue, change: Change) -> Result<ChangedBatch> {
    let operation = ChangeMatching {
        ns: queue.ns,
        filter: &TaskFilter::default(),
        change: &change,
        redraft: &Edited(change.clone()),
        moment: store.now().await?,
        position: None,
        by: "ada",
        note: None,
    };
    Ok(store.run(&operation).await?.0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_claims_a_task_between_the_look_and_the_lock_keeps_it() -> Result<()> {
    let queue = Arc::new(Queue::new().await?);
    let agent = queue.agent("agent").await?;
    let first = queue.submit_task(&task("first")).await?;
    let second = queue.submit_task(&task("second")).await?;
    let mut found = queue.store.test_points.pause_at("bulk.found");
    let changing = tokio::spawn({
        let queue = Arc::clone(&queue);
        async move {
            let tag = Change::AddTag("x".to_owned());
            change(&queue.store, &queue, tag).await
        }
    });
    let paused = found.arrival().await;
    let lease = agent.take_one().await?.lease;
    assert_eq!(lease.task, first);
    queue.store.test_points.disarm("bulk.found");
    paused.go_on();
    let batch = changing.await??;
    assert_eq!((batch.changed, batch.gone), (1, 1));
    assert_eq!(queue.task(first).await?.version, 1);
    assert_eq!(queue.task(second).await?.version, 2);
    agent.complete(lease, json!(1)).await?.expect("completed");
    Ok(())
}

#[tokio::test]
async fn what_cannot_be_edited_is_named_and_holds_up_no_other() -> Result<()> {
    let queue = Queue::new().await?;
    let unfit = queue.submit_task(&task("unfit")).await?;
    let fit = queue.submit_task(&task("fit")).await?;
    let batch = change(&queue.store, &queue, Change::AddTag("x".to_owned())).await?;
    assert_eq!(batch.changed, 1);
    assert_eq!(batch.unfit, [(unfit, "it does not fit".to_owned())]);
    assert_eq!(queue.task(fit).await?.asked.tags, ["x"]);
    assert_eq!(queue.audited_actions().await?, ["task.tag"]);
    Ok(())
}

#[tokio::test]
async fn tasks_that_wait_for_others_are_cancelled_with_their_graph() -> Result<()> {
    let queue = Queue::new().await?;
    let tasks = queue
        .submit(graph(&[("a", &[]), ("b", &[0]), ("c", &[1])]))
        .await?
        .tasks;
    let batch = change(&queue.store, &queue, Change::Cancel).await?;
    assert_eq!((batch.changed, batch.next), (3, None));
    for id in tasks {
        assert_eq!(queue.state(id).await?, State::Cancelled);
    }
    let client = queue.test.database.client().await?;
    assert_eq!(violations(&client, queue.ns.0).await?, Vec::<String>::new());
    Ok(())
}
