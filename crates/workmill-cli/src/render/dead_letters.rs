//! Dead letters, as text for people.

use jiff::Timestamp;
use workmill_protocol::dead_letters::{
    DeadLetter, DeadLetterGroups, DeadLetterList, DeadLetterPreview, Decided, ResolvedDeadLetters,
};

use super::lists::{how_many, joined, with_rest};
use super::{dollars, line, line_of_graph, moment, plain, short, table, trimmed, what_went_wrong};

const LONGEST_TITLE: usize = 60;

pub(crate) fn dead_letters(list: &DeadLetterList) -> String {
    let mut table = table(&[
        "task",
        "?cause",
        "reason",
        "?attempts",
        "?cost",
        "?since",
        "~title",
    ]);
    for letter in &list.items {
        let reason = letter.reason.map(|reason| reason.name().to_owned());
        table.add_row([
            letter.task_id.to_string(),
            plain(&letter.cause),
            reason.unwrap_or_default(),
            letter.failure_history.len().to_string(),
            dollars(letter.total_cost_usd.dollars()),
            moment(letter.dead_lettered_at),
            short(&letter.title, LONGEST_TITLE),
        ]);
    }
    trimmed(&table)
}

pub(crate) fn resolved_dead_letters(list: &DeadLetterList) -> String {
    let mut table = table(&[
        "task", "decision", "?by", "?decided", "?reason", "~title", "?note",
    ]);
    for letter in &list.items {
        let decision = letter.resolution.map(|one| one.name().replace('_', " "));
        let reason = letter.reason.map(|reason| reason.name().to_owned());
        table.add_row([
            letter.task_id.to_string(),
            decision.unwrap_or_default(),
            plain(letter.resolved_by.as_deref().unwrap_or_default()),
            letter.resolved_at.map(moment).unwrap_or_default(),
            reason.unwrap_or_default(),
            short(&letter.title, LONGEST_TITLE),
            short(letter.note.as_deref().unwrap_or_default(), LONGEST_TITLE),
        ]);
    }
    trimmed(&table)
}

pub(crate) fn dead_letter(letter: &DeadLetter) -> String {
    let reviewed = if letter.reviewed { ", reviewed" } else { "" };
    let mut table = table(&["attempt", "~agent", "outcome", "reason", "took", "cost"]);
    let mut errors = Vec::new();
    for attempt in &letter.failure_history {
        let (error, details) = (attempt.error.as_deref(), attempt.details.as_ref());
        errors.extend(what_went_wrong(attempt.attempt, error, details));
        let reason = attempt.reason.map(|reason| reason.name().to_owned());
        table.add_row([
            attempt.attempt.to_string(),
            plain(&attempt.agent),
            attempt.outcome.name().to_owned(),
            reason.unwrap_or_default(),
            format!("{:.1} s", attempt.duration_sec),
            dollars(attempt.cost_usd),
        ]);
    }
    let mut lines = vec![
        format!("{}  {}{reviewed}", letter.task_id, plain(&letter.cause)),
        line("title", &letter.title),
        line("type", &letter.task_type),
    ];
    lines.extend(line_of_graph(letter.task_id, letter.dag_id));
    lines.extend([
        line("since", &letter.dead_lettered_at.to_string()),
        line("cost", &dollars(letter.total_cost_usd.dollars())),
        line("fingerprint", &letter.fingerprint),
    ]);
    if let (Some(by), Some(at)) = (&letter.resolved_by, letter.resolved_at) {
        lines.push(line("decided", &decision(letter.resolution, by, at)));
    }
    if let Some(note) = &letter.note {
        lines.push(line("note", note));
    }
    for earlier in &letter.earlier {
        let (by, at) = (&earlier.resolved_by, earlier.resolved_at);
        let note = earlier.note.as_ref();
        let note = note.map_or_else(String::new, |note| format!(": {note}"));
        let decided = decision(earlier.resolution, by, at);
        let since = earlier.dead_lettered_at;
        lines.push(line("earlier", &format!("since {since}, {decided}{note}")));
    }
    if letter.dependents > 0 {
        let wait = format!("{} tasks wait for it", letter.dependents);
        lines.push(line("behind", &wait));
    }
    if letter.poison_pill {
        lines.push(line(
            "poison",
            "different agents failed it: the task is bad",
        ));
    }
    lines.push(format!("\n{}{}", trimmed(&table), errors.concat()));
    lines.join("\n")
}

/// A decision of an unknown kind was made by a later release.
fn decision(resolution: Option<Decided>, by: &str, at: Timestamp) -> String {
    let decided = resolution.map_or("resolved", Decided::name);
    format!("{} by {by} at {at}", decided.replace('_', " "))
}

pub(crate) fn dead_letter_groups(groups: &DeadLetterGroups) -> String {
    let mut table = table(&[
        "count",
        "reason",
        "?first",
        "?last",
        "example",
        "?fingerprint",
    ]);
    for group in &groups.items {
        let reason = group.reason.map(|reason| reason.name().to_owned());
        table.add_row([
            group.count.to_string(),
            reason.unwrap_or_default(),
            moment(group.first_at),
            moment(group.last_at),
            group.example.to_string(),
            plain(&group.fingerprint),
        ]);
    }
    trimmed(&table)
}

pub(crate) fn dead_letter_preview(preview: &DeadLetterPreview) -> String {
    let text = how_many(preview.count, preview.is_whole, "dead letter");
    let mut lines = vec![with_rest(text, 0, &preview.unfit)];
    let becoming = preview.becoming.iter();
    let becoming = becoming.map(|(state, count)| format!("{count} {}", state.name()));
    lines.push(line("then", &joined(becoming)));
    lines.push(line("cost", &dollars(preview.cost_usd.dollars())));
    if preview.dependents > 0 {
        let wait = format!("{} tasks wait for them", preview.dependents);
        lines.push(line("behind", &wait));
    }
    lines.extend(preview.sample.iter().map(|id| format!("    {id}")));
    lines.join("\n")
}

pub(crate) fn resolved(all: &ResolvedDeadLetters) -> String {
    let text = format!("decided: {}", super::count(all.resolved, "dead letter"));
    with_rest(text, all.skipped, &all.unfit)
}
