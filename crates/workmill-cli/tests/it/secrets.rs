//! Secrets that callers let slip, where they belong and where they do not: none comes out again.

use anyhow::{Context, Result};
use reqwest::{Method, RequestBuilder};
use serde_json::json;
use workmill_server::keys;

use crate::serving::Serving;

/// Whatever our crates have to say, and all others that have something to complain about.
const EVERYTHING: &str = "debug,workmill=trace,access=trace,events=trace,workmill_server=trace,\
    workmill_engine=trace,workmill_store=trace";

/// What was planted, and what the server has answered where it refused.
struct Planter<'a> {
    server: &'a Serving,
    planted: Vec<(&'static str, String)>,
    refusals: Vec<(&'static str, String)>,
}

impl Planter<'_> {
    fn plant(&mut self, what: &'static str, secret: &str) -> String {
        self.planted.push((what, secret.to_owned()));
        secret.to_owned()
    }

    /// A secret that is no key of ours.
    fn word(&mut self, what: &'static str) -> String {
        let word = format!("hunter{:08x}", self.planted.len() * 7_654_321 + 19);
        self.plant(what, &word)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.server.request(method, path);
        request.bearer_auth(&self.server.token)
    }

    /// Sends what is to be refused, and keeps all that comes back.
    async fn refused(&mut self, what: &'static str, request: RequestBuilder) -> Result<()> {
        let response = request.send().await?;
        let (status, headers) = (response.status(), response.headers().clone());
        let text = response.text().await?;
        assert!(!status.is_success(), "{what}: {status} {text}");
        assert!(status.as_u16() < 500, "{what}: {status} {text}");
        self.refusals.push((what, format!("{headers:?} {text}")));
        Ok(())
    }
}

#[tokio::test]
async fn no_planted_secret_comes_out_again() -> Result<()> {
    let password = "hunter-of-the-database";
    let server = Serving::start(EVERYTHING, |url| with_password(url, password)).await?;
    let mut planter = Planter {
        server: &server,
        planted: Vec::new(),
        refusals: Vec::new(),
    };
    planter.plant("the password of the database", password);
    planter.plant("the key of an admin", &server.token);
    plant_keys(&mut planter).await?;
    plant_headers(&mut planter).await?;
    plant_in_addresses(&mut planter).await?;
    plant_in_bodies(&mut planter).await?;
    // What tasks carry is shown to those who may look, as events and tasks.
    let shown = planter.planted.len();
    plant_in_work(&mut planter).await?;
    assert!(planter.planted.len() >= 20, "{}", planter.planted.len());

    let get = async |path: &str| -> Result<String> {
        let response = planter.request(Method::GET, path).send().await?;
        Ok(response.error_for_status()?.text().await?)
    };
    let events = get("/v1/events?after=0&limit=1000").await?;
    assert!(events.contains("task.failed"), "{events}");
    let metrics = get("/metrics").await?;
    let Planter {
        planted, refusals, ..
    } = planter;
    let log = server.stop()?;
    assert!(log.contains("answered"), "{log}");
    let mut seen = Vec::new();
    for (place, (what, secret)) in planted.iter().enumerate() {
        if log.contains(secret) {
            let line = log.lines().find(|line| line.contains(secret));
            seen.push(format!("{what} in the log: {}", line.unwrap_or_default()));
        }
        if metrics.contains(secret) {
            seen.push(format!("{what} in the metrics"));
        }
        if place < shown && events.contains(secret) {
            seen.push(format!("{what} in the events"));
        }
        let answers = refusals.iter().filter(|(_, text)| text.contains(secret));
        seen.extend(answers.map(|(when, text)| format!("{what} in the answer to {when}: {text}")));
    }
    assert!(seen.is_empty(), "{}", seen.join("\n"));
    Ok(())
}

/// The same database, named with a password that nobody asks for.
fn with_password(url: &str, password: &str) -> String {
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let (user, rest) = rest.split_once('@').unwrap_or(("postgres", rest));
            let user = user.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}:{password}@{rest}")
        }
        None => format!("{url} password={password}"),
    }
}

async fn plant_keys(planter: &mut Planter<'_>) -> Result<()> {
    let server = planter.server;
    let created = server
        .post("/v1/keys", json!({"name": "ci", "role": "agent"}))
        .await?;
    let old = created["token"].as_str().context("a token")?;
    let old = planter.plant("a key that was rotated", old);
    let id = created["id"].as_str().context("an id")?;
    let rotated = server
        .post(&format!("/v1/keys/{id}/rotate"), json!({}))
        .await?;
    let new = rotated["token"].as_str().context("a token")?;
    let new = planter.plant("its new key", new);
    let unknown = planter.plant("a key that nobody has", &keys::mint());
    let broken = planter.plant("a key that was cut off", &keys::mint()[..30]);
    let forged = planter.plant(
        "a lease token that is not genuine",
        "wm_lease_00ff_1234abcd",
    );
    for (what, key) in [
        ("the old key", old),
        ("a key of another role", new),
        ("an unknown key", unknown),
        ("a broken key", broken),
        ("a forged token", forged),
    ] {
        let request = server.request(Method::GET, "/v1/keys").bearer_auth(key);
        planter.refused(what, request).await?;
    }
    Ok(())
}

