//! Settling: how attempts end, and what follows for their tasks and for those that wait.
//!
//! One transaction takes a batch of endings through four steps: lock (graphs, tasks, leases, in
//! id order), decide (pure rules of `workmill-core`), write (in sets), free (the tasks that
//! waited only for these). Completions, failures, releases and expiries all go this way, so the
//! fence, the attempt row and the graph's tally cannot differ between them.

mod decide;
mod free;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use serde_json::value::RawValue;
use uuid::Uuid;
use workmill_core::failure::Reason;
use workmill_core::graph::Tally;
use workmill_core::ids::{LeaseId, Namespace};
use workmill_core::lifecycle::{IllegalTransition, State};
use workmill_queries::queries::settlement::settle;

use crate::error::StoreError;
use crate::operation::{Operation, Work};

/// How an attempt ends.
#[derive(Debug, Clone)]
pub enum Ending {
    Complete {
        output: Box<RawValue>,
    },
    Fail {
        reason: Reason,
        message: String,
        details: Option<Value>,
        retry_after_ms: Option<i64>,
    },
    Release,
    /// The lease ran out, or the attempt ran too long; looked at again under the lock.
    Expire,
}

/// What an attempt has used, as its agent reports it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spent {
    pub cost_micros: i64,
    pub usage: Option<Value>,
}

#[derive(Debug, Clone)]
pub struct Settlement {
    pub lease: LeaseId,
    pub ending: Ending,
    pub spent: Spent,
}

/// Who settles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settler {
    /// The key that registered the agent.
    Key(Uuid),
    /// Workmill itself.
    Upkeep,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The lease is no longer the current one; nothing was changed.
    LeaseLost,
    /// The key is not the one that registered the agent that holds the lease.
    NotTheHolder,
    Illegal(IllegalTransition),
    /// A lease that was taken for lost is alive after all.
    StillAlive,
}

/// What became of the task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    pub state: State,
    /// The same ending had been accepted before.
    pub is_repeat: bool,
    /// When the next attempt is due, for a task that is retried.
    pub retry_in_ms: Option<i64>,
}

#[derive(Debug)]
pub struct Settle {
    pub ns: Namespace,
    pub settler: Settler,
    /// At most one for each task.
    pub settlements: Vec<Settlement>,
    /// One number in 0..1 for each settlement, to move its retry delay.
    pub random: Vec<f64>,
}

impl Operation for Settle {
    type Answer = Vec<Result<Settled, Refusal>>;
    const DOING: &'static str = "settle attempts";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let mut held = Held::lock(work, &self.settlements).await?;
        work.test_point("settle.locked").await?;
        let now = work.now().await?;

        let mut answers = Vec::with_capacity(self.settlements.len());
        let mut decisions = Vec::new();
        for (settlement, random) in self.settlements.iter().zip(&self.random) {
            let answer = match decide::decide(&held, self.settler, settlement, *random, now)? {
                Ok(decide::Outcome::Repeat(settled)) => Ok(settled),
                Ok(decide::Outcome::Decision(decision)) => {
                    let settled = decision.settled();
                    decisions.push(decision);
                    Ok(settled)
                }
                Err(refusal) => Err(refusal),
            };
            answers.push(answer);
        }
        write::write(work, &mut held, &decisions).await?;
        free::free_dependents(work, &mut held, &decisions).await?;
        free::write_tallies(work, &held).await?;
        Ok(answers)
    }
}

/// The rows that the settlements need, locked, by id.
struct Held {
    graphs: BTreeMap<Uuid, HeldGraph>,
    states: BTreeMap<Uuid, settle::LockStates>,
    leases: BTreeMap<(Uuid, i32), settle::LockLeases>,
    /// Attempts that ended before, of each task, oldest first.
    attempts: BTreeMap<Uuid, Vec<settle::FindAttempts>>,
    results: BTreeMap<Uuid, settle::FindResults>,
    policies: BTreeMap<Uuid, Value>,
}

struct HeldGraph {
    is_draft: bool,
    tally: Tally,
    tally_before: Tally,
    status_before: String,
}

impl Held {
    async fn lock(work: &mut Work<'_>, settlements: &[Settlement]) -> Result<Held, StoreError> {
        let tasks: BTreeSet<Uuid> = settlements
            .iter()
            .map(|settlement| settlement.lease.task.0)
            .collect();
        let tasks: Vec<Uuid> = tasks.into_iter().collect();
        let graphs = Held::lock_graphs(work, &tasks).await?;
        let states = settle::lock_states()
            .bind(&work.transaction, &work.ns, &tasks)
            .all()
            .await
            .map_err(|error| work.failed(error))?;
        let leases = settle::lock_leases()
            .bind(&work.transaction, &work.ns, &tasks)
            .all()
            .await
            .map_err(|error| work.failed(error))?;
        let past = settle::find_attempts()
            .bind(&work.transaction, &work.ns, &tasks)
            .all()
            .await
            .map_err(|error| work.failed(error))?;
        let results = settle::find_results()
            .bind(&work.transaction, &work.ns, &tasks)
            .all()
            .await
            .map_err(|error| work.failed(error))?;
        let policies = settle::find_policies()
            .bind(&work.transaction, &work.ns, &tasks)
            .all()
            .await
            .map_err(|error| work.failed(error))?;
        let mut attempts: BTreeMap<Uuid, Vec<settle::FindAttempts>> = BTreeMap::new();
        for row in past {
            attempts.entry(row.task).or_default().push(row);
        }
        Ok(Held {
            graphs,
            states: states.into_iter().map(|row| (row.task, row)).collect(),
            leases: leases
                .into_iter()
                .map(|row| ((row.task, row.epoch), row))
                .collect(),
            attempts,
            results: results.into_iter().map(|row| (row.task, row)).collect(),
            policies: policies
                .into_iter()
                .map(|row| (row.task, row.policy))
                .collect(),
        })
    }

    async fn lock_graphs(
        work: &mut Work<'_>,
        tasks: &[Uuid],
    ) -> Result<BTreeMap<Uuid, HeldGraph>, StoreError> {
        let graphs = settle::find_graphs()
            .bind(&work.transaction, &work.ns, &tasks)
            .all()
            .await
            .map_err(|error| work.failed(error))?;
        let rows = settle::lock_graphs()
            .bind(&work.transaction, &work.ns, &graphs)
            .all()
            .await
            .map_err(|error| work.failed(error))?;
        Ok(rows
            .into_iter()
            .map(|row| {
                let tally = Tally {
                    tasks: row.tasks,
                    completed: row.completed,
                    cancelled: row.cancelled,
                    stale: row.stale,
                    dead: row.dead,
                    moving: row.moving,
                };
                let graph = HeldGraph {
                    is_draft: row.is_draft,
                    tally,
                    tally_before: tally,
                    status_before: row.status,
                };
                (row.graph, graph)
            })
            .collect())
    }

    /// Moves a task of a graph from one count to another; a task of its own has no tally.
    fn recount(&mut self, graph: Uuid, from: (State, bool), to: (State, bool)) {
        if let Some(graph) = self.graphs.get_mut(&graph) {
            graph.tally.add(from.0, from.1, -1);
            graph.tally.add(to.0, to.1, 1);
        }
    }
}

fn state_of(row: &settle::LockStates) -> Result<State, StoreError> {
    State::from_code(row.state)
        .ok_or_else(|| StoreError::Corrupt(format!("a task is in state {}", row.state)))
}
