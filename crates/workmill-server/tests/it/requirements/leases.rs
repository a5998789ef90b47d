//! What becomes of a claim when its agent goes silent, and of work that fails for good.

use anyhow::Result;
use jiff::SignedDuration;
use reqwest::Method;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_engine::upkeep::task_pruner;
use workmill_protocol::claims::ClaimTasks;
use workmill_protocol::dead_letters::ListDeadLetters;
use workmill_protocol::leases::{FailTask, SendHeartbeat};
use workmill_protocol::retention::Retention;
use workmill_protocol::role::Role;
use workmill_protocol::tasks::ResolveDeadLetter;
use workmill_sdk::Client;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim, status};
use crate::refusals::Raw;

fn twice(title: &str) -> NewTask {
    NewTask {
        max_attempts: Some(2),
        ..task(title)
    }
}

/// F-20
#[tokio::test]
async fn a_claim_that_is_not_started_in_a_minute_expires_and_fails_the_attempt() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.register(&agent("a")).await?;
    let id = client.submit(vec![task("work")]).await?.tasks[0].id;
    let unstarted = ClaimTasks {
        start: false,
        ..claim("a", 0)
    };
    let claimed = client.claim(&unstarted).await?.remove(0);
    assert_eq!(
        (claimed.status, claimed.expires_in_ms),
        (State::Claimed, 60_000)
    );
    assert_eq!(server.reap_after(59).await?, 0);
    assert_eq!(server.reap_after(2).await?, 1);
    let shown = client.task(id).await?;
    assert_eq!((shown.status, shown.attempts_counted), (State::Retrying, 1));
    assert!(shown.claim.is_none());
    assert_eq!(shown.attempts[0].reason, Some(Reason::ClaimExpired));
    server.let_retries_come_due().await?;
    let again = client.claim(&unstarted).await?.remove(0);
    assert_eq!((again.task.id, again.attempt), (id, 2));
    assert_eq!(status(client.start(claimed.lease).await), 409);
    client.start(again.lease).await?;
    assert_eq!(server.reap_after(61).await?, 0, "it was started in time");
    Ok(())
}

#[tokio::test]
async fn checkpoints_over_a_mib_and_progress_over_64_kib_are_refused() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.register(&agent("a")).await?;
    client.submit(vec![task("work")]).await?;
    let lease = client.claim(&claim("a", 0)).await?.remove(0).lease;
    let text = |bytes: usize| Some(json!("x".repeat(bytes - 2)).into());
    let beat = |progress: usize, checkpoint: usize| SendHeartbeat {
        progress: text(progress),
        checkpoint: text(checkpoint),
        ..SendHeartbeat::default()
    };
    let (progress, checkpoint) = (64 * 1024, 1024 * 1024);
    client.heartbeat(lease, &beat(progress, checkpoint)).await?;
    for beat in [
        beat(progress + 1, checkpoint),
        beat(progress, checkpoint + 1),
    ] {
        assert_eq!(status(client.heartbeat(lease, &beat).await), 413);
    }
    Ok(())
}

/// F-21
#[tokio::test]
async fn heartbeats_show_progress_and_silence_ends_in_a_retry_and_then_a_dead_letter() -> Result<()>
{
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    for name in ["a", "b"] {
        client.register(&agent(name)).await?;
    }
    let id = client.submit(vec![twice("work")]).await?.tasks[0].id;
    let lease = client.claim(&claim("a", 0)).await?.remove(0).lease;
    for percent in [30, 60] {
        assert_eq!(server.reap_after(80).await?, 0);
        let alive = SendHeartbeat {
            progress: Some(json!({"percent": percent}).into()),
            ..SendHeartbeat::default()
        };
        client.heartbeat(lease, &alive).await?;
        let held = client.task(id).await?.claim.expect("it runs");
        assert_eq!(held.progress, Some(json!({"percent": percent})));
        assert_eq!(held.heartbeat_at, server.test.clock.now());
    }
    assert_eq!(server.reap_after(89).await?, 0);
    assert_eq!(server.reap_after(2).await?, 1);
    let shown = client.task(id).await?;
    assert_eq!(shown.status, State::Retrying);
    assert_eq!(shown.attempts[0].reason, Some(Reason::HeartbeatTimeout));

    server.let_retries_come_due().await?;
    assert_eq!(client.claim(&claim("b", 0)).await?[0].task.id, id);
    let late = client.heartbeat(lease, &SendHeartbeat::default()).await;
    assert_eq!(status(late), 409, "another agent has the task");
    assert_eq!(server.reap_after(91).await?, 1);
    assert_eq!(client.task(id).await?.status, State::DeadLettered);
    let letter = client.dead_letter(id).await?;
    let history = letter.failure_history.iter();
    let history: Vec<_> = history
        .map(|one| (one.agent.as_str(), one.reason))
        .collect();
    let silent = Some(Reason::HeartbeatTimeout);
    assert_eq!(history, [("a", silent), ("b", silent)]);
    Ok(())
}

