//! Finds rows that disagree, and mends them. It must find nothing: every transaction keeps
//! `state`, the resting places and the counters in step. It is here so that a mistake of ours, or
//! of somebody with psql, strands no work for ever, and is counted.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::lifecycle::State;
use workmill_queries::client::Params;
use workmill_queries::queries::gates::gates;
use workmill_queries::queries::intake::grow;
use workmill_queries::queries::task::write_back as rows;
use workmill_queries::queries::upkeep::consistency;

use crate::column::column;
use crate::connect::Store;
use crate::error::StoreError;
use crate::locked_rows::{LockedRows, TaskRow};
use crate::operation::{Operation, Work};
use crate::settlement::impossible;
use crate::write_back::{Remarks, enter};

/// A task of some namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub ns: Namespace,
    pub task: TaskId,
}

impl Place {
    /// Before all tasks of a namespace.
    pub const fn first_of(ns: Namespace) -> Place {
        Place {
            ns,
            task: TaskId(Uuid::nil()),
        }
    }

    /// Before all tasks of all namespaces.
    pub const FIRST: Place = Place::first_of(Namespace(1));
}

/// A page of tasks that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    pub suspects: BTreeMap<Namespace, Vec<TaskId>>,
    /// Behind which the next page begins; none after the last one.
    pub next: Option<Place>,
}

impl Store {
    /// Looks at a page of tasks without locking. Rows that another transaction is writing can look wrong.
    pub async fn find_disagreements(&self, after: Place, most: i64) -> Result<Page, StoreError> {
        let mut page = Page {
            suspects: BTreeMap::new(),
            next: None,
        };
        let (mut place, mut left) = (after, most);
        loop {
            let (suspects, looked_at, last) = self.find_suspects(place, left).await?;
            if !suspects.is_empty() {
                page.suspects.insert(place.ns, suspects);
            }
            left -= looked_at;
            if let (0, Some(task)) = (left, last) {
                page.next = Some(Place { ns: place.ns, task });
                return Ok(page);
            }
            let Some(ns) = self.next_namespace(place.ns).await? else {
                return Ok(page);
            };
            place = Place::first_of(ns);
        }
    }

    /// Returns tasks of one namespace that look wrong, how many were looked at, and the last of those.
    async fn find_suspects(
        &self,
        after: Place,
        most: i64,
    ) -> Result<(Vec<TaskId>, i64, Option<TaskId>), StoreError> {
        const DOING: &str = "look for rows that disagree";
        if !self.is_reachable(after.ns) {
            return Ok((Vec::new(), 0, None));
        }
        let client = self.client(DOING).await?;
        let found = consistency::find_disagreements()
            .bind(&client, &after.ns.0, &after.task.0, &most)
            .all()
            .await;
        let found = found.map_err(|error| StoreError::from_statement(DOING, error))?;
        let looked_at = i64::try_from(found.len()).unwrap_or(most);
        let last = found.last().map(|row| TaskId(row.task));
        let wrong = found.into_iter().filter(|row| {
            row.is_wrong_in_ready
                || row.is_wrong_in_due
                || row.has_lost_its_lease
                || row.has_wrong_counter
        });
        Ok((wrong.map(|row| TaskId(row.task)).collect(), looked_at, last))
    }
}

/// Looks at the suspects again under their locks, and mends what is really wrong.
#[derive(Debug)]
pub struct Mend {
    pub ns: Namespace,
    pub tasks: Vec<TaskId>,
}

impl Operation for Mend {
    /// How many were mended.
    type Answer = usize;
    const DOING: &'static str = "mend rows that disagree";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<usize, StoreError> {
        let mut held = LockedRows::lock(work, self.tasks.iter().copied()).await?;
        let now = work.now().await?;
        let mut mended = BTreeSet::new();
        mend_counters(work, &mut held, now, &mut mended).await?;
        mend_resting_places(work, &held, &mut mended).await?;
        held.write_back(work, &Remarks::default()).await?;
        Ok(mended.len())
    }
}

/// Counts the unmet dependencies of the held tasks anew.
async fn mend_counters(
    work: &mut Work<'_>,
    held: &mut LockedRows,
    now: Timestamp,
    mended: &mut BTreeSet<TaskId>,
) -> Result<(), StoreError> {
    let ids: Vec<Uuid> = held.tasks.keys().map(|task| task.0).collect();
    let edges = grow::find_dependencies()
        .bind(work.transaction, &work.ns, &ids)
        .all()
        .await?;
    let suspects: Vec<TaskId> = held.tasks.keys().copied().collect();
    let above: BTreeSet<TaskId> = edges.iter().map(|edge| TaskId(edge.depends_on)).collect();
    held.lock_more(work, &above).await?;
    for task in suspects {
        let mut unmet = 0;
        for edge in edges.iter().filter(|edge| edge.task == task.0) {
            let Some(on) = held.tasks.get(&TaskId(edge.depends_on)) else {
                continue;
            };
            let rule = held.tasks[&task].on_dependency_failure;
            let went_on = on.freed_runners && rule.is_met_by(State::DeadLettered);
            unmet += i32::from(!rule.is_met_by(on.state()) && !went_on);
        }
        let Some(row) = held.tasks.get_mut(&task) else {
            continue;
        };
        if row.unmet != unmet {
            row.unmet = unmet;
            mended.insert(task);
            if row.state() == State::Pending {
                row.promote_if_due(now).map_err(impossible)?;
            }
        }
    }
    Ok(())
}

