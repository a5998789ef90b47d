//! `workmill agent run` with real commands against a real server: how each of them ends.

mod context;
mod crew;
mod endings;
mod inside;
mod outage;
mod presets;
mod stopping;

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_protocol::tasks::Task;
use workmill_sdk::Client;
use workmill_server::keys;
use workmill_store::Store;
use workmill_store::access::{CreateKey, EnsureNamespace};
use workmill_testkit::database::TestDatabase;
use workmill_testkit::factory::task;

use crate::support::{Home, Running, assert_exit, is_alive, stderr};

const PATIENCE: Duration = Duration::from_mins(1);

/// Waits until the test says that it may go on.
pub const WAIT: &str = "until [ -e gate ]; do sleep 0.02; done;";

/// A server that can be taken away, and the folder that commands run in.
pub struct Mill {
    // Before the database, so that nobody uses it when it is dropped.
    server: Option<Running>,
    pub home: Home,
    pub url: String,
    pub admin: Client,
    pub admin_key: String,
    /// The key of the agents.
    pub key: String,
    database: TestDatabase,
}

impl Mill {
    pub async fn start() -> Result<Mill> {
        let database = TestDatabase::new().await?;
        let store = Store::new(database.url(), 2)?;
        let (ns, _) = store.run(&EnsureNamespace { name: "default" }).await?;
        let [admin, agent] = [keys::mint(), keys::mint()];
        for (name, role, token) in [("root", "admin", &admin), ("crew", "agent", &agent)] {
            let hash = &keys::hash(token);
            store
                .run(&CreateKey {
                    ns,
                    name,
                    role,
                    hash,
                })
                .await?;
        }
        let home = Home::new()?;
        let server = serve(&home, &database, 0)?;
        let url = server.url.clone();
        Ok(Mill {
            admin: Client::new(&url, &admin)?,
            admin_key: admin,
            server: Some(server),
            home,
            url,
            key: agent,
            database,
        })
    }

    /// Kills the server without a word.
    pub fn take_away(&mut self) -> Result<()> {
        let mut server = self.server.take().context("it is there")?;
        server.child.kill()?;
        server.child.wait()?;
        Ok(())
    }

    /// Starts it again at its address.
    pub fn bring_back(&mut self) -> Result<()> {
        let port = self.url.rsplit(':').next().context("a port")?;
        self.server = Some(serve(&self.home, &self.database, port.parse()?)?);
        Ok(())
    }

    pub async fn submit(&self, task: NewTask) -> Result<TaskId> {
        Ok(self.admin.submit(vec![task]).await?.tasks[0].id)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.home.command(&["agent", "run"]);
        command
            .args(arguments)
            .env("WORKMILL_URL", &self.url)
            .env("WORKMILL_TOKEN", &self.key);
        command
    }

    /// Claims once, runs the script, and returns the task afterwards.
    pub async fn run_once(&self, new: NewTask, script: &str) -> Result<Task> {
        let id = self.submit(new).await?;
        let output = self
            .command(&["--once", "--", "sh", "-c", script])
            .output()?;
        assert_exit(&output, 0);
        Ok(self.admin.task(id).await?)
    }

    /// Starts a runner that goes on until it is stopped.
    pub fn start_runner(&self, arguments: &[&str]) -> Result<Runner> {
        let mut command = self.command(arguments);
        let log = std::fs::File::create(self.path("log"))?;
        let child = command.stdout(Stdio::piped()).stderr(log).spawn()?;
        Ok(Runner(Some(child)))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub fn open_gate(&self) -> Result<()> {
        Ok(std::fs::write(self.path("gate"), "")?)
    }

    /// What a command has written, once it has written a whole line.
    pub fn line_of(&self, name: &str) -> Result<String> {
        let path = self.path(name);
        let read = || std::fs::read_to_string(&path).unwrap_or_default();
        crate::support::wait_until(name, || read().ends_with('\n'))?;
        Ok(read().trim().to_owned())
    }

    pub fn process(&self, name: &str) -> Result<Pid> {
        Ok(Pid::from_raw(self.line_of(name)?.parse()?))
    }

    pub fn wait_for_log(&self, text: &str) -> Result<()> {
        let path = self.path("log");
        let read = || std::fs::read_to_string(&path).unwrap_or_default();
        crate::support::wait_until(text, || read().contains(text))
    }

    /// Looks again until the task is as it should be.
    pub async fn task_when(&self, id: TaskId, is_so: impl Fn(&Task) -> bool) -> Result<Task> {
        let began = Instant::now();
        loop {
            let task = self.admin.task(id).await?;
            if is_so(&task) {
                return Ok(task);
            }
            ensure!(began.elapsed() < PATIENCE, "waited too long: {task:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub async fn task_in(&self, id: TaskId, state: State) -> Result<Task> {
        self.task_when(id, |task| task.status == state).await
    }
}

fn serve(home: &Home, database: &TestDatabase, port: u16) -> Result<Running> {
    let mut command = home.command(&["serve"]);
    command.env("DATABASE_URL", database.url());
    Running::start_on(command, port, Stdio::null())
}

/// A runner that goes on; killed when a test fails.
pub struct Runner(Option<Child>);

impl Runner {
    pub fn pid(&self) -> Pid {
        let child = self.0.as_ref().expect("it runs");
        Pid::from_raw(child.id().cast_signed())
    }

    pub fn signal(&self, signal: Signal) -> Result<()> {
        Ok(kill(self.pid(), signal)?)
    }

    /// Sends these, and waits for its end.
    pub fn stopped(self, signals: &[Signal]) -> Result<Value> {
        for signal in signals {
            self.signal(*signal)?;
        }
        self.ended()
    }

    /// Waits for its end, and returns what it says then.
    pub fn ended(mut self) -> Result<Value> {
        let child = self.0.take().context("it runs")?;
        let output = child.wait_with_output()?;
        assert_exit(&output, 0);
        tally(&output)
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn tally(output: &Output) -> Result<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    crate::support::data(output).with_context(|| format!("{text} {}", stderr(output)))
}

/// A tally with so many attempts that ended in this way and none in another.
pub fn counted(how: &str, count: u64) -> Value {
    let all = [
        "completed",
        "failed",
        "timed_out",
        "over_budget",
        "blocked",
        "waiting",
        "cancelled",
        "released",
        "lost",
        "unreported",
    ];
    let count_of = |name: &str| if name == how { count } else { 0 };
    all.iter()
        .map(|&name| (name.to_owned(), Value::from(count_of(name))))
        .collect()
}

/// A task that is tried once, with a lively lease.
pub fn once(title: &str) -> NewTask {
    NewTask {
        max_attempts: Some(1),
        heartbeat_interval_sec: Some(0.2),
        ..task(title)
    }
}

/// What it has put out.
pub fn output(task: &Task) -> Value {
    let output = task.output.as_ref();
    output.map(|output| output.data.clone()).unwrap_or_default()
}

pub fn assert_gone(processes: &[Pid]) {
    for process in processes {
        assert!(!is_alive(*process), "{process} is left behind");
    }
}
