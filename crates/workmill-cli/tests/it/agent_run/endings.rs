//! Commands that end: well, badly, loudly.

use anyhow::{Context, Result};
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_core::task::{NewTask, RetryOverrides};

use super::{Mill, WAIT, assert_gone, once, output};
use crate::support::assert_exit;

#[tokio::test]
async fn what_a_command_prints_is_the_output_as_json_or_as_text() -> Result<()> {
    let mill = Mill::start().await?;
    let script = r#"echo '{"big": 12345678901234567890}'"#;
    let task = mill.run_once(once("json"), script).await?;
    assert_eq!(task.status, State::Completed);
    assert_eq!(output(&task).to_string(), r#"{"big":12345678901234567890}"#);
    let task = mill.run_once(once("text"), "echo one; echo two").await?;
    assert_eq!(output(&task), "one\ntwo");
    // Readers of a task accept JSON up to a certain depth only.
    let nested = "for b in '[' ']'; do for i in $(seq DEPTH); do printf $b; done; done";
    for depth in [100, 101, 200] {
        let script = nested.replace("DEPTH", &depth.to_string());
        let task = mill.run_once(once("deep"), &script).await?;
        assert_eq!(task.status, State::Completed, "{:?}", task.attempts);
        let is_text = output(&task).is_string();
        assert_eq!(is_text, depth > 100, "{depth}");
    }
    // A command need not read its input.
    let task = mill.run_once(once("silence"), "exec true").await?;
    assert_eq!((task.status, output(&task)), (State::Completed, json!("")));
    let nothing = mill.command(&["--once", "--", "true"]).output()?;
    assert_exit(&nothing, 2);
    let no_program = mill
        .command(&["--once", "--", "no-such-program"])
        .output()?;
    assert_exit(&no_program, 3);
    let mut stranger = mill.command(&["--", "true"]);
    let stranger = stranger.env("WORKMILL_TOKEN", &mill.key[1..]).output()?;
    assert_exit(&stranger, 4);
    Ok(())
}

#[tokio::test]
async fn a_command_fails_for_the_reason_that_its_exit_code_gives() -> Result<()> {
    let mill = Mill::start().await?;
    let new = |title: &str| NewTask {
        max_attempts: Some(3),
        // Not before the test is over.
        retry: RetryOverrides {
            initial_delay_sec: Some(1000.0),
            max_delay_sec: Some(1000.0),
            ..RetryOverrides::default()
        },
        ..once(title)
    };
    for (script, reason, message, state) in [
        (
            "echo bad >&2; exit 65",
            Reason::InvalidInput,
            "the command ended with 65: bad",
            State::DeadLettered,
        ),
        (
            "exit 75",
            Reason::Network,
            "the command ended with 75",
            State::Retrying,
        ),
        (
            "echo no >&2; exit 77",
            Reason::PermissionDenied,
            "the command ended with 77: no",
            State::DeadLettered,
        ),
        (
            "echo out; echo why >&2; exit 3",
            Reason::Crash,
            "the command ended with 3: why",
            State::Retrying,
        ),
        (
            "echo last words >&2; kill -9 $$",
            Reason::Crash,
            "the command was killed by SIGKILL: last words",
            State::Retrying,
        ),
    ] {
        let task = mill.run_once(new(script), script).await?;
        let attempt = task.attempts.first().context("an attempt")?;
        assert_eq!(attempt.reason, Some(reason), "{script}");
        assert_eq!(attempt.error.as_deref(), Some(message), "{script}");
        assert_eq!(task.status, state, "{script}");
    }
    let noisy = "yes 0123456789abcde | head -c 1000000 >&2; echo the end >&2; exit 1";
    let task = mill.run_once(once("noisy"), noisy).await?;
    let error = task.attempts[0].error.clone().context("an error")?;
    assert!(
        error.ends_with("the end") && error.len() < 10_000,
        "{error}"
    );
    Ok(())
}

/// What others have written cannot steer the terminal of who watches a runner.
#[tokio::test]
async fn no_escape_sequence_reaches_the_log() -> Result<()> {
    let mill = Mill::start().await?;
    mill.submit(once("\u{1b}[2Jtitle")).await?;
    let script = r"printf '\033[31mred\n' >&2; exit 1";
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", script];
    assert_eq!(mill.start_runner(&arguments)?.ended()?["failed"], 1);
    let log = std::fs::read_to_string(mill.path("log"))?;
    assert!(log.contains("title") && log.contains("red"), "{log}");
    assert!(!log.contains('\u{1b}'), "{log}");
    Ok(())
}

/// Kept in memory is at most what is kept of it, and the command is not held up.
#[tokio::test]
async fn a_command_that_prints_a_hundred_megabytes_costs_no_memory() -> Result<()> {
    let mill = Mill::start().await?;
    let script = format!("head -c 100000000 /dev/zero | tr '\\0' x; echo > printed; {WAIT}");
    let id = mill.submit(once("loud")).await?;
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", &script];
    let runner = mill.start_runner(&arguments)?;
    mill.line_of("printed")?;
    let status = std::fs::read_to_string(format!("/proc/{}/status", runner.pid()));
    if let Ok(status) = status {
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let most = most.context("a size")?.trim().trim_end_matches(" kB");
        println!("the runner had at most {most} kB");
        assert!(most.parse::<u64>()? < 64 * 1024, "{most} kB");
    }
    mill.open_gate()?;
    assert_eq!(runner.ended()?["completed"], 1);
    let output = mill.admin.output(id).await?;
    let text = output.as_str().context("a text")?.to_owned();
    assert!(text.len() < 1024 * 1024 + 100, "{}", text.len());
    assert!(
        text.ends_with("[98951424 bytes more were left out]"),
        "{}",
        &text[text.len() - 60..]
    );
    Ok(())
}

#[tokio::test]
async fn what_is_no_text_is_replaced() -> Result<()> {
    let mill = Mill::start().await?;
    let task = mill
        .run_once(once("bytes"), r"printf 'a\377\376b\000c'")
        .await?;
    assert_eq!(output(&task), "a\u{fffd}\u{fffd}b\u{fffd}c");
    let task = mill.run_once(once("null"), r#"printf '"\\u0000"'"#).await?;
    let attempt = task.attempts.first().context("an attempt")?;
    assert_eq!(
        attempt.reason,
        Some(Reason::InvalidOutput),
        "no database holds it"
    );
    Ok(())
}

/// A child that goes on holds the output open; neither it nor the runner stays.
#[tokio::test]
async fn children_that_a_command_leaves_behind_are_killed() -> Result<()> {
    let mill = Mill::start().await?;
    let script = "sleep 1000 & echo $! > child; (trap '' TERM; sleep 1001 & echo $! > other; wait) & \
                  until [ -s other ]; do sleep 0.02; done; echo done";
    let task = mill.run_once(once("parent"), script).await?;
    assert_eq!(
        (task.status, output(&task)),
        (State::Completed, json!("done"))
    );
    assert_gone(&[mill.process("child")?, mill.process("other")?]);
    Ok(())
}

#[tokio::test]
async fn a_result_file_says_all_that_there_is_to_say() -> Result<()> {
    let mill = Mill::start().await?;
    let result = json!({
        "output": {"answer": 42},
        "cost_usd": 0.5,
        "usage": {"models": {"gpt-5": {"input_tokens": 1000, "output_tokens": 10}}},
        "artifacts": ["s3://bucket/report"],
        "tasks": [{"title": "next", "type": "code"}, {"title": "after", "type": "code"}],
    });
    std::fs::write(mill.path("result"), result.to_string())?;
    let script = "echo noise; cat result > $WORKMILL_RESULT";
    let task = mill.run_once(once("all"), script).await?;
    assert_eq!(task.status, State::Completed, "{:?}", task.attempts);
    let left = task.output.clone().context("an output")?;
    assert_eq!(left.data, json!({"answer": 42}));
    assert_eq!(left.artifacts, [json!("s3://bucket/report")]);
    assert!((task.cost_usd - 0.5).abs() < 1e-9, "{}", task.cost_usd);
    assert_eq!(task.tokens_used.input, 1000);
    let graph = mill.admin.graph(task.dag_id).await?;
    let titles: Vec<_> = graph
        .tasks
        .iter()
        .map(|one| one.task.title.as_str())
        .collect();
    assert_eq!(titles, ["all", "next", "after"]);
    assert_eq!(graph.tasks[1].parent_id, Some(task.id));
    Ok(())
}

#[tokio::test]
async fn a_result_file_that_cannot_be_used_fails_the_attempt_but_costs_count_even_of_failures()
-> Result<()> {
    let mill = Mill::start().await?;
    let script = r#"echo '{"outptu": 1}' > $WORKMILL_RESULT"#;
    let task = mill.run_once(once("misspelt"), script).await?;
    let attempt = task.attempts.first().context("an attempt")?;
    assert_eq!(attempt.reason, Some(Reason::InvalidOutput));
    let error = attempt.error.clone().context("an error")?;
    assert!(error.contains("outptu"), "{error}");

    // Nobody writes to it: who opened it would wait for ever.
    let script = "rm $WORKMILL_PROGRESS; mkfifo $WORKMILL_RESULT $WORKMILL_PROGRESS";
    let task = mill.run_once(once("pipes"), script).await?;
    assert_eq!(task.attempts[0].reason, Some(Reason::InvalidOutput));

    let script = r#"echo '{"cost_usd": 0.25}' > $WORKMILL_RESULT; exit 1"#;
    let task = mill.run_once(once("dear"), script).await?;
    assert_eq!(task.attempts[0].reason, Some(Reason::Crash));
    assert!((task.cost_usd - 0.25).abs() < 1e-9, "{}", task.cost_usd);
    Ok(())
}
