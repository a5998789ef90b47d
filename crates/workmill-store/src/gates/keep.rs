//! Keeping the gates: what no settlement has seen to goes back to its lane, those who have waited
//! long for locks get their turn, and the figures are compared with what really runs.
//!
//! Whatever frees a gate lets in those who fit, in the same transaction. Room can still be left
//! over: who was let in was cancelled before anybody took it, or no agent is there for it. So those
//! who wait are looked at again every second, lane by lane.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;
use workmill_core::gate::{Gate, Purse};
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::lifecycle::State;
use workmill_core::resource_lock::roots_of;
use workmill_queries::client::Params;
use workmill_queries::queries::gates::gates as statements;

use super::release::delete_locks;
use super::rows::{GateRow, Gates, Reserved};
use super::running::Running;
use super::waiters::{self, Opening, Waiter};
use crate::column::column;
use crate::connect::Store;
use crate::dispatch::agents::live_agents;
use crate::error::StoreError;
use crate::operation::{Operation, Work};

/// How many are looked at, at each gate, in one go.
const MOST_WAITERS: i64 = 1000;

/// From then on, those who are in the way of a task that waits for locks have to wait for it.
pub const LOCK_PATIENCE: SignedDuration = SignedDuration::from_secs(10);

/// For so long: then it is somebody else's turn, should nobody have taken it.
pub const LOCK_RESERVATION: SignedDuration = SignedDuration::from_secs(60);

/// A gate that was announced so long ago and not set was left behind by a crash.
const ANNOUNCED: SignedDuration = SignedDuration::from_mins(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    /// Went back to their lanes.
    pub returned: usize,
    /// More of them are to go back.
    pub more: bool,
    /// Figures that were wrong; must be none.
    pub mended: usize,
}

#[derive(Debug)]
pub struct KeepGates {
    pub ns: Namespace,
    /// Compares the figures with what runs, too.
    pub reconciles: bool,
}

impl Store {
    /// Namespaces where somebody waits at a gate, or one is to be cleared away.
    pub async fn find_namespaces_with_restless_gates(&self) -> Result<Vec<Namespace>, StoreError> {
        const DOING: &str = "look for gates with waiting tasks";
        let client = self.client(DOING).await?;
        let found = statements::find_namespaces_with_restless_gates()
            .bind(&client)
            .all()
            .await;
        let found = found.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(found.into_iter().map(Namespace).collect())
    }

    /// Namespaces where what gates say can be compared with what runs.
    pub async fn find_namespaces_with_gates_in_use(&self) -> Result<Vec<Namespace>, StoreError> {
        const DOING: &str = "look for gates in use";
        let client = self.client(DOING).await?;
        let found = statements::find_namespaces_with_gates_in_use()
            .bind(&client)
            .all()
            .await;
        let found = found.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(found.into_iter().map(Namespace).collect())
    }
}

impl Operation for KeepGates {
    type Answer = Report;
    const DOING: &'static str = "keep the gates";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Report, StoreError> {
        let mut gates = Gates::default();
        gates.lock(work).await?;
        let now = work.now().await?;
        gates.read_all(work).await?;
        if withdraw_announced(&mut gates, now) {
            work.change_gates().await?;
        }
        work.know_gates().await?;
        let mut report = Report::default();
        if self.reconciles {
            reconcile(work, &mut gates, &mut report).await?;
        }
        let returning = let_in(work, &mut gates, now, &mut report).await?;
        let is_nobody_left = forget_waiters(work, &mut gates, &returning).await?;
        gates.tell(work);
        gates.write(work).await?;
        waiters::announce(work, &returning);
        waiters::put_back(work, &returning).await?;
        delete_gates(work, &is_nobody_left).await?;
        Ok(report)
    }
}

/// Removes announced gates that nobody sets; they stop nothing. Returns whether there were any.
fn withdraw_announced(gates: &mut Gates, now: Timestamp) -> bool {
    let mut is_any_removed = false;
    for (gate, row) in &mut gates.rows {
        let is_left = row.is_announced() && now.duration_since(row.set_at) >= ANNOUNCED;
        if is_left && !matches!(gate, Gate::Locks(_)) {
            row.is_removed = true;
            is_any_removed = true;
        }
    }
    is_any_removed
}

/// Whether a task fits between locks is seen only when it is looked at, and looking locks it.
fn most_at(gate: &Gate) -> i64 {
    match gate {
        Gate::Locks(_) => waiters::MOST_LOOKED_AT,
        Gate::Pause(_) | Gate::Limit(_) | Gate::Budget(_) => MOST_WAITERS,
    }
}

