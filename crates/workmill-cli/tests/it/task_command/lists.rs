//! `task plan-sync`: what a planner writes, however much it is and however slowly it comes.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::process::{Child, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use nix::sys::signal::Signal;
use serde_json::json;
use workmill_testkit::chance::Chance;

use super::{Plan, line, text};
use crate::support::{Home, Running, assert_exit, stderr};

/// T-10 T-11
#[test]
fn a_list_on_standard_input_becomes_the_plan_and_bad_lines_are_all_named() -> Result<()> {
    let plan = Plan::start()?;
    let list = [line("a", &[]), line("b", &["a"])].concat();
    let preview = plan.sync(&list, &["--dry-run"])?;
    let zeros = "inserted: 0, updated: 0, deleted: 0, skipped (done): 0\n";
    let expected = "+ a\n+ b\ninserted: 2, updated: 0, deleted: 0, skipped (done): 0\n";
    assert_eq!(text(&preview), expected);
    let synced = plan.sync(&list, &[])?;
    assert_eq!(
        text(&synced),
        "inserted: 2, updated: 0, deleted: 0, skipped (done): 0\n"
    );
    assert_eq!(text(&plan.sync(&list, &[])?), zeros);

    let bad = [
        line("a", &[]),
        "{\"id\": \"c\"}\n".to_owned(),
        "\n".to_owned(),
        line("d", &["nobody"]),
        "not json\n".to_owned(),
        line("a", &[]),
        "{\"id\": \"e\", \"spec_ref\": \"s\", \"title\": \"E\", \"category\": \"\\u0019\"}\n"
            .to_owned(),
    ]
    .concat();
    let refused = plan.sync(&bad, &[])?;
    assert_exit(&refused, 6);
    let said = stderr(&refused);
    let named = [
        "line 2: ",
        "line 5: ",
        "line 6: 'a' is on line 1",
        "line 7: category",
    ];
    for named in named {
        assert!(said.contains(named), "{said}");
    }
    let unknown = plan.sync(&[line("a", &[]), line("d", &["nobody"])].concat(), &[])?;
    assert_exit(&unknown, 6);
    assert!(
        stderr(&unknown).contains("line 2: depends on 'nobody'"),
        "{}",
        stderr(&unknown)
    );
    let circle = plan.sync(&[line("a", &["b"]), line("b", &["a"])].concat(), &[])?;
    assert_exit(&circle, 6);
    assert_exit(&plan.sync("\n\n", &[])?, 6);
    assert_eq!(text(&plan.sync(&list, &[])?), zeros, "nothing was changed");
    Ok(())
}

/// T-11
#[test]
fn all_bad_lines_are_named_and_more_faults_than_a_list_may_have_lines_are_counted() -> Result<()> {
    let plan = Plan::start()?;
    let refused = plan.sync(&"x\n".repeat(1_234), &[])?;
    assert_exit(&refused, 6);
    let said = stderr(&refused);
    assert!(said.contains("1234 lines of the list"), "{said}");
    let named = (1..=1_234).all(|line| said.contains(&format!("\nline {line}: ")));
    assert!(named, "{said}");

    let nobody: Vec<String> = (0..10_001).map(|number| format!("x{number}")).collect();
    let nobody: Vec<&str> = nobody.iter().map(String::as_str).collect();
    let of_most = |line_of: usize| line(&format!("a{line_of}"), &nobody[..10_000]);
    let list: String = (0..10)
        .map(of_most)
        .chain([line("b", &nobody[..2])])
        .collect();
    let refused = plan.sync(&list, &[])?;
    assert_exit(&refused, 6);
    assert!(stderr(&refused).ends_with("\n… and 2 more\n"));

    let refused = plan.sync(&line("a", &nobody), &[])?;
    assert_exit(&refused, 6);
    let said = stderr(&refused);
    assert!(said.contains("\nline 1: deps: at most 10000"), "{said}");
    Ok(())
}

