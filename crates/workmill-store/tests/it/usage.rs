//! What attempts have used is kept with every way to end, counted once, and added up truly.

use anyhow::Result;
use serde_json::json;
use workmill_core::attempt::Outcome;
use workmill_core::failure::Reason;
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::usage::{ModelUsage, Usage};
use workmill_store::execution::{Alive, Beat, Heartbeat};
use workmill_store::settlement::{
    Ending, Refusal, Settle, Settled, Settlement, Settler, Spent, WaitsFor,
};
use workmill_testkit::factory::{draft, task};

use crate::actors::{KEY, OTHER_KEY, Queue};

/// A token for each millionth of a dollar.
fn used(micros: i64) -> Usage {
    let figures = ModelUsage {
        input_tokens: micros.unsigned_abs(),
        output_tokens: micros.unsigned_abs() / 10,
        cost_usd: Some(Micros(micros)),
        ..ModelUsage::default()
    };
    Usage::of_model("model", figures)
}

fn beat(key: uuid::Uuid, lease: LeaseId, usage: Option<Usage>) -> Beat {
    Beat {
        key,
        lease,
        progress: None,
        checkpoint: None,
        usage,
    }
}

async fn tell(queue: &Queue, lease: LeaseId, micros: i64) -> Result<Result<Alive, Refusal>> {
    let operation = Heartbeat {
        ns: queue.ns,
        beats: &[beat(KEY, lease, Some(used(micros)))],
    };
    Ok(queue.store.run(&operation).await?.0.remove(0))
}

async fn settle(
    queue: &Queue,
    lease: LeaseId,
    ending: Ending,
    usage: Usage,
) -> Result<Result<Settled, Refusal>> {
    let settlement = Settlement {
        settler: Settler::Key(KEY),
        lease,
        ending,
        spent: Spent::reported(usage),
        random: 0.5,
    };
    let operation = Settle {
        ns: queue.ns,
        settlements: &[settlement],
    };
    Ok(queue.store.run(&operation).await?.0.remove(0))
}

fn completion() -> Ending {
    let output = serde_json::value::to_raw_value(&json!("done")).expect("JSON");
    Ending::Complete {
        output,
        artifacts: Vec::new(),
    }
}

fn failure() -> Ending {
    Ending::Fail {
        reason: Reason::Crash,
        message: "out of memory".to_owned(),
        details: None,
        retry_after_ms: None,
    }
}

fn question() -> Ending {
    Ending::Block {
        waits_for: WaitsFor::Input,
        question: None,
        timeout_ms: None,
    }
}

async fn lose(queue: &Queue) -> Result<usize> {
    queue.pass(91);
    Ok(queue.reap().await?.into_iter().flatten().count())
}

/// What the task has cost by itself, and what its rows come to.
async fn bill(queue: &Queue, id: TaskId) -> Result<(i64, Vec<i64>)> {
    let task = queue.task(id).await?;
    let rows = task.attempts.iter().map(|one| one.cost_micros).collect();
    assert_eq!(
        task.spent.input_tokens, task.spent.cost_micros,
        "tokens are counted as the money is"
    );
    assert_eq!(task.spent.output_tokens, task.spent.cost_micros / 10);
    Ok((task.spent.cost_micros, rows))
}

/// F-37
#[tokio::test]
async fn an_attempt_that_is_lost_keeps_the_cost_that_its_heartbeats_told() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    for (micros, known) in [(100, 100), (300, 300), (200, 300), (300, 300)] {
        tell(&queue, lease, micros).await?.expect("alive");
        let running = queue.task(id).await?.running.expect("it runs");
        assert_eq!(running.cost_micros, known);
        assert_eq!(running.usage, used(known));
    }
    agent.heartbeat(lease).await?.expect("alive");
    assert_eq!(bill(&queue, id).await?, (300, vec![]), "what runs counts");
    assert_eq!(lose(&queue).await?, 1);
    assert_eq!(bill(&queue, id).await?, (300, vec![300]));
    let attempt = &queue.task(id).await?.attempts[0];
    assert_eq!(
        (&attempt.usage, attempt.outcome),
        (&used(300), Outcome::Failed)
    );
    Ok(())
}

