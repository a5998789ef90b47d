//! Errors for people: one paragraph, then a `cause:` line for each error behind it; of a connection that
//! failed only the last one, which says why. For programs: a line of JSON that says the same, with a code.

use serde::Serialize;
use workmill_protocol::error::{ErrorCode, Problem};
use workmill_sdk::ClientError;

use crate::exit::{Exit, says_everything};
use crate::output::{print_aside, print_json_aside};

/// What a program is told of an error.
#[derive(Serialize)]
struct Document<'a> {
    /// The server's code, or the name of the exit code.
    code: &'a str,
    exit_code: u8,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// What the server has answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'a Problem>,
}

pub(crate) fn print(error: &anyhow::Error, as_json: bool) {
    if as_json {
        print_json_aside("error", &document(error));
    } else {
        print_aside(&format!("error: {}", paragraph(error)));
    }
}

/// For a command line that cannot be read.
pub(crate) fn print_usage(message: &str) {
    let message = message.trim();
    let document = Document {
        code: Exit::Usage.name(),
        exit_code: Exit::Usage as u8,
        message: message
            .strip_prefix("error: ")
            .unwrap_or(message)
            .to_owned(),
        hint: None,
        problem: None,
    };
    print_json_aside("error", &document);
}

fn document(error: &anyhow::Error) -> Document<'_> {
    let client_error = of_client(error);
    let problem = match client_error {
        Some(ClientError::Refused(problem)) => Some(&**problem),
        _ => None,
    };
    let exit = Exit::of(error);
    Document {
        code: problem.map_or(exit.name(), |problem| problem.code.name()),
        exit_code: exit as u8,
        message: message(error),
        hint: client_error.and_then(advice),
        problem,
    }
}

fn of_client(error: &anyhow::Error) -> Option<&ClientError> {
    error
        .chain()
        .find_map(|cause| cause.downcast_ref::<ClientError>())
}

fn paragraph(error: &anyhow::Error) -> String {
    let mut text = message(error);
    let is_all_said = error.chain().any(says_everything);
    if !is_all_said && let Some(advice) = of_client(error).and_then(advice) {
        text.push('\n');
        text.push_str(&advice);
    }
    text
}

fn message(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    let mut chain = error.chain();
    let mut above = chain.next();
    while let Some(outer) = above
        && !says_everything(outer)
    {
        // The layers of a connection that failed say less than the last one.
        above = if is_connection(outer) {
            chain.by_ref().last()
        } else {
            chain.next()
        };
        // Some messages quote their cause already.
        if let Some(cause) = above.map(ToString::to_string)
            && !text.contains(&cause)
        {
            text.push_str("\ncause: ");
            text.push_str(&cause);
        }
    }
    without_numbers(&text)
}

/// Leaves out the number of an error of the operating system, which the words before it explain.
fn without_numbers(text: &str) -> String {
    const NUMBER: &str = " (os error ";
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(NUMBER) {
        kept.push_str(before);
        rest = after.trim_start_matches(|digit: char| digit.is_ascii_digit());
        if let Some(after) = rest.strip_prefix(')') {
            rest = after;
        } else {
            kept.push_str(NUMBER);
            rest = after;
        }
    }
    kept + rest
}

fn is_connection(error: &(dyn std::error::Error + 'static)) -> bool {
    let error = error.downcast_ref::<ClientError>();
    matches!(error, Some(ClientError::Unreachable { .. }))
}

/// What the server cannot know: how this program is told where it is and who asks.
fn advice(error: &ClientError) -> Option<String> {
    match error {
        ClientError::Refused(problem) => about(problem),
        ClientError::Unreachable { .. } | ClientError::NotWorkmill { .. } => Some(
            "Start a server with `workmill up`, or say where it is with WORKMILL_URL or --url."
                .to_owned(),
        ),
        ClientError::CredentialsInAddress(_) => {
            Some("Set WORKMILL_TOKEN to a key of this server.".to_owned())
        }
        ClientError::BadAddress(_) => {
            Some("An address looks like http://127.0.0.1:7070.".to_owned())
        }
    }
}

fn about(problem: &Problem) -> Option<String> {
    if problem.code == ErrorCode::Unauthorized {
        return Some(
            "Set WORKMILL_TOKEN to a key of this server. The key of a server that you run on this \
             machine with `workmill up` is found without WORKMILL_TOKEN. `workmill key create --role \
             admin`, with DATABASE_URL, creates a key for any server of that database."
                .to_owned(),
        );
    }
    problem
        .field
        .as_ref()
        .map(|field| format!("field: {field}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_operating_system_are_printed_without_their_numbers() {
        let error = anyhow::anyhow!("No such file or directory (os error 2)")
            .context("cannot read x: refused (os error 111); (os error x)");
        assert_eq!(
            paragraph(&error),
            "cannot read x: refused; (os error x)\ncause: No such file or directory"
        );
    }

    #[test]
    fn every_cause_has_a_line_unless_the_message_quotes_it() {
        let error = anyhow::anyhow!("disk full")
            .context("cannot write: disk full")
            .context("no");
        assert_eq!(paragraph(&error), "no\ncause: cannot write: disk full");
        let problem = Problem {
            field: Some("title".into()),
            ..Problem::new(ErrorCode::Invalid, "empty")
        };
        let error = anyhow::Error::new(ClientError::Refused(Box::new(problem)));
        assert_eq!(
            paragraph(&error),
            "The request is invalid: empty\nfield: title"
        );
    }
}
