//! Results: handed on whole, kept though they come late, and shown with when and why.

use anyhow::Result;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::failure::Reason;
use workmill_core::graph::GraphStatus;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_protocol::agents::RegisterAgent;
use workmill_protocol::claims::{ClaimTasks, ClaimedTask};
use workmill_protocol::dead_letters::Decided;
use workmill_protocol::error::{ErrorCode, Problem};
use workmill_protocol::graphs::CreateGraph;
use workmill_protocol::leases::{FailTask, SendHeartbeat};
use workmill_protocol::role::Role;
use workmill_protocol::tasks::{AdoptResult, Resolution, ResolveDeadLetter};
use workmill_sdk::{Client, ClientError};
use workmill_testkit::factory::task;

use super::{done, named};
use crate::actors::{Server, agent, claim, status};
use crate::refusals::Raw;

fn graph(tasks: Vec<workmill_core::task::NewTask>) -> CreateGraph {
    CreateGraph {
        title: "g".to_owned(),
        draft: false,
        budget_usd: Some(Micros(5_000_000)),
        project_id: None,
        created_by: None,
        tasks,
    }
}

async fn claim_one(client: &Client, name: &str) -> Result<ClaimedTask> {
    Ok(client.claim(&claim(name, 0)).await?.remove(0))
}

fn failure() -> Result<FailTask> {
    let json = json!({"reason": "not_found", "message": "no such file"});
    Ok(serde_json::from_value(json)?)
}

async fn events(raw: &Raw<'_>, about: &str) -> Result<Vec<Value>> {
    let path = format!("/v1/events?after=0&limit=100&{about}");
    let (_, page) = raw.call(Method::GET, &path, "").await?;
    Ok(page["items"].as_array().cloned().unwrap_or_default())
}

/// T-3 (part): the results of all resolved blockers, whole, though one of them is large.
#[tokio::test]
async fn a_result_that_is_too_large_for_a_claim_is_fetched_whole_by_its_holder_alone() -> Result<()>
{
    let server = Server::start().await?;
    let producer = server.client(Role::Producer).await?;
    let worker = server.client(Role::Agent).await?;
    worker.register(&agent("ann")).await?;
    let tasks = vec![named("a", &[]), named("b", &["a"])];
    let ids = producer.create_graph(&graph(tasks)).await?.tasks;
    let large = json!("x".repeat(400 * 1024));
    let first = claim_one(&worker, "ann").await?;
    worker.complete(first.lease, &done(&large)).await?;

    let second = claim_one(&worker, "ann").await?;
    let [result] = &second.context.dependency_results[..] else {
        panic!("one result: {:?}", second.context.dependency_results);
    };
    assert_eq!(
        (result.name.as_deref(), result.title.as_str()),
        (Some("a"), "a")
    );
    assert_eq!(result.status, State::Completed);
    assert!(!result.task_type.is_empty());
    assert!(result.left_out, "it does not fit");
    let url = format!("/v1/tasks/{}/output", ids["a"]);
    assert_eq!(result.output_url.as_deref(), Some(url.as_str()));
    assert_eq!(result.output_bytes, Some(400 * 1024 + 2));
    assert_eq!(worker.output(ids["a"]).await?, large);
    let token = worker.lease_token(second.lease).await?.token;
    let held = Client::new(&server.url, &token)?;
    assert_eq!(
        held.output(ids["a"]).await?,
        large,
        "with the token of the lease"
    );

    let stranger = server.client(Role::Agent).await?;
    assert_eq!(status(stranger.output(ids["a"]).await), 403);
    let other = producer.submit(vec![task("other")]).await?.tasks[0].id;
    assert_eq!(status(held.output(other).await), 403);
    let foreign = server.foreign_client(Role::Operator).await?;
    assert_eq!(status(foreign.output(ids["a"]).await), 404);
    assert_eq!(status(producer.output(ids["b"]).await), 404, "none yet");
    Ok(())
}

