//! Lists of tasks: filters, pages, who may see them.

use std::collections::BTreeSet;

use anyhow::Result;
use jiff::Timestamp;
use reqwest::Method;
use serde_json::{Value, json};
use workmill_core::ids::{GraphId, ProjectId, TaskId};
use workmill_core::lifecycle::State;
use workmill_core::priority::Class;
use workmill_core::task::NewTask;
use workmill_protocol::graphs::{CancelGraph, CreateGraph, ListGraphs};
use workmill_protocol::leases::CompleteTask;
use workmill_protocol::lists::{Count, ListTasks, TaskSummary};
use workmill_protocol::role::Role;
use workmill_sdk::Client;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim, status};
use crate::refusals::Raw;

async fn titles(client: &Client, list: ListTasks) -> Result<Vec<String>> {
    let page = client.tasks(&list).await?;
    assert_eq!(page.next_cursor, None, "{list:?}");
    Ok(page.items.into_iter().map(|item| item.title).collect())
}

/// All pages, one after the other.
async fn walk(client: &Client, list: ListTasks) -> Result<Vec<TaskSummary>> {
    let (mut items, mut cursor) = (Vec::new(), list.cursor.clone());
    loop {
        let asked = ListTasks {
            cursor,
            ..list.clone()
        };
        let page = client.tasks(&asked).await?;
        items.extend(page.items);
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(items);
        }
    }
}

#[tokio::test]
async fn each_filter_finds_its_tasks_and_no_others() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let special = NewTask {
        task_type: "review".to_owned(),
        tags: vec!["urgent".to_owned()],
        priority: Class::High.base(),
        target_agent: Some("bob".to_owned()),
        ..task("Mend the ROOF")
    };
    let plain = task("plain");
    let submitted = client.submit(vec![plain, special]).await?;
    client.register(&agent("ann")).await?;
    let lease = client.claim(&claim("ann", 0)).await?.remove(0).lease;
    assert_eq!(lease.task, submitted.tasks[0].id);
    server.pass_a_second();
    let graph = CreateGraph {
        title: "g".to_owned(),
        draft: false,
        budget_usd: None,
        project_id: None,
        created_by: None,
        tasks: vec![
            NewTask {
                name: Some("a".to_owned()),
                ..task("first")
            },
            NewTask {
                depends_on: vec!["a".to_owned()],
                ..task("second")
            },
        ],
    };
    let graph = client.create_graph(&graph).await?.id;

    let now = server.test.store.now().await?;
    let minute = jiff::SignedDuration::from_mins(1);
    let everything = ["plain", "Mend the ROOF", "first", "second"].as_slice();
    let special = ["Mend the ROOF"].as_slice();
    for (query, found) in [
        (json!({}), everything),
        (json!({"since": now - minute}), everything),
        (json!({"since": now + minute}), &[]),
        (json!({"created_by": "admin"}), everything),
        (json!({"created_by": "nobody"}), &[]),
        (json!({"source": "admin"}), everything),
        (json!({"source": "cron"}), &[]),
        (json!({"type": "review"}), special),
        (json!({"tag": "urgent"}), special),
        (json!({"priority_tier": "high"}), special),
        (json!({"q": "the roof"}), special),
        (json!({"agent": "bob"}), special),
        (json!({"agent": "ann"}), &["plain"]),
        (json!({"agent": "ann", "status": "ready"}), &[]),
        (json!({"graph": graph}), &["first", "second"]),
        (json!({"status": "running,pending"}), &["plain", "second"]),
        (json!({"status": "blocked,retrying,cancelled"}), &[]),
    ] {
        let list: ListTasks = serde_json::from_value(query.clone())?;
        assert_eq!(titles(&client, list).await?, found, "{query}");
    }

    let done = CompleteTask {
        output: serde_json::value::to_raw_value(&1)?,
        artifacts: Vec::new(),
        usage: serde_json::from_value(json!({"cost_usd": 0.25}))?,
        claim: None,
    };
    client.complete(lease, &done).await?;
    let list = ListTasks {
        status: vec![State::Completed],
        count: true,
        ..ListTasks::default()
    };
    let page = client.tasks(&list).await?;
    let item = &page.items[0];
    assert_eq!(
        (item.title.as_str(), item.attempts_counted, item.cost_usd.0),
        ("plain", 1, 250_000)
    );
    assert_eq!(item.agent.as_deref(), Some("ann"), "by whom it was done");
    let by_ann: ListTasks = serde_json::from_value(json!({"agent": "ann"}))?;
    assert_eq!(titles(&client, by_ann).await?, ["plain"]);
    let one = Count {
        tasks: 1,
        is_whole: true,
    };
    assert_eq!(page.count, Some(one));
    Ok(())
}