/// Puts tasks where their rows say that they rest, and takes them out of lanes where they do not.
async fn mend_resting_places(
    work: &mut Work<'_>,
    held: &LockedRows,
    mended: &mut BTreeSet<TaskId>,
) -> Result<(), StoreError> {
    let ids: Vec<Uuid> = held.tasks.keys().map(|task| task.0).collect();
    let found = consistency::find_ready_rows()
        .bind(work.transaction, &work.ns, &ids)
        .all()
        .await;
    let (gated, in_lanes): (Vec<_>, Vec<_>) = found?.into_iter().partition(|row| row.is_gated);
    let places = |rows: Vec<consistency::FindReadyRows>| -> Vec<(i64, i64, TaskId)> {
        let rows = rows.into_iter();
        rows.map(|row| (row.lane, row.rank, TaskId(row.task)))
            .collect()
    };
    let (gated, in_lanes) = (places(gated), places(in_lanes));
    // What the operation changes itself is moved by the write-back.
    let unchanged: Vec<&TaskRow> = held
        .tasks
        .values()
        .filter(|row| held.tasks_before.get(&row.task) == Some(*row))
        .collect();
    let place = |row: &TaskRow| (row.lane.0, row.rank, row.task);
    let missing: Vec<&TaskRow> = unchanged
        .iter()
        .copied()
        .filter(|row| row.state() == State::Ready)
        .filter(|row| !in_lanes.contains(&place(row)) && !gated.contains(&place(row)))
        .collect();
    let is_stray = |stray: &(i64, i64, TaskId)| {
        let row = unchanged.iter().find(|row| row.task == stray.2);
        row.is_some_and(|row| row.state() != State::Ready || place(row) != *stray)
    };
    // What is in its lane does not wait at a gate.
    let gated: Vec<Uuid> = gated
        .iter()
        .filter(|stray| is_stray(stray) || in_lanes.contains(stray))
        .map(|(.., task)| task.0)
        .collect();
    mended.extend(gated.iter().map(|task| TaskId(*task)));
    if !gated.is_empty() {
        gates::delete_gated_tasks()
            .bind(work.transaction, &work.ns, &gated)
            .await?;
    }
    enter(work, &missing, &Remarks::default()).await?;
    mended.extend(missing.iter().map(|row| row.task));
    let strays: Vec<(i64, i64, TaskId)> = in_lanes.into_iter().filter(is_stray).collect();
    mended.extend(strays.iter().map(|(.., task)| *task));
    delete_strays(work, &strays).await?;
    mend_due(work, &unchanged, mended).await
}

/// What waits for its time is among those that do.
async fn mend_due(
    work: &mut Work<'_>,
    rows: &[&TaskRow],
    mended: &mut BTreeSet<TaskId>,
) -> Result<(), StoreError> {
    let waiting: Vec<&TaskRow> = rows
        .iter()
        .copied()
        .filter(|row| matches!(row.state(), State::Pending | State::Retrying) && row.unmet == 0)
        .collect();
    let ids: Vec<Uuid> = waiting.iter().map(|row| row.task.0).collect();
    let found = consistency::find_due_rows()
        .bind(work.transaction, &work.ns, &ids)
        .all()
        .await;
    let found: BTreeSet<TaskId> = found?.into_iter().map(TaskId).collect();
    let missing: Vec<&TaskRow> = waiting
        .into_iter()
        .filter(|row| !found.contains(&row.task))
        .collect();
    enter(work, &missing, &Remarks::default()).await?;
    mended.extend(missing.iter().map(|row| row.task));
    Ok(())
}

async fn delete_strays(
    work: &mut Work<'_>,
    strays: &[(i64, i64, TaskId)],
) -> Result<(), StoreError> {
    if strays.is_empty() {
        return Ok(());
    }
    let parameters = rows::DeleteReadyParams {
        ns: work.ns,
        lanes: column(strays, |(lane, ..)| *lane),
        ranks: column(strays, |(_, rank, _)| *rank),
        tasks: column(strays, |(.., task)| task.0),
    };
    rows::delete_ready()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}
