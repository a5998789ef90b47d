//! Runs the duties until told to stop.
//!
//! A duty that fails is logged and runs again at its next turn; the database being away is no
//! reason to stop.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use workmill_store::StoreError;
use workmill_store::upkeep::{consistency, idempotency};

use crate::engine::Engine;
use crate::hints;
use crate::upkeep::outage_watcher::LONGEST_SILENCE;
use crate::upkeep::round::{EveryFew, Round};
use crate::upkeep::{
    agent_watcher, block_expirer, consistency_sweep, deadline_watcher, due_promoter, event_pruner,
    event_sequencer, experience_recorder, gate_keeper, inbox_drainer, inbox_pruner, key_forgetter,
    lane_pruner, lease_reaper, outage_watcher, rank_refresher, tally_pruner, task_pruner,
};
use crate::waiting_claims::Call;

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
                tracing::error!(%error, "a duty failed");
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
            tracing::warn!(%error, cause, "upkeep is postponed");
        }
    }
}

/// What lets old work go has a loop of its own: it may have much to do, and nothing waits for it.
async fn prune(engine: Arc<Engine>, stop: CancellationToken) {
    let positions = PrunePositions::default();
    let mut pause = TICK;
    while stop
        .run_until_cancelled(tokio::time::sleep(pause))
        .await
        .is_some()
    {
        pause = match prune_once(&engine, &positions).await {
            Ok(true) => TICK,
            Ok(false) => NOTHING_OLD,
            Err(error) => {
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                tracing::warn!(%error, cause, "the removal of old tasks is postponed");
                TICK
            }
        };
    }
}

