//! Bounds on what is taken in: refused before anything is stored.

use serde_json::Value;
use serde_json::value::RawValue;
pub use workmill_core::bounded::MOST_TASKS;
use workmill_core::bounded::{MOST_LOCKS, MOST_WORDS};
use workmill_core::ids::TaskId;
use workmill_core::json_look;
use workmill_core::json_text::JsonText;
use workmill_core::money::Micros;
use workmill_core::plain_words::in_plain_words;
use workmill_core::resource_lock::ResourceLock;
use workmill_core::task::{NewTask, referenced_artifact, referenced_task};

use crate::error::EngineError;

/// Dependencies in one graph.
pub const MOST_EDGES: usize = 100_000;

pub(crate) const LONGEST_TITLE: usize = 1_000;
pub(crate) const LONGEST_WORD: usize = 200;
const LONGEST_REFERENCE: usize = 2_000;
const LARGEST_ARTIFACTS: usize = 64 * 1024;
const LONGEST_PATH: usize = 1_000;
const MOST_UNITS: f64 = 1_000_000.0;
const LARGEST_TASK: usize = 1024 * 1024;
const DEEPEST_JSON: usize = 64;
/// Ten years.
const LONGEST_SECONDS: f64 = 315_360_000.0;

pub(super) fn check_count(tasks: usize) -> Result<(), EngineError> {
    match tasks {
        0 => Err(EngineError::invalid("tasks", "at least one task is needed")),
        1..=MOST_TASKS => Ok(()),
        _ => Err(EngineError::invalid(
            "tasks",
            format!("at most {MOST_TASKS} in one call"),
        )),
    }
}

/// So many tasks, or so many bytes in them, are worth a change of threads.
const MANY: usize = 100;
pub(crate) const MANY_BYTES: usize = 32 * 1024;

/// Whether it takes long to check these tasks and to write them as JSON.
pub(super) fn is_much(tasks: &[NewTask]) -> bool {
    let mut left = MANY_BYTES;
    tasks.len() >= MANY
        || tasks.iter().any(|task| {
            let texts = [&task.title, &task.spec.prompt];
            let lists = [&task.depends_on, &task.tags, &task.labels];
            let texts = texts.into_iter().chain(lists.into_iter().flatten());
            let texts = texts.map(String::len).sum();
            let values = [
                &task.spec.payload,
                &task.metadata,
                &task.output.validation_schema,
            ];
            let fits = take(&mut left, texts);
            !fits || !values.into_iter().all(|value| fits_into(&mut left, value))
        })
}

fn take(left: &mut usize, bytes: usize) -> bool {
    let rest = left.checked_sub(bytes);
    *left = rest.unwrap_or(0);
    rest.is_some()
}

