//! Explain agrees with reality.
//!
//! Tasks with every kind of ask come in, agents come and go, gates are set and removed, time passes.
//! Before each claim every task is explained, and the claim is tried without claiming; then:
//!
//! - what the claim returns is what the dry run said, in its order;
//! - what is returned was called claimable by this agent, so what is called blocked is never claimed;
//! - where something was called claimable by the agent, it comes first, or a task that the
//!   explanation names as better ranked does.
//!
//! `WORKMILL_MODEL_CASES` sets how many cases are run.

mod answers;
mod seen;
pub mod speed;
mod stage;
mod step;

use anyhow::Result;
use jiff::Timestamp;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use tokio::runtime::Runtime;
use workmill_store::Store;
use workmill_store::clock::{Clock, ManualClock};
use workmill_testkit::database::TestDatabase;
use workmill_testkit::setting;

use seen::Seen;
use stage::Stage;
use step::Step;

struct Bench {
    runtime: Runtime,
    store: Store,
    clock: ManualClock,
    // Last, so that nobody uses it any more when it is dropped.
    _database: TestDatabase,
}

impl Bench {
    fn new(fault: Option<&'static str>) -> Result<Bench> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let database = runtime.block_on(TestDatabase::new())?;
        let clock = ManualClock::at(Timestamp::from_second(1_800_000_000)?);
        let store = Store::with_clock(database.url(), 2, Clock::Manual(clock.clone()))?;
        if let Some(fault) = fault {
            store.test_points.switch_on(fault);
        }
        Ok(Bench {
            runtime,
            store,
            clock,
            _database: database,
        })
    }

    fn play(&self, namespace: &str, steps: &[Step]) -> Result<Seen> {
        self.runtime.block_on(async {
            let mut stage = Stage::new(&self.store, &self.clock, namespace).await?;
            for step in steps {
                stage.take(step).await?;
            }
            Ok(stage.seen)
        })
    }
}

/// Runs so many cases that follow from the seed. `Err` tells the shortest one that fails.
fn run_cases(seed: u8, cases: u32, fault: Option<&'static str>) -> Result<Seen, String> {
    let bench = Bench::new(fault).expect("the store opens");
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: if fault.is_some() { 0 } else { 1000 },
        ..Config::default()
    };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config, random);
    let (cases_played, all_seen) = (
        std::cell::Cell::new(0_u32),
        std::cell::Cell::new(Seen::default()),
    );
    let ran = runner.run(&step::steps(), |steps| {
        cases_played.set(cases_played.get() + 1);
        let namespace = format!("case {}", cases_played.get());
        let played = bench.play(&namespace, &steps);
        let played = played.map_err(|error| TestCaseError::fail(format!("{error:#}")))?;
        all_seen.set(all_seen.get().and(played));
        Ok(())
    });
    match ran {
        Ok(()) => Ok(all_seen.get()),
        Err(TestError::Abort(reason)) => Err(format!("the test cannot go on: {reason}")),
        Err(TestError::Fail(reason, steps)) => {
            let steps = steps.iter().map(|step| format!("\n  {step:?}"));
            Err(format!("{reason}\nThe steps:{}", steps.collect::<String>()))
        }
    }
}

#[test]
fn what_is_called_claimable_is_claimed_next_or_outranked_and_what_is_called_blocked_never() {
    let cases = setting("WORKMILL_MODEL_CASES", 200);
    let seen = run_cases(1, cases, None).unwrap_or_else(|failure| panic!("{failure}"));
    println!("{cases} cases: {seen:?}");
    let cases = usize::try_from(cases).expect("few");
    assert!(seen.claimed > cases, "{seen:?}");
    assert!(seen.claimable > cases && seen.blocked > cases, "{seen:?}");
    assert!(seen.kept > cases / 40, "{seen:?}");
    assert!(
        seen.outranked > cases / 4 && seen.at_gates > cases / 4,
        "{seen:?}"
    );
}

/// Claims that break a rule do not do what explain says they do.
#[test]
fn a_claim_that_breaks_a_rule_disagrees_with_explain() {
    for fault in [
        "slots not counted",
        "ageing not counted",
        "only what lies below is locked",
    ] {
        let caught = run_cases(10, 400, Some(fault));
        assert!(caught.is_err(), "`{fault}` is not noticed: {caught:?}");
    }
}