#[tokio::test]
async fn pages_miss_nothing_and_repeat_nothing_while_tasks_come_in() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Orchestrator).await?;
    let submit = |range: std::ops::Range<usize>| {
        let tasks = range.map(|nth| task(&format!("t{nth:03}"))).collect();
        client.submit(tasks)
    };
    let first = submit(0..60).await?;
    for statuses in [Vec::new(), vec![State::Ready]] {
        let list = ListTasks {
            status: statuses.clone(),
            limit: Some(7),
            ..ListTasks::default()
        };
        let page = client.tasks(&list).await?;
        assert_eq!(page.items.len(), 7);
        submit(60..65).await?;
        let rest = ListTasks {
            cursor: page.next_cursor,
            ..list
        };
        let mut found: Vec<TaskId> = page.items.iter().map(|item| item.id).collect();
        found.extend(walk(&client, rest).await?.iter().map(|item| item.id));
        let known: Vec<TaskId> = first.tasks.iter().map(|task| task.id).collect();
        let of_the_first: Vec<&TaskId> = found.iter().filter(|id| known.contains(id)).collect();
        assert_eq!(
            of_the_first,
            known.iter().collect::<Vec<_>>(),
            "{statuses:?}"
        );
        let mut unique = found.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), found.len());
    }
    Ok(())
}

#[tokio::test]
async fn a_rare_task_is_found_page_by_page_behind_many_others() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Producer).await?;
    let many = |count: usize| (0..count).map(|_| task("many")).collect::<Vec<_>>();
    for _ in 0..3 {
        client.submit(many(8_000)).await?;
    }
    server.pass_a_second();
    client.submit(vec![task("needle")]).await?;
    let list = ListTasks {
        q: Some("needle".to_owned()),
        count: true,
        ..ListTasks::default()
    };
    let page = client.tasks(&list).await?;
    assert!(page.items.is_empty(), "the look has an end");
    assert!(page.next_cursor.is_some());
    let count = page.count.expect("it was asked for");
    assert_eq!((count.tasks, count.is_whole), (0, false));
    let found = walk(&client, list).await?;
    assert_eq!(found.len(), 1);
    Ok(())
}

#[tokio::test]
async fn a_list_is_refused_with_what_is_wrong_and_shows_nothing_of_others() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.submit(vec![task("mine")]).await?;
    let raw = Raw::new(&server, Role::Producer).await?;
    for (query, word) in [
        ("colour=red", "colour"),
        ("status=flying", "expected one of: "),
        ("limit=0", "between 1 and 500"),
        ("limit=501", "between 1 and 500"),
        ("limit=x", "expected a whole number"),
        ("cursor=x", "next_cursor"),
        (
            "status=ready&cursor=all_00000000000000000000000000000000",
            "next_cursor",
        ),
        ("q=", "must not be empty"),
        ("since=yesterday", "expected a time like "),
        ("graph=x", "the id of a graph"),
        ("tag=a%00b", "U+0000"),
    ] {
        let path = format!("/v1/tasks?{query}");
        let (status, problem) = raw.call(Method::GET, &path, "").await?;
        assert_eq!(
            (status.as_u16(), &problem["code"]),
            (400, &json!("invalid")),
            "{query}"
        );
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.contains(word), "{query}: {detail}");
    }
    let (_, problem) = raw.call(Method::GET, "/v1/tasks?colour=red", "").await?;
    assert_eq!(problem["field"], json!("colour"));
    let foreign = server.foreign_client(Role::Operator).await?;
    assert_eq!(titles(&foreign, ListTasks::default()).await?.len(), 0);
    let worker = server.client(Role::Agent).await?;
    assert_eq!(status(worker.tasks(&ListTasks::default()).await), 403);
    Ok(())
}