async fn plant_headers(planter: &mut Planter<'_>) -> Result<()> {
    let server = planter.server;
    let basic = planter.word("a password of basic authorization");
    let request = server.request(Method::GET, "/v1/tasks");
    let request = request.header("authorization", format!("Basic {basic}"));
    planter.refused("basic authorization", request).await?;
    for (what, name) in [
        ("a cookie", "cookie"),
        ("a key of another service", "x-api-key"),
        ("proxy authorization", "proxy-authorization"),
        ("the name of a namespace", "workmill-namespace"),
        ("the origin of a page", "origin"),
        ("a version", "if-match"),
    ] {
        let secret = planter.word(what);
        let request = planter.request(Method::PATCH, "/v1/tasks/nothing");
        planter.refused(what, request.header(name, secret)).await?;
    }
    let id = planter.plant("a key as the id of a request", &keys::mint());
    let request = server.request(Method::GET, "/v1/tasks");
    planter
        .refused("an id", request.header("x-request-id", id))
        .await?;
    // Twice with one key, for two different tasks.
    let key = planter.word("an idempotency key");
    let submit = |planter: &Planter<'_>, title: &str| {
        let request = planter.request(Method::POST, "/v1/tasks");
        let request = request.header("idempotency-key", &key);
        request.json(&json!({"title": title, "type": "x"}))
    };
    submit(planter, "one").send().await?.error_for_status()?;
    let again = submit(planter, "two");
    planter.refused("an idempotency key", again).await
}

async fn plant_in_addresses(planter: &mut Planter<'_>) -> Result<()> {
    let key = planter.plant("a key in an address", &keys::mint());
    for path in [
        format!("/v1/tasks?token={key}"),
        format!("/v1/tasks?limit={key}"),
        format!("/v1/tasks?cursor={key}&status=ready"),
        format!("/v1/tasks/{key}"),
        format!("/v1/leases/{key}/start"),
        format!("/{key}?key={key}"),
        format!("/v1/limits/{key}"),
    ] {
        let request = planter.request(Method::GET, &path);
        planter.refused("a key in an address", request).await?;
    }
    let secret = planter.word("a value in a query");
    for name in ["status", "limit", "since", "graph", "priority_tier"] {
        let path = format!("/v1/tasks?{name}={secret}");
        let request = planter.request(Method::GET, &path);
        planter.refused("a value in a query", request).await?;
    }
    Ok(())
}

async fn plant_in_bodies(planter: &mut Planter<'_>) -> Result<()> {
    for (what, path, body) in [
        (
            "a priority",
            "/v1/tasks",
            r#"{"title": "t", "type": "x", "priority": "SECRET"}"#,
        ),
        (
            "a number",
            "/v1/agents",
            r#"{"id": "a", "max_concurrent_tasks": "SECRET"}"#,
        ),
        (
            "a list",
            "/v1/tasks",
            r#"{"title": "t", "type": "x", "tags": "SECRET"}"#,
        ),
        (
            "a moment",
            "/v1/tasks",
            r#"{"title": "t", "type": "x", "deadline": "SECRET"}"#,
        ),
        (
            "money",
            "/v1/graphs",
            r#"{"title": "g", "budget_usd": "SECRET", "tasks": []}"#,
        ),
        ("a role", "/v1/keys", r#"{"name": "k", "role": "SECRET"}"#),
        ("bad JSON", "/v1/tasks", r#"{"title": "SECRET" "type": }"#),
        ("no JSON", "/v1/tasks", "SECRET"),
        (
            "an unknown field",
            "/v1/tasks",
            r#"{"title": "t", "type": "x", "password": "SECRET"}"#,
        ),
        (
            "a refused task",
            "/v1/tasks",
            r#"{"title": "", "type": "x", "spec": {"prompt": "SECRET"}}"#,
        ),
        (
            "an action",
            "/v1/bulk",
            r#"{"filter": {}, "action": "SECRET"}"#,
        ),
        (
            "a NUL",
            "/v1/tasks",
            r#"{"title": "t\u0000", "type": "x", "spec": {"prompt": "SECRET"}}"#,
        ),
    ] {
        let secret = planter.word(what);
        let body = body.replace("SECRET", &secret);
        let request = planter.request(Method::POST, path).body(body);
        planter.refused(what, request).await?;
    }
    Ok(())
}

/// What tasks and their agents carry.
async fn plant_in_work(planter: &mut Planter<'_>) -> Result<()> {
    let server = planter.server;
    server
        .post(
            "/v1/agents",
            json!({"id": "ann", "max_concurrent_tasks": 9}),
        )
        .await?;
    let prompt = planter.word("a prompt");
    let title = planter.word("a title");
    let task = json!({"title": title, "type": "x", "priority": 0, "spec": {"prompt": prompt}});
    server.post("/v1/tasks", task.clone()).await?;
    server.post("/v1/tasks", task).await?;
    let lease = server.claim().await?;
    let token = server
        .post(&format!("/v1/leases/{lease}/token"), json!({}))
        .await?;
    let token = token["token"].as_str().context("a token")?;
    let token = planter.plant("a lease token", token);
    let other = server.request(Method::GET, "/v1/tasks").bearer_auth(&token);
    planter.refused("a lease token elsewhere", other).await?;
    let checkpoint = planter.word("a checkpoint");
    let beat = json!({"checkpoint": {"at": checkpoint}, "progress": {"said": checkpoint}});
    server
        .post(&format!("/v1/leases/{lease}/heartbeat"), beat)
        .await?;
    let message = planter.word("what an agent says of its failure");
    let failed = json!({"reason": "not_found", "message": message, "details": {"why": message}});
    server
        .post(&format!("/v1/leases/{lease}/fail"), failed)
        .await?;
    let lease = server.claim().await?;
    let output = planter.word("an output");
    let done = json!({"output": {"password": output}});
    server
        .post(&format!("/v1/leases/{lease}/complete"), done)
        .await?;
    // Too late, with another output.
    let other = planter.word("an output that comes again");
    let request = planter.request(Method::POST, &format!("/v1/leases/{lease}/complete"));
    let request = request.json(&json!({"output": other}));
    planter.refused("an output that comes again", request).await
}
