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
    /// To be counted once the types of their tasks are known.
    ended: Vec<EndedAttempt>,
    /// What they have cost together, those included for which there was no room.
    spent: Micros,
}

impl Waiting {
    /// The tasks whose types are asked for.
    fn tasks(&self) -> BTreeSet<TaskId> {
        let completed = self.outcomes.iter().filter(|outcome| outcome.is_success);
        let completed = completed.map(|outcome| outcome.task);
        completed
            .chain(self.ended.iter().map(|ended| ended.task))
            .collect()
    }
}

impl Outcomes {
    /// Answers those for which there is no room.
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
        let depends_on_type = |ended: &EndedAttempt| ended.is_completion || ended.cost.0 > 0;
        let mut ended = ended.into_iter().filter(depends_on_type);
        let room = MOST.saturating_sub(waiting.ended.len());
        waiting.ended.extend(ended.by_ref().take(room));
        ended.collect()
    }

    fn take(&self) -> HashMap<Namespace, Waiting> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *waiting)
    }
}

pub async fn run_once(engine: &Engine) -> Result<Report, StoreError> {
    let mut report = Report::default();
    for (ns, waiting) in engine.shared.outcomes.take() {
        let types = engine.store().find_task_types(ns, &waiting.tasks()).await;
        for ended in &waiting.ended {
            let task_type = types.as_ref().ok().and_then(|types| types.get(&ended.task));
            let task_type = task_type.map(String::as_str);
            engine.shared.metrics.count_of_type(ended, task_type);
        }
        if waiting.spent.0 > 0 {
            let spent = waiting.spent;
            engine.run(&RecordSpend { ns, spent }).await?;
        }
        if waiting.outcomes.is_empty() {
            continue;
        }
        let record = RecordOutcomes {
            ns,
            outcomes: &waiting.outcomes,
            types: &types?,
        };
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
