//! Measures Workmill and its peers on one PostgreSQL, in interleaved rounds.

mod measures;
mod peers;
mod report;
mod scene;
mod server;

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Parser;
use serde_json::json;

use crate::measures::Size;
use crate::peers::Peer;
use crate::report::{OURS, Samples};
use crate::server::Server;

/// Measures Workmill, and its peers next to it.
#[derive(Parser)]
struct Arguments {
    /// A few seconds for each measure, in one round.
    #[arg(long)]
    quick: bool,
    /// Only Workmill and the raw INSERT.
    #[arg(long)]
    no_peers: bool,
    /// Only this measure; may be given several times.
    #[arg(long)]
    measure: Vec<String>,
    /// How often everything is measured.
    #[arg(long)]
    rounds: Option<usize>,
    /// Shows the most expensive statements of each measure (needs pg_stat_statements).
    #[arg(long)]
    statistics: bool,
    /// Where the peers are installed.
    #[arg(long, default_value = "bench/.cache")]
    cache: PathBuf,
    /// The sources of the peers.
    #[arg(long, default_value = "bench/peers")]
    peers: PathBuf,
    /// Every sample as a line of JSON.
    #[arg(long, default_value = "bench/.cache/samples.jsonl")]
    samples: PathBuf,
    /// The page whose table is replaced.
    #[arg(long)]
    page: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> Result<()> {
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .init();
    let arguments = Arguments::parse();
    for name in &arguments.measure {
        if !measures::ALL.iter().any(|measure| measure.name == name) {
            let names: Vec<&str> = measures::ALL.iter().map(|measure| measure.name).collect();
            bail!("there is no measure `{name}`; there are {}", names.join(", "));
        }
    }
    let server = Server::start(arguments.statistics)?;
    let facts = server.facts().await?.line();
    println!("{facts}");
    let mut run = Run {
        peers: if arguments.no_peers {
            Vec::new()
        } else {
            Peer::all(&arguments.cache, &arguments.peers)
        },
        samples: Samples::default(),
        file: create(&arguments.samples)?,
        loads: Vec::new(),
        server,
        arguments,
    };
    let rounds = run.arguments.rounds.unwrap_or(if run.arguments.quick { 1 } else { 3 });
    for round in 1..=rounds {
        run.round(round).await?;
    }
    let about = [
        format!("`{}`, {}", run.command(), jiff::Timestamp::now().strftime("%Y-%m-%d")),
        facts,
        format!("{rounds} rounds, medians; load average during the run {}", run.load_range()),
    ];
    let report = report::markdown(&run.samples, &about);
    println!("\n{report}");
    if let Some(page) = &run.arguments.page {
        report::write_page(page, &report)?;
    }
    Ok(())
}

fn create(path: &PathBuf) -> Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    Ok(File::create(path)?)
}

struct Run {
    arguments: Arguments,
    server: Server,
    peers: Vec<Peer>,
    samples: Samples,
    file: File,
    loads: Vec<f64>,
}

impl Run {
    async fn round(&mut self, round: usize) -> Result<()> {
        for measure in measures::ALL {
            let chosen = &self.arguments.measure;
            let is_chosen = chosen.is_empty() || chosen.iter().any(|name| name == measure.name);
            if !is_chosen || (measure.once && round > 1) {
                continue;
            }
            self.measure(round, measure.name).await?;
            if let Some(counterpart) = peers::counterpart(measure.name) {
                for peer in std::mem::take(&mut self.peers) {
                    self.measure_peer(round, &peer, counterpart).await?;
                    self.peers.push(peer);
                }
            }
        }
        Ok(())
    }

    async fn measure(&mut self, round: usize, name: &str) -> Result<()> {
        if self.arguments.statistics {
            self.server.reset_statistics().await?;
        }
        let start = Instant::now();
        let size = Size {
            quick: self.arguments.quick,
        };
        match measures::run(name, &self.server, size).await {
            Ok(numbers) => {
                let took = start.elapsed().as_secs_f64();
                println!("round {round}: {name} ({took:.0} s, load {:.1})", server::load());
                for (name, value) in numbers {
                    self.take(round, OURS, &name, value)?;
                }
            }
            Err(error) => {
                println!("round {round}: {name} failed: {error:#}");
                let key = (OURS.to_owned(), name.to_owned());
                self.samples.unmeasured.insert(key, format!("{error:#}"));
            }
        }
        if self.arguments.statistics {
            for line in self.server.statistics().await? {
                println!("{line}");
            }
        }
        Ok(())
    }

    async fn measure_peer(&mut self, round: usize, peer: &Peer, measure: &str) -> Result<()> {
        match peer.run(&self.server, measure, self.arguments.quick).await {
            Ok((version, numbers)) => {
                self.samples.versions.insert(peer.name.to_owned(), version);
                for (name, value) in numbers {
                    self.take(round, peer.name, &name, value)?;
                }
            }
            Err(error) => {
                println!("    {} {measure} not measured: {error:#}", peer.name);
                let key = (peer.name.to_owned(), measure.to_owned());
                self.samples.unmeasured.insert(key, format!("{error:#}"));
            }
        }
        Ok(())
    }

    fn take(&mut self, round: usize, who: &str, name: &str, value: f64) -> Result<()> {
        let load = server::load();
        self.loads.push(load);
        self.samples.add(who, name, value);
        println!("    {who} {name} {value:.2}");
        let line = json!({"round": round, "who": who, "name": name, "value": value, "load": load});
        writeln!(self.file, "{line}")?;
        Ok(())
    }

    fn command(&self) -> String {
        let mut command = "./dev bench".to_owned();
        if self.arguments.quick {
            command.push_str(" --quick");
        }
        if self.arguments.no_peers {
            command.push_str(" --no-peers");
        }
        for measure in &self.arguments.measure {
            command.push_str(&format!(" --measure {measure}"));
        }
        command
    }

    fn load_range(&self) -> String {
        let least = self.loads.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.loads.iter().copied().fold(0.0, f64::max);
        format!("{least:.1} to {most:.1}")
    }
}
