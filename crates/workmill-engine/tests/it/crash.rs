//! `kill -9` of PostgreSQL and of engines, commits whose replies are lost and engines that are stopped
//! for a while, at random moments under load, lose nothing that was acknowledged, and nothing counts
//! twice. Graphs keep their budgets meanwhile.
//!
//! - [`engine_process`] is the engine that is killed; [`engines`] holds several of them and
//!   [`postgres`] the durable server below.
//! - [`client`]s call the engines and repeat what they got no answer to; [`submitters`] and
//!   [`agents`] are the load. What they were told is [`acknowledged`], in the test's own process.
//! - [`run`] kills and starts again; in the end the [`checker`] holds what was acknowledged
//!   against what is [`stored`], and the [`story`] of the events against the rows.
//! - [`damage`] shows that the checker notices each kind of loss.
//!
//! - [`overdue`] watches how long leases that have run out are left lying.
//!
//! `WORKMILL_CRASH_KILLS` and `WORKMILL_SERVER_KILLS` set how often is killed; `./dev crash` does it 50
//! and 200 times.

mod acknowledged;
mod agents;
mod checker;
mod client;
mod damage;
mod engine_process;
mod engines;
mod happened;
mod overdue;
mod postgres;
mod run;
mod stored;
mod story;
mod submitters;
mod wire;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Result;
use workmill_testkit::setting;

use engine_process::ANSWERED_BEFORE_IT_IS_ON_DISK;
use happened::Happened;
use overdue::Watch;
use run::{Run, Victim};

/// Held for a moment by one of those who share it.
type Shared<T> = Arc<Mutex<T>>;

/// Why a lock is never poisoned.
const NOBODY_PANICKED: &str = "nobody panicked with it";

/// Without a setting: three of each kind.
const FEW: u32 = 15;

/// Kills that are added when chance has not shown enough yet.
const MOST_ADDED: u32 = 60;

/// Chance and the machine decide what a kill meets, so kills are added until enough was met.
///
/// F-1 F-3 F-16 F-21 T-12 A-11
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_9_under_load_loses_nothing_and_nothing_counts_twice() -> Result<()> {
    let kills = setting("WORKMILL_CRASH_KILLS", FEW);
    let mut run = Run::start(1, None).await?;
    let mut killed = 0;
    for victim in Victim::ALL.into_iter().cycle() {
        let is_enough = run.stage.note(|told| Happened::so_far(told).is_enough());
        if killed >= kills && (is_enough || killed >= kills + MOST_ADDED) {
            break;
        }
        run.kill(victim).await?;
        killed += 1;
    }
    let finished = run.finish().await?;
    let happened = Happened::in_all(&finished, killed);
    println!("{happened:?}");
    let mut found = checker::check(&finished.stage.history, &finished.told, &finished.stored);
    found.extend(finished.found.iter().cloned());
    assert_eq!(found, [""; 0]);
    assert!(happened.is_enough(), "too little happened: {happened:?}");
    damage::is_noticed(&finished);
    Ok(())
}

/// What runs out is noticed by the server that is left, within this time.
const NOTICED_WITHIN: Duration = Duration::from_secs(2);

/// One of two servers is killed, comes back, is killed, under limits, a budget and locks. Whatever
/// it was about is done by the other one, once, and gates are as if nothing had happened.
///
/// F-21 F-37 H-8 (part) A-11
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_two_servers_is_killed_again_and_again_and_nothing_is_missed() -> Result<()> {
    let kills = setting("WORKMILL_SERVER_KILLS", 6);
    let mut run = Run::start(2, None).await?;
    let watch = Watch::start(run.url(), run.ns);
    for _ in 0..kills {
        run.kill(Victim::OneEngine).await?;
    }
    let overdue = watch.stop().await?;
    let finished = run.finish().await?;
    println!("{:?}, {overdue:?}", Happened::in_all(&finished, kills));
    let mut found = checker::check(&finished.stage.history, &finished.told, &finished.stored);
    found.extend(finished.found.iter().cloned());
    assert_eq!(found, [""; 0]);
    let noticed_within = NOTICED_WITHIN + overdue.distracted;
    assert!(overdue.longest <= noticed_within, "{overdue:?}");
    Ok(())
}

/// A server that answers before its commit is on disk loses what it had in memory. Chance decides
/// how much that is, so the fault may need more than one run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_checker_catches_answers_that_come_before_the_disk_has_it() -> Result<()> {
    for seed in 0..10 {
        let mut run = Run::start(100 + seed, Some(ANSWERED_BEFORE_IT_IS_ON_DISK)).await?;
        run.kill(Victim::Postgres).await?;
        let finished = run.finish().await?;
        let found = checker::check(&finished.stage.history, &finished.told, &finished.stored);
        if !found.is_empty() {
            println!("{} findings, as {:?}", found.len(), found[0]);
            return Ok(());
        }
    }
    panic!("the checker does not see what is lost");
}
