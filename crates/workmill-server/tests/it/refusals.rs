//! What is refused, and how.

use anyhow::Result;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use workmill_protocol::role::Role;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim};

pub struct Raw<'a> {
    server: &'a Server,
    token: String,
}

impl<'a> Raw<'a> {
    pub async fn new(server: &'a Server, role: Role) -> Result<Self> {
        let token = server.token(server.test.ns, role).await?;
        Ok(Raw::with_token(server, token))
    }

    pub fn with_token(server: &'a Server, token: String) -> Self {
        Raw { server, token }
    }

    pub async fn call(
        &self,
        method: Method,
        path: &str,
        body: impl AsRef<[u8]>,
    ) -> Result<(StatusCode, Value)> {
        let response = reqwest::Client::new()
            .request(method, format!("{}{path}", self.server.url))
            .bearer_auth(&self.token)
            .body(body.as_ref().to_vec())
            .send()
            .await?;
        let status = response.status();
        let kind = response.headers()["content-type"].to_str()?.to_owned();
        if !status.is_success() {
            assert_eq!(kind, "application/problem+json", "{path}");
        }
        Ok((status, response.json().await?))
    }
}

#[tokio::test]
async fn a_field_that_is_missing_or_unknown_is_named_by_its_path() -> Result<()> {
    let server = Server::start().await?;
    let raw = Raw::new(&server, Role::Admin).await?;
    let task = "task_01J8K2M0000000000000000000";
    let answer = format!("/v1/tasks/{task}/answer");
    let misspelt = r#"{"title": "g", "tasks": [{"title": "t", "type": "x", "depend_on": []}]}"#;
    let near = "there is no field `tasks[0].depend_on`; did you mean `depends_on`?";
    for (path, body, field, detail) in [
        (
            answer.as_str(),
            "{}",
            "input",
            "the field `input` is missing",
        ),
        ("/v1/claims", "{}", "agent", "the field `agent` is missing"),
        (
            "/v1/settlements",
            r#"{"settlements": [{}]}"#,
            "settlements[0].lease",
            "the field `lease` is missing",
        ),
        ("/v1/graphs", misspelt, "tasks[0].depend_on", near),
    ] {
        let (status, problem) = raw.call(Method::POST, path, body).await?;
        assert_eq!(status, 400, "{path}");
        assert_eq!(problem["field"], json!(field), "{path}");
        let said = problem["detail"].as_str().unwrap_or_default();
        assert!(said.starts_with(detail), "{path}: {said}");
    }
    Ok(())
}

#[tokio::test]
async fn the_id_of_a_graph_in_place_of_a_task_is_refused_with_what_takes_it() -> Result<()> {
    let server = Server::start().await?;
    let raw = Raw::new(&server, Role::Admin).await?;
    let graph = "dag_01J8K2M0000000000000000000";
    for (method, path) in [
        (Method::GET, format!("/v1/tasks/{graph}/explain")),
        (Method::GET, format!("/v1/tasks/{graph}/output")),
        (Method::POST, format!("/v1/tasks/{graph}/cancel")),
    ] {
        let (status, problem) = raw.call(method, &path, "").await?;
        assert_eq!(status, 404, "{path}");
        let hint = problem["hint"].as_str().unwrap_or_default();
        assert!(hint.contains("workmill graph show"), "{path}: {hint}");
    }
    Ok(())
}

