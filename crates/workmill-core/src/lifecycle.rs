//! The lifecycle of a task: its states, and the transitions between them.
//!
//! A task begins in [`State::INITIAL`]; each later state follows from [`next`], the only table of
//! transitions. Every write that changes a state asks it first, so a transition that is not in the
//! table is refused and changes nothing. [`diagram`] draws `docs/lifecycle.md` from the table.
//!
//! An operation takes every transition of the table, with one exception: no task rests in
//! `validating` yet, because only checkers will leave an output there. Until checkers exist, an
//! output passes through `validating` in one transaction, and the transitions that leave it on
//! `revalidate`, `retry`, `dead-letter` and `cancel` are never taken.

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;

/// The stored state of a task. `failed` is not among them: a failing attempt passes through it
/// inside one transaction.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Part of a graph that is still being drafted.
    Created,
    /// Waits for dependencies, or for its time.
    Pending,
    /// Can be claimed.
    Ready,
    /// An agent holds the lease and has not started.
    Claimed,
    /// An agent works on it.
    Running,
    /// Output is in; a validator looks at it.
    Validating,
    /// Waits for input, an approval, an outside event or a person's look.
    Blocked,
    /// An attempt failed; waits for its retry to be due.
    Retrying,
    Completed,
    /// Will not run again until somebody decides.
    DeadLettered,
    Cancelled,
    /// Its hard deadline passed before it ran.
    Stale,
}

/// What can happen to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// The task is submitted, alone or with the draft that it belongs to.
    Submit,
    /// Dependencies are met and its time has come.
    Promote,
    /// An edge to an unfinished task was added.
    AddDependency,
    Claim,
    Start,
    SubmitOutput,
    /// Output of a lease that ran out, while nobody else has claimed since.
    SubmitLateOutput,
    /// A heartbeat of a lease that ran out, while nobody else has claimed since.
    ResumeLease,
    /// The validator accepts the output, or there is nothing to validate.
    Accept,
    /// A checker that validated the output was lost; another checker validates it again.
    Revalidate,
    /// The attempt failed and another one follows.
    Retry,
    /// The attempt failed and no other follows.
    DeadLetter,
    /// Given back without a result: released, preempted or drained.
    Release,
    /// The running task waits for one it spawned.
    WaitForChild,
    /// The agent needs input, or a lease of the `work` profile ran out.
    Block,
    /// The input it was blocked for has come.
    Answer,
    Cancel,
    /// The hard deadline passed.
    PassDeadline,
    /// A person or an orchestrator sends a dead letter round again.
    Revive,
    /// A planner brings back what was deleted, or was not done in time.
    Restore,
    /// An operator takes a stored late output as the outcome.
    Adopt,
}

impl State {
    /// The state in which every task begins. A task that is submitted outside a draft leaves it in
    /// the transaction that creates the task, on [`Trigger::Submit`].
    pub const INITIAL: State = State::Created;

    pub const ALL: [State; 12] = [
        State::Created,
        State::Pending,
        State::Ready,
        State::Claimed,
        State::Running,
        State::Validating,
        State::Blocked,
        State::Retrying,
        State::Completed,
        State::DeadLettered,
        State::Cancelled,
        State::Stale,
    ];

    /// The number that stands for the state in the database. Never reuse one.
    pub const fn code(self) -> i16 {
        match self {
            State::Created => 0,
            State::Pending => 1,
            State::Ready => 2,
            State::Claimed => 3,
            State::Running => 4,
            State::Validating => 5,
            State::Blocked => 6,
            State::Retrying => 7,
            State::Completed => 8,
            State::DeadLettered => 9,
            State::Cancelled => 10,
            State::Stale => 11,
        }
    }

    pub fn from_code(code: i16) -> Option<State> {
        State::ALL.into_iter().find(|state| state.code() == code)
    }

