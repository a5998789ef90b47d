//! Who gets which task: one agent each, able, with the money for it, and soon.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use jiff::SignedDuration;
use workmill_core::agent::AgentStatus;
use workmill_core::ids::TaskId;
use workmill_core::money::Micros;
use workmill_core::policy::Profile;
use workmill_core::priority::Priority;
use workmill_core::task::NewTask;
use workmill_engine::supervise::Supervisor;
use workmill_engine::upkeep::agent_watcher;
use workmill_engine::{Caller, Engine};
use workmill_protocol::agents::{ChangeAgent, RegisterAgent};
use workmill_protocol::claims::ClaimTasks;
use workmill_protocol::graphs::CreateGraph;
use workmill_protocol::leases::SendHeartbeat;
use workmill_protocol::role::Role;
use workmill_testkit::database::TestStore;
use workmill_testkit::factory::task;

use super::done;
use crate::actors::{Server, agent, claim, status};

fn costing(title: &str, dollars: i64) -> NewTask {
    let mut task = task(title);
    task.spec.constraints.max_cost_usd = Some(Micros(dollars * 1_000_000));
    task
}

/// F-16
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_agents_at_once_claim_every_task_and_none_twice() -> Result<()> {
    const TASKS: usize = 200;
    let server = Server::start().await?;
    let producer = server.client(Role::Producer).await?;
    let submitted = producer.submit(vec![task("one of many"); TASKS]).await?;
    let mut agents = Vec::new();
    for number in 0..16 {
        let (worker, name) = (server.client(Role::Agent).await?, format!("agent {number}"));
        let mut described = agent(&name);
        described.max_concurrent_tasks = 1_000;
        worker.register(&described).await?;
        agents.push(tokio::spawn(async move {
            let mut got = Vec::new();
            while let Some(claimed) = worker.claim(&claim(&name, 0)).await?.pop() {
                got.push(claimed.task.id);
            }
            anyhow::Ok(got)
        }));
    }
    let mut claimed: Vec<TaskId> = Vec::new();
    for one in agents {
        claimed.extend(one.await??);
    }
    assert_eq!(claimed.len(), TASKS, "none twice");
    let claimed: BTreeSet<TaskId> = claimed.into_iter().collect();
    let submitted: BTreeSet<TaskId> = submitted.tasks.into_iter().map(|task| task.id).collect();
    assert_eq!(claimed, submitted);
    Ok(())
}

/// F-16: what somebody else is about to take is passed over, not waited for.
#[tokio::test]
async fn no_claim_waits_for_another_one() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.register(&agent("a")).await?;
    let first = client.submit(vec![task("first")]).await?.tasks[0].id;
    server.pass_a_second();
    let second = client.submit(vec![task("second")]).await?.tasks[0].id;
    let mut database = server.test.database.client().await?;
    let rival = database.transaction().await?;
    let lock = "select from workmill.state where task = $1 for update";
    rival.execute(lock, &[&first.0]).await?;
    let claimed = client.claim(&claim("a", 0)).await?.remove(0);
    assert_eq!(claimed.task.id, second);
    rival.rollback().await?;
    assert_eq!(client.claim(&claim("a", 0)).await?[0].task.id, first);
    Ok(())
}

/// F-17
#[tokio::test]
async fn a_task_goes_only_to_an_agent_with_all_it_requires() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let mut demanding = task("demanding");
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    demanding.spec.constraints.required_capabilities = words(&["git", "python"]);
    let id = client.submit(vec![demanding]).await?.tasks[0].id;
    for (name, capabilities) in [
        ("none", words(&[])),
        ("one", words(&["git"])),
        ("another", words(&["python", "rust"])),
    ] {
        let described = RegisterAgent {
            capabilities,
            ..agent(name)
        };
        client.register(&described).await?;
        assert!(client.claim(&claim(name, 0)).await?.is_empty(), "{name}");
    }
    let able = RegisterAgent {
        capabilities: words(&["web", "python", "git"]),
        ..agent("able")
    };
    client.register(&able).await?;
    assert_eq!(client.claim(&claim("able", 0)).await?[0].task.id, id);
    Ok(())
}

