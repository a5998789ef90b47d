//! Lists of tasks: filters, pages, who may see them.

use anyhow::Result;
use reqwest::Method;
use serde_json::json;
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::priority::Class;
use workmill_core::task::NewTask;
use workmill_protocol::graphs::CreateGraph;
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
        ("status=flying", "status: expected one of: "),
        ("limit=0", "between 1 and 500"),
        ("limit=501", "between 1 and 500"),
        ("limit=x", "limit"),
        ("cursor=x", "next_cursor"),
        (
            "status=ready&cursor=all_00000000000000000000000000000000",
            "next_cursor",
        ),
        ("q=", "must not be empty"),
        ("since=yesterday", "since"),
        ("graph=x", "graph"),
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
