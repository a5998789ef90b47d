//! Medians, ratios against the targets, and the table for the documentation.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};

pub const OURS: &str = "workmill";

const BEGIN: &str = "<!-- bench: the lines from here are written by ./dev bench -->";
const END: &str = "<!-- bench: end -->";

/// All samples of a run.
#[derive(Default)]
pub struct Samples {
    values: BTreeMap<(String, String), Vec<f64>>,
    pub versions: BTreeMap<String, String>,
    pub unmeasured: BTreeMap<(String, String), String>,
}

impl Samples {
    pub fn add(&mut self, who: &str, name: &str, value: f64) {
        let key = (who.to_owned(), name.to_owned());
        self.values.entry(key).or_default().push(value);
    }

    pub fn median(&self, who: &str, name: &str) -> Option<f64> {
        let mut values = self.values.get(&(who.to_owned(), name.to_owned()))?.clone();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    }

    fn ours(&self, name: &str) -> Option<f64> {
        self.median(OURS, name)
    }

    fn peers(&self) -> BTreeSet<&str> {
        let names = self.values.keys().map(|(who, _)| who.as_str());
        names.filter(|who| *who != OURS).collect()
    }

    fn best(&self, name: &str, among: &[&str], low: bool) -> Option<(String, f64)> {
        let mut best: Option<(String, f64)> = None;
        for peer in self.peers() {
            if !among.is_empty() && !among.contains(&peer) {
                continue;
            }
            let Some(value) = self.median(peer, name) else { continue };
            let is_better = best.as_ref().is_none_or(|(_, best)| (value < *best) == low);
            if is_better {
                best = Some((peer.to_owned(), value));
            }
        }
        best
    }

    fn spread(&self, who: &str, name: &str) -> Option<(f64, f64)> {
        let values = self.values.get(&(who.to_owned(), name.to_owned()))?;
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(0.0, f64::max);
        Some((least, most))
    }
}

/// One line of "what it must reach".
struct Target {
    measure: &'static str,
    ours: Option<f64>,
    against: String,
    ratio: Option<f64>,
    wanted: &'static str,
    is_met: bool,
}

fn at_least(
    measure: &'static str,
    ours: Option<f64>,
    against: Option<(String, f64)>,
    wanted: &'static str,
    least: f64,
) -> Target {
    let ratio = ours.zip(against.as_ref()).map(|(ours, (_, other))| ours / other);
    Target {
        measure,
        ours,
        against: against.map_or("not measured".to_owned(), |(who, value)| {
            format!("{who} {}", number(value))
        }),
        ratio,
        wanted,
        is_met: ratio.is_some_and(|ratio| ratio >= least),
    }
}

fn at_most(measure: &'static str, ours: Option<f64>, wanted: &'static str, most: f64) -> Target {
    Target {
        measure,
        ours,
        against: "–".to_owned(),
        ratio: ours,
        wanted,
        is_met: ours.is_some_and(|ours| ours <= most),
    }
}

fn targets(samples: &Samples) -> Vec<Target> {
    let ours = |name: &str| samples.ours(name);
    let named = |who: &str, value: Option<f64>| value.map(|value| (who.to_owned(), value));
    let raw = || named("raw INSERT", ours("raw_insert"));
    let batched = ours("drain_batched_best_engine")
        .into_iter()
        .chain(ours("drain_batched_best_store"))
        .reduce(f64::max);
    let deleting = ["graphile_worker (Rust)", "graphile-worker"];
    let mut all = vec![
        at_least("single submits × 8 / raw INSERT × 8", ours("submit_single_8"), raw(), "≥ 0.5", 0.5),
        at_least(
            "single submits × 8 / best peer",
            ours("submit_single_8"),
            samples.best("enqueue_single_8", &[], false),
            "≥ 1.5",
            1.5,
        ),
        at_least(
            "bulk submit, 1.5 KB / best peer (tiny payload)",
            ours("submit_bulk"),
            samples.best("enqueue_bulk", &[], false),
            "≥ 0.5",
            0.5,
        ),
        at_least(
            "bulk submit, tiny payload / best peer",
            ours("submit_bulk_tiny"),
            samples.best("enqueue_bulk", &[], false),
            "≥ 0.8",
            0.8,
        ),
        at_least(
            "drain, 10 handlers / best peer",
            ours("drain_single"),
            samples.best("drain_10", &[], false),
            "≥ 1.2",
            1.2,
        ),
        at_least(
            "drain, batched / awa's best",
            batched,
            samples.best("drain_batched", &["awa"], false),
            "≥ 1.5",
            1.5,
        ),
        at_least(
            "drain, batched / fastest that deletes",
            batched,
            samples.best("drain_batched", &deleting, false),
            "≥ 0.6",
            0.6,
        ),
        at_least(
            "claims at the deep backlog / at 10k",
            ours("claims_at_1m"),
            named("at 10k", ours("claims_at_10k")),
            "≥ 0.8",
            0.8,
        ),
        at_least(
            "claims, 99 % of the head for others / all mine",
            ours("claims_99_foreign"),
            named("all mine", ours("claims_all_mine")),
            "≥ 0.8",
            0.8,
        ),
        at_least(
            "held snapshot, last 5 s / first 5 s",
            ours("snapshot_held_last"),
            named("first 5 s", ours("snapshot_held_first")),
            "≥ 0.8",
            0.8,
        ),
        at_least(
            "submits, 50 agents waiting / none",
            ours("submit_waiting_agents"),
            named("none", ours("submit_waiting_none")),
            "≥ 0.8",
            0.8,
        ),
        at_least(
            "submits, 50 servers waiting / none",
            ours("submit_waiting_servers"),
            named("none", ours("submit_waiting_none")),
            "≥ 0.8",
            0.8,
        ),
        at_most("WAL bytes a task, one at a time", ours("wal_bytes_single"), "≤ 5,120", 5120.0),
        at_most("WAL bytes a task, batched", ours("wal_bytes_batched"), "≤ 5,120", 5120.0),
        at_most("10,000 leases, each beating on its own: % of a core", ours("heartbeats_spread_percent"), "≤ 2", 2.0),
        at_most("10,000 leases, beating worker by worker: % of a core", ours("heartbeats_by_worker_percent"), "≤ 2", 2.0),
    ];
    let best = samples.best("idle_p50_ms", &[], true);
    let idle = ours("idle_p50_ms");
    let ratio = idle.zip(best.as_ref()).map(|(idle, (_, best))| idle / best);
    all.insert(
        10,
        Target {
            measure: "idle submit → start, p50 ms / best peer",
            ours: idle,
            against: best.map_or("not measured".to_owned(), |(who, ms)| format!("{who} {}", number(ms))),
            ratio,
            wanted: "≤ 1.0",
            is_met: ratio.is_some_and(|ratio| ratio <= 1.0),
        },
    );
    all.retain(|target| target.ours.is_some());
    all
}

