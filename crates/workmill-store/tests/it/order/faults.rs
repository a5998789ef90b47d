//! Deliberate faults: each is planted in the store by its name and caught by the cases that the
//! store passes without it.

use proptest::strategy::BoxedStrategy;

use super::run_cases;
use super::stage::Rule;
use super::step::{Step, any_ask, close_ask, steps};

const SEED: u8 = 10;
const CASES: u32 = 40;

fn the_order_of_all_kinds_catches(fault: &'static str) {
    the_order_catches(fault, &steps(any_ask()));
}

fn the_order_catches(fault: &'static str, cases: &BoxedStrategy<Vec<Step>>) {
    let failure = run_cases(SEED, CASES, Rule::Formula, cases, Some(fault));
    let failure = failure.expect_err("the order does not show the fault");
    assert!(failure.contains(" came first: claimed "), "{failure}");
}

#[test]
fn without_a_fault_the_cases_that_catch_them_pass() {
    for cases in [steps(any_ask()), steps(close_ask())] {
        assert_eq!(run_cases(SEED, CASES, Rule::Formula, &cases, None), Ok(()));
    }
}

#[test]
fn the_order_catches_ageing_that_is_not_counted() {
    the_order_of_all_kinds_catches("ageing not counted");
}

#[test]
fn the_order_catches_deadlines_that_are_not_looked_at_again() {
    the_order_of_all_kinds_catches("ranks not refreshed");
}

#[test]
fn the_order_catches_chains_that_make_less_urgent() {
    the_order_of_all_kinds_catches("chains make less urgent");
}

#[test]
fn the_order_catches_growth_that_is_not_weighed() {
    the_order_catches("growth not weighed", &steps(close_ask()));
}
