//! Measures Workmill and its peers on one PostgreSQL, in interleaved rounds.

/// Prints a line. Nobody reading it any more is no reason to stop measuring.
macro_rules! tell {
    ($($words:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stdout(), $($words)*);
    }};
}

mod comparison;
mod cost;
mod measures;
mod peers;
mod reason;
mod report;
mod run;
mod samples;
mod scene;
mod served;
mod server;
mod targets;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Parser;

use crate::run::Run;
use crate::samples::Samples;

/// Measures Workmill, and its peers next to it.
#[derive(Parser)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
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
    /// Only this peer; may be given several times.
    #[arg(long)]
    peer: Vec<String>,
    /// How often everything is measured.
    #[arg(long)]
    rounds: Option<usize>,
    /// Shows the most expensive statements of each measure (needs `pg_stat_statements`).
    #[arg(long)]
    statistics: bool,
    /// Measures nothing: writes the report from the samples of an earlier run.
    #[arg(long)]
    render: bool,
    /// Keeps the samples under this name, for `--compare`.
    #[arg(long, value_parser = label)]
    label: Option<String>,
    /// Measures nothing: shows the samples of a label, or of two side by side.
    #[arg(long, num_args = 1..=2, value_name = "LABEL", value_parser = label)]
    compare: Vec<String>,
    /// Where the peers are installed.
    #[arg(long, default_value = "bench/.cache")]
    cache: PathBuf,
    /// The sources of the peers.
    #[arg(long, default_value = "bench/peers")]
    peers: PathBuf,
    /// Every sample as a line of JSON.
    #[arg(long, default_value = "bench/.cache/samples.jsonl")]
    samples: PathBuf,
    /// Where the samples of labels are kept.
    #[arg(long, default_value = "bench/samples")]
    labels: PathBuf,
    /// The page whose table is replaced, when the run came to its end.
    #[arg(long)]
    page: Option<PathBuf>,
}

impl Arguments {
    /// As somebody would type it.
    fn command(&self) -> String {
        let mut words = vec!["./dev bench".to_owned()];
        for (is_given, flag) in [(self.quick, "--quick"), (self.no_peers, "--no-peers")] {
            if is_given {
                words.push(flag.to_owned());
            }
        }
        for (flag, names) in [("--measure", &self.measure), ("--peer", &self.peer)] {
            words.extend(names.iter().map(|name| format!("{flag} {name}")));
        }
        words.extend(self.rounds.map(|rounds| format!("--rounds {rounds}")));
        words.extend(self.label.iter().map(|label| format!("--label {label}")));
        words.join(" ")
    }

    fn samples_path(&self) -> PathBuf {
        match &self.label {
            Some(label) => self.label_path(label),
            None => self.samples.clone(),
        }
    }

    fn label_path(&self, label: &str) -> PathBuf {
        self.labels.join(format!("{label}.jsonl"))
    }

    fn check(&self) -> Result<()> {
        let peers: Vec<&str> = peers::ALL.iter().map(|peer| peer.name).collect();
        let measures: Vec<&str> = measures::ALL.iter().map(|measure| measure.name).collect();
        for (what, given, known) in [
            ("measure", &self.measure, &measures[..]),
            ("peer", &self.peer, &peers[..]),
        ] {
            if let Some(name) = given.iter().find(|name| !known.contains(&name.as_str())) {
                bail!(
                    "there is no {what} `{name}`; there are {}",
                    known.join(", ")
                );
            }
        }
        Ok(())
    }
}

/// A label is the name of a file.
fn label(name: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err("a label consists of letters, digits, - and _".to_owned());
    }
    Ok(name.to_owned())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// With as many threads as `workmill` itself takes: half of the processors.
fn run() -> Result<()> {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    if std::env::var_os("TOKIO_WORKER_THREADS").is_none() {
        let processors = std::thread::available_parallelism()?.get();
        runtime.worker_threads((processors / 2).max(1));
    }
    let runtime = runtime.enable_all().build()?;
    // On a worker, as the work of a program is: the thread that waits for it is none, and each
    // message would hop between the two.
    runtime.block_on(async { tokio::spawn(measure_or_render()).await? })
}

async fn measure_or_render() -> Result<()> {
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .init();
    let arguments = Arguments::parse();
    arguments.check()?;
    if !arguments.compare.is_empty() {
        return show_comparison(&arguments);
    }
    if arguments.render {
        return show(&arguments, &Samples::read(&arguments.samples_path())?, true);
    }
    let mut run = Run::start(&arguments).await?;
    // Whatever ends it, what was measured so far is shown.
    let ended = tokio::select! {
        ended = run.rounds(&arguments) => ended,
        () = told_to_stop() => Err(anyhow::anyhow!("told to stop")),
    };
    let is_whole = ended.is_ok();
    if is_whole {
        run.samples.end()?;
    }
    show(&arguments, &run.samples, is_whole)?;
    ended
}

/// Prints the report, and puts it into the page if there is one and it may be replaced.
fn show(arguments: &Arguments, samples: &Samples, may_replace: bool) -> Result<()> {
    let report = report::markdown(samples);
    tell!("\n{report}");
    match &arguments.page {
        Some(page) if may_replace => report::write_page(page, "bench", &report),
        _ => Ok(()),
    }
}

/// Prints the samples of labels side by side, and puts them into the page if there is one.
fn show_comparison(arguments: &Arguments) -> Result<()> {
    let mut labels = Vec::new();
    for label in &arguments.compare {
        let samples = Samples::read(&arguments.label_path(label))?;
        labels.push((label.as_str(), samples));
    }
    let comparison = comparison::markdown(&labels);
    tell!("\n{comparison}");
    match &arguments.page {
        Some(page) => report::write_page(page, "bench comparison", &comparison),
        None => Ok(()),
    }
}

async fn told_to_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate), Ok(mut hang_up)) = (
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
        signal(SignalKind::hangup()),
    ) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hang_up.recv() => {}
    }
}
