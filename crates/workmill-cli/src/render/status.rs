//! Everything at a glance.

use unicode_width::UnicodeWidthStr;
use workmill_protocol::questions::Question;
use workmill_protocol::stats::{PlaceCount, Stats};

use super::table::{screen_width, shortened};
use super::{administering, dollars, line, plain};
use crate::commands::Status;
use crate::paint::{Paint, painted};

/// So many groups of dead letters fit on a screen.
const MOST_GROUPS: usize = 5;

pub(crate) fn status(status: &Status) -> String {
    let ready = if status.is_ready {
        Paint::Green.on("ready")
    } else {
        Paint::Red.on("not ready: its database does not answer")
    };
    let mut lines = vec![
        format!(
            "Workmill {} at {}: {ready}",
            plain(&status.version),
            status.url
        ),
        String::new(),
        Paint::Bold.on("tasks"),
    ];
    lines.extend(places(&status.tasks));
    lines.push(String::new());
    lines.push(Paint::Bold.on("agents"));
    let agents = &status.agents;
    let counts = agents.by_status.iter();
    let counts = counts.map(|(status, count)| format!("{count} {status}"));
    let mut counts = super::lists::joined(counts);
    if counts.is_empty() {
        "no agent is registered".clone_into(&mut counts);
    }
    lines.push(format!("  {counts}"));
    lines.push(line(
        "at work",
        &format!("{} of {} slots", agents.held, agents.slots),
    ));
    if !status.questions.is_empty() {
        lines.push(String::new());
        lines.push(Paint::Bold.on("waits for a person, soonest expiry first"));
        lines.extend(status.questions.iter().map(question));
    }
    if !status.dead_letters.is_empty() {
        lines.push(String::new());
        lines.push(Paint::Bold.on("dead letters, grouped by failure"));
        lines.extend(status.dead_letters.iter().take(MOST_GROUPS).map(|group| {
            let reason = group.reason.map_or("unknown", |reason| reason.name());
            format!("  {:>6}  {reason:<18} like {}", group.count, group.example)
        }));
        let rest = status.dead_letters.len().saturating_sub(MOST_GROUPS);
        if rest > 0 {
            lines.push(format!("          and {rest} groups more"));
        }
    }
    lines.push(String::new());
    lines.push(Paint::Bold.on("money"));
    if status.budgets.is_empty() {
        lines.push("  no budget is set".to_owned());
    }
    lines.extend(status.budgets.iter().map(|budget| {
        let used = dollars(budget.used_usd.dollars());
        let of = dollars(budget.budget_usd.dollars());
        let paint = budget.has_waiting.then_some(Paint::Red);
        let waits = if budget.has_waiting {
            "; tasks wait"
        } else {
            ""
        };
        let text = format!("{used} of {of}{waits}");
        format!("  {}  {}", plain(&budget.scope), painted(&text, paint))
    }));
    let full = status.limits.iter().filter(|limit| limit.has_waiting);
    let full: Vec<_> = full.cloned().collect();
    if !full.is_empty() {
        lines.push(format!("\n{}", administering::limits(&full)));
    }
    if !status.pauses.is_empty() {
        lines.push(format!("\n{}", administering::pauses(&status.pauses)));
    }
    lines.join("\n")
}

fn places(tasks: &Stats) -> Vec<String> {
    let row = |name: &str, count: PlaceCount, paint: Option<Paint>, what: &str| {
        let more = if count.is_whole { "" } else { "+" };
        let number = format!("{:>8}", format!("{}{more}", count.tasks));
        let paint = paint.filter(|_| count.tasks > 0);
        let text = format!("  {name:<14}{}  {what}", painted(&number, paint));
        text.trim_end().to_owned()
    };
    let mut rows = vec![
        row("pending", tasks.pending, None, "wait for a dependency"),
        row("ready", tasks.ready, None, ""),
        row(
            "gated",
            tasks.gated,
            Some(Paint::Yellow),
            "stopped by a limit, a budget, a lock or a pause",
        ),
        row("due", tasks.due, None, "wait for their time"),
        row("held", tasks.held, Some(Paint::Cyan), "with an agent"),
        row(
            "blocked",
            tasks.blocked,
            Some(Paint::Yellow),
            "wait for an answer",
        ),
        row(
            "dead-lettered",
            tasks.dead_lettered,
            Some(Paint::Red),
            "wait for a decision",
        ),
        row("finished", tasks.finished, Some(Paint::Green), ""),
    ];
    if tasks.created.tasks > 0 {
        rows.insert(0, row("created", tasks.created, None, "in drafts"));
    }
    rows
}

fn question(question: &Question) -> String {
    let asked = question.blocked.question.as_ref();
    let asked = asked.map_or_else(|| question.title.clone(), super::questions::one_line);
    let waits_for = question.blocked.waits_for.name().replace('_', " ");
    let head = format!("  {}  {waits_for}: ", question.task_id);
    let left = screen_width().saturating_sub(head.width());
    format!("{head}{}", shortened(&plain(&asked), left))
}
