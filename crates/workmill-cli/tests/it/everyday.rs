//! Everyday commands against a real server: what they answer, and with which exit code.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use workmill_testkit::database::TestDatabase;

use crate::support::{Home, Running, assert_exit, data, stderr};

pub struct Server {
    // Before the database, so that nobody uses it when it is dropped.
    up: Running,
    home: Home,
    database: TestDatabase,
}

impl Server {
    pub async fn start() -> Result<Self> {
        let database = TestDatabase::new().await?;
        let home = Home::new()?;
        let mut command = home.command(&["up"]);
        command.env("DATABASE_URL", database.url());
        let up = Running::start(command)?;
        Ok(Server { up, home, database })
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        self.reaching(self.home.command(arguments))
    }

    /// Another program from whose inside the server can be reached.
    pub fn program(&self, program: &str) -> Command {
        self.reaching(self.home.program(program))
    }

    fn reaching(&self, mut command: Command) -> Command {
        command
            .env("WORKMILL_URL", &self.up.url)
            // Its key has the database in its name.
            .env("DATABASE_URL", self.database.url());
        command
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Runs with a text on standard input.
    pub fn run_with(&self, arguments: &[&str], input: &str) -> Result<Output> {
        let mut command = self.command(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let mut stdin = child.stdin.take().context("standard input is piped")?;
        stdin.write_all(input.as_bytes())?;
        drop(stdin);
        Ok(child.wait_with_output()?)
    }

    /// Submits a task with these flags; its id.
    pub fn submit(&self, flags: &[&str]) -> Result<String> {
        let submitted = self.json(&[&["submit"], flags].concat())?;
        let id = submitted["tasks"][0]["id"].as_str();
        Ok(id.context("an id")?.to_owned())
    }

    pub fn run(&self, arguments: &[&str]) -> Result<Output> {
        Ok(self.command(arguments).output()?)
    }

    pub fn json(&self, arguments: &[&str]) -> Result<Value> {
        let output = self.run(&[&["--json"], arguments].concat())?;
        assert_exit(&output, 0);
        data(&output)
    }

    /// Submits what a file holds.
    fn submit_file(&self, json: &Value) -> Result<Output> {
        std::fs::write(self.home.path().join("tasks.json"), json.to_string())?;
        self.run(&["--json", "submit", "-f", "tasks.json"])
    }
}

/// T-4
#[tokio::test]
async fn claim_with_nothing_to_claim_exits_2() -> Result<()> {
    let server = Server::start().await?;
    let output = server.run(&["claim", "--agent", "a"])?;
    assert_exit(&output, 2);
    assert!(output.stdout.is_empty());
    let output = server.run(&["--json", "claim", "--agent", "a"])?;
    assert_exit(&output, 2);
    assert_eq!(data(&output)?, json!({"claims": []}));
    Ok(())
}

#[tokio::test]
async fn an_agent_that_holds_as_many_tasks_as_it_has_slots_is_told_so() -> Result<()> {
    let server = Server::start().await?;
    assert_exit(&server.run(&["claim", "--agent", "a"])?, 2);
    for title in ["first", "second"] {
        server.submit(&["--title", title])?;
    }
    server.json(&["claim", "--agent", "a"])?;
    let full = server.run(&["claim", "--agent", "a"])?;
    assert_exit(&full, 2);
    let text = stderr(&full);
    assert!(text.contains("a holds 1 of 1 tasks"), "{text}");
    assert!(text.contains("--slots 2"), "{text}");
    assert_exit(&server.run(&["claim", "--agent", "a", "--slots", "2"])?, 0);
    // An agent with a slot left is told only that there is nothing.
    let idle = server.run(&["claim", "--agent", "b"])?;
    assert_exit(&idle, 2);
    assert_eq!(stderr(&idle).trim(), "Nothing to claim.");
    Ok(())
}

/// Each flag alone would be enough for a claim of another type, were it dropped.
#[tokio::test]
async fn claims_and_workers_take_only_the_task_types_that_they_name() -> Result<()> {
    let server = Server::start().await?;
    for task_type in ["other", "mine", "mine"] {
        server.submit(&["--title", "t", "--type", task_type])?;
    }
    let claimed = server.json(&["claim", "--agent", "a", "--task-type", "mine"])?;
    assert_eq!(claimed["claims"][0]["task"]["type"], "mine");
    let worker = [
        "agent",
        "run",
        "--agent",
        "b",
        "--task-type",
        "mine",
        "--once",
    ];
    assert_exit(&server.run(&[&worker[..], &["--", "true"]].concat())?, 0);
    assert_exit(&server.run(&[&worker[..], &["--", "true"]].concat())?, 2);
    let left = server.json(&["list", "--status", "ready"])?;
    let types: Vec<_> = left["items"].as_array().context("items")?.iter().collect();
    assert_eq!(types.len(), 1, "{left}");
    assert_eq!(types[0]["type"], "other");
    Ok(())
}

/// F-16
#[tokio::test]
async fn a_task_goes_from_submit_over_claim_to_done_with_the_lease_remembered() -> Result<()> {
    let server = Server::start().await?;
    let submitted = server.json(&[
        "submit", "--title", "write", "--cap", "rust", "--prompt", "go",
    ])?;
    let id = submitted["tasks"][0]["id"].as_str().context("an id")?;
    assert_exit(&server.run(&["claim", "--agent", "a", "--cap", "go"])?, 2);
    let claimed = server.json(&["claim", "--agent", "a", "--cap", "rust"])?;
    assert_eq!(claimed["claims"][0]["task"]["id"], id);
    assert_exit(&server.run(&["claim", "--agent", "b", "--cap", "rust"])?, 2);

    assert_exit(&server.run(&["start", id, "--agent", "b"])?, 3);
    assert_eq!(server.json(&["start", id])?["directive"], "continue");
    assert_eq!(server.json(&["heartbeat", id])?["directive"], "continue");
    let only_one = server.json(&["heartbeat", "--agent", "a"])?;
    assert_eq!(only_one["directive"], "continue");
    assert_exit(&server.run(&["heartbeat", "--agent", "b"])?, 64);
    let usage = r#"{"models": {"gpt-5": {"input_tokens": 200000}}}"#;
    server.json(&["heartbeat", id, "--usage", usage])?;
    let claim = &server.json(&["show", id])?["claim"];
    assert_eq!(claim["cost_usd"], 0.25, "as the table of prices has it");
    for unreadable in ["{", "7", r#"{"models": {"gpt-5": {"tokens": 1}}}"#] {
        assert_exit(&server.run(&["heartbeat", id, "--usage", unreadable])?, 6);
    }
    let done = server.json(&[
        "done",
        id,
        "--output",
        r#"{"big": 12345678901234567890}"#,
        "--artifact",
        "artifact:a",
        "--artifact",
        "s3://b/c",
        "--cost-usd",
        "0.5",
    ])?;
    assert_eq!(done["status"], "completed");
    let task = server.json(&["show", id])?;
    assert_eq!(
        task["output"]["data"].to_string(),
        r#"{"big":12345678901234567890}"#
    );
    assert_eq!(
        task["output"]["artifacts"],
        json!(["artifact:a", "s3://b/c"])
    );
    assert_eq!(task["cost_usd"], 0.5);
    assert_exit(&server.run(&["done", id])?, 3);
    Ok(())
}

/// F-19
#[tokio::test]
async fn an_agent_is_drained_and_activated_by_its_name() -> Result<()> {
    let server = Server::start().await?;
    assert_exit(&server.run(&["claim", "--agent", "an agent/1"])?, 2);
    let listed = server.json(&["agent", "list"])?;
    assert_eq!(listed["items"][0]["id"], "an agent/1");
    let drained = server.json(&["agent", "drain", "an agent/1"])?;
    assert_eq!(drained["status"], "draining");
    assert_exit(&server.run(&["claim", "--agent", "an agent/1"])?, 5);
    let shown = server.run(&["agent", "show", "an agent/1"])?;
    let text = String::from_utf8(shown.stdout)?;
    assert!(text.starts_with("an agent/1  draining, set by "), "{text}");
    let active = server.json(&["agent", "activate", "an agent/1"])?;
    assert_eq!(active["status"], "active");
    assert_exit(&server.run(&["claim", "--agent", "an agent/1"])?, 2);
    assert_exit(&server.run(&["agent", "show", "nobody"])?, 3);
    Ok(())
}

#[tokio::test]
async fn a_lease_that_went_to_somebody_else_exits_5_and_one_that_ended_is_forgotten() -> Result<()>
{
    let server = Server::start().await?;
    let submitted = server.json(&["submit", "--title", "t"])?;
    let id = submitted["tasks"][0]["id"].as_str().context("an id")?;
    let first = server.json(&["claim", "--agent", "a", "--start"])?;
    let lease = first["claims"][0]["lease"].as_str().context("a lease")?;
    assert_exit(&server.run(&["release", "--lease", lease])?, 0);
    assert_exit(&server.run(&["claim", "--agent", "b"])?, 0);
    assert_exit(&server.run(&["done", "--lease", lease])?, 5);
    let failed = server.json(&[
        "fail",
        id,
        "--agent",
        "b",
        "--reason",
        "invalid_input",
        "--message",
        "no",
    ])?;
    assert_eq!(failed["status"], "dead_lettered");
    assert_exit(&server.run(&["fail", id, "--agent", "b"])?, 3);
    Ok(())
}

#[tokio::test]
async fn a_file_is_sent_as_it_is_and_the_server_names_what_it_does_not_know() -> Result<()> {
    let server = Server::start().await?;
    let output = server.submit_file(
        &json!({"tasks": [{"title": "a", "type": "t"}, {"title": "b", "type": "t"}]}),
    )?;
    assert_exit(&output, 0);
    assert_eq!(data(&output)?["tasks"].as_array().map(Vec::len), Some(2));
    let output = server.submit_file(&json!({"title": "a", "type": "t", "colour": "blue"}))?;
    assert_exit(&output, 6);
    assert!(output.stdout.is_empty());
    assert!(stderr(&output).contains("colour"), "{}", stderr(&output));
    Ok(())
}

#[tokio::test]
async fn a_graph_is_created_whole_and_a_cycle_is_invalid_input() -> Result<()> {
    let server = Server::start().await?;
    let create = |graph: &Value| -> Result<Output> {
        std::fs::write(server.home.path().join("graph.json"), graph.to_string())?;
        server.run(&["--json", "graph", "create", "-f", "graph.json"])
    };
    let task = |name: &str, on: &str| json!({"name": name, "title": name, "type": "t", "depends_on": [on]});
    let cycle = create(&json!({"title": "g", "tasks": [task("a", "b"), task("b", "a")]}))?;
    assert_exit(&cycle, 6);
    assert!(stderr(&cycle).contains("a → b"), "{}", stderr(&cycle));
    let created = create(
        &json!({"title": "g", "tasks": [{"name": "a", "title": "a", "type": "t"}, task("b", "a")]}),
    )?;
    assert_exit(&created, 0);
    let id = data(&created)?["id"].as_str().context("an id")?.to_owned();
    assert_eq!(
        server.json(&["show", &id])?,
        server.json(&["graph", "show", &id])?
    );
    let missing = "dag_01M7FF53TYSCDH2QVJV73XC9NS";
    assert_exit(&server.run(&["graph", "show", missing])?, 3);
    Ok(())
}

#[tokio::test]
async fn a_title_cannot_play_tricks_on_the_terminal() -> Result<()> {
    let server = Server::start().await?;
    let title = "a\u{1b}[2J\u{9b}31m\u{202e}b";
    let submitted = server.json(&["submit", "--title", title])?;
    let id = submitted["tasks"][0]["id"].as_str().context("an id")?;
    for arguments in [&["show", id][..], &["--json", "show", id]] {
        let output = server.run(arguments)?;
        assert_exit(&output, 0);
        let text = String::from_utf8(output.stdout)?;
        assert!(!text.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{text:?}");
    }
    assert_eq!(server.json(&["show", id])?["task"]["title"], title);
    Ok(())
}

#[tokio::test]
async fn flags_come_before_the_environment_and_that_before_the_file() -> Result<()> {
    let server = Server::start().await?;
    let nowhere = "http://127.0.0.1:9";
    std::fs::write(
        server.home.path().join("workmill.toml"),
        "agent = \"from-the-folder\"\n",
    )?;
    let own = server.home.path().join(".config/workmill");
    std::fs::create_dir_all(&own)?;
    let text = format!("url = \"{nowhere}\"\nagent = \"from-the-user\"\n");
    std::fs::write(own.join("workmill.toml"), text)?;
    assert_exit(&server.run(&["claim"])?, 2);
    let agents = server.json(&["agent", "list"])?;
    assert_eq!(agents["items"][0]["id"], "from-the-folder");
    assert_exit(&server.run(&["claim", "--url", nowhere])?, 8);
    let mut only_the_file = server.command(&["claim"]);
    assert_exit(&only_the_file.env_remove("WORKMILL_URL").output()?, 8);
    Ok(())
}

#[tokio::test]
async fn an_interrupted_wait_exits_130() -> Result<()> {
    let server = Server::start().await?;
    let mut waiting = server
        .command(&["claim", "--agent", "patient", "--wait", "600"])
        .spawn()?;
    let client = server.database.client().await?;
    let registered = "select 1 from workmill.agent where agent = 'patient'";
    let began = Instant::now();
    while client.query_opt(registered, &[]).await?.is_none() {
        ensure!(
            began.elapsed() < Duration::from_secs(30),
            "it does not register"
        );
    }
    kill(Pid::from_raw(waiting.id().cast_signed()), Signal::SIGINT)?;
    assert_eq!(waiting.wait()?.code(), Some(130));
    Ok(())
}
