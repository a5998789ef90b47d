//! Agents that fall silent are offline, until their next call; those that claimed by hand go.

use std::collections::BTreeMap;

use anyhow::Result;
use jiff::SignedDuration;
use workmill_core::agent::AgentStatus;
use workmill_core::policy::Profile;
use workmill_core::task::NewTask;
use workmill_store::dispatch::agents::{AgentRefusal, RegisterAgent, RemoveAgent, SeeAgent};
use workmill_store::look::agents::Agent as Seen;
use workmill_store::settlement::Refusal;
use workmill_store::upkeep::agents::{Counted, NoteAgents, SignOffAgent, WatchAgents};
use workmill_store::upkeep::amnesty::GrantAmnesty;
use workmill_testkit::factory::task;

use crate::actors::{KEY, OTHER_KEY, Queue};

/// What the duty does.
async fn watch(queue: &Queue) -> Result<Counted> {
    let now = queue.test.clock.now();
    let found = queue.store.find_restless_agents(now, 1_000).await?;
    let mut counted = Counted::default();
    for (ns, agents) in found {
        let agents = &agents;
        counted = queue.store.run(&WatchAgents { ns, agents }).await?.0;
    }
    Ok(counted)
}

async fn seen(queue: &Queue, name: &str) -> Result<Option<Seen>> {
    Ok(queue.store.find_agent(queue.ns, name).await?)
}

async fn status(queue: &Queue, name: &str) -> Result<AgentStatus> {
    Ok(seen(queue, name).await?.expect("it is there").status)
}

async fn events(queue: &Queue) -> Result<Vec<String>> {
    let client = queue.test.database.client().await?;
    let found = "select f ->> 'type' from workmill.event e, json_array_elements(e.facts) f
         where f ->> 'type' like 'agent.o%' order by e.batch";
    let rows = client.query(found, &[]).await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

fn registration<'a>(queue: &Queue, name: &'a str, is_by_hand: bool) -> RegisterAgent<'a> {
    RegisterAgent {
        ns: queue.ns,
        key: KEY,
        agent: name,
        agent_type: "coder",
        capabilities: Vec::new(),
        models: Vec::new(),
        task_types: Vec::new(),
        slots: 1,
        poll_interval_ms: 5_000,
        claim_ttl_ms: None,
        is_by_hand,
    }
}

/// F-19 (part)
#[tokio::test]
async fn a_silent_agent_is_offline_and_back_with_its_next_call() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.pass(119);
    assert_eq!(watch(&queue).await?, Counted::default());
    queue.pass(1);
    assert_eq!(watch(&queue).await?.offline, 1);
    assert_eq!(watch(&queue).await?, Counted::default(), "told once");
    assert_eq!(status(&queue, "agent").await?, AgentStatus::Offline);
    let id = queue.submit_task(&task("work")).await?;
    assert_eq!(agent.take_one().await?.lease.task, id);
    assert_eq!(status(&queue, "agent").await?, AgentStatus::Active);
    assert_eq!(events(&queue).await?, ["agent.offline", "agent.online"]);
    Ok(())
}

#[tokio::test]
async fn a_draining_agent_that_was_silent_is_draining_again() -> Result<()> {
    let queue = Queue::new().await?;
    queue.agent("agent").await?;
    queue.set_status("agent", AgentStatus::Draining).await?;
    queue.pass(1_000);
    assert_eq!(watch(&queue).await?.offline, 1);
    assert_eq!(status(&queue, "agent").await?, AgentStatus::Offline);
    let see = SeeAgent {
        ns: queue.ns,
        key: KEY,
        agent: "agent",
    };
    let heard = queue.store.run(&see).await?.0.expect("known");
    assert_eq!(heard.status, AgentStatus::Draining);
    assert_eq!(status(&queue, "agent").await?, AgentStatus::Draining);
    Ok(())
}

