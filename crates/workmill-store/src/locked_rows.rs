//! The rows that an operation may change: locked, read, changed in memory.
//!
//! The order of the locks is that of [`lock_order`](crate::lock_order). An operation changes the rows in memory as
//! `workmill-core` decides; [`write_back`](crate::write_back) finds out what that means for the
//! tables.

mod task_row;

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{TryFutureExt, try_join};
use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::graph::Tally;
use workmill_core::ids::{GraphId, LeaseId, TaskId};
use workmill_core::usage::Usage;
use workmill_queries::queries::task::locked_rows;
use workmill_queries::queries::upkeep::due;

use crate::error::StoreError;
use crate::operation::Work;
use crate::settlement::spent::read_usage;
use crate::test_points::TestPoints;
pub(crate) use task_row::{NewTaskRow, StateColumns, TaskRow};
use task_row::{read_due_state, read_state};

/// A graph's row, its tally kept by [`write_back`](crate::write_back).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GraphRow {
    pub is_draft: bool,
    /// It was cancelled as a whole; with mode `drain`, its running tasks may finish.
    pub is_draining: bool,
    pub status: String,
    pub tally: Tally,
    /// What the attempts of its tasks have cost.
    pub spent_micros: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeaseRow {
    pub lease: LeaseId,
    pub resumed: i16,
    pub agent: String,
    /// The key that registered the agent.
    pub key: Uuid,
    pub claimed_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub renewed_at: Timestamp,
    pub ttl_ms: i64,
    pub lease_ms: i64,
    pub max_duration_ms: Option<i64>,
    pub stop_at: Option<Timestamp>,
    pub stop: Option<String>,
    /// It has taken something from gates.
    pub has_holds: bool,
    /// What its attempt's row will say if it ends now.
    pub cost_micros: i64,
    /// What earlier attempts with this epoch have posted already.
    pub posted_micros: Option<i64>,
    /// What its agent has reported since the claim.
    pub usage: Usage,
    /// How many tasks were spawned under it.
    pub spawned: i32,
    /// The type of the agent when it claimed.
    pub agent_type: Option<String>,
    /// The type of the task; none for a lease that an older server wrote.
    pub task_type: Option<String>,
}

/// Statements that read the same columns have row types of their own; this reads any of them.
macro_rules! read_graph_row {
    ($row:expr) => {{
        let row = $row;
        GraphRow {
            is_draft: row.is_draft,
            is_draining: row.is_draining,
            status: row.status,
            tally: Tally {
                tasks: row.tasks,
                completed: row.completed,
                cancelled: row.cancelled,
                stale: row.stale,
                dead: row.dead,
                moving: row.moving,
            },
            spent_micros: row.spent_micros,
        }
    }};
}

/// What is locked, as it was read and as it shall be.
#[derive(Debug, Default)]
pub(crate) struct LockedRows {
    pub(crate) graphs: BTreeMap<GraphId, GraphRow>,
    pub(crate) graphs_before: BTreeMap<GraphId, GraphRow>,
    pub(crate) tasks: BTreeMap<TaskId, TaskRow>,
    pub(crate) tasks_before: BTreeMap<TaskId, TaskRow>,
    pub(crate) leases: BTreeMap<LeaseId, LeaseRow>,
    /// What is changed here moves no graph's tally, so their rows are not needed.
    pub(crate) is_without_graphs: bool,
    pub(crate) planted: TestPoints,
}