/// Whether a value has no more bytes than are left, looking no further than that.
fn fits_into(left: &mut usize, value: &Value) -> bool {
    let own = match value {
        Value::String(text) => text.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 4,
        Value::Array(_) | Value::Object(_) => 2,
    };
    take(left, own)
        && match value {
            Value::Array(items) => items.iter().all(|item| fits_into(left, item)),
            Value::Object(members) => members
                .iter()
                .all(|(name, member)| take(left, name.len()) && fits_into(left, member)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
        }
}

pub(super) fn check_edges(edges: usize) -> Result<(), EngineError> {
    if edges > MOST_EDGES {
        let problem = format!("{edges} dependencies; at most {MOST_EDGES} in one graph");
        return Err(EngineError::invalid("tasks", problem));
    }
    Ok(())
}

pub(super) fn check_task(at: &str, task: &NewTask) -> Result<(), EngineError> {
    let at = |field: &str| match at {
        "" => field.to_owned(),
        at => format!("{at}.{field}"),
    };
    check_text(at("title"), &task.title, LONGEST_TITLE)?;
    check_text(at("type"), &task.task_type, LONGEST_WORD)?;
    let words = [
        (
            "spec.constraints.required_capabilities",
            &task.spec.constraints.required_capabilities,
        ),
        (
            "spec.constraints.model_preferences",
            &task.spec.constraints.model_preferences,
        ),
        (
            "spec.constraints.fallback_models",
            &task.spec.constraints.fallback_models,
        ),
        ("excluded_agents", &task.excluded_agents),
        ("tags", &task.tags),
        ("labels", &task.labels),
        ("spec.context_refs", &task.spec.context_refs),
    ];
    for (field, words) in words {
        check_words(&at(field), words)?;
    }
    for (field, name) in [
        ("agent_type", &task.agent_type),
        ("target_agent", &task.target_agent),
        ("name", &task.name),
        ("key", &task.key),
        ("idempotency_key", &task.idempotency_key),
    ] {
        if let Some(name) = name {
            check_text(at(field), name, LONGEST_WORD)?;
        }
    }
    check_key(at("key"), task.key.as_deref())?;
    check_locks(&at("locks"), &task.locks)?;
    check_numbers(&at, task)?;
    if let Some(problem) = task.priority_problem() {
        return Err(EngineError::invalid(at("priority"), problem));
    }
    if let Some(problem) = task.lease_problem() {
        return Err(EngineError::invalid(at("lease_sec"), problem));
    }
    check_work(&at, task)?;
    check_depth(&at("spec.payload"), &task.spec.payload, DEEPEST_JSON)?;
    check_depth(&at("metadata"), &task.metadata, DEEPEST_JSON)
}

/// Refuses a longest timeout without an effect. Only a whole task tells: a change to one names a part.
pub(super) fn check_timeout(at: &str, task: &NewTask) -> Result<(), EngineError> {
    let field = match at {
        "" => "max_timeout_sec".to_owned(),
        at => format!("{at}.max_timeout_sec"),
    };
    let problem = task.timeout_problem();
    problem.map_or(Ok(()), |problem| Err(EngineError::invalid(field, problem)))
}

/// Checks the bounds of durations, retries and counts.
fn check_numbers(at: &impl Fn(&str) -> String, task: &NewTask) -> Result<(), EngineError> {
    for (field, seconds) in [
        ("lease_sec", task.lease_sec),
        ("estimate_sec", task.estimate_sec),
        ("max_timeout_sec", task.max_timeout_sec),
        ("claim_ttl_sec", task.claim_ttl_sec),
        ("heartbeat_interval_sec", task.heartbeat_interval_sec),
        (
            "spec.constraints.max_duration_sec",
            task.spec.constraints.max_duration_sec,
        ),
    ] {
        check_number(&at(field), seconds, 0.1, LONGEST_SECONDS)?;
    }
    for (field, value, least, most) in [
        (
            "retry.initial_delay_sec",
            task.retry.initial_delay_sec,
            0.0,
            LONGEST_SECONDS,
        ),
        (
            "retry.max_delay_sec",
            task.retry.max_delay_sec,
            0.0,
            LONGEST_SECONDS,
        ),
        (
            "retry.backoff_multiplier",
            task.retry.backoff_multiplier,
            1.0,
            100.0,
        ),
        (
            "priority_boost_per_minute",
            task.priority_boost_per_minute,
            0.0,
            10.0,
        ),
    ] {
        check_number(&at(field), value, least, most)?;
    }
    check_number(
        &at("max_attempts"),
        task.max_attempts.map(f64::from),
        1.0,
        1000.0,
    )?;
    check_number(
        &at("cost_units"),
        task.cost_units.map(as_number),
        0.0,
        MOST_UNITS,
    )
}

/// Says what is wrong with a reference that names neither a task by its id nor an artifact.
fn wrong_reference(reference: &str) -> String {
    let name = reference.strip_prefix("task:");
    match name.and_then(|name| name.strip_suffix(":output")) {
        Some(name) => format!(
            "`{reference}` needs the id of the task, `task:task_…:output`: `{name}` is not one, and \
             planners' keys are not looked up in references"
        ),
        None => format!("`{reference}` is neither `task:<id>:output` nor `artifact:<id>`"),
    }
}

/// What the task works with, what it puts out, and what that may cost.
fn check_work(at: &impl Fn(&str) -> String, task: &NewTask) -> Result<(), EngineError> {
    for reference in &task.spec.context_refs {
        if referenced_task(reference).is_none() && referenced_artifact(reference).is_none() {
            let problem = wrong_reference(reference);
            return Err(EngineError::invalid(at("spec.context_refs"), problem));
        }
    }
    if task
        .spec
        .constraints
        .max_cost_usd
        .is_some_and(Micros::is_negative)
    {
        let field = at("spec.constraints.max_cost_usd");
        return Err(EngineError::invalid(field, "must not be negative"));
    }
    if let Some((field, problem)) = task.output.problem() {
        return Err(EngineError::invalid(
            at(&format!("output.{field}")),
            problem,
        ));
    }
    let schema = &task.output.validation_schema;
    check_depth(&at("output.validation_schema"), schema, DEEPEST_JSON)
}

#[expect(clippy::cast_precision_loss, reason = "only its size matters")]
fn as_number(whole: i64) -> f64 {
    whole as f64
}

fn check_locks(at: &str, locks: &[ResourceLock]) -> Result<(), EngineError> {
    if locks.len() > MOST_LOCKS {
        return Err(EngineError::invalid(at, format!("at most {MOST_LOCKS}")));
    }
    for lock in locks {
        check_text(at, &lock.path, LONGEST_PATH)?;
        if let Err(error) = lock.clone().normalised() {
            return Err(EngineError::invalid(at, error.to_string()));
        }
    }
    Ok(())
}

/// The whole task as it will be stored.
pub(super) fn check_body(at: &str, body: &RawValue) -> Result<(), EngineError> {
    let text = body.get();
    if text.len() > LARGEST_TASK {
        return Err(EngineError::TooLarge {
            at: at.to_owned(),
            problem: format!("{} bytes; at most {LARGEST_TASK}", text.len()),
        });
    }
    check_no_nul(at, text)
}

pub(crate) fn check_no_nul(at: &str, text: &str) -> Result<(), EngineError> {
    // An escaped NUL is the one character that PostgreSQL's jsonb cannot hold; an escaped
    // backslash before it makes it plain text.
    let mut rest = text;
    while let Some(found) = rest.find("\\u0000") {
        let backslashes = rest[..found]
            .bytes()
            .rev()
            .take_while(|byte| *byte == b'\\')
            .count();
        if backslashes % 2 == 0 {
            return Err(EngineError::invalid(
                at,
                "a text contains the character U+0000",
            ));
        }
        rest = &rest[found + 6..];
    }
    Ok(())
}

/// Any JSON that can be stored: what agents and people tell besides their tasks.
pub(crate) fn check_json(at: &str, value: Option<&Value>) -> Result<(), EngineError> {
    let Some(value) = value else {
        return Ok(());
    };
    check_depth(at, value, DEEPEST_JSON)?;
    check_no_nul(at, &value.to_string())
}

/// Any JSON that can be stored, kept as text of at most `most` bytes.
pub(crate) fn check_json_text(
    at: &str,
    text: Option<&JsonText>,
    most: usize,
) -> Result<(), EngineError> {
    let Some(text) = text else {
        return Ok(());
    };
    if text.get().len() > most {
        return Err(EngineError::TooLarge {
            at: at.to_owned(),
            problem: format!("{} bytes; at most {most}", text.get().len()),
        });
    }
    json_look::check_up_to(text.raw(), DEEPEST_JSON)
        .map_err(|error| EngineError::invalid(at, in_plain_words(&error.to_string())))?;
    check_no_nul(at, text.get())
}

/// Refuses JSON whose text is longer than `most` bytes.
pub(crate) fn check_size(at: &str, value: Option<&Value>, most: usize) -> Result<(), EngineError> {
    let size = value.map_or(0, |value| value.to_string().len());
    if size > most {
        return Err(EngineError::invalid(
            at,
            format!("{size} bytes; at most {most}"),
        ));
    }
    Ok(())
}

/// A time from now on, not so long that there is no such moment.
pub(crate) fn check_delay(at: &str, milliseconds: Option<i64>) -> Result<(), EngineError> {
    let milliseconds = milliseconds.map(as_number);
    check_number(at, milliseconds, 0.0, LONGEST_SECONDS * 1000.0)
}

/// References are short: what they stand for is elsewhere.
pub(crate) fn check_artifacts(artifacts: &[Value]) -> Result<(), EngineError> {
    if artifacts.len() > MOST_WORDS {
        let problem = format!("at most {MOST_WORDS}");
        return Err(EngineError::invalid("artifacts", problem));
    }
    for (place, artifact) in artifacts.iter().enumerate() {
        let at = format!("artifacts[{place}]");
        match artifact {
            Value::String(text) => check_text(at.as_str(), text, LONGEST_REFERENCE)?,
            Value::Object(_) => check_depth(&at, artifact, DEEPEST_JSON)?,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
                return Err(EngineError::invalid(at, "a text or an object"));
            }
        }
    }
    let text = serde_json::to_string(artifacts)
        .map_err(|error| EngineError::invalid("artifacts", error.to_string()))?;
    if text.len() > LARGEST_ARTIFACTS {
        let problem = format!("{} bytes; at most {LARGEST_ARTIFACTS}", text.len());
        return Err(EngineError::invalid("artifacts", problem));
    }
    check_no_nul("artifacts", &text)
}

