//! Dead letters over HTTP: looked at, grouped, decided about one by one and by filter.

use anyhow::Result;
use reqwest::Method;
use serde_json::{Map, Value, json};
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::policy::Profile;
use workmill_core::task::NewTask;
use workmill_protocol::dead_letters::{
    DeadLetterFilter, Decided, ListDeadLetters, Resolution, ResolveDeadLetter, ResolveDeadLetters,
};
use workmill_protocol::graphs::CreateGraph;
use workmill_protocol::leases::FailTask;
use workmill_protocol::role::Role;
use workmill_sdk::Client;
use workmill_testkit::burial::bury_ready_tasks;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim, status};
use crate::refusals::Raw;

/// Lets the next ready task fail for good.
async fn fail_one(client: &Client, message: &str) -> Result<TaskId> {
    client.register(&agent("ann")).await?;
    let lease = client.claim(&claim("ann", 0)).await?.remove(0).lease;
    let failure: FailTask = serde_json::from_value(
        json!({"reason": "not_found", "message": message, "usage": {"cost_usd": 0.5}}),
    )?;
    let settled = client.fail(lease, &failure).await?;
    assert_eq!(settled.status, State::DeadLettered);
    Ok(lease.task)
}

async fn bury(server: &Server, client: &Client, tasks: Vec<NewTask>) -> Result<Vec<TaskId>> {
    let submitted = client.submit(tasks).await?;
    let database = server.test.database.client().await?;
    bury_ready_tasks(&database, server.test.store.now().await?).await?;
    Ok(submitted.tasks.into_iter().map(|task| task.id).collect())
}

fn decide(filter: DeadLetterFilter, resolution: Resolution) -> ResolveDeadLetters {
    ResolveDeadLetters {
        filter,
        resolution,
        changes: serde_json::Map::new(),
        note: None,
        dry_run: false,
        until: None,
    }
}

/// F-26
#[tokio::test]
async fn a_dead_letter_is_shown_with_its_whole_history() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.submit(vec![task("lost")]).await?;
    let id = fail_one(&client, "no such file").await?;
    let raw = Raw::new(&server, Role::Producer).await?;
    let path = format!("/v1/dead-letters/{id}");
    let (found, mut shown) = raw.call(Method::GET, &path, "").await?;
    assert_eq!(found, 200);
    let (_, list) = raw
        .call(Method::GET, "/v1/dead-letters?type=code", "")
        .await?;
    assert_eq!(list, json!({"items": [shown], "next_cursor": null}));
    let (_, groups) = raw.call(Method::GET, "/v1/dead-letters/groups", "").await?;
    let group = &groups["items"][0];
    assert_eq!(
        (&group["count"], &group["example"], &group["fingerprint"]),
        (&json!(1), &json!(id), &shown["fingerprint"])
    );
    assert!(group["fingerprint"].is_string());
    let attempt = shown["failure_history"][0]
        .as_object_mut()
        .expect("an attempt");
    assert!(
        attempt
            .remove("duration_sec")
            .is_some_and(|value| value.is_number())
    );
    assert!(
        attempt
            .remove("ended_at")
            .is_some_and(|value| value.is_string())
    );
    assert!(shown["dead_lettered_at"].is_string());
    assert_eq!(
        shown,
        json!({
            "task_id": id, "dag_id": shown["dag_id"], "type": "code", "title": "lost",
            "created_by": "admin", "cause": "not_retryable", "poison_pill": false,
            "reason": "not_found", "fingerprint": shown["fingerprint"],
            "failure_history": [{
                "attempt": 1, "agent": "ann", "outcome": "failed", "reason": "not_found",
                "error": "no such file", "cost_usd": 0.5,
            }],
            "total_cost_usd": 0.5, "dead_lettered_at": shown["dead_lettered_at"],
            "reviewed": false, "resolution": null, "dependents": 0,
        })
    );
    assert!(client.review_dead_letter(id, true).await?.reviewed);
    let unreviewed = ListDeadLetters {
        reviewed: Some(false),
        ..ListDeadLetters::default()
    };
    assert!(client.dead_letters(&unreviewed).await?.items.is_empty());
    Ok(())
}

