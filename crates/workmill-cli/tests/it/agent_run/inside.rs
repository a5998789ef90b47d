//! The program called by a command that `agent run` has started: the command names neither task nor lease.

use anyhow::{Context, Result};
use jiff::{SignedDuration, Timestamp};
use nix::sys::signal::Signal;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::task::{NewTask, RetryOverrides};
use workmill_protocol::agents::RegisterAgent;
use workmill_protocol::claims::ClaimTasks;

use super::{Mill, WAIT, counted, once, output};

/// The program under test, as the script of a command calls it.
const WORKMILL: &str = env!("CARGO_BIN_EXE_workmill");

/// Runs a script for one task and returns what the runner counted.
async fn count(mill: &Mill, title: &str, script: &str) -> Result<serde_json::Value> {
    mill.submit(once(title)).await?;
    let script = format!("workmill() {{ {WORKMILL} \"$@\"; }}; {script}");
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", &script];
    mill.start_runner(&arguments)?.ended()
}

#[tokio::test]
async fn a_command_acts_on_its_own_task_without_naming_it() -> Result<()> {
    let mill = Mill::start().await?;
    let script = "workmill show | grep -q 'a look' && workmill heartbeat --progress 1 &&
        workmill show $WORKMILL_TASK_ID && workmill spawn --title next --type chore &&
        workmill heartbeat $WORKMILL_TASK_ID > /dev/null && echo all";
    let id = mill.submit(once("a look")).await?;
    let script = format!("workmill() {{ {WORKMILL} \"$@\"; }}; {script}");
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", &script];
    assert_eq!(
        mill.start_runner(&arguments)?.ended()?,
        counted("completed", 1)
    );
    let task = mill.admin.task(id).await?;
    let said = output(&task).as_str().context("a text")?.to_owned();
    assert!(said.ends_with("all"), "{said}");
    let graph = mill.admin.graph(task.dag_id).await?;
    let titles: Vec<_> = graph.tasks.iter().map(|one| &one.task.title).collect();
    assert_eq!(titles, ["a look", "next"]);
    Ok(())
}

/// The runner counts what became of a task that its command has ended itself.
#[tokio::test]
async fn a_task_that_its_command_ends_is_counted_as_it_ended() -> Result<()> {
    let mill = Mill::start().await?;
    for (script, how) in [
        ("workmill done --output 1", "completed"),
        ("workmill fail --reason invalid_input", "failed"),
        ("workmill block --question 'Which one?'", "blocked"),
        (
            "workmill spawn --wait --title below --cap nobody",
            "waiting",
        ),
    ] {
        let script = format!("{script} > /dev/null && exit 0; exit 9");
        let counts = count(&mill, how, &script).await?;
        assert_eq!(counts, counted(how, 1), "{script}");
    }
    Ok(())
}

/// The token of a lease shows its task and no other, and that only while the lease is held.
#[tokio::test]
async fn a_command_sees_its_own_task_and_no_other() -> Result<()> {
    let mill = Mill::start().await?;
    let other = mill.submit(once("other")).await?;
    mill.admin.cancel(other).await?;
    let script = format!(
        "workmill show {other} 2> refused; echo $? > code; env > here; mv here variables; {WAIT}"
    );
    let script = format!("workmill() {{ {WORKMILL} \"$@\"; }}; {script}");
    let id = mill.submit(once("own")).await?;
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", &script];
    let runner = mill.start_runner(&arguments)?;
    assert_eq!(mill.line_of("code")?, "4");
    crate::support::wait_until("variables", || mill.path("variables").exists())?;
    let variables = std::fs::read_to_string(mill.path("variables"))?;
    let token = variables
        .lines()
        .find_map(|line| line.strip_prefix("WORKMILL_TOKEN="));
    let client = workmill_sdk::Client::new(&mill.url, token.context("a token")?)?;
    assert_eq!(client.task(id).await?.status, State::Running);
    mill.open_gate()?;
    assert_eq!(runner.ended()?, counted("completed", 1));
    assert!(client.task(id).await.is_err(), "the lease is over");
    Ok(())
}

