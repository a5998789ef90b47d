//! Gates against a plain model of them, under concurrency, and with planted faults.
//!
//! - Random sequences here: limits, budgets and pauses come and go, tasks with labels, locks and
//!   costs are claimed, end, are lost and come back. What each claim gets, what every gate says
//!   it has left, who waits and who is let in is what a [`world`] of plain sums says.
//! - [`races`]: agents on two servers over room for one.
//! - [`beside_claims`]: gates that are set, and graphs that bring budgets, while claims run.
//! - [`crowd`]: many agents that die, over paths that overlap.
//! - [`faults`]: planted, and caught.

mod beside_claims;
mod crowd;
mod faults;
mod races;
mod stage;
mod step;
mod world;

use anyhow::Result;
use jiff::Timestamp;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use tokio::runtime::Runtime;
use workmill_store::Store;
use workmill_store::clock::{Clock, ManualClock};
use workmill_testkit::database::TestDatabase;

use super::setting;
use stage::Stage;
use step::Step;

/// In the middle of a day.
const BEGINNING: i64 = 1_800_014_400;

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
    fn play(&self, namespace: &str, steps: &[Step]) -> Result<usize> {
        self.runtime.block_on(async {
            let mut stage = Stage::new(&self.store, &self.clock, &self.client, namespace).await?;
            let outcome = act(&mut stage, steps).await;
            let claimed = stage.claimed;
            stage.leave().await?;
            outcome.map(|()| claimed)
        })
    }
}

async fn act(stage: &mut Stage<'_>, steps: &[Step]) -> Result<()> {
    for step in steps {
        let taken = stage.take(step).await;
        taken.map_err(|error| error.context(format!("{step:?}")))?;
    }
    let finished = stage.finish().await;
    finished.map_err(|error| error.context("after all steps"))
}

/// Runs so many sequences that follow from the seed. `Err` tells the shortest one that fails.
fn run_sequences(seed: u8, cases: u32, fault: Option<&'static str>) -> Result<(), String> {
    let bench = Bench::new(fault).expect("the store opens");
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: if fault.is_some() { 0 } else { 100 },
        ..Config::default()
    };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config, random);
    let (played, claimed) = (std::cell::Cell::new(0_u32), std::cell::Cell::new(0_usize));
    let ran = runner.run(&step::steps(), |steps| {
        played.set(played.get() + 1);
        let namespace = format!("case {}", played.get());
        let played = bench.play(&namespace, &steps);
        let played = played.map_err(|error| TestCaseError::fail(format!("{error:#}")))?;
        claimed.set(claimed.get() + played);
        Ok(())
    });
    match ran {
        Ok(()) => {
            let enough = usize::try_from(cases).expect("few") * 5;
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

/// Every sequence leaves rows behind: many in one database get slow.
const MOST_IN_A_DATABASE: u32 = 250;

fn gates_and_sums_agree(half: u8) {
    let mut left = (setting("WORKMILL_MODEL_CASES", 120) / 2).max(1);
    let mut seed = half;
    while left > 0 {
        let cases = left.min(MOST_IN_A_DATABASE);
        if let Err(failure) = run_sequences(seed, cases, None) {
            panic!("seed {seed}: {failure}");
        }
        left -= cases;
        seed = seed.wrapping_add(2);
    }
}

/// F-18 F-37 H-3 (part) H-8 (part) A-11
#[test]
fn gates_hold_back_what_plain_sums_say_in_the_first_half() {
    gates_and_sums_agree(1);
}

#[test]
fn gates_hold_back_what_plain_sums_say_in_the_second_half() {
    gates_and_sums_agree(2);
}
