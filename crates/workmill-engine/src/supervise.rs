//! Runs the duties until told to stop.
//!
//! A duty that fails is logged and runs again at its next turn; the database being away is no
//! reason to stop.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use workmill_store::StoreError;

use crate::engine::Engine;
use crate::hints;
use crate::upkeep::{
    block_expirer, consistency_sweep, deadline_watcher, due_promoter, event_pruner,
    event_sequencer, experience_recorder, gate_keeper, inbox_drainer, inbox_pruner, key_forgetter,
    lease_reaper, outage_watcher, rank_refresher, tally_pruner, task_pruner,
};

const TICK: Duration = Duration::from_secs(1);

/// The duties under way; stops them when told to.
#[derive(Debug)]
pub struct Supervisor {
    stop: CancellationToken,
    loops: Vec<JoinHandle<()>>,
}

impl Supervisor {
    pub fn start(engine: Arc<Engine>) -> Self {
        let stop = CancellationToken::new();
        let loops = vec![
            tokio::spawn(run(Arc::clone(&engine), stop.clone())),
            tokio::spawn(prune(Arc::clone(&engine), stop.clone())),
            tokio::spawn(drain_inbox(Arc::clone(&engine), stop.clone())),
            tokio::spawn(hints::send(Arc::clone(&engine), stop.clone())),
            tokio::spawn(hints::hear(engine, stop.clone())),
        ];
        Supervisor { stop, loops }
    }

    /// Waits for the duty that is under way.
    pub async fn stop(self) {
        self.stop.cancel();
        for ending in self.loops {
            if let Err(error) = ending.await {
                tracing::error!(%error, "a duty ended badly");
            }
        }
    }
}

async fn run(engine: Arc<Engine>, stop: CancellationToken) {
    let positions = Positions::default();
    let mut turns = tokio::time::interval(TICK);
    turns.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    while stop.run_until_cancelled(turns.tick()).await.is_some() {
        if let Err(error) = tick(&engine, &positions).await {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            tracing::warn!(%error, cause, "upkeep has to wait");
        }
    }
}

/// What lets old work go has a loop of its own: it may have much to do, and nothing waits for it.
async fn prune(engine: Arc<Engine>, stop: CancellationToken) {
    let positions = PrunePositions::default();
    let mut turns = tokio::time::interval(TICK);
    turns.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    while stop.run_until_cancelled(turns.tick()).await.is_some() {
        if let Err(error) = prune_once(&engine, &positions).await {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            tracing::warn!(%error, cause, "old work has to wait");
        }
    }
}

/// Producers wait for the inbox, and nothing in it may hold up the other duties: a loop of its own.
async fn drain_inbox(engine: Arc<Engine>, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let pause = match inbox_drainer::run_once(&engine).await {
            Ok(report) if report.is_empty() => engine.inbox_sweep,
            // There may be more.
            Ok(report) => {
                say("inbox_drainer", &report);
                continue;
            }
            Err(error) => {
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                tracing::warn!(%error, cause, "the inbox has to wait");
                TICK
            }
        };
        let rung = tokio::time::timeout(pause, engine.shared.inbox.notified());
        stop.run_until_cancelled(rung).await;
    }
}

/// How far the duties have come that let old work go.
#[derive(Debug, Default)]
struct PrunePositions {
    tasks: task_pruner::Position,
    events: event_pruner::Position,
    inbox: inbox_pruner::Position,
}

async fn prune_once(engine: &Engine, positions: &PrunePositions) -> Result<(), StoreError> {
    let now = engine.store().now().await?;
    let report = event_pruner::run_once(engine, now, &positions.events).await?;
    say("event_pruner", &report);
    let report = task_pruner::run_once(engine, &positions.tasks).await?;
    say("task_pruner", &report);
    let report = inbox_pruner::run_once(engine, now, &positions.inbox).await?;
    say("inbox_pruner", &report);
    say("tally_pruner", &tally_pruner::run_once(engine, now).await?);
    Ok(())
}

/// How far the duties have come that take a page at each turn.
#[derive(Debug, Default)]
struct Positions {
    sweep: consistency_sweep::Position,
    keys: key_forgetter::Position,
    gates: gate_keeper::Position,
}

/// Runs every duty once. What has nothing to report stays silent.
async fn tick(engine: &Engine, positions: &Positions) -> Result<(), StoreError> {
    let now = engine.store().now().await?;
    // First of all: nothing is taken from anybody for a time when nobody could speak.
    say(
        "outage_watcher",
        &outage_watcher::run_once(engine, now).await?,
    );
    say("lease_reaper", &lease_reaper::run_once(engine, now).await?);
    say(
        "block_expirer",
        &block_expirer::run_once(engine, now).await?,
    );
    say(
        "deadline_watcher",
        &deadline_watcher::run_once(engine, now).await?,
    );
    say("due_promoter", &due_promoter::run_once(engine, now).await?);
    say(
        "rank_refresher",
        &rank_refresher::run_once(engine, now).await?,
    );
    event_sequencer::run_once(engine).await?;
    say(
        "experience_recorder",
        &experience_recorder::run_once(engine).await?,
    );
    say(
        "gate_keeper",
        &gate_keeper::run_once(engine, &positions.gates).await?,
    );
    say(
        "consistency_sweep",
        &consistency_sweep::run_once(engine, &positions.sweep).await?,
    );
    say(
        "key_forgetter",
        &key_forgetter::run_once(engine, &positions.keys).await?,
    );
    Ok(())
}

fn say<R: Default + PartialEq + std::fmt::Debug>(duty: &'static str, report: &R) {
    if *report != R::default() {
        tracing::info!(duty, ?report, "upkeep");
    }
}
