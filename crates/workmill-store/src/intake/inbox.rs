//! The inbox: what producers have put in with their own transactions enters as tasks.
//!
//! Comes in: letters that wait. Goes out: tasks, and on each letter what became of it, in one
//! transaction: whatever happens to a server or its connection, a letter is handled once. Servers
//! pass over what another one is handling. What a letter says is read by the engine; one that
//! cannot be read is refused for itself.

use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::ids::Namespace;
use workmill_queries::client::Params;
use workmill_queries::queries::intake::inbox as statements;

use super::arrival::Last;
use super::submit::{Entering, Idempotency, Submission, SubmitRefusal};
use crate::column::column;
use crate::connect::Store;
use crate::error::StoreError;
use crate::operation::{Operation, Work};

/// A row of the inbox that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingLetter {
    pub id: Uuid,
    /// Of its text, in bytes.
    pub size: usize,
}

/// What a producer has put in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    pub task: String,
    /// The database role that did.
    pub created_by: String,
}

/// Why a letter did not become a task; written on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterRefusal {
    /// The word that the same refusal has over HTTP.
    pub code: &'static str,
    pub detail: String,
    pub field: Option<String>,
}

/// What the engine makes of letters.
pub trait ReadLetters: Sync {
    fn read(&self, letter: &Letter) -> Result<Submission, LetterRefusal>;

    fn refused(&self, refusal: SubmitRefusal) -> LetterRefusal;
}

/// Handles these letters, as far as they wait and no other server is at them.
pub struct HandleLetters<'a> {
    pub ns: Namespace,
    pub letters: &'a [Uuid],
    pub reader: &'a dyn ReadLetters,
    /// Letters and tasks are on different machines, which can commit apart: see [`Store::commits_apart`].
    pub commits_apart: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HandledLetters {
    pub accepted: usize,
    pub refused: usize,
}

impl Operation for HandleLetters<'_> {
    type Answer = HandledLetters;
    const DOING: &'static str = "take tasks out of the inbox";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<HandledLetters, StoreError> {
        let mut rows = lock(work, self.letters).await?;
        // Ids of tasks follow the order of the letters.
        let place = |id| self.letters.iter().position(|letter| *letter == id);
        rows.sort_by_cached_key(|row| place(row.id));
        let (mut submissions, mut entering, mut outcomes) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            let letter = Letter {
                task: row.task,
                created_by: row.created_by,
            };
            match self.reader.read(&letter) {
                Ok(mut submission) => {
                    // If only the tasks are committed, the letter is read again and finds them.
                    if self.commits_apart {
                        submission.idempotency = Some(key_of_letter(row.id));
                    }
                    submissions.push(submission);
                    entering.push(row.id);
                }
                Err(refusal) => outcomes.push((row.id, Err(refusal))),
            }
        }
        let decided = Entering::decide(work, &submissions).await?;
        decided.write(work, Last::More).await?;
        let answers = decided.answers();
        for (id, answer) in entering.into_iter().zip(answers) {
            let outcome = match answer {
                Ok(submitted) => Ok(submitted.tasks.first().map(ToString::to_string)),
                Err(refusal) => Err(self.reader.refused(refusal)),
            };
            outcomes.push((id, outcome));
        }
        write_outcomes(work, &outcomes).await
    }
}

/// A letter never changes, so its id says what it asks for.
fn key_of_letter(letter: Uuid) -> Idempotency {
    Idempotency {
        key: format!("inbox:{letter}"),
        digest: letter.as_bytes().to_vec(),
    }
}

/// Refuses letters unread: of a namespace that does not exist, or that the database cannot take.
#[derive(Debug)]
pub struct RefuseLetters<'a> {
    pub letters: &'a [Uuid],
    pub refusal: LetterRefusal,
}

/// What belongs to no namespace.
const NOBODY: Namespace = Namespace(0);

impl Operation for RefuseLetters<'_> {
    type Answer = HandledLetters;
    const DOING: &'static str = "refuse rows of the inbox";

    fn namespace(&self) -> Namespace {
        NOBODY
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<HandledLetters, StoreError> {
        let rows = lock(work, self.letters).await?;
        let refused = rows.into_iter().map(|row| row.id);
        let outcomes: Vec<_> = refused.map(|id| (id, Err(self.refusal.clone()))).collect();
        write_outcomes(work, &outcomes).await
    }
}

