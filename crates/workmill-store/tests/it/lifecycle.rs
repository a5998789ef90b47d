//! The lifecycle walked on a real store: every arrow that an operation can take is taken, every
//! other one is refused and changes nothing.

mod hub;
mod scene;
mod step;

use std::collections::HashSet;

use anyhow::Result;
use workmill_core::lifecycle::{State, Trigger, arrows, next};

use scene::{Scene, expired, reach};
use step::{Answer, Step};

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

/// F-6 (part)
#[tokio::test]
async fn every_arrow_that_an_operation_can_take_is_taken_on_the_store() -> Result<()> {
    let mut seen = Arrows::new();
    for from in RESTING {
        for step in Step::ALL.into_iter().filter(|step| step.is_legal(from)) {
            follow(&reach(from).await?, from, step, &mut seen).await?;
        }
    }
    // Whoever comes back after its lease ran out.
    for from in [
        State::Ready,
        State::Retrying,
        State::Blocked,
        State::DeadLettered,
    ] {
        for step in [Step::CompleteLate, Step::BeatLate] {
            follow(&expired(from).await?, from, step, &mut seen).await?;
        }
    }
    // What a person is to look at, and what nobody answers any more.
    let claimed = scene::watched(false).await?;
    follow(&claimed, State::Claimed, Step::ExpireToBlocked, &mut seen).await?;
    let running = scene::watched(true).await?;
    follow(&running, State::Running, Step::ExpireToBlocked, &mut seen).await?;
    let last = scene::asked_with_its_last_attempt().await?;
    follow(&last, State::Blocked, Step::ExpireLastQuestion, &mut seen).await?;

    for (from, trigger, to) in arrows() {
        let is_to_come = match trigger {
            // Validators, operators' adoption, planners and the work queue's own moves.
            Trigger::Revalidate | Trigger::Adopt | Trigger::Restore | Trigger::Resume => true,
            // Nothing rests there until there are validators.
            _ => from == State::Validating && trigger != Trigger::Accept,
        };
        assert_eq!(
            seen.contains(&(from, trigger)),
            !is_to_come,
            "{from} on {trigger} to {to}"
        );
    }
    Ok(())
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
