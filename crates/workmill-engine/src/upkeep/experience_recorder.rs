//! Records how attempts ended that this server has settled, counts them by the types of their tasks,
//! and takes failing agents out of service.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use workmill_core::ids::{Namespace, TaskId};
use workmill_core::money::Micros;
use workmill_store::StoreError;
use workmill_store::experience::spend::RecordSpend;
use workmill_store::experience::{AttemptOutcome, DrainIfSick, RecordOutcomes};
use workmill_store::settlement::EndedAttempt;

use crate::engine::Engine;

/// More than this in one turn are a sample.
const MOST: usize = 2000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    pub drained: usize,
}

/// How attempts ended since the last turn.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {
    waiting: Mutex<HashMap<Namespace, Waiting>>,
}

#[derive(Debug, Default)]
struct Waiting {
    outcomes: Vec<AttemptOutcome>,
    /// Attempts whose leases do not tell the types of their tasks, to be counted once these are read.
    of_unknown_type: Vec<EndedAttempt>,
    /// The cost of all attempts that ended, also of those for which there was no room.
    spent: Micros,
}

impl Waiting {
    /// Reads the types of tasks that leases do not tell.
    async fn read_types(&mut self, engine: &Engine, ns: Namespace) -> Result<(), StoreError> {
        let unknown = self.outcomes.iter().filter(|one| one.task_type.is_none());
        let unknown = unknown.map(|one| one.task);
        let tasks = unknown.chain(self.of_unknown_type.iter().map(|one| one.task));
        let tasks: BTreeSet<TaskId> = tasks.collect();
        let types = engine.store().find_task_types(ns, &tasks).await?;
        for one in &mut self.outcomes {
            one.task_type = one
                .task_type
                .take()
                .or_else(|| types.get(&one.task).cloned());
        }
        for one in &mut self.of_unknown_type {
            one.task_type = types.get(&one.task).cloned();
        }
        Ok(())
    }
}

impl Outcomes {
    /// Keeps what ended for the next turn. Returns the attempts that can be counted at once: their type
    /// is known, or there is no room for them.
    pub(crate) fn add(
        &self,
        ns: Namespace,
        outcomes: Vec<AttemptOutcome>,
        ended: Vec<EndedAttempt>,
    ) -> Vec<EndedAttempt> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = waiting.entry(ns).or_default();
        let room = MOST.saturating_sub(waiting.outcomes.len());
        waiting.outcomes.extend(outcomes.into_iter().take(room));
        let costs = ended.iter().map(|ended| ended.cost);
        waiting.spent = costs.fold(waiting.spent, Micros::saturating_add);
        let (mut known, unknown): (Vec<_>, Vec<_>) =
            ended.into_iter().partition(|one| one.task_type.is_some());
        let depends_on_type = |ended: &EndedAttempt| ended.is_completion || ended.cost.0 > 0;
        let mut unknown = unknown.into_iter().filter(depends_on_type);
        let room = MOST.saturating_sub(waiting.of_unknown_type.len());
        waiting.of_unknown_type.extend(unknown.by_ref().take(room));
        known.extend(unknown);
        known
    }

    fn take(&self) -> HashMap<Namespace, Waiting> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *waiting)
    }
}

pub async fn run_once(engine: &Engine) -> Result<Report, StoreError> {
    let mut report = Report::default();
    for (ns, mut waiting) in engine.shared.outcomes.take() {
        let read = waiting.read_types(engine, ns).await;
        for ended in &waiting.of_unknown_type {
            engine.shared.metrics.count_of_type(ended);
        }
        if waiting.spent.0 > 0 {
            let spent = waiting.spent;
            engine.run(&RecordSpend { ns, spent }).await?;
        }
        read?;
        if waiting.outcomes.is_empty() {
            continue;
        }
        let outcomes = &waiting.outcomes;
        let record = RecordOutcomes { ns, outcomes };
        let suspects = engine.run(&record).await?;
        for agent in &suspects {
            let drained = engine.run(&DrainIfSick { ns, agent }).await?;
            if drained {
                tracing::warn!(ns = ns.0, agent, "a failing agent was set to draining");
            }
            report.drained += usize::from(drained);
        }
    }
    Ok(report)
}