async fn lock(
    work: &Work<'_>,
    letters: &[Uuid],
) -> Result<Vec<statements::LockLetters>, StoreError> {
    let rows = statements::lock_letters()
        .bind(work.transaction, &letters)
        .all()
        .await;
    let mut rows = rows?;
    rows.retain(|row| row.waits);
    Ok(rows)
}

/// The id of the task, as it is written everywhere else.
type Outcome = Result<Option<String>, LetterRefusal>;

async fn write_outcomes(
    work: &Work<'_>,
    outcomes: &[(Uuid, Outcome)],
) -> Result<HandledLetters, StoreError> {
    let accepted = outcomes.iter().filter(|(_, outcome)| outcome.is_ok());
    let handled = HandledLetters {
        accepted: accepted.clone().count(),
        refused: outcomes.len() - accepted.count(),
    };
    if outcomes.is_empty() {
        return Ok(handled);
    }
    let refusals = || outcomes.iter().map(|(_, outcome)| outcome.as_ref().err());
    let parameters = statements::WriteOutcomesParams {
        now: work.now().await?,
        ids: column(outcomes, |(id, _)| *id),
        outcomes: column(outcomes, |(_, outcome)| match outcome {
            Ok(_) => "accepted",
            Err(_) => "refused",
        }),
        task_ids: column(outcomes, |(_, outcome)| outcome.as_ref().ok()?.as_deref()),
        error_codes: refusals()
            .map(|refusal| Some(refusal?.code))
            .collect::<Vec<_>>(),
        error_details: refusals()
            .map(|refusal| Some(refusal?.detail.as_str()))
            .collect::<Vec<_>>(),
        error_fields: refusals()
            .map(|refusal| refusal?.field.as_deref())
            .collect::<Vec<_>>(),
    };
    statements::write_outcomes()
        .params(work.transaction, &parameters)
        .await?;
    Ok(handled)
}

/// Removes letters that were handled long ago.
#[derive(Debug)]
pub struct RemoveLetters<'a> {
    pub name: &'a str,
    pub handled_before: Timestamp,
    pub most: i64,
}

impl Operation for RemoveLetters<'_> {
    type Answer = u64;
    const DOING: &'static str = "remove handled rows of the inbox";

    fn namespace(&self) -> Namespace {
        NOBODY
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<u64, StoreError> {
        let parameters = statements::DeleteOldLettersParams {
            name: self.name,
            before: self.handled_before,
            most: self.most,
        };
        let deleted = statements::delete_old_letters()
            .params(work.transaction, &parameters)
            .await;
        deleted.map_err(|error| work.failed(error))
    }
}

impl Store {
    /// Whether a commit may be made on one machine and not on another: Citus distributes the tables of tasks,
    /// and the inbox stays on the coordinator.
    pub async fn commits_apart(&self) -> Result<bool, StoreError> {
        const DOING: &str = "look for extensions";
        let client = self.client(DOING).await?;
        let found = statements::has_citus().bind(&client).one().await;
        found.map_err(|error| StoreError::from_statement(DOING, error))
    }

    /// Names of namespaces, real or not, for which letters wait.
    pub async fn find_inboxes(&self) -> Result<Vec<String>, StoreError> {
        const DOING: &str = "look into the inbox";
        let client = self.client(DOING).await?;
        let found = statements::find_inboxes().bind(&client).all().await;
        found.map_err(|error| StoreError::from_statement(DOING, error))
    }

    /// Letters that wait, oldest first.
    pub async fn find_letters(
        &self,
        name: &str,
        most: i64,
    ) -> Result<Vec<WaitingLetter>, StoreError> {
        const DOING: &str = "look into the inbox";
        let client = self.client(DOING).await?;
        let found = statements::find_letters()
            .bind(&client, &name, &most)
            .all()
            .await;
        let found = found.map_err(|error| StoreError::from_statement(DOING, error))?;
        let letters = found.into_iter().map(|row| WaitingLetter {
            id: row.id,
            size: usize::try_from(row.size).unwrap_or(0),
        });
        Ok(letters.collect())
    }

    /// Names of namespaces, real or not, with letters that were handled before this moment.
    pub async fn find_old_inboxes(&self, before: Timestamp) -> Result<Vec<String>, StoreError> {
        const DOING: &str = "look for old rows of the inbox";
        let client = self.client(DOING).await?;
        let found = statements::find_old_inboxes()
            .bind(&client, &before)
            .all()
            .await;
        found.map_err(|error| StoreError::from_statement(DOING, error))
    }
}
