//! The server goes away in the middle of a task and comes back: nothing is lost.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use nix::sys::signal::Signal;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_testkit::setting;

use super::{Mill, WAIT, counted, once, output};

/// The lease runs out in the meantime, one command ends while nobody is there to hear it, the other
/// one afterwards. `WORKMILL_AGENT_OUTAGE_SECONDS=180` is the long form.
#[tokio::test]
async fn a_server_that_is_away_for_a_while_costs_nothing_but_time() -> Result<()> {
    let seconds = u64::from(setting("WORKMILL_AGENT_OUTAGE_SECONDS", 4));
    let mut mill = Mill::start().await?;
    let new = |title: &str| NewTask {
        lease_sec: Some(2.0),
        max_attempts: Some(3),
        ..once(title)
    };
    let early = mill.submit(new("early")).await?;
    let late = mill.submit(new("late")).await?;
    // Each says that it runs, and is told for itself when to end.
    let script = format!(
        "echo $WORKMILL_TASK_ID >> started; grep -q '\"title\":\"early\"' && gate=early || gate=late
        {} echo \"$gate $WORKMILL_LEASE\" >> ended; echo $gate",
        WAIT.replace("gate ]", "$gate ]")
    );
    let arguments = [
        "--json",
        "--slots",
        "2",
        "--max-tasks",
        "2",
        "--",
        "sh",
        "-c",
        &script,
    ];
    let runner = mill.start_runner(&arguments)?;
    let lines = |name: &str| std::fs::read_to_string(mill.path(name)).unwrap_or_default();
    crate::support::wait_until("both run", || lines("started").lines().count() == 2)?;

    mill.take_away()?;
    let began = Instant::now();
    std::fs::write(mill.path("early"), "")?;
    mill.line_of("ended")?;
    let left = Duration::from_secs(seconds).saturating_sub(began.elapsed());
    tokio::time::sleep(left).await;
    mill.bring_back()?;
    let done = mill.task_in(early, State::Completed).await?;
    assert_eq!(output(&done), "early");
    std::fs::write(mill.path("late"), "")?;
    let tally = runner.ended()?;
    assert_eq!(tally, counted("completed", 2));
    assert_eq!(output(&mill.admin.task(late).await?), "late");

    let started = std::fs::read_to_string(mill.path("started"))?;
    assert_eq!(
        started.lines().count(),
        2,
        "nothing was done twice: {started}"
    );
    let ended = std::fs::read_to_string(mill.path("ended"))?;
    let lease = ended.split_whitespace().nth(1).context("a lease")?;
    assert!(lease.ends_with("_1"), "the first claim: {lease}");
    println!("away for {:?}", began.elapsed());
    Ok(())
}

/// The server is away when the time is up: the command is stopped all the same, and the server hears why.
#[tokio::test]
async fn the_time_of_a_command_is_up_while_the_server_is_away() -> Result<()> {
    let mut mill = Mill::start().await?;
    let mut new = NewTask {
        lease_sec: Some(60.0),
        ..once("hangs")
    };
    new.spec.constraints.max_duration_sec = Some(2.0);
    let id = mill.submit(new).await?;
    let script = "echo $$ > leader; echo so far >&2; exec sleep 1000";
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", script];
    let runner = mill.start_runner(&arguments)?;
    let leader = mill.process("leader")?;
    mill.take_away()?;
    crate::support::wait_until("the command has ended", || {
        !crate::support::is_alive(leader)
    })?;
    mill.bring_back()?;
    assert_eq!(runner.ended()?, counted("timed_out", 1));
    let task = mill.task_in(id, State::DeadLettered).await?;
    assert_eq!(task.attempts[0].reason, Some(Reason::Timeout));
    Ok(())
}

/// The lease has not expired when the runner has to end.
#[tokio::test]
async fn an_end_that_the_server_could_not_be_told_is_not_called_a_lost_lease() -> Result<()> {
    let mut mill = Mill::start().await?;
    let new = NewTask {
        lease_sec: Some(600.0),
        ..once("finished")
    };
    mill.submit(new).await?;
    let script = format!("echo $$ > leader; {WAIT} echo done");
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", &script];
    let runner = mill.start_runner(&arguments)?;
    let leader = mill.process("leader")?;
    mill.take_away()?;
    mill.open_gate()?;
    crate::support::wait_until("the command has ended", || {
        !crate::support::is_alive(leader)
    })?;
    runner.signal(Signal::SIGTERM)?;
    mill.wait_for_log("finishing the running tasks")?;
    runner.signal(Signal::SIGTERM)?;
    assert_eq!(runner.ended()?, counted("unreported", 1));
    mill.wait_for_log("not reported: the server was away")
}