    pub const fn name(self) -> &'static str {
        match self {
            State::Created => "created",
            State::Pending => "pending",
            State::Ready => "ready",
            State::Claimed => "claimed",
            State::Running => "running",
            State::Validating => "validating",
            State::Blocked => "blocked",
            State::Retrying => "retrying",
            State::Completed => "completed",
            State::DeadLettered => "dead_lettered",
            State::Cancelled => "cancelled",
            State::Stale => "stale",
        }
    }

    /// Nothing happens to it any more by itself, and nothing waits for it to move.
    /// A dead letter is not finished: somebody will decide about it.
    pub const fn is_finished(self) -> bool {
        matches!(self, State::Completed | State::Cancelled | State::Stale)
    }

    /// An agent, or a validator in its stead, holds a lease.
    pub const fn is_leased(self) -> bool {
        matches!(self, State::Claimed | State::Running | State::Validating)
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Trigger {
    pub const ALL: [Trigger; 21] = [
        Trigger::Submit,
        Trigger::Promote,
        Trigger::AddDependency,
        Trigger::Claim,
        Trigger::Start,
        Trigger::SubmitOutput,
        Trigger::SubmitLateOutput,
        Trigger::ResumeLease,
        Trigger::Accept,
        Trigger::Revalidate,
        Trigger::Retry,
        Trigger::DeadLetter,
        Trigger::Release,
        Trigger::WaitForChild,
        Trigger::Block,
        Trigger::Answer,
        Trigger::Cancel,
        Trigger::PassDeadline,
        Trigger::Revive,
        Trigger::Restore,
        Trigger::Adopt,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Trigger::Submit => "submit",
            Trigger::Promote => "promote",
            Trigger::AddDependency => "add dependency",
            Trigger::Claim => "claim",
            Trigger::Start => "start",
            Trigger::SubmitOutput => "submit output",
            Trigger::SubmitLateOutput => "submit late output",
            Trigger::ResumeLease => "resume lease",
            Trigger::Accept => "accept",
            Trigger::Revalidate => "revalidate",
            Trigger::Retry => "retry",
            Trigger::DeadLetter => "dead-letter",
            Trigger::Release => "release",
            Trigger::WaitForChild => "wait for child",
            Trigger::Block => "block",
            Trigger::Answer => "answer",
            Trigger::Cancel => "cancel",
            Trigger::PassDeadline => "pass deadline",
            Trigger::Revive => "revive",
            Trigger::Restore => "restore",
            Trigger::Adopt => "adopt",
        }
    }
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A transition that is not an arrow. As a text it says why, and what to do first if that helps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub struct IllegalTransition {
    pub from: State,
    pub trigger: Trigger,
}

impl fmt::Display for IllegalTransition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Trigger as T;
        let why = match self.trigger {
            T::SubmitOutput | T::Block | T::WaitForChild if self.from == State::Claimed => {
                return f.write_str(
                    "the task is claimed but not started: start it first, with `workmill start`",
                );
            }
            T::Cancel => {
                return write!(
                    f,
                    "the task is {} and can no longer be cancelled",
                    self.from
                );
            }
            T::Adopt if self.from.is_leased() => {
                "an agent works on it; a late result can be adopted after its attempt has ended"
            }
            T::Adopt if self.from == State::Completed => "it already has a result",
            T::Submit => "only a draft can be submitted",
            T::Promote => "it cannot become ready",
            T::AddDependency => "it can no longer wait for another task",
            T::Claim => "only a task that is ready can be claimed",
            T::Start => "only a task that is claimed can be started",
            T::SubmitOutput => "only a task that is running can be completed",
            T::SubmitLateOutput => "a late result no longer completes it",
            T::ResumeLease => "its lease cannot be taken up again",
            T::Accept | T::Revalidate => "it has no result to validate",
            T::Retry | T::DeadLetter => "no attempt of it can fail now",
            T::Release => "no agent holds it",
            T::WaitForChild => "only a task that is running can wait for those it spawned",
            T::Block => "only a task that is running can be blocked",
            T::Answer => "it has no open question",
            T::PassDeadline => "its deadline no longer matters",
            T::Revive => "only a dead letter can be retried",
            T::Restore => "only a cancelled or stale task can be restored",
            T::Adopt => "a late result cannot be adopted",
        };
        write!(f, "the task is {}: {why}", self.from)
    }
}

