//! Agents: how they stand, when they were seen, and how soon they must start.

use anyhow::Result;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use workmill_core::agent::DEFAULT_POLL_INTERVAL_MS;
use workmill_core::edition::Expected;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_core::policy::Profile;
use workmill_core::task::NewTask;
use workmill_store::dispatch::agents::{
    AgentChange, AgentRefusal, AgentStatus, ChangeAgent, RegisterAgent, Registered, SeeAgent,
};
use workmill_store::look::agents::Agent as Look;
use workmill_testkit::factory::task;

use crate::actors::{KEY, OTHER_KEY, Queue};

async fn register(queue: &Queue, claim_ttl_ms: Option<i64>) -> Result<Registered> {
    let operation = RegisterAgent {
        ns: queue.ns,
        key: KEY,
        agent: "agent",
        agent_type: "coder",
        capabilities: vec!["git".to_owned()],
        models: vec!["large".to_owned()],
        slots: 3,
        poll_interval_ms: DEFAULT_POLL_INTERVAL_MS,
        task_types: Vec::new(),
        is_by_hand: false,
        claim_ttl_ms,
    };
    Ok(queue.store.run(&operation).await?.0.expect("registered"))
}

async fn look(queue: &Queue) -> Result<Look> {
    let found = queue.store.find_agent(queue.ns, "agent").await?;
    Ok(found.expect("it is registered"))
}

async fn see(
    queue: &Queue,
    key: uuid::Uuid,
    agent: &str,
) -> Result<Result<Registered, AgentRefusal>> {
    let operation = SeeAgent {
        ns: queue.ns,
        key,
        agent,
    };
    Ok(queue.store.run(&operation).await?.0)
}

/// When the agent's row says that it was seen, and how often it was written.
async fn written(queue: &Queue) -> Result<(Timestamp, String)> {
    let client = queue.test.database.client().await?;
    let row = client
        .query_one("select seen_at, xmin::text from workmill.agent", &[])
        .await?;
    Ok((row.get(0), row.get(1)))
}

/// F-19: the whole of an agent, as F 6.2 has it.
#[tokio::test]
async fn a_registered_agent_is_shown_whole_with_what_it_holds() -> Result<()> {
    let queue = Queue::new().await?;
    register(&queue, Some(20_000)).await?;
    let agent = queue.agent_with("other", "", &[], 1).await?;
    let id = queue.submit_task(&task("work")).await?;
    agent.take_one().await?;
    let page = queue.store.find_agents(queue.ns, "", 10).await?;
    let names: Vec<&str> = page.agents.iter().map(|one| one.agent.as_str()).collect();
    assert_eq!(
        (names.as_slice(), page.next),
        (["agent", "other"].as_slice(), None)
    );
    let now = queue.store.now().await?;
    assert_eq!(
        page.agents[0],
        Look {
            agent: "agent".to_owned(),
            agent_type: "coder".to_owned(),
            capabilities: vec!["git".to_owned()],
            models: vec!["large".to_owned()],
            task_types: Vec::new(),
            slots: 3,
            status: AgentStatus::Active,
            silent_since: None,
            is_by_hand: false,
            status_set_by: None,
            poll_interval_ms: 5_000,
            claim_ttl_ms: Some(20_000),
            registered_at: now,
            last_seen_at: now,
            current_tasks: 0,
            budget_left: None,
        }
    );
    assert_eq!(page.agents[1].current_tasks, 1);
    assert_eq!(
        queue.store.find_tasks_of_agent(queue.ns, "other").await?,
        [id]
    );
    let first = queue.store.find_agents(queue.ns, "", 1).await?;
    assert_eq!(
        (first.agents.len(), first.next.as_deref()),
        (1, Some("other")),
        "a page says where the next one begins"
    );
    assert_eq!(queue.store.find_agent(queue.ns, "agen").await?, None);
    Ok(())
}

/// F-19: an operator's word outlasts a restart; an agent that went away comes back.
#[tokio::test]
async fn registering_again_does_not_undo_what_an_operator_has_set() -> Result<()> {
    let queue = Queue::new().await?;
    register(&queue, None).await?;
    for status in [AgentStatus::Draining, AgentStatus::Offline] {
        assert!(queue.set_status("agent", status).await?);
        assert_eq!(register(&queue, None).await?.status, status);
        let found = look(&queue).await?;
        assert_eq!(
            (found.status, found.status_set_by.as_deref()),
            (status, Some("operator"))
        );
    }
    assert!(queue.set_status("agent", AgentStatus::Active).await?);
    assert_eq!(look(&queue).await?.status_set_by, None);
    let client = queue.test.database.client().await?;
    let gone = "update workmill.agent set status = 'offline'";
    client.batch_execute(gone).await?;
    assert_eq!(register(&queue, None).await?.status, AgentStatus::Active);
    assert!(!queue.set_status("nobody", AgentStatus::Active).await?);
    Ok(())
}

#[tokio::test]
async fn what_an_operator_does_not_name_stays_as_it_is() -> Result<()> {
    let queue = Queue::new().await?;
    register(&queue, None).await?;
    assert!(queue.set_status("agent", AgentStatus::Draining).await?);
    let operation = ChangeAgent {
        ns: queue.ns,
        agent: "agent",
        change: AgentChange {
            status: None,
            slots: Some(7),
            capabilities: Some(vec!["b".to_owned(), "a".to_owned(), "b".to_owned()]),
            expected: Expected::Any,
        },
        changed_by: "somebody else",
    };
    assert!(queue.store.run(&operation).await?.0.is_ok());
    let found = look(&queue).await?;
    assert_eq!(
        (found.slots, found.capabilities.join(" ")),
        (7, "a b".to_owned())
    );
    assert_eq!(
        (found.status, found.status_set_by.as_deref()),
        (AgentStatus::Draining, Some("operator"))
    );
    Ok(())
}

