//! What was acknowledged while many were at work, and whether it can be true.
//!
//! The calls are recorded with a number before and after each; the events tell the order in which
//! the database saw them. The checker holds one against the other and against the final rows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use serde_json::Value;
use tokio_postgres::Client;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::lifecycle::State;

/// A call that was answered.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    pub lease: LeaseId,
    /// Moments on one clock for all: an answer before a question means that it came first.
    pub asked: u64,
    pub answered: u64,
}

/// How much happened: a run in which little did shows little.
#[derive(Debug, Default)]
pub struct Counts {
    pub expired: AtomicUsize,
    pub refused: AtomicUsize,
    pub killed: AtomicUsize,
    pub resumed: AtomicUsize,
}

#[derive(Debug, Default)]
pub struct History {
    moments: AtomicU64,
    pub counts: Counts,
    pub claims: Mutex<Vec<Call>>,
    /// Completions that became the outcome, as the agent was told.
    pub completions: Mutex<Vec<Call>>,
}

/// What the tasks were submitted with.
pub type Graphs = BTreeMap<TaskId, (OnDependencyFailure, Vec<TaskId>)>;

/// What the database holds in the end.
#[derive(Debug, Default, Clone)]
pub struct Rows {
    /// The state of each task, and how many dependencies it waits for.
    pub states: BTreeMap<TaskId, (State, i32)>,
    /// The epoch whose output is the outcome.
    pub outcomes: BTreeMap<TaskId, i32>,
}

impl Rows {
    pub async fn read(client: &Client, ns: i64) -> Result<Rows> {
        let states = "select task, state, unmet from workmill.state where ns = $1";
        let outcomes = "select task, epoch from workmill.result where ns = $1";
        Ok(Rows {
            states: client
                .query(states, &[&ns])
                .await?
                .iter()
                .map(|row| {
                    let state = State::from_code(row.get(1)).expect("a known state");
                    (TaskId(row.get(0)), (state, row.get(2)))
                })
                .collect(),
            outcomes: client
                .query(outcomes, &[&ns])
                .await?
                .iter()
                .map(|row| (TaskId(row.get(0)), row.get(1)))
                .collect(),
        })
    }
}

pub fn count(counter: &AtomicUsize, many: usize) {
    counter.fetch_add(many, Ordering::SeqCst);
}

impl History {
    pub fn moment(&self) -> u64 {
        self.moments.fetch_add(1, Ordering::SeqCst)
    }

    pub fn note(&self, calls: &Mutex<Vec<Call>>, asked: u64, leases: &[LeaseId]) {
        let answered = self.moment();
        let mut calls = calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.extend(leases.iter().map(|lease| Call {
            lease: *lease,
            asked,
            answered,
        }));
    }

    fn calls(calls: &Mutex<Vec<Call>>) -> Vec<Call> {
        let calls = calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.clone()
    }

    fn claims_by_task(&self) -> BTreeMap<TaskId, Vec<Call>> {
        let mut by_task: BTreeMap<TaskId, Vec<Call>> = BTreeMap::new();
        for claim in History::calls(&self.claims) {
            by_task.entry(claim.lease.task).or_default().push(claim);
        }
        by_task
    }

    /// What cannot be true. Every task has come to a state that is an end.
    pub fn check(
        &self,
        rows: &Rows,
        graphs: &Graphs,
        events: &[Value],
        is_end: fn(State) -> bool,
    ) -> Vec<String> {
        let mut found = self.check_claims();
        found.extend(self.check_outcomes(rows));
        found.extend(check_events(graphs, events));
        found.extend(check_nothing_is_lost(rows, graphs, is_end));
        found
    }

    /// No lease was given twice, and a later claim has the greater epoch.
    fn check_claims(&self) -> Vec<String> {
        let mut found = Vec::new();
        for claims in self.claims_by_task().values() {
            for (place, one) in claims.iter().enumerate() {
                for other in &claims[place + 1..] {
                    let is_out_of_order = (one.answered < other.asked
                        && one.lease.epoch >= other.lease.epoch)
                        || (other.answered < one.asked && other.lease.epoch >= one.lease.epoch);
                    if one.lease == other.lease || is_out_of_order {
                        found.push(format!("claimed twice or backwards: {one:?} {other:?}"));
                    }
                }
            }
        }
        found
    }