#[tokio::test]
async fn heartbeats_of_one_batch_count_once_and_only_from_the_holder() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let one = queue.submit_task(&task("one")).await?;
    let two = queue.submit_task(&task("two")).await?;
    let leases = [agent.take_one().await?.lease, agent.take_one().await?.lease];
    let beats = [
        beat(KEY, leases[0], Some(used(300))),
        beat(KEY, leases[1], Some(used(50))),
        beat(OTHER_KEY, leases[0], Some(used(900))),
        beat(KEY, leases[0], None),
        beat(KEY, leases[0], Some(used(200))),
        beat(KEY, leases[1], Some(Usage::default())),
    ];
    let operation = Heartbeat {
        ns: queue.ns,
        beats: &beats,
    };
    let answers = queue.store.run(&operation).await?.0;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 5);
    assert_eq!(bill(&queue, one).await?.0, 300);
    assert_eq!(bill(&queue, two).await?.0, 50);
    Ok(())
}

/// F-37
#[tokio::test]
async fn every_ending_posts_the_greater_of_what_was_told_before_and_with_it() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    for (ending, outcome) in [
        (completion as fn() -> Ending, Outcome::Completed),
        (failure, Outcome::Failed),
        (|| Ending::Release, Outcome::Released),
        (question, Outcome::Blocked),
    ] {
        for (told, last, posted) in [
            (0, 500, 500),
            (300, 500, 500),
            (300, 200, 300),
            (300, 0, 300),
        ] {
            let id = queue.submit_task(&task("work")).await?;
            let lease = agent.take_one().await?.lease;
            assert_eq!(lease.task, id);
            if told > 0 {
                tell(&queue, lease, told).await?.expect("alive");
            }
            let usage = if last > 0 {
                used(last)
            } else {
                Usage::default()
            };
            settle(&queue, lease, ending(), usage.clone())
                .await?
                .expect("settled");
            assert_eq!(
                bill(&queue, id).await?,
                (posted, vec![posted]),
                "{outcome:?}"
            );
            assert_eq!(queue.task(id).await?.attempts[0].outcome, outcome);
            settle(&queue, lease, ending(), usage)
                .await?
                .expect("said again");
            assert_eq!(bill(&queue, id).await?.0, posted, "said again");
            queue.cancel(id).await?.ok();
        }
    }
    Ok(())
}

#[tokio::test]
async fn what_workmill_ends_posts_what_was_told() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    // Cancelled, and the agent stops; cancelled, and it is never heard of again.
    for is_heard_of in [true, false] {
        let id = queue.submit_task(&task("work")).await?;
        let lease = agent.take_one().await?.lease;
        tell(&queue, lease, 300).await?.expect("alive");
        queue.cancel(id).await?.expect("cancelled");
        let alive = tell(&queue, lease, 400).await?.expect("told to stop");
        assert!(alive.stop.is_some());
        if is_heard_of {
            settle(&queue, lease, Ending::Release, Usage::default())
                .await?
                .expect("stopped");
        } else {
            assert_eq!(lose(&queue).await?, 1);
        }
        assert_eq!(bill(&queue, id).await?, (400, vec![400]));
    }
    // Cancelled, but the work was done already.
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    tell(&queue, lease, 300).await?.expect("alive");
    queue.cancel(id).await?.expect("cancelled");
    for _ in 0..2 {
        let refused = settle(&queue, lease, completion(), used(500)).await?;
        assert_eq!(refused, Err(Refusal::TooLate));
        assert_eq!(bill(&queue, id).await?, (500, vec![500]));
    }
    // Waiting for those that it spawned.
    let id = queue.submit_task(&task("parent")).await?;
    let lease = agent.take_one().await?.lease;
    tell(&queue, lease, 300).await?.expect("alive");
    let children = [draft(&task("child"))];
    queue.spawn(lease, &children, true).await?.expect("spawned");
    assert_eq!(bill(&queue, id).await?, (300, vec![300]));
    Ok(())
}

#[tokio::test]
async fn a_question_that_nobody_answers_costs_nothing_more() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    tell(&queue, lease, 300).await?.expect("alive");
    agent.block(lease, Some(1_000)).await?.expect("blocked");
    queue.pass(2);
    assert_eq!(queue.expire_blocks().await?, 1);
    assert_eq!(bill(&queue, id).await?, (300, vec![300, 0]));
    Ok(())
}