#[tokio::test]
async fn resolved_dead_letters_are_listed_by_their_decision_the_newest_first() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    let buried = bury(&server, &client, vec![task("t"); 3]).await?;
    let resolved = ListDeadLetters {
        resolved: true,
        ..ListDeadLetters::default()
    };
    assert_eq!(client.dead_letters(&resolved).await?.items, []);
    for (task, resolution) in [
        (buried[1], Resolution::Cancel),
        (buried[0], Resolution::Retry),
    ] {
        server.pass_a_second();
        let decision = ResolveDeadLetter {
            resolution,
            changes: Map::new(),
            note: Some(format!("because of {task}")),
        };
        client.resolve_dead_letter(task, &decision).await?;
    }
    let left = client.dead_letters(&ListDeadLetters::default()).await?;
    let left: Vec<_> = left.items.iter().map(|letter| letter.task_id).collect();
    assert_eq!(left, [buried[2]]);

    let (mut found, mut cursor) = (Vec::new(), None);
    loop {
        let list = ListDeadLetters {
            limit: Some(1),
            cursor,
            ..resolved.clone()
        };
        let page = client.dead_letters(&list).await?;
        found.extend(page.items);
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    let tasks: Vec<_> = found.iter().map(|letter| letter.task_id).collect();
    assert_eq!(tasks, [buried[0], buried[1]]);
    let decisions: Vec<_> = found.iter().map(|letter| letter.resolution).collect();
    assert_eq!(decisions, [Some(Decided::Retry), Some(Decided::Cancel)]);
    assert!(found[0].resolved_at > found[1].resolved_at);
    assert_eq!(found[0].resolved_by.as_deref(), Some("operator"));
    let note = format!("because of {}", buried[0]);
    assert_eq!(found[0].note, Some(note));

    let of_another = ListDeadLetters {
        tag: Some("none has it".to_owned()),
        ..resolved.clone()
    };
    assert_eq!(client.dead_letters(&of_another).await?.items, []);
    let foreign = server.foreign_client(Role::Operator).await?;
    assert_eq!(foreign.dead_letters(&resolved).await?.items, []);
    let of_unresolved = ListDeadLetters {
        cursor: Some(buried[0].to_string()),
        ..resolved
    };
    assert_eq!(status(client.dead_letters(&of_unresolved).await), 400);
    Ok(())
}

#[tokio::test]
async fn a_resolved_dead_letter_is_shown_without_the_attempts_made_after_it() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.submit(vec![task("t")]).await?;
    let retry = ResolveDeadLetter {
        resolution: Resolution::Retry,
        changes: Map::new(),
        note: Some("again".to_owned()),
    };
    let id = fail_one(&client, "first").await?;
    client.resolve_dead_letter(id, &retry).await?;
    server.pass_a_second();
    assert_eq!(fail_one(&client, "second").await?, id);
    let resolved = ListDeadLetters {
        resolved: true,
        ..ListDeadLetters::default()
    };
    let letters = client.dead_letters(&resolved).await?.items;
    let said: Vec<_> = letters[0].failure_history.iter().collect();
    assert_eq!((letters.len(), said.len()), (1, 1));
    assert_eq!(said[0].error.as_deref(), Some("first"));
    assert_eq!(letters[0].total_cost_usd, Micros(500_000));
    let open = client.dead_letter(id).await?;
    assert_eq!(open.failure_history.len(), 2);
    assert_eq!(open.total_cost_usd, Micros(1_000_000));
    assert_eq!(open.earlier.len(), 1);
    client.resolve_dead_letter(id, &retry).await?;
    let letters = client.dead_letters(&resolved).await?.items;
    let attempts = letters.iter().map(|letter| letter.failure_history.len());
    assert_eq!(attempts.collect::<Vec<_>>(), [2, 1], "the newest first");
    assert_eq!(client.dead_letter(id).await?.failure_history.len(), 2);
    Ok(())
}

#[tokio::test]
async fn a_second_decision_about_a_dead_letter_is_refused_with_the_first() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let raw = Raw::new(&server, Role::Admin).await?;
    let letter = bury(&server, &client, vec![task("t")]).await?[0];
    let path = format!("/v1/dead-letters/{letter}/resolve");
    let retry = r#"{"resolution": "retry"}"#;
    assert_eq!(raw.call(Method::POST, &path, retry).await?.0, 200);
    let (status, problem) = raw.call(Method::POST, &path, retry).await?;
    assert_eq!(
        (status.as_u16(), &problem["code"]),
        (409, &json!("conflict"))
    );
    let detail = problem["detail"].as_str().unwrap_or_default();
    assert!(
        detail.contains("was decided: retry by admin at "),
        "{detail}"
    );
    let path = format!("/v1/dead-letters/{letter}");
    let (status, _) = raw
        .call(Method::PATCH, &path, r#"{"reviewed": true}"#)
        .await?;
    assert_eq!(status, 409);
    let never = client.submit(vec![task("t")]).await?.tasks[0].id;
    let path = format!("/v1/dead-letters/{never}/resolve");
    assert_eq!(raw.call(Method::POST, &path, retry).await?.0, 404);
    Ok(())
}

