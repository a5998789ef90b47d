//! The samples of one label, or of two side by side, as Markdown.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::cost::{CLIENT_US, CPU_US, SERVER_US, WAL_BYTES};
use crate::report::{bound, maybe, verdict};
use crate::samples::{OURS, Samples};
use crate::targets::{self, Bound};

/// A label and its samples.
type Label<'a> = (&'a str, Samples);

/// The costs, as columns.
const COSTS: &[(&str, &str)] = &[
    ("tasks a second", ""),
    ("server's CPU µs a task", SERVER_US),
    ("client's CPU µs a task", CLIENT_US),
    ("CPU µs a task", CPU_US),
    ("WAL bytes a task", WAL_BYTES),
];

pub fn markdown(labels: &[Label]) -> String {
    let mut text = String::new();
    for (label, samples) in labels {
        let (least, most) = samples.load_range();
        let about = samples.about.join("; ");
        let _ = writeln!(
            text,
            "- {label}: {about}; median of {} rounds; load average {least:.1} to {most:.1}",
            samples.rounds()
        );
    }
    let names: BTreeSet<&str> = labels
        .iter()
        .flat_map(|(_, samples)| samples.names(OURS))
        .collect();
    let has_costs = |name: &str| names.contains(format!("{name}{CLIENT_US}").as_str());
    costs_table(
        &mut text,
        labels,
        names.iter().filter(|name| has_costs(name)),
    );
    let is_cost = |name: &str| {
        let stem = COSTS.iter().find_map(|(_, suffix)| {
            let stem = name.strip_suffix(suffix)?;
            (!suffix.is_empty()).then_some(stem)
        });
        has_costs(stem.unwrap_or(name))
    };
    others_table(
        &mut text,
        labels,
        names.iter().filter(|name| !is_cost(name)),
    );
    text
}

fn costs_table<'a>(text: &mut String, labels: &[Label], names: impl Iterator<Item = &'a &'a str>) {
    let titles: Vec<&str> = COSTS.iter().map(|(title, _)| *title).collect();
    let _ = writeln!(
        text,
        "\n| measure | {} | target |\n|---|{}---|",
        titles.join(" | "),
        "---|".repeat(COSTS.len())
    );
    for name in names {
        let _ = write!(text, "| `{name}`");
        for (_, suffix) in COSTS {
            let _ = write!(text, " | {}", cell(labels, &format!("{name}{suffix}")));
        }
        let _ = writeln!(text, " | {} |", wanted(labels, name));
    }
}

fn others_table<'a>(text: &mut String, labels: &[Label], names: impl Iterator<Item = &'a &'a str>) {
    let _ = writeln!(text, "\n| number | value |\n|---|---|");
    for name in names {
        let _ = writeln!(text, "| `{name}` | {} |", cell(labels, name));
    }
}

/// The medians of the labels, and the last one's ratio to the first.
fn cell(labels: &[Label], name: &str) -> String {
    let values: Vec<Option<f64>> = labels
        .iter()
        .map(|(_, samples)| samples.median(OURS, name))
        .collect();
    let texts: Vec<String> = values.iter().map(|value| maybe(*value)).collect();
    let text = texts.join(" → ");
    match values[..] {
        [Some(before), Some(after)] => format!("{text} ({:.2})", after / before),
        _ => text,
    }
}

/// The bounds of a measure's costs, and whether the last label keeps them.
fn wanted(labels: &[Label], name: &str) -> String {
    let mut bounds = Vec::new();
    for (title, suffix) in [("CPU", CPU_US), ("WAL", WAL_BYTES)] {
        let name = format!("{name}{suffix}");
        let reached = labels
            .last()
            .and_then(|(_, samples)| samples.median(OURS, &name));
        if let (Some(Bound::AtMost(most)), Some(reached)) = (targets::bound(&name), reached) {
            let verdict = verdict(reached <= most);
            bounds.push(format!("{title} ≤ {}: {verdict}", bound(most)));
        }
    }
    bounds.join(", ")
}

#[cfg(test)]
mod tests {
    use super::markdown;
    use crate::samples::{OURS, Place, Samples};

    fn samples(cpu: f64) -> Samples {
        let mut samples = Samples::default();
        for (name, value) in [
            ("submit_bulk", 1000.0),
            ("submit_bulk_client_us", 5.0),
            ("submit_bulk_cpu_us", cpu),
            ("idle_p50_ms", 1.5),
        ] {
            let place = Place::new(1, "block");
            samples.add(&place, OURS, name, value).unwrap();
        }
        samples
    }

    #[test]
    fn two_labels_stand_side_by_side_with_the_verdict_on_the_last() {
        let text = markdown(&[("before", samples(30.0)), ("after", samples(21.0))]);
        let line = "| `submit_bulk` | 1,000 → 1,000 (1.00) | – → – | 5.00 → 5.00 (1.00) \
                    | 30.00 → 21.00 (0.70) | – → – | CPU ≤ 24.0: met |";
        assert!(text.lines().any(|one| one == line), "{text}");
        assert!(text.contains("| `idle_p50_ms` | 1.50 → 1.50 (1.00) |"));
        assert!(!text.contains("| `submit_bulk_client_us`"));
        let text = markdown(&[("after", samples(21.0)), ("before", samples(30.0))]);
        assert!(text.contains("CPU ≤ 24.0: **missed**"));
    }
}
