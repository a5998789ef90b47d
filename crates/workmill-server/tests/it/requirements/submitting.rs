//! What is submitted: once, whole, and with what it refers to.

use std::collections::BTreeMap;

use anyhow::Result;
use reqwest::Method;
use serde_json::{Value, json};
use workmill_core::task::NewTask;
use workmill_protocol::leases::{CompleteTask, FailTask, SendHeartbeat};
use workmill_protocol::role::Role;
use workmill_testkit::factory::task;

use super::done;
use crate::actors::{Server, agent, claim};
use crate::refusals::Raw;

/// Sends the same submission so many times at once; answers how often each status came with each id.
async fn twins(
    server: &Server,
    key: Option<&'static str>,
    body: Value,
) -> Result<BTreeMap<(u16, String), usize>> {
    let token = server.token(server.test.ns, Role::Producer).await?;
    let http = reqwest::Client::new();
    let calls = (0..20).map(|_| {
        let mut request = http
            .post(format!("{}/v1/tasks", server.url))
            .bearer_auth(&token)
            .body(body.to_string());
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        tokio::spawn(request.send())
    });
    let mut answers = BTreeMap::new();
    for call in calls.collect::<Vec<_>>() {
        let response = call.await??;
        let status = response.status().as_u16();
        let answer: Value = response.json().await?;
        let id = answer["tasks"][0]["id"].as_str().unwrap_or_default();
        *answers.entry((status, id.to_owned())).or_insert(0) += 1;
    }
    Ok(answers)
}

/// F-3: by header and by field, and when twins race.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn creating_again_with_the_same_key_answers_the_first_task_and_creates_nothing() -> Result<()>
{
    let server = Server::start().await?;
    let plain = json!({"title": "lint", "type": "code"});
    let keyed = json!({"title": "lint", "type": "code", "idempotency_key": "pr-123-lint"});
    let mut ids = Vec::new();
    for (header, body) in [(Some("by-header"), &plain), (None, &keyed)] {
        let answers = twins(&server, header, body.clone()).await?;
        let counts: Vec<(u16, usize)> = answers.iter().map(|(key, n)| (key.0, *n)).collect();
        assert_eq!(counts, [(200, 19), (201, 1)], "{answers:?}");
        let again = twins(&server, header, body.clone()).await?;
        let [(200, id)] = again.keys().collect::<Vec<_>>()[..] else {
            panic!("{again:?}");
        };
        assert!(answers.keys().all(|(_, first)| first == id), "{answers:?}");
        ids.push(id.clone());
        let other = json!({"title": "lint it all", "type": "code"});
        let refused = twins(&server, Some("by-header"), other).await?;
        assert!(refused.keys().all(|(status, _)| *status == 409));
    }
    assert_ne!(ids[0], ids[1]);
    let raw = Raw::new(&server, Role::Producer).await?;
    let (_, list) = raw.call(Method::GET, "/v1/tasks", "").await?;
    assert_eq!(list["items"].as_array().map(Vec::len), Some(2));
    Ok(())
}

/// Every field that a task can be asked for with.
fn whole_task() -> Value {
    json!({
        "name": "fix", "key": "plan-7", "type": "code", "title": "Fix the CORS handling",
        "spec": {
            "prompt": "The header is missing.",
            "context_refs": ["artifact:abc"],
            "payload": {"repository": "web"},
            "constraints": {
                "required_capabilities": ["code-execution", "web-search"],
                "model_preferences": ["claude-sonnet-4", "gpt-4o"],
                "fallback_models": ["claude-haiku"],
                "max_duration_sec": 300.0, "max_cost_usd": 0.5,
            },
        },
        "output": {
            "type": "json", "validation": "json-schema", "validation_schema": {"type": "object"},
        },
        "priority": 50, "priority_boost_per_minute": 0.1,
        "deadline": "2027-02-09T12:00:00Z", "estimate_sec": 60.0,
        "scheduled_for": "2027-01-15T07:00:00Z",
        "depends_on": ["look"], "on_dependency_failure": "cancel",
        "agent_type": "coder", "target_agent": "a", "excluded_agents": ["b"],
        "profile": "agent", "max_attempts": 3,
        "retry": {
            "strategy": "exponential", "initial_delay_sec": 10.0, "backoff_multiplier": 2.0,
            "max_delay_sec": 300.0, "jitter": true,
            "retry_on": ["timeout", "crash", "rate_limit", "invalid_output"],
            "no_retry_on": ["auth_failure", "budget_exceeded", "cancelled"],
        },
        "claim_ttl_sec": 45.0, "lease_sec": 60.0, "heartbeat_interval_sec": 20.0,
        "max_timeout_sec": 900.0, "labels": ["provider:anthropic"], "cost_units": 2,
        "locks": [{"path": "src/cors.rs"}], "tags": ["repo:myapp", "sprint:12"],
        "metadata": {"ticket": 17},
    })
}