#[tokio::test]
async fn every_refusal_is_a_problem_with_a_code_and_says_where() -> Result<()> {
    let server = Server::start().await?;
    let raw = Raw::new(&server, Role::Admin).await?;
    for (method, path, body, status, code) in [
        (Method::POST, "/v1/tasks", "{", 400, "invalid"),
        (
            Method::POST,
            "/v1/tasks",
            r#"{"title": "t", "type": "x", "colour": 1}"#,
            400,
            "invalid",
        ),
        (
            Method::POST,
            "/v1/tasks",
            r#"{"title": "", "type": "x"}"#,
            400,
            "invalid",
        ),
        (
            Method::POST,
            "/v1/tasks",
            r#"{"title": "t", "type": "x", "priority": 101}"#,
            400,
            "invalid",
        ),
        (
            Method::POST,
            "/v1/tasks",
            r#"{"tasks": []}"#,
            400,
            "invalid",
        ),
        (
            Method::POST,
            "/v1/tasks",
            "{\"title\": \"a\\u0000\", \"type\": \"x\"}",
            400,
            "invalid",
        ),
        (
            Method::GET,
            "/v1/tasks/task_01J8K2M0000000000000000000",
            "",
            404,
            "not_found",
        ),
        (Method::GET, "/v1/tasks/nonsense", "", 404, "not_found"),
        (Method::GET, "/v2", "", 404, "not_found"),
        (Method::DELETE, "/v1/claims", "", 405, "method_not_allowed"),
        (
            Method::POST,
            "/v1/claims",
            r#"{"agent": "ghost"}"#,
            404,
            "not_found",
        ),
        (
            Method::POST,
            "/v1/leases/lease_01J8K2M0000000000000000000_1/start",
            "",
            404,
            "not_found",
        ),
        (
            Method::POST,
            "/v1/leases/lease_01J8K2M0000000000000000000_1/fail",
            r#"{"reason": "heartbeat_timeout"}"#,
            400,
            "invalid",
        ),
        (
            Method::POST,
            "/v1/dead-letters/task_01J8K2M0000000000000000000/resolve",
            r#"{"resolution": "retry", "changes": {"title": "t"}}"#,
            400,
            "invalid",
        ),
    ] {
        let (answered, problem) = raw.call(method, path, body).await?;
        assert_eq!(
            (answered.as_u16(), problem["code"].as_str()),
            (status, Some(code)),
            "{path} {body}"
        );
        assert_eq!(problem["retryable"], json!(false));
    }
    let (_, problem) = raw
        .call(
            Method::POST,
            "/v1/tasks",
            r#"{"title": "t", "type": "x", "spec": {"prompts": ""}}"#,
        )
        .await?;
    assert_eq!(problem["field"], json!("spec.prompts"));
    Ok(())
}

