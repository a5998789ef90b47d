//! Work goes in, round and out.

use std::time::{Duration, Instant};

use std::collections::BTreeMap;

use anyhow::Result;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::graph::GraphStatus;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_engine::upkeep::rank_refresher;
use workmill_protocol::explain::Suspect;
use workmill_protocol::graphs::CreateGraph;
use workmill_protocol::leases::{
    CompleteTask, Directive, FailTask, ModelUsage, SendHeartbeat, Usage,
};
use workmill_protocol::role::Role;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim};

fn done(output: &serde_json::Value, cost_usd: f64) -> CompleteTask {
    CompleteTask {
        output: serde_json::value::to_raw_value(output).expect("JSON"),
        artifacts: vec![json!("artifact:abc"), json!({"path": "a/b"})],
        usage: Usage {
            cost_usd: Some(cost_usd),
            input_tokens: Some(100),
            output_tokens: Some(7),
            ..Usage::default()
        },
        claim: None,
    }
}

#[tokio::test]
async fn a_task_that_waits_says_what_for_to_those_who_may_look() -> Result<()> {
    let server = Server::start().await?;
    let (producer, worker) = (
        server.client(Role::Producer).await?,
        server.client(Role::Agent).await?,
    );
    let id = producer.submit(vec![task("work")]).await?.tasks[0].id;
    let said = producer.explain(id).await?;
    assert_eq!(
        said.summary,
        "No agent is registered; the task accepts any agent."
    );
    worker.register(&agent("a")).await?;
    let said = producer.explain(id).await?;
    assert_eq!(said.claimable_by, ["a"]);
    assert!(
        worker.explain(id).await.is_err(),
        "agents do not look around"
    );
    worker.claim(&claim("a", 0)).await?;
    let said = producer.explain(id).await?;
    assert_eq!(said.claim.map(|claim| claim.agent).as_deref(), Some("a"));
    Ok(())
}

/// F-4, F-32 (part), F-37: submitted, claimed, failed, retried, completed; every cent is accounted
/// for.
#[tokio::test]
async fn a_task_goes_all_the_way_round() -> Result<()> {
    let server = Server::start().await?;
    let (producer, worker) = (
        server.client(Role::Producer).await?,
        server.client(Role::Agent).await?,
    );
    let ageing = NewTask {
        priority_boost_per_minute: Some(0.6),
        ..task("work")
    };
    let submitted = producer.submit(vec![ageing]).await?.tasks.remove(0);
    let (id, boost) = (submitted.id, submitted.priority_boost_per_minute);
    assert!((boost - 1.0).abs() < 1e-9, "the answer says what counts");
    worker.register(&agent("a")).await?;

    let first = worker.claim(&claim("a", 0)).await?.remove(0);
    assert_eq!(
        (first.task.id, first.attempt, first.status),
        (id, 1, State::Running)
    );
    assert_eq!(
        worker
            .heartbeat(first.lease, &SendHeartbeat::default())
            .await?
            .directive,
        Directive::Continue
    );
    let failure = FailTask {
        reason: Reason::Network,
        message: "no route".to_owned(),
        details: None,
        retry_after_ms: None,
        usage: Usage {
            cost_usd: Some(0.25),
            input_tokens: Some(50),
            ..Usage::default()
        },
        claim: None,
    };
    let settled = worker.fail(first.lease, &failure).await?;
    assert_eq!(settled.status, State::Retrying);
    let said = producer.explain(first.lease.task).await?;
    let matrix = said.attempt_matrix.expect("it has failed");
    assert_eq!(matrix.suspect, Suspect::Unknown, "{matrix:#?}");
    assert_eq!(matrix.lines[0].here[0].ended, failure.reason.name());
    server
        .test
        .clock
        .advance(jiff::SignedDuration::from_secs(60));
    let now = server.test.clock.now();
    workmill_engine::upkeep::due_promoter::run_once(&server.engine, now).await?;

    let second = worker.claim(&claim("a", 0)).await?.remove(0);
    assert_eq!(
        second.context.earlier_attempts[0].error.as_deref(),
        Some("no route")
    );
    worker
        .complete(second.lease, &done(&json!({"ok": true}), 0.5))
        .await?;
    let task = producer.task(id).await?;
    assert_eq!(task.status, State::Completed);
    let output = task.output.expect("it has completed");
    assert_eq!(output.data, json!({"ok": true}));
    assert_eq!(output.output_type, None);
    assert_eq!(
        output.artifacts,
        [json!("artifact:abc"), json!({"path": "a/b"})]
    );
    assert!((task.cost_usd - 0.75).abs() < 1e-9, "{}", task.cost_usd);
    assert_eq!((task.tokens_used.input, task.tokens_used.output), (150, 7));
    assert!((task.priority_boost_per_minute - 1.0).abs() < 1e-9);
    Ok(())
}

