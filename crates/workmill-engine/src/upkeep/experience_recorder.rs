//! Records how attempts ended that this server has settled, and takes sick agents out of service.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use workmill_core::ids::Namespace;
use workmill_store::StoreError;
use workmill_store::experience::{AttemptOutcome, DrainIfSick, RecordOutcomes};

use crate::engine::Engine;

/// More than this in one turn are a sample.
const MOST: usize = 2000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    pub drained: usize,
}

/// How attempts ended since the last turn.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {
    waiting: Mutex<HashMap<Namespace, Vec<AttemptOutcome>>>,
}

impl Outcomes {
    pub(crate) fn add(&self, ns: Namespace, outcomes: Vec<AttemptOutcome>) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = waiting.entry(ns).or_default();
        let room = MOST.saturating_sub(waiting.len());
        waiting.extend(outcomes.into_iter().take(room));
    }

    fn take(&self) -> HashMap<Namespace, Vec<AttemptOutcome>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *waiting)
    }
}

pub async fn run_once(engine: &Engine) -> Result<Report, StoreError> {
    let mut report = Report::default();
    for (ns, outcomes) in engine.shared.outcomes.take() {
        let outcomes = outcomes.as_slice();
        let suspects = engine.run(&RecordOutcomes { ns, outcomes }).await?;
        for agent in &suspects {
            let drained = engine.run(&DrainIfSick { ns, agent }).await?;
            if drained {
                tracing::warn!(ns = ns.0, agent, "a sick agent was set draining");
            }
            report.drained += usize::from(drained);
        }
    }
    Ok(report)
}
