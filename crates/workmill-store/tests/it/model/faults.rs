//! Deliberate faults: each is planted in the store by its name and caught by the check that
//! should catch it, while the same sequences without the fault pass. A check that nothing can
//! fail shows nothing.

use anyhow::Result;

use super::concurrent::play;
use super::cycles::edges_that_close_a_cycle;
use super::races::{
    crossing_batches, last_two_parents, reader_beside_writers, urgent_work_before_a_mark,
    work_in_a_new_lane,
};
use super::sequential::run_sequences;

/// The sequences in which the model meets every fault of its kind, sooner or later.
const SEEDS: [u8; 2] = [11, 12];
const CASES: u32 = 60;

fn the_model_catches(fault: &'static str) {
    let mut runs = SEEDS
        .iter()
        .map(|seed| run_sequences(*seed, CASES, Some(fault)));
    let failure = runs.find_map(Result::err);
    let failure = failure.expect("the model does not see the fault");
    assert!(
        !failure.starts_with("the test cannot go on"),
        "something else went wrong: {failure}"
    );
}

#[test]
fn without_a_fault_the_sequences_that_catch_them_pass() {
    for seed in SEEDS {
        if let Err(failure) = run_sequences(seed, CASES, None) {
            panic!("{failure}");
        }
    }
}

#[test]
fn the_model_catches_a_fence_left_out() {
    the_model_catches("fence left out");
}

#[test]
fn the_model_catches_an_epoch_that_starts_anew() {
    the_model_catches("epoch starts anew");
}

#[test]
fn the_model_catches_slots_that_are_not_counted() {
    the_model_catches("slots not counted");
}

#[test]
fn the_model_catches_a_retry_that_burns_no_attempt() {
    the_model_catches("retry burns no attempt");
}

#[test]
fn the_model_catches_a_resting_place_that_is_not_left() {
    the_model_catches("place not left");
}

#[test]
fn the_model_catches_a_dependency_that_is_not_counted() {
    the_model_catches("dependency not counted");
}

#[test]
fn the_model_catches_a_dependency_that_is_counted_twice() {
    the_model_catches("dependency counted twice");
}

#[test]
fn the_model_catches_a_late_output_accepted_although_others_claimed_since() {
    the_model_catches("late output accepted whoever claimed since");
}

/// The graph's tally is read and written by both parents: one of them is forgotten.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_race_of_the_last_two_parents_catches_a_graph_that_is_not_locked() -> Result<()> {
    assert_ne!(
        last_two_parents(10, Some("graph not locked")).await?,
        [""; 0]
    );
    Ok(())
}

/// Each edge is looked at without the others: together they close the cycle.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_race_of_edges_catches_a_graph_that_is_not_locked() -> Result<()> {
    let found = edges_that_close_a_cycle(10, Some("graph not locked")).await?;
    assert_ne!(found, [""; 0]);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_race_of_crossing_batches_catches_locks_in_any_order() -> Result<()> {
    // Chance decides whether they cross.
    for _ in 0..20 {
        let found = crossing_batches(30, Some("tasks locked in any order")).await?;
        if found.iter().any(|one| one.ends_with("deadlocks")) {
            return Ok(());
        }
    }
    panic!("no batches waited for each other in a circle");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_beside_writers_catches_events_in_the_order_of_their_ids() -> Result<()> {
    let fault = "events read in the order of their ids";
    assert_ne!(reader_beside_writers(Some(fault)).await?, [""; 0]);
    Ok(())
}

#[tokio::test]
async fn a_new_lane_catches_a_server_that_says_nothing_from_memory() -> Result<()> {
    assert_ne!(
        work_in_a_new_lane(Some("lanes not read again")).await?,
        [""; 0]
    );
    Ok(())
}

#[tokio::test]
async fn urgent_work_before_a_mark_catches_a_mark_without_its_full_look() -> Result<()> {
    let found = urgent_work_before_a_mark(Some("cursors trusted")).await?;
    assert_eq!(found.len(), 2, "{found:?}");
    Ok(())
}

/// Chance decides what meets what, so a fault may need more than one run.
async fn the_history_catches(fault: &'static str) -> Result<()> {
    let runs = 20;
    for run in 0..runs {
        if !play(200 + run, Some(fault)).await?.found.is_empty() {
            return Ok(());
        }
    }
    panic!("{runs} runs did not show: {fault}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_history_of_many_at_once_catches_a_fence_left_out() -> Result<()> {
    the_history_catches("fence left out").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_history_of_many_at_once_catches_an_epoch_that_starts_anew() -> Result<()> {
    the_history_catches("epoch starts anew").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_history_of_many_at_once_catches_slots_that_are_not_counted() -> Result<()> {
    the_history_catches("slots not counted").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_history_of_many_at_once_catches_a_graph_that_is_not_locked() -> Result<()> {
    the_history_catches("graph not locked").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_history_of_many_at_once_catches_idempotency_keys_that_are_not_written() -> Result<()> {
    the_history_catches("idempotency keys not written").await
}
