//! What cannot be stored, or is not what it seems, is refused before anything is written.

use anyhow::{Context, Result};
use reqwest::Method;
use serde_json::{Value, json};
use workmill_protocol::role::Role;

use crate::actors::Server;
use crate::refusals::Raw;

/// What is sent to a call, and the field that it is refused for.
type Refused = (&'static str, &'static str, Option<&'static str>);

/// On a lease that runs.
const OF_A_LEASE: &[Refused] = &[
    (
        "heartbeat",
        r#"{"progress": {"a": "\u0000"}}"#,
        Some("progress"),
    ),
    (
        "heartbeat",
        r#"{"checkpoint": ["\u0000"]}"#,
        Some("checkpoint"),
    ),
    ("heartbeat", r#"{"usage": []}"#, Some("usage")),
    ("heartbeat", "[]", None),
    (
        "fail",
        r#"{"reason": "crash", "message": "\u0000"}"#,
        Some("message"),
    ),
    (
        "fail",
        r#"{"reason": "crash", "details": "\u0000"}"#,
        Some("details"),
    ),
    (
        "fail",
        r#"{"reason": "crash", "retry_after_ms": 9223372036854775807}"#,
        Some("retry_after_ms"),
    ),
    (
        "block",
        r#"{"waits_for": "input", "question": "\u0000"}"#,
        Some("question"),
    ),
    (
        "block",
        r#"{"waits_for": "input", "timeout_ms": 9223372036854775807}"#,
        Some("timeout_ms"),
    ),
];

const OF_ALL_ELSE: &[Refused] = &[
    (
        "POST /v1/claims/preview",
        r#"{"agent": "\u0000"}"#,
        Some("agent"),
    ),
    (
        "GET /v1/graphs?status=running&created_by=%00",
        "",
        Some("created_by"),
    ),
    (
        "POST /v1/graphs",
        r#"{"title": "g", "tasks": [{"title": "t", "type": "x", "idempotency_key": " "}]}"#,
        Some("tasks[0].idempotency_key"),
    ),
    (
        "GET /v1/dead-letters?fingerprint=007",
        "",
        Some("fingerprint"),
    ),
    (
        "POST /v1/dead-letters/resolve",
        r#"{"filter": {}, "resolution": "modify_and_retry", "changes": {"cost_units": 1e9}}"#,
        Some("changes.cost_units"),
    ),
    (
        "POST /v1/claims",
        r#"{"agent": "a", "wait_ms": 50001}"#,
        Some("wait_ms"),
    ),
    (
        "POST /v1/tasks/{task}/answer",
        r#"{"input": "\u0000"}"#,
        Some("input"),
    ),
    (
        "POST /v1/agents",
        r#"{"id": "b", "type": "\u0000"}"#,
        Some("type"),
    ),
    (
        "POST /v1/graphs",
        r#"{"title": "g", "budget_usd": -1, "tasks": [{"title": "t", "type": "x"}]}"#,
        Some("budget_usd"),
    ),
    ("PUT /v1/retention", "[null, null]", None),
    (
        "PUT /v1/retention",
        r#"{"stale_sec": 1e300}"#,
        Some("stale_sec"),
    ),
    ("GET /v1/keys?namespace=%00", "", Some("namespace")),
    ("GET /v1/agents?cursor=", "", Some("cursor")),
];

#[tokio::test]
async fn what_cannot_be_stored_is_refused_with_its_place() -> Result<()> {
    let server = Server::start().await?;
    let raw = Raw::new(&server, Role::Admin).await?;
    raw.call(Method::POST, "/v1/agents", r#"{"id": "a"}"#)
        .await?;
    let body = r#"{"title": "t", "type": "x"}"#;
    let (_, made) = raw.call(Method::POST, "/v1/tasks", body).await?;
    let task = made["tasks"][0]["id"].as_str().context("a task")?;
    let body = r#"{"agent": "a", "start": true}"#;
    let (_, claimed) = raw.call(Method::POST, "/v1/claims", body).await?;
    let lease = claimed["claims"][0]["lease"].as_str().context("a lease")?;
    let of_a_lease = OF_A_LEASE.iter().map(|(action, body, field)| {
        let call = format!("POST /v1/leases/{lease}/{action}");
        (call, body, field)
    });
    let others = OF_ALL_ELSE.iter();
    let others = others.map(|(call, body, field)| (call.replace("{task}", task), body, field));
    for (call, body, field) in of_a_lease.chain(others) {
        let (method, path) = call.split_once(' ').context("a method and a path")?;
        let (status, problem) = raw.call(method.parse()?, path, body).await?;
        assert_eq!(status, 400, "{call} {body}: {problem}");
        assert_eq!(
            problem["field"].as_str(),
            *field,
            "{call} {body}: {problem}"
        );
    }
    let complete = format!("/v1/leases/{lease}/complete");
    let (status, _) = raw.call(Method::POST, &complete, "{}").await?;
    assert_eq!(status, 200, "nothing of it has harmed the lease");
    Ok(())
}

/// An edit is a JSON merge patch: null removes, whatever it removes.
#[tokio::test]
async fn an_edit_removes_with_null() -> Result<()> {
    let server = Server::start().await?;
    let raw = Raw::new(&server, Role::Admin).await?;
    let body = r#"{"title": "t", "type": "x", "tags": ["a"], "max_attempts": 3.0}"#;
    let (_, made) = raw.call(Method::POST, "/v1/tasks", body).await?;
    let path = format!(
        "/v1/tasks/{}",
        made["tasks"][0]["id"].as_str().context("a task")?
    );
    let (status, problem) = raw.call(Method::PATCH, &path, r#"{"tags": null}"#).await?;
    assert_eq!(status, 200, "{problem}");
    let (_, task) = raw.call(Method::GET, &path, "").await?;
    let asked = &task["task"];
    assert_eq!(
        (&asked["tags"], &asked["max_attempts"]),
        (&Value::Null, &json!(3))
    );
    let (status, problem) = raw
        .call(Method::PATCH, &path, r#"{"max_attempts": 4.0}"#)
        .await?;
    assert_eq!(status, 200, "{problem}");
    let unknown = r#"{"spec": {"colour": 1}}"#;
    let (status, problem) = raw.call(Method::PATCH, &path, unknown).await?;
    assert_eq!(
        (status.as_u16(), &problem["field"]),
        (400, &json!("spec.colour"))
    );
    Ok(())
}