/// F-19, F-20
#[tokio::test]
async fn an_agent_was_last_seen_when_it_registered_beat_claimed_or_renewed_a_lease() -> Result<()> {
    let queue = Queue::new().await?;
    register(&queue, None).await?;
    let agent = queue.agent_with("agent", "", &[], 3).await?;
    let began = queue.store.now().await?;
    let after = |seconds| began + SignedDuration::from_secs(seconds);
    queue.submit_task(&task("work")).await?;

    queue.pass(10);
    see(&queue, KEY, "agent").await?.expect("it is known");
    assert_eq!(look(&queue).await?.last_seen_at, after(10));
    queue.pass(5);
    let lease = agent.take_one().await?.lease;
    assert_eq!(look(&queue).await?.last_seen_at, after(15));
    queue.pass(60);
    agent.heartbeat(lease).await?.expect("alive");
    assert_eq!(look(&queue).await?.last_seen_at, after(75));
    queue.pass(100);
    agent.complete(lease, json!(1)).await?.expect("completed");
    assert!(agent.take(1).await?.is_empty());
    assert_eq!(
        look(&queue).await?.last_seen_at,
        after(175),
        "asking in vain is a sign of life"
    );
    Ok(())
}

/// F-16, F-20: the hot calls write no row of the agent, but for one claim in half a minute.
#[tokio::test]
async fn claims_and_heartbeats_do_not_write_the_agents_row_each_time() -> Result<()> {
    let queue = Queue::new().await?;
    register(&queue, None).await?;
    let agent = queue.agent_with("agent", "", &[], 3).await?;
    let before = written(&queue).await?;
    queue.submit_task(&task("work")).await?;
    queue.pass(29);
    let lease = agent.take_one().await?.lease;
    for _ in 0..5 {
        queue.pass(20);
        agent.heartbeat(lease).await?.expect("alive");
    }
    assert_eq!(written(&queue).await?, before);
    agent.take(1).await?;
    let after = written(&queue).await?;
    assert_eq!(after.0, queue.store.now().await?);
    queue.pass(29);
    agent.take(1).await?;
    assert_eq!(written(&queue).await?, after);
    Ok(())
}

/// F-19: `claim_ttl_sec` of F 6.2.
#[tokio::test]
async fn what_is_claimed_must_start_within_the_shorter_of_the_two_times() -> Result<()> {
    let hasty = NewTask {
        claim_ttl_sec: Some(5.0),
        ..task("hasty")
    };
    let patient = NewTask {
        profile: Profile::Task,
        ..task("patient")
    };
    for (asked, own, expected) in [
        (task("usual"), None, 60_000),
        (task("usual"), Some(20_000), 20_000),
        (task("usual"), Some(90_000), 60_000),
        (hasty, Some(20_000), 5_000),
        (patient.clone(), None, 600_000),
        (patient, Some(20_000), 600_000),
    ] {
        let queue = Queue::new().await?;
        register(&queue, own).await?;
        let agent = crate::actors::Agent {
            queue: &queue,
            name: "agent",
            key: KEY,
        };
        queue.submit_task(&asked).await?;
        let claimed = agent.try_claim(1, false).await?.expect("active").remove(0);
        assert_eq!(claimed.ttl_ms, expected, "{} and {own:?}", asked.title);
        let started = agent.start(claimed.lease).await?.expect("started");
        assert_eq!(
            started.expires_in_ms,
            asked.policy().lease_ms,
            "who has started is given the time of the task"
        );
    }
    Ok(())
}

/// F-19, F-20
#[tokio::test]
async fn an_agent_that_does_not_start_in_its_own_time_loses_the_task() -> Result<()> {
    let queue = Queue::new().await?;
    register(&queue, Some(20_000)).await?;
    let agent = crate::actors::Agent {
        queue: &queue,
        name: "agent",
        key: KEY,
    };
    let id = queue.submit_task(&task("work")).await?;
    agent.try_claim(1, false).await?.expect("active");
    queue.pass(19);
    assert!(queue.reap().await?.is_empty());
    queue.pass(1);
    queue.reap().await?.remove(0).expect("it was lost");
    let found = queue.task(id).await?;
    assert_eq!(found.state, State::Retrying);
    assert_eq!(found.attempts[0].reason, Some(Reason::ClaimExpired));
    Ok(())
}

#[tokio::test]
async fn only_the_key_that_registered_an_agent_speaks_for_it() -> Result<()> {
    let queue = Queue::new().await?;
    register(&queue, None).await?;
    let before = written(&queue).await?;
    queue.pass(60);
    assert_eq!(
        see(&queue, OTHER_KEY, "agent").await?,
        Err(AgentRefusal::TakenByAnotherKey)
    );
    assert_eq!(
        see(&queue, KEY, "nobody").await?,
        Err(AgentRefusal::Unknown)
    );
    assert_eq!(written(&queue).await?, before);
    queue.set_status("agent", AgentStatus::Draining).await?;
    let heard = see(&queue, KEY, "agent").await?.expect("it is known");
    assert_eq!(
        (heard.status, heard.poll_interval_ms),
        (AgentStatus::Draining, 5_000)
    );
    Ok(())
}