/// T-10: at the size that is asked for. How long it takes depends on the machine, so that is compared
/// with itself.
#[test]
#[ignore = "it takes minutes; ./dev plans runs it"]
fn a_hundred_thousand_lines_become_a_plan_and_cost_the_client_little_memory() -> Result<()> {
    let plan = Plan::start()?;
    let mut chance = Chance(10);
    let mut list = |document: &str, count: usize| {
        let mut list = String::new();
        for place in 0..count {
            let many = if place == 0 { 0 } else { 2 };
            let deps: BTreeSet<String> = (0..many)
                .map(|_| format!("{document}-{}", chance.place(place)))
                .collect();
            let line = json!({
                "id": format!("{document}-{place}"),
                "spec_ref": format!("specs/{document}/{}.md", place / 1000),
                "title": format!("Task {place}"),
                "description": "x".repeat(100),
                "category": "server",
                "priority": place % 100,
                "steps": ["one", "two"],
                "deps": deps,
            });
            list.push_str(&line.to_string());
            list.push('\n');
        }
        list
    };
    let sync = |list: &str, expected: &str| {
        let began = Instant::now();
        let mut memory = None;
        let synced = plan.sync_looking(list, &[], |client| {
            memory = most_memory_of(client)?;
            Ok(())
        })?;
        let took = began.elapsed();
        println!("{} bytes, {took:?}, {memory:?} kB", list.len());
        ensure!(text(&synced).starts_with(expected), "{}", stderr(&synced));
        Ok((took, memory))
    };
    let whole = list("large", 100_000);
    let tenth = list("small", 10_000);
    let (time_of_tenth, memory_of_tenth) = sync(&tenth, "inserted: 10000, updated: 0,")?;
    let (first_time, memory) = sync(&whole, "inserted: 100000, updated: 0,")?;
    let (second_time, _) = sync(&whole, "inserted: 0, updated: 0, deleted: 0,")?;
    ensure!(
        first_time < time_of_tenth * 30,
        "it takes more than its share"
    );
    ensure!(second_time < first_time * 3 / 2, "nothing was to be done");
    if let (Some(memory), Some(of_tenth)) = (memory, memory_of_tenth) {
        ensure!(memory < 100_000, "{memory} kB");
        ensure!(memory < of_tenth * 3 / 2, "it grows with the list");
    }
    Ok(())
}

/// T-10: nothing is asked of the server while the planner writes, however long that takes.
#[test]
fn a_list_is_sent_when_it_has_been_read_to_its_end() -> Result<()> {
    let Plan { home, server } = Plan::start()?;
    let url = server.url.clone();
    server.stop(Signal::SIGINT)?;
    let mut sync = home.command(&["task", "plan-sync", "--url", &url]);
    sync.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut sync = sync.spawn()?;
    let mut list = sync.stdin.take().context("piped")?;
    list.write_all(line("a", &[]).as_bytes())?;
    // More than a pipe holds: when this is through, somebody reads.
    list.write_all(&vec![b'\n'; 1024 * 1024])?;
    let port = url.rsplit(':').next().context("a port")?.parse()?;
    let _server = Running::start_on(home.command(&["up"]), port, Stdio::null())?;
    list.write_all(line("b", &["a"]).as_bytes())?;
    drop(list);
    let synced = sync.wait_with_output()?;
    let expected = "inserted: 2, updated: 0, deleted: 0, skipped (done): 0\n";
    assert_eq!(text(&synced), expected);
    Ok(())
}

#[test]
fn a_list_that_is_too_large_or_none_is_refused_without_a_server() -> Result<()> {
    let home = Home::new()?;
    let sync = |list: File| {
        let mut command = home.command(&["task", "plan-sync", "--url", "http://127.0.0.1:9"]);
        command.stdin(list).output()
    };
    let path = home.path().join("plan.jsonl");
    File::create(&path)?.set_len(64 * 1024 * 1024 + 1)?;
    assert_exit(&sync(File::open(&path)?)?, 7);
    File::create(&path)?.set_len(64 * 1024 * 1024)?;
    assert_exit(&sync(File::open(&path)?)?, 8);
    assert_exit(&sync(File::open(home.path())?)?, 6);
    Ok(())
}

/// Who does not read standard input does not wait for it either.
#[test]
fn a_command_that_fails_early_does_not_wait_for_standard_input() -> Result<()> {
    let home = Home::new()?;
    for (arguments, code) in [
        (["task", "list", "--url", "http://127.0.0.1:9"], 8),
        (["task", "plan-sync", "--url", "nowhere"], 64),
    ] {
        let mut command = home.command(&arguments);
        command.stdin(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let held_open = child.stdin.take();
        assert_eq!(child.wait()?.code(), Some(code), "{arguments:?}");
        drop(held_open);
    }
    Ok(())
}

/// In kB, where the system says it.
fn most_memory_of(process: &Child) -> Result<Option<u64>> {
    let Ok(status) = std::fs::read_to_string(format!("/proc/{}/status", process.id())) else {
        return Ok(None);
    };
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let most = most.context("a size")?.trim().trim_end_matches(" kB");
    Ok(Some(most.parse()?))
}
