//! Nobody waits for ever: under a steady stream of urgent tasks, one claimed as one comes in, an old
//! background task has its turn when the formula says so.
//!
//! A task of base `B` that gains `b` points a minute is worth `B − b·m` after `m` minutes. When the
//! best of the stream is worth `U`, its turn comes after `(B − U) / b` minutes, with the next
//! claim: being older, it wins a tie.

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::json;
use workmill_core::priority::Priority;
use workmill_core::task::NewTask;
use workmill_testkit::factory::{singles, task};

use crate::actors::Queue;

/// What waits, and what comes in all the time. Boosts are hundredths of a point a minute.
struct Story {
    background: i64,
    boost: i64,
    stream: i64,
    stream_boost: i64,
    /// How many of the stream wait at any time, so that those claimed have grown old.
    backlog: i64,
    /// Each of the stream has a deadline that presses as hard as one can.
    is_pressed: bool,
    /// Minutes from one claim to the next.
    between: i64,
}

impl Story {
    /// The number of the claim that is the background task's.
    fn turn(&self) -> i64 {
        let pressed = if self.is_pressed { 100 } else { 0 };
        let distance = 100 * (self.background - self.stream + pressed);
        let stream_gained = self.stream_boost * self.backlog * self.between;
        let gained_each_time = self.boost * self.between;
        (distance + stream_gained + gained_each_time - 1) / gained_each_time
    }

    /// Claims one as one comes in. Answers with which claim the background task had its turn.
    async fn play(&self) -> Result<i64> {
        let queue = Queue::new().await?;
        let agent = queue.agent("agent").await?;
        let waiting = task_of(self.background, self.boost);
        let id = queue.submit_task(&waiting).await?;
        for _ in 0..self.backlog {
            self.stream_on(&queue).await?;
        }
        for number in 1.. {
            queue.pass(60 * self.between);
            self.stream_on(&queue).await?;
            let lease = agent.take_one().await?.lease;
            if lease.task == id {
                return Ok(number);
            }
            agent.complete(lease, json!(1)).await?.expect("completed");
            anyhow::ensure!(number < 2 * self.turn(), "it starves");
        }
        unreachable!("it was claimed or it starves")
    }

    async fn stream_on(&self, queue: &Queue) -> Result<()> {
        let soon = queue.store.now().await? + SignedDuration::from_secs(60);
        let urgent = NewTask {
            deadline: self.is_pressed.then_some(soon),
            ..task_of(self.stream, self.stream_boost)
        };
        queue.submit(singles(&[urgent])).await?;
        Ok(())
    }
}

fn task_of(base: i64, hundredths_per_minute: i64) -> NewTask {
    let hundredths = i32::try_from(hundredths_per_minute).expect("few");
    NewTask {
        priority: Priority::new(base).expect("0 to 100"),
        priority_boost_per_minute: Some(f64::from(hundredths) / 100.0),
        ..task("one of many")
    }
}

const STORY: Story = Story {
    background: 90,
    boost: 10,
    stream: 0,
    stream_boost: 0,
    backlog: 0,
    is_pressed: false,
    between: 30,
};

/// F-15
#[tokio::test]
async fn an_old_background_task_has_its_turn_under_a_stream_of_critical_ones() -> Result<()> {
    // 90 points at 0.1 a minute are 15 hours.
    assert_eq!(STORY.turn() * STORY.between, 15 * 60);
    assert_eq!(STORY.play().await?, STORY.turn());
    let slow = Story {
        boost: 1,
        between: 450,
        ..STORY
    };
    assert_eq!(slow.play().await?, slow.turn());
    let fast = Story {
        boost: 1000,
        between: 1,
        ..STORY
    };
    assert_eq!(fast.play().await?, fast.turn());
    Ok(())
}

/// F-15: as long as what it gains is more than what those gain that are claimed before it.
#[tokio::test]
async fn it_has_its_turn_although_the_critical_ones_grow_old_too() -> Result<()> {
    let ageing = Story {
        stream_boost: 10,
        backlog: 8,
        ..STORY
    };
    assert!(ageing.turn() > STORY.turn());
    assert_eq!(ageing.play().await?, ageing.turn());
    let ageing_fast = Story {
        stream_boost: 100,
        backlog: 3,
        between: 20,
        ..STORY
    };
    assert_eq!(ageing_fast.play().await?, ageing_fast.turn());
    Ok(())
}

/// F-15: the worst that deadlines can do to those who have none.
#[tokio::test]
async fn it_has_its_turn_although_every_critical_one_is_pressed_by_a_deadline() -> Result<()> {
    let pressed = Story {
        is_pressed: true,
        between: 60,
        ..STORY
    };
    assert_eq!(
        pressed.turn() * pressed.between,
        1920,
        "190 points, and the rest of an hour"
    );
    assert_eq!(pressed.play().await?, pressed.turn());
    Ok(())
}
