//! `workmill task`: a plan, the agents that work through it, and who may say what of a task.

mod lists;
mod rows;
mod together;

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

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
    // Known as the key of another address, it is sent to this one only if it is named.
    let key = std::fs::read_to_string(plan.home.data().join("admin.key"))?;
    claim
        .env("WORKMILL_URL", url)
        .env("WORKMILL_TOKEN", key.trim());
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

/// A plan's agents take planned tasks, and what a worker has registered is none of their business.
#[test]
fn claiming_takes_planned_tasks_and_leaves_registrations_alone() -> Result<()> {
    let plan = Plan::start()?;
    let workmill = |arguments: &[&str]| -> Result<Output> {
        let mut command = plan.home.command(arguments);
        Ok(command.env("WORKMILL_URL", &plan.server.url).output()?)
    };
    assert_exit(&workmill(&["submit", "--title", "native"])?, 0);
    assert_exit(&plan.task(&["claim", "--agent", "hand"])?, 2);
    plan.json(&["add", "--id", "a", "--title", "A", "--spec-ref", "r"])?;
    assert_eq!(plan.json(&["claim", "--agent", "hand"])?["id"], json!("a"));
    let any = plan.json(&["claim", "--agent", "hand", "--any"])?;
    assert_eq!(any["title"], json!("native"));
    let shown = data(&workmill(&["agent", "show", "hand", "--json"])?)?;
    assert_eq!(
        (&shown["by_hand"], &shown["current_tasks"]),
        (&json!(true), &json!(2))
    );
    let status = data(&workmill(&["status", "--json"])?)?;
    assert_eq!(status["agents"]["slots"], json!(2), "those that it uses");
    let register = [
        "claim", "--agent", "skilled", "--type", "coder", "--cap", "git", "--model", "m1",
        "--slots", "2",
    ];
    assert_exit(&workmill(&register)?, 2);
    assert_exit(&plan.task(&["claim", "--agent", "skilled"])?, 2);
    let shown = data(&workmill(&["agent", "show", "skilled", "--json"])?)?;
    assert_eq!(
        (
            &shown["type"],
            &shown["capabilities"],
            &shown["models_available"],
            &shown["max_concurrent_tasks"]
        ),
        (&json!("coder"), &json!(["git"]), &json!(["m1"]), &json!(2))
    );
    let held = workmill(&["agent", "remove", "hand"])?;
    assert_exit(&held, 5);
    let once = [
        "agent", "run", "--agent", "worker", "--type", "coder", "--once", "--", "true",
    ];
    assert_exit(&workmill(&once)?, 2);
    assert_exit(&plan.task(&["claim", "--agent", "worker"])?, 2);
    let shown = data(&workmill(&["agent", "show", "worker", "--json"])?)?;
    assert_eq!(
        (
            &shown["type"],
            &shown["max_concurrent_tasks"],
            &shown["by_hand"]
        ),
        (&json!("coder"), &json!(1), &json!(false))
    );
    let picky = [
        "agent",
        "run",
        "--agent",
        "picky",
        "--task-type",
        "jj",
        "--once",
        "--",
        "true",
    ];
    assert_exit(&workmill(&picky)?, 2);
    let other = workmill(&["claim", "--agent", "picky", "--task-type", "other"])?;
    assert_exit(&other, 2);
    let said = stderr(&other);
    assert!(said.contains("of these types only: jj"), "{said}");
    assert_exit(&workmill(&["agent", "remove", "worker"])?, 0);
    assert_exit(&workmill(&["agent", "show", "worker"])?, 3);
    Ok(())
}
