//! Batch after batch, whatever happens in between.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use serde_json::json;
use workmill_core::lifecycle::State;
use workmill_engine::EngineError;
use workmill_engine::settlement::dead_letters::{Progress, Resolution};
use workmill_testkit::factory::task;

use super::{Graveyard, decide, modify};

/// F-26
#[tokio::test]
async fn progress_is_told_after_each_batch_and_who_hears_it_may_end_it() -> Result<()> {
    let graveyard = Graveyard::new().await?;
    graveyard.bury(&vec![task("work"); 1100]).await?;
    let decision = decide(Resolution::Retry);
    let preview = graveyard.preview(&decision).await?;
    let (engine, caller) = (&graveyard.engine, &graveyard.caller);
    let mut heard = Vec::new();
    let progress = engine
        .resolve_dead_letters(caller, &decision, preview.until, |progress: &Progress| {
            heard.push(progress.resolved);
            if heard.len() == 2 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .await?;
    assert_eq!(heard, [500, 1000]);
    assert_eq!((progress.resolved, progress.is_done), (1000, false));
    let rest = graveyard.carry_out(&decision, &preview).await?;
    assert_eq!(
        (rest.matched, rest.resolved, rest.is_done),
        (100, 100, true)
    );
    let nothing = graveyard.carry_out(&decision, &preview).await?;
    assert_eq!(
        (nothing.matched, nothing.resolved, nothing.is_done),
        (0, 0, true),
        "repeating what is done does nothing"
    );
    Ok(())
}

/// F-26
#[tokio::test]
async fn what_was_cut_off_in_the_middle_goes_on_when_it_is_repeated() -> Result<()> {
    let graveyard = Graveyard::new().await?;
    let tasks = graveyard.bury(&vec![task("work"); 1200]).await?;
    let decision = decide(modify(json!({"title": "better"})));
    let preview = graveyard.preview(&decision).await?;
    let (engine, caller) = (&graveyard.engine, &graveyard.caller);
    let test_points = &engine.store().test_points;
    let mut resolved = 0;
    let cut_off = engine
        .resolve_dead_letters(caller, &decision, preview.until, |progress: &Progress| {
            resolved = progress.resolved;
            // The database goes away for good, as far as this run can tell.
            test_points.fail_at("commit", 100);
            ControlFlow::Continue(())
        })
        .await;
    assert!(matches!(cut_off, Err(EngineError::Store(_))), "{cut_off:?}");
    test_points.disarm("commit");
    assert_eq!((resolved, graveyard.letters().await?), (500, 700));

    let rest = graveyard.carry_out(&decision, &preview).await?;
    assert_eq!((rest.matched, rest.resolved, rest.skipped), (700, 700, 0));
    for id in tasks {
        let task = engine.task(caller, id).await?;
        assert_eq!(
            (task.state, task.version),
            (State::Ready, 2),
            "modified once"
        );
    }
    Ok(())
}

/// F-26
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_runs_at_once_each_counts_what_the_other_was_faster_at() -> Result<()> {
    const LETTERS: usize = 2000;
    let graveyard = Arc::new(Graveyard::new().await?);
    graveyard.bury(&vec![task("work"); LETTERS]).await?;
    let decision = decide(Resolution::Cancel);
    let preview = graveyard.preview(&decision).await?;
    let mut runs = Vec::new();
    for _ in 0..2 {
        let (graveyard, decision) = (Arc::clone(&graveyard), decision.clone());
        let preview = preview.clone();
        runs.push(tokio::spawn(async move {
            graveyard.carry_out(&decision, &preview).await
        }));
    }
    let mut resolved = 0;
    for run in runs {
        let progress = run.await??;
        assert!(progress.is_done);
        assert_eq!(progress.resolved + progress.skipped, progress.matched);
        resolved += progress.resolved;
    }
    assert_eq!((resolved, graveyard.letters().await?), (LETTERS, 0));
    Ok(())
}

/// F-26. Prints how long it takes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_letters_are_previewed_and_resolved() -> Result<()> {
    const LETTERS: usize = 10_000;
    for resolution in [Resolution::Retry, modify(json!({"title": "better"}))] {
        let graveyard = Graveyard::new().await?;
        graveyard.bury(&vec![task("work"); LETTERS]).await?;
        let decision = decide(resolution);
        let began = Instant::now();
        let preview = graveyard.preview(&decision).await?;
        let previewed = began.elapsed();
        assert_eq!((preview.letters, preview.is_whole), (LETTERS, true));
        let began = Instant::now();
        let progress = graveyard.carry_out(&decision, &preview).await?;
        let resolved = began.elapsed();
        assert_eq!((progress.resolved, progress.is_done), (LETTERS, true));
        println!("{LETTERS} letters: previewed in {previewed:?}, resolved in {resolved:?}");
        assert_eq!(graveyard.letters().await?, 0);
    }
    Ok(())
}