    /// One outcome for each task, it is the one that is stored, and none came from a lease that
    /// the agent could know to be over: another one was acknowledged before.
    fn check_outcomes(&self, rows: &Rows) -> Vec<String> {
        let mut found = Vec::new();
        let claims = self.claims_by_task();
        let mut accepted: BTreeSet<TaskId> = BTreeSet::new();
        for one in History::calls(&self.completions) {
            if !accepted.insert(one.lease.task) {
                found.push(format!("two outcomes were accepted: {one:?}"));
            }
            let claims = claims.get(&one.lease.task).into_iter().flatten();
            let is_stale = claims
                .into_iter()
                .any(|claim| claim.lease.epoch > one.lease.epoch && claim.answered < one.asked);
            if is_stale {
                found.push(format!("a stale outcome was accepted: {one:?}"));
            }
            if rows.outcomes.get(&one.lease.task) != Some(&one.lease.epoch) {
                found.push(format!("an acknowledged outcome is not stored: {one:?}"));
            }
        }
        found
    }
}

/// In the order of the events: epochs grow by one, each task completes once at most, and nothing
/// is claimed before what it depends on is there or has failed under its rule.
fn check_events(graphs: &Graphs, events: &[Value]) -> Vec<String> {
    let mut found = Vec::new();
    let mut epochs: BTreeMap<TaskId, i64> = BTreeMap::new();
    let (mut completed, mut failed) = (BTreeSet::new(), BTreeSet::new());
    for fact in events {
        let task = fact["task_id"].as_str().and_then(|id| id.parse().ok());
        let Some(task) = task else { continue };
        match fact["type"].as_str() {
            Some("task.claimed") => {
                let epoch = epochs.entry(task).or_insert(0);
                *epoch += 1;
                if fact["epoch"].as_i64() != Some(*epoch) {
                    found.push(format!("claim number {epoch} of {task} is {fact}"));
                }
                let Some((rule, depends_on)) = graphs.get(&task) else {
                    found.push(format!("nobody knows of submitting {task}"));
                    continue;
                };
                for on in depends_on {
                    let runs = *rule == OnDependencyFailure::Run && failed.contains(on);
                    if !completed.contains(on) && !runs {
                        found.push(format!("{task} was claimed before {on} was done"));
                    }
                }
            }
            Some("task.completed") if !completed.insert(task) => {
                found.push(format!("{task} completed twice"));
            }
            Some("task.dead_lettered" | "task.cancelled") => {
                failed.insert(task);
            }
            _ => {}
        }
    }
    found
}

/// Every task that was acknowledged is there, and came to its end; only what waits for something
/// that will never be there is left.
fn check_nothing_is_lost(rows: &Rows, graphs: &Graphs, is_end: fn(State) -> bool) -> Vec<String> {
    let states = &rows.states;
    let mut found = Vec::new();
    for task in graphs.keys() {
        match states.get(task) {
            None => found.push(format!("{task} is lost")),
            Some((state, _)) if is_end(*state) => {}
            Some(_) if waits_for_ever(graphs, states, *task) => {}
            Some((state, unmet)) => {
                found.push(format!("{task} is left {state}, with {unmet} to wait for"));
            }
        }
    }
    found
}

/// It waits, by its own rule, for something that was cancelled; or for something that does.
fn waits_for_ever(graphs: &Graphs, states: &BTreeMap<TaskId, (State, i32)>, task: TaskId) -> bool {
    let (rule, depends_on) = &graphs[&task];
    let state = |task: &TaskId| states.get(task).map(|(state, _)| *state);
    state(&task) == Some(State::Pending)
        && depends_on.iter().any(|on| {
            let is_cancelled = state(on) == Some(State::Cancelled);
            (is_cancelled && *rule == OnDependencyFailure::Wait)
                || waits_for_ever(graphs, states, *on)
        })
}
