//! The peers: small programs that `./dev bench` has installed, run one measure at a time.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::measures::Numbers;
use crate::server::Server;

const DATABASE: &str = "wm_bench_peer";
const LONGEST: Duration = Duration::from_secs(150);

pub struct Peer {
    pub name: &'static str,
    program: PathBuf,
    arguments: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct Line {
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
        let node = |name, script: &str| Peer {
            name,
            program: folder.join("node/node_modules/.bin/node"),
            arguments: vec![folder.join("node").join(script)],
        };
        let rust = |name, program: &str| Peer {
            name,
            program: folder.join("rust/release").join(program),
            arguments: Vec::new(),
        };
        vec![
            node("graphile-worker", "graphile-worker.mjs"),
            node("pg-boss", "pg-boss.mjs"),
            rust("graphile_worker (Rust)", "graphile_worker"),
            rust("awa", "awa"),
            rust("apalis-postgres", "apalis"),
            Peer {
                name: "procrastinate",
                program: folder.join("python/bin/python"),
                arguments: vec![sources.join("python/bench_procrastinate.py")],
            },
        ]
    }

    /// The numbers and the version that gave them.
    pub async fn run(&self, server: &Server, measure: &str, quick: bool) -> Result<(String, Numbers)> {
        if !self.program.exists() {
            bail!("not installed");
        }
        server.fresh_database(DATABASE).await?;
        let child = tokio::process::Command::new(&self.program)
            .args(&self.arguments)
            .arg(measure)
            .envs(server.variables(DATABASE)?)
            .env("BENCH_QUICK", if quick { "1" } else { "0" })
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let output = tokio::time::timeout(LONGEST, child.wait_with_output())
            .await
            .with_context(|| format!("no answer within {} s", LONGEST.as_secs()))??;
        server.drop_database(DATABASE).await?;
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text.lines().rev().find(|line| line.starts_with('{'));
        let Some(line) = line else {
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().rev().find(|line| line.to_lowercase().contains("error"));
            bail!("{}", last.or(said.lines().last()).unwrap_or("it said nothing").trim());
        };
        let line: Line = serde_json::from_str(line)?;
        Ok((line.version, line.values))
    }
}