fn number(value: f64) -> String {
    if value < 100.0 {
        return format!("{value:.2}");
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn maybe(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), number)
}

/// The whole report, as Markdown.
pub fn markdown(samples: &Samples, about: &[String]) -> String {
    let mut text = String::new();
    for line in about {
        let _ = writeln!(text, "- {line}");
    }
    text.push_str("\n| measure | ours | against | ratio | target | |\n|---|---|---|---|---|---|\n");
    for target in targets(samples) {
        let verdict = match (target.ratio, target.is_met) {
            (None, _) => "not measured",
            (_, true) => "met",
            (_, false) => "**missed**",
        };
        let ratio = if target.against == "–" { "–".to_owned() } else { maybe(target.ratio) };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {ratio} | {} | {verdict} |",
            target.measure,
            maybe(target.ours),
            target.against,
            target.wanted,
        );
    }
    if !samples.peers().is_empty() || !samples.unmeasured.is_empty() {
        peers_table(&mut text, samples);
    }
    text.push_str("\nAll of ours, with the least and the most of the rounds:\n\n| number | median | least | most |\n|---|---|---|---|\n");
    for (who, name) in samples.values.keys() {
        if who == OURS {
            let (least, most) = samples.spread(who, name).unwrap_or_default();
            let median = maybe(samples.median(who, name));
            let _ = writeln!(text, "| `{name}` | {median} | {} | {} |", number(least), number(most));
        }
    }
    text
}

fn peers_table(text: &mut String, samples: &Samples) {
    text.push_str(
        "\n| | single enqueue × 8 | bulk 1,000 | drain, 10 handlers | drain, best batching | idle p50 / p99 ms |\n|---|---|---|---|---|---|\n",
    );
    let ours = |name| samples.median(OURS, name);
    let batched = ours("drain_batched_best_engine")
        .into_iter()
        .chain(ours("drain_batched_best_store"))
        .reduce(f64::max);
    let _ = writeln!(
        text,
        "| **workmill** (1.5 KB rows, history) | {} | {} | {} | {} | {} / {} |",
        maybe(ours("submit_single_8")),
        maybe(ours("submit_bulk")),
        maybe(ours("drain_single")),
        maybe(batched),
        maybe(ours("idle_p50_ms")),
        maybe(ours("idle_p99_ms")),
    );
    for peer in samples.peers() {
        let value = |name| maybe(samples.median(peer, name));
        let version = samples.versions.get(peer).map_or("", String::as_str);
        let _ = writeln!(
            text,
            "| {peer} {version} | {} | {} | {} | {} | {} / {} |",
            value("enqueue_single_8"),
            value("enqueue_bulk"),
            value("drain_10"),
            value("drain_batched"),
            value("idle_p50_ms"),
            value("idle_p99_ms"),
        );
    }
    for ((peer, measure), reason) in &samples.unmeasured {
        let _ = writeln!(text, "\nNot measured: {peer}, {measure}: {reason}");
    }
}

/// Puts the report between the markers of the page.
pub fn write_page(page: &Path, report: &str) -> Result<()> {
    let text = std::fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
    let (before, rest) = text.split_once(BEGIN).context("the page has no marker to begin at")?;
    let (_, after) = rest.split_once(END).context("the page has no marker to end at")?;
    std::fs::write(page, format!("{before}{BEGIN}\n\n{report}\n{END}{after}"))?;
    Ok(())
}
