//! The demo, and the promise it shows: what was acknowledged survives anything.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::support::{Home, Running, data, is_alive, wait_until};

/// F-1
#[test]
fn kill_nine_in_the_middle_of_the_demo_loses_nothing_and_completes_nothing_twice() -> Result<()> {
    let home = Home::new()?;
    let mut first = Running::start(home.command(&["up", "--demo", "--once"]))?;
    let acknowledged = wait_for_completed(&mut first, 3)?;
    kill_everything(&home, &first)?;
    drop(first);

    let mut second = Running::start(home.command(&["up", "--demo", "--once"]))?;
    let said = std::io::read_to_string(&mut second.stdout)?;
    ensure!(second.child.wait()?.code() == Some(0), "{said}");
    ensure!(said.contains("interrupted earlier is complete"), "{said}");
    let id = said
        .split_whitespace()
        .find(|word| word.starts_with("dag_"));

    let third = Running::start(home.command(&["up"]))?;
    let shown = home.run(&[
        "--json",
        "--url",
        &third.url,
        "show",
        id.context("a graph")?,
    ])?;
    let graph = data(&shown)?;
    assert_eq!(graph["status"], "completed", "{graph:#}");
    let tasks = graph["tasks"].as_array().context("tasks")?;
    assert_eq!(tasks.len(), 10);
    for task in tasks {
        assert_eq!(ended(task, "completed"), 1, "{task:#}");
        let name = task["task"]["name"].as_str().unwrap_or_default();
        if acknowledged.contains(name) {
            assert_eq!(
                task["attempts"].as_array().map(Vec::len),
                Some(1),
                "{task:#}"
            );
        }
    }
    assert_eq!(third.stop(Signal::SIGTERM)?.0, Some(0));
    Ok(())
}

fn ended(task: &Value, outcome: &str) -> usize {
    let attempts = task["attempts"].as_array();
    attempts
        .into_iter()
        .flatten()
        .filter(|attempt| attempt["outcome"] == outcome)
        .count()
}

/// Names of the tasks that the demo has shown as completed.
fn wait_for_completed(up: &mut Running, how_many: usize) -> Result<BTreeSet<String>> {
    let mut completed = BTreeSet::new();
    while completed.len() < how_many {
        let line = up.line()?;
        ensure!(!line.is_empty(), "it ended early");
        if let [_, name, "completed", ..] = line.split_whitespace().collect::<Vec<_>>()[..] {
            completed.insert(name.to_owned());
        }
    }
    Ok(completed)
}

/// The program, the database's server and everything that the server has started.
fn kill_everything(home: &Home, up: &Running) -> Result<()> {
    let postmaster = home.postmaster().context("it runs")?;
    kill(up.pid(), Signal::SIGKILL)?;
    let children = children_of(postmaster)?;
    for pid in [&[postmaster], &children[..]].concat() {
        // A child may have noticed and ended in the meantime.
        let _ = kill(pid, Signal::SIGKILL);
    }
    wait_until("all are gone", || {
        !children.iter().any(|pid| is_alive(*pid))
    })
}

fn children_of(parent: Pid) -> Result<Vec<Pid>> {
    let output = std::process::Command::new("ps")
        .args(["-A", "-o", "pid=,ppid="])
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let pairs = text
        .lines()
        .filter_map(|line| line.trim().split_once(char::is_whitespace));
    let children = pairs.filter(|(_, ppid)| ppid.trim() == parent.to_string());
    Ok(children
        .filter_map(|(pid, _)| pid.parse().ok())
        .map(Pid::from_raw)
        .collect())
}
