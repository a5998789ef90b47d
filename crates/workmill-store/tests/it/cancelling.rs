//! Cancelling tasks and graphs, and what becomes of those that waited.

use anyhow::Result;
use serde_json::json;
use workmill_core::attempt::Outcome;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::failure::Reason;
use workmill_core::graph::GraphStatus;
use workmill_core::ids::GraphId;
use workmill_core::lifecycle::State;
use workmill_store::dispatch::claim::Claimed;
use workmill_store::intake::Submission;
use workmill_store::settlement::Refusal;
use workmill_store::settlement::cancel::CancelMode;
use workmill_testkit::factory::{graph, task};

use crate::actors::{Agent, Queue};

#[tokio::test]
async fn a_cancelled_ready_task_is_never_claimed() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    assert_eq!(queue.cancel(id).await?, Ok(State::Cancelled));
    assert!(agent.take(1).await?.is_empty());
    assert_eq!(
        queue.cancel(id).await?,
        Ok(State::Cancelled),
        "twice is once"
    );
    Ok(())
}

#[tokio::test]
async fn a_running_task_is_cancelled_at_once_and_its_agent_told_to_stop() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent_with("agent", "", &[], 1).await?;
    let id = queue.submit_task(&task("work")).await?;
    queue.submit_task(&task("next")).await?;
    let lease = agent.take_one().await?.lease;
    queue.cancel(id).await?.expect("cancelled");
    assert_eq!(queue.state(id).await?, State::Cancelled);
    let alive = agent
        .heartbeat(lease)
        .await?
        .expect("the lease is still there");
    assert_eq!(alive.stop.as_deref(), Some("cancelled"));
    assert!(
        agent.take(1).await?.is_empty(),
        "the slot is kept until it stopped"
    );
    agent.release(lease).await?.expect("confirmed");
    assert_eq!(agent.take(1).await?.len(), 1);
    let task = queue.task(id).await?;
    assert_eq!(
        (task.state, task.attempts[0].outcome),
        (State::Cancelled, Outcome::Cancelled)
    );
    Ok(())
}

#[tokio::test]
async fn a_cancelled_tasks_output_is_kept_and_refused() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    queue.cancel(id).await?.expect("cancelled");
    assert_eq!(
        agent.complete(lease, json!("done")).await?,
        Err(Refusal::TooLate)
    );
    let task = queue.task(id).await?;
    assert_eq!((task.state, task.output), (State::Cancelled, None));
    let client = queue.test.database.client().await?;
    let kept = client
        .query_one("select output from workmill.late_result", &[])
        .await?;
    assert_eq!(kept.get::<_, serde_json::Value>(0), json!("done"));
    Ok(())
}

#[tokio::test]
async fn an_agent_that_does_not_stop_loses_its_slot_when_its_lease_runs_out() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    queue.cancel(id).await?.expect("cancelled");
    for _ in 0..2 {
        queue.pass(45);
        agent
            .heartbeat(lease)
            .await?
            .expect("it goes on all the same");
    }
    queue.reap().await?;
    assert_eq!(agent.heartbeat(lease).await?, Err(Refusal::LeaseLost));
    assert_eq!(queue.state(id).await?, State::Cancelled);
    Ok(())
}

#[tokio::test]
async fn a_completed_task_cannot_be_cancelled() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    let lease = agent.take_one().await?.lease;
    agent.complete(lease, json!(1)).await?.expect("completed");
    assert!(matches!(queue.cancel(id).await?, Err(Refusal::Illegal(_))));
    Ok(())
}

/// a ← b (default), a ← c (wait), a ← d (run), b ← e (default)
fn family() -> Submission {
    let mut family = graph(&[
        ("a", &[]),
        ("b", &[0]),
        ("c", &[0]),
        ("d", &[0]),
        ("e", &[1]),
    ]);
    family.tasks[2].on_dependency_failure = OnDependencyFailure::Wait;
    family.tasks[3].on_dependency_failure = OnDependencyFailure::Run;
    family
}

#[tokio::test]
async fn below_a_cancelled_task_each_goes_by_its_own_rule() -> Result<()> {
    let queue = Queue::new().await?;
    let ids = queue.submit(family()).await?.tasks;
    queue.cancel(ids[0]).await?.expect("cancelled");
    let mut states = Vec::new();
    for id in &ids {
        states.push(queue.state(*id).await?);
    }
    assert_eq!(
        states,
        [
            State::Cancelled,
            State::Cancelled,
            State::Pending,
            State::Ready,
            State::Cancelled
        ]
    );
    let claim = queue.agent("agent").await?.take_one().await?;
    assert_eq!(
        claim.dependencies[0].state,
        State::Cancelled,
        "the missing input is marked"
    );
    assert_eq!(claim.dependencies[0].output, None);
    Ok(())
}