#[tokio::test]
async fn outputs_that_are_too_large_to_show_are_left_out_of_tasks_and_graphs() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.register(&agent("ann")).await?;
    let tasks = vec![named("a", &[]), named("b", &[])];
    let created = client.create_graph(&graph(tasks)).await?;
    let (large, small) = (
        json!("x".repeat(256 * 1024 - 1)),
        json!("x".repeat(256 * 1024 - 2)),
    );
    let mut completed = Vec::new();
    for output in [&large, &small] {
        let held = claim_one(&client, "ann").await?;
        client.complete(held.lease, &done(output)).await?;
        completed.push(held.task.id);
    }
    let in_graph = client.graph(created.id).await?.tasks;
    for (task, output) in completed.into_iter().zip([large, small]) {
        let bytes = output.as_str().map_or(0, str::len) + 2;
        let is_large = bytes > 256 * 1024;
        let of_graph = in_graph.iter().find(|one| one.id == task).cloned();
        for shown in [client.task(task).await?, of_graph.expect("it is listed")] {
            let shown = shown.output.expect("it has completed");
            let url = is_large.then(|| format!("/v1/tasks/{task}/output"));
            assert_eq!(
                (shown.output_url, shown.output_bytes),
                (url, is_large.then_some(bytes))
            );
            assert_eq!(
                shown.data,
                if is_large {
                    Value::Null
                } else {
                    output.clone()
                }
            );
        }
        assert_eq!(client.output(task).await?, output);
    }
    Ok(())
}

/// Small values take a hundred times as much memory as their text.
#[tokio::test]
async fn outputs_of_a_graph_that_would_take_too_much_memory_are_left_out() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.register(&agent("ann")).await?;
    let tasks = (0..5).map(|n| named(&format!("t{n}"), &[])).collect();
    let created = client.create_graph(&graph(tasks)).await?;
    let output = Value::from(vec![json!({"": 0}); 25_000]);
    for _ in 0..5 {
        let held = claim_one(&client, "ann").await?;
        client.complete(held.lease, &done(&output)).await?;
    }
    let shown = client.graph(created.id).await?.tasks;
    let outputs = shown.iter().filter_map(|task| task.output.as_ref());
    let left_out: Vec<bool> = outputs.map(|output| output.output_url.is_some()).collect();
    assert_eq!(
        left_out.iter().filter(|is_left_out| **is_left_out).count(),
        2,
        "{left_out:?}"
    );
    Ok(())
}

#[tokio::test]
async fn an_output_that_a_held_task_refers_to_can_be_fetched() -> Result<()> {
    let server = Server::start().await?;
    let producer = server.client(Role::Producer).await?;
    let worker = server.client(Role::Agent).await?;
    worker.register(&agent("ann")).await?;
    let first = producer.submit(vec![task("first")]).await?.tasks[0].id;
    let done_by = claim_one(&worker, "ann").await?;
    let large = json!(vec!["y"; 100_000]);
    worker.complete(done_by.lease, &done(&large)).await?;
    assert_eq!(status(worker.output(first).await), 403, "it holds nothing");
    let mut second = task("second");
    second.spec.context_refs = vec![format!("task:{first}:output")];
    // What only a prompt mentions is not handed over.
    let mut third = task("third");
    third.spec.prompt = format!("Read task:{first}:output.");
    producer.submit(vec![third]).await?;
    let mentions = claim_one(&worker, "ann").await?;
    assert_eq!(status(worker.output(first).await), 403);
    producer.submit(vec![second]).await?;
    let refers = claim_one(&worker, "ann").await?;
    let reference = &refers.context.references[0];
    assert!(reference.left_out && reference.output_url.is_some());
    assert_eq!(worker.output(first).await?, large);
    worker.complete(mentions.lease, &done(&json!(1))).await?;
    Ok(())
}

/// F-7 (part), F-9 (part): a standalone task is a graph of its own, which can be looked at and ends.
#[tokio::test]
async fn a_standalone_task_is_a_graph_of_one_task_that_completes() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.register(&agent("ann")).await?;
    let id = client.submit(vec![task("alone")]).await?.tasks[0].id;
    let dag = GraphId::from(id);
    let shown = client.graph(dag).await?;
    assert_eq!((shown.id, shown.status), (dag, GraphStatus::Running));
    assert_eq!((shown.title.as_str(), shown.tasks.len()), ("alone", 1));
    assert_eq!((&shown.roots, &shown.leaves), (&vec![id], &vec![id]));
    let held = claim_one(&client, "ann").await?;
    client.complete(held.lease, &done(&json!(1))).await?;
    assert_eq!(client.graph(dag).await?.status, GraphStatus::Completed);
    let raw = Raw::new(&server, Role::Admin).await?;
    let told = events(&raw, &format!("graph={dag}&type=dag.completed")).await?;
    assert_eq!(told.len(), 1, "{told:?}");
    let foreign = server.foreign_client(Role::Operator).await?;
    assert_eq!(status(foreign.graph(dag).await), 404);
    Ok(())
}

