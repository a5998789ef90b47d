//! Error messages: each names the cause, the place and, where there is one, the remedy.

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::everyday::Server;
use crate::support::{Home, assert_exit, data, stderr};

/// What a command without `--json` says on standard error, with this exit code.
fn said(server: &Server, arguments: &[&str], exit: i32) -> Result<String> {
    let output = server.run(arguments)?;
    assert_exit(&output, exit);
    Ok(stderr(&output))
}

fn error_of(output: &std::process::Output) -> Result<Value> {
    let told: Value = serde_json::from_str(&stderr(output))?;
    Ok(told["error"].clone())
}

#[tokio::test]
async fn an_error_in_a_file_keeps_the_answer_of_the_server_for_programs() -> Result<()> {
    let server = Server::start().await?;
    let graph = "title: g\ntasks:\n- {title: a, type: t, colour: red}\n";
    let create = ["--json", "graph", "create", "-f", "-"];
    let output = server.run_with(&create, graph)?;
    assert_exit(&output, 6);
    let error = error_of(&output)?;
    assert_eq!(error["code"], "invalid");
    assert_eq!(error["problem"]["field"], "tasks[0].colour");
    let message = error["message"].as_str().context("a message")?;
    assert!(message.starts_with("standard input, line 3"), "{message}");
    assert!(!message.contains("cause:"), "{message}");
    let people = stderr(&server.run_with(&create[1..], graph)?);
    assert_eq!(people.lines().count(), 1, "the place is enough: {people}");

    let plan = "{\"id\": \"a\", \"spec_ref\": \"s\", \"title\": \"t\", \"colour\": 1}\n";
    let output = server.run_with(&["--json", "task", "plan-sync"], plan)?;
    assert_exit(&output, 6);
    let error = error_of(&output)?;
    assert_eq!(error["code"], "invalid");
    assert_eq!(error["problem"]["lines"][0]["line"], 1);

    let add = [
        "--json",
        "task",
        "add",
        "--id",
        "a",
        "--title",
        "t",
        "--spec-ref",
        "s",
    ];
    assert_exit(&server.run(&add)?, 0);
    let output = server.run(&add)?;
    assert_exit(&output, 5);
    assert_eq!(error_of(&output)?["problem"]["lines"][0]["line"], 1);
    Ok(())
}

#[tokio::test]
async fn what_is_wrong_with_a_file_is_said_about_the_file() -> Result<()> {
    let server = Server::start().await?;
    let submit = |text: &str| -> Result<String> {
        let output = server.run_with(&["submit", "-f", "-"], text)?;
        assert_exit(&output, 6);
        Ok(stderr(&output))
    };
    let graph = submit("title: g\nbudget_usd: 5\ntasks:\n- {title: a, type: t}\n")?;
    assert!(graph.contains("workmill graph create -f FILE"), "{graph}");
    let list = submit("- {title: a, type: t}\n")?;
    assert!(
        list.contains("standard input: ") && list.contains("an object"),
        "a list has no field that is wrong: {list}"
    );
    let urgent = submit("title: a\ntype: t\npriority: urgent\n")?;
    assert!(urgent.contains("line 3, column 1, `priority`"), "{urgent}");
    assert!(
        urgent.ends_with("expected a whole number, critical, high, normal, low or background\n"),
        "{urgent}"
    );
    Ok(())
}

