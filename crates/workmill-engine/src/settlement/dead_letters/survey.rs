//! Going over all dead letters that fit, without a lock.

use std::collections::BTreeMap;

use workmill_core::ids::{Namespace, TaskId};
use workmill_core::task::NewTask;
use workmill_store::look::dead_letters::{DeadLetterFilter, DeadLetterSummary, LONGEST_STRETCH};

use crate::engine::Engine;
use crate::error::EngineError;
use crate::intake::Changes;

/// Tasks that are read at once to lay changes over them.
const READ_AT_ONCE: usize = 500;

/// Letters that are named when there are many.
const MOST_NAMED: usize = 5;

/// Letters that cannot be modified as asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnfitLetters {
    pub letters: usize,
    /// The first of them, with what is wrong.
    pub examples: Vec<(TaskId, String)>,
}

impl UnfitLetters {
    pub(super) fn add(&mut self, task: TaskId, problem: Option<String>) {
        let Some(problem) = problem else { return };
        self.letters += 1;
        if self.examples.len() < MOST_NAMED {
            self.examples.push((task, problem));
        }
    }

    /// Nothing is changed unless all of them can be.
    pub(super) fn refuse_any(&self, matched: usize) -> Result<(), EngineError> {
        if self.letters == 0 {
            return Ok(());
        }
        let mut examples: Vec<String> = self
            .examples
            .iter()
            .map(|(task, problem)| format!("{task}: {problem}"))
            .collect();
        if self.letters > examples.len() {
            examples.push("…".to_owned());
        }
        let problem = format!(
            "{} of {matched} dead letters cannot be modified like this, so none was: {}",
            self.letters,
            examples.join("; "),
        );
        Err(EngineError::invalid("changes", problem))
    }
}

/// Shows each letter that fits to `see`, with why the changes do not fit it, if they do not.
/// Answers whether that were all: with a limit, the look ends when it has gone over so many.
pub(super) async fn survey(
    engine: &Engine,
    ns: Namespace,
    filter: &DeadLetterFilter,
    changes: Option<&Changes>,
    most_looked_at: Option<i64>,
    mut see: impl FnMut(&DeadLetterSummary, Option<String>) + Send,
) -> Result<bool, EngineError> {
    let mut after = None;
    let mut looked_at = 0;
    loop {
        let page = engine
            .store()
            .summarise_dead_letters(ns, filter, after, LONGEST_STRETCH)
            .await?;
        for letters in page.letters.chunks(READ_AT_ONCE) {
            let mut problems = match changes {
                None => BTreeMap::new(),
                Some(changes) => find_problems(engine, ns, letters, changes).await?,
            };
            for letter in letters {
                see(letter, problems.remove(&letter.task));
            }
        }
        looked_at += LONGEST_STRETCH;
        after = page.next;
        if after.is_none() {
            return Ok(true);
        }
        if most_looked_at.is_some_and(|most| looked_at >= most) {
            return Ok(false);
        }
    }
}

/// Why the changes do not fit, for those that they do not fit.
async fn find_problems(
    engine: &Engine,
    ns: Namespace,
    letters: &[DeadLetterSummary],
    changes: &Changes,
) -> Result<BTreeMap<TaskId, String>, EngineError> {
    let tasks: Vec<TaskId> = letters.iter().map(|letter| letter.task).collect();
    let asked = engine.store().find_what_was_asked(ns, &tasks).await?;
    let problems = asked.into_iter().filter_map(|(task, body)| {
        let problem = match serde_json::from_str::<NewTask>(body.get()) {
            Ok(asked) => changes.draft(asked).err().map(|error| error.to_string()),
            Err(error) => Some(error.to_string()),
        };
        Some((task, problem?))
    });
    Ok(problems.collect())
}
