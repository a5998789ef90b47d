//! Steering: cancelling, answering, editing, spawning, deciding about many, waiting for the end.

use std::collections::BTreeSet;
use std::process::Stdio;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::everyday::Server;
use crate::support::{assert_exit, data, stderr};

impl Server {
    fn status(&self, id: &str) -> Result<Value> {
        Ok(self.json(&["show", id])?["status"].take())
    }

    /// A task that nobody tries again.
    fn dead_letter(&self, title: &str, task_type: &str) -> Result<String> {
        let id = self.submit(&["--title", title, "--type", task_type])?;
        self.json(&["claim", "--agent", "a"])?;
        self.json(&["fail", &id, "--reason", "invalid_input", "--message", "no"])?;
        Ok(id)
    }
}

#[tokio::test]
async fn dead_letters_are_listed_by_several_filters_together() -> Result<()> {
    let server = Server::start().await?;
    let maths = server.dead_letter("one", "maths")?;
    server.dead_letter("two", "chess")?;
    let listed = |flags: &[&str]| -> Result<Vec<Value>> {
        let mut list = server.json(&[&["dead-letter", "list"], flags].concat())?;
        let items = list["items"].as_array_mut().context("items")?;
        Ok(items
            .iter_mut()
            .map(|item| item["task_id"].take())
            .collect())
    };
    let both = ["--type", "maths", "--reason", "invalid_input"];
    assert_eq!(listed(&both)?, [json!(maths)]);
    assert_eq!(
        listed(&["--type", "maths", "--reason", "crash"])?,
        [] as [Value; 0]
    );
    assert_eq!(listed(&["--since", "1h", "--until", "0s"])?.len(), 2);
    // One that is named is not filtered.
    for flags in [&["--type", "maths"][..], &["--all"]] {
        let both = [&["dead-letter", "resolve", &maths, "--retry"], flags].concat();
        assert_exit(&server.run(&both)?, 64);
    }
    Ok(())
}

#[tokio::test]
async fn a_prompt_is_edited_from_a_file_or_from_standard_input() -> Result<()> {
    let server = Server::start().await?;
    let id = server.submit(&["--title", "t", "--prompt", "old"])?;
    let prompt =
        || -> Result<Value> { Ok(server.json(&["show", &id])?["task"]["spec"]["prompt"].take()) };
    std::fs::write(server.home().join("prompt"), "from a file")?;
    server.json(&["edit", &id, "--prompt", "@prompt"])?;
    assert_eq!(prompt()?, "from a file");
    let edit = ["edit", &id, "--prompt", "-"];
    assert_exit(&server.run_with(&edit, "from a pipe")?, 0);
    assert_eq!(prompt()?, "from a pipe");
    server.json(&["edit", &id, "--prompt", "@@name"])?;
    assert_eq!(prompt()?, "@name");
    Ok(())
}

#[tokio::test]
async fn a_dry_run_cancels_nothing() -> Result<()> {
    let server = Server::start().await?;
    let id = server.submit(&["--title", "t"])?;
    let would = server.json(&["cancel", &id, "--dry-run"])?;
    assert_eq!(would["would_be_cancelled"], true);
    assert_eq!(server.status(&id)?, "ready");
    assert_eq!(server.json(&["cancel", &id])?["status"], "cancelled");
    let would = server.json(&["cancel", &id, "--dry-run"])?;
    assert_eq!(would["would_be_cancelled"], false);
    let missing = "task_01M7FF53TYSCDH2QVJV73XC9NS";
    assert_exit(&server.run(&["cancel", missing])?, 3);
    Ok(())
}

#[tokio::test]
async fn every_command_takes_a_planners_key_for_a_task() -> Result<()> {
    let server = Server::start().await?;
    let task = r#"{"title": "t", "type": "x", "key": "login/1", "max_attempts": 1}"#;
    assert_exit(&server.run_with(&["submit", "-f", "-"], task)?, 0);
    let key = "login/1";
    assert_eq!(server.status(key)?, "ready");
    assert_exit(&server.run(&["explain", key])?, 0);
    assert_exit(&server.run(&["edit", key, "--title", "new"])?, 0);
    server.json(&["claim", "--agent", "a", "--start"])?;
    assert_exit(&server.run(&["heartbeat", key])?, 0);
    assert_exit(&server.run(&["block", key, "--question", "Which?"])?, 0);
    assert_exit(&server.run(&["answer", key, "--text", "this"])?, 0);
    server.json(&["claim", "--agent", "a"])?;
    assert_exit(&server.run(&["start", key])?, 0);
    assert_exit(&server.run(&["fail", key, "--reason", "invalid_input"])?, 0);
    assert_exit(&server.run(&["dead-letter", "show", key])?, 0);
    assert_exit(&server.run(&["dead-letter", "review", key])?, 0);
    assert_exit(&server.run(&["dead-letter", "resolve", key, "--retry"])?, 0);
    assert_eq!(server.json(&["cancel", key])?["status"], "cancelled");
    assert_exit(&server.run(&["cancel", "login/2"])?, 3);
    assert_exit(&server.run(&["done", "login/2"])?, 3);
    Ok(())
}