#[tokio::test]
async fn an_attempt_that_costs_too_much_is_counted_as_over_budget() -> Result<()> {
    let mill = Mill::start().await?;
    let mut new = once("dear");
    new.spec.constraints.max_cost_usd = Some(Micros(1_000_000));
    let id = mill.submit(new).await?;
    let script = r#"echo complaint >&2; echo '{"cost_usd": 2}' >> $WORKMILL_PROGRESS
        exec sleep 1000"#;
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", script];
    assert_eq!(
        mill.start_runner(&arguments)?.ended()?,
        counted("over_budget", 1)
    );
    let task = mill.admin.task(id).await?;
    let [attempt] = &task.attempts[..] else {
        anyhow::bail!("one attempt: {task:?}");
    };
    assert_eq!(attempt.reason, Some(Reason::BudgetExceeded));
    assert_eq!(attempt.error.as_deref(), Some("it cost more than it may"));
    assert_eq!(attempt.details, Some(json!({"stderr": "complaint"})));
    assert!(attempt.late.is_none(), "one outcome: {attempt:?}");
    mill.wait_for_log(r#""stderr":"complaint""#)?;
    mill.wait_for_log("over budget")
}

/// The runner stands still until another agent has the task.
#[tokio::test]
async fn the_standard_error_of_a_command_that_lost_its_lease_is_kept() -> Result<()> {
    let mill = Mill::start().await?;
    let new = NewTask {
        lease_sec: Some(1.0),
        max_attempts: Some(3),
        retry: RetryOverrides {
            initial_delay_sec: Some(0.0),
            max_delay_sec: Some(0.0),
            ..RetryOverrides::default()
        },
        ..once("lost")
    };
    let id = mill.submit(new).await?;
    let script = "echo complaint >&2; echo $$ > leader; exec sleep 1000";
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", script];
    let runner = mill.start_runner(&arguments)?;
    mill.process("leader")?;
    runner.signal(Signal::SIGSTOP)?;
    mill.admin.register(&RegisterAgent::new("other")).await?;
    let request = ClaimTasks {
        wait_ms: 45_000,
        lease_sec: Some(600),
        start: true,
        ..ClaimTasks::new("other")
    };
    let claims = mill.admin.claim(&request).await?;
    assert_eq!(claims.len(), 1, "the lease has expired");
    runner.signal(Signal::SIGCONT)?;
    assert_eq!(runner.ended()?, counted("lost", 1));
    mill.wait_for_log(r#""stderr":"complaint""#)?;
    let task = mill.admin.task(id).await?;
    assert_eq!(task.status, State::Running, "the other agent works on it");
    let late = task.attempts[0].late.as_ref().context("a late report")?;
    let said = late.message.clone().context("a message")?;
    assert_eq!(said, "the command was stopped: complaint");
    Ok(())
}

#[tokio::test]
async fn a_result_that_the_server_refuses_keeps_standard_error_and_names_the_reason() -> Result<()>
{
    let mill = Mill::start().await?;
    let id = mill.submit(once("refused")).await?;
    let script = r#"echo complaint >&2; printf '"\u0000"'"#;
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", script];
    assert_eq!(
        mill.start_runner(&arguments)?.ended()?,
        counted("failed", 1)
    );
    let task = mill.admin.task(id).await?;
    let attempt = task.attempts.first().context("an attempt")?;
    assert_eq!(attempt.reason, Some(Reason::InvalidOutput));
    assert_eq!(attempt.details, Some(json!({"stderr": "complaint"})));
    mill.wait_for_log("the result was refused")?;
    mill.wait_for_log("U+0000")
}

/// Heartbeats are rare, and the deadline passes long before the next one.
#[tokio::test]
async fn a_command_is_stopped_at_the_deadline_of_its_task_and_its_last_words_are_kept() -> Result<()>
{
    let mill = Mill::start().await?;
    let mut new = once("too late");
    new.heartbeat_interval_sec = Some(30.0);
    new.lease_sec = Some(90.0);
    new.deadline = Some(Timestamp::now() + SignedDuration::from_secs(3));
    let id = mill.submit(new).await?;
    let script = "echo halfway >&2; exec sleep 1000";
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", script];
    let began = std::time::Instant::now();
    assert_eq!(
        mill.start_runner(&arguments)?.ended()?,
        counted("timed_out", 1)
    );
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
    let task = mill.admin.task(id).await?;
    assert_eq!(task.attempts[0].reason, Some(Reason::DeadlineExceeded));
    assert_eq!(task.attempts[0].details, Some(json!({"stderr": "halfway"})));
    mill.wait_for_log(r#""stderr":"halfway""#)
}

/// Heartbeats are rare, and the time is up long before the next one.
#[tokio::test]
async fn a_command_is_stopped_when_its_time_is_up_and_says_its_last_words() -> Result<()> {
    let mill = Mill::start().await?;
    let mut new = once("slow");
    new.heartbeat_interval_sec = Some(30.0);
    new.lease_sec = Some(90.0);
    new.spec.constraints.max_duration_sec = Some(1.0);
    let id = mill.submit(new).await?;
    let script = "echo halfway >&2; exec sleep 1000";
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", script];
    let began = std::time::Instant::now();
    assert_eq!(
        mill.start_runner(&arguments)?.ended()?,
        counted("timed_out", 1)
    );
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
    let task = mill.admin.task(id).await?;
    assert_eq!(task.attempts[0].reason, Some(Reason::Timeout));
    mill.wait_for_log("the command was stopped after 1 s, the longest that this attempt may run (`max_duration_sec`): halfway")
}

#[tokio::test]
async fn what_a_command_says_on_standard_error_is_in_the_log_when_it_succeeds() -> Result<()> {
    let mill = Mill::start().await?;
    let counts = count(&mill, "chatty", "echo by the way >&2; echo done").await?;
    assert_eq!(counts, counted("completed", 1));
    mill.wait_for_log(r#""stderr":"by the way""#)?;
    mill.wait_for_log("completed")
}

/// The failure is not the exit code of the command, so its message does not quote the standard error.
#[tokio::test]
async fn the_standard_error_of_a_command_whose_result_is_unusable_is_kept_and_shown() -> Result<()>
{
    let mill = Mill::start().await?;
    let script = "echo 'cannot find the index' >&2; echo nonsense > $WORKMILL_RESULT";
    let id = mill.submit(once("odd")).await?;
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", script];
    assert_eq!(
        mill.start_runner(&arguments)?.ended()?,
        counted("failed", 1)
    );
    let attempt = &mill.admin.task(id).await?.attempts[0];
    assert_eq!(attempt.reason, Some(Reason::InvalidOutput));
    let stderr = serde_json::json!({"stderr": "cannot find the index"});
    assert_eq!(attempt.details, Some(stderr));
    mill.wait_for_log(r#""stderr":"cannot find the index""#)?;
    for words in [&["show"][..], &["dead-letter", "show"]] {
        let mut command = mill.home.command(words);
        command.arg(id.to_string()).env("WORKMILL_URL", &mill.url);
        let printed = command.env("WORKMILL_TOKEN", &mill.admin_key).output()?;
        let printed = String::from_utf8_lossy(&printed.stdout).into_owned();
        assert!(
            printed.contains("stderr: cannot find the index"),
            "{printed}"
        );
    }
    Ok(())
}

/// The name that a planner gave to the task, its id, and no name at all mean the same task.
#[tokio::test]
async fn commands_of_a_plan_work_inside_with_the_id_and_with_the_planners_key() -> Result<()> {
    let mill = Mill::start().await?;
    let keyed = |key: &str| workmill_core::task::NewTask {
        key: Some(key.to_owned()),
        ..once(key)
    };
    for (key, script) in [
        (
            "p1",
            "workmill task renew $WORKMILL_TASK_ID && workmill task done $WORKMILL_TASK_ID",
        ),
        ("p3", "workmill prime | grep -q p3 && workmill done p3"),
        ("p4", "workmill task fail p4 --reason enough"),
        // Last, since the runner would claim what this one spawns.
        (
            "p2",
            "workmill show p2 | grep -q title && workmill heartbeat p2 &&
             workmill spawn p2 --title next --type chore &&
             workmill task renew p2 && workmill task done p2",
        ),
    ] {
        let id = mill.submit(keyed(key)).await?;
        let script = format!("workmill() {{ {WORKMILL} \"$@\"; }}; {script}");
        let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", &script];
        mill.start_runner(&arguments)?.ended()?;
        let task = mill.admin.task(id).await?;
        let expected = if key == "p4" {
            State::DeadLettered
        } else {
            State::Completed
        };
        let log = std::fs::read_to_string(mill.path("log"))?;
        assert_eq!(task.status, expected, "{key}: {log}");
    }
    Ok(())
}