/// F-4: what was asked for comes back under the same names, and beside it what became of it.
#[tokio::test]
async fn a_task_with_every_field_is_shown_as_it_was_asked_for() -> Result<()> {
    let server = Server::start().await?;
    let (raw, client) = (
        Raw::new(&server, Role::Admin).await?,
        server.client(Role::Admin).await?,
    );
    let asked = whole_task();
    let first = json!({"name": "look", "title": "Look", "type": "research"});
    let graph = json!({"title": "g", "tasks": [first, asked]}).to_string();
    let (created, graph) = raw.call(Method::POST, "/v1/graphs", &graph).await?;
    assert_eq!(created, 201, "{graph}");
    let (id, on) = (&graph["tasks"]["fix"], &graph["tasks"]["look"]);
    let path = format!("/v1/tasks/{}", id.as_str().expect("an id"));
    let (_, shown) = raw.call(Method::GET, &path, "").await?;
    assert_eq!(shown["task"], asked);
    assert_eq!(
        (&shown["id"], &shown["dag_id"], &shown["status"]),
        (id, &graph["id"], &json!("pending"))
    );
    assert_eq!(
        (&shown["depends_on"], &shown["blocked_by"]),
        (&json!([on]), &json!([on]))
    );
    assert_eq!(
        (&shown["created_by"], &shown["created_at"]),
        (&json!("admin"), &json!("2027-01-15T08:00:00Z"))
    );
    assert_eq!(shown["priority_boost_per_minute"], json!(0.1));
    assert_eq!(
        (&shown["attempts"], &shown["cost_usd"], shown.get("claim")),
        (&json!([]), &json!(0.0), None)
    );

    let mut able = agent("a");
    able.capabilities = vec!["code-execution".to_owned(), "web-search".to_owned()];
    able.models_available = vec!["gpt-4o".to_owned()];
    client.register(&able).await?;
    let look = client.claim(&claim("a", 0)).await?.remove(0);
    client.complete(look.lease, &done(&json!("seen"))).await?;
    let lease = client.claim(&claim("a", 0)).await?.remove(0).lease;
    let alive: SendHeartbeat = serde_json::from_value(json!({
        "progress": {"percent": 40}, "usage": {"cost_usd": 0.02, "input_tokens": 30},
    }))?;
    client.heartbeat(lease, &alive).await?;
    let (_, running) = raw.call(Method::GET, &path, "").await?;
    assert_eq!(running["blocked_by"], json!([]));
    let held = &running["claim"];
    assert_eq!(
        (
            &held["agent_id"],
            &held["progress"]["percent"],
            &held["cost_usd"]
        ),
        (&json!("a"), &json!(40), &json!(0.02))
    );
    for instant in ["claimed_at", "started_at", "heartbeat_at"] {
        assert_eq!(held[instant], json!("2027-01-15T08:00:00Z"), "{instant}");
    }
    let failure: FailTask = serde_json::from_value(json!({
        "reason": "crash", "message": "core dumped",
        "usage": {"cost_usd": 0.03, "input_tokens": 40, "output_tokens": 4},
    }))?;
    client.fail(lease, &failure).await?;
    server.let_retries_come_due().await?;
    let lease = client.claim(&claim("a", 0)).await?.remove(0).lease;
    let completion: CompleteTask = serde_json::from_value(json!({
        "output": {"fixed": true}, "artifacts": ["artifact:patch"],
        "usage": {"cost_usd": 0.05, "input_tokens": 60, "output_tokens": 6},
    }))?;
    client.complete(lease, &completion).await?;
    let (_, ended) = raw.call(Method::GET, &path, "").await?;
    assert_eq!(ended["status"], json!("completed"));
    assert_eq!(
        ended["output"],
        json!({"type": "json", "data": {"fixed": true}, "artifacts": ["artifact:patch"]})
    );
    assert_eq!(
        (&ended["cost_usd"], &ended["tokens_used"]),
        (
            &json!(0.08),
            &json!({"input": 100, "output": 10, "cached_input": 0})
        )
    );
    let attempts: Vec<_> = (0..2)
        .map(|nth| &ended["attempts"][nth])
        .map(|one| (&one["agent"], &one["outcome"], &one["cost_usd"]))
        .collect();
    let (a, failed, completed) = (json!("a"), json!("failed"), json!("completed"));
    assert_eq!(
        attempts,
        [(&a, &failed, &json!(0.03)), (&a, &completed, &json!(0.05))]
    );
    assert_eq!(ended["task"], asked, "what was asked for does not change");
    Ok(())
}

/// F-5 (part)
#[tokio::test]
async fn what_a_task_refers_to_comes_with_its_claim() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.register(&agent("a")).await?;
    let found = client.submit(vec![task("find")]).await?.tasks[0].id;
    let lease = client.claim(&claim("a", 0)).await?.remove(0).lease;
    let completion = CompleteTask {
        artifacts: vec![json!("artifact:log")],
        ..done(&json!({"cause": "a typo"}))
    };
    client.complete(lease, &completion).await?;
    let output = format!("task:{found}:output");
    let mut fix: NewTask = task("fix");
    fix.spec.context_refs = vec!["artifact:abc".to_owned(), output.clone()];
    client.submit(vec![fix]).await?;
    let claimed = client.claim(&claim("a", 0)).await?.remove(0);
    let mut references = claimed.context.references;
    references.sort_by(|one, other| one.reference.cmp(&other.reference));
    let [artifact, result] = &references[..] else {
        panic!("{references:?}");
    };
    assert_eq!(
        (artifact.reference.as_str(), artifact.left_out),
        ("artifact:abc", true),
        "for the agent to fetch"
    );
    assert_eq!(
        (result.reference.as_str(), result.left_out),
        (output.as_str(), false)
    );
    assert_eq!(result.output, json!({"cause": "a typo"}));
    assert_eq!(result.artifacts, [json!("artifact:log")]);
    Ok(())
}