#[tokio::test]
async fn an_agent_that_signs_off_is_offline_until_its_next_call() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let see = SeeAgent {
        ns: queue.ns,
        key: KEY,
        agent: "agent",
    };
    let session = queue.store.run(&see).await?.0.expect("known").session;
    let sign_off = SignOffAgent {
        ns: queue.ns,
        key: KEY,
        agent: "agent",
        session: session.expect("a session"),
    };
    let answered = async |sign_off: &SignOffAgent<'_>| -> Result<_> {
        let answer = queue.store.run(sign_off).await?.0;
        Ok(answer.map(|registered| registered.status))
    };
    let id = queue.submit_task(&task("work")).await?;
    let claimed = agent.take_one().await?;
    let holding = answered(&sign_off).await?;
    assert_eq!(holding, Ok(AgentStatus::Active), "it holds a task");
    // So long that the end of its attempt is worth writing down.
    queue.pass(40);
    agent
        .complete(claimed.lease, 1.into())
        .await?
        .expect("done");
    let earlier = SignOffAgent {
        session: uuid::Uuid::nil(),
        ..sign_off
    };
    let other_session = answered(&earlier).await?;
    assert_eq!(other_session, Ok(AgentStatus::Active), "a later session");
    let foreign = SignOffAgent {
        key: OTHER_KEY,
        ..sign_off
    };
    let foreign = answered(&foreign).await?;
    assert_eq!(foreign, Err(AgentRefusal::TakenByAnotherKey));
    assert_eq!(status(&queue, "agent").await?, AgentStatus::Active);
    assert_eq!(events(&queue).await?, Vec::<String>::new());

    let ended_at = queue.test.clock.now();
    queue.pass(60);
    assert_eq!(answered(&sign_off).await?, Ok(AgentStatus::Offline));
    assert_eq!(answered(&sign_off).await?, Ok(AgentStatus::Offline));
    assert_eq!(status(&queue, "agent").await?, AgentStatus::Offline);
    assert_eq!(watch(&queue).await?, Counted::default());
    // The end of its last attempt is written down later, and is no later call.
    let heard = BTreeMap::from([("agent".to_owned(), ended_at)]);
    let note = NoteAgents {
        ns: queue.ns,
        heard: &heard,
    };
    queue.store.run(&note).await?;
    assert_eq!(status(&queue, "agent").await?, AgentStatus::Offline);

    let heard = queue.store.run(&see).await?.0.expect("known");
    assert_eq!(heard.status, AgentStatus::Active);
    assert_eq!(status(&queue, "agent").await?, AgentStatus::Active);
    assert_eq!(events(&queue).await?, ["agent.offline", "agent.online"]);
    assert_eq!(claimed.lease.task, id);
    Ok(())
}

/// It is heard by its heartbeats while it holds a lease, and by what it ends.
#[tokio::test]
async fn an_agent_that_works_is_not_silent() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let long = NewTask {
        profile: Profile::Task,
        ..task("long")
    };
    queue.submit_task(&long).await?;
    let claimed = agent.take_one().await?;
    queue.pass(599);
    assert_eq!(watch(&queue).await?, Counted::default());
    agent.heartbeat(claimed.lease).await?.expect("alive");
    queue.pass(599);
    assert_eq!(watch(&queue).await?, Counted::default());
    agent
        .complete(claimed.lease, 1.into())
        .await?
        .expect("done");
    let heard = BTreeMap::from([("agent".to_owned(), queue.test.clock.now())]);
    let note = NoteAgents {
        ns: queue.ns,
        heard: &heard,
    };
    queue.store.run(&note).await?;
    assert_eq!(watch(&queue).await?, Counted::default());
    queue.pass(120);
    assert_eq!(watch(&queue).await?.offline, 1);
    Ok(())
}

#[tokio::test]
async fn a_lease_that_is_kept_alive_brings_an_agent_back() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit_task(&task("work")).await?;
    let claimed = agent.take_one().await?;
    queue.pass(1_000);
    assert_eq!(watch(&queue).await?.offline, 1);
    agent
        .heartbeat(claimed.lease)
        .await?
        .expect("nobody has reaped it");
    assert_eq!(watch(&queue).await?.online, 1);
    assert_eq!(status(&queue, "agent").await?, AgentStatus::Active);
    Ok(())
}

/// When no agent could be heard, none is silent.
#[tokio::test]
async fn an_outage_makes_no_agent_silent() -> Result<()> {
    let queue = Queue::new().await?;
    queue.agent("agent").await?;
    queue.pass(10_000);
    queue.store.run(&GrantAmnesty { ns: queue.ns }).await?;
    assert_eq!(watch(&queue).await?, Counted::default());
    Ok(())
}

