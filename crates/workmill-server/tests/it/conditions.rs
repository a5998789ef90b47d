//! Tags of answers: who has an answer need not get it again, and an edit is of what its author has seen.

use anyhow::{Context, Result};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use workmill_protocol::graphs::ListGraphs;
use workmill_protocol::role::Role;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim};

struct Caller<'a> {
    server: &'a Server,
    http: reqwest::Client,
    token: String,
}

impl<'a> Caller<'a> {
    async fn new(server: &'a Server, role: Role) -> Result<Self> {
        Ok(Caller {
            server,
            http: reqwest::Client::new(),
            token: server.token(server.test.ns, role).await?,
        })
    }

    async fn call(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Value>,
    ) -> Result<Response> {
        let url = format!("{}{path}", self.server.url);
        let mut request = self.http.request(method, url).bearer_auth(&self.token);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        Ok(request.send().await?)
    }

    async fn tag(&self, path: &str) -> Result<String> {
        let response = self.call(Method::GET, path, &[], None).await?;
        assert_eq!(response.status(), 200, "{path}");
        let tag = response.headers().get("etag");
        Ok(tag
            .with_context(|| format!("{path} has no tag"))?
            .to_str()?
            .to_owned())
    }

    async fn get(&self, path: &str, none_match: &str) -> Result<Response> {
        let headers = [("if-none-match", none_match)];
        self.call(Method::GET, path, &headers, None).await
    }

    async fn edit(
        &self,
        method: Method,
        path: &str,
        if_match: &str,
        body: Value,
    ) -> Result<Response> {
        let headers = [("if-match", if_match)];
        self.call(method, path, &headers, Some(body)).await
    }
}

#[tokio::test]
async fn whoever_has_an_answer_is_told_that_it_is_still_true() -> Result<()> {
    let server = Server::start().await?;
    let caller = Caller::new(&server, Role::Admin).await?;
    let client = server.client(Role::Operator).await?;
    let id = client.submit(vec![task("t")]).await?.tasks[0].id;
    client.register(&agent("a")).await?;
    let task = format!("/v1/tasks/{id}");
    for path in [
        task.as_str(),
        "/v1/tasks",
        "/v1/agents/a",
        "/v1/limits",
        "/v1/retention",
        "/v1/namespaces",
        "/v1/dead-letters",
    ] {
        let tag = caller.tag(path).await?;
        assert_eq!(caller.tag(path).await?, tag, "{path}");
        for known in [
            tag.clone(),
            format!("W/{tag}"),
            format!("\"other\", {tag}"),
            "*".to_owned(),
        ] {
            let response = caller.get(path, &known).await?;
            assert_eq!(
                response.status(),
                StatusCode::NOT_MODIFIED,
                "{path} {known}"
            );
            assert_eq!(response.headers()["etag"].to_str()?, tag);
            assert!(response.bytes().await?.is_empty());
        }
        let other = caller.get(path, "\"other\"").await?;
        assert_eq!(other.status(), 200);
        assert!(!other.bytes().await?.is_empty());
    }
    // What changes the answer changes the tag: here, that somebody has claimed it.
    let before = caller.tag(&task).await?;
    client.claim(&claim("a", 0)).await?;
    assert_ne!(caller.tag(&task).await?, before);
    assert_eq!(caller.get(&task, &before).await?.status(), 200);
    // Problems and streams have none.
    let missing = caller.get("/v1/tasks/nonsense", "*").await?;
    assert_eq!(missing.status(), 404);
    assert!(!missing.headers().contains_key("etag"));
    Ok(())
}

