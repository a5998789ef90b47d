//! What the model has found in the store, each once more as a story of its own.

mod events;
mod locks;

use anyhow::Result;
use serde_json::json;
use uuid::Uuid;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_core::policy::Profile;
use workmill_core::priority::Priority;
use workmill_core::task::NewTask;
use workmill_store::Store;
use workmill_store::clock::Clock;
use workmill_store::dispatch::claim::{Claim, ClaimRequest};
use workmill_store::execution::{Beat, Heartbeat};
use workmill_store::settlement::Refusal;
use workmill_store::settlement::answer::ExpireBlocks;
use workmill_store::settlement::cancel::CancelMode;
use workmill_testkit::factory::{graph, singles, task};

use crate::actors::{KEY, OTHER_KEY, Queue};

fn ask(agent: &str, key: Uuid, request: Option<u128>) -> ClaimRequest {
    ClaimRequest {
        key,
        agent: agent.to_owned(),
        most: 1,
        start: true,
        request: request.map(Uuid::from_u128),
        selection: workmill_core::lane::Selection::default(),
        lease_ms: None,
    }
}

/// F-15
#[tokio::test]
async fn a_server_learns_of_other_servers_lanes_also_while_it_has_work_in_its_own() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(singles(&[task("a"), task("b")])).await?;
    agent.take_one().await?;
    let url = queue.test.database.url();
    let other = Store::with_clock(url, 2, Clock::Manual(queue.test.clock.clone()))?;
    let urgent = NewTask {
        agent_type: Some(String::new()),
        priority: Priority::new(0)?,
        ..task("urgent")
    };
    let submission = singles(&[urgent]);
    let operation = workmill_store::intake::Submit {
        ns: queue.ns,
        submissions: &[submission],
    };
    let urgent = other
        .run(&operation)
        .await?
        .0
        .remove(0)
        .expect("accepted")
        .tasks[0];
    queue.pass(5);
    assert_eq!(agent.take_one().await?.lease.task, urgent);
    Ok(())
}

/// A client that did not hear the answer asks again while the first call still waits in line.
#[tokio::test]
async fn a_claim_that_is_repeated_within_one_batch_is_served_once_and_answered_twice() -> Result<()>
{
    let queue = Queue::new().await?;
    queue.agent("agent").await?;
    queue.submit(singles(&[task("a"), task("b")])).await?;
    let requests = [
        ask("agent", OTHER_KEY, Some(7)),
        ask("agent", KEY, Some(7)),
        ask("agent", KEY, Some(7)),
    ];
    for _ in 0..2 {
        let operation = Claim {
            ns: queue.ns,
            requests: &requests,
        };
        let answers = queue.store.run(&operation).await?.0;
        let leases: Vec<_> = answers
            .into_iter()
            .skip(1)
            .map(|answer| answer.expect("admitted"))
            .map(|claimed| claimed.iter().map(|one| one.lease).collect::<Vec<_>>())
            .collect();
        assert_eq!(leases[0].len(), 1);
        assert_eq!(leases[0], leases[1]);
    }
    Ok(())
}

#[tokio::test]
async fn an_agent_gets_what_shuns_another_one_that_asks_in_the_same_batch() -> Result<()> {
    let queue = Queue::new().await?;
    let bad = queue.agent("bad").await?;
    queue.agent("good").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = bad.take_one().await?.lease;
    bad.fail(lease, Reason::Crash).await?.expect("failed");
    queue.pass(10);
    assert_eq!(queue.promote().await?, 1);
    let requests = [ask("bad", KEY, None), ask("good", KEY, None)];
    let operation = Claim {
        ns: queue.ns,
        requests: &requests,
    };
    let mut answers = queue.store.run(&operation).await?.0;
    let good = answers.pop().expect("two answers").expect("admitted");
    assert_eq!(good.first().map(|one| one.lease.task), Some(id));
    assert!(
        answers
            .pop()
            .expect("two answers")
            .expect("admitted")
            .is_empty()
    );
    Ok(())
}

#[tokio::test]
async fn starting_again_renews_the_lease_that_it_says_it_renews() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    queue.pass(80);
    let alive = agent.start(lease).await?.expect("it runs");
    assert_eq!(alive.expires_in_ms, 90_000);
    queue.pass(80);
    assert_eq!(queue.reap().await?, []);
    assert_eq!(queue.state(id).await?, State::Running);
    Ok(())
}