impl LockedRows {
    /// Locks the tasks with their graphs and leases. Those that do not exist are left out.
    pub(crate) async fn lock(
        work: &mut Work<'_>,
        tasks: impl IntoIterator<Item = TaskId>,
    ) -> Result<LockedRows, StoreError> {
        let tasks: Vec<TaskId> = tasks.into_iter().collect();
        if work.is_planted("tasks locked in any order") {
            lock_as_they_come(work, &tasks).await?;
        }
        let tasks: BTreeSet<TaskId> = tasks.into_iter().collect();
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.0).collect();
        let mut held = LockedRows {
            planted: work.planted(),
            ..LockedRows::default()
        };
        if work.is_planted("graph not locked") {
            return held.lock_graphs_in_vain(work, &tasks, &ids).await;
        }
        // Sent in this order, which is that of the locks; clock and gates are read after them.
        let (graphs, states) = (
            locked_rows::lock_graphs_of_tasks(),
            locked_rows::lock_states(),
        );
        let leases = locked_rows::lock_leases();
        let (graphs, states, leases, ()) = try_join!(
            graphs
                .bind(work.transaction, &ids, &work.ns)
                .all()
                .map_err(|error| work.failed(error)),
            states
                .bind(work.transaction, &ids, &work.ns)
                .all()
                .map_err(|error| work.failed(error)),
            leases
                .bind(work.transaction, &ids, &work.ns)
                .all()
                .map_err(|error| work.failed(error)),
            work.read_moment(),
        )?;
        for row in graphs {
            held.add_graph(GraphId(row.graph), read_graph_row!(row));
        }
        for row in states {
            held.add_task(read_state(row)?)?;
        }
        for row in leases {
            held.add_lease(row)?;
        }
        Ok(held)
    }

    /// The planted fault that the graph's lock prevents: going back to a savepoint gives back the
    /// locks that were taken since.
    async fn lock_graphs_in_vain(
        mut self,
        work: &mut Work<'_>,
        tasks: &BTreeSet<TaskId>,
        ids: &[Uuid],
    ) -> Result<LockedRows, StoreError> {
        work.run_if_planted("graph not locked", "savepoint before_locks")
            .await?;
        let rows = locked_rows::lock_graphs_of_tasks()
            .bind(work.transaction, &ids, &work.ns)
            .all()
            .await?;
        work.run_if_planted("graph not locked", "rollback to before_locks")
            .await?;
        for row in rows {
            self.add_graph(GraphId(row.graph), read_graph_row!(row));
        }
        self.lock_more(work, tasks).await?;
        self.lock_leases(work, ids).await?;
        Ok(self)
    }

    /// Locks tasks and leases for a change that no graph's tally feels.
    pub(crate) async fn lock_without_graphs(
        work: &mut Work<'_>,
        tasks: impl IntoIterator<Item = TaskId>,
    ) -> Result<LockedRows, StoreError> {
        let tasks: BTreeSet<TaskId> = tasks.into_iter().collect();
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.0).collect();
        let mut held = LockedRows {
            is_without_graphs: true,
            ..LockedRows::default()
        };
        held.lock_more(work, &tasks).await?;
        held.lock_leases(work, &ids).await?;
        Ok(held)
    }

    /// Locks those of the tasks that nobody else holds, for a change that no graph's tally feels.
    /// Whoever comes without the graphs' locks must not wait for tasks: those who have them lock
    /// tasks level by level, not in the order of their ids.
    pub(crate) async fn lock_what_is_free(
        work: &mut Work<'_>,
        tasks: impl IntoIterator<Item = TaskId>,
    ) -> Result<LockedRows, StoreError> {
        let ids: Vec<Uuid> = tasks.into_iter().map(|task| task.0).collect();
        let rows = due::lock_due_states()
            .bind(work.transaction, &ids, &work.ns)
            .all()
            .await;
        let mut held = LockedRows {
            is_without_graphs: true,
            ..LockedRows::default()
        };
        for row in rows? {
            held.add_task(read_due_state(row)?)?;
        }
        Ok(held)
    }

    /// Locks a graph by its id, with none of its tasks yet.
    pub(crate) async fn lock_graph(
        work: &mut Work<'_>,
        graph: GraphId,
    ) -> Result<Option<LockedRows>, StoreError> {
        let row = locked_rows::lock_graph()
            .bind(work.transaction, &work.ns, &graph.0)
            .opt()
            .await?;
        Ok(row.map(|row| {
            let mut held = LockedRows::default();
            held.add_graph(graph, read_graph_row!(row));
            held
        }))
    }

    /// Locks further tasks of graphs that are held.
    pub(crate) async fn lock_more(
        &mut self,
        work: &mut Work<'_>,
        tasks: &BTreeSet<TaskId>,
    ) -> Result<(), StoreError> {
        let ids: Vec<Uuid> = tasks
            .iter()
            .filter(|task| !self.tasks.contains_key(*task))
            .map(|task| task.0)
            .collect();
        if ids.is_empty() {
            return Ok(());
        }
        let rows = locked_rows::lock_states()
            .bind(work.transaction, &ids, &work.ns)
            .all()
            .await?;
        for row in rows {
            self.add_task(read_state(row)?)?;
        }
        Ok(())
    }

    pub(crate) async fn lock_leases(
        &mut self,
        work: &mut Work<'_>,
        tasks: &[Uuid],
    ) -> Result<(), StoreError> {
        let rows = locked_rows::lock_leases()
            .bind(work.transaction, &tasks, &work.ns)
            .all()
            .await?;
        for row in rows {
            self.add_lease(row)?;
        }
        Ok(())
    }

    fn add_lease(&mut self, row: locked_rows::LockLeases) -> Result<(), StoreError> {
        let lease = LeaseId {
            task: TaskId(row.task),
            epoch: row.epoch,
        };
        let row = LeaseRow {
            lease,
            resumed: row.resumed,
            agent: row.agent,
            key: row.key,
            claimed_at: row.claimed_at,
            started_at: row.started_at,
            renewed_at: row.renewed_at,
            ttl_ms: row.ttl_ms,
            lease_ms: row.lease_ms,
            max_duration_ms: row.max_duration_ms,
            stop_at: row.stop_at,
            stop: row.stop,
            has_holds: row.has_holds,
            cost_micros: row.cost_micros,
            posted_micros: row.posted_micros,
            usage: read_usage(row.usage.as_ref())?,
            spawned: row.spawned,
            agent_type: row.agent_type,
            task_type: row.task_type,
        };
        self.leases.insert(lease, row);
        Ok(())
    }

    /// The lease that an agent speaks of, if it is still there.
    pub(crate) fn lease(&self, named: LeaseId) -> Option<&LeaseRow> {
        let mut of_task = self.leases.values();
        self.leases.get(&named).or_else(|| {
            let is_unfenced = self.planted.is_on("fence left out");
            of_task.find(|row| is_unfenced && row.lease.task == named.task)
        })
    }

    pub(crate) fn add_graph(&mut self, graph: GraphId, row: GraphRow) {
        self.graphs_before.insert(graph, row.clone());
        self.graphs.insert(graph, row);
    }

    /// A task that came into a graph after its graph was looked for: the operation has to begin
    /// again, with the graph's lock.
    pub(crate) fn add_task(&mut self, row: TaskRow) -> Result<(), StoreError> {
        if row.in_graph && !self.is_without_graphs && !self.graphs.contains_key(&row.graph) {
            return Err(StoreError::Overtaken);
        }
        self.tasks_before.insert(row.task, row.clone());
        self.tasks.insert(row.task, row);
        Ok(())
    }
}

/// The planted fault that a fixed order of locks prevents.
async fn lock_as_they_come(work: &Work<'_>, tasks: &[TaskId]) -> Result<(), StoreError> {
    for task in tasks {
        locked_rows::lock_states()
            .bind(work.transaction, &&[task.0][..], &work.ns)
            .all()
            .await?;
    }
    Ok(())
}
