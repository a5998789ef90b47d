//! Ends attempts whose agent has gone silent, that ran too long, or that did not stop when told.

use jiff::Timestamp;
use workmill_core::ids::{LeaseId, Namespace};
use workmill_store::StoreError;
use workmill_store::settlement::{Ending, Settle, Settlement, Settler, Spent};

use super::outage_watcher::LONGEST_SILENCE;
use crate::engine::{Engine, Shared};

const MOST_AT_ONCE: i64 = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    pub reaped: usize,
    /// Seemed lost and showed a sign of life, or was settled, in the meantime.
    pub spared: usize,
}

pub async fn run_once(engine: &Engine, now: Timestamp) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let lost = engine.store().find_lost_leases(now, MOST_AT_ONCE).await?;
    for (ns, leases) in lost {
        report.add(settle(&engine.shared, ns, leases).await?);
    }
    Ok(report)
}

/// Ends the lost attempts of one namespace, for a claim: what it could be given must not wait for
/// the next turn of the duties.
pub(crate) async fn reap_for_a_claim(shared: &Shared, ns: Namespace) -> Result<Report, StoreError> {
    let store = &shared.store;
    let mut report = Report::default();
    loop {
        let lost = store
            .find_lost_leases_of(ns, LONGEST_SILENCE, MOST_AT_ONCE)
            .await?;
        let is_all = i64::try_from(lost.len()) != Ok(MOST_AT_ONCE);
        if !lost.is_empty() {
            report.add(settle(shared, ns, lost).await?);
        }
        // What was spared would be found again and again.
        if is_all || report.spared > 0 {
            return Ok(report);
        }
    }
}

async fn settle(
    shared: &Shared,
    ns: Namespace,
    leases: Vec<LeaseId>,
) -> Result<Report, StoreError> {
    let settlements: Vec<Settlement> = leases
        .into_iter()
        .map(|lease| Settlement {
            settler: Settler::Upkeep,
            lease,
            ending: Ending::Expire,
            spent: Spent::default(),
            random: rand::random(),
        })
        .collect();
    let settlements = settlements.as_slice();
    let answers = shared.run(&Settle { ns, settlements }).await?;
    let reaped = answers.iter().filter(|answer| answer.is_ok()).count();
    Ok(Report {
        reaped,
        spared: answers.len() - reaped,
    })
}

impl Report {
    fn add(&mut self, other: Report) {
        self.reaped += other.reaped;
        self.spared += other.spared;
    }
}
