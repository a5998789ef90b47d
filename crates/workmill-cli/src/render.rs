//! Answers of the server, as text for people. What agents wrote is neutralised here.

use jiff::Timestamp;
use serde_json::Value;
use workmill_core::attempt::Outcome;
use workmill_core::ids::{GraphId, TaskId};
use workmill_protocol::agents::{Agent, AgentList};
use workmill_protocol::claims::{ClaimedTask, ClaimedTasks};
use workmill_protocol::leases::{Directive, LeaseAlive, SettledTask};
use workmill_protocol::tasks::{Attempt, Task, TaskOutput, TokensUsed};

use crate::paint::{Paint, painted};
use crate::plain_text::{plain, plain_lines};
use table::Table;

mod access;
mod administering;
mod dead_letters;
mod drawing;
mod explanation;
mod lists;
mod questions;
mod record;
mod status;
mod table;

pub(crate) use access::{event, keys, namespace_settings, namespaces};
pub(crate) use administering::{budgets, limits, pauses, project, projects};
pub(crate) use dead_letters::{
    dead_letter, dead_letter_groups, dead_letter_preview, dead_letters, resolved,
    resolved_dead_letters,
};
pub(crate) use drawing::graph;
pub(crate) use explanation::explanation;
pub(crate) use lists::{change_preview, changed, graphs, outcomes, task_status, tasks};
pub(crate) use questions::questions;
pub(crate) use record::{audit, retention};
pub(crate) use status::status;

pub(crate) fn task(task: &Task) -> String {
    let asked = &task.task;
    let mut lines = vec![
        format!(
            "{}  {}",
            task.id,
            painted(task.status.name(), Paint::of_state(task.status))
        ),
        line("title", &asked.title),
        line("type", &asked.task_type),
        line("version", &task.version.to_string()),
        line(
            "priority",
            &format!("{} ({})", asked.priority.value(), asked.priority.class()),
        ),
    ];
    lines.extend(line_of_graph(task.id, task.dag_id));
    lines.push(line(
        "created",
        &format!("{} by {}", task.created_at, task.created_by),
    ));
    if !task.depends_on.is_empty() {
        let ids: Vec<String> = task.depends_on.iter().map(ToString::to_string).collect();
        lines.push(line("after", &ids.join(" ")));
    }
    if let Some(due) = task.due_at {
        lines.push(line("not before", &due.to_string()));
    }
    if let Some(claim) = &task.claim {
        lines.push(line(
            "claimed",
            &format!("{} by {}", claim.claimed_at, claim.agent),
        ));
    }
    if let Some(started) = task.started_at {
        lines.push(line("started", &started.to_string()));
    }
    if let Some(completed) = task.completed_at {
        lines.push(line("completed", &completed.to_string()));
    }
    if let Some(reason) = task.failure_reason {
        lines.push(line("failed", reason.name()));
    }
    if let Some(blocked) = &task.blocked {
        lines.extend(questions::blocked(blocked));
    }
    lines.push(line("cost", &cost(task)));
    let tokens = task.tokens_used;
    if tokens != TokensUsed::default() {
        let TokensUsed { input, output, .. } = tokens;
        lines.push(line("tokens", &format!("{input} in, {output} out")));
    }
    if !asked.spec.prompt.is_empty() {
        lines.push(format!("\n{}", plain_lines(&asked.spec.prompt)));
    }
    if !task.answers.is_empty() {
        lines.push(format!("\nanswers:\n{}", questions::answers(&task.answers)));
    }
    if let Some(output) = &task.output {
        lines.push(format!("\noutput:\n{}", output_of(task.id, output)));
        if !output.artifacts.is_empty() {
            let artifacts: Vec<String> = output.artifacts.iter().map(value).collect();
            lines.push(format!("\nartifacts:\n{}", artifacts.join("\n")));
        }
    }
    if !task.attempts.is_empty() {
        lines.push(format!("\nattempts:\n{}", attempts(&task.attempts)));
    }
    lines.extend(late_results(task));
    lines.join("\n")
}

pub(crate) fn agents(list: &AgentList) -> String {
    let mut table = table(&["~agent", "status", "tasks", "~type", "last seen"]);
    let mut statuses = Vec::with_capacity(list.items.len());
    for agent in &list.items {
        table.add_row([
            plain(&agent.id),
            agent.status.name().to_owned(),
            slots(agent),
            plain(&agent.agent_type),
            moment(agent.last_heartbeat),
        ]);
        statuses.push((agent.status.name(), Some(Paint::of_agent(agent.status))));
    }
    painted_words(&table, &statuses)
}

