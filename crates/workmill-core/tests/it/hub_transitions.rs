//! The hub's table of state transitions, row by row, against the lifecycle.
//!
//! A state has one word in the hub's language. `failed` and `timeout` are what an attempt passes
//! through inside the transaction that ends it: there the task is queued again or, as a dead
//! letter, failed for good.

use std::collections::BTreeSet;

use workmill_core::lifecycle::{State, Trigger, arrows};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    Pending,
    Queued,
    Scheduled,
    Running,
    Failed,
    Completed,
    Cancelled,
    Timeout,
    Stale,
    PermanentlyFailed,
}

use Word as W;

/// `validTransitions` of the source, as it stands there.
const TABLE: [(Word, &[Word]); 10] = [
    (W::Pending, &[W::Queued, W::Cancelled]),
    (W::Queued, &[W::Scheduled, W::Cancelled, W::Stale]),
    (W::Scheduled, &[W::Running, W::Queued, W::Cancelled]),
    (
        W::Running,
        &[W::Completed, W::Failed, W::Timeout, W::Cancelled],
    ),
    (W::Failed, &[W::Queued, W::PermanentlyFailed]),
    (W::Completed, &[]),
    (W::Cancelled, &[]),
    (W::Timeout, &[W::Queued, W::PermanentlyFailed]),
    (W::Stale, &[]),
    (W::PermanentlyFailed, &[]),
];

/// What a task in a state is called. A dead letter failed, or timed out, as its reason says, and
/// that permanently.
fn words(state: State) -> &'static [Word] {
    match state {
        State::Created => &[W::Pending],
        State::Pending | State::Ready | State::Retrying | State::Blocked => &[W::Queued],
        State::Claimed => &[W::Scheduled],
        State::Running | State::Validating => &[W::Running],
        State::Completed => &[W::Completed],
        State::DeadLettered => &[W::Failed, W::Timeout, W::PermanentlyFailed],
        State::Cancelled => &[W::Cancelled],
        State::Stale => &[W::Stale],
    }
}

/// The steps from word to word that an arrow takes in one transaction.
fn steps(from: State, trigger: Trigger, to: State) -> Vec<(Word, Word)> {
    let each = |from: &[Word], to: &[Word]| -> Vec<(Word, Word)> {
        let pairs = from
            .iter()
            .flat_map(|from| to.iter().map(|to| (*from, *to)));
        pairs.filter(|(from, to)| from != to).collect()
    };
    let ended = [W::Failed, W::Timeout];
    match trigger {
        Trigger::Retry => [each(words(from), &ended), each(&ended, words(to))].concat(),
        Trigger::DeadLetter => [
            each(words(from), &ended),
            each(&ended, &[W::PermanentlyFailed]),
        ]
        .concat(),
        _ => each(words(from), words(to)),
    }
}

fn is_in_the_table(step: (Word, Word)) -> bool {
    let mut rows = TABLE.iter();
    rows.any(|(from, next)| *from == step.0 && next.contains(&step.1))
}

/// H-15 (part)
#[test]
fn every_row_of_the_hubs_table_is_an_arrow() {
    let taken: BTreeSet<(Word, Word)> = arrows()
        .flat_map(|(from, trigger, to)| steps(from, trigger, to))
        .collect();
    for (from, next) in TABLE {
        for to in next {
            assert!(
                taken.contains(&(from, *to)),
                "{from:?} never becomes {to:?}"
            );
        }
    }
}

/// H-15 (part): what the table does not have comes from the other sources, and from nowhere else.
#[test]
fn every_arrow_is_a_row_of_the_hubs_table_or_asked_for_by_another_source() {
    use State as S;
    use Trigger as T;
    for (from, trigger, to) in arrows() {
        let is_beyond = steps(from, trigger, to)
            .into_iter()
            .any(|step| !is_in_the_table(step));
        let is_paid_work_kept = matches!(trigger, T::SubmitLateOutput | T::ResumeLease | T::Adopt);
        let is_asked_for = match from {
            // A claim that is not started in time is a failed attempt, not only given back.
            S::Claimed => matches!(trigger, T::Retry | T::DeadLetter),
            // Preempted, drained, or waiting for what it has spawned or for a person.
            S::Running => matches!(trigger, T::Release | T::WaitForChild | T::Block),
            // The person does not answer in time.
            S::Blocked => matches!(trigger, T::Retry | T::DeadLetter),
            // Somebody decides about it.
            S::DeadLettered => matches!(trigger, T::Revive | T::Cancel),
            // A planner brings it back.
            S::Cancelled | S::Stale => trigger == T::Restore,
            S::Created | S::Pending | S::Ready | S::Validating | S::Retrying | S::Completed => {
                false
            }
        };
        assert_eq!(
            is_beyond,
            is_asked_for || is_paid_work_kept,
            "{from} on {trigger} to {to}: {:?}",
            steps(from, trigger, to)
        );
    }
}

/// H-15 (part)
#[test]
fn what_has_ended_for_the_hub_is_moved_only_by_people() {
    for (from, trigger, _) in arrows() {
        if words(from).iter().any(|word| is_terminal(*word)) {
            let is_by_people = matches!(
                trigger,
                Trigger::Adopt | Trigger::Restore | Trigger::Revive | Trigger::Cancel
            );
            let is_the_holder = matches!(trigger, Trigger::SubmitLateOutput | Trigger::ResumeLease);
            let is_dead_letter = from == State::DeadLettered;
            assert!(
                is_by_people || (is_the_holder && is_dead_letter),
                "{from} on {trigger}"
            );
        }
    }
}

fn is_terminal(word: Word) -> bool {
    let mut rows = TABLE.iter();
    rows.any(|(row, next)| *row == word && next.is_empty())
}