#[tokio::test]
async fn an_answer_reaches_the_next_attempt() -> Result<()> {
    let server = Server::start().await?;
    let id = server.submit(&["--title", "t"])?;
    server.json(&["claim", "--agent", "a", "--start"])?;
    let blocked = server.json(&["block", &id, "--question", "Which branch?"])?;
    assert_eq!(blocked["status"], "blocked");
    assert_exit(&server.run(&["answer", &id])?, 64);
    assert_exit(&server.run(&["answer", &id, "--input", "{"])?, 6);
    assert_eq!(
        server.json(&["answer", &id, "--text", "main"])?["status"],
        "ready"
    );
    assert_exit(&server.run(&["answer", &id, "--text", "again"])?, 5);
    let claimed = server.json(&["claim", "--agent", "a"])?;
    let answer = &claimed["claims"][0]["context"]["answers"][0];
    assert_eq!(answer["input"], "main");
    assert_eq!(answer["question"], "Which branch?");
    Ok(())
}

/// A question may have many lines. Only the list shortens it, and then says where all of it is.
#[tokio::test]
async fn a_long_question_is_printed_whole_where_one_task_is_shown() -> Result<()> {
    let server = Server::start().await?;
    let id = server.submit(&["--title", "t"])?;
    server.json(&["claim", "--agent", "a", "--start"])?;
    let lines: Vec<String> = (0..25)
        .map(|line| format!("{line:02} Which of these branches is meant here?"))
        .collect();
    let question = format!("{}\u{1b}[2J", lines.join("\n"));
    assert!(question.chars().count() > 1_000);
    server.json(&["block", &id, "--question", &question])?;
    let text = |arguments: &[&str]| -> Result<String> {
        let output = server.run(arguments)?;
        assert_exit(&output, 0);
        let text = String::from_utf8(output.stdout)?;
        assert!(!text.contains('\u{1b}'), "{text:?}");
        Ok(text)
    };
    let shown = text(&["show", &id])?;
    let whole = format!(
        "  question   {}\\u{{1b}}[2J\n",
        lines.join("\n             ")
    );
    assert!(shown.contains(&whole), "{shown}");

    let listed = text(&["questions"])?;
    let last = listed.lines().last().context("a line")?;
    assert!(last.starts_with("  question   00 Which of"), "{listed}");
    assert!(
        last.ends_with(&format!("… (see all of it: workmill show {id})")),
        "{listed}"
    );
    assert!(!listed.contains("24 Which"), "{listed}");

    server.json(&["answer", &id, "--text", "main\nor dev"])?;
    let answers = format!("answers:\n  {}\\u{{1b}}[2J\n", lines.join("\n  "));
    for answered in [text(&["show", &id])?, text(&["claim", "--agent", "a"])?] {
        assert!(answered.contains(&answers), "{answered}");
        assert!(answered.contains(":\n  main\n  or dev"), "{answered}");
    }
    let short = server.submit(&["--title", "u"])?;
    server.json(&["claim", "--agent", "b", "--start"])?;
    server.json(&["block", &short, "--question", "Which branch?"])?;
    let listed = text(&["questions"])?;
    assert!(
        listed.trim_end().ends_with("  question   Which branch?"),
        "{listed}"
    );
    Ok(())
}

