//! Graphs to draw in tests.

use serde_json::{Value, json};
use workmill_core::graph::GraphStatus;
use workmill_protocol::graphs::Graph;

const AT: &str = "2026-01-01T12:00:00Z";

/// Everything is done; `test` needed two attempts.
pub(super) fn completed() -> Graph {
    graph(
        GraphStatus::Completed,
        &[
            task(
                1,
                "test",
                "completed",
                2,
                &[failed(1), ended(2, "completed")],
                0.0021,
            ),
            with(
                task(
                    2,
                    "publish",
                    "completed",
                    1,
                    &[ended(1, "completed")],
                    0.001,
                ),
                "output",
                json!({"data": "words: 3\n\u{1b}[31mred"}),
            ),
        ],
    )
}

/// One task runs, one waits for its retry, one for them.
pub(super) fn under_way(status: GraphStatus) -> Graph {
    let claim = json!({
        "epoch": 1, "agent": "demo-writer", "claimed_at": AT, "heartbeat_at": AT,
    });
    graph(
        status,
        &[
            with(
                task(1, "part_words", "running", 1, &[], 0.0),
                "claim",
                claim,
            ),
            task(2, "test", "retrying", 1, &[failed(1)], 0.001),
            task(3, "publish", "pending", 0, &[], 0.0),
        ],
    )
}

fn graph(status: GraphStatus, tasks: &[Value]) -> Graph {
    read(json!({
        "id": "dag_0000000001000000000000000A", "title": "Workmill demo", "status": status,
        "created_by": "admin", "created_at": AT, "cost_usd": 0.0031, "tasks": tasks,
    }))
}

fn task(
    number: u8,
    name: &str,
    status: &str,
    counted: i32,
    attempts: &[Value],
    cost_usd: f64,
) -> Value {
    json!({
        "id": format!("task_0000000001000000000000000{number}"),
        "dag_id": "dag_0000000001000000000000000A", "status": status, "version": 1,
        "task": {"type": "demo", "title": name, "name": name}, "depends_on": [],
        "created_at": AT, "created_by": "admin", "updated_at": AT, "attempts_counted": counted,
        "attempts": attempts, "cost_usd": cost_usd,
    })
}

fn failed(epoch: i32) -> Value {
    with(
        with(ended(epoch, "failed"), "reason", json!("crash")),
        "error",
        json!("on purpose"),
    )
}

fn ended(epoch: i32, outcome: &str) -> Value {
    json!({
        "epoch": epoch, "agent": "demo-reviewer", "outcome": outcome, "claimed_at": AT,
        "ended_at": AT, "duration_sec": 0.5, "cost_usd": 0.001,
    })
}

fn with(mut value: Value, field: &str, content: Value) -> Value {
    value[field] = content;
    value
}

fn read(value: Value) -> Graph {
    serde_json::from_value(value).expect("a graph as the server sends it")
}
