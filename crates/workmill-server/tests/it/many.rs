//! Actions on many tasks, the record, retention, counts and what a claim would return.

use anyhow::Result;
use reqwest::Method;
use serde_json::json;
use workmill_core::lifecycle::State;
use workmill_core::policy::Profile;
use workmill_core::priority::Class;
use workmill_core::task::NewTask;
use workmill_protocol::audit::ListAudit;
use workmill_protocol::bulk::{Action, ChangeTasks, TaskFilter};
use workmill_protocol::claims::PreviewClaim;
use workmill_protocol::lists::ListTasks;
use workmill_protocol::retention::Retention;
use workmill_protocol::role::Role;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim, status};
use crate::refusals::Raw;

fn change(action: Action) -> ChangeTasks {
    ChangeTasks {
        filter: TaskFilter::default(),
        action,
        priority: None,
        tag: None,
        note: None,
        dry_run: false,
        moment: None,
    }
}

#[tokio::test]
async fn tasks_that_fit_are_changed_as_the_dry_run_said() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    let review = NewTask {
        task_type: "review".to_owned(),
        ..task("Look at it")
    };
    client
        .submit(vec![task("a"), review.clone(), review])
        .await?;
    let reviews = TaskFilter {
        status: vec![State::Ready],
        q: Some("look AT".to_owned()),
        ..TaskFilter::default()
    };
    let mut tag = ChangeTasks {
        filter: reviews.clone(),
        tag: Some("late".to_owned()),
        note: Some("they are late".to_owned()),
        ..change(Action::Tag)
    };
    let preview = client.preview_change(&tag).await?;
    assert_eq!(
        (preview.count, preview.is_whole, preview.types["review"]),
        (2, true, 2)
    );
    assert_eq!(preview.statuses[&State::Ready], 2);
    let tagged = ListTasks {
        tag: Some("late".to_owned()),
        ..ListTasks::default()
    };
    assert!(
        client.tasks(&tagged).await?.items.is_empty(),
        "nothing has happened"
    );
    tag.moment = Some(preview.moment);
    let done = client.change_tasks(&tag).await?;
    assert_eq!(
        (done.changed, done.more, done.moment),
        (2, false, preview.moment)
    );
    assert_eq!(client.tasks(&tagged).await?.items.len(), 2);
    let untag = ChangeTasks {
        tag: Some("late".to_owned()),
        ..change(Action::Untag)
    };
    assert_eq!(client.change_tasks(&untag).await?.changed, 2);
    let hurry = ChangeTasks {
        filter: reviews,
        priority: Some(Class::Critical.base()),
        ..change(Action::Reprioritise)
    };
    assert_eq!(client.change_tasks(&hurry).await?.changed, 2);
    let critical = ListTasks {
        priority_tier: Some(Class::Critical),
        ..ListTasks::default()
    };
    assert_eq!(client.tasks(&critical).await?.items.len(), 2);
    assert_eq!(
        client.change_tasks(&change(Action::Retry)).await?.changed,
        0
    );
    assert_eq!(
        client.change_tasks(&change(Action::Cancel)).await?.changed,
        3
    );
    Ok(())
}

#[tokio::test]
async fn what_was_done_to_many_is_recorded_one_by_one() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    client.submit(vec![task("a"), task("b")]).await?;
    let tag = ChangeTasks {
        tag: Some("late".to_owned()),
        note: Some("they are late".to_owned()),
        ..change(Action::Tag)
    };
    assert_eq!(client.change_tasks(&tag).await?.changed, 2);
    server.pass_a_second();
    assert_eq!(
        client.change_tasks(&change(Action::Cancel)).await?.changed,
        2
    );

    let list = ListAudit {
        action: Some("task.tag".to_owned()),
        limit: Some(1),
        ..ListAudit::default()
    };
    let page = client.audit(&list).await?;
    let entry = &page.items[0];
    assert_eq!(
        (
            entry.actor.as_str(),
            entry.subject_kind.as_str(),
            entry.note.as_deref()
        ),
        ("operator", "task", Some("they are late"))
    );
    let next = ListAudit {
        cursor: page.next_cursor.clone(),
        ..list
    };
    let rest = client.audit(&next).await?;
    assert_eq!(rest.items.len(), 1);
    assert_ne!(rest.items[0].subject, entry.subject);
    let of_one = ListAudit {
        subject: Some(entry.subject.clone()),
        ..ListAudit::default()
    };
    let actions: Vec<String> = client
        .audit(&of_one)
        .await?
        .items
        .into_iter()
        .map(|entry| entry.action)
        .collect();
    assert_eq!(actions, ["task.cancel", "task.tag"]);
    Ok(())
}

