//! What waits for a person, and what was answered, as text for people.

use std::borrow::Cow;

use serde_json::Value;
use workmill_core::ids::TaskId;
use workmill_protocol::questions::{Answered, Blocked, Question, QuestionList};

use super::{line, plain, short, value};

/// The most characters of a question in a list; a single task shows the whole question.
const LONGEST: usize = 200;

pub(crate) fn questions(list: &QuestionList) -> String {
    if list.items.is_empty() {
        return "no task waits for a person".to_owned();
    }
    let each: Vec<String> = list.items.iter().map(question).collect();
    each.join("\n\n")
}

fn question(question: &Question) -> String {
    let mut lines = vec![
        format!("{}  {}", question.task_id, short(&question.title, 60)),
        line("waits for", &waits_for(&question.blocked)),
    ];
    if let Some(agent) = &question.agent {
        lines.push(line("agent", agent));
    }
    if let Some(asked) = &question.blocked.question {
        lines.push(line("question", &listed(question.task_id, asked)));
    }
    lines.join("\n")
}

/// What a blocked task waits for, as `show` has it.
pub(super) fn blocked(blocked: &Blocked) -> Vec<String> {
    let mut lines = vec![line("waits for", &waits_for(blocked))];
    if let Some(asked) = &blocked.question {
        lines.push(whole("  question   ", asked));
    }
    lines
}

/// What was answered, oldest first.
pub(super) fn answers(answers: &[Answered]) -> String {
    let each = answers.iter().map(|answer| {
        let question = answer.question.as_ref();
        let question = question.map(|question| format!("{}\n", whole("  ", question)));
        format!(
            "{}  {} by {}:\n{}",
            question.unwrap_or_default(),
            answer.answered_at,
            plain(&answer.answered_by),
            whole("  ", &answer.input)
        )
    });
    each.collect::<Vec<_>>().join("\n")
}

/// Returns all of a text behind `head`; its later lines are indented by the width of `head`.
fn whole(head: &str, text: &Value) -> String {
    let indent = format!("\n{}", " ".repeat(head.len()));
    format!("{head}{}", value(text).replace('\n', &indent))
}

/// Returns a question on one line; a shortened one names the command that prints all of it.
fn listed(task: TaskId, question: &Value) -> String {
    let shown = one_line(question);
    if plain(&words(question)) == shown {
        return shown;
    }
    format!("{shown} (see all of it: workmill show {task})")
}

fn waits_for(blocked: &Blocked) -> String {
    let what = blocked.waits_for.name().replace('_', " ");
    match blocked.until {
        Some(until) => format!("{what}, until {until}"),
        None => what,
    }
}

pub(super) fn one_line(value: &Value) -> String {
    short(&words(value), LONGEST)
}

/// Returns a text without its quotes, and any other value as JSON.
fn words(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(other.to_string()),
    }
}
