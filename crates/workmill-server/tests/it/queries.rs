//! What stands behind the question mark: each name is known, and each value is of its kind.

use anyhow::Result;
use reqwest::Method;
use serde_json::json;
use workmill_protocol::role::Role;

use crate::actors::Server;
use crate::refusals::Raw;

#[tokio::test]
async fn a_query_that_cannot_be_read_is_refused_by_the_name_of_its_field() -> Result<()> {
    let server = Server::start().await?;
    let raw = Raw::new(&server, Role::Admin).await?;
    for (path, field, said) in [
        ("/v1/tasks?limit=x", "limit", "expected a whole number"),
        (
            "/v1/tasks?since=1h",
            "since",
            "a time like 2027-01-15T08:00:00Z",
        ),
        (
            "/v1/graphs?until=soon",
            "until",
            "a time like 2027-01-15T08:00:00Z",
        ),
        (
            "/v1/audit?since=1h",
            "since",
            "a time like 2027-01-15T08:00:00Z",
        ),
        (
            "/v1/dead-letters?since=1h",
            "since",
            "a time like 2027-01-15T08:00:00Z",
        ),
        (
            "/v1/dead-letters?reviewed=x",
            "reviewed",
            "expected true or false",
        ),
        ("/v1/tasks?limt=1", "limt", "did you mean `limit`?"),
        ("/v1/tasks?limit=1&limit=2", "limit", "is given twice"),
        ("/v1/agents?limit=x", "limit", "expected a whole number"),
        ("/v1/agents?limt=1", "limt", "did you mean `limit`?"),
        ("/v1/keys?limit=", "limit", "expected a whole number"),
        ("/v1/keys?colour=1", "colour", "there is no field `colour`"),
        (
            "/v1/namespaces?limit=99999999999999999999",
            "limit",
            "too large",
        ),
        (
            "/v1/namespaces?colour=1",
            "colour",
            "there is no field `colour`",
        ),
        ("/v1/events?after=x", "after", "expected a whole number"),
        (
            "/v1/events?colour=1",
            "colour",
            "there is no field `colour`",
        ),
    ] {
        let (status, problem) = raw.call(Method::GET, path, "").await?;
        assert_eq!(status, 400, "{path}: {problem}");
        assert_eq!(problem["field"], json!(field), "{path}: {problem}");
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.contains(said), "{path}: {detail}");
        assert!(!detail.contains("eserialize"), "{path}: {detail}");
    }
    Ok(())
}

#[tokio::test]
async fn a_call_that_takes_no_query_refuses_one_by_name() -> Result<()> {
    let server = Server::start().await?;
    let raw = Raw::new(&server, Role::Admin).await?;
    let task = "/v1/tasks/task_01J8K2M0000000000000000000";
    for (method, path) in [
        (Method::POST, format!("{task}/cancel")),
        (Method::GET, task.to_owned()),
        (Method::GET, format!("{task}/explain")),
        (Method::GET, "/v1/agents/a".to_owned()),
        (Method::GET, "/v1/stats".to_owned()),
        (Method::POST, "/v1/tasks".to_owned()),
        (Method::GET, "/ready".to_owned()),
    ] {
        let asked = format!("{path}?mode=x&a=b");
        let (status, problem) = raw.call(method.clone(), &asked, "").await?;
        assert_eq!(status, 400, "{method} {path}: {problem}");
        assert_eq!(problem["field"], json!("mode"), "{problem}");
        let (_, problem) = raw.call(method.clone(), &format!("{path}?"), "").await?;
        assert_ne!(problem["field"], json!("mode"), "{problem}");
    }
    Ok(())
}

#[tokio::test]
async fn a_name_of_a_closed_list_is_checked_and_the_nearest_is_proposed() -> Result<()> {
    let server = Server::start().await?;
    let raw = Raw::new(&server, Role::Admin).await?;
    for (path, field, said) in [
        (
            "/v1/audit?action=task.cancl",
            "action",
            "did you mean `task.cancel`?",
        ),
        (
            "/v1/audit?subject_kind=tasks",
            "subject_kind",
            "did you mean `task`?",
        ),
        (
            "/v1/audit?subject_kind=x",
            "subject_kind",
            "task, graph, project",
        ),
        (
            "/v1/events?type=task.bogus",
            "type",
            "no event is called `task.bogus`",
        ),
        (
            "/v1/events?type=task.ready,task.complted",
            "type",
            "`task.completed`?",
        ),
        ("/v1/events?type=tsak.*", "type", "did you mean `task.*`?"),
    ] {
        let (status, problem) = raw.call(Method::GET, path, "").await?;
        assert_eq!(status, 400, "{path}: {problem}");
        assert_eq!(problem["field"], json!(field), "{path}: {problem}");
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.contains(said), "{path}: {detail}");
    }
    for path in [
        "/v1/audit?action=task.cancel&subject_kind=dead_letter",
        "/v1/events?type=task.ready,dag.*,task.dead_*",
        "/v1/events?type=*",
        "/v1/events?type=",
    ] {
        let (status, answer) = raw.call(Method::GET, path, "").await?;
        assert_eq!(status, 200, "{path}: {answer}");
    }
    Ok(())
}
