//! Who may call what: every route, with every role, and with the ids of another namespace.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use reqwest::Method;
use workmill_core::ids::{GraphId, LeaseId, ProjectId, TaskId};
use workmill_protocol::graphs::{CancelGraph, CreateGraph};
use workmill_protocol::keys::CreateKey;
use workmill_protocol::leases::SpawnTasks;
use workmill_protocol::projects::CreateProject;
use workmill_protocol::role::Role;
use workmill_sdk::{Client, ClientError};
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim};

const READERS: &[Role] = &[
    Role::Producer,
    Role::Orchestrator,
    Role::Operator,
    Role::Admin,
];
const STEERERS: &[Role] = &[Role::Orchestrator, Role::Operator, Role::Admin];
const WORKERS: &[Role] = &[Role::Agent, Role::Operator, Role::Admin];
const OPERATORS: &[Role] = &[Role::Operator, Role::Admin];
const ADMINS: &[Role] = &[Role::Admin];
const EVERYBODY: &[Role] = &Role::ALL;

/// A route, a body that is read without complaint, and who may call it. Ids in the path are those of
/// another namespace, so the answer to all who may is that they do not exist.
pub struct Line {
    pub method: &'static str,
    pub path: &'static str,
    body: &'static str,
    pub may: &'static [Role],
}

const fn line(
    method: &'static str,
    path: &'static str,
    body: &'static str,
    may: &'static [Role],
) -> Line {
    Line {
        method,
        path,
        body,
        may,
    }
}

const TASK: &str = r#"{"title": "t", "type": "x"}"#;
const TASKS: &str = r#"{"tasks": [{"title": "t", "type": "x"}]}"#;
const AGENT: &str = r#"{"id": "AGENT"}"#;

