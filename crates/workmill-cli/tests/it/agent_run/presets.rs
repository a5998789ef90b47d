//! Coding agents, played by scripts that print what the real ones are recorded to print.

use std::os::unix::fs::PermissionsExt;

use anyhow::{Context, Result};
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_protocol::tasks::Task;

use super::{Mill, once, output};
use crate::support::assert_exit;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/presets");

/// A tool that notes how it was called and what it was told, and prints a recorded output.
fn fake(mill: &Mill, tool: &str, fixture: &str, code: u8) -> Result<()> {
    let folder = mill.path("bin");
    std::fs::create_dir_all(&folder)?;
    let (arguments, input) = (mill.path("arguments"), mill.path("input"));
    let script = format!(
        "#!/bin/sh\necho \"$*\" >> {}\ncat > {}\ncat {FIXTURES}/{fixture}\nexit {code}\n",
        arguments.display(),
        input.display()
    );
    // Written elsewhere first: a program that is being written cannot be started.
    let (new, place) = (folder.join("new"), folder.join(tool));
    std::fs::write(&new, script)?;
    std::fs::set_permissions(&new, PermissionsExt::from_mode(0o755))?;
    Ok(std::fs::rename(new, place)?)
}

async fn run(mill: &Mill, new: NewTask, arguments: &[&str]) -> Result<Task> {
    let id = mill.submit(new).await?;
    take_turn(mill, arguments)?;
    Ok(mill.admin.task(id).await?)
}

fn take_turn(mill: &Mill, arguments: &[&str]) -> Result<()> {
    let mut command = mill.command(&[&["--once"], arguments].concat());
    let path = std::env::var("PATH")?;
    command.env("PATH", format!("{}:{path}", mill.path("bin").display()));
    assert_exit(&command.output()?, 0);
    Ok(())
}

fn door(models: &[&str]) -> NewTask {
    let mut task = once("The door");
    task.spec.prompt = String::from("Mend it.");
    task.spec.constraints.model_preferences = models.iter().map(ToString::to_string).collect();
    task
}

#[tokio::test]
async fn claude_is_given_prompt_model_and_budget_and_tells_result_tokens_and_cost() -> Result<()> {
    let mill = Mill::start().await?;
    fake(&mill, "claude", "claude.json", 0)?;
    let mut new = door(&["claude-sonnet-4-5", "claude-haiku-4-5"]);
    new.spec.constraints.max_cost_usd = Some(serde_json::from_value(json!(2.5))?);
    let further = ["--preset", "claude", "--", "--verbose"];
    let task = run(&mill, new, &further).await?;
    assert_eq!(
        (task.status, output(&task)),
        (State::Completed, json!("The door is mended."))
    );
    assert!((task.cost_usd - 0.177).abs() < 1e-9, "{}", task.cost_usd);
    let tokens = task.tokens_used;
    assert_eq!(
        (tokens.input, tokens.output, tokens.cached_input),
        (120_000, 4000, 90_000)
    );
    assert_eq!(
        mill.line_of("arguments")?,
        "-p --output-format json --model=claude-sonnet-4-5 --fallback-model=claude-haiku-4-5 \
         --max-budget-usd=2.5 --verbose"
    );
    assert_eq!(mill.line_of("input")?, "# The door\n\nMend it.");
    Ok(())
}

#[tokio::test]
async fn codex_and_gemini_tell_result_and_tokens() -> Result<()> {
    let mill = Mill::start().await?;
    fake(&mill, "codex", "codex.jsonl", 0)?;
    let task = run(&mill, door(&["gpt-5"]), &["--preset", "codex"]).await?;
    assert_eq!(
        (task.status, output(&task)),
        (State::Completed, json!("The door is mended."))
    );
    assert_eq!(
        (task.tokens_used.input, task.tokens_used.output),
        (24_763, 122)
    );
    assert!(task.cost_usd > 0.0, "the server knows the price");
    assert_eq!(mill.line_of("arguments")?, "exec --json --model=gpt-5 -");

    fake(&mill, "gemini", "gemini.json", 0)?;
    let task = run(&mill, door(&[]), &["--preset", "gemini"]).await?;
    assert_eq!(
        (task.status, output(&task)),
        (State::Completed, json!("The door is mended."))
    );
    assert_eq!(
        (task.tokens_used.input, task.tokens_used.output),
        (33_932, 214)
    );
    Ok(())
}

#[tokio::test]
async fn a_tool_that_fails_says_why_and_what_it_has_cost() -> Result<()> {
    let mill = Mill::start().await?;
    for (tool, fixture, reason, message) in [
        (
            "claude",
            "claude-failed.json",
            Reason::Crash,
            "claude: error_max_budget_usd: Reached maximum budget ($0.5)",
        ),
        (
            "codex",
            "codex-failed.jsonl",
            Reason::Crash,
            "codex: stream disconnected before completion",
        ),
        (
            "gemini",
            "gemini-failed.json",
            Reason::RateLimit,
            "gemini: You exceeded your current quota",
        ),
    ] {
        fake(&mill, tool, fixture, 1)?;
        let task = run(&mill, door(&[]), &["--preset", tool]).await?;
        let attempt = task.attempts.first().context("an attempt")?;
        assert_eq!(attempt.reason, Some(reason), "{tool}");
        assert_eq!(attempt.error.as_deref(), Some(message));
        let cost = if tool == "claude" { 0.51 } else { 0.0 };
        assert!(
            (task.cost_usd - cost).abs() < 1e-9,
            "{tool}: {}",
            task.cost_usd
        );
    }
    Ok(())
}

/// F-24
#[tokio::test]
async fn from_the_second_failure_on_a_tool_is_started_with_the_models_to_fall_back_on() -> Result<()>
{
    let mill = Mill::start().await?;
    let mut new = door(&["opus"]);
    new.spec.constraints.fallback_models = vec!["sonnet".to_owned()];
    new.max_attempts = Some(5);
    new.retry = serde_json::from_value(json!({"strategy": "immediate"}))?;
    let id = mill.submit(new).await?;
    fake(&mill, "claude", "claude-failed.json", 1)?;
    // Another one each time: who has failed is kept from the task for a while.
    for agent in ["one", "two", "three"] {
        if agent == "three" {
            fake(&mill, "claude", "claude.json", 0)?;
        }
        mill.task_in(id, State::Ready).await?;
        take_turn(&mill, &["--agent", agent, "--preset", "claude"])?;
    }
    let task = mill.admin.task(id).await?;
    assert_eq!(task.status, State::Completed);
    let started = mill.line_of("arguments")?;
    let models: Vec<_> = started.lines().map(|line| line.split(' ').nth(3)).collect();
    assert_eq!(
        models,
        [
            Some("--model=opus"),
            Some("--model=opus"),
            Some("--model=sonnet")
        ]
    );
    Ok(())
}
