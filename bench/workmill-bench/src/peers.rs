//! The peers: small programs that `./dev bench` has installed, run one measure at a time.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::measures::{Numbers, Size};
use crate::scene;
use crate::server::Server;

const DATABASE: &str = "wm_bench_peer";

/// What a reader must know of a peer to read its numbers.
pub struct About {
    pub name: &'static str,
    /// Whether the row of a finished job stays in the database.
    pub keeps_rows: bool,
    /// Whether ten handlers get their jobs from one statement, or each from its own.
    pub fetches_together: bool,
}

const fn keeps(name: &'static str) -> About {
    About {
        name,
        keeps_rows: true,
        fetches_together: false,
    }
}

const fn deletes(name: &'static str) -> About {
    About {
        keeps_rows: false,
        ..keeps(name)
    }
}

const fn keeps_and_fetches_together(name: &'static str) -> About {
    About {
        fetches_together: true,
        ..keeps(name)
    }
}

/// pg-boss a second time, with one loop that fetches and completes ten jobs in one statement each.
const PG_BOSS_TOGETHER: &str = "pg-boss (ten together)";

pub const ALL: &[About] = &[
    deletes("graphile-worker"),
    keeps("pg-boss"),
    keeps_and_fetches_together(PG_BOSS_TOGETHER),
    deletes("graphile_worker (Rust)"),
    keeps_and_fetches_together("awa"),
    keeps_and_fetches_together("apalis-postgres"),
    keeps("procrastinate"),
];

pub fn about(name: &str) -> Option<&'static About> {
    ALL.iter().find(|peer| peer.name == name)
}

pub struct Peer {
    pub name: &'static str,
    program: PathBuf,
    script: Option<PathBuf>,
}

/// What a program prints at last.
#[derive(Deserialize)]
struct Answer {
    version: String,
    values: Numbers,
}

/// The measures of the peers that go with one of ours.
pub fn counterparts(measure: &str) -> &'static [&'static str] {
    match measure {
        "submit_single" => &["single"],
        "submit_bulk" => &["bulk", "bulk_tiny"],
        "drain_single" => &["drain"],
        "drain_batched" => &["drain_batched"],
        "idle" => &["idle"],
        _ => &[],
    }
}

impl Peer {
    /// `folder` is where `./dev bench` installs them, `sources` is `bench/peers`.
    pub fn all(folder: &Path, sources: &Path) -> Vec<Peer> {
        let node = folder.join("node");
        let of_node = |script: &str| (node.join("node_modules/.bin/node"), Some(node.join(script)));
        let peer = |about: &About| {
            let name = about.name;
            let (program, script) = match name {
                "graphile-worker" => of_node("graphile-worker.mjs"),
                "pg-boss" | PG_BOSS_TOGETHER => of_node("pg-boss.mjs"),
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
                script,
            }
        };
        ALL.iter().map(peer).collect()
    }

    /// What the peer's program calls a measure; `None` if the peer does not take part in it.
    fn argument<'a>(&self, measure: &'a str) -> Option<&'a str> {
        match (self.name, measure) {
            (PG_BOSS_TOGETHER, "drain") => Some("drain_together"),
            // procrastinate's worker takes and completes one job at a time in any configuration.
            (PG_BOSS_TOGETHER, _) | ("procrastinate", "drain_batched") => None,
            _ => Some(measure),
        }
    }

    pub fn has(&self, measure: &str) -> bool {
        self.argument(measure).is_some()
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
        let argument = self
            .argument(measure)
            .context("not a measure of this peer")?;
        // The programs bound their drains themselves; this is for a program that hangs.
        let longest = Duration::from_secs(size.pick(60, 150));
        let child = tokio::process::Command::new(&self.program)
            .args(&self.script)
            .arg(argument)
            .envs(server.variables(DATABASE)?)
            .env("BENCH_QUICK", size.pick("1", "0"))
            .env("BENCH_PAYLOAD", scene::payload())
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