/// F-37
#[tokio::test]
async fn a_late_result_posts_only_what_goes_beyond_its_attempt() -> Result<()> {
    let queue = Queue::new().await?;
    let [first, second] = [queue.agent("first").await?, queue.agent("second").await?];
    for claimed_since in [false, true] {
        for (late, total) in [(500, 500), (200, 300)] {
            for ending in [completion as fn() -> Ending, failure] {
                let id = queue.submit_task(&task("work")).await?;
                let lease = first.take_one().await?.lease;
                tell(&queue, lease, 300).await?.expect("alive");
                assert_eq!(lose(&queue).await?, 1);
                let mut since = 0;
                if claimed_since {
                    queue.pass(600);
                    queue.promote().await?;
                    let again = second.take_one().await?.lease;
                    assert_eq!(again.task, id);
                    tell(&queue, again, 70).await?.expect("alive");
                    since = 70;
                }
                let mut answers = Vec::new();
                for _ in 0..3 {
                    answers.push(settle(&queue, lease, ending(), used(late)).await?);
                    assert_eq!(bill(&queue, id).await?, (total + since, vec![300]));
                }
                assert_eq!(
                    answers[0].is_ok(),
                    !claimed_since && matches!(ending(), Ending::Complete { .. })
                );
                queue.cancel(id).await?.ok();
                assert!(lose(&queue).await? <= 1);
                assert_eq!(bill(&queue, id).await?.0, total + since);
            }
        }
    }
    Ok(())
}

/// What can happen to a lease, again and again.
#[derive(Debug, Clone, Copy)]
enum Step {
    Tell,
    Lose,
    TakeUpAgain,
}

/// F-37
#[tokio::test]
async fn whatever_happens_to_a_lease_it_is_billed_for_the_most_that_it_told() -> Result<()> {
    const STEPS: [Step; 3] = [Step::Tell, Step::Lose, Step::TakeUpAgain];
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    for story in 0..STEPS.len().pow(4) {
        let id = queue.submit_task(&task("work")).await?;
        let lease = agent.take_one().await?.lease;
        let mut told = 0;
        let mut rest = story;
        let mut steps = Vec::new();
        for at in 1..=4 {
            let step = STEPS[rest % STEPS.len()];
            rest /= STEPS.len();
            steps.push(step);
            match step {
                Step::Tell if tell(&queue, lease, at * 100).await?.is_ok() => told = at * 100,
                Step::Tell => {}
                Step::Lose => assert!(lose(&queue).await? <= 1),
                Step::TakeUpAgain => drop(agent.resume(lease).await?),
            }
            let (cost, _) = bill(&queue, id).await?;
            assert_eq!(cost, told, "{steps:?}");
        }
        settle(&queue, lease, completion(), used(1000))
            .await?
            .expect("nobody has claimed since");
        let (cost, rows) = bill(&queue, id).await?;
        assert_eq!(cost, 1000, "{steps:?}");
        assert!(rows.iter().sum::<i64>() <= 1000, "{steps:?}: {rows:?}");
        assert_eq!(queue.state(id).await?, State::Completed);
    }
    Ok(())
}

/// F-4, F-37
#[tokio::test]
async fn a_task_adds_up_all_its_attempts_model_by_model() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let other = queue.agent("other").await?;
    let id = queue.submit_task(&task("work")).await?;
    let again = async || {
        queue.pass(600);
        queue.promote().await
    };

    let failed = agent.take_one().await?.lease;
    settle(&queue, failed, failure(), used(250))
        .await?
        .expect("failed");
    again().await?;
    let lost = other.take_one().await?.lease;
    tell(&queue, lost, 300).await?.expect("alive");
    assert_eq!(lose(&queue).await?, 1);
    again().await?;
    let finishing = agent.take_one().await?.lease;
    let small = Usage::of_model(
        "small",
        ModelUsage {
            input_tokens: 40,
            output_tokens: 4,
            cached_input_tokens: 30,
            estimated_usd: Some(Micros(40)),
            ..ModelUsage::default()
        },
    );
    let operation = Heartbeat {
        ns: queue.ns,
        beats: &[beat(KEY, finishing, Some(small.merge(&used(100))))],
    };
    assert!(queue.store.run(&operation).await?.0[0].is_ok());
    assert_eq!(bill(&queue, id).await?, (690, vec![250, 300]));
    let late = settle(&queue, lost, completion(), used(350)).await?;
    assert_eq!(late, Err(Refusal::TooLate));
    assert_eq!(bill(&queue, id).await?, (740, vec![250, 300]));
    settle(&queue, finishing, completion(), used(150))
        .await?
        .expect("done");
    assert_eq!(bill(&queue, id).await?, (790, vec![250, 300, 190]));
    let shown = queue.task(id).await?;
    assert_eq!(shown.spent.cached_input_tokens, 30);
    assert!(!shown.spent.is_unpriced);
    assert_eq!(shown.attempts[2].usage, small.merge(&used(150)));
    Ok(())
}
