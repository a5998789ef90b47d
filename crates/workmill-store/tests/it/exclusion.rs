//! An agent that failed a task is kept from it for a while, as long as another one could run it.

use anyhow::Result;
use jiff::SignedDuration;
use workmill_core::explain::explain;
use workmill_core::failure::Reason;
use workmill_core::lane::Selection;
use workmill_core::policy::Strategy;
use workmill_core::price::PriceTable;
use workmill_core::task::NewTask;
use workmill_store::dispatch::agents::{AgentStatus, RegisterAgent, RemoveAgent};
use workmill_store::upkeep::agents::WatchAgents;
use workmill_testkit::factory::task;

use crate::actors::{Agent, KEY, Queue};

/// A task that is ready again as soon as it has failed.
fn tried_at_once() -> NewTask {
    let mut task = task("work");
    task.max_attempts = Some(10);
    task.retry.strategy = Some(Strategy::Immediate);
    task
}

async fn register(queue: &Queue, name: &str, models: &[&str], is_by_hand: bool) -> Result<()> {
    let operation = RegisterAgent {
        ns: queue.ns,
        key: KEY,
        agent: name,
        agent_type: "coder",
        capabilities: Vec::new(),
        models: models.iter().map(ToString::to_string).collect(),
        task_types: Vec::new(),
        slots: 100,
        poll_interval_ms: 5_000,
        claim_ttl_ms: None,
        is_by_hand,
    };
    queue.store.run(&operation).await?.0.expect("registered");
    Ok(())
}

async fn fail_once(agent: &Agent<'_>) -> Result<()> {
    let lease = agent.take_one().await?.lease;
    agent.fail(lease, Reason::Unknown).await?.expect("failed");
    Ok(())
}

/// The ways in which an agent goes away.
#[derive(Debug, Clone, Copy)]
enum Leaves {
    Removed,
    Draining,
    Offline,
    Silent,
}

#[tokio::test]
async fn an_agent_that_is_left_alone_gets_the_task_that_it_failed() -> Result<()> {
    for leaves in [
        Leaves::Removed,
        Leaves::Draining,
        Leaves::Offline,
        Leaves::Silent,
    ] {
        let queue = Queue::new().await?;
        let clumsy = queue.agent("clumsy").await?;
        queue.agent("other").await?;
        let id = queue.submit_task(&tried_at_once()).await?;
        fail_once(&clumsy).await?;
        assert!(clumsy.take(1).await?.is_empty(), "the other one could");
        let (ns, agent) = (queue.ns, "other");
        match leaves {
            Leaves::Removed => {
                let removed = queue.store.run(&RemoveAgent { ns, agent }).await?.0;
                removed.expect("removed");
            }
            Leaves::Draining => drop(queue.set_status(agent, AgentStatus::Draining).await?),
            Leaves::Offline => drop(queue.set_status(agent, AgentStatus::Offline).await?),
            Leaves::Silent => {
                let client = queue.test.database.client().await?;
                let long_ago = queue.test.clock.now() - SignedDuration::from_hours(1);
                let silent = "update workmill.agent set seen_at = $1 where agent = 'other'";
                client.execute(silent, &[&long_ago]).await?;
                let agents = &[agent.to_owned()].into();
                let counted = queue.store.run(&WatchAgents { ns, agents }).await?.0;
                assert_eq!(counted.offline, 1);
            }
        }
        let facts = queue.store.find_facts(ns, id).await?.expect("it is there");
        let said = explain(&facts, &PriceTable::default());
        assert_eq!(said.claimable_by, ["clumsy"], "{leaves:?}");
        let would = queue
            .store
            .find_would_claim(ns, "clumsy", &Selection::default(), 1)
            .await?;
        assert_eq!(would.tasks.len(), 1, "{leaves:?}");
        assert_eq!(clumsy.take_one().await?.lease.task, id, "{leaves:?}");
    }
    Ok(())
}

/// A lease of a person lasts for as long as it is renewed, and the next claim may never come.
#[tokio::test]
async fn an_agent_that_claims_by_hand_does_not_keep_a_worker_from_its_task() -> Result<()> {
    let queue = Queue::new().await?;
    let clumsy = queue.agent("clumsy").await?;
    register(&queue, "person", &[], true).await?;
    let id = queue.submit_task(&tried_at_once()).await?;
    fail_once(&clumsy).await?;
    assert_eq!(clumsy.take_one().await?.lease.task, id);
    Ok(())
}

/// The task then asks for other models than before.
#[tokio::test]
async fn the_only_agent_for_the_fallback_models_is_not_kept_from_the_task() -> Result<()> {
    let queue = Queue::new().await?;
    let clumsy = queue.agent("clumsy").await?;
    register(&queue, "clumsy", &["large", "small"], false).await?;
    register(&queue, "other", &["large"], false).await?;
    let mut task = tried_at_once();
    task.spec.constraints.model_preferences = vec!["large".to_owned()];
    task.spec.constraints.fallback_models = vec!["small".to_owned()];
    let id = queue.submit_task(&task).await?;
    fail_once(&clumsy).await?;
    queue.pass(60);
    fail_once(&clumsy).await?;
    let again = clumsy.take_one().await?;
    assert_eq!(
        (again.lease.task, again.models),
        (id, vec!["small".to_owned()])
    );
    Ok(())
}