/// A planner's id must not be one that Workmill gives: nobody could tell which task is meant.
fn check_key(at: String, key: Option<&str>) -> Result<(), EngineError> {
    let is_ours = |key: &str| key.starts_with("task_") && key.parse::<TaskId>().is_ok();
    if key.is_some_and(is_ours) {
        let problem = "is reserved for ids of Workmill; choose another name";
        return Err(EngineError::invalid(at, problem));
    }
    Ok(())
}

pub(crate) fn check_words(at: &str, words: &[String]) -> Result<(), EngineError> {
    if words.len() > MOST_WORDS {
        return Err(EngineError::invalid(at, format!("at most {MOST_WORDS}")));
    }
    let mut words = words.iter();
    words.try_for_each(|word| check_text(at, word, LONGEST_WORD))
}

pub(crate) fn check_text(
    at: impl Into<String>,
    text: &str,
    longest: usize,
) -> Result<(), EngineError> {
    let is_blank = |letter: char| letter.is_whitespace() || letter.is_control();
    if text.chars().all(is_blank) {
        return Err(EngineError::invalid(at, "must not be empty"));
    }
    if text.chars().count() > longest {
        return Err(EngineError::invalid(
            at,
            format!("at most {longest} characters"),
        ));
    }
    if text.contains('\0') {
        return Err(EngineError::invalid(at, "contains the character U+0000"));
    }
    Ok(())
}

fn check_number(at: &str, value: Option<f64>, least: f64, most: f64) -> Result<(), EngineError> {
    match value {
        Some(value) if !(least..=most).contains(&value) => Err(EngineError::invalid(
            at,
            format!("{value} is not between {least} and {most}"),
        )),
        _ => Ok(()),
    }
}

pub(crate) fn check_depth(at: &str, value: &Value, left: usize) -> Result<(), EngineError> {
    if left == 0 {
        return Err(EngineError::invalid(
            at,
            format!("nested deeper than {DEEPEST_JSON}"),
        ));
    }
    match value {
        Value::Array(items) => items
            .iter()
            .try_for_each(|item| check_depth(at, item, left - 1)),
        Value::Object(fields) => fields
            .values()
            .try_for_each(|field| check_depth(at, field, left - 1)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
