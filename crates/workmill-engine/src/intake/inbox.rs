//! What producers have put into the inbox, read as the tasks of a call would be.

use workmill_core::task::NewTask;
use workmill_store::intake::inbox::{Letter, LetterRefusal, ReadLetters};
use workmill_store::intake::{Submission, SubmitRefusal};

use super::{Author, refused, submission_of_tasks, unreadable};
use crate::error::EngineError;
use crate::strict;

/// Reads letters of the inbox. One letter, one task.
#[derive(Debug)]
pub(crate) struct InboxReader;

/// The column that holds the task.
const TASK: &str = "task";

impl ReadLetters for InboxReader {
    fn read(&self, letter: &Letter) -> Result<Submission, LetterRefusal> {
        let task: NewTask = strict::read(letter.task.as_bytes()).map_err(|unreadable| {
            let field = unreadable.field.map(|field| format!("{TASK}.{field}"));
            let at = field.unwrap_or_else(|| TASK.to_owned());
            written(EngineError::invalid(at, unreadable.problem))
        })?;
        let creator = format!("inbox:{}", letter.created_by);
        let author = Author::named(&creator);
        submission_of_tasks(&author, creator, &[task], None, |_| TASK.to_owned()).map_err(written)
    }

    fn refused(&self, refusal: SubmitRefusal) -> LetterRefusal {
        written(match refusal {
            SubmitRefusal::Unreadable(reference) => unreadable(TASK, reference),
            other => refused(other),
        })
    }
}

/// A refusal as it is written on the letter, in the words of the HTTP API.
fn written(error: EngineError) -> LetterRefusal {
    let detail = error.to_string();
    match error {
        EngineError::Invalid { at, problem } => LetterRefusal {
            code: "invalid",
            detail: problem,
            field: Some(at),
        },
        EngineError::TooLarge { at, problem } => LetterRefusal {
            code: "too_large",
            detail: problem,
            field: Some(at),
        },
        EngineError::NotAllowed { at, problem } => LetterRefusal {
            code: "forbidden",
            detail: problem,
            field: Some(at),
        },
        EngineError::Conflict { .. } => plain("conflict", detail),
        _ => plain("internal", detail),
    }
}

/// For letters of a namespace that does not exist.
pub(crate) fn no_such_namespace(name: &str) -> LetterRefusal {
    LetterRefusal {
        field: Some("ns".to_owned()),
        ..plain("not_found", format!("namespace `{name}` does not exist"))
    }
}

/// For a letter that is fine as far as one can see, and that the database refuses all the same.
pub(crate) fn not_storable() -> LetterRefusal {
    let detail = "it could not be stored; the server's log has the cause";
    plain("internal", detail.to_owned())
}

fn plain(code: &'static str, detail: String) -> LetterRefusal {
    LetterRefusal {
        code,
        detail,
        field: None,
    }
}
