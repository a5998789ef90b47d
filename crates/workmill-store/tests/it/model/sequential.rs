//! Random sequences of every operation, taken by the store and by the model. After each step
//! both have answered the same and hold the same rows.

use std::cell::RefCell;
use std::fmt::Write;

use anyhow::Result;
use proptest::strategy::{BoxedStrategy, Just, Strategy};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};
use tokio::runtime::Runtime;
use workmill_core::lifecycle::State;
use workmill_testkit::database::TestDatabase;

use super::driver::Driver;
use super::snapshot::{Reader, difference};
use super::step::Step;
use super::world::World;
use super::{choose, setting};

const STEPS: std::ops::Range<usize> = 20..45;

/// What the cases of one test share. The state machine's functions take no argument for it.
struct Bench {
    runtime: Runtime,
    database: TestDatabase,
    reader: Reader,
    fault: Option<&'static str>,
    cases: u32,
}

thread_local! {
    static BENCH: RefCell<Option<Bench>> = const { RefCell::new(None) };
}

fn at_the_bench<T>(work: impl FnOnce(&mut Bench) -> T) -> T {
    BENCH.with_borrow_mut(|bench| work(bench.as_mut().expect("the test has set it up")))
}

struct Model;

impl ReferenceStateMachine for Model {
    type State = World;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<World> {
        Just(World::new()).boxed()
    }

    fn transitions(world: &World) -> BoxedStrategy<Step> {
        choose::step(world)
    }

    fn apply(mut world: World, step: &Step) -> World {
        world.take(step);
        world
    }

    fn preconditions(world: &World, step: &Step) -> bool {
        choose::makes_sense(world, step)
    }
}

struct StoreAgainstModel;

impl StateMachineTest for StoreAgainstModel {
    type SystemUnderTest = Driver;
    type Reference = Model;

    fn init_test(_: &World) -> Driver {
        at_the_bench(|bench| {
            bench.cases += 1;
            let namespace = format!("case {}", bench.cases);
            let driver = Driver::new(bench.database.url(), &namespace, bench.fault);
            bench.runtime.block_on(driver).expect("the store opens")
        })
    }

    fn apply(mut driver: Driver, world: &World, step: Step) -> Driver {
        at_the_bench(|bench| {
            let answer = bench.runtime.block_on(driver.take(&step, world.now));
            let answer = answer.unwrap_or_else(|error| panic!("{step:?} fails: {error:#}"));
            assert_eq!(
                world.answer, answer,
                "the model (left) and the store answer differently to {step:?}"
            );
            let rows = bench.reader.rows(driver.ns.0, &driver.names);
            let rows = bench.runtime.block_on(rows).expect("the rows can be read");
            if let Some(difference) = difference(&world.rows(), &rows) {
                panic!("after {step:?} the rows differ:\n{difference}");
            }
        });
        driver
    }

    /// The events tell of every claim, and of every task that came to a state, once.
    fn teardown(mut driver: Driver, world: World) {
        let facts = at_the_bench(|bench| {
            let read = async {
                driver.rewind();
                driver.sequence_events().await
            };
            bench
                .runtime
                .block_on(read)
                .expect("the events can be read")
        });
        let told = |name: &str| facts.iter().filter(|fact| fact["type"] == name).count();
        let claims: i32 = world.tasks.values().map(|task| task.epoch).sum();
        assert_eq!(i32::try_from(told("task.claimed")), Ok(claims));
        for state in [
            State::Ready,
            State::Blocked,
            State::Retrying,
            State::Completed,
            State::DeadLettered,
            State::Cancelled,
        ] {
            let came = world.arrivals.get(&state).copied().unwrap_or(0);
            assert_eq!(
                told(&format!("task.{state}")),
                came,
                "events that tell {state}"
            );
        }
    }
}

/// Runs so many sequences that follow from the seed. `Err` tells the shortest one that fails.
pub fn run_sequences(seed: u8, cases: u32, fault: Option<&'static str>) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let (database, reader) = runtime.block_on(async {
        let database = TestDatabase::new().await.expect("a database");
        let client = database.client().await.expect("a connection");
        let reader = Reader::new(client).await.expect("statements");
        (database, reader)
    });
    BENCH.set(Some(Bench {
        runtime,
        database,
        reader,
        fault,
        cases: 0,
    }));
    let config = Config {
        cases,
        failure_persistence: None,
        // At least one: the crate takes away the steps that were never taken.
        max_shrink_iters: if fault.is_some() { 1 } else { 400 },
        ..Config::default()
    };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config.clone(), random);
    let ran = runner.run(
        &Model::sequential_strategy(STEPS),
        |(world, steps, seen)| {
            StoreAgainstModel::test_sequential(config.clone(), world, steps, seen);
            Ok::<(), TestCaseError>(())
        },
    );
    BENCH.set(None);
    ran.map_err(|error| match error {
        TestError::Abort(reason) => format!("the test cannot go on: {reason}"),
        TestError::Fail(reason, (_, steps, _)) => {
            let mut told = String::new();
            for step in steps {
                let _ = writeln!(told, "  {step:?}");
            }
            format!("{reason}\nThe steps:\n{told}")
        }
    })
}

/// The duties look over all namespaces, and every sequence leaves one behind: many in one database
/// get slow.
const MOST_IN_A_DATABASE: u32 = 100;

/// A quarter of the sequences each, so that they run beside each other.
fn store_and_model_agree(quarter: u8) {
    let mut left = (setting("WORKMILL_MODEL_CASES", 240) / 4).max(1);
    let mut seed = quarter;
    while left > 0 {
        let cases = left.min(MOST_IN_A_DATABASE);
        if let Err(failure) = run_sequences(seed, cases, None) {
            panic!("seed {seed}: {failure}");
        }
        left -= cases;
        seed = seed.wrapping_add(4);
    }
}

/// F-1 F-6 (part) F-7 F-8 F-9 (part) F-10 F-13 F-16 F-17 F-19 F-20 F-21 F-23 F-24 F-25 F-26 F-28
/// T-1 T-2 T-6 T-8 A-1 (part) A-2 (part) A-3 H-12 (part) H-13 W-8 (part)
#[test]
fn store_and_model_agree_after_every_step_of_the_first_quarter() {
    store_and_model_agree(1);
}

#[test]
fn store_and_model_agree_after_every_step_of_the_second_quarter() {
    store_and_model_agree(2);
}

#[test]
fn store_and_model_agree_after_every_step_of_the_third_quarter() {
    store_and_model_agree(3);
}

#[test]
fn store_and_model_agree_after_every_step_of_the_last_quarter() {
    store_and_model_agree(4);
}
