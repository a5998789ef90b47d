//! Whether what is about to be claimed passes its gates, and what it takes of them.
//!
//! Candidates come in the order of their rank. Each is decided by [`admission::Candidate::decide`],
//! with what those before it have taken; nothing is written before all are decided.

mod view;

use std::collections::{BTreeMap, BTreeSet};

use futures_util::try_join;
use jiff::Timestamp;
use postgres_types::Json;
use uuid::Uuid;
use workmill_core::admission::{self, Admission, Ask, Decision as Admitted};
use workmill_core::gate::{Gate, Purse};
use workmill_core::ids::{GraphId, LeaseId, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::money::Micros;
use workmill_core::resource_lock::ResourceLock;
use workmill_queries::client::Params;
use workmill_queries::queries::gates::gates as statements;

use super::asking::{Wanted, asks_of, find_still_ready, find_wanted};
use super::holds::{Hold, read_asks, write_holds, write_locks};
use super::rows::{GateRow, Gates};
use super::waiters::{Below, HeldLocks, find_held_locks};
use crate::column::column;
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::operation::Work;
use view::View;

/// A ready task that somebody may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<'a> {
    pub(crate) task: TaskId,
    pub(crate) epoch: i32,
    pub(crate) graph: GraphId,
    pub(crate) lane: LaneId,
    pub(crate) rank: i64,
    pub(crate) spent: Micros,
    pub(crate) created_by: &'a str,
    pub(crate) admission: &'a Admission,
}

impl<'a> Candidate<'a> {
    /// Returns what gates need to know of the task, with the usual cost of an attempt.
    pub(super) fn at_gates(&self, usual: Option<Micros>) -> admission::Candidate<'a> {
        admission::Candidate {
            task: self.task,
            graph: self.graph,
            lane: self.lane,
            spent: self.spent,
            created_by: self.created_by,
            admission: self.admission,
            usual,
        }
    }
}

#[derive(Debug)]
pub(crate) enum Decision {
    Passed {
        /// It has taken something that is to be given back.
        has_holds: bool,
    },
    Stopped(Stopped),
    /// This agent may not take it; another one may.
    NotThisAgent,
}

/// A task that leaves its lane, and the gate it waits at.
#[derive(Debug)]
pub(crate) struct Stopped {
    gate: Gate,
    amount: i64,
    locks: Option<Vec<ResourceLock>>,
    pub(crate) lane: LaneId,
    pub(crate) rank: i64,
    pub(crate) task: TaskId,
}

/// The gates as one transaction sees them.
#[derive(Debug, Default)]
pub(crate) struct GateDecisions {
    gates: Gates,
    held: HeldLocks,
    /// Which of them were read.
    known_locks: BTreeSet<Below>,
    holds: Vec<Hold>,
    /// What is left of budgets after each task that passed, with its own reservation.
    left: BTreeMap<TaskId, Vec<(Gate, i64)>>,
    gone: BTreeSet<TaskId>,
}

impl GateDecisions {
    /// Does `look` and, where the last claim had gates to pass, takes the lock before it and reads
    /// those gates behind it, all in one go: this claim is likely to need them, too.
    pub(crate) async fn look_ahead<T>(
        &mut self,
        work: &Work<'_>,
        look: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let likely = work.gate_cache().likely(work.ns);
        if likely.is_empty() {
            return look.await;
        }
        let locking = self.gates.locking(work);
        let ((), seen, ()) = try_join!(locking, look, self.read(work, &likely))?;
        Ok(seen)
    }

    /// Reads what was not read yet; the lock is held, or was sent before.
    async fn read(&mut self, work: &Work<'_>, wanted: &Wanted) -> Result<(), StoreError> {
        let locks = wanted.locks.iter();
        let locks = locks.filter(|below| !self.known_locks.contains(below));
        let locks: Vec<Below> = locks.cloned().collect();
        let ((), held) = try_join!(
            self.gates.read(work, &wanted.gates),
            find_held_locks(work, &locks, &[]),
        )?;
        self.known_locks.extend(locks);
        for (root, locks) in held {
            // Beside what was taken here and is not written yet.
            self.held.entry(root).or_default().extend(locks);
        }
        Ok(())
    }

    fn has_read(&self, wanted: &Wanted) -> bool {
        wanted.gates.iter().all(|gate| self.gates.has(gate))
            && wanted.locks.is_subset(&self.known_locks)
    }