#[tokio::test]
async fn an_edit_changes_what_is_asked_for_unless_somebody_was_faster() -> Result<()> {
    let server = Server::start().await?;
    let id = server.submit(&["--title", "old", "--prompt", "old", "--tag", "x"])?;
    let edit = |flags: &[&str]| server.run(&[&["edit", &id], flags].concat());
    let version = server.json(&["show", &id])?["version"].to_string();
    assert_exit(&edit(&["--title", "new", "--if-version", &version])?, 0);
    assert_exit(&edit(&["--title", "newer", "--if-version", &version])?, 5);
    let flags = ["--prompt", "do", "--priority", "critical", "--tags", "y, z"];
    assert_exit(&edit(&flags)?, 0);
    let changes = r#"{"metadata": {"big": 12345678901234567890}, "tags": []}"#;
    assert_exit(&edit(&["--changes", changes])?, 0);
    let task = server.json(&["show", &id])?["task"].take();
    assert_eq!(task["title"], "new");
    assert_eq!(task["spec"]["prompt"], "do");
    assert_eq!(task["priority"], 5);
    assert_eq!(task["tags"], Value::Null);
    assert_eq!(
        task["metadata"].to_string(),
        r#"{"big":12345678901234567890}"#
    );
    for (flags, code) in [
        (&[][..], 64),
        (&["--changes", "[]"], 6),
        (&["--changes", r#"{"colour": "red"}"#], 6),
        (&["--title", "a", "--changes", r#"{"title": "b"}"#], 6),
    ] {
        assert_exit(&edit(flags)?, code);
    }
    Ok(())
}

#[tokio::test]
async fn a_task_spawns_others_below_it_and_waits_for_them() -> Result<()> {
    let server = Server::start().await?;
    let id = server.submit(&["--title", "parent"])?;
    server.json(&["claim", "--agent", "a", "--start"])?;
    let child = server.json(&["spawn", &id, "--title", "child", "--type", "c"])?;
    let child = child["tasks"][0].as_str().context("an id")?;
    assert_eq!(server.json(&["show", child])?["parent_id"], id.as_str());
    let unknown = "tasks:\n- title: a\n  type: t\n  colour: red\n";
    let refused = server.run_with(&["spawn", &id, "-f", "-"], unknown)?;
    assert_exit(&refused, 6);
    let told = stderr(&refused);
    assert!(
        told.contains("line 4, column 3, `tasks[0].colour`"),
        "{told}"
    );

    let tasks = "tasks:\n- {title: b, type: t}\n- {title: c, type: t}\n";
    let spawned = server.run_with(&["--json", "spawn", &id, "-f", "-", "--wait"], tasks)?;
    assert_exit(&spawned, 0);
    assert_eq!(data(&spawned)?["tasks"].as_array().map(Vec::len), Some(2));
    assert_eq!(server.status(&id)?, "pending");
    assert_exit(&server.run(&["done", &id])?, 3);
    Ok(())
}

#[tokio::test]
async fn a_graph_is_cancelled_after_a_look_and_its_failed_part_goes_round_again() -> Result<()> {
    let server = Server::start().await?;
    let graph = "title: g\ntasks:\n- {name: a, title: a, type: t}\n\
                 - {name: b, title: b, type: t, depends_on: [a]}\n";
    let create = || -> Result<(String, String)> {
        let created = server.run_with(&["--json", "graph", "create", "-f", "-"], graph)?;
        let created = data(&created)?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Ok((text(&created["id"]), text(&created["tasks"]["a"])))
    };
    let (id, first) = create()?;
    server.json(&["claim", "--agent", "a"])?;
    server.json(&["fail", &first, "--reason", "invalid_input"])?;
    assert_eq!(server.status(&id)?, "failed");
    assert_eq!(server.json(&["graph", "retry", &id])?["retried"], 1);
    assert_eq!(server.status(&first)?, "ready");

    let would = server.json(&["graph", "cancel", &id, "--dry-run"])?;
    assert_eq!(would["by_status"], json!({"pending": 1, "ready": 1}));
    assert_eq!(server.status(&id)?, "running");
    assert_eq!(server.json(&["graph", "cancel", &id])?["cancelled"], 2);
    assert_eq!(server.status(&id)?, "cancelled");

    let (failed, first) = create()?;
    server.json(&["claim", "--agent", "a"])?;
    server.json(&["fail", &first, "--reason", "invalid_input"])?;
    let would = server.json(&["graph", "cancel", &failed, "--dry-run"])?;
    assert_eq!(
        would["by_status"],
        json!({"dead_lettered": 1, "pending": 1})
    );
    let cancelled = server.json(&["graph", "cancel", &failed])?;
    assert_eq!(cancelled["cancelled"], 2, "as many as the look has told");
    Ok(())
}

#[tokio::test]
async fn a_draft_begins_when_it_is_submitted() -> Result<()> {
    let server = Server::start().await?;
    let graph = "title: g\ndraft: true\ntasks: [{title: a, type: t}]\n";
    let created = server.run_with(&["--json", "graph", "create", "-f", "-"], graph)?;
    let id = data(&created)?["id"].take();
    let id = id.as_str().context("an id")?;
    assert_exit(&server.run(&["claim", "--agent", "a"])?, 2);
    assert_eq!(server.json(&["graph", "submit", id])?["status"], "running");
    assert_exit(&server.run(&["claim", "--agent", "a"])?, 0);
    Ok(())
}

#[tokio::test]
async fn a_decision_about_many_dead_letters_wants_a_yes() -> Result<()> {
    let server = Server::start().await?;
    let first = server.dead_letter("one", "x")?;
    let second = server.dead_letter("two", "x")?;
    let other = server.dead_letter("three", "y")?;
    let listed = server.json(&["dead-letter", "list", "--type", "x"])?;
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(2));
    let groups = server.json(&["dead-letter", "groups"])?;
    let counts: i64 = groups["items"]
        .as_array()
        .context("groups")?
        .iter()
        .filter_map(|group| group["count"].as_i64())
        .sum();
    assert_eq!(counts, 3);
    assert_eq!(
        server.json(&["dead-letter", "review", &first])?["reviewed"],
        true
    );

    let resolve = |flags: &[&str]| server.run(&[&["dead-letter", "resolve"], flags].concat());
    for flags in [
        &["--retry"][..],
        &["--type", "x"],
        &["--type", "x", "--retry", "--cancel"],
        &[&first, "--type", "x", "--retry"],
        &["--type", "x", "--retry"],
        &["--all", "--cancel"],
    ] {
        let output = resolve(flags)?;
        assert_exit(&output, 64);
        assert!(output.stdout.is_empty());
    }
    let preview = server.json(&[
        "dead-letter",
        "resolve",
        "--type",
        "x",
        "--retry",
        "--dry-run",
    ])?;
    assert_eq!(preview["count"], 2);
    assert_eq!(server.status(&first)?, "dead_lettered", "only looked at");
    assert_exit(&resolve(&["--type", "x", "--retry", "--yes"])?, 0);
    assert_eq!(server.status(&first)?, "ready");
    assert_eq!(server.status(&second)?, "ready");
    assert_eq!(server.status(&other)?, "dead_lettered", "it does not fit");

    let look = resolve(&[&other, "--cancel", "--dry-run"])?;
    assert_exit(&look, 0);
    assert_eq!(server.status(&other)?, "dead_lettered");
    let changes = r#"{"title": "four"}"#;
    assert_exit(&resolve(&[&other, "--modify", changes, "--note", "n"])?, 0);
    assert_eq!(server.json(&["show", &other])?["task"]["title"], "four");
    let decided = server.json(&["dead-letter", "show", &other])?;
    assert_eq!(
        [
            &decided["resolution"],
            &decided["resolved_by"],
            &decided["note"]
        ],
        ["modify_and_retry", "admin", "n"]
    );
    assert!(decided["resolved_at"].is_string(), "{decided}");
    let open = server.json(&["dead-letter", "list"])?;
    assert_eq!(open["items"], json!([]), "only what waits for a decision");
    let resolved = server.json(&["dead-letter", "list", "--resolved", "--all"])?;
    assert_eq!(resolved["items"][0], decided, "the newest first");
    let printed = server.run(&["dead-letter", "list", "--resolved", "--limit", "1"])?;
    assert_exit(&printed, 0);
    let printed = String::from_utf8(printed.stdout)?;
    assert!(printed.contains("modify and retry"), "{printed}");

    // A task that fails again shows who decided before, and why.
    assert_exit(
        &server.run(&["claim", "--agent", "a", "--task-type", "y"])?,
        0,
    );
    let fail = ["fail", &other, "--reason", "invalid_input"];
    assert_exit(&server.run(&fail)?, 0);
    let again = server.run(&["dead-letter", "show", &other])?;
    let again = String::from_utf8(again.stdout)?;
    let earlier = again.lines().find(|line| line.contains("earlier"));
    let earlier = earlier.context("a line of the earlier decision")?;
    assert!(
        earlier.contains("modify and retry by admin at ") && earlier.ends_with(": n"),
        "{again}"
    );
    Ok(())
}

#[tokio::test]
async fn a_change_of_many_tasks_wants_a_filter_and_a_yes() -> Result<()> {
    let server = Server::start().await?;
    let id = server.submit(&["--title", "one", "--type", "x"])?;
    let other = server.submit(&["--title", "two", "--type", "y"])?;
    let bulk = |flags: &[&str]| server.run(&[&["bulk"], flags].concat());
    assert_exit(&bulk(&["cancel", "--yes"])?, 64);
    assert_exit(&bulk(&["cancel", "--type", "x"])?, 64);
    assert_exit(&bulk(&["cancel", "--type", "x", "--dry-run"])?, 0);
    assert_eq!(server.status(&id)?, "ready");
    assert_exit(&bulk(&["tag", "night", "--type", "x", "--yes"])?, 0);
    assert_exit(
        &bulk(&["reprioritise", "low", "--tag", "night", "--yes"])?,
        0,
    );
    let task = server.json(&["show", &id])?["task"].take();
    assert_eq!(
        (&task["tags"], &task["priority"]),
        (&json!(["night"]), &json!(70))
    );
    let changed = server.json(&["bulk", "cancel", "--type", "x", "--yes", "--note", "n"])?;
    assert_eq!(changed["changed"], 1);
    assert_eq!(server.status(&id)?, "cancelled");
    assert_eq!(server.status(&other)?, "ready", "it does not fit");
    Ok(())
}

#[tokio::test]
async fn who_waits_learns_from_the_exit_code_how_it_came_out() -> Result<()> {
    let server = Server::start().await?;
    let late = server.run(&[
        "--json",
        "submit",
        "--title",
        "late",
        "--wait",
        "--timeout",
        "0",
    ])?;
    assert_exit(&late, 124);
    let id = data(&late)?["tasks"][0]["id"].take();
    assert!(
        stderr(&late).contains(id.as_str().context("an id")?),
        "it can be found again"
    );
    server.json(&["cancel", id.as_str().context("an id")?])?;

    let wait = |title: &str| {
        let arguments = [
            "--json",
            "submit",
            "--title",
            title,
            "--wait",
            "--timeout",
            "50",
        ];
        let mut command = server.command(&arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn()
    };
    let waiting = wait("good")?;
    let claimed = server.json(&["claim", "--agent", "a", "--start", "--wait", "30"])?;
    let id = claimed["claims"][0]["task"]["id"]
        .as_str()
        .context("an id")?;
    server.json(&["done", id, "--output", "7"])?;
    let output = waiting.wait_with_output()?;
    assert_exit(&output, 0);
    let task = &data(&output)?["tasks"][0];
    assert_eq!(
        (&task["status"], &task["output"]["data"]),
        (&json!("completed"), &json!(7))
    );

    let waiting = wait("bad")?;
    let claimed = server.json(&["claim", "--agent", "a", "--start", "--wait", "30"])?;
    let id = claimed["claims"][0]["task"]["id"]
        .as_str()
        .context("an id")?;
    server.json(&["fail", id, "--reason", "invalid_input"])?;
    let output = waiting.wait_with_output()?;
    assert_exit(&output, 1);
    assert_eq!(data(&output)?["tasks"][0]["status"], "dead_lettered");

    let graph = "title: g\ntasks: [{title: a, type: t}]\n";
    let create = ["graph", "create", "-f", "-", "--wait", "--timeout", "0"];
    assert_exit(&server.run_with(&create, graph)?, 124);
    assert_exit(
        &server.run(&["submit", "--title", "t", "--timeout", "1"])?,
        64,
    );
    Ok(())
}

#[tokio::test]
async fn waiting_for_a_graph_that_is_cancelled_after_a_task_completed_exits_1() -> Result<()> {
    let server = Server::start().await?;
    let graph = "title: g\ntasks: [{title: a, type: t}, {title: b, type: t}]\n";
    std::fs::write(server.home().join("graph.yaml"), graph)?;
    let create = [
        "--json",
        "graph",
        "create",
        "-f",
        "graph.yaml",
        "--wait",
        "--timeout",
        "50",
    ];
    let mut command = server.command(&create);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let waiting = command.spawn()?;
    let claimed = server.json(&["claim", "--agent", "a", "--start", "--wait", "30"])?;
    let task = &claimed["claims"][0]["task"];
    server.json(&["done", task["id"].as_str().context("an id")?])?;
    let dag = task["dag_id"].as_str().context("a graph")?;
    server.json(&["graph", "cancel", dag])?;
    let output = waiting.wait_with_output()?;
    assert_exit(&output, 1);
    let ended = data(&output)?;
    assert_eq!(
        (&ended["id"], &ended["status"]),
        (&json!(dag), &json!("cancelled"))
    );
    let statuses = ended["tasks"].as_array().context("tasks")?.iter();
    let statuses: BTreeSet<&str> = statuses
        .filter_map(|task| task["status"].as_str())
        .collect();
    assert_eq!(statuses, BTreeSet::from(["cancelled", "completed"]));
    Ok(())
}