/// F-37
#[tokio::test]
async fn usage_is_reported_by_model_and_shown_with_its_cost() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let id = client.submit(vec![task("work")]).await?.tasks[0].id;
    client.register(&agent("a")).await?;
    let lease = client.claim(&claim("a", 0)).await?.remove(0).lease;
    let models = |input_tokens| {
        let tokens = ModelUsage {
            input_tokens,
            ..ModelUsage::default()
        };
        BTreeMap::from([
            (
                "anthropic/claude-haiku-4-5-20251001".to_owned(),
                tokens.clone(),
            ),
            ("homemade".to_owned(), tokens),
        ])
    };
    let usage = |input_tokens| Usage {
        models: models(input_tokens),
        ..Usage::default()
    };
    for input_tokens in [1_000_000, 500_000] {
        let heartbeat = SendHeartbeat {
            usage: Some(usage(input_tokens)),
            ..SendHeartbeat::default()
        };
        client.heartbeat(lease, &heartbeat).await?;
        let running = client.task(id).await?.claim.expect("it runs");
        assert!((running.cost_usd - 1.0).abs() < 1e-9, "a dollar a million");
    }
    let completion = CompleteTask {
        usage: usage(2_000_000),
        ..done(&json!(1), 0.0)
    };
    client.complete(lease, &completion).await?;
    let task = client.task(id).await?;
    assert!((task.cost_usd - 2.0).abs() < 1e-9, "{}", task.cost_usd);
    assert_eq!(task.tokens_used.input, 4_000_000);
    assert!(task.unpriced);
    let shown = task.attempts[0].usage.as_ref().expect("it was reported");
    assert!(shown.models["anthropic/claude-haiku-4-5-20251001"].estimated);
    assert!(shown.models["homemade"].unpriced);
    Ok(())
}

/// F-10
#[tokio::test]
async fn a_graph_is_created_by_names_and_worked_through_in_order() -> Result<()> {
    let server = Server::start().await?;
    let (producer, worker) = (
        server.client(Role::Orchestrator).await?,
        server.client(Role::Agent).await?,
    );
    let named = |name: &str, depends_on: &[&str]| NewTask {
        name: Some(name.to_owned()),
        depends_on: depends_on.iter().map(ToString::to_string).collect(),
        ..task(name)
    };
    let graph = CreateGraph {
        draft: false,
        budget_usd: None,
        project_id: None,
        created_by: None,
        title: "three steps".to_owned(),
        tasks: vec![named("c", &["b"]), named("b", &["a"]), named("a", &[])],
    };
    let created = producer.create_graph(&graph).await?;
    assert_eq!(created.roots, [created.tasks["a"]]);
    assert_eq!(created.leaves, [created.tasks["c"]]);
    worker.register(&agent("w")).await?;
    for name in ["a", "b", "c"] {
        let claim = worker.claim(&claim("w", 0)).await?.remove(0);
        assert_eq!(claim.task.id, created.tasks[name]);
        worker
            .complete(claim.lease, &done(&json!(name), 0.0))
            .await?;
    }
    assert_eq!(
        producer.graph(created.id).await?.status,
        GraphStatus::Completed
    );
    Ok(())
}

