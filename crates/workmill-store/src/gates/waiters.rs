//! Those who wait at gates, and which of them go back to their lanes when there is room.

use std::collections::BTreeMap;

use futures_util::try_join;
use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::admission::are_free;
use workmill_core::gate::{Gate, Limited};
use workmill_core::ids::TaskId;
use workmill_core::lane::LaneId;
use workmill_core::rank::effective;
use workmill_core::resource_lock::ResourceLock;
use workmill_queries::client::Params;
use workmill_queries::queries::gates::gates as statements;

use super::rows::{GateRow, Gates, read_locks};
use crate::column::column;
use crate::error::StoreError;
use crate::operation::Work;

/// A task that waits at a gate; its row there is locked.
#[derive(Debug, Clone)]
pub(crate) struct Waiter {
    pub(crate) gate: Gate,
    pub(crate) lane: LaneId,
    pub(crate) rank: i64,
    pub(crate) task: TaskId,
    pub(crate) amount: i64,
    pub(crate) since: Timestamp,
    pub(crate) locks: Vec<ResourceLock>,
}

/// How many of those at a gate are looked at in one go, for those who fit.
pub(super) const MOST_LOOKED_AT: i64 = 200;

/// What is held below each root.
pub(super) type HeldLocks = BTreeMap<String, Vec<ResourceLock>>;

/// Locks the best-ranked at each gate, at most so many of each, in the order of their effective
/// priority.
pub(super) async fn lock_waiters(
    work: &Work<'_>,
    wanted: &[Opening],
) -> Result<Vec<Waiter>, StoreError> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let gates: Vec<String> = wanted.iter().map(|one| one.gate.to_string()).collect();
    let waited_in = work.find_gated_lanes(&gates).await?;
    if waited_in.is_empty() {
        return Ok(Vec::new());
    }
    let lanes = work.lanes();
    let aged = |id: LaneId| lanes.get(id).map_or(0, |lane| work.aged(lane.boost));
    let aged: BTreeMap<LaneId, i64> = waited_in.into_iter().map(|id| (id, aged(id))).collect();
    let parameters = statements::LockWaitersParams {
        ns: work.ns,
        gates,
        most: column(wanted, |one| one.most),
        left: column(wanted, |one| one.left),
        lanes: aged.keys().map(|lane| lane.0).collect::<Vec<_>>(),
        aged: aged.values().copied().collect::<Vec<_>>(),
    };
    let rows = statements::lock_waiters()
        .params(work.transaction, &parameters)
        .all()
        .await;
    let mut waiters = Vec::new();
    for row in rows? {
        waiters.push(Waiter {
            gate: row
                .gate
                .parse()
                .map_err(|error| StoreError::Corrupt(format!("{error}")))?,
            lane: LaneId(row.lane),
            rank: row.rank,
            task: TaskId(row.task),
            amount: row.amount,
            since: row.since,
            locks: row.locks.map(read_locks).transpose()?.unwrap_or_default(),
        });
    }
    waiters.sort_by_key(|waiter| {
        let aged = aged.get(&waiter.lane).copied().unwrap_or(0);
        (effective(waiter.rank, aged), waiter.task)
    });
    Ok(waiters)
}

/// The locks below a root that are shared, or those that are not: only the latter are in the way of
/// who wants to share.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Below {
    root: String,
    shared: bool,
}

impl Below {
    pub(super) fn all(root: &str) -> impl Iterator<Item = Below> {
        [false, true].into_iter().map(|shared| Below {
            root: root.to_owned(),
            shared,
        })
    }

    /// Those that can be in the way of a lock.
    pub(super) fn against(lock: &ResourceLock) -> impl Iterator<Item = Below> {
        Below::all(lock.root()).filter(|below| !below.shared || !lock.shared)
    }
}

/// The locks that are held by others than these tasks.
pub(super) async fn find_held_locks(
    work: &Work<'_>,
    wanted: &[Below],
    except: &[Uuid],
) -> Result<HeldLocks, StoreError> {
    if wanted.is_empty() {
        return Ok(HeldLocks::new());
    }
    let roots: Vec<&str> = wanted.iter().map(|below| below.root.as_str()).collect();
    let are_shared: Vec<bool> = wanted.iter().map(|below| below.shared).collect();
    let rows = statements::find_held_paths()
        .bind(work.transaction, &roots, &are_shared, &work.ns, &except)
        .all()
        .await;
    let mut held = HeldLocks::new();
    for row in rows? {
        let lock = ResourceLock {
            path: row.path,
            shared: row.is_shared,
        };
        held.entry(lock.root().to_owned()).or_default().push(lock);
    }
    Ok(held)
}

