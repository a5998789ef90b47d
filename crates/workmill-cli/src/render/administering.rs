//! Limits, budgets, pauses and projects, as text for people.

use workmill_protocol::gates::{Budget, Limit, Pause};
use workmill_protocol::projects::{Project, ProjectList};

use super::{dollars, line, moment, plain, short, table, trimmed, value};

const LONGEST_NOTE: usize = 60;
/// As long as `graph:` and an id; names that people have chosen may be longer.
const LONGEST_SCOPE: usize = 37;

pub(crate) fn limits(limits: &[Limit]) -> String {
    let mut table = table(&["limit", "runs", "max", "waiting", "?set by", "~note"]);
    for limit in limits {
        table.add_row([
            short(&limit.scope, LONGEST_SCOPE),
            limit.used.to_string(),
            limit.max.to_string(),
            waiting(limit.has_waiting),
            plain(&limit.set_by),
            note(limit.note.as_deref()),
        ]);
    }
    trimmed(&table)
}

pub(crate) fn budgets(budgets: &[Budget]) -> String {
    let mut table = table(&[
        "budget", "used", "of", "left", "?waiting", "?set by", "?note",
    ]);
    for budget in budgets {
        table.add_row([
            short(&budget.scope, LONGEST_SCOPE),
            dollars(budget.used_usd.dollars()),
            dollars(budget.budget_usd.dollars()),
            dollars(budget.remaining_usd.dollars()),
            waiting(budget.has_waiting),
            plain(&budget.set_by),
            note(budget.note.as_deref()),
        ]);
    }
    trimmed(&table)
}

pub(crate) fn pauses(pauses: &[Pause]) -> String {
    let mut table = table(&["pause", "since", "?waiting", "?set by", "~note"]);
    for pause in pauses {
        table.add_row([
            short(&pause.scope, LONGEST_SCOPE),
            moment(pause.set_at),
            waiting(pause.has_waiting),
            plain(&pause.set_by),
            note(pause.note.as_deref()),
        ]);
    }
    trimmed(&table)
}

fn waiting(has_waiting: bool) -> String {
    if has_waiting { "yes" } else { "no" }.to_owned()
}

fn note(note: Option<&str>) -> String {
    short(note.unwrap_or_default(), LONGEST_NOTE)
}

pub(crate) fn projects(list: &ProjectList) -> String {
    let mut table = table(&["project", "status", "?created", "~reference", "~name"]);
    for project in &list.items {
        table.add_row([
            project.id.to_string(),
            project.status.name().to_owned(),
            moment(project.created_at),
            plain(project.external_ref.as_deref().unwrap_or_default()),
            short(&project.name, LONGEST_NOTE),
        ]);
    }
    trimmed(&table)
}

pub(crate) fn project(project: &Project) -> String {
    let mut lines = vec![
        format!("{}  {}", project.id, project.status.name()),
        line("name", &project.name),
        line(
            "created",
            &format!("{} by {}", project.created_at, project.created_by),
        ),
    ];
    if let Some(reference) = &project.external_ref {
        lines.push(line("reference", reference));
    }
    if let Some(tasks) = &project.tasks {
        let least = if tasks.is_whole { "" } else { "at least " };
        let counts = tasks.by_status.iter();
        let counts = counts.map(|(state, count)| format!("{count} {}", state.name()));
        let counts = super::lists::joined(counts);
        lines.push(line("tasks", &format!("{least}{counts}")));
    }
    if let Some(metadata) = &project.metadata {
        let text = value(&serde_json::Value::Object(metadata.clone()));
        lines.push(format!("  metadata\n{text}"));
    }
    if let Some(description) = &project.description {
        lines.push(format!("\n{}", super::plain_lines(description)));
    }
    lines.join("\n")
}