/// Every call that takes a task's id takes its planner's key, too.
#[tokio::test]
async fn a_planners_key_names_its_task_wherever_an_id_does() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let keyed = |name: &str, key: &str, on: &[&str]| NewTask {
        key: Some(key.to_owned()),
        depends_on: on.iter().map(|&on| on.to_owned()).collect(),
        ..task(name)
    };
    let graph = CreateGraph {
        title: "g".to_owned(),
        draft: false,
        budget_usd: None,
        project_id: None,
        created_by: None,
        tasks: vec![
            keyed("first", "db/1", &[]),
            keyed("second", "db 2", &["db/1"]),
        ],
    };
    let created = client.create_graph(&graph).await?;
    let (first, second) = (created.tasks["#0"], created.tasks["#1"]);

    assert_eq!(client.task("db/1").await?.id, first);
    assert_eq!(client.task("db 2").await?.depends_on, [first]);
    assert!(!client.explain("db 2").await?.conditions.is_empty());
    client.remove_dependency("db 2", "db/1").await?;
    assert!(client.task(second).await?.depends_on.is_empty());
    client.add_dependency("db 2", "db/1").await?;
    assert_eq!(client.task(second).await?.depends_on, [first]);
    let grown = json!({"tasks": [{"title": "third", "type": "code", "depends_on": ["db 2"]}]});
    let raw = Raw::new(&server, Role::Admin).await?;
    let path = format!("/v1/graphs/{}/tasks", created.id);
    let (status, answer) = raw.call(Method::POST, &path, grown.to_string()).await?;
    assert_eq!(status, 201, "{answer}");
    let third: TaskId = serde_json::from_value(answer["tasks"][0]["id"].clone())?;
    assert_eq!(client.task(third).await?.depends_on, [second]);
    let changes = serde_json::value::to_raw_value(&json!({"title": "changed"}))?;
    assert_eq!(client.edit_task("db 2", &changes, None).await?.id, second);

    client.register(&agent("ann")).await?;
    let lease = client.claim(&claim("ann", 0)).await?.remove(0).lease;
    let block = serde_json::from_value(json!({"waits_for": "input", "question": "which?"}))?;
    client.block(lease, &block).await?;
    let answer = serde_json::from_value(json!({"input": "this one"}))?;
    assert_eq!(client.answer("db/1", &answer).await?.id, first);
    let lease = client.claim(&claim("ann", 0)).await?.remove(0).lease;
    let fail = serde_json::from_value(json!({"reason": "permission_denied", "message": "no"}))?;
    client.fail(lease, &fail).await?;
    assert_eq!(client.dead_letter("db/1").await?.task_id, first);
    assert!(client.review_dead_letter("db/1", true).await?.reviewed);
    let retry = serde_json::from_value(json!({"resolution": "retry"}))?;
    assert_eq!(client.resolve_dead_letter("db/1", &retry).await?.id, first);

    let (status, page) = raw
        .call(Method::GET, "/v1/events?task=db/1&limit=1000", "")
        .await?;
    assert_eq!(status, 200, "{page}");
    let events = page["items"].as_array().cloned().unwrap_or_default();
    assert!(events.len() > 3 && events.iter().all(|event| event["task_id"] == json!(first)));

    assert_eq!(client.cancel("db/1").await?.id, first);
    let audited = async |query: &str| -> Result<BTreeSet<String>> {
        let path = format!("/v1/audit?{query}");
        let (status, page) = raw.call(Method::GET, &path, "").await?;
        anyhow::ensure!(status == 200, "{page}");
        let entries = page["items"].as_array().cloned().unwrap_or_default();
        let subjects = entries.iter().filter_map(|entry| entry["subject"].as_str());
        Ok(subjects.map(str::to_owned).collect())
    };
    let of_first = BTreeSet::from([first.to_string()]);
    for kind in ["", "&subject_kind=task", "&subject_kind=dead_letter"] {
        let found = audited(&format!("subject=db/1{kind}")).await?;
        assert_eq!(found, of_first, "{kind}");
    }
    assert!(audited("subject=db/1&subject_kind=agent").await?.is_empty());
    assert!(audited("subject=db%203").await?.is_empty());
    // An agent of that name has entries of its own.
    client.register(&agent("db/1")).await?;
    let of_agent = BTreeSet::from(["db/1".to_owned()]);
    assert_eq!(audited("subject=db/1").await?, of_agent);
    assert_eq!(audited("subject=db/1&subject_kind=task").await?, of_first);

    // A reference is stored as it was sent, so it needs the id.
    let referring =
        json!({"title": "r", "type": "code", "spec": {"context_refs": ["task:db/1:output"]}});
    let (status, refused) = raw
        .call(Method::POST, "/v1/tasks", referring.to_string())
        .await?;
    assert_eq!(
        (status.as_u16(), &refused["code"]),
        (400, &json!("invalid"))
    );
    let detail = refused["detail"].as_str().expect("a detail");
    assert!(detail.contains("needs the id of the task"), "{detail}");

    for unknown in ["db 3", "\0", "dag_x"] {
        let refused = client.task(unknown).await.unwrap_err();
        assert!(refused.to_string().contains("not"), "{refused}");
    }
    Ok(())
}

