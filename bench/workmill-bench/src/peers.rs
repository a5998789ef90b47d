//! The peers: small programs that `./dev bench` has installed, run one measure at a time.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::measures::{Numbers, Size};
use crate::server::Server;

const DATABASE: &str = "wm_bench_peer";

pub const NAMES: &[&str] = &[
    "graphile-worker",
    "pg-boss",
    "graphile_worker (Rust)",
    "awa",
    "apalis-postgres",
    "procrastinate",
];

pub struct Peer {
    pub name: &'static str,
    program: PathBuf,
    arguments: Vec<PathBuf>,
}

/// What a program prints at last.
#[derive(Deserialize)]
struct Answer {
    version: String,
    values: Numbers,
}

/// Which measure of the peers goes with one of ours.
pub fn counterpart(measure: &str) -> Option<&'static str> {
    match measure {
        "submit_single" => Some("single"),
        "submit_bulk" => Some("bulk"),
        "drain_single" => Some("drain"),
        "drain_batched" => Some("drain_batched"),
        "idle" => Some("idle"),
        _ => None,
    }
}

impl Peer {
    /// `folder` is where `./dev bench` installs them, `sources` is `bench/peers`.
    pub fn all(folder: &Path, sources: &Path) -> Vec<Peer> {
        NAMES
            .iter()
            .map(|&name| {
                let (program, script) = match name {
                    "graphile-worker" | "pg-boss" => {
                        let script = folder.join("node").join(format!("{name}.mjs"));
                        (folder.join("node/node_modules/.bin/node"), Some(script))
                    }
                    "procrastinate" => {
                        let script = sources.join("python/bench_procrastinate.py");
                        (folder.join("python/bin/python"), Some(script))
                    }
                    "graphile_worker (Rust)" => (folder.join("rust/release/graphile_worker"), None),
                    "apalis-postgres" => (folder.join("rust/release/apalis"), None),
                    _ => (folder.join("rust/release").join(name), None),
                };
                Peer {
                    name,
                    program,
                    arguments: script.into_iter().collect(),
                }
            })
            .collect()
    }

    /// procrastinate's worker takes and ends one job at a time, whatever it is told.
    pub fn has(&self, measure: &str) -> bool {
        (self.name, measure) != ("procrastinate", "drain_batched")
    }

    /// The version and its numbers.
    pub async fn run(
        &self,
        server: &Server,
        measure: &str,
        size: Size,
    ) -> Result<(String, Numbers)> {
        if !self.program.exists() {
            bail!("not installed");
        }
        server.fresh_database(DATABASE).await?;
        let answer = self.answer(server, measure, size).await;
        server.drop_database(DATABASE).await?;
        let answer = answer?;
        Ok((answer.version, answer.values))
    }

    async fn answer(&self, server: &Server, measure: &str, size: Size) -> Result<Answer> {
        // The programs bound their drains themselves; this is for what hangs.
        let longest = Duration::from_secs(size.pick(60, 150));
        let child = tokio::process::Command::new(&self.program)
            .args(&self.arguments)
            .arg(measure)
            .envs(server.variables(DATABASE)?)
            .env("BENCH_QUICK", size.pick("1", "0"))
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .context("it does not start")?;
        let output = tokio::time::timeout(longest, child.wait_with_output())
            .await
            .ok()
            .with_context(|| format!("no answer within {} s", longest.as_secs()))??;
        let text = String::from_utf8_lossy(&output.stdout);
        let Some(line) = text.lines().rev().find(|line| line.starts_with('{')) else {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("{}", complaint(&said).unwrap_or("it said nothing"));
        };
        serde_json::from_str(line).context("its answer is not understood")
    }
}

/// The line that most likely says what went wrong.
fn complaint(said: &str) -> Option<&str> {
    let mut lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let error = lines
        .clone()
        .find(|line| line.to_lowercase().contains("error"));
    error.or_else(|| lines.next_back())
}
