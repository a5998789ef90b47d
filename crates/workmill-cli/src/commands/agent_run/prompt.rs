//! A claim as a text for a coding agent: the task, and what helps with it.

use std::fmt::Write;

use serde_json::Value;
use workmill_core::lifecycle::State;
use workmill_protocol::claims::{ClaimedTask, DependencyResult, ResolvedReference};
use workmill_protocol::questions::Answered;

pub(super) fn of(claim: &ClaimedTask) -> String {
    let (asked, context) = (&claim.task.asked, &claim.context);
    let mut text = format!("# {}\n\n{}\n", asked.title, asked.spec.prompt);
    if !asked.spec.payload.is_null() {
        section(&mut text, "Payload", [plain(&asked.spec.payload)]);
    }
    let results = context.dependency_results.iter();
    let results = results.map(result);
    section(&mut text, "Results of the tasks before this one", results);
    let references = context.references.iter();
    let references = references.map(|one| match &one.output_url {
        Some(url) => format!("{}: too large to be here; it is at {url}", one.reference),
        None => format!("{}: {}", one.reference, output_of(one)),
    });
    section(&mut text, "Outputs that the task refers to", references);
    let checkpoint = context.checkpoint.iter().map(plain);
    section(&mut text, "Checkpoint of an earlier attempt", checkpoint);
    let failures = context.earlier_attempts.iter();
    let failures = failures.filter_map(|attempt| {
        let error = attempt.error.as_ref()?;
        let details = attempt.details.as_ref();
        let details = details.map(|details| format!("\n  Details: {details}"));
        Some(format!("{error}{}", details.unwrap_or_default()))
    });
    section(&mut text, "Earlier attempts failed", failures);
    let answers = context.answers.iter().map(answered);
    section(&mut text, "Answers to earlier questions", answers);
    text
}

fn section(text: &mut String, heading: &str, items: impl IntoIterator<Item = String>) {
    for (place, item) in items.into_iter().enumerate() {
        if place == 0 {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "\n## {heading}\n");
        }
        let _ = writeln!(text, "- {item}");
    }
}

/// The output that is referred to, or why there is none.
fn output_of(reference: &ResolvedReference) -> String {
    match reference.status {
        Some(state) if state != State::Completed => format!("no output, the task is {state}"),
        None if reference.output.is_null() && !reference.left_out => {
            "no output, there is no such task any more".to_owned()
        }
        Some(_) | None => plain(&reference.output),
    }
}

fn result(result: &DependencyResult) -> String {
    let id = result.task;
    let title = match result.title.as_str() {
        "" => String::new(),
        title => format!(" ({title})"),
    };
    if result.left_out {
        return format!("{id}{title}: too large to be here; read it with `workmill output {id}`");
    }
    format!("{id}{title}: {}", plain(&result.output))
}

fn answered(answer: &Answered) -> String {
    let input = plain(&answer.input);
    match &answer.question {
        Some(question) => format!("{}\n  Answer: {input}", plain(question)),
        None => input,
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use workmill_sdk::worker::testkit::TestTask;

    use super::*;

    #[test]
    fn it_has_what_helps_and_no_empty_headings() {
        let mut task = TestTask::with_prompt("Mend the door.").after(json!({"key": "brass"}));
        task.claim().task.asked.title = "The door".to_owned();
        task.claim().context.checkpoint = Some(json!("hinges are off"));
        let id = task.claim().task.id;
        assert_eq!(
            of(task.claim()),
            format!(
                "# The door\n\nMend the door.\n\n\
                 ## Results of the tasks before this one\n\n- {id}: {{\"key\":\"brass\"}}\n\n\
                 ## Checkpoint of an earlier attempt\n\n- hinges are off\n"
            )
        );
    }
}
