//! `workmill task`: a plan, the agents that work through it, and who may say what of a task.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use workmill_testkit::chance::Chance;

use crate::support::{Home, Running, assert_exit, data, stderr, wait_until};

/// A server, and the `task` command on it.
struct Plan {
    home: Home,
    server: Running,
}

impl Plan {
    fn start() -> Result<Plan> {
        let home = Home::new()?;
        let server = Running::start(home.command(&["up"]))?;
        Ok(Plan { home, server })
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.home.command(&["task"]);
        command
            .args(arguments)
            .env("WORKMILL_URL", &self.server.url);
        command
    }

    fn task(&self, arguments: &[&str]) -> Result<Output> {
        Ok(self.command(arguments).output()?)
    }

    fn json(&self, arguments: &[&str]) -> Result<Value> {
        let output = self.task(&[arguments, &["--json"]].concat())?;
        ensure!(
            output.status.success(),
            "{arguments:?}: {}",
            stderr(&output)
        );
        data(&output)
    }

    fn sync(&self, list: &str, more: &[&str]) -> Result<Output> {
        self.sync_looking(list, more, |_| Ok(()))
    }

    /// Looks at the process when it has read the list, but for its end.
    fn sync_looking(
        &self,
        list: &str,
        more: &[&str],
        look: impl FnOnce(&Child) -> Result<()>,
    ) -> Result<Output> {
        let mut child = self
            .command(&[&["plan-sync"], more].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut input = child.stdin.take().context("piped")?;
        input.write_all(list.as_bytes())?;
        look(&child)?;
        drop(input);
        Ok(child.wait_with_output()?)
    }
}

fn line(id: &str, deps: &[&str]) -> String {
    let line =
        json!({"id": id, "spec_ref": "specs/a.md", "title": id, "priority": 2, "deps": deps});
    format!("{line}\n")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// T-4 T-5 T-7 T-8: the words and the exit codes.
#[test]
fn a_plan_is_worked_through_with_the_task_command() -> Result<()> {
    let plan = Plan::start()?;
    assert_exit(&plan.task(&["claim", "--agent", "ada"])?, 2);
    let nothing = plan.task(&["claim", "--agent", "ada", "--json"])?;
    assert_exit(&nothing, 2);
    assert_eq!(data(&nothing)?, Value::Null);
    let add = [
        "add",
        "--id",
        "db-1",
        "--title",
        "Schema",
        "--spec-ref",
        "db.md",
    ];
    plan.json(&[&add[..], &["--priority", "1", "--category", "db"]].concat())?;
    assert_exit(&plan.task(&add)?, 5);
    plan.json(&[
        "add",
        "--id",
        "api-1",
        "--title",
        "API",
        "--spec-ref",
        "api.md",
        "--dep",
        "db-1",
    ])?;
    let unknown = [
        "add",
        "--id",
        "x",
        "--title",
        "X",
        "--spec-ref",
        "x.md",
        "--dep",
        "nobody",
    ];
    assert_exit(&plan.task(&unknown)?, 6);

    let claimed = plan.json(&["claim", "--agent", "ada", "--lease-sec", "30"])?;
    assert_eq!(
        (&claimed["id"], &claimed["category"]),
        (&json!("db-1"), &json!("db"))
    );
    assert_eq!(
        (&claimed["status"], &claimed["assignee"]),
        (&json!("active"), &json!("ada"))
    );
    assert_eq!(claimed["lease_expires_in_ms"], json!(30_000));
    assert_exit(&plan.task(&["claim", "--agent", "bob"])?, 2);
    assert_exit(&plan.task(&["renew", "db-1", "--agent", "bob"])?, 5);
    let renewed = plan.json(&["renew", "db-1", "--agent", "ada"])?;
    assert_eq!(renewed["lease_expires_in_ms"], json!(30_000));
    plan.json(&["fail", "db-1", "--agent", "ada", "--reason", "no disk"])?;
    let again = plan.json(&["claim", "--agent", "bob"])?;
    assert_eq!(
        (&again["id"], &again["retry_count"]),
        (&json!("db-1"), &json!(1))
    );
    // Without what was remembered here, the name is enough.
    std::fs::remove_dir_all(plan.home.path().join(".local"))?;
    assert_exit(&plan.task(&["done", "db-1", "--agent", "ada"])?, 5);
    plan.json(&[
        "done",
        "db-1",
        "--agent",
        "bob",
        "--result",
        r#"{"tables": 3}"#,
    ])?;
    assert_exit(&plan.task(&["done", "db-1", "--agent", "bob"])?, 5);
    let next = plan.json(&["claim", "--agent", "ada"])?;
    let blockers = json!([{"id": "db-1", "status": "done", "result": {"tables": 3}}]);
    assert_eq!(next["id"], json!("api-1"));
    assert_eq!(next["blocker_results"], blockers);
    assert_exit(&plan.task(&["show", "nothing"])?, 3);
    assert_exit(&plan.task(&["claim"])?, 64);
    Ok(())
}

/// T-5: the server goes away between the claim and the question how the planner calls what came before.
#[tokio::test]
async fn what_was_claimed_is_told_though_the_server_goes_away() -> Result<()> {
    let plan = Plan::start()?;
    assert_exit(
        &plan.sync(&[line("a", &[]), line("b", &["a"])].concat(), &[])?,
        0,
    );
    plan.json(&["claim", "--agent", "ada"])?;
    plan.json(&["done", "a", "--agent", "ada", "--result", "7"])?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    let server = plan.server.url.trim_start_matches("http://").to_owned();
    let between = tokio::spawn(go_away_when_looked_at(listener, server));
    let mut claim = plan.command(&["claim", "--agent", "ada", "--json"]);
    claim.env("WORKMILL_URL", url);
    let claimed = tokio::task::spawn_blocking(move || claim.output()).await??;
    between.abort();
    assert_exit(&claimed, 0);
    let (claimed, shown) = (data(&claimed)?, plan.json(&["show", "a"])?);
    assert_eq!(claimed["id"], "b");
    assert_eq!(claimed["deps"], json!([shown["task_id"]]), "by its id");
    assert_eq!(claimed["blocker_results"][0]["result"], 7);
    Ok(())
}

/// Hands all on between a client and the server, but for questions about a task.
async fn go_away_when_looked_at(listener: TcpListener, server: String) -> Result<()> {
    loop {
        let (mut client, _) = listener.accept().await?;
        let mut server = TcpStream::connect(&server).await?;
        tokio::spawn(async move {
            let (mut asked, mut answered) = (vec![0; 65536], vec![0; 65536]);
            loop {
                tokio::select! {
                    read = client.read(&mut asked) => {
                        let asked = &asked[..read?];
                        if asked.is_empty() || asked.starts_with(b"GET /v1/tasks/") {
                            return anyhow::Ok(());
                        }
                        server.write_all(asked).await?;
                    }
                    read = server.read(&mut answered) => {
                        client.write_all(&answered[..read?]).await?;
                    }
                }
            }
        });
    }
}

/// T-9
#[test]
fn a_task_is_blocked_and_unblocked_and_listed_by_its_status() -> Result<()> {
    let plan = Plan::start()?;
    for id in ["api-1", "doc-1"] {
        plan.json(&["add", "--id", id, "--title", id, "--spec-ref", "api.md"])?;
    }
    plan.json(&["block", "doc-1", "--by", "api-1"])?;
    assert_exit(&plan.task(&["block", "api-1", "--by", "doc-1"])?, 6);
    assert_eq!(
        plan.json(&["claim", "--agent", "ada"])?["id"],
        json!("api-1")
    );
    assert_exit(&plan.task(&["claim", "--agent", "bob"])?, 2);
    let shown = plan.json(&["show", "doc-1"])?;
    assert_eq!(shown["blocked_by"], json!(["api-1"]));
    plan.json(&["unblock", "doc-1", "--by", "api-1"])?;
    assert_eq!(
        plan.json(&["claim", "--agent", "bob"])?["id"],
        json!("doc-1")
    );
    let listed = plan.json(&["list", "--status", "active"])?;
    let tasks = listed["tasks"].as_array().context("a list")?;
    let ids: BTreeSet<&str> = tasks
        .iter()
        .filter_map(|task| task["id"].as_str())
        .collect();
    assert_eq!(ids, BTreeSet::from(["api-1", "doc-1"]));
    Ok(())
}

/// T-6: a zombie has lost its lease, whatever it remembers.
#[test]
fn who_lost_a_lease_is_refused_and_the_next_one_takes_over_at_once() -> Result<()> {
    let plan = Plan::start()?;
    plan.json(&["add", "--id", "a", "--title", "A", "--spec-ref", "r"])?;
    plan.json(&["claim", "--agent", "zombie", "--lease-sec", "1"])?;
    let taken = plan.json(&["claim", "--agent", "next", "--wait", "30"])?;
    assert_eq!(
        (&taken["id"], &taken["retry_count"]),
        (&json!("a"), &json!(1))
    );
    let refused = plan.task(&["done", "a", "--agent", "zombie"])?;
    assert_exit(&refused, 5);
    plan.json(&["done", "a", "--agent", "next"])?;
    assert_eq!(plan.json(&["show", "a"])?["status"], json!("done"));
    Ok(())
}

/// T-6: two who have one name, each with a memory of its own, as a program that was started again
/// elsewhere.
#[test]
fn who_lost_a_lease_is_refused_however_often_it_tries() -> Result<()> {
    let plan = Plan::start()?;
    plan.json(&["add", "--id", "a", "--title", "A", "--spec-ref", "r"])?;
    let run = |memory: &str, mut command: Command| {
        let folder = plan.home.path().join(memory);
        command.args(["--agent", "twin"]);
        command.env("XDG_STATE_HOME", folder).output()
    };
    let here = |memory: &str, arguments: &[&str]| run(memory, plan.command(arguments));
    let otherwise = |arguments: &[&str]| {
        let mut command = plan.home.command(arguments);
        command.env("WORKMILL_URL", &plan.server.url);
        run("old", command)
    };
    assert_exit(&here("old", &["claim", "--lease-sec", "1"])?, 0);
    assert_exit(&here("new", &["claim", "--wait", "30"])?, 0);
    let id = plan.json(&["show", "a"])?["task_id"].take();
    let id = id.as_str().context("an id")?;
    for _ in 0..3 {
        let primed = otherwise(&["prime"])?;
        assert_exit(&primed, 0);
        assert!(text(&primed).contains("You hold no task."));
        for verb in ["heartbeat", "done", "fail", "release"] {
            assert_exit(&otherwise(&[verb, id])?, 5);
        }
        assert_exit(&otherwise(&["spawn", id, "--title", "more"])?, 5);
        assert_exit(&here("old", &["renew", "a"])?, 5);
        assert_exit(&here("old", &["done", "a"])?, 5);
        assert_exit(&here("old", &["fail", "a"])?, 5);
    }
    assert_exit(&here("new", &["done", "a"])?, 0);
    Ok(())
}

/// T-6: with keys that may only look at what their agents hold.
#[test]
fn with_a_key_for_agents_a_lost_lease_is_refused_and_one_that_only_ran_out_is_good() -> Result<()> {
    let plan = Plan::start()?;
    let key = || -> Result<String> {
        let mut command = plan
            .home
            .command(&["key", "create", "--role", "agent", "--json"]);
        let created = data(&command.env("WORKMILL_URL", &plan.server.url).output()?)?;
        Ok(created["token"].as_str().context("a token")?.to_owned())
    };
    let (zombie, next) = (key()?, key()?);
    let run = |key: &str, command: &mut Command| command.env("WORKMILL_TOKEN", key).output();
    let task =
        |key, agent, arguments: &[&str]| run(key, plan.command(arguments).args(["--agent", agent]));
    let open = || {
        let shown = plan.json(&["show", "a"]);
        shown.is_ok_and(|shown| shown["status"] == json!("open"))
    };
    plan.json(&["add", "--id", "a", "--title", "A", "--spec-ref", "r"])?;
    let claim = ["claim", "--lease-sec", "1"];
    assert_exit(&task(&zombie, "zombie", &claim)?, 0);
    assert_exit(&task(&next, "next", &["claim", "--wait", "30"])?, 0);
    for _ in 0..2 {
        let mut prime = plan.home.command(&["prime", "--agent", "zombie"]);
        prime.env("WORKMILL_URL", &plan.server.url);
        let primed = run(&zombie, &mut prime)?;
        assert_exit(&primed, 0);
        assert!(text(&primed).contains("You hold no task."));
        for verb in ["renew", "done", "fail"] {
            let refused = task(&zombie, "zombie", &[verb, "a"])?;
            assert_exit(&refused, 5);
        }
        // Somebody who has never held it.
        assert_exit(&task(&zombie, "other", &["done", "a"])?, 5);
    }
    assert_exit(&task(&next, "next", &["fail", "a"])?, 0);
    assert_exit(&task(&next, "next", &["fail", "a"])?, 5);
    assert_exit(&task(&zombie, "zombie", &claim)?, 0);
    wait_until("the lease has run out", open)?;
    assert_exit(&task(&zombie, "zombie", &["renew", "a"])?, 0);
    assert_exit(&task(&zombie, "zombie", &["fail", "a"])?, 0);
    assert_exit(&task(&zombie, "zombie", &claim)?, 0);
    wait_until("the lease has run out", open)?;
    assert_exit(&task(&zombie, "zombie", &["done", "a"])?, 0);
    assert_eq!(plan.json(&["show", "a"])?["status"], json!("done"));
    Ok(())
}

/// T-11: who works on it is told to stop.
#[test]
fn who_renews_what_the_planner_has_taken_away_is_told_to_stop() -> Result<()> {
    let plan = Plan::start()?;
    assert_exit(
        &plan.sync(&[line("a", &[]), line("b", &[])].concat(), &[])?,
        0,
    );
    plan.json(&["claim", "--agent", "ada"])?;
    assert_exit(&plan.sync(&line("b", &[]), &[])?, 0);
    let told = plan.task(&["renew", "a", "--agent", "ada"])?;
    assert_exit(&told, 5);
    assert!(
        stderr(&told).contains("stop working on it"),
        "{}",
        stderr(&told)
    );
    let listed = plan.json(&["list"])?;
    assert_eq!(listed["tasks"].as_array().map(Vec::len), Some(1));
    let deleted = plan.json(&["list", "--status", "deleted"])?;
    assert_eq!(deleted["tasks"][0]["id"], json!("a"));
    Ok(())
}

/// T-1: any id that a planner has, but for those that Workmill has given.
#[test]
fn an_id_may_be_a_uuid_and_is_not_taken_for_one_of_workmill() -> Result<()> {
    let plan = Plan::start()?;
    let own = "0190a0b0-7c1d-7e2f-8a3b-4c5d6e7f8a9b";
    assert_exit(&plan.sync(&line(own, &[]), &[])?, 0);
    let shown = plan.json(&["show", own])?;
    assert_eq!(shown["id"], own);
    let id = shown["task_id"].as_str().context("an id")?;
    assert_eq!(plan.json(&["show", id])?["id"], own);
    let refused = plan.sync(&line(id, &[]), &[])?;
    assert_exit(&refused, 6);
    Ok(())
}

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

#[test]
fn of_a_thousand_bad_lines_and_more_the_first_are_named_and_the_others_counted() -> Result<()> {
    let plan = Plan::start()?;
    let refused = plan.sync(&"x\n".repeat(1_234), &[])?;
    assert_exit(&refused, 6);
    let said = stderr(&refused);
    assert!(said.contains("1234 lines of the list"), "{said}");
    assert!(said.contains("\nline 1000: "), "{said}");
    assert!(said.ends_with("\n… and 234 more\n"), "{said}");
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

/// The program is `task` where it is called so.
#[test]
fn called_as_task_it_is_the_task_command() -> Result<()> {
    let plan = Plan::start()?;
    let name = plan.home.path().join("task");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_workmill"), &name)?;
    let mut command = plan.home.command(&[]);
    let environment: Vec<_> = command
        .get_envs()
        .filter_map(|(key, value)| Some((key.to_owned(), value?.to_owned())))
        .collect();
    command = Command::new(&name);
    command
        .args(["list", "--json"])
        .envs(environment)
        .env("WORKMILL_URL", &plan.server.url);
    let output = command.output()?;
    assert_exit(&output, 0);
    assert_eq!(data(&output)?, json!({"tasks": []}));
    Ok(())
}

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
