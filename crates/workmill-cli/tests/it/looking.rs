//! Looking: lists, one screen, a graph drawn in text.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::everyday::Server;
use crate::support::{assert_exit, stderr};

fn ids(list: &Value) -> Vec<String> {
    let items = list["items"].as_array().cloned().unwrap_or_default();
    let ids = items.iter().filter_map(|item| item["id"].as_str());
    ids.map(str::to_owned).collect()
}

#[tokio::test]
async fn a_list_has_what_fits_page_after_page_and_nothing_twice() -> Result<()> {
    let server = Server::start().await?;
    let mut all = Vec::new();
    for number in 0..5 {
        let title = format!("night {number}");
        all.push(server.submit(&["--title", &title, "--type", "a", "--tag", "x"])?);
    }
    let other = server.submit(&["--title", "day", "--type", "b", "--priority", "high"])?;
    for filter in [
        &["--type", "a"][..],
        &["--tag", "x"],
        &["--q", "NIGHT"],
        &["--status", "ready,running", "--type", "a"],
        &["--created-by", "admin", "--priority-tier", "normal"],
    ] {
        let mut found = ids(&server.json(&[&["list"], filter].concat())?);
        found.sort();
        assert_eq!(found, all, "{filter:?}");
    }
    assert_eq!(ids(&server.json(&["list", "--type", "b"])?), [other]);

    let (mut found, mut cursor) = (Vec::new(), None);
    loop {
        let mut arguments = vec!["list", "--type", "a", "--limit", "2"];
        arguments.extend(
            cursor
                .iter()
                .flat_map(|cursor: &String| ["--cursor", cursor]),
        );
        let page = server.json(&arguments)?;
        assert!(ids(&page).len() <= 2);
        found.extend(ids(&page));
        cursor = page["next_cursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(found, all);
    assert_eq!(ids(&server.json(&["list", "--all"])?).len(), 6);

    let output = server.run(&["list", "--limit", "2", "--count"])?;
    let text = String::from_utf8(output.stdout.clone())?;
    assert_eq!(
        text.lines().count(),
        3,
        "a line of names and two tasks: {text}"
    );
    let told = stderr(&output);
    assert!(
        told.contains("In all: 6 tasks") && told.contains("--cursor"),
        "{told}"
    );
    let quiet = server.run(&["list", "--limit", "2", "--count", "--quiet"])?;
    assert!(quiet.stderr.is_empty());
    Ok(())
}

#[tokio::test]
async fn a_graph_is_drawn_with_states_critical_path_and_cost() -> Result<()> {
    let server = Server::start().await?;
    let graph = json!({"title": "Release", "tasks": [
        {"name": "build", "title": "Build", "type": "t"},
        {"name": "test", "title": "Test", "type": "t", "depends_on": ["build"], "estimate_sec": 900},
        {"name": "docs", "title": "Docs", "type": "t", "depends_on": ["build"], "estimate_sec": 60},
        {"name": "ship", "title": "Ship", "type": "t", "depends_on": ["docs", "test"], "estimate_sec": 60},
    ]});
    let created = server.run_with(
        &["--json", "graph", "create", "-f", "-"],
        &graph.to_string(),
    )?;
    let created = crate::support::data(&created)?;
    let id = created["id"].as_str().context("an id")?;
    server.json(&["claim", "--agent", "a", "--start"])?;
    let build = created["tasks"]["build"].as_str().context("an id")?;
    server.json(&["done", build, "--cost-usd", "0.25"])?;

    let output = server.run(&["graph", "show", id])?;
    assert_exit(&output, 0);
    let text = String::from_utf8(output.stdout)?;
    let words: Vec<String> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .map(|line| line.split(" task_").next().unwrap_or_default().to_owned())
        .collect();
    for expected in [
        format!("{id} running"),
        "title Release".to_owned(),
        "tasks 4: 1 pending, 2 ready, 1 completed".to_owned(),
        "cost $0.2500".to_owned(),
        "critical * 2 tasks, about 960 s left".to_owned(),
        "build completed a $0.2500".to_owned(),
        "* ├─ test ready $0.0000".to_owned(),
        "* │ ↓ ship pending $0.0000".to_owned(),
        "└─ docs ready $0.0000".to_owned(),
    ] {
        assert!(
            words.contains(&expected),
            "`{expected}` is missing:\n{text}"
        );
    }
    let ship = text
        .lines()
        .find(|line| line.contains("ship"))
        .context("it is drawn")?;
    assert!(
        ship.ends_with("  docs"),
        "what it waits for besides: {ship}"
    );
    assert!(!text.contains('\u{1b}'), "no colours in a pipe");

    let listed = server.json(&["graph", "list", "--created-by", "admin"])?;
    assert_eq!(ids(&listed), [id]);
    Ok(())
}

#[tokio::test]
async fn the_status_counts_what_there_is() -> Result<()> {
    let server = Server::start().await?;
    for title in ["one", "two", "bad"] {
        server.submit(&["--title", title, "--max-attempts", "1"])?;
    }
    let claimed = server.json(&["claim", "--agent", "a", "--max", "2", "--start"])?;
    let first = claimed["claims"][0]["task"]["id"]
        .as_str()
        .context("an id")?;
    server.json(&[
        "fail",
        first,
        "--reason",
        "invalid_input",
        "--message",
        "no",
    ])?;
    server.json(&["budget", "set", "namespace", "10"])?;

    let status = server.json(&["status"])?;
    assert_eq!(status["is_ready"], true);
    for (place, count) in [("ready", 1), ("held", 1), ("dead_lettered", 1)] {
        assert_eq!(status["tasks"][place]["tasks"], count, "{place}: {status}");
    }
    assert_eq!(status["agents"]["by_status"], json!({"active": 1}));
    // Who claims by hand has no slots but those in use.
    assert_eq!(
        (&status["agents"]["held"], &status["agents"]["slots"]),
        (&json!(1), &json!(1))
    );
    // Nor has an agent that takes nothing new.
    server.json(&["agent", "drain", "a"])?;
    let drained = server.json(&["status"])?;
    assert_eq!(drained["agents"]["by_status"], json!({"draining": 1}));
    assert_eq!(drained["agents"]["slots"], 1);
    assert_eq!(status["dead_letters"][0]["count"], 1);
    assert_eq!(status["budgets"][0]["budget_usd"], 10.0);
    let text = String::from_utf8(server.run(&["status"])?.stdout)?;
    assert!(
        text.starts_with("Workmill ") && text.contains("1 draining"),
        "{text}"
    );
    assert!(text.contains("invalid_input"), "what failed alike: {text}");
    let nowhere = server.run(&["--json", "--url", "http://127.0.0.1:9", "status"])?;
    assert_exit(&nowhere, 8);
    assert!(nowhere.stdout.is_empty());
    Ok(())
}

#[tokio::test]
async fn what_was_made_by_others_cannot_play_tricks_on_the_terminal() -> Result<()> {
    let server = Server::start().await?;
    let evil = "a\u{1b}[2J\u{1b}[31m\u{202e}b";
    let id = server.submit(&["--title", evil, "--priority", "high", "--tag", evil])?;
    server.json(&["project", "create", evil, "--description", evil])?;
    server.json(&["limits", "set", "type:x", "1", "--note", evil])?;
    let graph = json!({"title": evil, "tasks": [{"title": evil, "name": evil, "type": "t"}]});
    let created = server.run_with(
        &["--json", "graph", "create", "-f", "-"],
        &graph.to_string(),
    )?;
    let created = crate::support::data(&created)?;
    let graph = created["id"].as_str().context("a graph")?;
    server.json(&["claim", "--agent", "a"])?;
    server.json(&["fail", &id, "--reason", "invalid_input", "--message", evil])?;
    for arguments in [
        &["list"][..],
        &["status"],
        &["graph", "show", graph],
        &["dead-letter", "list"],
        &["dead-letter", "show", &id],
        &["project", "list"],
        &["limits", "list"],
        &["--json", "list"],
    ] {
        let output = server.run(arguments)?;
        assert_exit(&output, 0);
        let text = String::from_utf8(output.stdout)?;
        assert!(
            !text.contains(['\u{1b}', '\u{202e}']),
            "{arguments:?}: {text:?}"
        );
    }
    Ok(())
}

#[tokio::test]
async fn what_is_watched_without_a_terminal_is_told_anew_when_it_changes() -> Result<()> {
    let server = Server::start().await?;
    let graph = "title: g\ntasks: [{name: only, title: only, type: t}]\n";
    let created = server.run_with(&["--json", "graph", "create", "-f", "-"], graph)?;
    let created = crate::support::data(&created)?;
    let id = created["id"].as_str().context("an id")?;
    let mut watching = server.command(&["--json", "graph", "show", id, "--watch"]);
    let mut watching = watching.stdout(Stdio::piped()).spawn()?;
    let mut lines = BufReader::new(watching.stdout.take().context("it is piped")?).lines();
    let mut status = || -> Result<Value> {
        let line = lines.next().context("another line")??;
        let mut answer: Value = serde_json::from_str(&line)?;
        Ok(answer["data"]["tasks"][0]["status"].take())
    };
    assert_eq!(status()?, "ready");
    server.json(&["claim", "--agent", "a", "--start"])?;
    assert_eq!(status()?, "running");
    let task = created["tasks"]["only"].as_str().context("an id")?;
    server.json(&["done", task])?;
    assert_eq!(status()?, "completed");
    assert!(lines.next().is_none(), "it is over");
    assert_eq!(watching.wait()?.code(), Some(0));
    Ok(())
}

#[tokio::test]
async fn lists_are_sorted_by_age_and_cut_by_time() -> Result<()> {
    let server = Server::start().await?;
    let first = server.submit(&["--title", "first", "--type", "a"])?;
    let second = server.submit(&["--title", "second", "--type", "a"])?;
    let list = |flags: &[&str]| -> Result<Vec<String>> {
        Ok(ids(&server.json(&[&["list"], flags].concat())?))
    };
    let newest = [second.clone(), first.clone()];
    assert_eq!(list(&["--newest"])?, newest);
    assert_eq!(list(&["--sort", "newest", "--since", "1h"])?, newest);
    assert_eq!(list(&["--sort", "oldest"])?, [first.clone(), second]);
    assert_eq!(list(&["--since", "2099-01-01T00:00:00Z"])?, [""; 0]);
    server.json(&["claim", "--agent", "ann", "--start"])?;
    server.json(&["done", &first, "--output", "1"])?;
    let ended = ["--sort", "ended", "--status", "completed", "--agent", "ann"];
    assert_eq!(list(&ended)?, [first]);
    let text = server.run(&["list", "--status", "completed"])?;
    assert!(
        String::from_utf8_lossy(&text.stdout).contains("ann"),
        "by whom it was done"
    );
    for (flags, code) in [
        (&["--since", "yesterday"][..], 64),
        (&["--sort", "cost"], 64),
        (&["--sort", "ended"], 6),
        (&["--newest", "--sort", "oldest"], 64),
    ] {
        assert_exit(&server.run(&[&["list"], flags].concat())?, code);
    }
    Ok(())
}

#[tokio::test]
async fn graphs_are_listed_without_a_filter_and_found_by_status() -> Result<()> {
    let server = Server::start().await?;
    let create = |title: &str| -> Result<String> {
        let tasks = r#"[{"title": "t", "type": "x", "max_attempts": 1}]"#;
        let graph = format!(r#"{{"title": "{title}", "tasks": {tasks}}}"#);
        let created = server.run_with(&["graph", "create", "-f", "-"], &graph)?;
        let id = String::from_utf8(created.stdout)?;
        Ok(id.lines().next().context("an id")?.to_owned())
    };
    let failed = create("to fail")?;
    let claimed = server.json(&["claim", "--agent", "a"])?;
    let task = claimed["claims"][0]["task"]["id"]
        .as_str()
        .context("a task")?;
    server.json(&["fail", task, "--reason", "invalid_input"])?;
    let running = create("to run")?;
    let list = |flags: &[&str]| server.json(&[&["graph", "list"], flags].concat());
    let all = list(&[])?;
    assert_eq!(ids(&all), [running.clone(), failed.clone()]);
    assert_eq!(all["items"][1]["counts"]["dead_lettered"], 1);
    assert_eq!(ids(&list(&["--status", "failed"])?), [failed]);
    assert_eq!(ids(&list(&["--q", "RUN", "--since", "1h"])?), [running]);
    assert_eq!(ids(&list(&["--limit", "1"])?).len(), 1);
    let text = server.run(&["graph", "list"])?;
    let text = String::from_utf8(text.stdout)?;
    assert!(text.contains("to fail") && text.contains("0/1"), "{text}");
    Ok(())
}
