//! Deliberate faults: each is planted in the store by its name and caught by the check that should
//! catch it, while the same sequences and races without the fault pass.

use anyhow::Result;

use super::beside_claims::{gates_change_beside_claims, graphs_with_money_for_one};
use super::crowd::work_over;
use super::races::{many_at_a_limit, room_for_one_more};
use super::run_sequences;

/// The sequences in which every fault shows, sooner or later.
const SEED: u8 = 10;
const CASES: u32 = 40;

/// By one of these words, so that it is the check that should catch it which does.
fn the_sums_catch(fault: &'static str, by: &[&str]) {
    let failure = run_sequences(SEED, CASES, Some(fault));
    let failure = failure.expect_err("the sums do not show the fault");
    assert!(by.iter().any(|words| failure.contains(words)), "{failure}");
}

#[test]
fn without_a_fault_the_sequences_that_catch_them_pass() {
    assert_eq!(run_sequences(SEED, CASES, None), Ok(()));
}

#[test]
fn the_sums_catch_a_reservation_that_leaks_on_a_crash() {
    the_sums_catch("reservation leaked on a crash", &["budget:"]);
}

#[test]
fn the_sums_catch_a_limit_that_leaks_on_a_crash() {
    the_sums_catch("limit leaked on a crash", &["limit:"]);
}

#[test]
fn the_sums_catch_what_is_given_back_twice() {
    the_sums_catch("given back twice", &["limit:", "budget:"]);
}

#[test]
fn the_sums_catch_a_cost_that_is_not_counted() {
    the_sums_catch("cost not counted", &["budget:"]);
}

#[test]
fn the_sums_catch_locks_that_only_cover_what_lies_below() {
    the_sums_catch("only what lies below is locked", &[" got ", "comes back"]);
}

/// The duty would let them in a second later: it is seen before that.
#[test]
fn the_sums_catch_a_gate_that_nobody_returns_from() {
    the_sums_catch("nobody returns from a gate", &["is free, and"]);
}

#[test]
fn the_sums_catch_a_task_that_passes_a_gate_because_one_before_it_did() {
    the_sums_catch("only the first is counted", &[" got ", "limit:", "budget:"]);
}

/// Chance decides whether two are in one moment.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_race_for_one_more_catches_gates_that_are_not_locked() -> Result<()> {
    for _ in 0..20 {
        let found = room_for_one_more(10, Some("gates not locked")).await?;
        if !found.is_empty() {
            return Ok(());
        }
    }
    panic!("no two had the same room");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_race_at_a_limit_catches_gates_that_are_not_locked() -> Result<()> {
    for _ in 0..20 {
        let found = many_at_a_limit(1, Some("gates not locked")).await?;
        if !found.is_empty() {
            return Ok(());
        }
    }
    panic!("no two had the same place");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_race_beside_claims_catches_a_limit_that_is_set_without_waiting() -> Result<()> {
    for _ in 0..20 {
        let fault = Some("gates set without waiting");
        if !gates_change_beside_claims(10, fault).await?.is_empty() {
            return Ok(());
        }
    }
    panic!("no claim was under way when the limit was set");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_race_of_graphs_catches_uncommitted_gates_that_are_shared() -> Result<()> {
    for _ in 0..20 {
        let fault = Some("uncommitted gates shared");
        if !graphs_with_money_for_one(10, fault).await?.is_empty() {
            return Ok(());
        }
    }
    panic!("no claim was beside a hand-over");
}

/// What a dead agent held is not there for others: they never get done.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_race_at_a_limit_catches_a_limit_that_leaks_on_a_crash() -> Result<()> {
    let found = many_at_a_limit(1, Some("limit leaked on a crash")).await?;
    assert_ne!(found, [""; 0]);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_crowd_catches_locks_that_only_cover_what_lies_below() -> Result<()> {
    let found = work_over(200, 60, Some("only what lies below is locked")).await?;
    assert!(found.iter().any(|one| one.contains(" hold ")), "{found:?}");
    Ok(())
}