#[tokio::test]
async fn a_wrong_field_is_named_as_the_user_wrote_it() -> Result<()> {
    let server = Server::start().await?;
    let untitled = said(&server, &["submit", "--title", ""], 6)?;
    assert!(untitled.ends_with("field: title\n"), "{untitled}");
    let id = server.submit(&["--title", "a"])?;
    let edit = ["edit", &id, "--changes", r#"{"type": 5}"#];
    let typed = said(&server, &edit, 6)?;
    assert!(typed.ends_with("field: type\n"), "{typed}");
    let filter = ["dead-letter", "list", "--fingerprint", "x"];
    let fingerprint = said(&server, &filter, 6)?;
    assert!(
        fingerprint.contains("is not a fingerprint"),
        "{fingerprint}"
    );
    let namespace = said(&server, &["namespace", "create", "Bad Name"], 6)?;
    assert!(namespace.contains("must be 1 to 100"), "{namespace}");
    let key = "00000000-0000-7000-8000-000000000000";
    let missing = said(&server, &["key", "rotate", key], 3)?;
    assert!(missing.contains(&format!("a valid key {key}")), "{missing}");
    Ok(())
}

#[tokio::test]
async fn a_report_without_a_lease_says_that_none_is_remembered() -> Result<()> {
    let server = Server::start().await?;
    for verb in ["done", "heartbeat"] {
        let mut command = server.command(&[verb]);
        let output = command.env("WORKMILL_AGENT", "b1").output()?;
        assert_exit(&output, 64);
        let text = stderr(&output);
        let remedy = "no lease is remembered for `b1`: claim a task first, or give --lease";
        assert!(text.contains(remedy), "{text}");
    }
    let id = server.submit(&["--title", "a"])?;
    server.json(&["claim", "--agent", "b1", "--start"])?;
    let done = ["done", &id, "--usage", r#"{"modells": {}}"#];
    let usage = said(&server, &done, 6)?;
    assert!(usage.contains("? It looks like"), "{usage}");
    Ok(())
}

#[tokio::test]
async fn a_change_that_matches_nothing_needs_no_confirmation() -> Result<()> {
    let server = Server::start().await?;
    for arguments in [
        &["dead-letter", "resolve", "--all", "--retry"][..],
        &["bulk", "cancel", "--tag", "none"],
    ] {
        let output = server.run(arguments)?;
        assert_exit(&output, 0);
        let text = String::from_utf8(output.stdout)?;
        assert!(text.starts_with("matching: 0 "), "{text}");
    }
    server.submit(&["--title", "a", "--tag", "some"])?;
    let output = server.run(&["bulk", "cancel", "--tag", "some"])?;
    assert_exit(&output, 64);
    Ok(())
}

#[tokio::test]
async fn a_drained_agent_is_activated_with_resume_too() -> Result<()> {
    let server = Server::start().await?;
    server.submit(&["--title", "a"])?;
    server.json(&["claim", "--agent", "b1"])?;
    server.json(&["agent", "drain", "b1"])?;
    let output = server.run(&["--json", "agent", "resume", "b1"])?;
    assert_exit(&output, 0);
    assert_eq!(data(&output)?["status"], json!("active"));
    Ok(())
}

#[test]
fn a_connection_that_fails_has_one_cause() -> Result<()> {
    let home = Home::new()?;
    let output = home.run(&["list", "--url", "http://127.0.0.1:9"])?;
    assert_exit(&output, 8);
    let text = stderr(&output);
    assert_eq!(text.matches("cause: ").count(), 1, "{text}");
    assert!(text.contains("cause: Connection refused"), "{text}");
    Ok(())
}

#[test]
fn only_a_taken_port_is_explained_with_another_program() -> Result<()> {
    let home = Home::new()?;
    let output = home.run(&["up", "--host", "999.1.1.1"])?;
    assert_exit(&output, 1);
    assert!(!stderr(&output).contains("another program"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0")?;
    let port = taken.local_addr()?.port().to_string();
    let output = home.run(&["up", "--port", &port])?;
    assert_exit(&output, 1);
    assert!(stderr(&output).contains("another program has that port"));
    Ok(())
}

#[test]
fn a_wrong_setting_is_named() -> Result<()> {
    let home = Home::new()?;
    let file = home.path().join("workmill.toml");
    for (text, place) in [
        (
            "agent = \"a\"\nevent_days = \"wm_x\"\n",
            "line 2, `event_days`: ",
        ),
        ("agent = 7\n", "line 1, `agent`: "),
        (
            "agent = \"a\"\ncolour = 1\n",
            "line 2: there is no field `colour`",
        ),
        ("agent = \"a\"\n\"wm_x", "line 2: "),
    ] {
        std::fs::write(&file, text)?;
        let output = home.run(&["list"])?;
        assert_exit(&output, 6);
        let text = stderr(&output);
        assert!(text.contains(place), "{text}");
        assert!(!text.contains("wm_x"), "{text}");
    }
    std::fs::remove_file(&file)?;
    let mut command = home.command(&["list"]);
    let output = command.env("WORKMILL_INBOX_DAYS", "x").output()?;
    assert_exit(&output, 64);
    let text = stderr(&output);
    assert_eq!(
        text,
        "error: WORKMILL_INBOX_DAYS=x is not a whole number of days\n"
    );
    Ok(())
}

#[test]
fn setup_creates_no_folder_for_a_project_that_does_not_exist() -> Result<()> {
    let home = Home::new()?;
    let folder = home.path().join("nowhere");
    let output = home.run(&["setup", "codex", "--folder", &folder.display().to_string()])?;
    assert_exit(&output, 3);
    assert!(!folder.exists());
    Ok(())
}