#[tokio::test]
async fn a_bad_action_changes_nothing_and_only_operators_act_on_many() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let id = client.submit(vec![task("a")]).await?.tasks[0].id;
    let raw = Raw::new(&server, Role::Operator).await?;
    for (body, field) in [
        (json!({"action": "cancel"}), Some("filter")),
        (json!({"filter": {}, "action": "explode"}), Some("action")),
        (
            json!({"filter": {"colour": 1}, "action": "cancel"}),
            Some("filter.colour"),
        ),
        (
            json!({"filter": {"tag": ""}, "action": "cancel"}),
            Some("filter.tag"),
        ),
        (
            json!({"filter": {}, "action": "cancel", "priority": 3}),
            Some("priority"),
        ),
        (
            json!({"filter": {}, "action": "cancel", "tag": "x"}),
            Some("tag"),
        ),
        (json!({"filter": {}, "action": "tag"}), Some("tag")),
        (
            json!({"filter": {}, "action": "reprioritise"}),
            Some("priority"),
        ),
        (
            json!({"filter": {}, "action": "cancel", "moment": "2999-01-01T00:00:00Z"}),
            Some("moment"),
        ),
    ] {
        let (status, problem) = raw
            .call(Method::POST, "/v1/bulk", &body.to_string())
            .await?;
        assert_eq!(status, 400, "{body}");
        assert_eq!(problem["field"].as_str(), field, "{body} {problem}");
    }
    for query in ["action=nap", "limit=0", "cursor=x", "who=me", "actor=a%00"] {
        let (status, _) = raw
            .call(Method::GET, &format!("/v1/audit?{query}"), "")
            .await?;
        assert_eq!(status, 400, "{query}");
    }
    assert_eq!(client.task(id).await?.status, State::Ready);
    let foreign = server.foreign_client(Role::Operator).await?;
    assert_eq!(
        foreign.change_tasks(&change(Action::Cancel)).await?.changed,
        0
    );
    let entries = foreign.audit(&ListAudit::default()).await?.items;
    assert!(
        entries.iter().all(|entry| entry.subject_kind == "key"),
        "{entries:?}"
    );
    let orchestrator = server.client(Role::Orchestrator).await?;
    assert_eq!(
        status(orchestrator.change_tasks(&change(Action::Cancel)).await),
        403
    );
    assert_eq!(
        status(orchestrator.preview_change(&change(Action::Cancel)).await),
        403
    );
    assert_eq!(status(orchestrator.audit(&ListAudit::default()).await), 403);
    assert_eq!(client.task(id).await?.status, State::Ready);
    Ok(())
}

