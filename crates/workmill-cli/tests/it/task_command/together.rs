//! Many processes that work through one plan, and are killed now and then.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;
use workmill_testkit::chance::Chance;

use super::{Plan, line};
use crate::support::{assert_exit, data, stderr};

/// A task that an agent was given, and what came of saying that it is done. What a call does
/// happens between its begin and its end.
struct Held {
    id: String,
    claim_began: Instant,
    claim_ended: Instant,
    done_began: Instant,
    done_ended: Instant,
    told: Told,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Done,
    /// Of two calls the first was killed, and the second refused: the first has done it, or the lease
    /// was lost.
    Unknown,
    LeaseLost,
}

/// T-1 T-3 T-12: processes claim and end tasks in loops, and some are killed in the middle; each task
/// is done once, after what it depends on.
#[test]
fn many_processes_do_each_task_once_and_in_order() -> Result<()> {
    let tasks: usize = match std::env::var("WORKMILL_TASK_LOOP") {
        Ok(tasks) => tasks.parse()?,
        Err(_) => 120,
    };
    let plan = Plan::start()?;
    let mut chance = Chance(7);
    let mut list = String::new();
    let mut dependencies: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for place in 0..tasks {
        let many = if place == 0 { 0 } else { chance.below(3) };
        let deps: BTreeSet<String> = (0..many)
            .map(|_| format!("t{}", chance.place(place)))
            .collect();
        let names: Vec<&str> = deps.iter().map(String::as_str).collect();
        let id = format!("t{place}");
        list.push_str(&line(&id, &names));
        dependencies.insert(id, deps);
    }
    assert_exit(&plan.sync(&list, &[])?, 0);
    let kills = AtomicUsize::new(0);
    let mut held: Vec<Held> = Vec::new();
    std::thread::scope(|scope| {
        let agents: Vec<_> = (0..16)
            .map(|number| {
                let (plan, kills) = (&plan, &kills);
                scope.spawn(move || work(plan, kills, number))
            })
            .collect();
        agents.into_iter().try_for_each(|agent| {
            let ended = agent.join();
            held.extend(ended.map_err(|_| anyhow::anyhow!("an agent panicked"))??);
            anyhow::Ok(())
        })
    })?;
    assert_exit(&plan.task(&["claim", "--agent", "last"])?, 2);
    let listed = plan.json(&["list", "--status", "done"])?;
    ensure!(
        listed["tasks"].as_array().map(Vec::len) == Some(tasks),
        "{tasks} are done"
    );
    check_once_and_in_order(&held, &dependencies)?;
    println!(
        "{tasks} tasks, {} killed, {} completions while another one was under way",
        kills.into_inner(),
        overlapping_completions(&held)?
    );
    Ok(())
}

/// Complains only where no order of what the calls have done would be right.
fn check_once_and_in_order(
    held: &[Held],
    dependencies: &BTreeMap<String, BTreeSet<String>>,
) -> Result<()> {
    let mut done: BTreeMap<&str, &Held> = BTreeMap::new();
    for holder in held.iter().filter(|holder| holder.told == Told::Done) {
        let other = done.insert(&holder.id, holder);
        ensure!(other.is_none(), "{} was done twice", holder.id);
    }
    // Before this moment nobody has asked for it to be done.
    let mut not_done_before: BTreeMap<&str, Instant> = BTreeMap::new();
    for holder in held.iter().filter(|holder| holder.told == Told::Unknown) {
        let moment = not_done_before.entry(&holder.id);
        let moment = moment.or_insert(holder.done_began);
        *moment = holder.done_began.min(*moment);
    }
    // Who was told so has done it, and not who was killed.
    for (id, holder) in &done {
        not_done_before.insert(id, holder.done_began);
    }
    for id in dependencies.keys() {
        ensure!(
            not_done_before.contains_key(id.as_str()),
            "nobody has done {id}"
        );
    }
    for Held {
        id,
        claim_began,
        claim_ended,
        ..
    } in held
    {
        for on in &dependencies[id] {
            ensure!(
                not_done_before[on.as_str()] <= *claim_ended,
                "{id} was claimed before {on} was done"
            );
        }
        let holder = done.get(id.as_str());
        let was_over = holder.is_some_and(|holder| holder.done_ended < *claim_began);
        ensure!(!was_over, "{id} was claimed after it was done");
    }
    Ok(())
}

/// How many began while another one had not ended. That some do is what the test is for.
fn overlapping_completions(held: &[Held]) -> Result<usize> {
    let mut calls: Vec<(Instant, Instant)> = held
        .iter()
        .map(|holder| (holder.done_began, holder.done_ended))
        .collect();
    calls.sort_unstable();
    let mut overlapping = 0;
    let mut last_end: Option<Instant> = None;
    for (began, ended) in calls {
        overlapping += usize::from(last_end.is_some_and(|last| began < last));
        last_end = last_end.max(Some(ended));
    }
    ensure!(overlapping > 0, "one completion came after the other");
    Ok(overlapping)
}

/// Claims and ends tasks until there is none left, dying now and then.
fn work(plan: &Plan, kills: &AtomicUsize, number: u64) -> Result<Vec<Held>> {
    let mut chance = Chance(number);
    let agent = format!("agent-{number}");
    let began = Instant::now();
    let mut held = Vec::new();
    loop {
        ensure!(
            began.elapsed() < Duration::from_mins(20),
            "it takes too long"
        );
        let claim_began = Instant::now();
        let claim = ["claim", "--agent", &agent, "--lease-sec", "3", "--json"];
        let claimed = die_or_run(plan, &claim, &mut chance, kills)?;
        let claim_ended = Instant::now();
        let Some(output) = claimed else { continue };
        if output.status.code() == Some(2) {
            // What others hold may come back.
            let open = plan.json(&["list", "--status", "open"])?;
            let active = plan.json(&["list", "--status", "active"])?;
            if [open, active].iter().all(|list| list["tasks"] == json!([])) {
                return Ok(held);
            }
            continue;
        }
        ensure!(output.status.success(), "{}", stderr(&output));
        let row = data(&output)?;
        let id = row["id"].as_str().context("an id")?.to_owned();
        let end = ["done", &id, "--agent", &agent];
        let done_began = Instant::now();
        let first = die_or_run(plan, &end, &mut chance, kills)?;
        let was_killed = first.is_none();
        let ended = match first {
            Some(output) => output,
            None => plan.task(&end)?,
        };
        let done_ended = Instant::now();
        let told = match ended.status.code() {
            Some(0) => Told::Done,
            Some(5) if was_killed => Told::Unknown,
            Some(5) => Told::LeaseLost,
            _ => anyhow::bail!(stderr(&ended)),
        };
        held.push(Held {
            id,
            claim_began,
            claim_ended,
            done_began,
            done_ended,
            told,
        });
    }
}

/// Runs the command, or kills it after a moment; `None` when it was killed.
fn die_or_run(
    plan: &Plan,
    arguments: &[&str],
    chance: &mut Chance,
    kills: &AtomicUsize,
) -> Result<Option<Output>> {
    if !chance.one_in(12) {
        return plan.task(arguments).map(Some);
    }
    let child = plan
        .command(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    std::thread::sleep(Duration::from_millis(chance.below(60)));
    // It may have ended already.
    let _ = kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGKILL);
    let output = child.wait_with_output()?;
    if output.status.code().is_some() {
        return Ok(Some(output));
    }
    kills.fetch_add(1, Ordering::SeqCst);
    Ok(None)
}