/// How many tasks an agent holds, of how many; who claims by hand is not bounded by a program.
fn slots(agent: &Agent) -> String {
    if agent.by_hand {
        return format!("{} by hand", agent.current_tasks);
    }
    format!("{}/{}", agent.current_tasks, agent.max_concurrent_tasks)
}

fn task_types(agent: &Agent) -> String {
    if agent.task_types.is_empty() {
        return "tasks of any type".to_owned();
    }
    agent.task_types.join(" ")
}

pub(crate) fn agent(agent: &Agent) -> String {
    let status = match (&agent.status_set_by, agent.offline_since) {
        (_, Some(since)) => format!("{}, silent since {since}", agent.status),
        (Some(by), None) => format!("{}, set by {}", agent.status, plain(by)),
        (None, None) => agent.status.to_string(),
    };
    let mut lines = vec![
        format!("{}  {status}", plain(&agent.id)),
        line("type", &agent.agent_type),
        line("can", &agent.capabilities.join(" ")),
        line("models", &agent.models_available.join(" ")),
        line("takes", &task_types(agent)),
        line("tasks", &slots(agent)),
        line("last seen", &agent.last_heartbeat.to_string()),
        line("registered", &agent.registered_at.to_string()),
    ];
    lines.extend(agent.tasks.iter().map(|task| format!("    {task}")));
    lines.join("\n")
}

pub(crate) fn claims(claimed: &ClaimedTasks) -> String {
    claimed
        .claims
        .iter()
        .map(claim)
        .collect::<Vec<_>>()
        .join("\n\n")
}

fn claim(claim: &ClaimedTask) -> String {
    let task = &claim.task;
    let mut lines = vec![
        format!("{}  {}", task.id, claim.status.name()),
        line("title", &task.asked.title),
        line("type", &task.asked.task_type),
        line("lease", &claim.lease.to_string()),
        line("attempt", &claim.attempt.to_string()),
        line("expires", &format!("in {}", seconds(claim.expires_in_ms))),
        line(
            "heartbeat",
            &format!("every {}", seconds(claim.heartbeat_ms)),
        ),
    ];
    if !task.asked.spec.prompt.is_empty() {
        lines.push(format!("\n{}", plain_lines(&task.asked.spec.prompt)));
    }
    for result in &claim.context.dependency_results {
        let output = if result.left_out {
            format!("too large for a claim: workmill output {}", result.task)
        } else {
            value(&result.output)
        };
        let title = plain(&result.title);
        lines.push(format!("\nresult of {} ({title}):\n{output}", result.task));
    }
    if !claim.context.answers.is_empty() {
        let answers = questions::answers(&claim.context.answers);
        lines.push(format!("\nanswers:\n{answers}"));
    }
    if !claim.context.earlier_attempts.is_empty() {
        lines.push(format!(
            "\nearlier attempts:\n{}",
            attempts(&claim.context.earlier_attempts)
        ));
    }
    lines.join("\n")
}

pub(crate) fn alive(alive: &LeaseAlive) -> String {
    let directive = match alive.directive {
        Directive::Continue => "continue",
        Directive::Stop => "stop",
        Directive::Pause => "pause",
    };
    format!(
        "{directive}; the lease expires in {}",
        seconds(alive.expires_in_ms)
    )
}

pub(crate) fn settled(settled: &SettledTask) -> String {
    match settled.retry_in_ms {
        Some(delay) => format!(
            "{}; the next attempt is due in {}",
            settled.status.name(),
            seconds(delay)
        ),
        None => settled.status.name().to_owned(),
    }
}

fn attempts(attempts: &[Attempt]) -> String {
    let mut table = table(&["claim", "~agent", "outcome", "reason", "took", "cost"]);
    let mut errors = Vec::new();
    for attempt in attempts {
        let (error, details) = (attempt.error.as_deref(), attempt.details.as_ref());
        errors.extend(what_went_wrong(attempt.epoch, error, details));
        table.add_row([
            attempt.epoch.to_string(),
            plain(&attempt.agent),
            attempt.outcome.name().to_owned(),
            attempt
                .reason
                .map(|reason| reason.name().to_owned())
                .unwrap_or_default(),
            format!("{:.1} s", attempt.duration_sec),
            dollars(attempt.cost_usd),
        ]);
    }
    format!("{}{}", trimmed(&table), errors.concat())
}

/// The field of an attempt's details that contains the standard error of its command.
pub(crate) const STDERR: &str = "stderr";