/// F-18: neither what the agent nor what the graph cannot afford; what is behind it is claimed.
#[tokio::test]
async fn what_cannot_be_afforded_is_passed_over_and_not_claimed() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    let poor = RegisterAgent {
        budget_remaining_usd: Some(Micros(3_000_000)),
        ..agent("poor")
    };
    client.register(&poor).await?;
    client.register(&agent("rich")).await?;
    let dear = client.submit(vec![costing("dear", 4)]).await?.tasks[0].id;
    server.pass_a_second();
    let cheap = client.submit(vec![costing("cheap", 2)]).await?.tasks[0].id;
    assert_eq!(client.claim(&claim("poor", 0)).await?[0].task.id, cheap);
    client.submit(vec![costing("cheap, too", 2)]).await?;
    let nothing = client.claim(&claim("poor", 0)).await?;
    assert!(nothing.is_empty(), "two of its three dollars are reserved");
    assert_eq!(client.claim(&claim("rich", 0)).await?[0].task.id, dear);
    assert_eq!(client.claim(&claim("rich", 0)).await?.len(), 1);

    let graph = CreateGraph {
        title: "g".to_owned(),
        draft: false,
        budget_usd: Some(Micros(5_000_000)),
        project_id: None,
        created_by: None,
        tasks: vec![costing("x", 4), costing("y", 4)],
    };
    client.create_graph(&graph).await?;
    let lease = client.claim(&claim("rich", 0)).await?.remove(0).lease;
    let nothing = client.claim(&claim("rich", 0)).await?;
    assert!(nothing.is_empty(), "four of the graph's five are reserved");
    client
        .complete(lease, &done(&serde_json::json!(null)))
        .await?;
    let one = client.claim(&claim("rich", 0)).await?.len();
    assert_eq!(one, 1, "it has cost nothing");
    Ok(())
}

/// F-19
#[tokio::test]
async fn a_draining_agent_finishes_what_it_holds_and_claims_nothing_new() -> Result<()> {
    let server = Server::start().await?;
    let (operator, worker) = (
        server.client(Role::Operator).await?,
        server.client(Role::Agent).await?,
    );
    let described = RegisterAgent {
        capabilities: vec!["git".to_owned()],
        models_available: vec!["large".to_owned()],
        poll_interval_sec: Some(2.5),
        claim_ttl_sec: Some(20.0),
        budget_remaining_usd: Some(Micros(7_000_000)),
        ..agent("a")
    };
    worker.register(&described).await?;
    let tasks = operator
        .submit(vec![costing("held", 2), costing("left", 2)])
        .await?
        .tasks;
    let held = worker.claim(&claim("a", 0)).await?.remove(0);
    let draining = ChangeAgent {
        status: Some(AgentStatus::Draining),
        ..ChangeAgent::default()
    };
    operator.change_agent("a", &draining).await?;
    worker
        .heartbeat(held.lease, &SendHeartbeat::default())
        .await?;
    server.pass_a_second();
    assert_eq!(
        worker.agent_heartbeat("a").await?.status,
        AgentStatus::Draining
    );
    let shown = operator.agent("a").await?;
    assert_eq!(
        (shown.agent_type.as_str(), shown.status, shown.current_tasks),
        ("coder", AgentStatus::Draining, 1)
    );
    assert_eq!(
        (&shown.capabilities, &shown.models_available),
        (&described.capabilities, &described.models_available)
    );
    assert_eq!(
        (shown.max_concurrent_tasks, shown.budget_remaining_usd),
        (4, Some(Micros(5_000_000))),
        "two of its seven dollars are reserved"
    );
    assert_eq!(
        (Some(shown.poll_interval_sec), shown.claim_ttl_sec),
        (described.poll_interval_sec, described.claim_ttl_sec)
    );
    assert_eq!(shown.tasks, [held.task.id]);
    assert_eq!(shown.last_heartbeat, server.test.clock.now());
    assert_eq!(status(worker.claim(&claim("a", 0)).await), 409);
    worker
        .complete(held.lease, &done(&serde_json::json!(1)))
        .await?;
    assert_eq!(status(worker.claim(&claim("a", 0)).await), 409);
    assert_eq!(operator.agent("a").await?.current_tasks, 0);
    let other = server.client(Role::Agent).await?;
    other.register(&agent("b")).await?;
    let left = other.claim(&claim("b", 0)).await?.remove(0).task.id;
    assert!(left != held.task.id && tasks.iter().any(|task| task.id == left));
    Ok(())
}

/// F-22: nobody tells this server of what another one has taken in; it looks by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_waiting_claim_finds_what_no_notification_told_of() -> Result<()> {
    let test = TestStore::new().await?;
    let (elsewhere, ns) = (Engine::new(Arc::clone(&test.store)), test.ns);
    let engine = Engine::new(Arc::clone(&test.store));
    let engine = engine.looking_again_after(Duration::from_millis(200));
    let server = Server::start_with(test, engine).await?;
    let duties = Supervisor::start(Arc::clone(&server.engine));
    let worker = server.client(Role::Agent).await?;
    worker.register(&agent("w")).await?;
    let mut looks = server.test.store.test_points.pause_at("claim.locked");
    let waiting = tokio::spawn(async move { worker.claim(&claim("w", 30_000)).await });
    // It has looked in vain before there is anything.
    let looking = looks.arrival().await;
    server.test.store.test_points.disarm("claim.locked");
    looking.go_on();
    let caller = Caller {
        ns,
        key: uuid::Uuid::nil(),
        name: "elsewhere".to_owned(),
        authority: workmill_core::authority::Authority::Orchestrator,
    };
    let submitted = elsewhere.submit_tasks(&caller, &[task("t")], None).await?;
    let committed = Instant::now();
    let claimed = waiting.await??;
    assert_eq!(claimed[0].task.id, submitted.tasks[0]);
    assert!(committed.elapsed() < Duration::from_secs(10));
    duties.stop().await;
    Ok(())
}

