//! Commands that do not end by themselves, and runners that are told to stop.

use std::fs::File;
use std::process::Stdio;

use anyhow::Result;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::signal::unix::{SignalKind, signal};
use workmill_core::agent::AgentStatus;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_protocol::agents::ChangeAgent;

use super::{Mill, Runner, WAIT, assert_gone, counted, once};
use crate::support::{assert_exit, is_alive, stderr, wait_until};

const A_TERABYTE: u64 = 1 << 40;

#[tokio::test]
async fn a_cancelled_task_has_its_command_told_to_end() -> Result<()> {
    let mill = Mill::start().await?;
    let id = mill.submit(once("hangs")).await?;
    let script = "trap 'echo told > told; exit 0' TERM; echo complaint >&2; echo $$ > leader
        while :; do sleep 0.02; done";
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", script];
    let runner = mill.start_runner(&arguments)?;
    let leader = mill.process("leader")?;
    mill.admin.cancel(id).await?;
    assert_eq!(runner.ended()?["cancelled"], 1);
    assert_eq!(mill.line_of("told")?, "told", "it may tidy up");
    mill.wait_for_log(r#""stderr":"complaint"#)?;
    let task = mill.admin.task(id).await?;
    assert_eq!(task.status, State::Cancelled);
    assert!(task.output.is_none(), "half of the work is no result");
    assert_gone(&[leader]);
    Ok(())
}

/// A hole is read as if somebody had written it all, only faster than anybody could.
#[tokio::test]
async fn a_command_that_writes_more_progress_than_can_be_read_is_ended_all_the_same() -> Result<()>
{
    let mill = Mill::start().await?;
    let id = mill.submit(once("floods")).await?;
    let script = "echo $WORKMILL_PROGRESS > progress; echo $$ > leader; exec sleep 1000";
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", script];
    let runner = mill.start_runner(&arguments)?;
    let leader = mill.process("leader")?;
    let progress = File::options()
        .append(true)
        .open(mill.line_of("progress")?)?;
    progress.set_len(A_TERABYTE)?;
    mill.wait_for_log("a line of progress is no JSON object")?;
    mill.admin.cancel(id).await?;
    crate::support::wait_until("the command has ended", || !is_alive(leader))?;
    assert_eq!(runner.ended()?["cancelled"], 1);
    Ok(())
}

#[tokio::test]
async fn of_more_progress_than_can_be_read_the_end_counts() -> Result<()> {
    let mill = Mill::start().await?;
    let script = format!(
        "echo $WORKMILL_PROGRESS > progress; {WAIT}
        echo >> $WORKMILL_PROGRESS; echo '{{\"cost_usd\": 0.5}}' >> $WORKMILL_PROGRESS"
    );
    let id = mill.submit(once("floods")).await?;
    let runner = mill.start_runner(&["--json", "--max-tasks", "1", "--", "sh", "-c", &script])?;
    let progress = File::options()
        .append(true)
        .open(mill.line_of("progress")?)?;
    progress.set_len(A_TERABYTE)?;
    mill.open_gate()?;
    assert_eq!(runner.ended()?["completed"], 1);
    let cost = serde_json::to_value(mill.admin.task(id).await?)?["cost_usd"].take();
    assert_eq!(cost, 0.5);
    Ok(())
}

/// The shell ends at once, what it has started needs a moment.
#[tokio::test]
async fn the_grace_is_for_all_of_the_group() -> Result<()> {
    let mill = Mill::start().await?;
    let id = mill.submit(once("tidy")).await?;
    let child = "trap 'until [ -e gate ]; do sleep 0.02; done; echo tidy > tidied; exit' TERM
        echo $$ > child; while :; do sleep 0.02; done";
    std::fs::write(mill.path("child.sh"), child)?;
    let script = "sh child.sh & echo $$ > leader; wait";
    let arguments = [
        "--json",
        "--max-tasks",
        "1",
        "--grace",
        "60",
        "--",
        "sh",
        "-c",
        script,
    ];
    let runner = mill.start_runner(&arguments)?;
    let (leader, child) = (mill.process("leader")?, mill.process("child")?);
    mill.admin.cancel(id).await?;
    crate::support::wait_until("the shell has ended", || !is_alive(leader))?;
    mill.open_gate()?;
    assert_eq!(runner.ended()?["cancelled"], 1);
    assert_eq!(mill.line_of("tidied")?, "tidy");
    assert_gone(&[child]);
    Ok(())
}

#[tokio::test]
async fn a_command_that_hangs_is_ended_when_its_time_is_over() -> Result<()> {
    let mill = Mill::start().await?;
    let mut new = once("hangs");
    new.spec.constraints.max_duration_sec = Some(0.5);
    let id = mill.submit(new).await?;
    let script = "echo $$ > leader; exec sleep 1000";
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", script];
    let runner = mill.start_runner(&arguments)?;
    let leader = mill.process("leader")?;
    assert_eq!(runner.ended()?["timed_out"], 1);
    let task = mill.admin.task(id).await?;
    assert_eq!(task.status, State::DeadLettered);
    assert_eq!(task.attempts[0].reason, Some(Reason::Timeout));
    assert_gone(&[leader]);
    Ok(())
}

#[tokio::test]
async fn who_does_not_listen_is_killed_with_all_children_after_the_grace() -> Result<()> {
    let mill = Mill::start().await?;
    let id = mill.submit(once("stubborn")).await?;
    let script = "trap '' TERM; sleep 1000 & echo $! > child; echo $$ > leader
        while :; do sleep 1000; done";
    let arguments = [
        "--json",
        "--max-tasks",
        "1",
        "--grace",
        "1",
        "--",
        "sh",
        "-c",
        script,
    ];
    let runner = mill.start_runner(&arguments)?;
    let processes = [mill.process("leader")?, mill.process("child")?];
    mill.admin.cancel(id).await?;
    assert_eq!(runner.ended()?["cancelled"], 1);
    assert_eq!(mill.admin.task(id).await?.status, State::Cancelled);
    assert_gone(&processes);
    Ok(())
}

#[tokio::test]
async fn told_to_stop_a_runner_finishes_what_runs_and_claims_nothing_new() -> Result<()> {
    let mill = Mill::start().await?;
    let running = mill.submit(once("runs")).await?;
    let script = format!("echo $$ > leader; {WAIT} echo finished");
    let arguments = ["--json", "--slots", "2", "--", "sh", "-c", &script];
    let runner = mill.start_runner(&arguments)?;
    mill.process("leader")?;
    // A claim waits for the second slot.
    runner.signal(Signal::SIGTERM)?;
    mill.wait_for_log("finishing the running tasks")?;
    let waiting = mill.submit(once("waits")).await?;
    mill.open_gate()?;
    let tally = runner.ended()?;
    assert_eq!(
        (&tally["completed"], &tally["released"]),
        (&1.into(), &0.into())
    );
    assert_eq!(mill.admin.task(running).await?.status, State::Completed);
    // What the claim under way was given comes back at once.
    let waiting = mill.task_in(waiting, State::Ready).await?;
    assert_eq!(waiting.attempts_counted, 0);
    Ok(())
}

#[tokio::test]
async fn the_agent_of_a_runner_that_has_ended_is_offline_at_once() -> Result<()> {
    let mill = Mill::start().await?;
    let output = mill
        .command(&["--agent", "ended", "--once", "--", "true"])
        .output()?;
    assert_exit(&output, 2);
    let status = async || anyhow::Ok(mill.admin.agent("ended").await?.status);
    assert_eq!(status().await?, AgentStatus::Offline);

    let id = mill.submit(once("work")).await?;
    let script = format!("{WAIT} true");
    let runner = mill.start_runner(&["--json", "--agent", "ended", "--", "sh", "-c", &script])?;
    mill.task_in(id, State::Running).await?;
    assert_eq!(status().await?, AgentStatus::Active);
    mill.open_gate()?;
    mill.task_in(id, State::Completed).await?;
    runner.stopped(&[Signal::SIGTERM])?;
    assert_eq!(status().await?, AgentStatus::Offline);
    Ok(())
}

#[tokio::test]
async fn told_twice_it_gives_back_what_runs() -> Result<()> {
    let mill = Mill::start().await?;
    let id = mill.submit(once("hangs")).await?;
    let script = "sleep 1000 & echo $! > child; echo $$ > leader; wait";
    let runner = mill.start_runner(&["--json", "--", "sh", "-c", script])?;
    let processes = [mill.process("leader")?, mill.process("child")?];
    runner.signal(Signal::SIGINT)?;
    mill.wait_for_log("finishing the running tasks")?;
    runner.signal(Signal::SIGTERM)?;
    assert_eq!(runner.ended()?["released"], 1);
    let task = mill.admin.task(id).await?;
    assert_eq!((task.status, task.attempts_counted), (State::Ready, 0));
    assert_gone(&processes);
    Ok(())
}

/// The terminal is gone, and with it whoever would read what the runner says.
#[tokio::test]
async fn hung_up_it_gives_back_what_runs_at_once() -> Result<()> {
    let mill = Mill::start().await?;
    // Whoever runs the tests may ignore these, and so would the runner. What is handled here is not
    // ignored there.
    let _handled = [signal(SignalKind::hangup())?, signal(SignalKind::quit())?];
    for (number, signal) in [Signal::SIGHUP, Signal::SIGQUIT].into_iter().enumerate() {
        let id = mill.submit(once("hangs")).await?;
        let script =
            format!("sleep 1000 & echo $! > child{number}; echo $$ > leader{number}; wait");
        let mut command = mill.command(&["--", "sh", "-c", &script]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut runner = command.spawn()?;
        let processes = [
            mill.process(&format!("leader{number}"))?,
            mill.process(&format!("child{number}"))?,
        ];
        drop((runner.stdout.take(), runner.stderr.take()));
        kill(Pid::from_raw(runner.id().cast_signed()), signal)?;
        wait_until("the runner has ended", || {
            runner.try_wait().is_ok_and(|ended| ended.is_some())
        })?;
        let task = mill.admin.task(id).await?;
        assert_eq!((task.status, task.attempts_counted), (State::Ready, 0));
        assert_gone(&processes);
        mill.admin.cancel(id).await?;
    }
    Ok(())
}

#[tokio::test]
async fn started_to_outlive_its_terminal_it_works_on() -> Result<()> {
    let mill = Mill::start().await?;
    let id = mill.submit(once("goes on")).await?;
    let script = format!("echo $$ > leader; {WAIT} echo done");
    let mut command = mill.home.program("nohup");
    command
        .arg(env!("CARGO_BIN_EXE_workmill"))
        .args(["agent", "run", "--once", "--json", "--", "sh", "-c"])
        .arg(script)
        .env("WORKMILL_URL", &mill.url)
        .env("WORKMILL_TOKEN", &mill.key)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let runner = Runner(Some(command.spawn()?));
    mill.process("leader")?;
    runner.signal(Signal::SIGHUP)?;
    mill.open_gate()?;
    assert_eq!(runner.ended()?["completed"], 1);
    assert_eq!(mill.admin.task(id).await?.status, State::Completed);
    Ok(())
}

/// Drained before the runner comes, and while it waits.
#[tokio::test]
async fn a_runner_whose_agent_is_drained_says_why_it_gets_no_work() -> Result<()> {
    let mill = Mill::start().await?;
    let change = |status| ChangeAgent {
        status: Some(status),
        ..ChangeAgent::default()
    };
    let name = ["--agent", "fixed"];
    let runner = mill.start_runner(&[&["--json"], &name[..], &["--", "true"]].concat())?;
    mill.wait_for_log("waiting for work")?;
    wait_for_agent(&mill, "fixed").await?;
    let drained = change(AgentStatus::Draining);
    mill.admin.change_agent("fixed", &drained).await?;
    mill.wait_for_log("the agent is draining")?;
    assert_eq!(runner.stopped(&[Signal::SIGTERM])?, counted("", 0));

    let runner = mill.start_runner(&[&["--json"], &name[..], &["--", "true"]].concat())?;
    mill.wait_for_log("the agent is draining")?;
    assert_eq!(runner.stopped(&[Signal::SIGTERM])?, counted("", 0));
    let log = std::fs::read_to_string(mill.path("log"))?;
    assert_eq!(log.matches("draining").count(), 1, "{log}");

    let once = [&["--once"], &name[..], &["--", "true"]].concat();
    let once = mill.command(&once).output()?;
    assert_exit(&once, 2);
    let said = stderr(&once);
    assert!(said.contains("the agent is draining"), "{said}");
    Ok(())
}

async fn wait_for_agent(mill: &Mill, name: &str) -> Result<()> {
    while mill.admin.agent(name).await.is_err() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    Ok(())
}
