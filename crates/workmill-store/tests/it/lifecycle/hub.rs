//! The hub's table of state transitions, walked on the store in the hub's own words.

use anyhow::Result;
use workmill_core::attempt::Outcome;
use workmill_core::dialect::HubStatus;
use workmill_core::lifecycle::State;
use workmill_core::policy::Profile;
use workmill_core::task::NewTask;
use workmill_testkit::factory::task;

use super::refuse;
use super::scene::{Scene, reach_as};
use super::step::{Answer, Step};

/// `validTransitions` of the source, row by row. `failed` and `timeout` are passed through inside
/// the transaction that ends an attempt; a task that stays there has failed permanently.
const TABLE: &[(State, Step, &[&str])] = &[
    (State::Created, Step::SubmitDraft, &["pending", "queued"]),
    (State::Created, Step::Cancel, &["pending", "cancelled"]),
    (State::Ready, Step::Claim, &["queued", "scheduled"]),
    (State::Ready, Step::Cancel, &["queued", "cancelled"]),
    (State::Ready, Step::PassDeadline, &["queued", "stale"]),
    (State::Claimed, Step::Start, &["scheduled", "running"]),
    (State::Claimed, Step::Release, &["scheduled", "queued"]),
    (State::Claimed, Step::Cancel, &["scheduled", "cancelled"]),
    (State::Running, Step::Complete, &["running", "completed"]),
    (State::Running, Step::Fail, &["running", "failed", "queued"]),
    (State::Running, Step::FailForGood, &["running", "failed"]),
    (
        State::Running,
        Step::Expire,
        &["running", "timeout", "queued"],
    ),
    (State::Running, Step::Cancel, &["running", "cancelled"]),
];

fn asked(max_attempts: i32) -> NewTask {
    let mut asked = NewTask {
        profile: Profile::Hub,
        max_attempts: Some(max_attempts),
        lease_sec: Some(3_600.0),
        ..task("work")
    };
    asked.spec.constraints.max_duration_sec = Some(600.0);
    asked
}

async fn word(scene: &Scene) -> Result<&'static str> {
    let task = scene.queue.task(scene.task).await?;
    let last_failure = task.attempts.last().and_then(|attempt| attempt.reason);
    Ok(HubStatus::of(task.state, last_failure).name())
}

/// What the last attempt went through, if it failed.
async fn passed_through(scene: &Scene) -> Result<Option<&'static str>> {
    let task = scene.queue.task(scene.task).await?;
    let failed = task.attempts.last();
    let failed = failed.filter(|attempt| attempt.outcome == Outcome::Failed);
    let reason = failed.and_then(|attempt| attempt.reason);
    Ok(reason.map(|reason| HubStatus::of_failure(reason).name()))
}

async fn walk(scene: &Scene, step: Step, words: &[&str]) -> Result<()> {
    let mut seen = vec![word(scene).await?];
    assert_eq!(step.take(scene).await?, Answer::Done, "{words:?}");
    seen.extend(passed_through(scene).await?);
    seen.push(word(scene).await?);
    seen.dedup();
    assert_eq!(seen, words, "{step:?}");
    Ok(())
}

/// H-15 (part)
#[tokio::test]
async fn every_row_of_the_hubs_table_is_walked_in_its_words() -> Result<()> {
    for (from, step, words) in TABLE {
        walk(&reach_as(asked(3), *from).await?, *step, words).await?;
    }
    let last = reach_as(asked(1), State::Running).await?;
    walk(&last, Step::Expire, &["running", "timeout"]).await?;
    assert_eq!(last.state().await?, State::DeadLettered, "permanently");
    Ok(())
}

/// H-15 (part): `completed`, `cancelled` and `stale` lead nowhere.
#[tokio::test]
async fn what_has_ended_for_the_hub_is_moved_by_nothing() -> Result<()> {
    for (state, ended) in [
        (State::Completed, "completed"),
        (State::Cancelled, "cancelled"),
        (State::Stale, "stale"),
    ] {
        let scene = reach_as(asked(3), state).await?;
        for step in Step::ALL {
            refuse(&scene, state, step).await?;
            assert_eq!(word(&scene).await?, ended);
        }
    }
    Ok(())
}

/// H-15 (part): a dead letter is queued again only by a decision.
#[tokio::test]
async fn what_has_failed_permanently_is_moved_only_by_a_decision() -> Result<()> {
    let scene = reach_as(asked(3), State::DeadLettered).await?;
    let decisions = [Step::Cancel, Step::Revive];
    let steps = Step::ALL.into_iter();
    for step in steps.filter(|step| !decisions.contains(step)) {
        refuse(&scene, State::DeadLettered, step).await?;
        assert_eq!(word(&scene).await?, "failed");
    }
    Ok(())
}