/// Producers wait for the inbox, and nothing in it may hold up the other duties: a loop of its own.
async fn drain_inbox(engine: Arc<Engine>, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let drained = inbox_drainer::run_once(&engine).await;
        let pause = match Done(&engine).report("inbox_drainer", drained) {
            Ok(false) => engine.inbox_sweep,
            // There may be more.
            Ok(true) => continue,
            Err(error) => {
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                tracing::warn!(%error, cause, "the inbox is postponed");
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

/// Tells whether anything went.
async fn prune_once(engine: &Engine, positions: &PrunePositions) -> Result<bool, StoreError> {
    let now = engine.store().now().await?;
    let done = Done(engine);
    let pruned = event_pruner::run_once(engine, now, &positions.events).await;
    let mut is_something = done.report("event_pruner", pruned)?;
    let pruned = task_pruner::run_once(engine, now, &positions.tasks).await;
    is_something |= done.report("task_pruner", pruned)?;
    let pruned = inbox_pruner::run_once(engine, now, &positions.inbox).await;
    is_something |= done.report("inbox_pruner", pruned)?;
    let pruned = lane_pruner::run_once(engine, now).await;
    is_something |= done.report("lane_pruner", pruned)?;
    let pruned = tally_pruner::run_once(engine, now).await;
    is_something |= done.report("tally_pruner", pruned)?;
    Ok(is_something)
}

/// How far the duties have come that take a page at each turn.
#[derive(Debug, Default)]
struct Positions {
    sweep: Round<consistency::Place>,
    keys: Round<idempotency::Place>,
    gates: EveryFew<{ gate_keeper::TURNS }>,
    agents: EveryFew<{ agent_watcher::TURNS }>,
}

/// Runs the duties that have something to do. What has nothing to report stays silent.
async fn tick(engine: &Engine, positions: &Positions) -> Result<(), StoreError> {
    let waited_in = engine.shared.waiting_claims.waited_in(engine.look_again);
    let store = engine.store();
    let agenda = store.read_agenda(LONGEST_SILENCE, &waited_in).await?;
    let (now, done) = (agenda.now, Done(engine));
    // First of all: nothing is taken from anybody for a time when nobody could speak.
    let spared = when(agenda.was_away, outage_watcher::run_once(engine, now));
    let spared = spared.await;
    let is_spared = spared.is_ok();
    done.report("outage_watcher", spared)?;
    if !is_spared {
        return Ok(());
    }
    let reaped = when(agenda.has_lost_leases, lease_reaper::run_once(engine, now));
    done.report("lease_reaper", reaped.await)?;
    // After an outage no agent could make itself heard.
    let is_watch_due = positions.agents.is_due() && !agenda.was_away;
    let watched = when(is_watch_due, agent_watcher::run_once(engine, now));
    done.report("agent_watcher", watched.await)?;
    let expired = when(
        agenda.has_expired_blocks,
        block_expirer::run_once(engine, now),
    );
    done.report("block_expirer", expired.await)?;
    let passed = when(
        agenda.has_pressing_deadlines,
        deadline_watcher::run_once(engine, now),
    );
    done.report("deadline_watcher", passed.await)?;
    let promoted = when(agenda.has_due_tasks, due_promoter::run_once(engine, now));
    done.report("due_promoter", promoted.await)?;
    let refreshed = when(
        agenda.has_pressing_deadlines,
        rank_refresher::run_once(engine, now),
    );
    done.report("rank_refresher", refreshed.await)?;
    let sequenced = when(agenda.has_pending_events, event_sequencer::run_once(engine));
    // Many at every turn: nothing to tell of.
    done.report("event_sequencer", sequenced.await.map(drop))?;
    let recorded = experience_recorder::run_once(engine).await;
    done.report("experience_recorder", recorded)?;
    let compares = positions.gates.is_due();
    let kept = when(
        compares || agenda.has_restless_gates,
        gate_keeper::run_once(engine, compares),
    );
    done.report("gate_keeper", kept.await)?;
    let swept = consistency_sweep::run_once(engine, &positions.sweep).await;
    done.report("consistency_sweep", swept)?;
    let forgotten = key_forgetter::run_once(engine, now, &positions.keys).await;
    done.report("key_forgetter", forgotten)?;
    for (ns, ready) in &agenda.ready {
        let lanes = store.known_lanes(*ns);
        let room = &engine.shared.waiting_claims;
        room.call(*ns, ready, &lanes, Call::Overlooked);
    }
    Ok(())
}

/// A duty that has nothing to do has done it.
async fn when<R: Default>(
    has_something: bool,
    duty: impl Future<Output = Result<R, StoreError>>,
) -> Result<R, StoreError> {
    if has_something {
        duty.await
    } else {
        Ok(R::default())
    }
}

/// Counts a run of a duty, and says what it has done if that is anything.
struct Done<'a>(&'a Engine);

impl Done<'_> {
    /// Returns whether the duty has done anything. While a part of the database cannot be reached, a duty
    /// that fails does not keep the others from their turn.
    fn report<R: Default + PartialEq + Serialize>(
        &self,
        duty: &'static str,
        ran: Result<R, StoreError>,
    ) -> Result<bool, StoreError> {
        self.0.shared.metrics.duties.count(duty, ran.is_ok());
        let report = match ran {
            Err(error) if !self.0.store().reaches_all() => {
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                tracing::warn!(duty, %error, cause, "upkeep is postponed");
                return Ok(false);
            }
            ran => ran?,
        };
        let is_something = report != R::default();
        if is_something {
            tracing::info!(duty, done = counts(&report), "upkeep");
        }
        Ok(is_something)
    }
}

/// The counts of a report that are not zero: `reaped 3, spared 1`.
fn counts(report: &impl Serialize) -> String {
    let report = serde_json::to_value(report).unwrap_or_default();
    let counts = report.as_object().into_iter().flatten();
    let counts = counts.filter(|(_, count)| count.as_u64() != Some(0));
    let counts = counts.map(|(name, count)| format!("{} {count}", name.replace('_', " ")));
    counts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_line_of_a_duty_has_only_the_counts_that_are_not_zero() {
        let report = event_pruner::Report {
            days_made: 2,
            days_dropped: 0,
            rows: 7,
        };
        assert_eq!(counts(&report), "days made 2, rows 7");
        assert_eq!(counts(&()), "");
    }
}
