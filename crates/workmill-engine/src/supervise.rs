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
    event_sequencer, experience_recorder, gate_keeper, key_forgetter, lease_reaper, outage_watcher,
    rank_refresher, tally_pruner, task_pruner,
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
    let (tasks, events) = (
        task_pruner::Position::default(),
        event_pruner::Position::default(),
    );
    let mut turns = tokio::time::interval(TICK);
    turns.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    while stop.run_until_cancelled(turns.tick()).await.is_some() {
        if let Err(error) = prune_once(&engine, &tasks, &events).await {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            tracing::warn!(%error, cause, "old work has to wait");
        }
    }
}

async fn prune_once(
    engine: &Engine,
    tasks: &task_pruner::Position,
    events: &event_pruner::Position,
) -> Result<(), StoreError> {
    let now = engine.store().now().await?;
    let done = Done(engine);
    let pruned = event_pruner::run_once(engine, now, events).await;
    done.report("event_pruner", pruned)?;
    let pruned = task_pruner::run_once(engine, tasks).await;
    done.report("task_pruner", pruned)?;
    done.report("tally_pruner", tally_pruner::run_once(engine, now).await)?;
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
    let done = Done(engine);
    // First of all: nothing is taken from anybody for a time when nobody could speak.
    done.report(
        "outage_watcher",
        outage_watcher::run_once(engine, now).await,
    )?;
    done.report("lease_reaper", lease_reaper::run_once(engine, now).await)?;
    done.report("block_expirer", block_expirer::run_once(engine, now).await)?;
    done.report(
        "deadline_watcher",
        deadline_watcher::run_once(engine, now).await,
    )?;
    done.report("due_promoter", due_promoter::run_once(engine, now).await)?;
    done.report(
        "rank_refresher",
        rank_refresher::run_once(engine, now).await,
    )?;
    let sequenced = event_sequencer::run_once(engine).await;
    // Many at every turn: nothing to tell of.
    done.report("event_sequencer", sequenced.map(drop))?;
    let recorded = experience_recorder::run_once(engine).await;
    done.report("experience_recorder", recorded)?;
    let kept = gate_keeper::run_once(engine, &positions.gates).await;
    done.report("gate_keeper", kept)?;
    let swept = consistency_sweep::run_once(engine, &positions.sweep).await;
    done.report("consistency_sweep", swept)?;
    let forgotten = key_forgetter::run_once(engine, &positions.keys).await;
    done.report("key_forgetter", forgotten)
}

/// Counts a run of a duty, and says what it has done if that is anything.
struct Done<'a>(&'a Engine);

impl Done<'_> {
    fn report<R: Default + PartialEq + std::fmt::Debug>(
        &self,
        duty: &'static str,
        ran: Result<R, StoreError>,
    ) -> Result<(), StoreError> {
        self.0.shared.metrics.duties.count(duty, ran.is_ok());
        let report = ran?;
        if report != R::default() {
            tracing::info!(duty, ?report, "upkeep");
        }
        Ok(())
    }
}
