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

    /// What cannot be true.
    pub async fn check(
        &self,
        client: &Client,
        ns: i64,
        graphs: &Graphs,
        events: &[Value],
    ) -> Result<Vec<String>> {
        let mut found = self.check_claims();
        found.extend(self.check_outcomes(client, ns).await?);
        found.extend(check_events(graphs, events));
        found.extend(check_nothing_is_lost(client, ns, graphs).await?);
        Ok(found)
    }

    /// No lease was given twice, and a later claim has the greater epoch.
    fn check_claims(&self) -> Vec<String> {
        let mut found = Vec::new();
        let claims = History::calls(&self.claims);
        for (place, one) in claims.iter().enumerate() {
            for other in &claims[place + 1..] {
                let of_one_task = one.lease.task == other.lease.task;
                let is_out_of_order = (one.answered < other.asked
                    && one.lease.epoch >= other.lease.epoch)
                    || (other.answered < one.asked && other.lease.epoch >= one.lease.epoch);
                if of_one_task && (one.lease == other.lease || is_out_of_order) {
                    found.push(format!("claimed twice or backwards: {one:?} {other:?}"));
                }
            }
        }
        found
    }

    /// One outcome for each task, it is the one that is stored, and none came from a lease that
    /// the agent could know to be over: another one was acknowledged before.
    async fn check_outcomes(&self, client: &Client, ns: i64) -> Result<Vec<String>> {
        let mut found = Vec::new();
        let claims = History::calls(&self.claims);
        let mut accepted: BTreeSet<TaskId> = BTreeSet::new();
        for one in History::calls(&self.completions) {
            if !accepted.insert(one.lease.task) {
                found.push(format!("two outcomes were accepted: {one:?}"));
            }
            let is_stale = claims.iter().any(|claim| {
                claim.lease.task == one.lease.task
                    && claim.lease.epoch > one.lease.epoch
                    && claim.answered < one.asked
            });
            if is_stale {
                found.push(format!("a stale outcome was accepted: {one:?}"));
            }
            let stored = "select epoch from workmill.result where ns = $1 and task = $2";
            let stored = client.query_opt(stored, &[&ns, &one.lease.task.0]).await?;
            if stored.map(|row| row.get::<_, i32>(0)) != Some(one.lease.epoch) {
                found.push(format!("an acknowledged outcome is not stored: {one:?}"));
            }
        }
        Ok(found)
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
                let (rule, depends_on) = &graphs[&task];
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
async fn check_nothing_is_lost(client: &Client, ns: i64, graphs: &Graphs) -> Result<Vec<String>> {
    let rows = "select task, state, unmet from workmill.state where ns = $1";
    let rows = client.query(rows, &[&ns]).await?;
    let states: BTreeMap<TaskId, (State, i32)> = rows
        .iter()
        .map(|row| {
            let state = State::from_code(row.get(1)).expect("a known state");
            (TaskId(row.get(0)), (state, row.get(2)))
        })
        .collect();
    let mut found = Vec::new();
    for task in graphs.keys() {
        match states.get(task) {
            None => found.push(format!("{task} is lost")),
            Some((state, _)) if state.is_finished() => {}
            Some(_) if waits_for_ever(graphs, &states, *task) => {}
            Some((state, unmet)) => {
                found.push(format!("{task} is left {state}, with {unmet} to wait for"));
            }
        }
    }
    Ok(found)
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