/// F-22
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_waiting_claim_is_answered_the_moment_a_task_is_ready() -> Result<()> {
    let server = Server::start().await?;
    let (producer, worker) = (
        server.client(Role::Producer).await?,
        server.client(Role::Agent).await?,
    );
    worker.register(&agent("w")).await?;
    let waiting = tokio::spawn(async move {
        let claims = worker.claim(&claim("w", 30_000)).await;
        (Instant::now(), claims)
    });
    let id = producer.submit(vec![task("awaited")]).await?.tasks[0].id;
    let submitted = Instant::now();
    let (answered, claims) = waiting.await?;
    assert_eq!(claims?[0].task.id, id);
    assert!(answered.saturating_duration_since(submitted) < Duration::from_secs(5));
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_stops_sends_those_who_wait_home() -> Result<()> {
    let server = Server::start().await?;
    let worker = server.client(Role::Agent).await?;
    worker.register(&agent("w")).await?;
    let mut looks = server.test.store.test_points.pause_at("claim.locked");
    let waiting = tokio::spawn(async move { worker.claim(&claim("w", 50_000)).await });
    let looking = looks.arrival().await;
    server.test.store.test_points.disarm("claim.locked");
    looking.go_on();
    let stopping = Instant::now();
    server.stop().await?;
    assert!(waiting.await??.is_empty());
    assert!(
        stopping.elapsed() < Duration::from_secs(10),
        "{:?}",
        stopping.elapsed()
    );
    Ok(())
}

/// F-13: what a deadline does to the order is stored by a duty, in every namespace.
#[tokio::test]
async fn a_deadline_that_comes_near_lifts_its_task_when_the_duty_has_looked() -> Result<()> {
    let server = Server::start().await?;
    let (producer, worker) = (
        server.client(Role::Producer).await?,
        server.client(Role::Agent).await?,
    );
    let hour = jiff::SignedDuration::from_hours(1);
    let due = NewTask {
        deadline: Some(server.test.clock.now() + hour),
        ..task("due")
    };
    producer.submit(vec![task("plain")]).await?;
    let due = producer.submit(vec![due]).await?.tasks[0].id;
    server
        .test
        .clock
        .advance(hour - jiff::SignedDuration::from_mins(10));
    let now = server.test.clock.now();
    let report = rank_refresher::run_once(&server.engine, now).await?;
    assert_eq!(report.refreshed, 1);
    let again = rank_refresher::run_once(&server.engine, now).await?;
    assert_eq!(again.refreshed, 0, "two runs have no double effect");
    worker.register(&agent("a")).await?;
    assert_eq!(worker.claim(&claim("a", 0)).await?[0].task.id, due);
    Ok(())
}

/// Its task still runs, so the message must not call that one cancelled.
#[tokio::test]
async fn work_of_a_drained_graph_that_spawns_is_told_that_its_graph_was_cancelled() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let graph = CreateGraph {
        created_by: None,
        draft: false,
        budget_usd: None,
        project_id: None,
        title: "work".to_owned(),
        tasks: vec![task("work")],
    };
    let graph = client.create_graph(&graph).await?.id;
    client.register(&agent("a")).await?;
    let lease = client.claim(&claim("a", 0)).await?.remove(0).lease;
    let drain = serde_json::from_value(json!({"mode": "drain"}))?;
    client.cancel_graph(graph, &drain).await?;
    let spawn = json!({"tasks": [{"title": "more", "type": "work"}], "wait": true});
    let spawn = serde_json::value::to_raw_value(&spawn)?;
    let refused = client.spawn_json(lease, &spawn).await;
    let refused = refused.expect_err("its graph is closed").to_string();
    assert!(
        refused.contains(&format!("{graph} was cancelled")),
        "{refused}"
    );
    Ok(())
}
