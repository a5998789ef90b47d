//! What a decision about many dead letters would do.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use jiff::Timestamp;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_store::look::dead_letters::{DeadLetterGroup, DeadLetterSummary};

use super::survey::{UnfitLetters, survey};
use super::{BulkDecision, Resolution};
use crate::engine::{Caller, Engine};
use crate::error::EngineError;

/// Dead letters that a preview goes over; beyond, its numbers are what there is at least.
pub const MOST_PREVIEWED: i64 = 100_000;

const LARGEST_SAMPLE: usize = 20;
const MOST_GROUPS: usize = 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// Of this moment it speaks. The decision names it, so that it is about the same letters.
    /// A letter whose transaction is just being committed may be dated before it and be missing
    /// here.
    pub until: Timestamp,
    /// Letters that fit.
    pub letters: usize,
    /// False: there are more than were looked at, and all numbers are lower bounds.
    pub is_whole: bool,
    /// What they have cost so far.
    pub cost_micros: i64,
    /// Tasks that wait for them: they go on waiting, or are cancelled with them, each by its own
    /// rule.
    pub dependents: i64,
    /// How many would come to which state.
    pub becoming: BTreeMap<State, usize>,
    /// Those that cannot be modified like this. While there are any, the decision is refused.
    pub unfit: UnfitLetters,
    /// What failed alike, the largest groups first.
    pub groups: Vec<DeadLetterGroup>,
    /// How many groups there are, those that are not shown included.
    pub groups_in_all: usize,
    /// The first of the letters.
    pub sample: Vec<PreviewedLetter>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewedLetter {
    pub letter: DeadLetterSummary,
    pub effect: Effect,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    Becomes(State),
    /// It cannot be modified like this.
    Unfit(String),
}

impl Engine {
    /// Changes nothing and locks nothing.
    pub async fn preview_dead_letters(
        &self,
        caller: &Caller,
        decision: &BulkDecision,
    ) -> Result<Preview, EngineError> {
        let changes = decision.check()?;
        let until = self.store().now().await?;
        let filter = decision.filter_until(until);
        let mut preview = Preview {
            until,
            letters: 0,
            is_whole: true,
            cost_micros: 0,
            dependents: 0,
            becoming: BTreeMap::new(),
            unfit: UnfitLetters::default(),
            groups: Vec::new(),
            groups_in_all: 0,
            sample: Vec::new(),
        };
        let mut groups = Groups::default();
        let add = |letter: &DeadLetterSummary, problem| {
            groups.add(letter);
            preview.add(letter, &decision.resolution, problem);
        };
        let most = Some(MOST_PREVIEWED);
        let is_whole = survey(self, caller.ns, &filter, changes.as_ref(), most, add).await?;
        Ok(Preview {
            is_whole,
            groups_in_all: groups.0.len(),
            groups: groups.largest(),
            ..preview
        })
    }
}

impl Preview {
    fn add(
        &mut self,
        letter: &DeadLetterSummary,
        resolution: &Resolution,
        problem: Option<String>,
    ) {
        self.letters += 1;
        self.cost_micros = self.cost_micros.saturating_add(letter.cost_micros);
        self.dependents += letter.dependents;
        self.unfit.add(letter.task, problem.clone());
        let effect = match problem {
            Some(problem) => Effect::Unfit(problem),
            None => Effect::Becomes(next_state(resolution)),
        };
        if let Effect::Becomes(state) = effect {
            *self.becoming.entry(state).or_default() += 1;
        }
        if self.sample.len() < LARGEST_SAMPLE {
            self.sample.push(PreviewedLetter {
                letter: letter.clone(),
                effect,
            });
        }
    }
}

/// A dead letter has run before, so it waits for nothing.
fn next_state(resolution: &Resolution) -> State {
    match resolution {
        Resolution::Cancel => State::Cancelled,
        Resolution::Retry | Resolution::ModifyAndRetry { .. } => State::Ready,
    }
}

/// Letters by what failed alike.
#[derive(Debug, Default)]
struct Groups(BTreeMap<(i64, Option<Reason>), DeadLetterGroup>);

impl Groups {
    fn add(&mut self, letter: &DeadLetterSummary) {
        match self.0.entry((letter.fingerprint, letter.reason)) {
            Entry::Vacant(place) => {
                place.insert(DeadLetterGroup {
                    fingerprint: letter.fingerprint,
                    reason: letter.reason,
                    letters: 1,
                    first_at: letter.at,
                    last_at: letter.at,
                    example: letter.task,
                });
            }
            Entry::Occupied(mut place) => {
                let group = place.get_mut();
                group.letters += 1;
                group.first_at = group.first_at.min(letter.at);
                if letter.at > group.last_at {
                    group.last_at = letter.at;
                    group.example = letter.task;
                }
            }
        }
    }

    fn largest(self) -> Vec<DeadLetterGroup> {
        let mut groups: Vec<DeadLetterGroup> = self.0.into_values().collect();
        groups.sort_by_key(|group| (std::cmp::Reverse(group.letters), group.fingerprint));
        groups.truncate(MOST_GROUPS);
        groups
    }
}
