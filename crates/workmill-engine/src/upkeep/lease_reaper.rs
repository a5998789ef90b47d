//! Ends attempts whose agent has gone silent, that ran too long, or that did not stop when told.

use jiff::Timestamp;
use workmill_store::StoreError;
use workmill_store::settlement::{Ending, Settle, Settlement, Settler, Spent};

use crate::engine::Engine;

const MOST_AT_ONCE: i64 = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    pub reaped: usize,
    /// Seemed lost and showed a sign of life, or was settled, in the meantime.
    pub spared: usize,
}

pub async fn run_once(engine: &Engine, now: Timestamp) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let lost = engine.store().find_lost_leases(now, MOST_AT_ONCE).await?;
    for (ns, leases) in lost {
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
        for answer in engine
            .run(&Settle {
                ns,
                settlements: &settlements,
            })
            .await?
        {
            match answer {
                Ok(_) => report.reaped += 1,
                Err(_) => report.spared += 1,
            }
        }
    }
    Ok(report)
}