/// Whether somebody who waits might fit. Who has spent all it may asks a budget for nothing.
pub(super) fn may_let_in(gate: &Gate, row: &GateRow) -> bool {
    match gate {
        Gate::Budget(_) => row.takes(0),
        Gate::Pause(_) | Gate::Limit(_) | Gate::Locks(_) => row.left() > 0,
    }
}

/// A gate that may have room for somebody who waits.
pub(super) struct Opening {
    pub(super) gate: Gate,
    /// How many of them to take.
    pub(super) most: i64,
    /// Who asks for more is not among them.
    pub(super) left: i64,
}

/// The locks below the roots that somebody waits at.
pub(super) fn below(openings: &[Opening]) -> Vec<Below> {
    let roots = openings.iter().filter_map(|opening| match &opening.gate {
        Gate::Locks(root) => Some(root),
        _ => None,
    });
    roots.flat_map(|root| Below::all(root)).collect()
}

/// The gates that may have room for somebody who waits.
pub(super) fn with_room<'a>(
    rows: impl IntoIterator<Item = (&'a Gate, &'a GateRow)>,
    most: i64,
) -> Vec<Opening> {
    rows.into_iter()
        .filter(|(gate, row)| row.has_waiters && may_let_in(gate, row))
        .map(|(gate, row)| {
            let look_at = match gate {
                // Who takes more than the one before may not fit, and somebody behind does.
                Gate::Budget(_) | Gate::Locks(_) | Gate::Limit(Limited::Label(_)) => most,
                Gate::Pause(_) | Gate::Limit(_) => row.left().min(most),
            };
            Opening {
                gate: gate.clone(),
                most: look_at,
                left: row.left(),
            }
        })
        .collect()
}

/// Those who fit together, the best-ranked first. They take nothing yet: that is for the claim.
pub(super) fn choose(waiters: Vec<Waiter>, gates: &Gates, mut held: HeldLocks) -> Vec<Waiter> {
    let mut left: BTreeMap<Gate, i64> = BTreeMap::new();
    waiters
        .into_iter()
        .filter(|waiter| {
            let Some(row) = gates.rows.get(&waiter.gate) else {
                return true;
            };
            if let Gate::Locks(root) = &waiter.gate {
                return fits_beside(waiter, row, held.entry(root.clone()).or_default());
            }
            let left = left
                .entry(waiter.gate.clone())
                .or_insert_with(|| row.left());
            if !row.takes(waiter.amount) || *left < waiter.amount {
                return false;
            }
            *left -= waiter.amount;
            true
        })
        .collect()
}

/// Returns whether a task can take its locks beside those that are held, and adds them to these.
fn fits_beside(waiter: &Waiter, row: &GateRow, held: &mut Vec<ResourceLock>) -> bool {
    let fits = are_free(waiter.task, &waiter.locks, &*held, row.reservation());
    if fits {
        held.extend(waiter.locks.iter().cloned());
    }
    fits
}

/// Puts them back into their lanes, and remembers to wake who waits for them.
pub(super) fn announce(work: &mut Work<'_>, returning: &[Waiter]) {
    for waiter in returning {
        *work.effects.ready.entry(waiter.lane).or_default() += 1;
    }
}

pub(super) async fn put_back(work: &Work<'_>, returning: &[Waiter]) -> Result<(), StoreError> {
    if returning.is_empty() {
        return Ok(());
    }
    let gates: Vec<String> = returning
        .iter()
        .map(|waiter| waiter.gate.to_string())
        .collect();
    let lanes: Vec<i64> = returning.iter().map(|waiter| waiter.lane.0).collect();
    let ranks: Vec<i64> = returning.iter().map(|waiter| waiter.rank).collect();
    let tasks: Vec<uuid::Uuid> = returning.iter().map(|waiter| waiter.task.0).collect();
    let (back, gone) = (statements::return_to_ready(), statements::delete_gated());
    try_join!(
        back.bind(work.transaction, &gates, &lanes, &ranks, &tasks, &work.ns),
        gone.bind(work.transaction, &work.ns, &gates, &lanes, &ranks, &tasks),
    )?;
    Ok(())
}