    /// Reads the gates that these candidates have to pass, for any of the agents. The first time
    /// that there is one, it takes the lock. Candidates that somebody else has moved to a gate since
    /// they were picked are told apart from then on; those that are picked under the lock are where
    /// they were.
    pub(crate) async fn look_up(
        &mut self,
        work: &Work<'_>,
        candidates: &[Candidate<'_>],
        agents: &BTreeSet<&str>,
        are_gates_new: bool,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let wanted = find_wanted(work, candidates, agents, now);
        if wanted
            .gates
            .iter()
            .any(|gate| matches!(gate, Gate::Budget(_)))
        {
            work.refresh_usual(now).await?;
        }
        let may_be_elsewhere = are_gates_new || wanted.may_be_elsewhere;
        let was_locked = self.gates.is_locked();
        let must_look = !was_locked && may_be_elsewhere;
        if !self.has_read(&wanted) || must_look {
            let locking = self.gates.locking(work);
            let still_ready = async {
                if was_locked {
                    return Ok(None);
                }
                find_still_ready(work, candidates).await.map(Some)
            };
            // Sent together, the lock first: what is read after it is read as others have left it.
            let ((), (), still_ready) = try_join!(locking, self.read(work, &wanted), still_ready)?;
            if let Some(still_ready) = still_ready {
                let tasks = candidates.iter().map(|candidate| candidate.task);
                self.gone = tasks.filter(|task| !still_ready.contains(task)).collect();
            }
        }
        self.begin_days(&wanted, now);
        work.expect_to_ask(wanted);
        Ok(())
    }

    /// Whether somebody else has moved a task to a gate since it was picked.
    pub(crate) fn is_gone(&self, task: TaskId) -> bool {
        self.gone.contains(&task)
    }

    /// A day that nobody has spent anything of yet has the budget of each day.
    fn begin_days(&mut self, wanted: &Wanted, now: Timestamp) {
        let each_day = self.gates.rows.get(&Gate::Budget(Purse::EachDay)).cloned();
        let Some(each_day) = each_day.filter(|row| !row.is_removed) else {
            return;
        };
        for gate in &wanted.gates {
            if matches!(gate, Gate::Budget(Purse::Day(_))) {
                let day = self.gates.rows.entry(gate.clone());
                day.or_insert_with(|| GateRow::new(each_day.capacity.cap, &each_day.set_by, now));
            }
        }
    }

    /// Decides whether a candidate passes. If it does, what it asks for is taken; if a gate stops it
    /// that is the same for every agent, it is to wait there.
    pub(crate) fn decide(
        &mut self,
        work: &mut Work<'_>,
        candidate: &Candidate<'_>,
        agent: &str,
        now: Timestamp,
    ) -> Decision {
        let mut asks = if work.gates().is_empty() {
            Vec::new()
        } else {
            asks_of(work, candidate, agent, now)
        };
        asks.retain(|ask| self.gates.rows.contains_key(&ask.gate));
        let decision = {
            let view = View {
                gate_decisions: self,
                wanted: &candidate.admission.locks,
                is_inverted: work.is_planted("only what lies below is locked"),
            };
            // What an attempt usually costs is in the asks already.
            candidate.at_gates(None).decide(&asks, &view)
        };
        match decision {
            Admitted::Passes => Decision::Passed {
                has_holds: self.take(work, candidate, agent, asks),
            },
            Admitted::NotThisAgent(_) => Decision::NotThisAgent,
            Admitted::Stopped(ask) => Decision::Stopped(self.stop(work, candidate, ask, now)),
        }
    }

    /// Takes what a candidate asks for. Returns whether there is something to be given back.
    fn take(
        &mut self,
        work: &Work<'_>,
        candidate: &Candidate<'_>,
        agent: &str,
        mut asks: Vec<Ask>,
    ) -> bool {
        let is_counted = self.holds.is_empty() || !work.is_planted("only the first is counted");
        for ask in asks.iter().filter(|_| is_counted) {
            if let Some(row) = self.gates.rows.get_mut(&ask.gate) {
                row.capacity.used += ask.amount;
            }
        }
        self.note_budgets(candidate.task, &asks);
        asks.retain(|ask| ask.amount != 0);
        for root in candidate.admission.lock_roots() {
            let gate = Gate::Locks(root.to_owned());
            if let Some(row) = self.gates.rows.get_mut(&gate) {
                row.reserved
                    .take_if(|reserved| reserved.task == candidate.task);
            }
            asks.push(Ask { gate, amount: 0 });
        }
        let locks = &candidate.admission.locks;
        for lock in locks {
            let held = self.held.entry(lock.root().to_owned()).or_default();
            held.push(lock.clone());
        }
        let has_holds = !asks.is_empty();
        if has_holds {
            self.holds.push(Hold {
                task: candidate.task,
                epoch: candidate.epoch,
                agent: agent.to_owned(),
                asks,
                locks: locks.clone(),
            });
        }
        has_holds
    }

    fn note_budgets(&mut self, task: TaskId, asks: &[Ask]) {
        let budgets = asks
            .iter()
            .filter(|ask| matches!(ask.gate, Gate::Budget(Purse::Agent(_) | Purse::Graph(_))));
        let left: Vec<(Gate, i64)> = budgets
            .filter_map(|ask| {
                let row = self.gates.rows.get(&ask.gate)?;
                let is_set = row.capacity.cap.is_some() && !row.is_removed;
                is_set.then(|| (ask.gate.clone(), row.left().saturating_add(ask.amount)))
            })
            .collect();
        if !left.is_empty() {
            self.left.insert(task, left);
        }
    }

    /// Reads what is left of budgets for attempts that passed in an earlier transaction: a claim that is
    /// repeated is answered as it was.
    pub(crate) async fn read_budgets_of(
        &mut self,
        work: &Work<'_>,
        attempts: &[LeaseId],
    ) -> Result<(), StoreError> {
        if attempts.is_empty() {
            return Ok(());
        }
        let tasks: Vec<Uuid> = attempts.iter().map(|lease| lease.task.0).collect();
        let epochs: Vec<i32> = attempts.iter().map(|lease| lease.epoch).collect();
        let holds = statements::find_holds()
            .bind(work.transaction, &tasks, &epochs, &work.ns)
            .all()
            .await?;
        let mut asks_of = Vec::with_capacity(holds.len());
        for hold in holds {
            asks_of.push((TaskId(hold.task), read_asks(&hold.gates, hold.amounts)?));
        }
        let gates = asks_of.iter().flat_map(|(_, asks)| asks);
        let budgets = gates.filter(|ask| matches!(ask.gate, Gate::Budget(_)));
        let budgets = budgets.map(|ask| ask.gate.clone()).collect();
        self.gates.read(work, &budgets).await?;
        for (task, asks) in asks_of {
            // What it reserves is used already.
            self.note_budgets(task, &asks);
        }
        Ok(())
    }

    /// Returns what is left of the budgets of the agent and of the graph for a task that passed.
    pub(crate) fn budgets_left(&self, task: TaskId) -> (Option<Micros>, Option<Micros>) {
        let left = self.left.get(&task).into_iter().flatten();
        let mut found = (None, None);
        for (gate, micros) in left {
            if gate.is_of_an_agent() {
                found.0 = Some(Micros(*micros));
            } else {
                found.1 = Some(Micros(*micros));
            }
        }
        found
    }

    fn stop(
        &mut self,
        work: &mut Work<'_>,
        candidate: &Candidate<'_>,
        ask: Ask,
        now: Timestamp,
    ) -> Stopped {
        let is_locked = matches!(ask.gate, Gate::Locks(_));
        let row = self
            .gates
            .rows
            .entry(ask.gate.clone())
            .or_insert_with(|| GateRow::new(None, "", now));
        row.has_waiters = true;
        if matches!(ask.gate, Gate::Budget(_)) && !row.is_used_up {
            row.is_used_up = true;
            work.emit(Event::of_gate(EventType::BudgetUsedUp, &ask.gate));
        }
        Stopped {
            gate: ask.gate,
            amount: ask.amount,
            locks: is_locked.then(|| candidate.admission.locks.clone()),
            lane: candidate.lane,
            rank: candidate.rank,
            task: candidate.task,
        }
    }

    pub(crate) fn tell(&mut self, work: &mut Work<'_>) {
        self.gates.tell(work);
    }

    /// Writes what was taken.
    pub(crate) async fn write(&self, work: &Work<'_>) -> Result<(), StoreError> {
        try_join!(
            self.gates.write(work),
            self.write_holds(work),
            write_locks(work, &self.holds),
        )?;
        Ok(())
    }

    async fn write_holds(&self, work: &Work<'_>) -> Result<(), StoreError> {
        let holds = self
            .holds
            .iter()
            .map(|hold| (hold.task, hold.epoch, &hold.asks[..]));
        write_holds(work, holds.collect()).await
    }
}

/// Moves what was stopped out of its lane: to its gate here; out of `ready` is the caller's part.
pub(crate) async fn write_stopped(
    work: &Work<'_>,
    stopped: &[Stopped],
    now: Timestamp,
) -> Result<(), StoreError> {
    if stopped.is_empty() {
        return Ok(());
    }
    let parameters = statements::InsertGatedParams {
        ns: work.ns,
        now,
        gates: column(stopped, |one| one.gate.to_string()),
        amounts: column(stopped, |one| one.amount),
        locks: column(stopped, |one| one.locks.as_ref().map(Json)),
        lanes: column(stopped, |one| one.lane.0),
        ranks: column(stopped, |one| one.rank),
        tasks: column(stopped, |one| one.task.0),
    };
    statements::insert_gated()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}
