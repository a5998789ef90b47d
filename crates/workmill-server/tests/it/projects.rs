//! Projects: a label over graphs and tasks.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use reqwest::Method;
use serde_json::{Value, json};
use workmill_core::ids::{GraphId, ProjectId, TaskId};
use workmill_core::lifecycle::State;
use workmill_core::project::ProjectStatus;
use workmill_core::task::NewTask;
use workmill_protocol::graphs::{CreateGraph, GrowGraph, ListGraphs};
use workmill_protocol::leases::{CompleteTask, SpawnTasks};
use workmill_protocol::lists::ListTasks;
use workmill_protocol::projects::{ChangeProject, CreateProject};
use workmill_protocol::role::Role;
use workmill_protocol::usage::Usage;
use workmill_sdk::Client;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim, status};
use crate::refusals::Raw;

async fn project(client: &Client, name: &str) -> Result<ProjectId> {
    let project = CreateProject {
        name: name.to_owned(),
        ..CreateProject::default()
    };
    Ok(client.create_project(&project).await?.id)
}

fn of(project: ProjectId, title: &str) -> NewTask {
    NewTask {
        project_id: Some(project),
        ..task(title)
    }
}

async fn listed(client: &Client, project: ProjectId) -> Result<Vec<TaskId>> {
    let list = ListTasks {
        project: Some(project),
        ..ListTasks::default()
    };
    let page = client.tasks(&list).await?;
    assert_eq!(page.next_cursor, None);
    for item in &page.items {
        assert_eq!(item.project_id, Some(project));
    }
    Ok(page.items.into_iter().map(|item| item.id).collect())
}

/// W-1 (part): with the columns of the source.
#[tokio::test]
async fn a_project_is_made_once_shown_listed_and_changed() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Orchestrator).await?;
    let said = CreateProject {
        name: "Roof".to_owned(),
        description: Some("Mend it".to_owned()),
        external_ref: Some("github.com/acme/roof".to_owned()),
        metadata: json!({"team": 7}).as_object().cloned(),
        ..CreateProject::default()
    };
    let made = client.create_project(&said).await?;
    let shown = client.project(made.id).await?;
    assert_eq!(shown.name, "Roof");
    assert_eq!(shown.external_ref, said.external_ref);
    assert_eq!(shown.metadata, said.metadata);
    assert_eq!((shown.status, shown.version), (ProjectStatus::Active, 1));
    assert_eq!(shown.created_at, shown.updated_at);

    server.pass_a_second();
    let change = ChangeProject {
        name: Some("Roofs".to_owned()),
        description: Some(None),
        status: Some(ProjectStatus::Archived),
        ..ChangeProject::default()
    };
    let changed = client.change_project(made.id, &change).await?;
    assert_eq!((changed.name.as_str(), changed.version), ("Roofs", 2));
    assert_eq!(changed.description, None);
    assert_eq!(
        changed.external_ref, said.external_ref,
        "what is not named stays"
    );
    assert!(changed.updated_at > changed.created_at);
    assert_eq!(client.project(made.id).await?, changed);

    let raw = Raw::new(&server, Role::Admin).await?;
    let audited = raw
        .call(Method::GET, "/v1/audit?action=project.edit", "")
        .await?
        .1;
    assert_eq!(audited["items"][0]["subject"], json!(made.id));
    assert_eq!(audited["items"][0]["after"]["name"], "Roofs");
    Ok(())
}