/// Claims the next task, works on it for so many seconds, and fails for so many cents.
async fn fail_after(server: &Server, client: &Client, name: &str, seconds: i64) -> Result<TaskId> {
    let lease = client.claim(&claim(name, 0)).await?.remove(0).lease;
    server
        .test
        .clock
        .advance(SignedDuration::from_secs(seconds));
    let failure: FailTask = serde_json::from_value(json!({
        "reason": "crash", "message": format!("died in second {seconds}"),
        "usage": {"cost_usd": f64::from(u8::try_from(seconds)?) / 100.0},
    }))?;
    client.fail(lease, &failure).await?;
    Ok(lease.task)
}

async fn bury(server: &Server, client: &Client, title: &str) -> Result<TaskId> {
    client.submit(vec![twice(title)]).await?;
    fail_after(server, client, "a", 10).await?;
    server.let_retries_come_due().await?;
    fail_after(server, client, "b", 25).await
}

/// F-26
#[tokio::test]
async fn a_dead_letter_keeps_its_history_until_one_of_three_decisions() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    for name in ["a", "b"] {
        client.register(&agent(name)).await?;
    }
    let mut letters = Vec::new();
    for title in ["retried", "cancelled", "modified", "left alone"] {
        letters.push(bury(&server, &client, title).await?);
    }
    let raw = Raw::new(&server, Role::Orchestrator).await?;
    let path = format!("/v1/dead-letters/{}", letters[0]);
    let (_, shown) = raw.call(Method::GET, &path, "").await?;
    let history: Vec<_> = (0..2)
        .map(|nth| &shown["failure_history"][nth])
        .map(|one| ["attempt", "agent", "error", "duration_sec", "cost_usd"].map(|name| &one[name]))
        .collect();
    let first = [
        json!(1),
        json!("a"),
        json!("died in second 10"),
        json!(10.0),
        json!(0.1),
    ];
    let second = [
        json!(2),
        json!("b"),
        json!("died in second 25"),
        json!(25.0),
        json!(0.25),
    ];
    assert_eq!(history, [first.each_ref(), second.each_ref()]);
    assert_eq!(
        (
            &shown["total_cost_usd"],
            &shown["reviewed"],
            &shown["resolution"]
        ),
        (&json!(0.35), &json!(false), &json!(null))
    );
    let (_, shown) = raw
        .call(Method::PATCH, &path, r#"{"reviewed": true}"#)
        .await?;
    assert_eq!(shown["reviewed"], json!(true));

    for (letter, resolution, becomes) in [
        (letters[0], json!({"resolution": "retry"}), State::Ready),
        (
            letters[1],
            json!({"resolution": "cancel"}),
            State::Cancelled,
        ),
        (
            letters[2],
            json!({"resolution": "modify_and_retry", "changes": {"title": "smaller"}}),
            State::Ready,
        ),
    ] {
        let resolution: ResolveDeadLetter = serde_json::from_value(resolution)?;
        let resolved = client.resolve_dead_letter(letter, &resolution).await?;
        assert_eq!(resolved.status, becomes);
        let task = client.task(letter).await?;
        assert_eq!((task.status, task.attempts.len()), (becomes, 2));
    }
    assert_eq!(client.task(letters[2]).await?.task.title, "smaller");

    let nothing_is_kept = Retention {
        completed_sec: Some(0.0),
        cancelled_sec: Some(0.0),
        stale_sec: Some(0.0),
    };
    client.set_retention(&nothing_is_kept).await?;
    server
        .test
        .clock
        .advance(SignedDuration::from_hours(24 * 365));
    let (now, position) = (server.test.clock.now(), task_pruner::Position::default());
    task_pruner::run_once(&server.engine, now, &position).await?;
    assert_eq!(status(client.task(letters[1]).await), 404, "it was removed");
    let left = client.dead_letters(&ListDeadLetters::default()).await?;
    let left: Vec<TaskId> = left.items.iter().map(|letter| letter.task_id).collect();
    assert_eq!(left, [letters[3]], "a dead letter never disappears");
    Ok(())
}
