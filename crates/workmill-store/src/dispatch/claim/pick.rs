//! Picking: the best of some lanes, locked, with what is known of the work.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::try_join;
use jiff::Timestamp;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::policy::Policy;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::claim;
use workmill_queries::queries::gates::gates;

use super::Handed;
use super::context::Spec;
use crate::error::StoreError;
use crate::gates::Door;
use crate::marks::{Look, Mark};
use crate::operation::Work;

/// Tasks that are locked, and whether other gates were known when they were picked.
pub(super) struct Picked {
    pub(super) tasks: Vec<Handed>,
    pub(super) are_gates_new: bool,
}

/// The best of the lanes, each from its mark on, locked, the best first; with the gates that they are
/// likely to have to pass.
pub(super) async fn pick(
    work: &Work<'_>,
    door: &mut Door,
    lanes: &[(LaneId, i64)],
    marks: &[Mark],
    agents: &[&str],
    wanted: usize,
    now: Timestamp,
) -> Result<Picked, StoreError> {
    let parameters = claim::PickReadyParams {
        ns: work.ns,
        now,
        lanes: lanes.iter().map(|(lane, _)| lane.0).collect::<Vec<_>>(),
        aged: lanes.iter().map(|(_, aged)| *aged).collect::<Vec<_>>(),
        mark_ranks: marks.iter().map(|mark| mark.rank).collect::<Vec<_>>(),
        mark_tasks: marks.iter().map(|mark| mark.task).collect::<Vec<_>>(),
        agents,
        wanted: i64::try_from(wanted).unwrap_or(i64::MAX),
        ready: State::Ready.code(),
    };
    // Sent together, executed in this order: the gates of what was picked are known then. Prepared
    // before, so that none is overtaken. Nobody is waited for under the lock of the gates: picking
    // looks past what others have locked.
    let (pick_ready, find_gates_version) = try_join!(
        claim::pick_ready().prepare(work.transaction),
        gates::find_gates_version().prepare(work.transaction),
    )
    .map_err(|error| work.failed(error))?;
    let picked = pick_ready
        .params(work.transaction, &parameters)
        .map(|row| {
            let policy = serde_json::from_str::<Policy>(row.policy.0.get());
            let task = Handed {
                place: 0,
                task: TaskId(row.task),
                graph: GraphId(row.graph),
                in_graph: row.in_graph,
                lane: LaneId(row.lane),
                epoch: row.epoch + 1,
                attempts: row.attempts + 1,
                rank: row.rank,
                starts: false,
                has_holds: false,
                spent: Micros(row.spent_micros),
                spec: None,
                repeat: None,
            };
            let body = row.body.0.to_owned();
            let created_by = row.created_by.to_owned();
            (task, row.submitted_at, created_by, body, policy, row.took)
        })
        .all();
    let version = find_gates_version.bind(work.transaction, &work.ns).opt();
    let pick = async { try_join!(picked, version).map_err(|error| work.failed(error)) };
    let looking = Box::pin(door.look_ahead(work, Box::pin(pick)));
    let (picked, version) = looking.await?;
    let are_gates_new = work.expect_gates(version.unwrap_or(0)).await?;
    work.test_point("claim.picked").await?;
    let mut took = Duration::ZERO;
    let mut handed = Vec::with_capacity(picked.len());
    for (task, submitted_at, created_by, body, policy, so_far) in picked {
        took = took.max(Duration::try_from_secs_f64(so_far).unwrap_or_default());
        let spec = Spec::new(task.task, submitted_at, created_by, body, policy)?;
        handed.push(Handed {
            spec: Some(spec),
            ..task
        });
    }
    remember_look(work, lanes, marks, &handed, took, now);
    if work.is_planted("epoch starts anew") {
        for task in &mut handed {
            task.epoch = 1;
        }
    }
    let aged: BTreeMap<LaneId, i64> = lanes.iter().copied().collect();
    handed.sort_by_key(|task| {
        let aged = aged.get(&task.lane).copied().unwrap_or(0);
        (task.rank - aged, task.task)
    });
    Ok(Picked {
        tasks: handed,
        are_gates_new,
    })
}

/// Remembers how long it took, and how far it went.
fn remember_look(
    work: &Work<'_>,
    lanes: &[(LaneId, i64)],
    marks: &[Mark],
    handed: &[Handed],
    took: Duration,
    now: Timestamp,
) {
    let counts_as_slow = work.is_planted("every look is slow");
    if work.is_timed_by_a_test() && !counts_as_slow {
        return;
    }
    let ended = |lane: LaneId| {
        let taken = handed.iter().filter(|task| task.lane == lane);
        let places = taken.map(|task| Mark {
            rank: task.rank,
            task: task.task.0,
        });
        places.max()
    };
    let look = Look {
        took,
        tasks: u32::try_from(handed.len()).unwrap_or(u32::MAX),
        counts_as_slow,
        lanes: lanes
            .iter()
            .zip(marks)
            .map(|((lane, _), begun)| (*lane, *begun, ended(*lane)))
            .collect(),
    };
    work.marks().looked(work.ns, &look, now);
}
