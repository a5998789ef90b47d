//! Keys, namespaces and events from the command line.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use workmill_store::Store;
use workmill_store::access::EnsureNamespace;
use workmill_testkit::database::TestDatabase;

use crate::everyday::Server;
use crate::support::{Home, assert_exit, stderr};

#[tokio::test]
async fn keys_are_created_used_rotated_and_revoked() -> Result<()> {
    let server = Server::start().await?;
    let with = |token: &str, arguments: &[&str]| {
        let mut command = server.command(arguments);
        command.env("WORKMILL_TOKEN", token).output()
    };
    let key = server.json(&["key", "create", "--role", "producer", "--name", "ci"])?;
    assert_eq!(
        (&key["role"], &key["name"]),
        (&json!("producer"), &json!("ci"))
    );
    let (id, token) = (
        key["id"].as_str().context("an id")?,
        key["token"].as_str().context("a token")?,
    );
    assert_exit(&with(token, &["submit", "--title", "t"])?, 0);
    assert_exit(&with(token, &["key", "list"])?, 4);

    let output = server.run(&["key", "list"])?;
    let listed = String::from_utf8(output.stdout)?;
    assert!(listed.contains(id) && !listed.contains(token), "{listed}");

    let rotated = server.run(&["key", "rotate", id])?;
    assert_exit(&rotated, 0);
    let fresh = String::from_utf8(rotated.stdout.clone())?;
    assert!(stderr(&rotated).contains("not shown again"));
    assert_exit(&with(token, &["agent", "list"])?, 4);
    assert_exit(&with(fresh.trim(), &["agent", "list"])?, 0);

    assert_eq!(server.json(&["key", "revoke", id])?["revoked"], json!(true));
    assert_exit(&with(fresh.trim(), &["agent", "list"])?, 4);
    assert_exit(&server.run(&["key", "revoke", id])?, 3);
    assert_exit(&server.run(&["key", "revoke", "nonsense"])?, 3);
    assert_exit(&server.run(&["key", "create", "--role", "king"])?, 64);
    Ok(())
}

#[tokio::test]
async fn a_namespace_has_keys_of_its_own() -> Result<()> {
    let server = Server::start().await?;
    let created = server.json(&["namespace", "create", "team-b"])?;
    assert_eq!(created["name"], "team-b");
    let listed = server.json(&["namespace", "list"])?;
    let names: Vec<&Value> = listed["items"]
        .as_array()
        .context("items")?
        .iter()
        .collect();
    assert!(names.iter().any(|one| one["name"] == "team-b"));
    let key = [
        "key",
        "create",
        "--role",
        "operator",
        "--namespace",
        "team-b",
    ];
    assert_eq!(server.json(&key)?["namespace"], "team-b");
    let nowhere = [
        "key",
        "create",
        "--role",
        "operator",
        "--namespace",
        "nowhere",
    ];
    assert_exit(&server.run(&nowhere)?, 3);
    Ok(())
}

#[tokio::test]
async fn events_are_tailed_from_any_place() -> Result<()> {
    let server = Server::start().await?;
    let submitted = server.json(&["submit", "--title", "first"])?;
    let first = submitted["tasks"][0]["id"].as_str().context("an id")?;
    let arguments = [
        "--json",
        "events",
        "tail",
        "--after",
        "0",
        "--type",
        "task.submitted",
    ];
    let mut tail = server.command(&arguments).stdout(Stdio::piped()).spawn()?;
    let mut lines = BufReader::new(tail.stdout.take().context("piped")?).lines();
    let mut next = || -> Result<Value> {
        let line = lines.next().context("a line")??;
        Ok(serde_json::from_str::<Value>(&line)?["data"].take())
    };
    let event = next()?;
    assert_eq!(
        (&event["task_id"], &event["type"]),
        (&json!(first), &json!("task.submitted"))
    );
    let submitted = server.json(&["submit", "--title", "second"])?;
    let second = &submitted["tasks"][0]["id"];
    let event = next()?;
    assert_eq!(event["task_id"], *second);
    tail.kill()?;
    tail.wait()?;
    Ok(())
}

#[tokio::test]
async fn a_database_role_is_granted_the_inbox_of_a_namespace() -> Result<()> {
    let database = TestDatabase::new().await?;
    let client = database.client().await?;
    let role = format!("wm_producer_{}", std::process::id());
    client.batch_execute(&format!("create role {role}")).await?;
    let store = Store::new(database.url(), 1)?;
    store.run(&EnsureNamespace { name: "team-b" }).await?;
    let home = Home::new()?;
    let run = |arguments: &[&str]| {
        let mut command = home.command(arguments);
        command.env("DATABASE_URL", database.url()).output()
    };
    let put = async || {
        let insert = "insert into workmill.inbox (ns, task) values ('team-b', '{}')";
        let script = format!("set role {role}; {insert}");
        let put = client.batch_execute(&script).await;
        client.batch_execute("reset role").await?;
        anyhow::Ok(put.is_ok())
    };
    assert_exit(&run(&["namespace", "grant-inbox", "nowhere", &role])?, 3);
    assert_exit(
        &run(&["namespace", "grant-inbox", "team-b", "nobody-here"])?,
        3,
    );
    assert_exit(&run(&["namespace", "revoke-inbox", "team-b", &role])?, 3);
    assert!(!put().await?);
    assert_exit(&run(&["namespace", "grant-inbox", "team-b", &role])?, 0);
    assert!(put().await?);
    assert_exit(&run(&["namespace", "revoke-inbox", "team-b", &role])?, 0);
    assert!(!put().await?);
    client
        .batch_execute(&format!("drop owned by {role}; drop role {role}"))
        .await?;
    Ok(())
}
