//! The report for the documentation, as Markdown.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};

use crate::samples::{OURS, Samples, range};
use crate::targets::{self, Against, Bound};

const BEGIN: &str = "<!-- bench: the lines from here are written by ./dev bench -->";
const END: &str = "<!-- bench: end -->";

/// The columns of the comparison: ours, theirs.
const COLUMNS: &[(&str, &str, &str)] = &[
    ("single enqueue × 8", "submit_single_8", "enqueue_single_8"),
    ("bulk 1,000", "submit_bulk", "enqueue_bulk"),
    ("drain, 10 handlers", "drain_single", "drain_10"),
    (
        "drain, best batching",
        "drain_batched_best_engine",
        "drain_batched",
    ),
];

/// The whole report.
pub fn markdown(samples: &Samples) -> String {
    let mut text = String::new();
    for line in &samples.about {
        let _ = writeln!(text, "- {line}");
    }
    let (least, most) = samples.load_range();
    let rounds = match samples.rounds() {
        1 => "1 round".to_owned(),
        rounds => format!("{rounds} rounds, medians"),
    };
    let _ = writeln!(
        text,
        "- {rounds}; load average during the run {least:.1} to {most:.1}"
    );
    if !samples.is_whole {
        text.push_str("- **the run ended early**: this is what was measured until then\n");
    }
    targets_table(&mut text, samples);
    if !samples.peers().is_empty() {
        peers_table(&mut text, samples);
    }
    for ((who, measure), reason) in &samples.missed {
        let _ = writeln!(text, "\nNot measured: {who}, {measure}: {reason}");
    }
    ours_table(&mut text, samples);
    text
}

fn targets_table(text: &mut String, samples: &Samples) {
    text.push_str("\n| measure | ours | against | ratio | target | |\n|---|---|---|---|---|---|\n");
    for target in targets::all(samples) {
        let (against, ratio) = match &target.against {
            Against::Nothing => ("–".to_owned(), "–".to_owned()),
            Against::NotMeasured => ("not measured".to_owned(), "–".to_owned()),
            Against::Other { who, value, ratio } => {
                (format!("{who} {}", number(*value)), maybe(*ratio))
            }
        };
        let wanted = match target.bound {
            Bound::AtLeast(least) => format!("≥ {}", bound(least)),
            Bound::AtMost(most) => format!("≤ {}", bound(most)),
        };
        let verdict = match target.is_met() {
            None => "not measured",
            Some(true) => "met",
            Some(false) => "**missed**",
        };
        let (measure, ours) = (target.measure, number(target.ours));
        let _ = writeln!(
            text,
            "| {measure} | {ours} | {against} | {ratio} | {wanted} | {verdict} |"
        );
    }
}

fn peers_table(text: &mut String, samples: &Samples) {
    let raw = maybe(samples.median(OURS, crate::measures::YARDSTICK));
    let _ = writeln!(
        text,
        "\nIn parentheses: the ratio to the raw INSERT that was measured just before (median: {raw} per second):\n"
    );
    text.push('|');
    for (title, ..) in COLUMNS {
        let _ = write!(text, " | {title}");
    }
    let _ = writeln!(
        text,
        " | idle p50 / p99 ms |\n|---|{}---|",
        "---|".repeat(COLUMNS.len())
    );
    let title = format!("**{OURS}** (1.5 KB rows, history)");
    let names = COLUMNS.iter().map(|(_, ours, _)| *ours).collect();
    peers_line(text, samples, &title, OURS, names);
    for peer in samples.peers() {
        let version = samples.versions.get(peer).map_or("", String::as_str);
        let title = format!("{peer} {version}");
        let names = COLUMNS.iter().map(|(.., theirs)| *theirs).collect();
        peers_line(text, samples, title.trim_end(), peer, names);
    }
}

fn peers_line(text: &mut String, samples: &Samples, title: &str, who: &str, names: Vec<&str>) {
    let _ = write!(text, "| {title}");
    for name in names {
        let _ = write!(text, " | {}", maybe(samples.median(who, name)));
        if let Some(share) = samples.to_raw(who, name) {
            let _ = write!(text, " ({share:.2})");
        }
    }
    let idle = |name| maybe(samples.median(who, name));
    let _ = writeln!(
        text,
        " | {} / {} |",
        idle("idle_p50_ms"),
        idle("idle_p99_ms")
    );
}

fn ours_table(text: &mut String, samples: &Samples) {
    text.push_str("\nAll of ours, with the least and the most of the rounds:\n\n");
    text.push_str("| number | median | least | most |\n|---|---|---|---|\n");
    for name in samples.names(OURS) {
        let (least, most) = range(samples.all(OURS, name).iter().map(|(_, value)| *value));
        let median = maybe(samples.median(OURS, name));
        let (least, most) = (number(least), number(most));
        let _ = writeln!(text, "| `{name}` | {median} | {least} | {most} |");
    }
}

fn number(value: f64) -> String {
    if value < 100.0 {
        return format!("{value:.2}");
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// As it was written down: no digits that mean nothing.
fn bound(value: f64) -> String {
    if value < 100.0 {
        format!("{value:?}")
    } else {
        number(value)
    }
}

fn maybe(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), number)
}

/// Puts the report between the markers of the page.
pub fn write_page(page: &Path, report: &str) -> Result<()> {
    let text =
        std::fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
    let (before, rest) = text
        .split_once(BEGIN)
        .context("the page has no marker to begin at")?;
    let (_, after) = rest
        .split_once(END)
        .context("the page has no marker to end at")?;
    std::fs::write(page, format!("{before}{BEGIN}\n\n{report}\n{END}{after}"))?;
    Ok(())
}