/// The state that follows, or the reason why none does.
///
/// Several transitions can follow each other inside one transaction: a new task takes `submit` and
/// `promote`, a failing attempt of a task without retry delay `retry` and `promote`, an output that
/// no checker validates `submit output` and `accept`, a revived dead letter `revive` and `promote`.
#[expect(
    clippy::match_same_arms,
    reason = "one arrow a line, by the state it leaves"
)]
pub fn next(from: State, trigger: Trigger) -> Result<State, IllegalTransition> {
    use State as S;
    use Trigger as T;
    Ok(match (from, trigger) {
        (S::Created, T::Submit) => S::Pending,
        (S::Created, T::AddDependency) => S::Created,
        (S::Created, T::Cancel) => S::Cancelled,

        (S::Pending, T::Promote) => S::Ready,
        (S::Pending, T::AddDependency) => S::Pending,
        (S::Pending, T::Cancel) => S::Cancelled,
        (S::Pending, T::PassDeadline) => S::Stale,
        (S::Pending, T::Adopt) => S::Completed,

        (S::Ready, T::Claim) => S::Claimed,
        (S::Ready, T::AddDependency) => S::Pending,
        (S::Ready, T::SubmitLateOutput) => S::Validating,
        (S::Ready, T::ResumeLease) => S::Running,
        (S::Ready, T::Cancel) => S::Cancelled,
        (S::Ready, T::PassDeadline) => S::Stale,
        (S::Ready, T::Adopt) => S::Completed,

        (S::Claimed, T::Start) => S::Running,
        (S::Claimed, T::Retry) => S::Retrying,
        (S::Claimed, T::DeadLetter) => S::DeadLettered,
        (S::Claimed, T::Release) => S::Ready,
        (S::Claimed, T::Block) => S::Blocked,
        (S::Claimed, T::Cancel) => S::Cancelled,

        (S::Running, T::SubmitOutput) => S::Validating,
        (S::Running, T::Retry) => S::Retrying,
        (S::Running, T::DeadLetter) => S::DeadLettered,
        (S::Running, T::Release) => S::Ready,
        (S::Running, T::WaitForChild) => S::Pending,
        (S::Running, T::Block) => S::Blocked,
        (S::Running, T::Cancel) => S::Cancelled,

        (S::Validating, T::Accept) => S::Completed,
        (S::Validating, T::Revalidate) => S::Validating,
        (S::Validating, T::Retry) => S::Retrying,
        (S::Validating, T::DeadLetter) => S::DeadLettered,
        (S::Validating, T::Cancel) => S::Cancelled,

        (S::Blocked, T::Answer) => S::Ready,
        (S::Blocked, T::ResumeLease) => S::Running,
        (S::Blocked, T::SubmitLateOutput) => S::Validating,
        (S::Blocked, T::Retry) => S::Retrying,
        (S::Blocked, T::DeadLetter) => S::DeadLettered,
        (S::Blocked, T::Cancel) => S::Cancelled,
        (S::Blocked, T::PassDeadline) => S::Stale,
        (S::Blocked, T::Adopt) => S::Completed,

        (S::Retrying, T::Promote) => S::Ready,
        (S::Retrying, T::AddDependency) => S::Pending,
        (S::Retrying, T::SubmitLateOutput) => S::Validating,
        (S::Retrying, T::ResumeLease) => S::Running,
        (S::Retrying, T::Cancel) => S::Cancelled,
        (S::Retrying, T::PassDeadline) => S::Stale,
        (S::Retrying, T::Adopt) => S::Completed,

        (S::DeadLettered, T::Revive) => S::Pending,
        (S::DeadLettered, T::SubmitLateOutput) => S::Validating,
        (S::DeadLettered, T::ResumeLease) => S::Running,
        (S::DeadLettered, T::Cancel) => S::Cancelled,
        (S::DeadLettered, T::Adopt) => S::Completed,

        (S::Cancelled, T::Restore) => S::Pending,
        (S::Cancelled, T::Adopt) => S::Completed,

        (S::Stale, T::Restore) => S::Pending,
        (S::Stale, T::Adopt) => S::Completed,

        (from, trigger) => return Err(IllegalTransition { from, trigger }),
    })
}

/// Every arrow, in the order of the states.
pub fn arrows() -> impl Iterator<Item = (State, Trigger, State)> {
    State::ALL.into_iter().flat_map(|from| {
        Trigger::ALL
            .into_iter()
            .filter_map(move |trigger| next(from, trigger).ok().map(|to| (from, trigger, to)))
    })
}