#[tokio::test]
async fn an_agent_that_claimed_by_hand_is_removed_after_a_day() -> Result<()> {
    let queue = Queue::new().await?;
    for (name, is_by_hand) in [("hand", true), ("worker", false)] {
        let registration = registration(&queue, name, is_by_hand);
        queue.store.run(&registration).await?.0.expect("registered");
    }
    queue.pass(200);
    assert_eq!(watch(&queue).await?.offline, 2);
    queue
        .test
        .clock
        .advance(SignedDuration::from_hours(24) - SignedDuration::from_secs(1));
    assert_eq!(watch(&queue).await?, Counted::default());
    queue.pass(1);
    assert_eq!(watch(&queue).await?.removed, 1);
    assert!(seen(&queue, "hand").await?.is_none());
    assert!(seen(&queue, "worker").await?.is_some());
    Ok(())
}

#[tokio::test]
async fn a_claim_by_hand_leaves_the_registration_of_a_worker_as_it_is() -> Result<()> {
    let queue = Queue::new().await?;
    let worker = registration(&queue, "agent", false);
    let first = queue.store.run(&worker).await?.0.expect("registered");
    let by_hand = RegisterAgent {
        agent_type: "",
        slots: 10_000,
        ..registration(&queue, "agent", true)
    };
    let second = queue.store.run(&by_hand).await?.0.expect("known");
    assert_eq!(second, first, "the session of the worker goes on");
    let seen = seen(&queue, "agent").await?.expect("there");
    assert_eq!((seen.agent_type.as_str(), seen.slots), ("coder", 1));
    // A worker takes the name of one who claimed by hand.
    let by_hand = registration(&queue, "other", true);
    queue.store.run(&by_hand).await?.0.expect("registered");
    let worker = registration(&queue, "other", false);
    let worker = queue.store.run(&worker).await?.0.expect("registered");
    assert!(!worker.is_by_hand);
    Ok(())
}

#[tokio::test]
async fn an_agent_that_holds_nothing_can_be_removed_and_its_name_is_free() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let operator = workmill_core::audit::Actor {
        name: "operator".to_owned(),
        key: None,
    };
    let remove = RemoveAgent {
        ns: queue.ns,
        agent: "agent",
    };
    queue.submit_task(&task("work")).await?;
    let claimed = agent.take_one().await?;
    let refused = queue.store.run_by(&operator, &remove).await?.0;
    assert_eq!(refused, Err(AgentRefusal::Holding(1)));
    agent
        .complete(claimed.lease, 1.into())
        .await?
        .expect("done");
    assert_eq!(queue.store.run_by(&operator, &remove).await?.0, Ok(()));
    assert!(seen(&queue, "agent").await?.is_none());
    let again = queue.store.run_by(&operator, &remove).await?.0;
    assert_eq!(again, Err(AgentRefusal::Unknown));
    queue.pass(1);
    let anew = RegisterAgent {
        key: OTHER_KEY,
        ..registration(&queue, "agent", false)
    };
    assert!(queue.store.run(&anew).await?.0.is_ok(), "another key may");
    let repeated = agent.complete(claimed.lease, 1.into()).await?;
    assert!(
        repeated.is_err(),
        "the first key speaks for no agent any more"
    );
    let successor = crate::actors::Agent {
        key: OTHER_KEY,
        ..agent
    };
    assert_eq!(
        successor.complete(claimed.lease, 1.into()).await?,
        Err(Refusal::NotTheHolder),
        "the attempts of the removed agent are not those of its successor"
    );
    Ok(())
}

/// A foreign key's call is none of the agent's.
#[tokio::test]
async fn a_call_with_another_key_does_not_bring_an_agent_back() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.pass(1_000);
    watch(&queue).await?;
    let stranger = crate::actors::Agent {
        key: OTHER_KEY,
        ..agent
    };
    assert!(stranger.try_claim(1, true).await?.is_err());
    assert_eq!(status(&queue, "agent").await?, AgentStatus::Offline);
    Ok(())
}
