//! What filters may say, whatever they are about.

use jiff::Timestamp;
use workmill_core::audit::Subject;
use workmill_core::bulk::TaskFilter;
use workmill_core::fields::not_one_of;
use workmill_core::list::GraphFilter;
use workmill_store::audit::AuditFilter;
use workmill_store::look::dead_letters::DeadLetterFilter;

use crate::error::EngineError;
use crate::intake::{LONGEST_TITLE, LONGEST_WORD, check_text};

/// Where the members of a filter stand in what the client wrote.
pub(crate) const IN_A_BODY: &str = "filter.";
pub(crate) const IN_A_QUERY: &str = "";

pub(crate) fn check_task_filter(at: &str, filter: &TaskFilter) -> Result<(), EngineError> {
    let words = [
        ("type", &filter.task_type),
        ("tag", &filter.tag),
        ("created_by", &filter.created_by),
        ("agent", &filter.agent),
        ("source", &filter.source),
        ("q", &filter.title),
    ];
    check(at, &words, filter.since, filter.until)
}

pub(crate) fn check_graph_filter(filter: &GraphFilter) -> Result<(), EngineError> {
    let words = [("created_by", &filter.created_by), ("q", &filter.title)];
    check(IN_A_QUERY, &words, filter.since, filter.until)
}

pub(crate) fn check_dead_letter_filter(
    at: &str,
    filter: &DeadLetterFilter,
) -> Result<(), EngineError> {
    let words = [
        ("type", &filter.task_type),
        ("tag", &filter.tag),
        ("created_by", &filter.created_by),
        ("agent", &filter.agent),
    ];
    check(at, &words, filter.since, filter.until)
}

pub(crate) fn check_audit_filter(filter: &AuditFilter) -> Result<(), EngineError> {
    check(IN_A_QUERY, &[("actor", &filter.actor)], None, None)?;
    if let Some(kind) = filter.subject_kind.as_deref()
        && !Subject::KINDS.contains(&kind)
    {
        let problem = format!("`{kind}` is not a kind of object in the audit log");
        let problem = not_one_of(&problem, kind, &Subject::KINDS);
        return Err(EngineError::invalid("subject_kind", problem));
    }
    // The name of a gate is longer than a word.
    let subject = filter.subject.as_deref();
    subject.map_or(Ok(()), |subject| {
        check_text("subject", subject, LONGEST_TITLE)
    })
}

fn check(
    at: &str,
    words: &[(&str, &Option<String>)],
    since: Option<Timestamp>,
    until: Option<Timestamp>,
) -> Result<(), EngineError> {
    for (field, word) in words {
        if let Some(word) = word {
            check_text(format!("{at}{field}"), word, LONGEST_WORD)?;
        }
    }
    if let (Some(since), Some(until)) = (since, until)
        && since > until
    {
        return Err(EngineError::invalid(
            format!("{at}since"),
            "is after `until`",
        ));
    }
    Ok(())
}

/// How many of a list are asked for at once.
pub(crate) fn check_limit(limit: usize, most: usize) -> Result<(), EngineError> {
    if (1..=most).contains(&limit) {
        return Ok(());
    }
    let problem = format!("{limit} is not between 1 and {most}");
    Err(EngineError::invalid("limit", problem))
}
