//! What a server says about its work.

use anyhow::{Context, Result};
use reqwest::Method;
use serde_json::{Value, json};

use crate::serving::Serving;

/// F-36, H-16
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
