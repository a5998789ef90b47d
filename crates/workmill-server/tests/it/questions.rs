//! Questions of blocked tasks: where they are shown, who answers them, and what the answer leads to.

use anyhow::Result;
use reqwest::Method;
use serde_json::{Value, json};
use workmill_core::ids::TaskId;
use workmill_protocol::claims::ClaimedTask;
use workmill_protocol::leases::{BlockTask, MayWaitFor, Usage};
use workmill_protocol::questions::{ListQuestions, WaitsFor};
use workmill_protocol::role::Role;
use workmill_protocol::tasks::AnswerTask;
use workmill_sdk::Client;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim, status};
use crate::refusals::Raw;

/// Submits a task, claims it and blocks it; answers its id.
async fn ask(client: &Client, title: &str, block: BlockTask) -> Result<TaskId> {
    client.submit(vec![task(title)]).await?;
    let claimed = claim_one(client).await?;
    client.block(claimed.lease, &block).await?;
    Ok(claimed.task.id)
}

async fn claim_one(client: &Client) -> Result<ClaimedTask> {
    Ok(client.claim(&claim("ann", 0)).await?.remove(0))
}

fn input(question: &str, timeout_ms: Option<i64>) -> BlockTask {
    BlockTask {
        waits_for: MayWaitFor::Input,
        question: Some(json!(question)),
        timeout_ms,
        usage: Usage::default(),
    }
}

#[tokio::test]
async fn a_question_is_shown_wherever_its_task_is_and_goes_with_its_answer() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.register(&agent("ann")).await?;
    let id = ask(&client, "paint", input("Which colour?", Some(60_000))).await?;

    let shown = client.task(id).await?;
    let blocked = shown.blocked.expect("it is blocked");
    assert_eq!(blocked.waits_for, WaitsFor::Input);
    assert_eq!(blocked.question, Some(json!("Which colour?")));
    assert!(blocked.until.is_some());
    let raw = Raw::new(&server, Role::Admin).await?;
    let (_, list) = raw
        .call(Method::GET, "/v1/tasks?status=blocked", "")
        .await?;
    assert_eq!(list["items"][0]["waits_for"], json!("input"));
    let path = format!("/v1/tasks/{id}/explain");
    let (_, explained) = raw.call(Method::GET, &path, "").await?;
    assert!(
        explained.to_string().contains("Which colour?"),
        "{explained}"
    );
    let told = event(&raw, id, "task.blocked").await?;
    assert_eq!(told["data"]["question"], json!("Which colour?"));
    assert_eq!(told["data"]["waits_for"], json!("input"));

    let answer = AnswerTask {
        input: json!("red"),
    };
    client.answer(id, &answer).await?;
    let again = claim_one(&client).await?;
    let [answered] = &again.context.answers[..] else {
        panic!("one answer: {:?}", again.context.answers);
    };
    assert_eq!(answered.question, Some(json!("Which colour?")));
    assert_eq!(answered.input, json!("red"));
    assert_eq!(answered.answered_by, "admin");
    let shown = client.task(id).await?;
    assert_eq!(
        (shown.blocked, &shown.answers),
        (None, &again.context.answers)
    );

    let path = format!("/v1/audit?subject={id}");
    let (_, audit) = raw.call(Method::GET, &path, "").await?;
    let entry = &audit["items"][0];
    assert_eq!(
        (&entry["action"], &entry["actor"]),
        (&json!("task.answer"), &json!("admin"))
    );
    assert!(entry["at"].is_string());
    Ok(())
}

/// The last event of a type about a task.
async fn event(raw: &Raw<'_>, task: TaskId, event_type: &str) -> Result<Value> {
    let path = format!("/v1/events?after=0&task={task}&type={event_type}");
    let (_, page) = raw.call(Method::GET, &path, "").await?;
    let items = page["items"].as_array().cloned().unwrap_or_default();
    Ok(items.last().cloned().unwrap_or_default())
}

#[tokio::test]
async fn what_waits_for_a_person_is_listed_soonest_expiry_first_page_by_page() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.register(&agent("ann")).await?;
    let never = ask(&client, "never", input("Ever?", None)).await?;
    let late = ask(&client, "late", input("Later?", Some(600_000))).await?;
    let soon = ask(&client, "soon", input("Now?", Some(60_000))).await?;
    let outside = BlockTask {
        waits_for: MayWaitFor::OutsideEvent,
        ..input("Has it rained?", None)
    };
    ask(&client, "outside", outside).await?;

    let producer = server.client(Role::Producer).await?;
    let mut list = ListQuestions {
        limit: Some(2),
        cursor: None,
    };
    let first = producer.questions(&list).await?;
    let ids: Vec<TaskId> = first.items.iter().map(|one| one.task_id).collect();
    assert_eq!(ids, [soon, late]);
    assert_eq!(first.items[0].agent.as_deref(), Some("ann"));
    assert_eq!(first.items[0].title, "soon");
    list.cursor = first.next_cursor;
    let second = producer.questions(&list).await?;
    let ids: Vec<TaskId> = second.items.iter().map(|one| one.task_id).collect();
    assert_eq!((ids, second.next_cursor), (vec![never], None));

    let theirs = server.foreign_client(Role::Operator).await?;
    let others = theirs.questions(&ListQuestions::default()).await?;
    assert_eq!(others.items, [], "another namespace");
    let agent_key = server.client(Role::Agent).await?;
    let refused = agent_key.questions(&ListQuestions::default()).await;
    assert_eq!(status(refused), 403);
    Ok(())
}

#[tokio::test]
async fn a_question_that_is_too_large_to_list_is_refused() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    client.register(&agent("ann")).await?;
    client.submit(vec![task("talks")]).await?;
    let claimed = claim_one(&client).await?;
    let large = input(&"?".repeat(64 * 1024), None);
    assert_eq!(status(client.block(claimed.lease, &large).await), 400);
    let shown = client.task(claimed.task.id).await?;
    assert!(shown.claim.is_some(), "it is held as before");
    Ok(())
}
