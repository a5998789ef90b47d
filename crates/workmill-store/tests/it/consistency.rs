//! Rows that disagree are found and mended; what is in order is left alone.

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_store::upkeep::consistency::{Mend, Place};
use workmill_testkit::factory::{graph, singles, task};

use crate::actors::Queue;

impl Queue {
    /// What the consistency sweep does, over all tasks.
    pub async fn mend(&self) -> Result<usize> {
        let page = self.store.find_disagreements(Place::FIRST, 10_000).await?;
        let mut mended = 0;
        for (ns, tasks) in page.suspects {
            mended += self.store.run(&Mend { ns, tasks }).await?.0;
        }
        Ok(mended)
    }
}

async fn busy_queue() -> Result<Queue> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(singles(&vec![task("single"); 8])).await?;
    queue
        .submit(graph(&[("a", &[]), ("b", &[0]), ("c", &[0, 1])]))
        .await?;
    let later = queue.store.now().await? + SignedDuration::from_secs(60);
    queue
        .submit_task(&NewTask {
            scheduled_for: Some(later),
            ..task("later")
        })
        .await?;
    let claims = agent.take(5).await?;
    agent
        .complete(claims[0].lease, json!(1))
        .await?
        .expect("completed");
    agent
        .fail(claims[1].lease, Reason::Crash)
        .await?
        .expect("failed");
    agent
        .fail(claims[2].lease, Reason::InvalidInput)
        .await?
        .expect("failed");
    queue
        .cancel(claims[3].lease.task)
        .await?
        .expect("cancelled");
    Ok(queue)
}

#[tokio::test]
async fn a_queue_in_order_has_nothing_to_mend() -> Result<()> {
    assert_eq!(busy_queue().await?.mend().await?, 0);
    Ok(())
}

#[tokio::test]
async fn a_ready_task_in_no_lane_is_put_back() -> Result<()> {
    let queue = busy_queue().await?;
    let client = queue.test.database.client().await?;
    let lost = client.execute("delete from workmill.ready", &[]).await?;
    assert!(lost > 0);
    assert_eq!(u64::try_from(queue.mend().await?)?, lost);
    assert_eq!(queue.mend().await?, 0);
    let agent = queue.agent("other").await?;
    assert_eq!(u64::try_from(agent.take(100).await?.len())?, lost);
    Ok(())
}

#[tokio::test]
async fn a_wrong_counter_is_counted_anew_and_frees_its_task() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let ids = queue.submit(graph(&[("a", &[]), ("b", &[0])])).await?.tasks;
    let client = queue.test.database.client().await?;
    client
        .execute(
            "update workmill.state set unmet = unmet + 3 where task = $1",
            &[&ids[1].0],
        )
        .await?;
    let lease = agent.take_one().await?.lease;
    agent.complete(lease, json!(1)).await?.expect("completed");
    assert_eq!(queue.state(ids[1]).await?, State::Pending, "stranded");
    assert_eq!(queue.mend().await?, 1);
    assert_eq!(queue.state(ids[1]).await?, State::Ready);
    assert_eq!(agent.take_one().await?.lease.task, ids[1]);
    Ok(())
}

#[tokio::test]
async fn a_retry_that_is_among_no_waiting_tasks_is_put_back() -> Result<()> {
    let queue = busy_queue().await?;
    let client = queue.test.database.client().await?;
    let lost = client.execute("delete from workmill.due", &[]).await?;
    assert_eq!(lost, 2);
    assert_eq!(queue.mend().await?, 2);
    queue.pass(600);
    assert_eq!(queue.promote().await?, 2);
    Ok(())
}