#[tokio::test]
async fn the_same_key_makes_one_project_and_another_request_with_it_none() -> Result<()> {
    let server = Server::start().await?;
    let token = server.token(server.test.ns, Role::Orchestrator).await?;
    let call = async |path: &str, body: Value| {
        let request = reqwest::Client::new()
            .post(format!("{}{path}", server.url))
            .bearer_auth(&token)
            .header("idempotency-key", "k");
        let response = request.json(&body).send().await?;
        anyhow::Ok((response.status().as_u16(), response.json::<Value>().await?))
    };
    let (first, project) = call("/v1/projects", json!({"name": "a"})).await?;
    let (again, same) = call("/v1/projects", json!({"name": "a"})).await?;
    assert_eq!((first, again), (201, 200));
    assert_eq!(project["id"], same["id"]);
    assert_eq!(call("/v1/projects", json!({"name": "b"})).await?.0, 409);
    let task = json!({"title": "t", "type": "x"});
    assert_eq!(call("/v1/tasks", task).await?.0, 409);
    let client = server.client(Role::Producer).await?;
    assert_eq!(client.projects(None).await?.items.len(), 1);
    Ok(())
}

#[tokio::test]
async fn projects_are_listed_in_pages() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Orchestrator).await?;
    let mut made = Vec::new();
    for n in 0..5 {
        server.pass_a_second();
        made.push(project(&client, &n.to_string()).await?);
    }
    let raw = Raw::new(&server, Role::Producer).await?;
    let (mut found, mut path) = (Vec::<ProjectId>::new(), "/v1/projects?limit=2".to_owned());
    loop {
        let page = raw.call(Method::GET, &path, "").await?.1;
        for item in page["items"].as_array().context("items")? {
            found.push(item["id"].as_str().context("an id")?.parse()?);
        }
        match page["next_cursor"].as_str() {
            Some(cursor) => path = format!("/v1/projects?limit=2&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(found, made);
    Ok(())
}

#[tokio::test]
async fn tasks_and_graphs_belong_to_their_project_and_so_does_what_they_grow() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    let (ours, other) = (project(&client, "a").await?, project(&client, "b").await?);
    client.submit(vec![task("of none")]).await?;
    let single = client.submit(vec![of(ours, "single")]).await?.tasks[0].id;
    let graph = CreateGraph {
        title: "g".to_owned(),
        draft: true,
        budget_usd: None,
        project_id: Some(ours),
        created_by: None,
        tasks: vec![task("inherits"), of(other, "names another")],
    };
    let graph = client.create_graph(&graph).await?;
    let raw = Raw::new(&server, Role::Operator).await?;
    let path = format!("/v1/graphs/{}/tasks", graph.id);
    let more = GrowGraph {
        tasks: vec![task("grown")],
    };
    let grown = raw
        .call(Method::POST, &path, &json!(more).to_string())
        .await?
        .1;
    let grown: TaskId = grown["tasks"][0]["id"].as_str().context("an id")?.parse()?;
    let inherits = graph.tasks["#0"];
    let whole = client.graph(graph.id).await?;
    assert_eq!(whole.project_id, Some(ours));
    assert_eq!(client.task(inherits).await?.project_id, Some(ours));
    assert_eq!(listed(&client, ours).await?, [single, inherits, grown]);
    assert_eq!(listed(&client, other).await?, [graph.tasks["#1"]]);

    // A task of its own that spawns others: they are about the same thing.
    client.register(&agent("a")).await?;
    let mut lease = None;
    for _ in 0..2 {
        let claimed = client.claim(&claim("a", 0)).await?.remove(0);
        if claimed.lease.task == single {
            lease = Some(claimed.lease);
        }
    }
    let lease = lease.context("the single task was claimed")?;
    let below = SpawnTasks {
        tasks: vec![task("spawned")],
        wait: false,
    };
    let spawned = client.spawn(lease, &below).await?;
    let spawned = spawned.tasks[0];
    assert_eq!(client.task(spawned).await?.project_id, Some(ours));
    let complete = CompleteTask {
        output: serde_json::value::to_raw_value(&1)?,
        artifacts: Vec::new(),
        usage: Usage::default(),
        claim: None,
    };
    client.complete(lease, &complete).await?;

    let of_project = |project| ListGraphs {
        project: Some(project),
        ..ListGraphs::default()
    };
    let page = client.graphs(&of_project(ours)).await?;
    let ids: Vec<GraphId> = page.items.iter().map(|item| item.id).collect();
    assert_eq!(ids, [graph.id, single.into()]);
    let tasks = client.project(ours).await?.tasks.context("counts")?;
    assert!(tasks.is_whole);
    let expected = BTreeMap::from([
        (State::Created, 2),
        (State::Ready, 1),
        (State::Completed, 1),
    ]);
    assert_eq!(tasks.by_status, expected);
    Ok(())
}

#[tokio::test]
async fn a_project_that_is_not_there_is_refused_and_nothing_enters() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    let foreign = server.foreign_client(Role::Operator).await?;
    let theirs = project(&foreign, "theirs").await?;
    let raw = Raw::new(&server, Role::Operator).await?;
    let task = json!({"title": "t", "type": "x", "project_id": theirs});
    let graph = json!({"title": "g", "project_id": theirs, "tasks": [{"title": "t", "type": "x"}]});
    for (path, body) in [("/v1/tasks", task), ("/v1/graphs", graph)] {
        let (status, problem) = raw.call(Method::POST, path, &body.to_string()).await?;
        assert_eq!(status, 400, "{path}");
        assert_eq!(problem["code"], "invalid");
        assert_eq!(problem["field"], "project_id");
    }
    assert_eq!(client.tasks(&ListTasks::default()).await?.items.len(), 0);
    assert_eq!(status(client.project(theirs).await), 404);
    let of_theirs = ListGraphs {
        project: Some(theirs),
        ..ListGraphs::default()
    };
    assert_eq!(client.graphs(&of_theirs).await?.items, []);
    let ours = project(&client, "ours").await?;
    let id = client.submit(vec![of(ours, "t")]).await?.tasks[0].id;
    let path = format!("/v1/tasks/{id}");
    let moved = json!({"project_id": ours}).to_string();
    let (status, problem) = raw.call(Method::PATCH, &path, &moved).await?;
    assert_eq!(
        (status.as_u16(), &problem["field"]),
        (400, &json!("project_id"))
    );
    Ok(())
}