/// Beats of several callers share a batch.
#[tokio::test]
async fn a_key_renews_no_lease_of_another_keys_agent_also_in_one_batch_with_it() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(singles(&[task("a"), task("b")])).await?;
    let leases: Vec<_> = agent.take(2).await?.iter().map(|one| one.lease).collect();
    let beat = |key, lease, checkpoint: &str| Beat {
        key,
        lease,
        progress: None,
        checkpoint: Some(json!(checkpoint).into()),
        usage: None,
    };
    let beats = [
        beat(OTHER_KEY, leases[0], "forged"),
        beat(KEY, leases[1], "own"),
        beat(OTHER_KEY, leases[1], "forged"),
    ];
    let operation = Heartbeat {
        ns: queue.ns,
        beats: &beats,
    };
    let answers = queue.store.run(&operation).await?.0;
    assert_eq!(answers[0], Err(Refusal::LeaseLost));
    assert!(answers[1].is_ok());
    assert_eq!(answers[2], Err(Refusal::LeaseLost));
    let client = queue.test.database.client().await?;
    let kept = "select data from workmill.checkpoint";
    let kept = client.query_one(kept, &[]).await?;
    assert_eq!(kept.get::<_, serde_json::Value>(0), json!("own"));
    Ok(())
}

#[tokio::test]
async fn a_block_expirer_that_comes_late_does_not_end_the_next_question() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    agent.block(lease, Some(60_000)).await?.expect("blocked");
    queue.pass(60);
    let now = queue.store.now().await?;
    let mut found = queue.store.find_expired_blocks(now, 10).await?;
    queue.answer(id, json!("yes")).await?.expect("answered");
    let lease = agent.take_one().await?.lease;
    agent.block(lease, Some(60_000)).await?.expect("blocked");
    let operation = ExpireBlocks {
        ns: queue.ns,
        tasks: found.remove(&queue.ns).expect("it was over"),
        random: 0.5,
    };
    assert_eq!(queue.store.run(&operation).await?.0, 0);
    assert_eq!(queue.state(id).await?, State::Blocked);
    Ok(())
}

#[tokio::test]
async fn a_lease_taken_up_again_keeps_the_longer_time_that_its_attempt_was_given() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let mut asked = task("work");
    asked.spec.constraints.max_duration_sec = Some(100.0);
    asked.max_timeout_sec = Some(200.0);
    let id = queue.submit_task(&asked).await?;
    agent.take_one().await?;
    for _ in 0..2 {
        queue.pass(50);
        let lease = queue.task(id).await?.epoch;
        let lease = workmill_core::ids::LeaseId {
            task: id,
            epoch: lease,
        };
        agent.heartbeat(lease).await?.expect("alive");
    }
    assert_eq!(queue.reap().await?.len(), 1, "it took too long");
    queue.pass(60);
    queue.promote().await?;
    let lease = agent.take_one().await?.lease;
    queue.pass(90);
    assert_eq!(queue.reap().await?.len(), 1, "no sign of life");
    agent.resume(lease).await?.expect("nobody has claimed it");
    queue.pass(20);
    assert_eq!(queue.reap().await?, [], "the second attempt may take 200 s");
    Ok(())
}

#[tokio::test]
async fn a_result_that_came_too_late_gets_the_same_answer_when_it_is_sent_again() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    queue.cancel(id).await?.expect("cancelled");
    for _ in 0..2 {
        let answer = agent.complete(lease, json!("done")).await?;
        assert_eq!(answer, Err(Refusal::TooLate));
    }
    Ok(())
}

#[tokio::test]
async fn cancelling_a_graph_again_counts_nothing_twice() -> Result<()> {
    let queue = Queue::new().await?;
    let submitted = queue.submit(graph(&[("a", &[]), ("b", &[0])])).await?;
    let graph = submitted.graph.expect("a graph");
    assert_eq!(queue.cancel_graph(graph, CancelMode::Now).await?, 2);
    assert_eq!(queue.cancel_graph(graph, CancelMode::Now).await?, 0);
    Ok(())
}

#[tokio::test]
async fn a_graph_that_is_drained_waits_for_no_answer_and_for_nobodys_look() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let mut submission = graph(&[("asks", &[]), ("vanishes", &[])]);
    let work = NewTask {
        profile: Profile::Work,
        ..task("vanishes")
    };
    submission.tasks[1] = workmill_testkit::factory::draft(&work);
    let submitted = queue.submit(submission).await?;
    let claimed = agent.take(2).await?;
    assert_eq!(claimed.len(), 2);
    let graph = submitted.graph.expect("a graph");
    assert_eq!(queue.cancel_graph(graph, CancelMode::Drain).await?, 0);
    let asking = claimed
        .iter()
        .find(|one| one.lease.task == submitted.tasks[0]);
    let lease = asking.expect("claimed").lease;
    agent.block(lease, None).await?.expect("it ends");
    queue.pass(1800);
    assert_eq!(queue.reap().await?.len(), 1);
    for id in submitted.tasks {
        assert_eq!(queue.state(id).await?, State::Cancelled);
    }
    Ok(())
}