/// Each order has a walk of its own, and the pages of a walk are the whole list in that order.
#[tokio::test]
async fn tasks_are_listed_by_age_and_by_their_end() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let mut ids = Vec::new();
    for number in 0..7 {
        let submitted = client.submit(vec![task(&format!("task {number}"))]).await?;
        ids.push(submitted.tasks[0].id);
        server.pass_a_second();
    }
    let since = server.test.store.now().await? - jiff::SignedDuration::from_millis(2500);
    client.register(&agent("ann")).await?;
    let mut ended = Vec::new();
    for _ in 0..3 {
        let lease = client.claim(&claim("ann", 0)).await?.remove(0).lease;
        ended.push(lease.task);
        server.pass_a_second();
        let done = serde_json::from_value(json!({"output": 1}))?;
        client.complete(lease, &done).await?;
    }
    let running = client.claim(&claim("ann", 0)).await?.remove(0).lease.task;
    let newest: Vec<TaskId> = ids.iter().rev().copied().collect();
    let last_ended: Vec<TaskId> = ended.iter().rev().copied().collect();
    let ready: Vec<TaskId> = newest
        .iter()
        .copied()
        .filter(|id| !ended.contains(id) && *id != running)
        .collect();
    for limit in [1, 2, 500] {
        for (query, expected) in [
            (json!({"sort": "newest"}), newest.clone()),
            (json!({"sort": "oldest"}), ids.clone()),
            (
                json!({"sort": "newest", "since": since}),
                newest[..2].to_vec(),
            ),
            (json!({"sort": "newest", "status": "ready"}), ready.clone()),
            (
                json!({"sort": "newest", "status": "running,claimed"}),
                vec![running],
            ),
            (
                json!({"sort": "ended", "status": "completed"}),
                last_ended.clone(),
            ),
            (json!({"sort": "ended", "status": "cancelled"}), vec![]),
            (
                json!({"sort": "newest", "graph": GraphId::from(ids[0])}),
                vec![ids[0]],
            ),
        ] {
            let mut list: ListTasks = serde_json::from_value(query.clone())?;
            list.limit = Some(limit);
            let found = walk(&client, list).await?;
            let found: Vec<TaskId> = found.into_iter().map(|item| item.id).collect();
            assert_eq!(found, expected, "{query} by {limit}");
        }
    }
    for (query, field) in [
        ("sort=ended", "sort"),
        ("sort=ended&status=completed,ready", "sort"),
    ] {
        let raw = Raw::new(&server, Role::Admin).await?;
        let path = format!("/v1/tasks?{query}");
        let (status, problem) = raw.call(Method::GET, &path, "").await?;
        assert_eq!(
            (status.as_u16(), &problem["field"]),
            (400, &json!(field)),
            "{query}"
        );
    }
    // A cursor of one order is none of another.
    let page = client
        .tasks(&serde_json::from_value(
            json!({"sort": "newest", "limit": 1}),
        )?)
        .await?;
    let other = ListTasks {
        cursor: page.next_cursor,
        ..ListTasks::default()
    };
    assert_eq!(status(client.tasks(&other).await), 400);
    Ok(())
}

async fn graph_titles(client: &Client, query: Value) -> Result<Vec<String>> {
    let mut list: ListGraphs = serde_json::from_value(query)?;
    let mut titles = Vec::new();
    loop {
        let page = client.graphs(&list).await?;
        titles.extend(page.items.into_iter().map(|item| item.title));
        if page.next_cursor.is_none() {
            return Ok(titles);
        }
        list.cursor = page.next_cursor;
    }
}

