//! The server goes away in the middle of a task and comes back: nothing is lost.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::json;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_testkit::setting;

use super::{Mill, WAIT, once, output};

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
    assert_eq!(
        tally,
        json!({"completed": 2, "failed": 0, "released": 0, "lost": 0})
    );
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
