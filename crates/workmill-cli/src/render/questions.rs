//! What waits for a person, and what was answered, as text for people.

use serde_json::Value;
use workmill_protocol::questions::{Answered, Blocked, Question, QuestionList};

use super::{line, plain, short, value};

/// A question or an answer on one line.
const LONGEST: usize = 200;

pub(crate) fn questions(list: &QuestionList) -> String {
    if list.items.is_empty() {
        return "nothing waits for a person".to_owned();
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
    lines.extend(asked(&question.blocked));
    lines.join("\n")
}

/// What a blocked task waits for, as `show` has it.
pub(super) fn blocked(blocked: &Blocked) -> Vec<String> {
    let mut lines = vec![line("waits for", &waits_for(blocked))];
    lines.extend(asked(blocked));
    lines
}

/// What was answered, oldest first.
pub(super) fn answers(answers: &[Answered]) -> String {
    let each = answers.iter().map(|answer| {
        let question = answer.question.as_ref();
        let question = question.map(|question| format!("  {}\n", one_line(question)));
        format!(
            "{}  {} by {}:\n  {}",
            question.unwrap_or_default(),
            answer.answered_at,
            plain(&answer.answered_by),
            value(&answer.input).replace('\n', "\n  ")
        )
    });
    each.collect::<Vec<_>>().join("\n")
}

fn asked(blocked: &Blocked) -> Option<String> {
    let question = blocked.question.as_ref()?;
    Some(line("question", &one_line(question)))
}

fn waits_for(blocked: &Blocked) -> String {
    let what = blocked.waits_for.name().replace('_', " ");
    match blocked.until {
        Some(until) => format!("{what}, until {until}"),
        None => what,
    }
}

pub(super) fn one_line(value: &Value) -> String {
    match value {
        Value::String(text) => short(text, LONGEST),
        other => short(&other.to_string(), LONGEST),
    }
}