/// Returns the standard error of a command from the details of its attempt.
pub(crate) fn stderr_of(details: Option<&Value>) -> Option<&str> {
    details?.get(STDERR)?.as_str()
}

/// Returns the lines below the table of attempts for one attempt: its error, and the standard error of
/// its command.
fn what_went_wrong(
    number: impl std::fmt::Display,
    error: Option<&str>,
    details: Option<&Value>,
) -> Option<String> {
    let stderr = stderr_of(details).map(|stderr| format!("stderr: {stderr}"));
    let error = error.filter(|error| !error.is_empty()).map(str::to_owned);
    let lines: Vec<String> = error.into_iter().chain(stderr).collect();
    if lines.is_empty() {
        return None;
    }
    let lines = plain_lines(&lines.join("\n")).replace('\n', "\n    ");
    Some(format!("\n {number}: {lines}"))
}

/// A moment in a table: to the second.
fn moment(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn table(header: &[&str]) -> Table {
    Table::new(header)
}

fn trimmed(table: &Table) -> String {
    painted_words(table, &[])
}

/// The table with its names of columns in bold and one word of each row painted, once the columns
/// have found their width.
fn painted_words(table: &Table, words: &[(&str, Option<Paint>)]) -> String {
    let mut lines = table.lines();
    for (line, (word, paint)) in lines.iter_mut().skip(1).zip(words) {
        let cell = format!(" {word} ");
        *line = line.replacen(&cell, &format!(" {} ", painted(word, *paint)), 1);
    }
    if let Some(header) = lines.first_mut() {
        *header = Paint::Bold.on(header);
    }
    lines.join("\n")
}

/// `1 task`, `2 tasks`.
pub(crate) fn count(number: usize, of_what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {of_what}{plural}")
}

/// On one line, and not longer than that.
fn short(text: &str, longest: usize) -> String {
    let text = plain(text);
    if text.chars().count() <= longest {
        return text;
    }
    let kept: String = text.chars().take(longest - 1).collect();
    format!("{kept}…")
}

/// The graph of a task; one that was submitted by itself is a graph of its own, which says nothing.
fn line_of_graph(task: TaskId, graph: GraphId) -> Option<String> {
    (graph != GraphId::from(task)).then(|| line("graph", &graph.to_string()))
}

fn line(name: &str, value: &str) -> String {
    format!("  {name:<10} {}", plain(value))
}

fn value(value: &Value) -> String {
    match value {
        Value::String(text) => plain_lines(text),
        other => plain_lines(&serde_json::to_string_pretty(other).unwrap_or_default()),
    }
}

/// An output by itself.
pub(crate) fn output(output: &Value) -> String {
    value(output)
}

/// What came in after the attempts had ended.
/// The output of a task, or the command that prints one that is left out.
fn output_of(task: TaskId, output: &TaskOutput) -> String {
    if output.output_url.is_some() {
        format!("too large to show: workmill output {task}")
    } else {
        value(&output.data)
    }
}

fn late_results(task: &Task) -> Vec<String> {
    let late = task.attempts.iter();
    let late = late.filter_map(|attempt| Some((attempt, attempt.late.as_ref()?)));
    late.map(|(attempt, late)| {
        let what = match (late.accepted, &late.adopted_by, late.outcome) {
            (true, Some(by), _) => format!("accepted, adopted by {}", plain(by)),
            (true, None, _) => "accepted".to_owned(),
            (false, _, Outcome::Completed) => {
                format!("refused; `workmill adopt {}` makes it the outcome", task.id)
            }
            (false, ..) => "recorded".to_owned(),
        };
        let agent = plain(&attempt.agent);
        let mut text = format!("\nlate, of claim {} by {agent}: {what}", attempt.epoch);
        let shown = match (&late.output, &late.output_url, &late.message) {
            (Some(output), ..) => Some(value(output)),
            (None, Some(url), _) => Some(format!("large: {url}")),
            (None, None, message) => message.as_deref().map(plain),
        };
        if let Some(shown) = shown {
            text.push('\n');
            text.push_str(&shown);
        }
        text
    })
    .collect()
}

fn cost(task: &Task) -> String {
    let cost = dollars(task.cost_usd);
    if task.unpriced {
        format!("{cost}, and tokens without a known price")
    } else {
        cost
    }
}

fn dollars(amount: f64) -> String {
    format!("${amount:.4}")
}

#[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
fn seconds(milliseconds: i64) -> String {
    format!("{:.1} s", milliseconds as f64 / 1000.0)
}
