//! Runs the duties until told to stop.
//!
//! A duty that fails is logged and runs again at its next turn; the database being away is no
//! reason to stop.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use workmill_store::StoreError;
use workmill_store::upkeep::{consistency, idempotency};

use crate::engine::Engine;
use crate::hints;
use crate::upkeep::outage_watcher::LONGEST_SILENCE;
use crate::upkeep::round::Round;
use crate::upkeep::{
    block_expirer, consistency_sweep, deadline_watcher, due_promoter, event_pruner,
    event_sequencer, experience_recorder, gate_keeper, key_forgetter, lease_reaper, outage_watcher,
    rank_refresher, tally_pruner, task_pruner,
};
use crate::waiting_room::Call;

const TICK: Duration = Duration::from_secs(1);

/// How long nobody looks for what is old after nothing was.
const NOTHING_OLD: Duration = Duration::from_secs(30);

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
    let mut pause = TICK;
    while stop
        .run_until_cancelled(tokio::time::sleep(pause))
        .await
        .is_some()
    {
        pause = match prune_once(&engine, &tasks, &events).await {
            Ok(true) => TICK,
            Ok(false) => NOTHING_OLD,
            Err(error) => {
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                tracing::warn!(%error, cause, "old work has to wait");
                TICK
            }
        };
    }
}

/// Tells whether anything went.
async fn prune_once(
    engine: &Engine,
    tasks: &task_pruner::Position,
    events: &event_pruner::Position,
) -> Result<bool, StoreError> {
    let now = engine.store().now().await?;
    let gone = event_pruner::run_once(engine, now, events).await?;
    let mut is_something = say("event_pruner", &gone);
    let gone = task_pruner::run_once(engine, now, tasks).await?;
    is_something |= say("task_pruner", &gone);
    let gone = tally_pruner::run_once(engine, now).await?;
    is_something |= say("tally_pruner", &gone);
    Ok(is_something)
}

/// How far the duties have come that take a page at each turn.
#[derive(Debug, Default)]
struct Positions {
    sweep: Round<consistency::Place>,
    keys: Round<idempotency::Place>,
    gates: gate_keeper::Position,
}

/// Runs the duties that have something to do. What has nothing to report stays silent.
async fn tick(engine: &Engine, positions: &Positions) -> Result<(), StoreError> {
    let waited_in = engine.shared.waiting_room.waited_in(engine.look_again);
    let store = engine.store();
    let agenda = store.read_agenda(LONGEST_SILENCE, &waited_in).await?;
    let now = agenda.now;
    // First of all: nothing is taken from anybody for a time when nobody could speak.
    if agenda.was_away {
        let spared = outage_watcher::run_once(engine, now).await?;
        say("outage_watcher", &spared);
    }
    if agenda.has_lost_leases {
        say("lease_reaper", &lease_reaper::run_once(engine, now).await?);
    }
    if agenda.has_expired_blocks {
        let expired = block_expirer::run_once(engine, now).await?;
        say("block_expirer", &expired);
    }
    if agenda.has_pressing_deadlines {
        let passed = deadline_watcher::run_once(engine, now).await?;
        say("deadline_watcher", &passed);
    }
    if agenda.has_due_tasks {
        say("due_promoter", &due_promoter::run_once(engine, now).await?);
    }
    if agenda.has_pressing_deadlines {
        let refreshed = rank_refresher::run_once(engine, now).await?;
        say("rank_refresher", &refreshed);
    }
    if agenda.has_pending_events {
        event_sequencer::run_once(engine).await?;
    }
    let recorded = experience_recorder::run_once(engine).await?;
    say("experience_recorder", &recorded);
    let compares = positions.gates.compares();
    if compares || agenda.has_restless_gates {
        let kept = gate_keeper::run_once(engine, compares).await?;
        say("gate_keeper", &kept);
    }
    let mended = consistency_sweep::run_once(engine, &positions.sweep).await?;
    say("consistency_sweep", &mended);
    let forgotten = key_forgetter::run_once(engine, now, &positions.keys).await?;
    say("key_forgetter", &forgotten);
    for (ns, ready) in &agenda.ready {
        let lanes = store.known_lanes(*ns);
        engine
            .shared
            .waiting_room
            .call(*ns, ready, &lanes, Call::Overlooked);
    }
    Ok(())
}

/// Tells what was done, if anything was.
fn say<R: Default + PartialEq + std::fmt::Debug>(duty: &'static str, report: &R) -> bool {
    let is_something = *report != R::default();
    if is_something {
        tracing::info!(duty, ?report, "upkeep");
    }
    is_something
}
