//! What needs a terminal, in a real one: colours, and screens that are drawn anew. The terminal is
//! tmux, and what it shows is captured.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result, ensure};

use crate::everyday::Server;
use crate::support::wait_until;

const WORKMILL: &str = env!("CARGO_BIN_EXE_workmill");

/// A terminal of 100 columns and 30 lines in which a line of shell is run.
struct Terminal<'a> {
    server: &'a Server,
    name: String,
}

impl<'a> Terminal<'a> {
    fn run(server: &'a Server, line: &str) -> Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("terminal-{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let terminal = Terminal { server, name };
        // The terminal stays when the command has ended, and when it was interrupted.
        let line = format!("trap : INT; {line}; exec sleep 600");
        let size = ["-x", "100", "-y", "30"];
        let mut tmux = terminal.tmux();
        tmux.args(["-f", "/dev/null", "new-session", "-d"])
            .args(size)
            .arg(line);
        let output = tmux.output().context("tmux is needed for this test")?;
        ensure!(output.status.success(), "{output:?}");
        Ok(terminal)
    }

    fn tmux(&self) -> Command {
        let mut tmux = self.server.program("tmux");
        tmux.args(["-L", &self.name])
            .env("TMUX_TMPDIR", self.server.home())
            .env("SHELL", "/bin/sh")
            .env("TERM", "screen");
        tmux
    }

    /// What is on the screen, with the colours that it has.
    fn screen(&self) -> String {
        let output = self.tmux().args(["capture-pane", "-p", "-e"]).output();
        let screen = output.map(|output| output.stdout).unwrap_or_default();
        String::from_utf8_lossy(&screen).into_owned()
    }

    fn wait_for(&self, text: &str) -> Result<String> {
        let shown = wait_until(text, || self.screen().contains(text));
        let screen = self.screen();
        shown.with_context(|| format!("the screen shows\n{screen}"))?;
        Ok(screen)
    }

    fn press(&self, key: &str) -> Result<()> {
        ensure!(self.tmux().args(["send-keys", key]).status()?.success());
        Ok(())
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        let _ = self.tmux().arg("kill-server").output();
    }
}

#[tokio::test]
async fn states_have_colours_on_a_terminal_and_only_when_they_are_wanted() -> Result<()> {
    let server = Server::start().await?;
    let id = server.submit(&["--title", "red \u{1b}[31mtitle"])?;
    server.json(&["cancel", &id])?;
    for (line, has_colours) in [
        (format!("{WORKMILL} list; echo over"), true),
        (format!("NO_COLOR=1 {WORKMILL} list; echo over"), false),
        (format!("TERM=dumb {WORKMILL} list; echo over"), false),
        (format!("{WORKMILL} --json list; echo over"), false),
        (format!("{WORKMILL} list | cat; echo over"), false),
    ] {
        let terminal = Terminal::run(&server, &line)?;
        let screen = terminal.wait_for("over")?;
        assert!(screen.contains("cancelled"), "{line}: {screen}");
        assert_eq!(screen.contains('\u{1b}'), has_colours, "{line}: {screen:?}");
        let red = "\u{1b}[31mcancelled";
        assert_eq!(screen.contains(red), has_colours, "{line}: {screen:?}");
        assert!(!screen.contains("\u{1b}[31mtitle"), "{line}: {screen:?}");
    }
    Ok(())
}

#[tokio::test]
async fn the_status_is_drawn_in_place_until_it_is_interrupted() -> Result<()> {
    let server = Server::start().await?;
    let line = format!("NO_COLOR=1 {WORKMILL} status --watch; echo exit=$?");
    let terminal = Terminal::run(&server, &line)?;
    terminal.wait_for("no agent is registered")?;
    server.submit(&["--title", "t"])?;
    server.json(&["claim", "--agent", "a"])?;
    let screen = terminal.wait_for("1 active")?;
    assert!(!screen.contains("nobody"), "the old text is gone: {screen}");
    assert_eq!(screen.matches("Workmill ").count(), 1, "{screen}");
    terminal.press("C-c")?;
    terminal.wait_for("exit=130")?;
    Ok(())
}

#[tokio::test]
async fn a_graph_is_drawn_in_place_until_it_is_over() -> Result<()> {
    let server = Server::start().await?;
    let graph = "title: g\ntasks: [{name: only, title: only, type: t}]\n";
    let created = server.run_with(&["--json", "graph", "create", "-f", "-"], graph)?;
    let created = crate::support::data(&created)?;
    let graph = created["id"].as_str().context("a graph")?;
    let id = created["tasks"]["only"].as_str().context("a task")?;
    let line = format!("NO_COLOR=1 {WORKMILL} graph show {graph} --watch; echo exit=$?");
    let terminal = Terminal::run(&server, &line)?;
    terminal.wait_for("1: 1 ready")?;
    server.json(&["claim", "--agent", "a", "--start"])?;
    terminal.wait_for("1: 1 running")?;
    server.json(&["done", id])?;
    let screen = terminal.wait_for("exit=0")?;
    assert!(screen.contains("1: 1 completed"), "{screen}");
    assert_eq!(screen.matches("dag_").count(), 1, "{screen}");
    Ok(())
}

#[tokio::test]
async fn a_screen_that_is_too_long_is_cut_and_stays_in_its_place() -> Result<()> {
    let server = Server::start().await?;
    let tasks = (0..60).map(|number| format!("- {{title: t{number}, type: t}}\n"));
    let graph = format!("title: long\ntasks:\n{}", tasks.collect::<String>());
    let created = server.run_with(&["--json", "graph", "create", "-f", "-"], &graph)?;
    let created = crate::support::data(&created)?;
    let id = created["id"].as_str().context("an id")?;
    let line = format!("NO_COLOR=1 {WORKMILL} graph show {id} --watch");
    let terminal = Terminal::run(&server, &line)?;
    terminal.wait_for("more lines")?;
    server.json(&["graph", "cancel", id])?;
    let screen = terminal.wait_for("60: 60 cancelled")?;
    assert_eq!(screen.matches("title ").count(), 1, "{screen}");
    Ok(())
}
