//! Running the program: in a home of its own, with nothing of the real user's around it.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_mins(1);

/// A user's home, with a data folder in it.
pub struct Home {
    folder: TempDir,
}

impl Home {
    pub fn new() -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("workmill-cli-").tempdir()?;
        // The user who runs PostgreSQL for root has to get through.
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755))?;
        Ok(Home { folder })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_workmill"));
        command.args(arguments);
        command
    }

    /// Another program, with nothing of the real user's around it either.
    pub fn program(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let kept = |name: &str| matches!(name, "PATH" | "WORKMILL_PG_BIN" | "TMPDIR" | "USER");
        for (name, _) in std::env::vars().filter(|(name, _)| !kept(name)) {
            command.env_remove(name);
        }
        command
            .current_dir(self.path())
            .env("HOME", self.path())
            .env("WORKMILL_DATA", self.data())
            .stdin(Stdio::null());
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> Result<Output> {
        Ok(self.command(arguments).output()?)
    }

    /// The server process of the private cluster.
    pub fn postmaster(&self) -> Option<Pid> {
        postmaster_of(&self.data())
    }
}

impl Drop for Home {
    /// What a failed test left running.
    fn drop(&mut self) {
        if let Some(pid) = self.postmaster() {
            let _ = kill(pid, Signal::SIGQUIT);
        }
    }
}

pub fn postmaster_of(data: &Path) -> Option<Pid> {
    let text = std::fs::read_to_string(data.join("postgres/postmaster.pid")).ok()?;
    text.lines().next()?.trim().parse().ok().map(Pid::from_raw)
}

/// A process that has ended and that nobody has asked about yet does not count.
pub fn is_alive(pid: Pid) -> bool {
    let output = Command::new("ps")
        .args(["-o", "stat=", "-p", &pid.to_string()])
        .output();
    let state = output.map(|output| output.stdout).unwrap_or_default();
    !state.is_empty() && !state.starts_with(b"Z")
}

/// `workmill up` or `serve`, running.
pub struct Running {
    pub child: Child,
    pub url: String,
    pub stdout: BufReader<ChildStdout>,
}

impl Running {
    /// Starts it on a free port and waits until it is ready.
    pub fn start(command: Command) -> Result<Self> {
        Running::start_logging(command, Stdio::piped())
    }

    /// The same, with standard error where the test wants it.
    pub fn start_logging(command: Command, log: impl Into<Stdio>) -> Result<Self> {
        Running::start_on(command, 0, log)
    }

    /// The same on a port of the test's choice.
    pub fn start_on(mut command: Command, port: u16, log: impl Into<Stdio>) -> Result<Self> {
        command
            .args(["--port", &port.to_string()])
            .stdout(Stdio::piped())
            .stderr(log);
        let mut child = command.spawn()?;
        let stdout = child.stdout.take().context("standard output is piped")?;
        let mut running = Running {
            child,
            url: String::new(),
            stdout: BufReader::new(stdout),
        };
        let first = running.line()?;
        let url = first.trim().strip_prefix("Workmill is ready at ");
        running.url = match url {
            Some(url) => url.to_owned(),
            None => anyhow::bail!("it says `{first}` and {}", running.errors()),
        };
        Ok(running)
    }

    pub fn pid(&self) -> Pid {
        Pid::from_raw(self.child.id().cast_signed())
    }

    /// Empty at the end of the output.
    pub fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        self.stdout.read_line(&mut line)?;
        Ok(line)
    }

    /// Sends the signal and waits for the end: the exit code and what was said on the way.
    pub fn stop(mut self, signal: Signal) -> Result<(Option<i32>, String)> {
        kill(self.pid(), signal)?;
        let errors = self.errors();
        Ok((self.child.wait()?.code(), errors))
    }

    /// Standard error, to its end.
    fn errors(&mut self) -> String {
        let errors = self.child.stderr.take();
        errors
            .and_then(|errors| std::io::read_to_string(errors).ok())
            .unwrap_or_default()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Asks again until it is so.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) -> Result<()> {
    let began = Instant::now();
    while !is_so() {
        ensure!(began.elapsed() < PATIENCE, "waited too long until {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The data of a `--json` answer; standard output holds nothing else.
pub fn data(output: &Output) -> Result<Value> {
    let mut answer: Value = serde_json::from_slice(&output.stdout).with_context(|| {
        format!(
            "{} is not JSON; {}",
            String::from_utf8_lossy(&output.stdout),
            stderr(output)
        )
    })?;
    ensure!(answer["schema_version"] == 1, "{answer}");
    Ok(answer["data"].take())
}

pub fn assert_exit(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}", stderr(output));
}
