//! The lifecycle walked on a real store: operations take every transition of its table, and any
//! other transition is refused and changes nothing.

mod hub;
mod scene;
mod step;

use std::collections::HashSet;

use anyhow::Result;
use workmill_core::lifecycle::{State, Trigger, arrows, next};

use scene::{Scene, expired, planned, reach, with_a_late_result};
use step::{Answer, Step};

use crate::statements::read_all_statements;

/// Where tasks rest. `validating` is passed through while nothing validates.
const RESTING: [State; 10] = [
    State::Created,
    State::Pending,
    State::Ready,
    State::Claimed,
    State::Running,
    State::Blocked,
    State::Retrying,
    State::Completed,
    State::DeadLettered,
    State::Cancelled,
];

type Arrows = HashSet<(State, Trigger)>;

/// Takes the step and sees that the task went where its arrows lead.
async fn follow(scene: &Scene, from: State, step: Step, seen: &mut Arrows) -> Result<()> {
    let mut expected = from;
    for trigger in step.triggers() {
        seen.insert((expected, *trigger));
        expected = next(expected, *trigger)?;
    }
    assert_eq!(scene.state().await?, from, "before {step:?}");
    assert_eq!(step.take(scene).await?, Answer::Done, "{step:?} in {from}");
    assert_eq!(scene.state().await?, expected, "{step:?} in {from}");
    Ok(())
}

/// Tries what is no arrow, and sees that not a row has changed. But for a deadline that has passed
/// without meaning anything to the task: it is forgotten, or the agent is told to stop.
async fn refuse(scene: &Scene, from: State, step: Step) -> Result<()> {
    let before = scene.rows().await?;
    let answer = step.take(scene).await?;
    assert_ne!(answer, Answer::Done, "{step:?} in {from}");
    assert_eq!(scene.state().await?, from, "{step:?}");
    if step != Step::PassDeadline {
        assert_eq!(scene.rows().await?, before, "{step:?} in {from}");
    }
    Ok(())
}

/// Whether no operation takes this transition yet, because there are no checkers that could look at
/// an output while its task rests in `validating`.
fn is_for_checkers(from: State, trigger: Trigger) -> bool {
    from == State::Validating && trigger != Trigger::Accept
}

/// F-6 (part)
#[tokio::test]
async fn every_transition_of_the_lifecycle_is_taken_on_the_store() -> Result<()> {
    let mut seen = Arrows::new();
    for from in RESTING {
        for step in Step::ALL.into_iter().filter(|step| step.is_legal(from)) {
            follow(&reach(from).await?, from, step, &mut seen).await?;
        }
    }
    take_what_follows_a_lost_lease(&mut seen).await?;
    for from in arrows().filter(|(_, trigger, _)| *trigger == Trigger::Adopt) {
        let scene = with_a_late_result(from.0).await?;
        follow(&scene, from.0, Step::Adopt, &mut seen).await?;
    }
    for from in [State::Cancelled, State::Stale] {
        follow(&planned(from).await?, from, Step::Restore, &mut seen).await?;
    }
    for (from, trigger, to) in arrows() {
        assert_eq!(
            seen.contains(&(from, trigger)),
            !is_for_checkers(from, trigger),
            "{from} on {trigger} to {to}"
        );
    }
    Ok(())
}

async fn take_what_follows_a_lost_lease(seen: &mut Arrows) -> Result<()> {
    for from in [
        State::Ready,
        State::Retrying,
        State::Blocked,
        State::DeadLettered,
    ] {
        for step in [Step::CompleteLate, Step::BeatLate] {
            follow(&expired(from).await?, from, step, seen).await?;
        }
    }
    let claimed = scene::watched(false).await?;
    follow(&claimed, State::Claimed, Step::ExpireToBlocked, seen).await?;
    let running = scene::watched(true).await?;
    follow(&running, State::Running, Step::ExpireToBlocked, seen).await?;
    let last = scene::asked_with_its_last_attempt().await?;
    follow(&last, State::Blocked, Step::ExpireLastQuestion, seen).await
}

/// The row of a task is read, decided and written by Rust code in which only `TaskRow::follow`
/// changes a state. A claim follows `Trigger::Claim` by a statement of its own.
#[test]
fn only_three_statements_write_the_state_of_a_task() -> Result<()> {
    let mut found: Vec<String> = read_all_statements()?
        .into_iter()
        .filter(|statement| writes_a_state(&statement.text))
        .map(|statement| statement.name)
        .collect();
    found.sort();
    assert_eq!(found, ["claim_states", "insert_tasks", "update_states"]);
    Ok(())
}

/// Whether a statement inserts rows into the table `state` or sets its column `state`.
fn writes_a_state(statement: &str) -> bool {
    let words: Vec<&str> = statement.split_whitespace().collect();
    let is_table = |word: &str| matches!(word, "state" | "workmill.state");
    let inserts = words
        .windows(3)
        .any(|words| words[..2] == ["insert", "into"] && is_table(words[2]));
    let updates = words
        .windows(2)
        .any(|words| words[0] == "update" && is_table(words[1]));
    let sets = words.windows(2).any(|words| words == ["state", "="]);
    inserts || (updates && sets)
}

/// F-6 (part)
#[tokio::test]
async fn what_is_no_arrow_is_refused_by_the_store_and_changes_nothing() -> Result<()> {
    for from in RESTING.into_iter().chain([State::Stale]) {
        let scene = reach(from).await?;
        let mut refused = 0;
        let steps = Step::ALL.into_iter().filter(|step| !step.is_legal(from));
        for step in steps {
            refuse(&scene, from, step).await?;
            refused += 1;
        }
        assert!(refused > 5, "{from}");
    }
    Ok(())
}