/// F-19: registering answers a session and the intervals to keep; who does not keep them is offline,
/// until its next call.
#[tokio::test]
async fn registering_answers_a_session_and_the_intervals_to_keep() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    let described = RegisterAgent {
        poll_interval_sec: Some(40.0),
        ..agent("a")
    };
    let first = client.register(&described).await?;
    let second = client.register(&described).await?;
    assert!(first.session.is_some() && first.session != second.session);
    assert_eq!(
        (
            first.poll_interval_sec,
            first.heartbeat_interval_sec,
            first.offline_after_sec
        ),
        (40.0, 40.0, 150.0)
    );
    let heard = client.agent_heartbeat("a").await?;
    assert_eq!(heard, second, "the last registration counts");
    let often = client.register(&agent("b")).await?;
    assert_eq!(
        (often.poll_interval_sec, often.heartbeat_interval_sec),
        (5.0, 30.0)
    );
    let watch = async || {
        let now = server.test.clock.now();
        agent_watcher::run_once(&server.engine, now).await
    };
    server.test.clock.advance(SignedDuration::from_secs(149));
    assert_eq!(
        watch().await?.offline,
        1,
        "b is silent for longer than it may"
    );
    server.test.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(watch().await?.offline, 1);
    let shown = client.agent("a").await?;
    assert_eq!(shown.status, AgentStatus::Offline);
    assert_eq!(shown.offline_since, Some(server.test.clock.now()));
    client.claim(&claim("a", 0)).await?;
    let shown = client.agent("a").await?;
    assert_eq!(
        (shown.status, shown.offline_since),
        (AgentStatus::Active, None)
    );
    Ok(())
}

#[tokio::test]
async fn a_claim_over_http_says_which_types_of_tasks_it_wants() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    let reviewer = RegisterAgent {
        task_types: vec!["review".to_owned(), "test".to_owned()],
        ..agent("a")
    };
    client.register(&reviewer).await?;
    assert_eq!(client.agent("a").await?.task_types, reviewer.task_types);
    let of_type = |task_type: &str| NewTask {
        task_type: task_type.to_owned(),
        ..task(task_type)
    };
    client
        .submit(vec![of_type("code"), of_type("test"), of_type("review")])
        .await?;
    let only = ClaimTasks {
        task_types: vec!["review".to_owned()],
        max: 3,
        ..claim("a", 0)
    };
    let claims = client.claim(&only).await?;
    assert_eq!(claims.len(), 1);
    assert_eq!(claims[0].task.asked.title, "review");
    let all = ClaimTasks {
        max: 3,
        ..claim("a", 0)
    };
    assert_eq!(client.claim(&all).await?[0].task.asked.title, "test");
    assert!(client.claim(&all).await?.is_empty(), "code is none of its");
    Ok(())
}

/// T-13 (part): any integer is a priority of the task profile; the others keep to their scale.
#[tokio::test]
async fn priorities_beyond_the_scale_are_for_the_task_profile() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    client.register(&agent("a")).await?;
    let with = |profile, priority| NewTask {
        profile,
        priority: Priority::new(priority).expect("an integer"),
        deadline: Some(server.test.clock.now() + SignedDuration::from_hours(1)),
        ..task(&priority.to_string())
    };
    assert_eq!(
        status(client.submit(vec![with(Profile::Agent, 101)]).await),
        400
    );
    client
        .submit(vec![
            with(Profile::Task, 5_000),
            with(Profile::Task, -3),
            with(Profile::Task, 700),
        ])
        .await?;
    for expected in ["-3", "700", "5000"] {
        let claimed = client.claim(&claim("a", 0)).await?.remove(0);
        assert_eq!(claimed.task.asked.title, expected);
    }
    Ok(())
}

/// F-21: an agent that keeps to its heartbeat interval keeps its lease, however long the interval.
#[tokio::test]
async fn a_lease_lasts_three_heartbeat_intervals() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    client.register(&agent("a")).await?;
    let contradictory = NewTask {
        lease_sec: Some(90.0),
        heartbeat_interval_sec: Some(120.0),
        ..task("contradictory")
    };
    assert_eq!(status(client.submit(vec![contradictory]).await), 400);
    let slow = NewTask {
        heartbeat_interval_sec: Some(120.0),
        ..task("slow")
    };
    client.submit(vec![slow]).await?;
    let held = client.claim(&claim("a", 0)).await?.remove(0);
    assert_eq!((held.heartbeat_ms, held.expires_in_ms), (120_000, 360_000));
    for _ in 0..5 {
        assert_eq!(server.reap_after(120).await?, 0);
        client
            .heartbeat(held.lease, &SendHeartbeat::default())
            .await?;
    }
    assert_eq!(server.reap_after(360).await?, 1);
    Ok(())
}
