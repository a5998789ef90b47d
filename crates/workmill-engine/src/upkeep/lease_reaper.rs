//! Ends attempts whose agent has gone silent, or that ran too long.

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
        let random = leases.iter().map(|_| rand::random()).collect();
        let settlements = leases
            .into_iter()
            .map(|lease| Settlement {
                lease,
                ending: Ending::Expire,
                spent: Spent::default(),
            })
            .collect();
        let operation = Settle {
            ns,
            settler: Settler::Upkeep,
            settlements,
            random,
        };
        for answer in engine.run(&operation).await? {
            match answer {
                Ok(_) => report.reaped += 1,
                Err(_) => report.spared += 1,
            }
        }
    }
    Ok(report)
}
