//! Events are stored by day, and old days go whole.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use workmill_core::ids::first_id_at;
use workmill_core::retention::{EventDay, days_wanted};
use workmill_store::events::SequenceEvents;
use workmill_store::upkeep::events::{Made, RemoveOldEvents};
use workmill_testkit::factory::task;

use crate::actors::Queue;

const DAY: i64 = 24 * 3600;
const A_DAY: Duration = Duration::from_hours(24);

impl Queue {
    async fn make_days(&self) -> Result<Vec<Made>> {
        let mut made = Vec::new();
        for day in days_wanted(self.store.now().await?) {
            made.push(self.store.make_event_day(day).await?);
        }
        Ok(made)
    }

    async fn drop_days(&self) -> Result<usize> {
        let days = self.store.find_event_days().await?;
        let now = self.store.now().await?;
        Ok(self.store.drop_old_event_days(&days, now, A_DAY).await?)
    }

    async fn remove_old_rows(&self) -> Result<u64> {
        let before = first_id_at(self.store.now().await? - jiff::SignedDuration::from_hours(24));
        let found = self.store.find_namespaces_with_old_events(before).await?;
        let operation = RemoveOldEvents {
            ns: self.ns,
            before,
            most: 1000,
        };
        let removed = self.store.run(&operation).await?.0;
        assert_eq!(found.contains(&self.ns), removed > 0);
        Ok(removed)
    }

    /// Batches that a reader finds from the beginning on.
    async fn batches_read(&self) -> Result<usize> {
        let (ns, most) = (self.ns, 1000);
        self.store.run(&SequenceEvents { ns, most }).await?;
        Ok(self.store.read_events(ns, 0, most).await?.len())
    }

    /// Events in the table of a day, or in the default partition.
    async fn events_in(&self, table: &str) -> Result<i64> {
        let client = self.test.database.client().await?;
        let count = format!("select count(*) from workmill.{table}");
        Ok(client.query_one(&count, &[]).await?.get(0))
    }
}

#[tokio::test]
async fn old_days_go_whole_and_readers_go_on_with_what_is_left() -> Result<()> {
    let queue = Queue::new().await?;
    assert_eq!(queue.make_days().await?, [Made::Done; 4]);
    let today = EventDay::of(queue.store.now().await?);
    queue.submit_task(&task("a")).await?;
    assert_eq!(queue.events_in(&today.name()).await?, 1);
    assert_eq!(queue.events_in("event_default").await?, 0);
    assert_eq!(queue.batches_read().await?, 1);
    queue.pass(3 * DAY);
    queue.submit_task(&task("b")).await?;
    assert_eq!(queue.batches_read().await?, 2);
    assert_eq!(queue.drop_days().await?, 2);
    assert_eq!(queue.drop_days().await?, 0);
    assert_eq!(queue.events_in("event").await?, 1);
    assert_eq!(queue.remove_old_rows().await?, 1, "the place goes, too");
    assert_eq!(queue.remove_old_rows().await?, 0);
    assert_eq!(queue.batches_read().await?, 1);
    assert_eq!(queue.make_days().await?.len(), 4);
    let days = queue.store.find_event_days().await?;
    assert_eq!(days.len(), 5, "yesterday, today and three days ahead");
    Ok(())
}

#[tokio::test]
async fn events_of_a_day_without_partition_are_not_moved_and_go_when_they_are_old() -> Result<()> {
    let queue = Queue::new().await?;
    queue.submit_task(&task("a")).await?;
    let made = queue.make_days().await?;
    assert_eq!(made, [Made::TooLate, Made::Done, Made::Done, Made::Done]);
    queue.submit_task(&task("b")).await?;
    assert_eq!(queue.events_in("event_default").await?, 2);
    queue.pass(DAY);
    queue.submit_task(&task("c")).await?;
    assert_eq!(queue.events_in("event_default").await?, 2);
    queue.pass(DAY / 2);
    assert_eq!(queue.remove_old_rows().await?, 2);
    assert_eq!(queue.events_in("event").await?, 1);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn servers_that_make_days_at_once_do_not_trouble_each_other_nor_those_who_write() -> Result<()>
{
    const ROUNDS: i64 = 40;
    let queue = Arc::new(Queue::new().await?);
    for round in 1..=ROUNDS {
        // A day that nobody has made a partition for, as on the first day of a database.
        queue.pass(4 * DAY);
        let runs = (0..6).map(|number| {
            let queue = Arc::clone(&queue);
            tokio::spawn(async move {
                if number < 3 {
                    return queue.make_days().await.map(drop);
                }
                for _ in 0..3 {
                    queue.submit_task(&task("a")).await?;
                }
                Ok(())
            })
        });
        for run in runs.collect::<Vec<_>>() {
            run.await??;
        }
        assert_eq!(queue.events_in("event").await?, 9 * round);
    }
    queue.make_days().await?;
    let days = queue.store.find_event_days().await?;
    assert!(days.len() >= 3, "today may have come too late: {days:?}");
    Ok(())
}

#[tokio::test]
async fn a_reader_who_takes_long_makes_a_day_wait_and_no_writer() -> Result<()> {
    let queue = Queue::new().await?;
    queue.make_days().await?;
    queue.submit_task(&task("a")).await?;
    queue.pass(3 * DAY);
    let mut client = queue.test.database.client().await?;
    let reading = client.transaction().await?;
    reading
        .query("select count(*) from workmill.event", &[])
        .await?;
    assert_eq!(queue.drop_days().await?, 0);
    queue.submit_task(&task("b")).await?;
    reading.rollback().await?;
    assert_eq!(queue.drop_days().await?, 2);
    Ok(())
}