#[tokio::test]
async fn how_long_tasks_are_kept_is_tried_set_and_taken_back() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Operator).await?;
    let id = client.submit(vec![task("a")]).await?.tasks[0].id;
    client.cancel(id).await?;
    assert_eq!(client.retention().await?, Retention::default());
    let at_once = Retention {
        cancelled_sec: Some(0.0),
        ..Retention::default()
    };
    let preview = client.preview_retention(&at_once).await?;
    assert_eq!(
        (preview.tasks[&State::Cancelled], preview.is_whole),
        (1, true)
    );
    assert_eq!(
        client.retention().await?,
        Retention::default(),
        "nothing was set"
    );
    let later = Retention {
        completed_sec: Some(86_400.0),
        ..at_once
    };
    assert_eq!(client.set_retention(&later).await?, later);
    assert_eq!(client.retention().await?, later);
    let raw = Raw::new(&server, Role::Operator).await?;
    let (_, now) = raw
        .call(Method::GET, "/v1/retention?dry_run=true", "")
        .await?;
    assert_eq!(
        now,
        json!({"tasks": {"cancelled": 1}, "kept_for_now": 0, "is_whole": true})
    );
    for body in [
        json!({"completed_sec": -1}),
        json!({"failed_sec": 1}),
        json!({"completed_sec": "soon"}),
        json!({"completed_sec": 1e300}),
    ] {
        let (status, _) = raw
            .call(Method::PUT, "/v1/retention", &body.to_string())
            .await?;
        assert_eq!(status, 400, "{body}");
    }
    let (status_of_mode, _) = raw.call(Method::PUT, "/v1/retention?dry=1", "{}").await?;
    assert_eq!(status_of_mode, 400);
    assert_eq!(client.retention().await?, later);
    let foreign = server.foreign_client(Role::Operator).await?;
    assert_eq!(foreign.retention().await?, Retention::default());
    assert_eq!(client.remove_retention().await?, Retention::default());
    let orchestrator = server.client(Role::Orchestrator).await?;
    assert_eq!(status(orchestrator.set_retention(&later).await), 403);
    assert_eq!(status(orchestrator.remove_retention().await), 403);
    assert_eq!(client.retention().await?, Retention::default());
    Ok(())
}

#[tokio::test]
async fn how_much_rests_where_is_counted() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.submit(vec![task("a"), task("b"), task("c")]).await?;
    client.register(&agent("ann")).await?;
    client.claim(&claim("ann", 0)).await?;
    let waiting = client.tasks(&ListTasks::default()).await?.items;
    let ready = waiting.iter().find(|task| task.status == State::Ready);
    client.cancel(ready.expect("one is left").id).await?;
    let stats = client.stats().await?;
    let counts = [stats.ready, stats.held, stats.finished, stats.dead_lettered];
    assert_eq!(counts.map(|count| count.tasks), [1, 1, 1, 0]);
    assert!(counts.iter().all(|count| count.is_whole));
    let foreign = server.foreign_client(Role::Producer).await?;
    assert_eq!(foreign.stats().await?.ready.tasks, 0);
    let worker = server.client(Role::Agent).await?;
    assert_eq!(status(worker.stats().await), 403);
    Ok(())
}

#[tokio::test]
async fn what_a_claim_would_return_is_said_without_claiming() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let id = client.submit(vec![task("a")]).await?.tasks[0].id;
    client.register(&agent("ann")).await?;
    let preview = PreviewClaim {
        agent: "ann".to_owned(),
        max: 5,
        task_types: Vec::new(),
        profile: None,
    };
    assert_eq!(client.preview_claim(&preview).await?.tasks, [id]);
    for (task_types, profile, expected) in [
        (vec!["review".to_owned()], None, vec![]),
        (vec![], Some(Profile::Task), vec![]),
        (vec![task("a").task_type], Some(Profile::Agent), vec![id]),
    ] {
        let selected = PreviewClaim {
            task_types,
            profile,
            ..preview.clone()
        };
        let found = client.preview_claim(&selected).await?.tasks;
        assert_eq!(found, expected, "{selected:?}");
    }
    assert_eq!(client.task(id).await?.status, State::Ready);
    assert_eq!(client.claim(&claim("ann", 0)).await?[0].task.id, id);
    assert!(client.preview_claim(&preview).await?.tasks.is_empty());
    let nobody = PreviewClaim {
        agent: "nobody".to_owned(),
        ..preview.clone()
    };
    assert_eq!(status(client.preview_claim(&nobody).await), 404);
    let too_many = PreviewClaim {
        max: 1001,
        ..preview.clone()
    };
    assert_eq!(status(client.preview_claim(&too_many).await), 400);
    let foreign = server.foreign_client(Role::Operator).await?;
    assert_eq!(status(foreign.preview_claim(&preview).await), 404);
    let worker = server.client(Role::Agent).await?;
    assert_eq!(status(worker.preview_claim(&preview).await), 403);
    Ok(())
}