/// F-26: dead letters never disappear, and what was decided about them stays.
#[tokio::test]
async fn a_resolved_dead_letter_stays_readable_with_its_resolution() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.register(&agent("ann")).await?;
    let id = client.submit(vec![task("lost")]).await?.tasks[0].id;
    let held = claim_one(&client, "ann").await?;
    client.fail(held.lease, &failure()?).await?;
    let letter = client.dead_letter(id).await?;
    assert_eq!((letter.resolution, letter.resolved_by), (None, None));

    let decision = ResolveDeadLetter {
        resolution: Resolution::Retry,
        changes: serde_json::Map::new(),
        note: Some("the file is back".to_owned()),
    };
    client.resolve_dead_letter(id, &decision).await?;
    let letter = client.dead_letter(id).await?;
    assert_eq!(letter.resolution, Some(Decided::Retry));
    assert_eq!(letter.resolved_by.as_deref(), Some("admin"));
    assert_eq!(letter.note.as_deref(), Some("the file is back"));
    assert!(letter.resolved_at.is_some());
    assert_eq!(letter.failure_history.len(), 1);

    server.pass_a_second();
    let held = claim_one(&client, "ann").await?;
    client.fail(held.lease, &failure()?).await?;
    client.cancel(id).await?;
    let letter = client.dead_letter(id).await?;
    assert_eq!(letter.resolution, Some(Decided::Cancel));
    let earlier: Vec<_> = letter.earlier.iter().map(|one| one.resolution).collect();
    assert_eq!(earlier, [Some(Decided::Retry)]);
    Ok(())
}

/// F-40 (part): budget and cost of a graph, when a task started and completed, why it failed.
#[tokio::test]
async fn a_task_says_when_it_ran_and_why_it_failed_and_its_graph_what_it_spent() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.register(&agent("ann")).await?;
    let created = client.create_graph(&graph(vec![named("a", &[])])).await?;
    let id = created.tasks["a"];
    let before = client.task(id).await?;
    assert_eq!((before.started_at, before.completed_at), (None, None));
    server.pass_a_second();
    let held = claim_one(&client, "ann").await?;
    let running = client.task(id).await?;
    let lease = running.claim.expect("it is held");
    assert!(running.updated_at > before.updated_at, "a claim moves it");
    assert!(running.started_at.is_some() && lease.lease_expires_at.is_some());
    assert!(lease.heartbeat_interval_sec > 0.0);
    let raw = Raw::new(&server, Role::Admin).await?;
    let (_, shown) = raw
        .call(Method::GET, &format!("/v1/tasks/{id}"), "")
        .await?;
    assert_eq!(shown["claim"]["agent_id"], json!("ann"));

    server.pass_a_second();
    let crash: FailTask = serde_json::from_value(
        json!({"reason": "crash", "message": "it broke", "usage": {"cost_usd": 0.5}}),
    )?;
    client.fail(held.lease, &crash).await?;
    let failed = client.task(id).await?;
    assert_eq!(failed.failure_reason, Some(Reason::Crash));
    assert!(failed.updated_at > running.updated_at, "a failure moves it");
    server.let_retries_come_due().await?;
    let held = claim_one(&client, "ann").await?;
    client.complete(held.lease, &done(&json!(1))).await?;
    let completed = client.task(id).await?;
    assert!(completed.completed_at >= completed.started_at);
    assert!(completed.completed_at.is_some());
    assert_eq!(completed.failure_reason, None);
    let graph = client.graph(created.id).await?;
    assert_eq!(graph.budget_ceiling_usd, Some(Micros(5_000_000)));
    assert!((graph.spent_usd - 0.5).abs() < 1e-9);
    Ok(())
}

#[tokio::test]
async fn a_claim_says_what_may_still_be_spent() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let registration = RegisterAgent {
        budget_remaining_usd: Some(Micros(3_000_000)),
        ..agent("ann")
    };
    client.register(&registration).await?;
    let mut costly = named("a", &[]);
    costly.spec.constraints.max_cost_usd = Some(Micros(2_000_000));
    client.create_graph(&graph(vec![costly])).await?;
    let request = ClaimTasks {
        request_id: Some(Uuid::from_u128(7)),
        ..claim("ann", 0)
    };
    for _first_and_repeated in 0..2 {
        let budget = client.claim(&request).await?.remove(0).context.budget;
        assert_eq!(budget.agent_usd, Some(Micros(3_000_000)));
        assert_eq!(budget.graph_usd, Some(Micros(5_000_000)));
        assert_eq!(budget.task_usd, Some(Micros(2_000_000)));
    }
    Ok(())
}

/// Claims a task, cancels it, and completes it all the same; answers its id and its dependent's.
async fn refused_result(client: &Client) -> Result<(TaskId, TaskId)> {
    client.register(&agent("ann")).await?;
    let mut waiting = named("b", &["a"]);
    waiting.on_dependency_failure = Some(OnDependencyFailure::Wait);
    let tasks = vec![named("a", &[]), waiting];
    let ids = client.create_graph(&graph(tasks)).await?.tasks;
    let held = claim_one(client, "ann").await?;
    client.cancel(ids["a"]).await?;
    let refused = client.complete(held.lease, &done(&json!("gold"))).await;
    assert_eq!(status(refused), 409);
    Ok((ids["a"], ids["b"]))
}