#[tokio::test]
async fn pages_of_dead_letters_follow_each_other() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    let buried = bury(&server, &client, vec![task("t"); 25]).await?;
    let (mut found, mut cursor) = (Vec::new(), None);
    loop {
        let list = ListDeadLetters {
            limit: Some(10),
            cursor,
            ..ListDeadLetters::default()
        };
        let page = client.dead_letters(&list).await?;
        found.extend(page.items.into_iter().map(|letter| letter.task_id));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(found, buried);
    let groups = client.dead_letter_groups().await?;
    assert_eq!(groups.iter().map(|group| group.count).sum::<i64>(), 25);
    let of_one_kind = ListDeadLetters {
        fingerprint: Some(groups[0].fingerprint.clone()),
        ..ListDeadLetters::default()
    };
    let alike = client.dead_letters(&of_one_kind).await?.items.len();
    assert_eq!(i64::try_from(alike)?, groups[0].count);
    Ok(())
}

/// F-26
#[tokio::test]
async fn a_decision_about_many_is_previewed_and_then_carried_out_once() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Orchestrator).await?;
    let review = NewTask {
        task_type: "review".to_owned(),
        ..task("review")
    };
    let mut tasks = vec![task("code"); 30];
    tasks.extend(vec![review; 12]);
    let buried = bury(&server, &client, tasks).await?;
    let reviews = DeadLetterFilter {
        task_type: Some("review".to_owned()),
        ..DeadLetterFilter::default()
    };
    let mut decision = decide(reviews, Resolution::Retry);
    let preview = client.preview_dead_letters(&decision).await?;
    assert_eq!((preview.count, preview.is_whole), (12, true));
    assert_eq!(preview.becoming[&State::Ready], 12);
    assert_eq!(preview.sample.len(), 12);
    assert_eq!(client.task(buried[30]).await?.status, State::DeadLettered);
    decision.until = Some(preview.until);
    let done = client.resolve_dead_letters(&decision).await?;
    assert_eq!((done.resolved, done.skipped, done.more), (12, 0, false));
    let again = client.resolve_dead_letters(&decision).await?;
    assert_eq!((again.resolved, again.more), (0, false));
    assert_eq!(client.task(buried[30]).await?.status, State::Ready);
    assert_eq!(client.task(buried[0]).await?.status, State::DeadLettered);
    let all = decide(DeadLetterFilter::default(), Resolution::Cancel);
    assert_eq!(client.resolve_dead_letters(&all).await?.resolved, 30);
    Ok(())
}

#[tokio::test]
async fn a_bad_decision_changes_nothing() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let id = bury(&server, &client, vec![task("t")]).await?[0];
    let raw = Raw::new(&server, Role::Admin).await?;
    let resolve = "/v1/dead-letters/resolve";
    for (body, field) in [
        (json!({"resolution": "retry"}), None),
        (
            json!({"filter": {"colour": 1}, "resolution": "retry"}),
            Some("filter.colour"),
        ),
        (
            json!({"filter": {"fingerprint": "x"}, "resolution": "retry"}),
            Some("filter.fingerprint"),
        ),
        (
            json!({"filter": {"type": ""}, "resolution": "retry"}),
            Some("filter.type"),
        ),
        (
            json!({"filter": {}, "resolution": "retry", "changes": {"title": "t"}}),
            Some("changes"),
        ),
        (
            json!({"filter": {}, "resolution": "modify_and_retry"}),
            Some("changes"),
        ),
        (
            json!({"filter": {}, "resolution": "modify_and_retry", "changes": {"priority": 101}}),
            Some("changes"),
        ),
        (
            json!({"filter": {}, "resolution": "retry", "until": "2999-01-01T00:00:00Z"}),
            Some("until"),
        ),
        (json!({"filter": {}, "resolution": "explode"}), None),
    ] {
        let (status, problem) = raw.call(Method::POST, resolve, &body.to_string()).await?;
        assert_eq!(
            (status.as_u16(), &problem["code"]),
            (400, &json!("invalid")),
            "{body}"
        );
        let named = problem["field"].as_str();
        let fits = field.is_none_or(|field| named.is_some_and(|named| named.starts_with(field)));
        assert!(fits, "{body}: {problem}");
    }
    for query in [
        "reviewed=perhaps",
        "cursor=x",
        "limit=501",
        "fingerprint=x",
        "colour=1",
    ] {
        let path = format!("/v1/dead-letters?{query}");
        let (status, _) = raw.call(Method::GET, &path, "").await?;
        assert_eq!(status, 400, "{query}");
    }
    assert_eq!(client.task(id).await?.status, State::DeadLettered);
    Ok(())
}

