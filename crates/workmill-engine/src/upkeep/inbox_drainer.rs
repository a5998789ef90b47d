//! Takes tasks out of the inbox, oldest first, each namespace in its turn.
//!
//! Run when a producer's commit rings, and now and then in case nobody heard it. A look at an empty
//! inbox is one statement. A letter that cannot be a task is refused on its row; one that the
//! database itself refuses is told from those beside it by trying them one by one.

use std::time::Duration;

use uuid::Uuid;
use workmill_core::ids::Namespace;
use workmill_store::StoreError;
use workmill_store::intake::inbox::{
    HandleLetters, HandledLetters, LetterRefusal, RefuseLetters, WaitingLetter,
};

use crate::engine::Engine;
use crate::intake::inbox::{InboxReader, no_such_namespace, not_storable};

/// How often the inbox is looked into although nobody rang.
pub const USUAL_SWEEP: Duration = Duration::from_secs(15);

/// Letters of one namespace at one turn.
const PAGE: i64 = 500;

/// What letters of one transaction hold together, unless one alone is larger.
const LARGEST_BATCH: usize = 8 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    pub accepted: usize,
    pub refused: usize,
}

impl Report {
    /// Nothing was there to be handled, at least not by this server.
    pub fn is_empty(&self) -> bool {
        *self == Report::default()
    }

    fn add(&mut self, handled: HandledLetters) {
        self.accepted += handled.accepted;
        self.refused += handled.refused;
    }
}

/// Handles a page of each namespace. What goes wrong in one does not keep the others waiting.
pub async fn run_once(engine: &Engine) -> Result<Report, StoreError> {
    let (mut report, mut failure) = (Report::default(), None);
    for name in engine.store().find_inboxes().await? {
        if let Err(error) = drain(engine, &name, &mut report).await {
            tracing::warn!(%error, namespace = name, "an inbox is postponed");
            failure = Some(error);
        }
    }
    failure.map_or(Ok(report), Err)
}

async fn drain(engine: &Engine, name: &str, report: &mut Report) -> Result<(), StoreError> {
    let letters = engine.store().find_letters(name, PAGE).await?;
    let ns = engine.store().find_namespace(name).await?;
    for batch in batches(&letters) {
        report.add(match ns {
            Some(ns) => handle(engine, ns, &batch).await?,
            None => refuse(engine, &batch, no_such_namespace(name)).await?,
        });
    }
    Ok(())
}

fn batches(letters: &[WaitingLetter]) -> Vec<Vec<Uuid>> {
    let (mut batches, mut room) = (Vec::<Vec<Uuid>>::new(), 0);
    for letter in letters {
        match batches.last_mut() {
            Some(batch) if letter.size <= room => batch.push(letter.id),
            _ => {
                batches.push(vec![letter.id]);
                room = LARGEST_BATCH;
            }
        }
        room = room.saturating_sub(letter.size);
    }
    batches
}

async fn handle(
    engine: &Engine,
    ns: Namespace,
    letters: &[Uuid],
) -> Result<HandledLetters, StoreError> {
    let handled = handle_together(engine, ns, letters).await;
    let Err(error) = &handled else {
        return handled;
    };
    if !error.is_about_the_data() {
        return handled;
    }
    let mut all = HandledLetters::default();
    for letter in letters {
        let one = std::slice::from_ref(letter);
        let handled = match handle_together(engine, ns, one).await {
            Err(error) if error.is_about_the_data() => {
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                tracing::error!(%error, cause, %letter, "a row of the inbox cannot be stored");
                refuse(engine, one, not_storable()).await?
            }
            handled => handled?,
        };
        all.accepted += handled.accepted;
        all.refused += handled.refused;
    }
    Ok(all)
}

async fn handle_together(
    engine: &Engine,
    ns: Namespace,
    letters: &[Uuid],
) -> Result<HandledLetters, StoreError> {
    let operation = HandleLetters {
        ns,
        letters,
        reader: &InboxReader,
        commits_apart: engine.store().commits_apart().await?,
    };
    engine.run(&operation).await
}

async fn refuse(
    engine: &Engine,
    letters: &[Uuid],
    refusal: LetterRefusal,
) -> Result<HandledLetters, StoreError> {
    let operation = RefuseLetters { letters, refusal };
    engine.run(&operation).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_bounded_by_what_they_hold_and_leave_nothing_out() {
        let letter = |n: u128, size| WaitingLetter {
            id: Uuid::from_u128(n),
            size,
        };
        let sizes = [LARGEST_BATCH, 1, LARGEST_BATCH - 1, 1, 2 * LARGEST_BATCH, 7];
        let letters: Vec<_> = (1..).zip(sizes).map(|(n, size)| letter(n, size)).collect();
        let numbers = batches(&letters)
            .into_iter()
            .map(|batch| batch.iter().map(Uuid::as_u128).collect::<Vec<_>>());
        let expected: [&[u128]; 5] = [&[1], &[2, 3], &[4], &[5], &[6]];
        assert_eq!(numbers.collect::<Vec<_>>(), expected);
    }
}
