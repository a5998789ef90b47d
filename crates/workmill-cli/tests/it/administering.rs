//! Administering: limits, budgets, pauses, projects; and making agents and shells feel at home.

use std::process::Stdio;

use anyhow::{Context, Result};
use serde_json::json;

use crate::everyday::Server;
use crate::support::{Home, assert_exit, data, stderr};

#[tokio::test]
async fn limits_and_pauses_hold_work_back_until_they_are_removed() -> Result<()> {
    let server = Server::start().await?;
    server.submit(&["--title", "t", "--type", "review"])?;
    let claim = ["claim", "--agent", "a"];
    let limit = server.json(&["limits", "set", "type:review", "0", "--note", "none"])?;
    assert_eq!((&limit["max"], &limit["note"]), (&json!(0), &json!("none")));
    assert_exit(&server.run(&claim)?, 2);
    assert_eq!(
        server.json(&["limits", "list"])?["items"][0]["scope"],
        "type:review"
    );
    server.json(&["pause", "namespace", "--note", "lunch"])?;
    server.json(&["limits", "remove", "type:review"])?;
    assert_exit(&server.run(&claim)?, 2);
    assert_eq!(server.json(&["pause"])?["items"][0]["note"], "lunch");
    server.json(&["resume", "namespace"])?;
    assert_exit(&server.run(&["claim", "--agent", "a", "--wait", "20"])?, 0);
    assert_eq!(server.json(&["pause"])?["items"], json!([]));
    assert_eq!(server.json(&["limits", "list"])?["items"], json!([]));
    for (arguments, code) in [
        (&["limits", "set", "moon", "1"][..], 6),
        (&["limits", "set", "namespace", "-1"], 64),
        (&["limits", "remove", "type:nothing"], 3),
        (&["resume", "namespace"], 3),
        (&["pause", "--note", "of what?"], 64),
    ] {
        assert_exit(&server.run(arguments)?, code);
    }
    Ok(())
}

#[tokio::test]
async fn a_budget_is_set_in_dollars_seen_and_removed() -> Result<()> {
    let server = Server::start().await?;
    let flags = [
        "budget",
        "set",
        "each_day",
        "12.5",
        "--time-zone",
        "Europe/Berlin",
    ];
    let budget = server.json(&flags)?;
    assert_eq!(budget["budget_usd"], 12.5);
    assert_eq!(budget["time_zone"], "Europe/Berlin");
    let text = String::from_utf8(server.run(&["budget", "list"])?.stdout)?;
    assert!(
        text.contains("each_day") && text.contains("$12.5000"),
        "{text}"
    );
    server.json(&["budget", "remove", "each_day"])?;
    assert_eq!(server.json(&["budget", "list"])?["items"], json!([]));
    assert_exit(&server.run(&["budget", "set", "each_day", "much"])?, 64);
    assert_exit(&server.run(&["budget", "remove", "each_day"])?, 3);
    Ok(())
}

#[tokio::test]
async fn a_project_gathers_tasks_and_changes_as_told() -> Result<()> {
    let server = Server::start().await?;
    let flags = [
        "--description",
        "Mend it",
        "--metadata",
        r#"{"team": "west"}"#,
    ];
    let project = server.json(&[&["project", "create", "Roof"], &flags[..]].concat())?;
    let id = project["id"].as_str().context("an id")?;
    server.submit(&["--title", "tiles", "--project", id])?;
    let shown = server.json(&["project", "show", id])?;
    assert_eq!(shown["tasks"]["by_status"], json!({"ready": 1}));
    assert_eq!(shown, server.json(&["show", id])?);
    assert_eq!(
        server.json(&["list", "--project", id])?["items"][0]["title"],
        "tiles"
    );
    let edited = server.json(&[
        "project",
        "edit",
        id,
        "--status",
        "archived",
        "--description",
        "",
        "--metadata",
        "null",
    ])?;
    assert_eq!(edited["status"], "archived");
    assert!(
        edited["description"].is_null() && edited["metadata"].is_null(),
        "{edited}"
    );
    assert_eq!(
        server.json(&["project", "list"])?["items"][0]["name"],
        "Roof"
    );
    assert_exit(&server.run(&["project", "edit", id])?, 64);
    assert_exit(&server.run(&["project", "edit", id, "--metadata", "7"])?, 6);
    Ok(())
}