#[tokio::test]
async fn an_edit_with_the_tag_of_a_read_changes_what_was_read_or_nothing() -> Result<()> {
    let server = Server::start().await?;
    let caller = Caller::new(&server, Role::Admin).await?;
    let client = server.client(Role::Operator).await?;
    let id = client.submit(vec![task("t")]).await?.tasks[0].id;
    client.register(&agent("a")).await?;
    let task = format!("/v1/tasks/{id}");
    let cases = [
        (
            Method::PATCH,
            task.as_str(),
            json!({"title": "one"}),
            json!({"title": "two"}),
        ),
        (
            Method::PATCH,
            "/v1/agents/a",
            json!({"max_concurrent_tasks": 5}),
            json!({"max_concurrent_tasks": 6}),
        ),
        (
            Method::PUT,
            "/v1/retention",
            json!({"completed_sec": 60}),
            json!({"completed_sec": 90}),
        ),
    ];
    for (method, path, first, second) in cases {
        let tag = caller.tag(path).await?;
        let edit = async |if_match: &str, body: &Value| {
            let response = caller
                .edit(method.clone(), path, if_match, body.clone())
                .await?;
            anyhow::Ok(response)
        };
        assert_eq!(edit(&tag, &first).await?.status(), 200, "{path}");
        let seen = caller.tag(path).await?;
        assert_ne!(seen, tag);
        for stale in [
            tag.as_str(),
            "\"nonsense\"",
            "nonsense",
            "",
            &format!("W/{seen}"),
        ] {
            let refused = edit(stale, &second).await?;
            assert_eq!(refused.status(), 412, "{path} {stale}");
            let problem: Value = refused.json().await?;
            assert_eq!(problem["code"], "precondition_failed");
        }
        assert_eq!(caller.tag(path).await?, seen, "nothing was changed");
        assert_eq!(
            edit(&format!("{tag}, {seen}"), &second).await?.status(),
            200
        );
        assert_eq!(edit("*", &first).await?.status(), 200);
    }
    // A version alone is enough.
    assert_eq!(client.task(id).await?.version, 4);
    let response = caller.edit(Method::PATCH, &task, "\"4\"", json!({"title": "five"}));
    assert_eq!(response.await?.status(), 200);
    Ok(())
}

/// Signs of life and claims are no edits.
#[tokio::test]
async fn what_merely_happens_does_not_stand_in_the_way_of_an_edit() -> Result<()> {
    let server = Server::start().await?;
    let caller = Caller::new(&server, Role::Admin).await?;
    let client = server.client(Role::Operator).await?;
    client.register(&agent("a")).await?;
    let tag = caller.tag("/v1/agents/a").await?;
    server.pass_a_second();
    client.agent_heartbeat("a").await?;
    assert_ne!(caller.tag("/v1/agents/a").await?, tag);
    let change = json!({"max_concurrent_tasks": 5});
    let changed = caller.edit(Method::PATCH, "/v1/agents/a", &tag, change);
    assert_eq!(changed.await?.status(), 200);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_edits_of_the_same_state_one_is_done() -> Result<()> {
    let server = Server::start().await?;
    let caller = Caller::new(&server, Role::Admin).await?;
    let client = server.client(Role::Operator).await?;
    let id = client.submit(vec![task("t")]).await?.tasks[0].id;
    client.register(&agent("a")).await?;
    let task = format!("/v1/tasks/{id}");
    for (method, path, field) in [
        (Method::PATCH, task.as_str(), "estimate_sec"),
        (Method::PATCH, "/v1/agents/a", "max_concurrent_tasks"),
        (Method::PUT, "/v1/retention", "completed_sec"),
    ] {
        let tag = caller.tag(path).await?;
        let edits = (10..20).map(|n| caller.edit(method.clone(), path, &tag, json!({field: n})));
        let mut done = 0;
        for response in futures_util::future::try_join_all(edits).await? {
            match response.status().as_u16() {
                200 => done += 1,
                status => assert_eq!(status, 412, "{path}"),
            }
        }
        assert_eq!(done, 1, "{path}");
    }
    Ok(())
}

/// A promise that nobody keeps is not made.
#[tokio::test]
async fn a_call_that_takes_no_condition_refuses_one() -> Result<()> {
    let server = Server::start().await?;
    let caller = Caller::new(&server, Role::Admin).await?;
    for (method, path, body) in [
        (Method::PUT, "/v1/limits/namespace", json!({"max": 1})),
        (
            Method::POST,
            "/v1/tasks",
            json!({"title": "t", "type": "x"}),
        ),
    ] {
        let refused = caller.edit(method, path, "\"1\"", body).await?;
        assert_eq!(refused.status(), 400, "{path}");
        let problem: Value = refused.json().await?;
        assert_eq!(
            (&problem["code"], &problem["field"]),
            (&json!("invalid"), &json!("If-Match"))
        );
    }
    let tasks = server.client(Role::Admin).await?;
    assert_eq!(tasks.graphs(&ListGraphs::default()).await?.items, []);
    Ok(())
}
