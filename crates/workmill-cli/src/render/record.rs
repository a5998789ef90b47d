//! What was done by hand, and how long things are kept, as text for people.

use workmill_protocol::audit::AuditList;

use super::{plain, short, table, trimmed};
use crate::commands::Kept;

const DAY: f64 = 86_400.0;
/// As long as the id of a key; names that people have chosen may be longer.
const LONGEST_SUBJECT: usize = 36;

pub(crate) fn audit(list: &AuditList) -> String {
    let mut table = table(&["at", "~actor", "~action", "subject", "?note"]);
    for entry in &list.items {
        table.add_row([
            entry.at.strftime("%Y-%m-%dT%H:%MZ").to_string(),
            plain(&entry.actor),
            plain(&entry.action),
            short(&entry.subject, LONGEST_SUBJECT),
            short(entry.note.as_deref().unwrap_or_default(), LONGEST_SUBJECT),
        ]);
    }
    trimmed(&table)
}

pub(crate) fn retention(kept: &Kept) -> String {
    let mut lines = Vec::new();
    for (name, seconds) in [
        ("completed", kept.kept.completed_sec),
        ("cancelled", kept.kept.cancelled_sec),
        ("stale", kept.kept.stale_sec),
    ] {
        lines.push(super::line(name, &age(seconds)));
    }
    let least = if kept.due.is_whole { "" } else { "at least " };
    let due = kept.due.tasks.iter().filter(|(_, count)| **count > 0);
    let due: Vec<String> = due
        .map(|(state, count)| format!("{count} {}", state.name()))
        .collect();
    let due = if due.is_empty() {
        "none".to_owned()
    } else {
        format!("{least}{}", due.join(", "))
    };
    lines.push(super::line("due now", &due));
    if kept.due.kept_for_now > 0 {
        let text = format!(
            "{} more, when their graph has ended and no agent holds them",
            super::count(kept.due.kept_for_now, "task")
        );
        lines.push(super::line("later", &text));
    }
    lines.join("\n")
}

fn age(seconds: Option<f64>) -> String {
    match seconds {
        None => "kept forever".to_owned(),
        Some(seconds) if seconds >= DAY => format!("kept {} days", rounded(seconds / DAY)),
        Some(seconds) => format!("kept {} s", rounded(seconds)),
    }
}

fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