/// Those who go back to their lanes: at each gate, the best of each lane that fit.
async fn let_in(
    work: &mut Work<'_>,
    gates: &mut Gates,
    now: Timestamp,
    report: &mut Report,
) -> Result<Vec<Waiter>, StoreError> {
    let today = work.gates().day(now);
    let is_over = |gate: &Gate| matches!(gate, Gate::Budget(Purse::Day(day)) if *day != today);
    let rows = gates.rows.iter();
    let wanted: Vec<Opening> = rows
        .filter(|(gate, row)| row.has_waiters && (waiters::may_let_in(gate, row) || is_over(gate)))
        .map(|(gate, row)| Opening {
            gate: gate.clone(),
            most: most_at(gate),
            left: if is_over(gate) { i64::MAX } else { row.left() },
        })
        .collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let below = waiters::below(&wanted);
    let held = waiters::find_held_locks(work, &below, &[]).await?;
    let waiting = waiters::lock_waiters(work, &wanted).await?;
    reserve_locks(work, gates, &waiting, now).await?;
    let mut by_lane: BTreeMap<LaneId, Vec<Waiter>> = BTreeMap::new();
    let mut returning = Vec::new();
    for waiter in waiting {
        if is_over(&waiter.gate) {
            returning.push(waiter);
        } else if matches!(waiter.gate, Gate::Locks(_)) {
            // Locks conflict across lanes; one who is not taken does not stand in the way, and
            // comes back here.
            by_lane.entry(LaneId(0)).or_default().push(waiter);
        } else {
            by_lane.entry(waiter.lane).or_default().push(waiter);
        }
    }
    for waiters in by_lane.into_values() {
        returning.extend(waiters::choose(waiters, gates, held.clone()));
    }
    report.returned = returning.len();
    report.more = returning.len() >= usize::try_from(MOST_WAITERS).unwrap_or(usize::MAX);
    Ok(returning)
}

/// Lets those make way that are behind a task that has waited long for its locks, one task below
/// each root at a time. A task is made way for below all of its roots or below none: two that each
/// had a part of what the other one needs would wait for one another.
async fn reserve_locks(
    work: &Work<'_>,
    gates: &mut Gates,
    waiting: &[Waiter],
    now: Timestamp,
) -> Result<(), StoreError> {
    let reserved = gates.rows.values().filter_map(|row| row.reserved.as_ref());
    let tasks: Vec<Uuid> = reserved.map(|reserved| reserved.task.0).collect();
    let contenders = find_contenders(work, &tasks).await?;
    let mut tired = Vec::new();
    for row in gates.rows.values_mut() {
        if let Some(reserved) = &row.reserved {
            let is_over = now.duration_since(reserved.at) >= LOCK_RESERVATION;
            if is_over || !contenders.contains(&reserved.task) {
                tired.push(reserved.task.0);
                row.reserved = None;
            }
        }
    }
    let in_vain = |waiter: &&Waiter| {
        matches!(waiter.gate, Gate::Locks(_))
            && now.duration_since(waiter.since) >= LOCK_PATIENCE
            && !tired.contains(&waiter.task.0)
    };
    let patient: Vec<&Waiter> = waiting.iter().filter(in_vain).collect();
    if !patient.is_empty() {
        let agents = live_agents(work).await?;
        let lanes = work.lanes();
        let has_an_agent = |waiter: &&Waiter| {
            let lane = lanes.get(waiter.lane);
            lane.is_some_and(|lane| agents.iter().any(|agent| lane.matches(&agent.offer)))
        };
        let reserved = gates.rows.iter().filter(|(_, row)| row.reserved.is_some());
        // Those that somebody is made way for, or will be before those who rank behind.
        let mut spoken_for: BTreeSet<Gate> = reserved.map(|(gate, _)| gate.clone()).collect();
        for waiter in patient.into_iter().filter(has_an_agent) {
            let roots = roots_of(&waiter.locks).into_iter();
            let roots: Vec<Gate> = roots.map(|root| Gate::Locks(root.to_owned())).collect();
            let are_free = roots.iter().all(|root| !spoken_for.contains(root));
            for root in roots.iter().filter(|_| are_free) {
                let row = gates.rows.entry(root.clone());
                let row = row.or_insert_with(|| GateRow::new(None, "", now));
                row.reserved = Some(Reserved {
                    task: waiter.task,
                    at: now,
                    locks: waiter.locks.clone(),
                });
            }
            spoken_for.extend(roots);
        }
    }
    if !tired.is_empty() {
        statements::begin_waiting_again()
            .bind(work.transaction, &now, &work.ns, &tired)
            .await?;
    }
    Ok(())
}