/// Every route of the server. A route without a line here fails the test below.
#[rustfmt::skip]
pub const TABLE: &[Line] = &[
    line("GET", "/health", "", EVERYBODY),
    line("GET", "/ready", "", EVERYBODY),
    line("GET", "/metrics", "", ADMINS),
    line("GET", "/openapi.json", "", EVERYBODY),
    line("GET", "/docs", "", EVERYBODY),
    line("GET", "/docs/docs.js", "", EVERYBODY),
    line("GET", "/docs/docs.css", "", EVERYBODY),
    line("POST", "/v1/tasks", TASK, READERS),
    line("GET", "/v1/tasks", "", READERS),
    line("GET", "/v1/projects", "", READERS),
    line("POST", "/v1/projects", r#"{"name": "p"}"#, STEERERS),
    line("GET", "/v1/projects/{id}", "", READERS),
    line("PATCH", "/v1/projects/{id}", r#"{"name": "q"}"#, STEERERS),
    line("GET", "/v1/tasks/{id}", "", EVERYBODY),
    line("PATCH", "/v1/tasks/{id}", TASK, STEERERS),
    line("GET", "/v1/tasks/{id}/output", "", EVERYBODY),
    line("POST", "/v1/tasks/{id}/adopt", "{}", STEERERS),
    line("GET", "/v1/tasks/{id}/explain", "", READERS),
    line("POST", "/v1/tasks/{id}/cancel", "", READERS),
    line("POST", "/v1/tasks/{id}/answer", r#"{"input": 1}"#, STEERERS),
    line("PUT", "/v1/tasks/{id}/dependencies/{on}", "", STEERERS),
    line("DELETE", "/v1/tasks/{id}/dependencies/{on}", "", STEERERS),
    line("POST", "/v1/graphs", r#"{"title": "g", "tasks": [{"title": "t", "type": "x"}]}"#, READERS),
    line("POST", "/v1/plan-sync", r#"{"id": "a", "spec_ref": "r", "title": "t"}"#, STEERERS),
    line("GET", "/v1/graphs", "", READERS),
    line("GET", "/v1/graphs/{id}", "", READERS),
    line("POST", "/v1/graphs/{id}/tasks", TASKS, STEERERS),
    line("POST", "/v1/graphs/{id}/submit", "", STEERERS),
    line("POST", "/v1/graphs/{id}/cancel", r#"{"mode": "now"}"#, READERS),
    line("POST", "/v1/graphs/{id}/retry", "", STEERERS),
    line("GET", "/v1/dead-letters", "", READERS),
    line("GET", "/v1/dead-letters/groups", "", READERS),
    line("POST", "/v1/dead-letters/resolve", r#"{"filter": {}, "resolution": "retry"}"#, STEERERS),
    line("GET", "/v1/dead-letters/{id}", "", READERS),
    line("PATCH", "/v1/dead-letters/{id}", r#"{"reviewed": true}"#, STEERERS),
    line("POST", "/v1/dead-letters/{id}/resolve", r#"{"resolution": "retry"}"#, STEERERS),
    line("POST", "/v1/bulk", r#"{"filter": {}, "action": "cancel", "dry_run": true}"#, OPERATORS),
    line("GET", "/v1/questions", "", READERS),
    line("GET", "/v1/audit", "", OPERATORS),
    line("GET", "/v1/stats", "", READERS),
    line("GET", "/v1/limits", "", READERS),
    line("PUT", "/v1/limits/{scope}", r#"{"max": 1}"#, OPERATORS),
    line("DELETE", "/v1/limits/{scope}", "", OPERATORS),
    line("GET", "/v1/budgets", "", READERS),
    line("PUT", "/v1/budgets/{scope}", r#"{"budget_usd": 1}"#, OPERATORS),
    line("DELETE", "/v1/budgets/{scope}", "", OPERATORS),
    line("GET", "/v1/pauses", "", READERS),
    line("PUT", "/v1/pauses/{scope}", "", OPERATORS),
    line("DELETE", "/v1/pauses/{scope}", "", OPERATORS),
    line("GET", "/v1/retention", "", READERS),
    line("PUT", "/v1/retention", r#"{"completed_sec": 9000000}"#, OPERATORS),
    line("DELETE", "/v1/retention", "", OPERATORS),
    line("POST", "/v1/agents", AGENT, WORKERS),
    line("GET", "/v1/agents", "", READERS),
    line("GET", "/v1/agents/{id}", "", READERS),
    line("PATCH", "/v1/agents/{id}", "{}", OPERATORS),
    line("POST", "/v1/agents/{id}/heartbeat", "", WORKERS),
    line("POST", "/v1/agents/{id}/sign-off", r#"{"session": "019a8d3c-5c2e-7b6e-9a40-2f7c1d5e8b11"}"#, WORKERS),
    line("DELETE", "/v1/agents/{id}", "", OPERATORS),
    line("POST", "/v1/claims", r#"{"agent": "AGENT"}"#, WORKERS),
    line("POST", "/v1/claims/preview", r#"{"agent": "AGENT"}"#, READERS),
    line("POST", "/v1/heartbeats", r#"{"heartbeats": []}"#, WORKERS),
    line("POST", "/v1/settlements", r#"{"settlements": []}"#, WORKERS),
    line("GET", "/v1/leases/{lease}", "", WORKERS),
    line("POST", "/v1/leases/{lease}/start", "", WORKERS),
    line("POST", "/v1/leases/{lease}/heartbeat", "{}", WORKERS),
    line("POST", "/v1/leases/{lease}/complete", r#"{"output": 1}"#, WORKERS),
    line("POST", "/v1/leases/{lease}/fail", r#"{"reason": "crash"}"#, WORKERS),
    line("POST", "/v1/leases/{lease}/release", "", WORKERS),
    line("POST", "/v1/leases/{lease}/spawn", TASKS, WORKERS),
    line("POST", "/v1/leases/{lease}/block", r#"{"waits_for": "input"}"#, WORKERS),
    line("POST", "/v1/leases/{lease}/token", "", WORKERS),
    line("POST", "/v1/keys", r#"{"name": "k", "role": "agent"}"#, ADMINS),
    line("GET", "/v1/keys", "", ADMINS),
    line("DELETE", "/v1/keys/{id}", "", ADMINS),
    line("POST", "/v1/keys/{id}/rotate", "", ADMINS),
    line("POST", "/v1/namespaces", r#"{"name": "n"}"#, ADMINS),
    line("GET", "/v1/namespaces", "", ADMINS),
    line("GET", "/v1/namespaces/{name}/settings", "", READERS),
    line("PUT", "/v1/namespaces/{name}/settings", "{}", OPERATORS),
    line("GET", "/v1/events", "", READERS),
];

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// Method and path of every route, read from where they are put together.
fn routes() -> BTreeSet<(String, String)> {
    let source = include_str!("../../src/routes.rs");
    let end = source.split_once("async fn unknown_route");
    let (source, _) = end.expect("routes end there");
    let mut routes = BTreeSet::new();
    for route in source.split(".route(").skip(1) {
        let path = route.split('"').nth(1).expect("a path");
        // What stands before an opening parenthesis is called.
        let called = route.split('(').map(|text| {
            let is_of_a_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            text.rsplit(|letter| !is_of_a_name(letter))
                .next()
                .unwrap_or_default()
        });
        for method in called.filter(|name| METHODS.contains(name)) {
            routes.insert((method.to_uppercase(), path.to_owned()));
        }
    }
    routes
}

#[test]
fn every_route_has_a_line_in_the_table() {
    let lines = TABLE.iter();
    let known: BTreeSet<(String, String)> = lines
        .map(|line| (line.method.to_owned(), line.path.to_owned()))
        .collect();
    assert_eq!(routes(), known);
    assert_eq!(known.len(), TABLE.len(), "no line is there twice");
}

/// What another namespace has.
struct Foreign {
    task: TaskId,
    graph: GraphId,
    project: ProjectId,
    lease: LeaseId,
    agent: &'static str,
}

impl Foreign {
    async fn make(server: &Server) -> Result<Self> {
        let client = server.foreign_client(Role::Operator).await?;
        let agent_name = "theirs";
        client.register(&agent(agent_name)).await?;
        client.submit(vec![task("held")]).await?;
        let lease = client.claim(&claim(agent_name, 0)).await?.remove(0).lease;
        let graph = CreateGraph {
            title: "g".to_owned(),
            draft: true,
            budget_usd: None,
            project_id: None,
            created_by: None,
            tasks: vec![task("t")],
        };
        let graph = client.create_graph(&graph).await?;
        let task = *graph.tasks.values().next().context("a task")?;
        let project = CreateProject {
            name: "theirs".to_owned(),
            ..CreateProject::default()
        };
        let project = client.create_project(&project).await?.id;
        Ok(Foreign {
            task,
            project,
            graph: graph.id,
            lease,
            agent: agent_name,
        })
    }

    /// The path with their ids in it.
    fn name_in(&self, path: &str) -> String {
        let id = match path.split('/').nth(2) {
            Some("graphs") => self.graph.to_string(),
            Some("projects") => self.project.to_string(),
            Some("agents") => self.agent.to_owned(),
            // Admins reach the keys of all namespaces: one that nobody has.
            Some("keys") => "01890000-0000-7000-8000-000000000000".to_owned(),
            _ => self.task.to_string(),
        };
        // Limits are not for graphs.
        let scope = match path.split('/').nth(2) {
            Some("limits") => "type:review".to_owned(),
            _ => format!("graph:{}", self.graph),
        };
        path.replace("{id}", &id)
            .replace("{scope}", &scope)
            .replace("{name}", "theirs")
            .replace("{on}", &self.task.to_string())
            .replace("{lease}", &self.lease.to_string())
    }
}

#[tokio::test]
async fn each_role_calls_what_it_may_and_foreign_ids_do_not_exist() -> Result<()> {
    let server = Server::start().await?;
    let foreign = Foreign::make(&server).await?;
    let http = reqwest::Client::new();
    let mut wrong = Vec::new();
    for role in Role::ALL {
        let token = server.token(server.test.ns, role).await?;
        for line in TABLE {
            let url = format!("{}{}", server.url, foreign.name_in(line.path));
            let response = http
                .request(line.method.parse::<Method>()?, url)
                .bearer_auth(&token)
                .body(line.body.replace("AGENT", foreign.agent))
                .send()
                .await?;
            let status = response.status().as_u16();
            let names_something = line.path.contains('{') && line.path != "/v1/limits/{scope}"
                || line.path.starts_with("/v1/claims");
            let is_right = match (line.may.contains(&role), names_something) {
                (false, _) => status == 403,
                (true, true) => status == 404,
                (true, false) => ![401, 403, 404, 405].contains(&status) && status < 500,
            };
            if !is_right {
                let (method, path) = (line.method, line.path);
                wrong.push(format!("{role} {method} {path}: {status}"));
            }
            // Registered by the role before, with another key.
            if line.path == "/v1/agents" && line.method == "POST" && status == 201 {
                let statement = "delete from workmill.agent where ns = $1";
                let client = server.test.database.client().await?;
                client.execute(statement, &[&server.test.ns.0]).await?;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

#[tokio::test]
async fn a_refused_role_learns_which_roles_may() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Agent).await?;
    let Err(ClientError::Refused(problem)) = client.submit(vec![task("t")]).await else {
        panic!("an agent submits nothing");
    };
    assert_eq!(
        problem.detail,
        "a key of role `agent` may not do this; these roles may: producer, orchestrator, operator, admin"
    );
    Ok(())
}

#[tokio::test]
async fn no_route_answers_without_a_key_and_none_takes_the_place_of_another_namespace() -> Result<()>
{
    let server = Server::start().await?;
    let foreign = Foreign::make(&server).await?;
    let http = reqwest::Client::new();
    let token = server.token(server.test.ns, Role::Operator).await?;
    for line in TABLE
        .iter()
        .filter(|line| line.may != EVERYBODY || line.path.starts_with("/v1"))
    {
        let url = format!("{}{}", server.url, foreign.name_in(line.path));
        let method: Method = line.method.parse()?;
        let response = http.request(method.clone(), &url).send().await?;
        assert_eq!(response.status(), 401, "{method} {url}");
        if line.may.contains(&Role::Operator) {
            let elsewhere = http.request(method.clone(), &url).bearer_auth(&token);
            let elsewhere = elsewhere.header("workmill-namespace", "foreign");
            assert_eq!(elsewhere.send().await?.status(), 404, "{method} {url}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn an_admin_acts_in_another_namespace_that_it_names() -> Result<()> {
    let server = Server::start().await?;
    let foreign = Foreign::make(&server).await?;
    let token = server.token(server.test.ns, Role::Admin).await?;
    let get = |namespace: &'static str| {
        reqwest::Client::new()
            .get(format!("{}/v1/tasks/{}", server.url, foreign.task))
            .bearer_auth(&token)
            .header("workmill-namespace", namespace)
            .send()
    };
    assert_eq!(get("foreign").await?.status(), 200);
    assert_eq!(get("test").await?.status(), 404);
    assert_eq!(get("nowhere").await?.status(), 404);
    Ok(())
}

fn status<T: std::fmt::Debug>(answer: Result<T, ClientError>) -> u16 {
    match answer {
        Err(ClientError::Refused(problem)) => problem.status,
        other => panic!("not refused: {other:?}"),
    }
}

async fn with_key(server: &Server, role: Role) -> Result<Client> {
    let key = CreateKey {
        name: "the same name".to_owned(),
        role,
        namespace: None,
    };
    let key = server.client(Role::Admin).await?.create_key(&key).await?;
    Ok(Client::new(&server.url, &key.token)?)
}

#[tokio::test]
async fn a_producer_cancels_what_it_submitted_and_nothing_else() -> Result<()> {
    let server = Server::start().await?;
    let (mine, other) = (
        with_key(&server, Role::Producer).await?,
        with_key(&server, Role::Producer).await?,
    );
    let graph = CreateGraph {
        title: "g".to_owned(),
        draft: false,
        budget_usd: None,
        project_id: None,
        created_by: None,
        tasks: vec![task("t")],
    };
    let (task_id, graph) = (
        mine.submit(vec![task("t")]).await?.tasks[0].id,
        mine.create_graph(&graph).await?.id,
    );
    let now = CancelGraph::default();
    assert_eq!(status(other.cancel(task_id).await), 403);
    assert_eq!(status(other.cancel_graph(graph, &now).await), 403);
    assert_eq!(other.task(task_id).await?.id, task_id, "all may look");
    mine.cancel(task_id).await?;
    assert_eq!(mine.cancel_graph(graph, &now).await?.cancelled, 1);
    let orchestrator = with_key(&server, Role::Orchestrator).await?;
    let again = mine.submit(vec![task("t")]).await?.tasks[0].id;
    orchestrator.cancel(again).await?;
    Ok(())
}

#[tokio::test]
async fn an_agent_sees_only_what_a_claim_has_handed_it() -> Result<()> {
    let server = Server::start().await?;
    let producer = with_key(&server, Role::Producer).await?;
    let (mine, other) = (
        with_key(&server, Role::Agent).await?,
        with_key(&server, Role::Agent).await?,
    );
    let first = producer.submit(vec![task("first")]).await?.tasks[0].id;
    let second = producer.submit(vec![task("second")]).await?.tasks[0].id;
    mine.register(&agent("mine")).await?;
    other.register(&agent("other")).await?;
    assert_eq!(status(mine.task(first).await), 403, "not claimed yet");
    let held = mine.claim(&claim("mine", 0)).await?.remove(0);
    assert_eq!(held.task.id, first);
    assert_eq!(mine.task(first).await?.id, first);
    assert_eq!(status(mine.task(second).await), 403);
    assert_eq!(status(other.task(first).await), 403);
    // What it spawns, it does not hold; and nobody else spawns below its task.
    let spawn = SpawnTasks {
        tasks: vec![task("child")],
        wait: false,
    };
    assert_eq!(status(other.spawn(held.lease, &spawn).await), 403);
    let child = mine.spawn(held.lease, &spawn).await?.tasks[0];
    assert_eq!(status(mine.task(child).await), 403);
    mine.release(held.lease).await?;
    assert_eq!(status(mine.task(first).await), 403, "given back");
    assert_eq!(status(mine.submit(vec![task("t")]).await), 403);
    assert_eq!(status(mine.cancel(first).await), 403);
    Ok(())
}