/// Queries for graphs, each with the titles that it finds.
fn graph_searches(project: ProjectId, middle: Timestamp) -> Vec<(Value, Vec<&'static str>)> {
    let all = [
        "running",
        "roof draft",
        "cancelled",
        "roof failed",
        "Roof done",
    ];
    vec![
        (json!({}), all.to_vec()),
        (json!({"status": "failed"}), vec!["roof failed"]),
        (
            json!({"status": "running,failed,pending"}),
            vec!["running", "roof draft", "roof failed"],
        ),
        (json!({"status": "completed"}), vec!["Roof done"]),
        (
            json!({"status": "cancelled,failed"}),
            vec!["cancelled", "roof failed"],
        ),
        (
            json!({"q": "ROOF"}),
            vec!["roof draft", "roof failed", "Roof done"],
        ),
        (
            json!({"q": "roof", "status": "pending"}),
            vec!["roof draft"],
        ),
        (json!({"project": project}), vec!["running", "roof failed"]),
        (
            json!({"project": project, "status": "failed"}),
            vec!["roof failed"],
        ),
        (json!({"project": project, "status": "completed"}), vec![]),
        (json!({"since": middle}), vec!["running", "roof draft"]),
        (
            json!({"until": middle}),
            vec!["cancelled", "roof failed", "Roof done"],
        ),
        (json!({"since": middle, "status": "failed"}), vec![]),
        (json!({"created_by": "admin"}), all.to_vec()),
        (json!({"created_by": "ada"}), vec![]),
    ]
}

/// Graphs are found by status, title, project, creator and time, the newest first, whatever became of
/// them, with how many tasks are where and what they have cost.
#[tokio::test]
async fn graphs_are_found_by_all_that_is_known_of_them() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.register(&agent("ann")).await?;
    let project = client
        .create_project(&serde_json::from_value(json!({"name": "p"}))?)
        .await?
        .id;
    let mut made = Vec::new();
    let create = async |title: &str, with: Value| -> Result<GraphId> {
        let mut graph = json!({"title": title, "tasks": [
            {"name": "a", "title": "a", "type": "x", "max_attempts": 1},
            {"name": "b", "title": "b", "type": "x", "depends_on": ["a"]},
        ]});
        for (name, value) in with.as_object().into_iter().flatten() {
            graph[name] = value.clone();
        }
        let id = client
            .create_graph(&serde_json::from_value(graph)?)
            .await?
            .id;
        server.pass_a_second();
        Ok(id)
    };
    let usage = json!({"cost_usd": 0.5});
    let next = async || -> Result<_> { Ok(client.claim(&claim("ann", 0)).await?.remove(0).lease) };
    let complete = serde_json::from_value(json!({"output": 1, "usage": usage}))?;
    let fail = serde_json::from_value(json!({"reason": "not_found", "usage": usage}))?;
    made.push(create("Roof done", json!({})).await?);
    client.complete(next().await?, &complete).await?;
    client.complete(next().await?, &complete).await?;
    made.push(create("roof failed", json!({"project_id": project})).await?);
    client.fail(next().await?, &fail).await?;
    made.push(create("cancelled", json!({})).await?);
    client
        .cancel_graph(made[2], &CancelGraph::default())
        .await?;
    let middle = server.test.store.now().await? - jiff::SignedDuration::from_millis(500);
    made.push(create("roof draft", json!({"draft": true})).await?);
    made.push(create("running", json!({"project_id": project})).await?);

    for limit in [1, 2, 500] {
        for (mut query, found) in graph_searches(project, middle) {
            query["limit"] = json!(limit);
            assert_eq!(
                graph_titles(&client, query.clone()).await?,
                found,
                "{query}"
            );
        }
    }
    let failed = client
        .graphs(&serde_json::from_value(json!({"status": "failed"}))?)
        .await?
        .items
        .remove(0);
    assert_eq!((failed.id, failed.project_id), (made[1], Some(project)));
    assert_eq!((failed.counts.tasks, failed.counts.dead_lettered), (2, 1));
    assert_eq!((failed.counts.waiting, failed.counts.moving), (1, 0));
    assert_eq!(failed.cost_usd.0, 500_000);
    let completed = serde_json::from_value(json!({"status": "completed"}))?;
    let done = client.graphs(&completed).await?.items.remove(0);
    assert_eq!((done.counts.completed, done.cost_usd.0), (2, 1_000_000));
    let whole = client.graph(made[0]).await?;
    assert!((whole.cost_usd - 1.0).abs() < 1e-9);
    let other = server.foreign_client(Role::Admin).await?;
    assert_eq!(graph_titles(&other, json!({})).await?, [""; 0]);
    Ok(())
}