/// Returns the tasks among these for which locks may stay reserved. A task that another gate has stopped
/// is not one of them: its locks would be idle for as long as that gate stays closed.
async fn find_contenders(work: &Work<'_>, tasks: &[Uuid]) -> Result<BTreeSet<TaskId>, StoreError> {
    if tasks.is_empty() {
        return Ok(BTreeSet::new());
    }
    let found = statements::find_contenders_for_locks()
        .bind(work.transaction, &tasks, &work.ns, &State::Ready.code())
        .all()
        .await?;
    Ok(found.into_iter().map(TaskId).collect())
}

/// Gates that nobody waits at any more need not be looked at; removed ones, and locks that nobody
/// holds, can go.
async fn forget_waiters(
    work: &Work<'_>,
    gates: &mut Gates,
    returning: &[Waiter],
) -> Result<Vec<Gate>, StoreError> {
    let watched = gates.rows.iter().filter(|(_, row)| row.has_waiters);
    let names: Vec<String> = watched.map(|(gate, _)| gate.to_string()).collect();
    let mut waited_at = BTreeSet::new();
    if !names.is_empty() {
        // Those who are just returning are still among them: next time.
        let found = statements::find_gates_with_waiters()
            .bind(work.transaction, &names, &work.ns)
            .all()
            .await?;
        waited_at.extend(found);
    }
    let mut gone = Vec::new();
    for (gate, row) in &mut gates.rows {
        let is_left = returning.iter().any(|waiter| waiter.gate == *gate);
        row.has_waiters = waited_at.contains(&gate.to_string()) || is_left;
        let is_needed = match gate {
            Gate::Locks(_) => row.reserved.is_some(),
            _ => !row.is_removed,
        };
        if !is_needed && !row.has_waiters {
            gone.push(gate.clone());
        }
    }
    Ok(gone)
}

async fn delete_gates(work: &Work<'_>, gone: &[Gate]) -> Result<(), StoreError> {
    if gone.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = gone.iter().map(ToString::to_string).collect();
    statements::delete_gates()
        .bind(work.transaction, &work.ns, &names)
        .await?;
    Ok(())
}

/// Compares what gates say with what runs.
async fn reconcile(
    work: &Work<'_>,
    gates: &mut Gates,
    report: &mut Report,
) -> Result<(), StoreError> {
    let mut running = Running::read(work).await?;
    let alive: BTreeSet<(TaskId, i32)> = running
        .attempts
        .iter()
        .map(|attempt| (attempt.task, attempt.epoch))
        .collect();
    let dead: Vec<(TaskId, i32)> = running
        .holds
        .keys()
        .filter(|key| !alive.contains(key))
        .copied()
        .collect();
    // Left behind where all gates were removed before the attempt ended, as nobody looked for what
    // it held. Whether it was given back, the figures tell.
    drop_dead(work, &mut running, &dead).await?;
    let said: BTreeMap<Gate, i64> = gates
        .rows
        .iter()
        .map(|(gate, row)| (gate.clone(), row.capacity.used))
        .collect();
    for row in gates.rows.values_mut() {
        row.capacity.used = row.spent;
    }
    for asks in running.holds.values() {
        for ask in asks {
            if let Some(row) = gates.rows.get_mut(&ask.gate) {
                row.capacity.used += ask.amount;
            }
        }
    }
    let wrong = gates
        .rows
        .iter()
        .filter(|(gate, row)| row.is_set() && said[gate] != row.capacity.used);
    report.mended += wrong.count();
    Ok(())
}

/// What is held by nobody.
async fn drop_dead(
    work: &Work<'_>,
    running: &mut Running,
    dead: &[(TaskId, i32)],
) -> Result<(), StoreError> {
    if dead.is_empty() {
        return Ok(());
    }
    let mut locks = Vec::new();
    for key in dead {
        for ask in running.holds.remove(key).unwrap_or_default() {
            if let Gate::Locks(root) = ask.gate {
                locks.push((root, key.0));
            }
        }
    }
    let parameters = statements::DeleteHoldsParams {
        ns: work.ns,
        tasks: column(dead, |(task, _)| task.0),
        epochs: column(dead, |(_, epoch)| *epoch),
    };
    statements::delete_holds()
        .params(work.transaction, &parameters)
        .await?;
    delete_locks(work, &locks).await
}
