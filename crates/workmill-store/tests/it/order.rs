//! The order in which tasks are claimed, against the formula of effective priority.
//!
//! Random tasks with every kind of urgency come in, grow, are edited, age and are claimed. For
//! each claim the [`formula`], written out again here, is computed for everything that could have
//! been claimed instead. How far the order may be off:
//!
//! - Without deadlines not at all; equal values go oldest first.
//! - A deadline is looked at every five seconds and its rank is left when it is off by less than a
//!   point. So a task with one may count for its value now, or for what it was at the last look, and
//!   a point more or less.
//! - While looking into a lane is slow, what came in within the last second may be overlooked.
//!
//! `WORKMILL_MODEL_CASES` sets how many cases are run.

mod across_lanes;
mod faults;
mod formula;
mod stage;
mod starving;
mod step;
mod world;

use anyhow::Result;
use jiff::Timestamp;
use proptest::strategy::BoxedStrategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use tokio::runtime::Runtime;
use workmill_store::Store;
use workmill_store::clock::{Clock, ManualClock};
use workmill_testkit::database::TestDatabase;
use workmill_testkit::setting;

use stage::{Rule, SLOW_LOOKS, Stage};
use step::Step;

/// A multiple of a minute, so that ages are exact.
const BEGINNING: i64 = 1_800_000_000;

struct Bench {
    runtime: Runtime,
    store: Store,
    clock: ManualClock,
    client: tokio_postgres::Client,
    // Last, so that nobody uses it any more when it is dropped.
    _database: TestDatabase,
}

impl Bench {
    fn new(fault: Option<&'static str>) -> Result<Bench> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let database = runtime.block_on(TestDatabase::new())?;
        let client = runtime.block_on(database.client())?;
        let clock = ManualClock::at(Timestamp::from_second(BEGINNING)?);
        let store = Store::with_clock(database.url(), 2, Clock::Manual(clock.clone()))?;
        if let Some(fault) = fault {
            store.test_points.switch_on(fault);
        }
        Ok(Bench {
            runtime,
            store,
            clock,
            client,
            _database: database,
        })
    }

    /// Takes the steps in a namespace of their own; answers how many tasks were claimed.
    fn play(&self, namespace: &str, rule: Rule, steps: &[Step]) -> Result<usize> {
        self.runtime.block_on(async {
            let (store, clock) = (&self.store, &self.clock);
            let mut stage = Stage::new(store, clock, &self.client, rule, namespace).await?;
            let mut outcome = Ok(());
            for step in steps {
                outcome = stage.take(step).await;
                if outcome.is_err() {
                    break;
                }
            }
            let claimed = stage.claimed;
            stage.leave().await?;
            outcome.map(|()| claimed)
        })
    }
}

/// Runs so many cases that follow from the seed. `Err` tells the shortest one that fails.
fn run_cases(
    seed: u8,
    cases: u32,
    rule: Rule,
    steps: &BoxedStrategy<Vec<Step>>,
    fault: Option<&'static str>,
) -> Result<(), String> {
    let bench = Bench::new(fault).expect("the store opens");
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: if fault.is_some() { 0 } else { 1000 },
        ..Config::default()
    };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config, random);
    let (played, claimed) = (std::cell::Cell::new(0_u32), std::cell::Cell::new(0_usize));
    let ran = runner.run(steps, |steps| {
        played.set(played.get() + 1);
        let namespace = format!("case {}", played.get());
        let played = bench.play(&namespace, rule, &steps);
        let played = played.map_err(|error| TestCaseError::fail(format!("{error:#}")))?;
        claimed.set(claimed.get() + played);
        Ok(())
    });
    match ran {
        Ok(()) => {
            let enough = usize::try_from(cases).expect("few") * 2;
            assert!(claimed.get() > enough, "{} claims", claimed.get());
            Ok(())
        }
        Err(TestError::Abort(reason)) => Err(format!("the test cannot go on: {reason}")),
        Err(TestError::Fail(reason, steps)) => {
            let steps = steps.iter().map(|step| format!("\n  {step:?}"));
            Err(format!("{reason}\nThe steps:{}", steps.collect::<String>()))
        }
    }
}

fn claims_follow(rule: Rule, steps: &BoxedStrategy<Vec<Step>>, switched_on: Option<&'static str>) {
    let cases = setting("WORKMILL_MODEL_CASES", 240) / 4;
    if let Err(failure) = run_cases(1, cases.max(1), rule, steps, switched_on) {
        panic!("{failure}");
    }
}

/// F-13 F-15: base priority, age, deadline and what waits behind a task decide together, as they
/// stand at the moment of the claim.
#[test]
fn the_most_urgent_by_the_whole_formula_is_claimed_first() {
    claims_follow(Rule::Formula, &step::steps(step::any_ask()), None);
}

/// F-13: what waits behind a task counts, however the graph came to be as it is.
#[test]
fn of_tasks_that_differ_by_little_the_most_urgent_is_claimed_first() {
    claims_follow(Rule::Formula, &step::steps(step::close_ask()), None);
}

/// T-1 T-2: exactly, whatever hangs on what and however long it waits.
#[test]
fn the_task_profile_goes_by_priority_then_age_and_nothing_else() {
    claims_follow(Rule::Plain, &step::steps(step::plain_ask()), None);
}

/// F-13
#[test]
fn while_looking_is_slow_the_most_urgent_is_claimed_within_a_second() {
    let steps = step::steps(step::any_ask());
    claims_follow(Rule::Formula, &steps, Some(SLOW_LOOKS));
}
