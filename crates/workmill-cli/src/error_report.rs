//! Errors for people: one paragraph, then a `cause:` line for each error behind it.

use workmill_protocol::error::{ErrorCode, Problem};
use workmill_sdk::ClientError;

use crate::output::print_aside;

pub(crate) fn print(error: &anyhow::Error) {
    print_aside(&format!("error: {}", paragraph(error)));
}

fn paragraph(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        // Some messages quote their cause already.
        if !text.contains(&cause) {
            text.push_str("\ncause: ");
            text.push_str(&cause);
        }
    }
    let client_error = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<ClientError>());
    if let Some(advice) = client_error.and_then(advice) {
        text.push('\n');
        text.push_str(&advice);
    }
    text
}

/// What the server cannot know: how this program is told where it is and who asks.
fn advice(error: &ClientError) -> Option<String> {
    match error {
        ClientError::Refused(problem) => about(problem),
        ClientError::Unreachable { .. } | ClientError::NotWorkmill { .. } => Some(
            "Start a server with `workmill up`, or say where it is with WORKMILL_URL or --url."
                .to_owned(),
        ),
        ClientError::BadAddress(_) => {
            Some("An address looks like http://127.0.0.1:7070.".to_owned())
        }
    }
}

fn about(problem: &Problem) -> Option<String> {
    if problem.code == ErrorCode::Unauthorized {
        return Some(
            "Set WORKMILL_TOKEN to a key of this server. The key of a server that you run on this \
             machine with `workmill up` is found without. `workmill key create --role admin`, with \
             DATABASE_URL, makes a key for any server of that database."
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