#[tokio::test]
async fn below_a_dead_letter_the_default_is_to_wait_and_reviving_frees_once() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let submitted = queue.submit(family()).await?;
    let (graph, ids) = (submitted.graph.expect("a graph"), submitted.tasks);
    let lease = agent.take_one().await?.lease;
    agent
        .fail(lease, Reason::InvalidInput)
        .await?
        .expect("failed");
    assert_eq!(queue.state(ids[1]).await?, State::Pending);
    assert_eq!(
        queue.state(ids[3]).await?,
        State::Ready,
        "it runs all the same"
    );
    let runner = agent.take_one().await?;
    agent
        .complete(runner.lease, json!(1))
        .await?
        .expect("completed");
    assert_eq!(queue.graph_status(graph).await?, GraphStatus::Failed);

    let resolution = workmill_store::settlement::dead_letters::Resolution::Retry;
    assert_eq!(queue.resolve(ids[0], resolution).await?, Ok(State::Ready));
    assert_eq!(queue.graph_status(graph).await?, GraphStatus::Running);
    let lease = agent.take_one().await?.lease;
    agent.complete(lease, json!(1)).await?.expect("completed");
    assert_eq!(queue.state(ids[1]).await?, State::Ready);
    assert_eq!(queue.state(ids[2]).await?, State::Ready);
    assert_eq!(
        queue.state(ids[3]).await?,
        State::Completed,
        "freed once, done once"
    );
    Ok(())
}

#[tokio::test]
async fn a_graph_is_cancelled_now_or_drained() -> Result<()> {
    for (mode, running) in [
        (CancelMode::Now, State::Cancelled),
        (CancelMode::Drain, State::Running),
    ] {
        let queue = Queue::new().await?;
        let agent = queue.agent("agent").await?;
        let submitted = queue
            .submit(graph(&[("a", &[]), ("b", &[]), ("c", &[0, 1])]))
            .await?;
        let id = submitted.graph.expect("a graph");
        let lease = agent.take_one().await?.lease;
        queue.cancel_graph(id, mode).await?;
        assert_eq!(queue.state(lease.task).await?, running);
        assert!(agent.take(10).await?.is_empty(), "nothing new starts");
        if mode == CancelMode::Drain {
            agent.fail(lease, Reason::Crash).await?.expect("failed");
            assert_eq!(
                queue.state(lease.task).await?,
                State::Cancelled,
                "it is not tried again"
            );
        }
        assert_eq!(queue.graph_status(id).await?, GraphStatus::Cancelled);
    }
    Ok(())
}

/// A graph of two tasks, one of them completed and the other one claimed.
async fn half_done(queue: &Queue) -> Result<(GraphId, Agent<'_>, Claimed)> {
    let agent = queue.agent("agent").await?;
    let submitted = queue.submit(graph(&[("a", &[]), ("b", &[])])).await?;
    let first = agent.take_one().await?;
    let done = agent.complete(first.lease, json!(1)).await?;
    done.expect("completed");
    let second = agent.take_one().await?;
    Ok((submitted.graph.expect("a graph"), agent, second))
}

#[tokio::test]
async fn a_cancelled_graph_ends_cancelled_although_some_of_its_tasks_completed() -> Result<()> {
    for mode in [CancelMode::Now, CancelMode::Drain] {
        let queue = Queue::new().await?;
        let (id, agent, second) = half_done(&queue).await?;
        queue.cancel_graph(id, mode).await?;
        if mode == CancelMode::Drain {
            assert_eq!(queue.graph_status(id).await?, GraphStatus::Running);
            let done = agent.complete(second.lease, json!(2)).await?;
            done.expect("what runs may finish");
        }
        assert_eq!(queue.graph_status(id).await?, GraphStatus::Cancelled);
    }
    Ok(())
}

/// F-8 (part): a graph whose tasks were cancelled one by one is completed, as the source says.
#[tokio::test]
async fn a_graph_is_completed_if_its_other_tasks_were_cancelled_singly() -> Result<()> {
    let queue = Queue::new().await?;
    let (id, _, second) = half_done(&queue).await?;
    queue.cancel(second.lease.task).await?.expect("cancelled");
    assert_eq!(queue.graph_status(id).await?, GraphStatus::Completed);
    queue.cancel_graph(id, CancelMode::Now).await?;
    let ended = queue.graph_status(id).await?;
    assert_eq!(ended, GraphStatus::Completed, "it had ended before");
    Ok(())
}