#[tokio::test]
async fn the_failed_part_of_a_graph_goes_round_again() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let graph = CreateGraph {
        title: "g".to_owned(),
        draft: false,
        budget_usd: None,
        project_id: None,
        created_by: None,
        tasks: vec![task("a"), task("b")],
    };
    let graph = client.create_graph(&graph).await?;
    server.pass_a_second();
    client.submit(vec![task("elsewhere")]).await?;
    let failed = fail_one(&client, "broken").await?;
    fail_one(&client, "broken").await?;
    let elsewhere = fail_one(&client, "broken").await?;
    let retried = client.retry_graph(graph.id).await?;
    assert_eq!(
        (retried.id, retried.retried, retried.more),
        (graph.id, 2, false)
    );
    assert_eq!(client.task(failed).await?.status, State::Ready);
    assert_eq!(client.task(elsewhere).await?.status, State::DeadLettered);
    assert_eq!(client.retry_graph(graph.id).await?.retried, 0);

    let foreign = server.foreign_client(Role::Operator).await?;
    assert_eq!(status(foreign.retry_graph(graph.id).await), 404);
    assert_eq!(status(foreign.dead_letter(elsewhere).await), 404);
    assert_eq!(
        status(foreign.review_dead_letter(elsewhere, true).await),
        404
    );
    let all = decide(DeadLetterFilter::default(), Resolution::Cancel);
    assert_eq!(foreign.resolve_dead_letters(&all).await?.resolved, 0);
    assert!(
        foreign
            .dead_letters(&ListDeadLetters::default())
            .await?
            .items
            .is_empty()
    );
    let resolved: Value = serde_json::to_value(client.dead_letter(failed).await?)?;
    assert_eq!(resolved["resolution"], json!("retry"), "it stays readable");

    let producer = server.client(Role::Producer).await?;
    assert_eq!(status(producer.retry_graph(graph.id).await), 403);
    assert_eq!(status(producer.resolve_dead_letters(&all).await), 403);
    assert_eq!(status(producer.preview_dead_letters(&all).await), 403);
    assert_eq!(
        status(producer.review_dead_letter(elsewhere, true).await),
        403
    );
    let worker = server.client(Role::Agent).await?;
    assert_eq!(
        status(worker.dead_letters(&ListDeadLetters::default()).await),
        403
    );
    let shown: Value = serde_json::to_value(client.dead_letter(elsewhere).await?)?;
    assert_eq!(shown["reviewed"], json!(false));
    Ok(())
}

/// The scale from 0 to 100 does not bind tasks of the profile `task`, and the changes alone do not
/// tell the profile.
#[tokio::test]
async fn edits_may_give_tasks_of_the_profile_task_any_priority_and_no_others() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let planned = NewTask {
        profile: Profile::Task,
        ..task("planned")
    };
    let edit = async |id: TaskId, priority: i64| {
        let changes = serde_json::value::to_raw_value(&json!({"priority": priority}))?;
        client.edit_task(id, &changes, None).await?;
        anyhow::Ok(client.task(id).await?.task.priority.value())
    };
    let id = client.submit(vec![planned]).await?.tasks[0].id;
    assert_eq!((edit(id, 500).await?, edit(id, -7).await?), (500, -7));
    let other = client.submit(vec![task("other")]).await?.tasks[0].id;
    let refused = edit(other, 500).await.expect_err("it has a scale");
    assert!(
        refused.to_string().contains("not between 0 and 100"),
        "{refused}"
    );

    let database = server.test.database.client().await?;
    bury_ready_tasks(&database, server.test.store.now().await?).await?;
    let decision: ResolveDeadLetter = serde_json::from_value(
        json!({"resolution": "modify_and_retry", "changes": {"priority": 300}}),
    )?;
    client.resolve_dead_letter(id, &decision).await?;
    assert_eq!(client.task(id).await?.task.priority.value(), 300);
    let refused = client.resolve_dead_letter(other, &decision).await;
    assert!(refused.is_err(), "it has a scale");
    Ok(())
}
