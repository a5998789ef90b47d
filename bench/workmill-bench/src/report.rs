//! The report for the documentation, as Markdown.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};

use crate::peers;
use crate::samples::{OURS, Samples, range};
use crate::targets::{self, Against, Bound};

/// The columns of the peers' table: ours, theirs.
const COLUMNS: &[(&str, &str, &str)] = &[
    ("single enqueue × 8", "submit_single_8", "enqueue_single_8"),
    ("bulk 1,000, 1.5 KB", "submit_bulk", "enqueue_bulk"),
    ("bulk 1,000, tiny", "submit_bulk_tiny", "enqueue_bulk_tiny"),
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
            Bound::Shown => "–".to_owned(),
        };
        let verdict = match (target.bound, target.is_met()) {
            (Bound::Shown, _) => "",
            (_, None) => "not measured",
            (_, Some(is_met)) => verdict(is_met),
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
    text.push_str("| | finished row | ten handlers fetch");
    for (title, ..) in COLUMNS {
        let _ = write!(text, " | {title}");
    }
    let _ = writeln!(
        text,
        " | idle p50 / p99 ms |\n|---|---|---|{}---|",
        "---|".repeat(COLUMNS.len())
    );
    let title =
        format!("**{OURS}** | kept, with its history | one a call; the engine batches calls");
    let names = COLUMNS.iter().map(|(_, ours, _)| *ours).collect();
    peers_line(text, samples, &title, OURS, names);
    for peer in samples.peers() {
        let version = samples.versions.get(peer).map_or("", String::as_str);
        let (row, fetch) = peers::about(peer).map_or(("–", "–"), |about| {
            let row = if about.keeps_rows { "kept" } else { "deleted" };
            let is_together = about.fetches_together;
            (
                row,
                if is_together {
                    "together"
                } else {
                    "one by one"
                },
            )
        });
        let title = format!(
            "{} | {row} | {fetch}",
            format!("{peer} {version}").trim_end()
        );
        let names = COLUMNS.iter().map(|(.., theirs)| *theirs).collect();
        peers_line(text, samples, &title, peer, names);
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
pub fn bound(value: f64) -> String {
    if value < 100.0 {
        format!("{value:?}")
    } else {
        number(value)
    }
}

pub fn maybe(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), number)
}

pub fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "**missed**" }
}

/// Replaces the lines of the page between the markers of a section.
pub fn write_page(page: &Path, section: &str, lines: &str) -> Result<()> {
    let begin = format!("<!-- {section}: the lines from here are written by ./dev bench -->");
    let end = format!("<!-- {section}: end -->");
    let text =
        std::fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
    let (before, rest) = text
        .split_once(&begin)
        .with_context(|| format!("the page lacks `{begin}`"))?;
    let (_, after) = rest
        .split_once(&end)
        .with_context(|| format!("the page lacks `{end}`"))?;
    std::fs::write(page, format!("{before}{begin}\n\n{lines}\n{end}{after}"))?;
    Ok(())
}