/// Promise 4: paid work is kept, shown, and can be made the outcome.
#[tokio::test]
async fn a_refused_result_is_shown_and_an_operator_makes_it_the_outcome() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    let (id, waiting) = refused_result(&client).await?;
    let shown = client.task(id).await?;
    let late = shown.attempts[0].late.clone().expect("it is kept");
    assert_eq!((late.accepted, late.output), (false, Some(json!("gold"))));

    let producer = server.client(Role::Producer).await?;
    let adoption = AdoptResult {
        note: Some("it is good".to_owned()),
        ..AdoptResult::default()
    };
    assert_eq!(status(producer.adopt(id, &adoption).await), 403);
    let other = AdoptResult {
        epoch: Some(7),
        note: None,
    };
    assert_eq!(status(client.adopt(id, &other).await), 409);
    assert_eq!(client.adopt(id, &adoption).await?.status, State::Completed);
    let adopted = client.task(id).await?;
    assert_eq!(
        adopted.output.map(|output| output.data),
        Some(json!("gold"))
    );
    assert!(adopted.completed_at.is_some());
    let late = adopted.attempts[0].late.clone().expect("it is kept");
    assert_eq!(
        (late.accepted, late.adopted_by.as_deref()),
        (true, Some("operator"))
    );
    assert_eq!(
        client.task(waiting).await?.status,
        State::Ready,
        "it goes on"
    );
    assert_eq!(status(client.adopt(id, &adoption).await), 409, "once");

    let raw = Raw::new(&server, Role::Admin).await?;
    let (_, audit) = raw
        .call(Method::GET, &format!("/v1/audit?subject={id}"), "")
        .await?;
    assert_eq!(audit["items"][0]["action"], json!("task.adopt"));
    assert_eq!(audit["items"][0]["note"], json!("it is good"));
    let told = events(&raw, &format!("task={id}&type=task.completed")).await?;
    assert_eq!(told[0]["data"]["adopted_by"], json!("operator"));
    Ok(())
}

/// The answer to a late report names `adopt` only where there is an output to adopt.
#[tokio::test]
async fn a_late_output_is_refused_with_the_remedy_and_a_late_failure_without() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    for name in ["ann", "ben"] {
        client.register(&agent(name)).await?;
    }
    let id = client.submit(vec![task("work")]).await?.tasks[0].id;
    let lost = claim_one(&client, "ann").await?.lease;
    assert_eq!(server.reap_after(120).await?, 1);
    server.let_retries_come_due().await?;
    assert_eq!(claim_one(&client, "ben").await?.task.id, id);

    let silent = refusal(client.heartbeat(lost, &SendHeartbeat::default()).await);
    assert_eq!(silent.code, ErrorCode::LeaseLost);
    let hint = silent.hint.unwrap_or_default();
    assert!(hint.contains("the lease expired"), "{hint}");
    let failed = refusal(client.fail(lost, &failure()?).await);
    assert_eq!(failed.code, ErrorCode::LeaseLost);
    let nothing = "the late report is stored with it and changes nothing";
    assert!(failed.detail.ends_with(nothing), "{}", failed.detail);
    let completed = refusal(client.complete(lost, &done(&json!("gold"))).await);
    assert_eq!(completed.code, ErrorCode::LeaseLost);
    let remedy = format!("with `workmill adopt {id}`");
    assert!(completed.detail.ends_with(&remedy), "{}", completed.detail);
    Ok(())
}

fn refusal<T>(answer: Result<T, ClientError>) -> Problem {
    match answer {
        Err(ClientError::Refused(problem)) => *problem,
        Err(error) => panic!("not a refusal: {error}"),
        Ok(_) => panic!("it was accepted"),
    }
}

#[tokio::test]
async fn nothing_is_adopted_while_an_agent_works_on_the_task_or_without_a_late_result() -> Result<()>
{
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    client.register(&agent("ann")).await?;
    let id = client.submit(vec![task("work")]).await?.tasks[0].id;
    let adoption = AdoptResult::default();
    assert_eq!(status(client.adopt(id, &adoption).await), 409, "no result");
    claim_one(&client, "ann").await?;
    assert_eq!(status(client.adopt(id, &adoption).await), 409, "it runs");
    assert_eq!(client.task(id).await?.status, State::Running);
    Ok(())
}
