//! Lists of tasks, and what is done with many of them.

use workmill_protocol::bulk::{ChangePreview, ChangedTasks};
use workmill_protocol::dead_letters::Unfit;
use workmill_protocol::graphs::GraphList;
use workmill_protocol::lists::TaskList;
use workmill_protocol::questions::WaitsFor;
use workmill_protocol::tasks::{Task, TaskStatus};

use super::{dollars, painted_words, plain, short, table};
use crate::paint::{Paint, painted};

const LONGEST_TITLE: usize = 60;

pub(crate) fn tasks(list: &TaskList) -> String {
    // Only where a task waits for something: a line is short.
    let has_waiting = list.items.iter().any(|task| task.waits_for.is_some());
    let mut header = vec![
        "task",
        "status",
        "?priority",
        "~type",
        "~agent",
        "?cost",
        "?attempts",
        "~title",
    ];
    if has_waiting {
        header.insert(2, "~waits for");
    }
    let mut table = table(&header);
    let mut states = Vec::with_capacity(list.items.len());
    for task in &list.items {
        let waits_for = task.waits_for.map_or("", WaitsFor::name).replace('_', " ");
        let mut row = vec![
            task.id.to_string(),
            task.status.name().to_owned(),
            task.priority.value().to_string(),
            plain(&task.task_type),
            plain(task.agent.as_deref().unwrap_or_default()),
            dollars(task.cost_usd.dollars()),
            task.attempts_counted.to_string(),
            short(&task.title, LONGEST_TITLE),
        ];
        if has_waiting {
            row.insert(2, waits_for);
        }
        table.add_row(row);
        states.push((task.status.name(), Paint::of_state(task.status)));
    }
    painted_words(&table, &states)
}

pub(crate) fn graphs(list: &GraphList) -> String {
    let mut table = table(&[
        "graph", "status", "done", "?dead", "?cost", "?created", "~title",
    ]);
    let mut states = Vec::with_capacity(list.items.len());
    for graph in &list.items {
        let counts = graph.counts;
        table.add_row([
            graph.id.to_string(),
            graph.status.name().to_owned(),
            format!("{}/{}", counts.completed, counts.tasks),
            counts.dead_lettered.to_string(),
            dollars(graph.cost_usd.dollars()),
            graph.created_at.strftime("%Y-%m-%d %H:%M").to_string(),
            short(&graph.title, LONGEST_TITLE),
        ]);
        states.push((graph.status.name(), Some(Paint::of_graph(graph.status))));
    }
    painted_words(&table, &states)
}

pub(crate) fn task_status(task: &TaskStatus) -> String {
    let status = painted(task.status.name(), Paint::of_state(task.status));
    format!("{}  {status}", task.id)
}

/// How tasks have come out that somebody has waited for.
pub(crate) fn outcomes(tasks: &[Task]) -> String {
    let lines: Vec<String> = tasks.iter().map(outcome).collect();
    lines.join("\n")
}

fn outcome(task: &Task) -> String {
    let status = painted(task.status.name(), Paint::of_state(task.status));
    let mut line = format!("{}  {status}  {}", task.id, dollars(task.cost_usd));
    if let Some(output) = &task.output {
        line.push('\n');
        line.push_str(&super::output_of(task.id, output));
    }
    line
}

pub(crate) fn change_preview(preview: &ChangePreview) -> String {
    let mut lines = vec![how_many(preview.count, preview.is_whole, "task")];
    let statuses = preview.statuses.iter();
    let statuses = statuses.map(|(state, count)| format!("{count} {}", state.name()));
    lines.push(super::line("now", &joined(statuses)));
    let becoming = preview.becoming.iter();
    let becoming = becoming.map(|(state, count)| format!("{count} {}", state.name()));
    lines.push(super::line("then", &joined(becoming)));
    let types = preview.types.iter();
    let types = types.map(|(task_type, count)| format!("{count} {task_type}"));
    lines.push(super::line("types", &joined(types)));
    lines.extend(preview.sample.iter().map(|id| format!("    {id}")));
    lines.join("\n")
}

pub(crate) fn changed(all: &ChangedTasks) -> String {
    let text = format!("changed: {}", super::count(all.changed, "task"));
    with_rest(text, all.skipped, &all.unfit)
}

pub(super) fn how_many(count: usize, is_whole: bool, of_what: &str) -> String {
    let least = if is_whole { "" } else { "at least " };
    format!("matching: {least}{}", super::count(count, of_what))
}

pub(super) fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// What was left alone, and why.
pub(super) fn with_rest(mut text: String, skipped: usize, unfit: &Unfit) -> String {
    use std::fmt::Write;

    if skipped > 0 {
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, "; {skipped} were changed by another request first");
    }
    if !unfit.is_none() {
        let _ = write!(text, "; {} cannot be changed like this", unfit.count);
        for one in &unfit.examples {
            let _ = write!(text, "\n    {}  {}", one.task, plain(&one.problem));
        }
    }
    text
}
