//! Sets agents offline that have fallen silent, and removes those that claimed by hand a day later.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use workmill_core::ids::Namespace;
use workmill_store::StoreError;
use workmill_store::upkeep::agents::{NoteAgents, WatchAgents};

use crate::engine::Engine;

const MOST_AT_ONCE: i64 = 1_000;

/// Turns from one look at the agents to the next. Agents may be silent for two minutes and more, so a
/// few seconds do not matter.
pub const TURNS: u32 = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    pub offline: usize,
    pub online: usize,
    pub removed: usize,
}

/// When agents ended attempts, since that was last written down.
#[derive(Debug, Default)]
pub(crate) struct Heard(Mutex<HashMap<Namespace, BTreeMap<String, Timestamp>>>);

impl Heard {
    pub(crate) fn add(&self, ns: Namespace, agents: BTreeMap<String, Timestamp>) {
        if !agents.is_empty() {
            self.lock().entry(ns).or_default().extend(agents);
        }
    }

    fn take(&self) -> HashMap<Namespace, BTreeMap<String, Timestamp>> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Namespace, BTreeMap<String, Timestamp>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub async fn run_once(engine: &Engine, now: Timestamp) -> Result<Report, StoreError> {
    for (ns, heard) in engine.shared.heard.take() {
        let heard = &heard;
        engine.run(&NoteAgents { ns, heard }).await?;
    }
    let mut report = Report::default();
    let restless = engine.store().find_restless_agents(now, MOST_AT_ONCE);
    for (ns, agents) in restless.await? {
        let agents = &agents;
        let counted = engine.run(&WatchAgents { ns, agents }).await?;
        report.offline += counted.offline;
        report.online += counted.online;
        report.removed += counted.removed;
    }
    Ok(report)
}
