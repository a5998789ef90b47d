//! Deadlines: what they make stale, what they stop, and how they press.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use uuid::Uuid;
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::lifecycle::Trigger;
use workmill_core::priority::Priority;
use workmill_core::rank::{Boost, POINT, Urgency};
use workmill_queries::client::Params;
use workmill_queries::queries::upkeep::deadlines;

use crate::connect::Store;
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::locked_rows::LockedRows;
use crate::operation::{Operation, Work};
use crate::settlement::{Ledger, finish};
use crate::write_back::{Remarks, delete_deadlines};

impl Store {
    /// Tasks whose deadline has passed, by namespace.
    pub async fn find_passed_deadlines(
        &self,
        now: Timestamp,
        most: i64,
    ) -> Result<BTreeMap<Namespace, Vec<TaskId>>, StoreError> {
        const DOING: &str = "look for passed deadlines";
        let failed = |error| StoreError::from_statement(DOING, error);
        let client = self.client(DOING).await?;
        if let Some(reachable) = self.reachable() {
            let mut passed = BTreeMap::new();
            for ns in reachable {
                let find = deadlines::find_passed_deadlines_of_namespace();
                let tasks = find.bind(&client, &ns.0, &now, &most).map(TaskId).all();
                passed.insert(ns, tasks.await.map_err(failed)?);
            }
            passed.retain(|_, tasks| !tasks.is_empty());
            return Ok(passed);
        }
        let rows = deadlines::find_passed_deadlines()
            .bind(&client, &now, &most)
            .all()
            .await
            .map_err(failed)?;
        let mut passed: BTreeMap<Namespace, Vec<TaskId>> = BTreeMap::new();
        for row in rows {
            passed
                .entry(Namespace(row.ns))
                .or_default()
                .push(TaskId(row.task));
        }
        Ok(passed)
    }

    pub async fn find_namespaces_with_pressing_tasks(
        &self,
        now: Timestamp,
    ) -> Result<Vec<Namespace>, StoreError> {
        let client = self.client(LOOKING).await?;
        let rows = deadlines::find_namespaces_with_pressing_tasks()
            .bind(&client, &now)
            .all()
            .await;
        let rows = rows.map_err(|error| StoreError::from_statement(LOOKING, error))?;
        Ok(rows.into_iter().map(Namespace).collect())
    }

    /// Tasks whose stored rank is off by a point or more. Looks at all whose deadline presses, so
    /// many at a time, until it has found so many that are off: those that are right do not stand
    /// in the way of those that are not.
    pub async fn find_ranks_to_refresh(
        &self,
        ns: Namespace,
        now: Timestamp,
        most: i64,
    ) -> Result<Vec<StaleRank>, StoreError> {
        let client = self.client(LOOKING).await?;
        let wanted = usize::try_from(most).unwrap_or(usize::MAX);
        let mut off = Vec::new();
        let (mut after, mut after_task) = (BEFORE_ALL_DEADLINES, Uuid::nil());
        while off.len() < wanted {
            let parameters = deadlines::FindPressingTasksParams {
                ns: ns.0,
                now,
                after,
                after_task,
                most,
            };
            let rows = deadlines::find_pressing_tasks()
                .params(&client, &parameters)
                .all()
                .await;
            let rows = rows.map_err(|error| StoreError::from_statement(LOOKING, error))?;
            let is_all = rows.len() < wanted;
            if let Some(last) = rows.last() {
                (after, after_task) = (last.presses_at, last.task);
            }
            for row in rows {
                off.extend(stale_rank(&row, now)?);
            }
            if is_all {
                break;
            }
        }
        Ok(off)
    }
}

const LOOKING: &str = "look for deadlines that press";

/// The year 1.
const BEFORE_ALL_DEADLINES: Timestamp = Timestamp::constant(-62_135_596_800, 0);

/// A rank as it is stored and as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaleRank {
    pub task: TaskId,
    pub stored: i64,
    pub rank: i64,
}