#[tokio::test]
async fn what_a_key_may_not_do_exits_4() -> Result<()> {
    let server = Server::start().await?;
    let key = server.json(&["key", "create", "--role", "producer"])?;
    let token = key["token"].as_str().context("a token")?;
    let id = server.submit(&["--title", "t"])?;
    for arguments in [
        &["pause", "namespace"][..],
        &["limits", "set", "namespace", "1"],
        &["edit", &id, "--title", "mine"],
        &["bulk", "cancel", "--type", "task", "--yes"],
        &["dead-letter", "resolve", "--all", "--retry", "--yes"],
    ] {
        let mut command = server.command(arguments);
        let output = command.env("WORKMILL_TOKEN", token).output()?;
        assert_exit(&output, 4);
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    Ok(())
}

#[tokio::test]
async fn prime_tells_an_agent_who_it_is_and_what_it_still_holds() -> Result<()> {
    let server = Server::start().await?;
    let kept = server.submit(&["--title", "kept"])?;
    let lost = server.submit(&["--title", "lost"])?;
    server.json(&["claim", "--agent", "me", "--max", "2", "--start"])?;
    let which = server.run(&["done", "--agent", "me"])?;
    assert_exit(&which, 64);
    assert!(stderr(&which).contains("Several"), "{}", stderr(&which));
    let held = |prime: &serde_json::Value| -> Vec<String> {
        let held = prime["held"].as_array().cloned().unwrap_or_default();
        let ids = held.iter().filter_map(|task| task["id"].as_str());
        ids.map(str::to_owned).collect()
    };
    let prime = server.json(&["prime", "--agent", "me"])?;
    assert_eq!(prime["agent"], "me");
    assert_eq!(held(&prime), [kept.as_str(), &lost]);
    // It ends from elsewhere, where nothing of it is remembered here.
    let lease = format!("lease_{}_1", lost.trim_start_matches("task_"));
    let mut elsewhere = server.command(&["release", "--lease", &lease]);
    let elsewhere = elsewhere.env("XDG_STATE_HOME", server.home().join("elsewhere"));
    assert_exit(&elsewhere.output()?, 0);
    server.json(&["cancel", &lost])?;
    assert_eq!(
        held(&server.json(&["prime", "--agent", "me"])?),
        [kept.as_str()]
    );
    assert_eq!(
        held(&server.json(&["prime", "--agent", "another"])?),
        [""; 0]
    );
    let text = String::from_utf8(server.run(&["prime", "--agent", "me"])?.stdout)?;
    assert!(text.contains("You are the agent `me`"), "{text}");
    assert!(text.contains("workmill done"), "{text}");
    // With a key that may look at nothing but what it holds.
    let key = server.json(&["key", "create", "--role", "agent"])?;
    let token = key["token"].as_str().context("a token")?;
    let own = server.submit(&["--title", "own", "--for", "mine"])?;
    let with_key = |arguments: &[&str]| -> Result<serde_json::Value> {
        let mut command = server.command(arguments);
        data(&command.env("WORKMILL_TOKEN", token).output()?)
    };
    with_key(&["--json", "claim", "--agent", "mine"])?;
    let prime = with_key(&["--json", "prime", "--agent", "mine"])?;
    assert_eq!(held(&prime), [own]);
    let nowhere = ["prime", "--agent", "me", "--url", "http://127.0.0.1:9"];
    assert_exit(&server.run(&nowhere)?, 8);
    Ok(())
}

#[test]
fn setup_writes_a_block_once_and_keeps_what_others_wrote() -> Result<()> {
    let home = Home::new()?;
    let agents = home.path().join("AGENTS.md");
    let dry = home.run(&["setup", "codex", "--dry-run"])?;
    assert_exit(&dry, 0);
    assert!(!agents.exists(), "only printed");
    let dry = data(&home.run(&["--json", "setup", "codex", "--dry-run"])?)?;
    assert_eq!(
        (&dry["changed"], &dry["dry_run"]),
        (&json!(true), &json!(true))
    );
    assert!(!agents.exists(), "only printed");
    std::fs::write(&agents, "# Ours\n\nUse tabs.\n")?;
    assert_exit(&home.run(&["setup", "codex"])?, 0);
    let once = std::fs::read_to_string(&agents)?;
    assert!(once.starts_with("# Ours\n\nUse tabs.\n"), "{once}");
    assert!(once.contains("workmill claim"), "{once}");
    assert_exit(&home.run(&["setup", "codex"])?, 0);
    assert_eq!(std::fs::read_to_string(&agents)?, once);

    assert_exit(&home.run(&["setup", "claude"])?, 0);
    let skill = home.path().join(".claude/skills/workmill/SKILL.md");
    let skill = std::fs::read_to_string(skill)?;
    assert!(
        skill.starts_with("---\nname: workmill\ndescription: "),
        "{skill}"
    );
    let typo = home.run(&["setup", "cluade"])?;
    assert_exit(&typo, 64);
    assert!(stderr(&typo).contains("'claude'"), "{}", stderr(&typo));
    Ok(())
}

#[test]
fn completions_are_scripts_that_the_shell_can_read() -> Result<()> {
    let home = Home::new()?;
    for shell in ["bash", "zsh", "fish"] {
        let output = home.run(&["completions", shell])?;
        assert_exit(&output, 0);
        let script = String::from_utf8(output.stdout)?;
        assert!(script.contains("dead-letter"), "{shell}");
        if shell == "bash" {
            std::fs::write(home.path().join("complete"), script)?;
            let mut bash = home.program("bash");
            let read = bash
                .args(["-n", "complete"])
                .stderr(Stdio::piped())
                .output()?;
            assert!(read.status.success(), "{}", stderr(&read));
        }
    }
    assert_exit(&home.run(&["completions", "cmd"])?, 64);
    let answer = data(&home.run(&["--json", "completions", "zsh"])?)?;
    assert_eq!(answer["shell"], "zsh");
    Ok(())
}

#[test]
fn a_typo_is_answered_with_what_was_meant() -> Result<()> {
    let home = Home::new()?;
    for (arguments, meant) in [
        (&["stauts"][..], "'status'"),
        (&["dead-letter", "resovle"], "'resolve'"),
        (&["list", "--statsu", "ready"], "'--status'"),
        (&["list", "--status", "redy"], "'ready'"),
    ] {
        let output = home.run(arguments)?;
        assert_exit(&output, 64);
        assert!(stderr(&output).contains(meant), "{}", stderr(&output));
    }
    Ok(())
}