/// The arrows as a Mermaid state diagram.
pub fn diagram() -> String {
    let mut text = format!("stateDiagram-v2\n    [*] --> {}\n", State::INITIAL);
    let mut drawn: Vec<(State, State)> = Vec::new();
    for (from, _, to) in arrows() {
        if drawn.contains(&(from, to)) {
            continue;
        }
        drawn.push((from, to));
        let triggers: Vec<&str> = arrows()
            .filter(|arrow| (arrow.0, arrow.2) == (from, to))
            .map(|arrow| arrow.1.name())
            .collect();
        let _ = writeln!(text, "    {from} --> {to}: {}", triggers.join(", "));
    }
    for state in State::ALL.into_iter().filter(|state| state.is_finished()) {
        let _ = writeln!(text, "    {state} --> [*]");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The arrows of F §3, with `failed` passed through.
    /// F-6 (part)
    #[test]
    fn every_arrow_of_the_factory_is_there() {
        use State as S;
        use Trigger as T;
        for (from, trigger, to) in [
            (S::Created, T::Submit, S::Pending),
            (S::Pending, T::Promote, S::Ready),
            (S::Ready, T::Claim, S::Claimed),
            (S::Claimed, T::Start, S::Running),
            (S::Running, T::SubmitOutput, S::Validating),
            (S::Validating, T::Accept, S::Completed),
            (S::Claimed, T::Retry, S::Retrying),
            (S::Running, T::Retry, S::Retrying),
            (S::Validating, T::Retry, S::Retrying),
            (S::Retrying, T::Promote, S::Ready),
            (S::Claimed, T::DeadLetter, S::DeadLettered),
            (S::Running, T::DeadLetter, S::DeadLettered),
            (S::Validating, T::DeadLetter, S::DeadLettered),
            (S::Pending, T::Cancel, S::Cancelled),
        ] {
            assert_eq!(next(from, trigger), Ok(to));
        }
    }

    #[test]
    fn every_unfinished_state_can_be_cancelled_and_no_finished_one() {
        for state in State::ALL {
            assert_eq!(
                next(state, Trigger::Cancel).is_ok(),
                !state.is_finished(),
                "{state}"
            );
        }
    }

    #[test]
    fn a_completed_task_never_changes_again() {
        assert_eq!(arrows().find(|(from, ..)| *from == State::Completed), None);
    }

    #[test]
    fn only_a_claim_leads_to_claimed_and_only_validation_or_an_operator_to_completed() {
        for (_, trigger, to) in arrows() {
            if to == State::Claimed {
                assert_eq!(trigger, Trigger::Claim);
            }
            if to == State::Completed {
                assert!(matches!(trigger, Trigger::Accept | Trigger::Adopt));
            }
        }
    }

    #[test]
    fn the_deadline_makes_stale_only_what_nobody_works_on() {
        for (from, trigger, to) in arrows() {
            assert_eq!(trigger == Trigger::PassDeadline, to == State::Stale);
            assert!(to != State::Stale || !from.is_leased(), "{from}");
        }
    }

    #[test]
    fn every_state_can_be_reached_from_a_new_task() {
        let mut reached = vec![State::INITIAL];
        while let Some((.., to)) =
            arrows().find(|(from, _, to)| reached.contains(from) && !reached.contains(to))
        {
            reached.push(to);
        }
        reached.sort();
        assert_eq!(reached, State::ALL);
    }

    #[test]
    fn a_refused_transition_says_why_and_what_to_do_first() {
        let says = |from, trigger| next(from, trigger).unwrap_err().to_string();
        for (from, trigger, text) in [
            (
                State::Claimed,
                Trigger::SubmitOutput,
                "the task is claimed but not started: start it first, with `workmill start`",
            ),
            (
                State::Completed,
                Trigger::Cancel,
                "the task is completed and can no longer be cancelled",
            ),
            (
                State::Ready,
                Trigger::Answer,
                "the task is ready: it has no open question",
            ),
            (
                State::Completed,
                Trigger::Adopt,
                "the task is completed: it already has a result",
            ),
        ] {
            assert_eq!(says(from, trigger), text);
        }
        assert_eq!(
            IllegalTransition {
                from: State::Claimed,
                trigger: Trigger::Block
            }
            .to_string(),
            says(State::Claimed, Trigger::SubmitOutput),
            "an agent may be blocked by its lease, but not block before it starts"
        );
    }

    #[test]
    fn codes_are_distinct_and_read_back() {
        for state in State::ALL {
            assert_eq!(State::from_code(state.code()), Some(state));
        }
        assert_eq!(State::from_code(99), None);
    }
}