fn stale_rank(
    row: &deadlines::FindPressingTasks,
    now: Timestamp,
) -> Result<Option<StaleRank>, StoreError> {
    let task = TaskId(row.task);
    let corrupt = || StoreError::Corrupt(format!("the deadline of {task}"));
    let urgency = Urgency {
        base: Priority::new(row.base.into()).map_err(|_| corrupt())?,
        boost: Boost::from_name(&row.boost).ok_or_else(corrupt)?,
        submitted: row.submitted_at,
        critical_path: u8::try_from(row.critical_path).map_err(|_| corrupt())?,
        deadline: Some(row.at),
        estimate: SignedDuration::from_millis(row.estimate_ms),
    };
    let (stored, rank) = (row.rank, urgency.rank(now));
    let is_off = (rank - stored).abs() >= POINT;
    Ok(is_off.then_some(StaleRank { task, stored, rank }))
}

/// Makes stale what nobody works on, and tells those who do to stop.
#[derive(Debug)]
pub struct PassDeadlines {
    pub ns: Namespace,
    pub tasks: Vec<TaskId>,
}

impl Operation for PassDeadlines {
    /// How many became stale, and how many were told to stop.
    type Answer = (usize, usize);
    const DOING: &'static str = "pass deadlines";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<(usize, usize), StoreError> {
        let mut held = LockedRows::lock(work, self.tasks.iter().copied()).await?;
        let passed = self.still_passed(work).await?;
        let mut ledger = Ledger::default();
        let (mut stale, mut stopping) = (0, 0);
        // It has done what it can do, also for what has ended or waits for a person.
        let mut done = Vec::new();
        for task in passed {
            let Some(row) = held.tasks.get_mut(&task) else {
                continue;
            };
            if row.state().is_leased() {
                // The deadline stays: should the task come back, it is stale.
                let leases = held.leases.values();
                let running: Vec<_> = leases
                    .filter(|lease| lease.lease.task == task && lease.stop.is_none())
                    .map(|lease| (lease.lease, "deadline_exceeded"))
                    .collect();
                if running.is_empty() {
                    continue;
                }
                ledger.stops.extend(running);
                ledger.events.push(Event::of_task(
                    EventType::TaskStopping,
                    row.graph,
                    row.task,
                    json!({"reason": "deadline_exceeded"}),
                ));
                stopping += 1;
                continue;
            }
            row.has_deadline = false;
            done.push(task.0);
            if row.follow(Trigger::PassDeadline).is_ok() {
                row.due = None;
                ledger.events.push(Event::of_task(
                    EventType::TaskStale,
                    row.graph,
                    row.task,
                    json!({}),
                ));
                stale += 1;
            }
        }
        delete_deadlines(work, &done).await?;
        finish(work, held, ledger).await?;
        Ok((stale, stopping))
    }
}

impl PassDeadlines {
    /// Those whose deadline has passed also under the lock.
    async fn still_passed(&self, work: &Work<'_>) -> Result<Vec<TaskId>, StoreError> {
        let ids: Vec<Uuid> = self.tasks.iter().map(|task| task.0).collect();
        let now = work.now().await?;
        let passed = deadlines::find_passed_deadlines_among()
            .bind(work.transaction, &ids, &work.ns, &now)
            .all()
            .await?;
        Ok(passed.into_iter().map(TaskId).collect())
    }
}

/// Stores ranks anew. A task that somebody holds is left for the next look, and so is one whose
/// rank has changed since: what was found is not what it is composed of any more.
#[derive(Debug)]
pub struct RefreshRanks {
    pub ns: Namespace,
    pub ranks: Vec<StaleRank>,
}

impl Operation for RefreshRanks {
    type Answer = usize;
    const DOING: &'static str = "refresh ranks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<usize, StoreError> {
        if work.is_planted("ranks not refreshed") {
            return Ok(0);
        }
        let tasks = self.ranks.iter().map(|stale| stale.task);
        let mut held = LockedRows::lock_what_is_free(work, tasks).await?;
        let mut refreshed = 0;
        for StaleRank { task, stored, rank } in &self.ranks {
            let row = held.tasks.get_mut(task);
            if let Some(row) = row.filter(|row| row.has_deadline && row.rank == *stored) {
                row.rank = *rank;
                refreshed += 1;
            }
        }
        held.write_back(work, &Remarks::default()).await?;
        Ok(refreshed)
    }
}