/// F-4
#[tokio::test]
async fn what_cannot_be_paid_checked_or_kept_is_refused_with_its_place() -> Result<()> {
    let server = Server::start().await?;
    let raw = Raw::new(&server, Role::Admin).await?;
    let costs =
        |dollars: &str| format!(r#""spec": {{"constraints": {{"max_cost_usd": {dollars}}}}}"#);
    let by_schema = r#""output": {"validation": "json-schema"}"#.to_owned();
    for (field, what) in [
        (costs("-0.01"), "must not be negative"),
        (costs("0.0000001"), "more than 6 decimals"),
        (costs("1e12"), "more than a billion dollars"),
        (by_schema, "needs a JSON Schema"),
    ] {
        let body = format!(r#"{{"title": "t", "type": "x", {field}}}"#);
        let (status, problem) = raw.call(Method::POST, "/v1/tasks", &body).await?;
        assert_eq!(status, 400, "{body}");
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.contains(what), "{detail}");
    }
    let complete = "/v1/leases/lease_01J8K2M0000000000000000000_1/complete";
    for (body, field) in [
        (r#"{"artifacts": [7]}"#, "artifacts[0]"),
        ("{\"output\": \"a\\u0000\"}", "output"),
    ] {
        let (status, problem) = raw.call(Method::POST, complete, body).await?;
        assert_eq!((status.as_u16(), &problem["field"]), (400, &json!(field)));
    }
    Ok(())
}

/// A longest time that changes nothing is a mistake, not a wish.
#[tokio::test]
async fn a_longest_timeout_without_effect_is_refused_at_submit_and_edit() -> Result<()> {
    let server = Server::start().await?;
    let raw = Raw::new(&server, Role::Admin).await?;
    let (shorter, alone) = (
        json!({"max_timeout_sec": 5, "spec": {"constraints": {"max_duration_sec": 10}}}),
        json!({"max_timeout_sec": 5}),
    );
    let fine = json!({"max_timeout_sec": 20, "spec": {"constraints": {"max_duration_sec": 10}}});
    let of_hub = json!({"max_timeout_sec": 900, "profile": "hub"});
    let short_of_hub = json!({"max_timeout_sec": 299, "profile": "hub"});
    for (fields, said) in [
        (&shorter, Some("max_duration_sec, 10")),
        (&alone, Some("max_duration_sec")),
        (&short_of_hub, Some("max_duration_sec, 300")),
        (&fine, None),
        (&of_hub, None),
    ] {
        let mut task = json!({"title": "t", "type": "x"});
        let members = fields.as_object().expect("an object").clone();
        task.as_object_mut().expect("an object").extend(members);
        let (status, answer) = raw
            .call(Method::POST, "/v1/tasks", task.to_string())
            .await?;
        let Some(said) = said else {
            assert_eq!(status, 201, "{task}: {answer}");
            continue;
        };
        assert_eq!(status, 400, "{task}: {answer}");
        assert_eq!(answer["field"], json!("max_timeout_sec"));
        let detail = answer["detail"].as_str().expect("a detail");
        assert!(detail.contains(said), "{detail}");
    }
    let task =
        json!({"title": "t", "type": "x", "spec": {"constraints": {"max_duration_sec": 10}}});
    let (_, made) = raw
        .call(Method::POST, "/v1/tasks", task.to_string())
        .await?;
    let path = format!(
        "/v1/tasks/{}",
        made["tasks"][0]["id"].as_str().expect("an id")
    );
    let edit = |changes: Value| raw.call(Method::PATCH, &path, changes.to_string());
    // Only the whole task tells whether the time has an effect.
    assert_eq!(edit(json!({"max_timeout_sec": 5})).await?.0, 400);
    assert_eq!(edit(json!({"max_timeout_sec": 20})).await?.0, 200);
    let none = json!({"spec": {"constraints": {"max_duration_sec": null}}});
    assert_eq!(edit(none).await?.0, 400);
    Ok(())
}

/// What one reader takes and another one refuses, or reads otherwise, is taken from nobody.
#[tokio::test]
async fn json_that_can_be_read_in_two_ways_or_in_none_is_refused_and_nothing_is_stored()
-> Result<()> {
    let server = Server::start().await?;
    let raw = Raw::new(&server, Role::Admin).await?;
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let task = |member: &str| format!(r#"{{"title": "t", "type": "x", {member}}}"#);
    let (tasks, complete) = (
        "/v1/tasks",
        "/v1/leases/lease_01J8K2M0000000000000000000_1/complete",
    );
    for (path, body, said) in [
        (
            tasks,
            task(r#""title": "u""#),
            "the field `title` is given twice",
        ),
        (
            tasks,
            task(r#""metadata": {"a": {"b": 1, "c": 2, "b": 3}}"#),
            "the field `b` is given twice",
        ),
        (
            complete,
            r#"{"output": [{"a": 1, "a": 1}]}"#.to_owned(),
            "the field `a` is given twice",
        ),
        (
            tasks,
            task(&format!(r#""metadata": {{"a": {}}}"#, nested(1_000))),
            "recursion limit exceeded",
        ),
        (
            complete,
            format!(r#"{{"output": {}}}"#, nested(100_000)),
            "recursion limit exceeded",
        ),
        (tasks, nested(1_000_000), "expected an object"),
    ] {
        let (status, problem) = raw.call(Method::POST, path, body).await?;
        assert_eq!(
            (status.as_u16(), &problem["code"]),
            (400, &json!("invalid"))
        );
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.contains(said), "{detail}");
    }
    for broken in [&b"\xff"[..], b"\xc3\x28", b"\xed\xa0\x80", b"\xf0\x9f"] {
        let body = [br#"{"type": "x", "title": ""#, broken, br#""}"#].concat();
        let (status, problem) = raw.call(Method::POST, tasks, body).await?;
        assert_eq!(
            (status.as_u16(), &problem["code"]),
            (400, &json!("invalid"))
        );
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.contains("unicode"), "{detail}");
    }
    let large = task(&format!(
        r#""spec": {{"prompt": "{}"}}"#,
        "x".repeat(1024 * 1024)
    ));
    let (status, problem) = raw.call(Method::POST, tasks, large).await?;
    assert_eq!(
        (status.as_u16(), &problem["code"]),
        (413, &json!("too_large"))
    );
    assert_eq!(problem["field"], json!("tasks[0]"));
    let client = server.test.database.client().await?;
    let stored = "select count(*) from workmill.spec";
    let stored: i64 = client.query_one(stored, &[]).await?.get(0);
    assert_eq!(stored, 0);
    Ok(())
}

/// F-12
#[tokio::test]
async fn a_graph_with_a_cycle_is_refused_with_its_path_and_nothing_is_stored() -> Result<()> {
    let server = Server::start().await?;
    let raw = Raw::new(&server, Role::Admin).await?;
    let task = |name: &str, on: &str| json!({"name": name, "title": name, "type": "x", "depends_on": [on]});
    let graph = json!({"title": "g", "tasks": [task("a", "c"), task("b", "a"), task("c", "b")]});
    let (status, problem) = raw
        .call(Method::POST, "/v1/graphs", &graph.to_string())
        .await?;
    assert_eq!((status.as_u16(), &problem["code"]), (409, &json!("cycle")));
    let path = problem["path"].as_array().expect("a path");
    assert_eq!((path.len(), path.first()), (4, path.last()));
    let client = server.test.database.client().await?;
    let stored: i64 = client
        .query_one("select count(*) from workmill.spec", &[])
        .await?
        .get(0);
    assert_eq!(stored, 0);
    Ok(())
}

#[tokio::test]
async fn without_a_good_key_nothing_is_answered() -> Result<()> {
    let server = Server::start().await?;
    let good = workmill_server::keys::mint();
    for token in ["", "nonsense", &good[..good.len() - 1], &good] {
        let raw = Raw {
            server: &server,
            token: token.to_owned(),
        };
        let (status, problem) = raw.call(Method::POST, "/v1/claims", "{}").await?;
        assert_eq!(
            (status.as_u16(), &problem["code"]),
            (401, &json!("unauthorized")),
            "{token}"
        );
        assert!(
            !problem.to_string().contains(&good),
            "a key never comes back"
        );
    }
    Ok(())
}

#[tokio::test]
async fn each_role_does_only_what_it_may() -> Result<()> {
    let server = Server::start().await?;
    let task = r#"{"title": "t", "type": "x"}"#;
    for role in Role::ALL {
        let raw = Raw::new(&server, role).await?;
        let may_submit = raw.call(Method::POST, "/v1/tasks", task).await?.0 != 403;
        let may_look = raw.call(Method::GET, "/v1/graphs/nonsense", "").await?.0 != 403;
        let may_work =
            raw.call(
                Method::POST,
                "/v1/claims",
                r#"{"agent": "a", "start": true}"#,
            )
            .await?
            .0 != 403;
        let expected = match role {
            Role::Producer | Role::Orchestrator => (true, true, false),
            Role::Agent => (false, false, true),
            Role::Operator | Role::Admin => (true, true, true),
        };
        assert_eq!((may_submit, may_look, may_work), expected, "{role}");
    }
    Ok(())
}

#[tokio::test]
async fn one_key_cannot_act_for_an_agent_of_another() -> Result<()> {
    let server = Server::start().await?;
    let (owner, thief) = (
        server.client(Role::Agent).await?,
        server.client(Role::Agent).await?,
    );
    owner.register(&agent("mine")).await?;
    for refused in [
        thief.register(&agent("mine")).await.err(),
        thief.claim(&claim("mine", 0)).await.err(),
    ] {
        let text = refused.expect("refused").to_string();
        assert!(text.contains("another key"), "{text}");
    }
    Ok(())
}

/// F-37
#[tokio::test]
async fn usage_that_cannot_be_is_refused_by_name_and_nothing_ends() -> Result<()> {
    let server = Server::start().await?;
    let raw = Raw::new(&server, Role::Admin).await?;
    let client = server.client(Role::Admin).await?;
    let submitted = client.submit(vec![task("work")]).await?.tasks.remove(0);
    client.register(&agent("a")).await?;
    let lease = client.claim(&claim("a", 0)).await?.remove(0).lease;
    let many: Vec<String> = (0..33).map(|at| format!(r#""m{at}": {{}}"#)).collect();
    let many = format!(r#"{{"models": {{{}}}}}"#, many.join(","));
    for (usage, field) in [
        (r#"{"costs": 1}"#, Some("usage.costs")),
        (
            r#"{"models": {"m": {"tokens": 1}}}"#,
            Some("usage.models.m.tokens"),
        ),
        (r#"{"cost_usd": -0.1}"#, Some("usage.cost_usd")),
        (
            r#"{"models": {"m": {"cost_usd": 1e12}}}"#,
            Some("usage.models.m.cost_usd"),
        ),
        (
            r#"{"models": {"m": {"input_tokens": 1.5}}}"#,
            Some("usage.models.m.input_tokens"),
        ),
        (r#"{"input_tokens": -1}"#, Some("usage.input_tokens")),
        (
            r#"{"input_tokens": 9000000000000000}"#,
            Some("usage.input_tokens"),
        ),
        (r#"{"models": {"": {}}}"#, Some("usage.models")),
        (many.as_str(), Some("usage.models")),
    ] {
        for (verb, rest) in [
            ("heartbeat", ""),
            ("complete", r#", "output": 1"#),
            ("fail", r#", "reason": "crash""#),
            ("block", r#", "waits_for": "input""#),
            ("release", ""),
        ] {
            let path = format!("/v1/leases/{lease}/{verb}");
            let body = format!(r#"{{"usage": {usage}{rest}}}"#);
            let (status, problem) = raw.call(Method::POST, &path, &body).await?;
            assert_eq!(status, 400, "{verb} {body}: {problem}");
            assert_eq!(problem["field"].as_str(), field, "{verb} {body}: {problem}");
        }
    }
    let task = client.task(submitted.id).await?;
    assert!(task.claim.is_some() && task.attempts.is_empty());
    Ok(())
}