#[tokio::test]
async fn a_change_names_the_edition_it_is_of() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Orchestrator).await?;
    let id = project(&client, "a").await?;
    let token = server.token(server.test.ns, Role::Orchestrator).await?;
    let url = format!("{}/v1/projects/{id}", server.url);
    let http = reqwest::Client::new();
    let read = http.get(&url).bearer_auth(&token).send().await?;
    let tag = read.headers()["etag"].to_str()?.to_owned();
    // A task that enters changes the answer, and is no edit.
    client.submit(vec![of(id, "t")]).await?;
    let mut statuses = Vec::new();
    for name in ["b", "c"] {
        let change = http
            .patch(&url)
            .bearer_auth(&token)
            .header("if-match", &tag);
        let response = change.json(&json!({"name": name})).send().await?;
        statuses.push(response.status().as_u16());
    }
    assert_eq!(statuses, [200, 412]);
    assert_eq!(client.project(id).await?.name, "b");
    Ok(())
}

#[tokio::test]
async fn what_is_said_of_a_project_has_bounds() -> Result<()> {
    let server = Server::start().await?;
    let raw = Raw::new(&server, Role::Orchestrator).await?;
    for (field, value) in [
        ("name", json!(" ")),
        ("name", json!("x".repeat(1_001))),
        ("description", json!("a\u{0}")),
        ("external_ref", json!("x".repeat(2_001))),
        ("metadata", json!({"a": "x".repeat(70_000)})),
        ("metadata", json!({"a": "\u{0}"})),
        ("colour", json!("red")),
    ] {
        let mut body = json!({"name": "p"});
        body[field] = value;
        let (status, problem) = raw
            .call(Method::POST, "/v1/projects", &body.to_string())
            .await?;
        assert_eq!((status.as_u16(), &problem["field"]), (400, &json!(field)));
    }
    Ok(())
}
