//! What a server says about its work.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use reqwest::Method;
use serde_json::{Value, json};

use crate::serving::Serving;

/// F-36 (part), H-16 (part): the log.
#[tokio::test]
async fn every_line_of_the_log_is_json_and_tells_of_requests_and_events() -> Result<()> {
    let log = "warn,workmill=info,access=info,events=info";
    let server = Serving::start(log, str::to_owned).await?;
    server.post("/v1/agents", json!({"id": "ann"})).await?;
    let asked = server.request(Method::POST, "/v1/tasks");
    let asked = asked.header("x-request-id", "build-17");
    let task = json!({"title": "t", "type": "code"});
    asked.bearer_auth(&server.token).json(&task).send().await?;
    let lease = server.claim().await?;
    let failed = json!({"reason": "not_found", "message": "no\nsuch \"file\""});
    let path = format!("/v1/leases/{lease}/fail");
    server.post(&path, failed).await?;
    let log = server.stop()?;

    let lines = log.lines().map(|line| {
        let line = serde_json::from_str::<Value>(line);
        line.with_context(|| format!("in\n{log}"))
    });
    let lines = lines.collect::<Result<Vec<Value>>>()?;
    for line in &lines {
        let at = line["timestamp"].as_str().context("a timestamp")?;
        at.parse::<jiff::Timestamp>()?;
        for member in ["level", "target"] {
            assert!(line[member].is_string(), "{line}");
        }
    }
    let find = |target: &str, message: &str| {
        let mut found = lines
            .iter()
            .filter(|line| line["target"] == target && line["fields"]["message"] == message);
        let one = found.next().with_context(|| format!("{message} in\n{log}"));
        one.map(|line| (line["level"].clone(), line["fields"].clone()))
    };
    let answered = lines
        .iter()
        .find(|line| line["fields"]["request"] == "build-17");
    let answered = &answered.context("the request")?["fields"];
    assert_eq!(answered["route"], "/v1/tasks");
    assert_eq!(answered["status"], 201);
    let (level, submitted) = find("events", "task.submitted")?;
    assert_eq!(level, "INFO");
    let (_, claimed) = find("events", "task.claimed")?;
    assert_eq!(claimed["task"], submitted["task"]);
    assert_eq!(claimed["graph"], submitted["graph"]);
    assert_eq!(claimed["agent"], "ann");
    assert_eq!(
        (&claimed["epoch"], &claimed["attempt"]),
        (&json!(1), &json!(1))
    );
    let (level, failed) = find("events", "task.failed")?;
    assert_eq!(
        (&level, &failed["reason"]),
        (&json!("WARN"), &json!("not_found"))
    );
    let (level, buried) = find("events", "task.dead_lettered")?;
    assert_eq!(
        (&level, &buried["cause"]),
        (&json!("WARN"), &json!("not_retryable"))
    );
    assert!(!log.contains("such"), "what agents write is not logged");
    Ok(())
}

/// F-36
#[tokio::test]
async fn the_log_is_json_and_the_metrics_have_the_names_and_labels_of_the_source() -> Result<()> {
    let server = Serving::start("warn,workmill=info,events=info", str::to_owned).await?;
    let budget = server.request(Method::PUT, "/v1/budgets/agent:ann");
    let budget = budget.bearer_auth(&server.token);
    budget.json(&json!({"budget_usd": 5})).send().await?;
    server
        .post(
            "/v1/agents",
            json!({"id": "ann", "max_concurrent_tasks": 4}),
        )
        .await?;
    // Lost soon after it is claimed: nobody sends a heartbeat for it.
    let lost = json!({
        "title": "lost", "type": "research", "priority": "critical", "lease_sec": 1,
        "heartbeat_interval_sec": 0.3, "max_attempts": 1,
    });
    for task in [
        lost,
        json!({"title": "bad", "type": "code", "priority": "high", "max_attempts": 1}),
        json!({"title": "good", "type": "code"}),
        json!({"title": "waits", "type": "review", "priority": "low"}),
    ] {
        server.post("/v1/tasks", task).await?;
    }
    server.claim().await?;
    let lease = server.claim().await?;
    let fail = json!({"reason": "crash"});
    server
        .post(&format!("/v1/leases/{lease}/fail"), fail)
        .await?;
    let lease = server.claim().await?;
    let done = json!({"output": 1, "usage": {"model": "opus", "cost_usd": 0.25}});
    server
        .post(&format!("/v1/leases/{lease}/complete"), done)
        .await?;

    let wanted = [
        r#"task_queue_depth{status="ready",priority_tier="low"}"#,
        r#"task_queue_wait_seconds{quantile="p50"}"#,
        r#"task_queue_wait_seconds{quantile="p95"}"#,
        r#"task_queue_wait_seconds{quantile="p99"}"#,
        r#"tasks_completed_total{type="code"}"#,
        r#"tasks_failed_total{reason="crash"}"#,
        "tasks_dead_lettered_total",
        r#"task_cost_usd{type="code",agent="ann",model="opus"}"#,
        "daily_spend_usd",
        r#"budget_remaining_usd{agent="ann"}"#,
        r#"agent_utilization{agent_id="ann"}"#,
        r#"agent_heartbeat_misses_total{agent_id="ann"}"#,
        r#"agent_claim_success_rate{agent_id="ann"}"#,
    ];
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let scrape = server.request(Method::GET, "/metrics");
        let metrics = scrape.bearer_auth(&server.token).send().await?;
        let metrics = metrics.text().await?;
        let is_told = |series: &&str| {
            let starts = format!("{series} ");
            metrics.lines().any(|line| line.starts_with(&starts))
        };
        let missing: Vec<_> = wanted.iter().filter(|series| !is_told(series)).collect();
        if missing.is_empty() {
            break;
        }
        // Types are looked up, lost leases found and the queue looked at a moment later.
        ensure!(Instant::now() < deadline, "{missing:?} in\n{metrics}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let log = server.stop()?;
    let events = log.lines().map(serde_json::from_str::<Value>);
    let events = events.collect::<Result<Vec<Value>, _>>()?;
    let tells = |name: &str| events.iter().any(|line| line["fields"]["message"] == name);
    assert!(
        tells("task.completed") && tells("task.dead_lettered"),
        "{log}"
    );
    Ok(())
}
