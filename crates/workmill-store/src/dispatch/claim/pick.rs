//! Step 3, pick: the best-ranked ready tasks of some lanes, locked with SKIP LOCKED, with their specs.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::try_join;
use jiff::Timestamp;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::rank;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::claim;
use workmill_queries::queries::gates::gates;

use super::lanes::MatchedLane;
use super::slots::Facts;
use super::spec::{Spec, UncheckedSpec};
use crate::column::column;
use crate::error::StoreError;
use crate::gates::{Candidate, GateDecisions};
use crate::lane_cursors::{Cursor, Look, LookAtLane};
use crate::operation::Work;

/// The most tasks that `pick_ready` takes from a lane.
pub(super) const MOST_AT_ONCE: usize = 1000;

/// A ready task that is locked.
pub(super) struct Picked {
    pub(super) facts: Facts,
    /// Its rank in its lane.
    pub(super) rank: i64,
    pub(super) spec: Spec,
}

impl Picked {
    /// Returns what its gates need to know of it.
    pub(super) fn candidate(&self) -> Candidate<'_> {
        Candidate {
            task: self.facts.task,
            epoch: self.facts.epoch,
            graph: self.facts.graph,
            lane: self.facts.lane,
            rank: self.rank,
            spent: self.facts.spent,
            created_by: &self.spec.created_by,
            admission: &self.spec.policy.admission,
        }
    }
}

/// What one look at some lanes has found.
pub(super) struct Found {
    /// The best-ranked first.
    pub(super) tasks: Vec<Picked>,
    /// Other gates are known now than when the tasks were picked.
    pub(super) are_gates_new: bool,
}

/// Which tasks to pick.
pub(super) struct Pick<'a> {
    pub(super) lanes: &'a [MatchedLane],
    /// Where to begin in each lane.
    pub(super) cursors: &'a [Cursor],
    /// Agents that are kept from tasks which they failed lately.
    pub(super) agents: &'a [&'a str],
    pub(super) wanted: usize,
}

/// Picks and locks tasks, and reads the gates that they are likely to have to pass.
pub(super) async fn pick(
    work: &Work<'_>,
    gate_decisions: &mut GateDecisions,
    wish: &Pick<'_>,
    now: Timestamp,
) -> Result<Found, StoreError> {
    let lanes = wish.lanes;
    let parameters = claim::PickReadyParams {
        ns: work.ns,
        now,
        lanes: column(lanes, |one| one.lane.0),
        aged: column(lanes, |one| one.aged),
        cursor_ranks: wish
            .cursors
            .iter()
            .map(|cursor| cursor.rank)
            .collect::<Vec<_>>(),
        cursor_tasks: wish
            .cursors
            .iter()
            .map(|cursor| cursor.task)
            .collect::<Vec<_>>(),
        agents: wish.agents,
        wanted: i64::try_from(wish.wanted).unwrap_or(i64::MAX),
        ready: State::Ready.code(),
    };
    // Sent in this order: the version of the gates is read after the tasks are locked. Picking under the
    // lock of the gates waits for no other transaction, because it looks past locked rows.
    let (pick_ready, find_version) = (claim::pick_ready(), gates::find_gates_version());
    let picked = pick_ready
        .params(work.transaction, &parameters)
        .map(|row| {
            let facts = Facts {
                task: TaskId(row.task),
                graph: GraphId(row.graph),
                in_graph: row.in_graph,
                lane: LaneId(row.lane),
                epoch: row.epoch + 1,
                attempts: row.attempts + 1,
                spent: Micros(row.spent_micros),
            };
            let spec = UncheckedSpec {
                submitted_at: row.submitted_at,
                created_by: row.created_by.to_owned(),
                body: row.body.0.to_owned(),
                policy: serde_json::from_str(row.policy.0.get()),
            };
            (facts, row.rank, spec, row.took)
        })
        .all();
    let version = find_version.bind(work.transaction, &work.ns).opt();
    let pick = async { try_join!(picked, version).map_err(|error| work.failed(error)) };
    let looking = Box::pin(gate_decisions.look_ahead(work, Box::pin(pick)));
    let (rows, version) = looking.await?;
    let are_gates_new = work.expect_gates(version.unwrap_or(0)).await?;
    work.test_point("claim.picked").await?;
    let mut took = Duration::ZERO;
    let mut tasks = Vec::with_capacity(rows.len());
    for (facts, rank, spec, so_far) in rows {
        took = took.max(Duration::try_from_secs_f64(so_far).unwrap_or_default());
        let spec = spec.of(facts.task)?;
        tasks.push(Picked { facts, rank, spec });
    }
    remember_look(work, wish, &tasks, took, now);
    if work.is_planted("epoch starts anew") {
        for one in &mut tasks {
            one.facts.epoch = 1;
        }
    }
    let aged: BTreeMap<LaneId, i64> = lanes.iter().map(|one| (one.lane, one.aged)).collect();
    tasks.sort_by_key(|one| {
        let aged = aged.get(&one.facts.lane).copied().unwrap_or(0);
        (rank::effective(one.rank, aged), one.facts.task)
    });
    Ok(Found {
        tasks,
        are_gates_new,
    })
}

/// Remembers how long the look took, and how far it went in each lane.
fn remember_look(
    work: &Work<'_>,
    wish: &Pick<'_>,
    picked: &[Picked],
    took: Duration,
    now: Timestamp,
) {
    let counts_as_slow = work.is_planted("every look is slow");
    if work.is_timed_by_a_test() && !counts_as_slow {
        return;
    }
    let ended = |lane: LaneId| {
        let taken = picked.iter().filter(|one| one.facts.lane == lane);
        let places = taken.map(|one| Cursor {
            rank: one.rank,
            task: one.facts.task.0,
        });
        places.max()
    };
    let lanes = wish.lanes.iter().zip(wish.cursors);
    let look = Look {
        took,
        tasks: u32::try_from(picked.len()).unwrap_or(u32::MAX),
        counts_as_slow,
        lanes: lanes
            .map(|(one, begun)| LookAtLane {
                lane: one.lane,
                begun: *begun,
                ended: ended(one.lane),
            })
            .collect(),
    };
    work.lane_cursors().looked(work.ns, &look, now);
}
