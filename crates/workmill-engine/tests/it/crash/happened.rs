//! How much happened: a run in which little did shows little.

use super::acknowledged::{Acknowledged, Doubts};
use super::checker;
use super::run::Finished;

#[derive(Debug, Clone, Copy)]
#[expect(dead_code, reason = "printed")]
pub struct Happened {
    kills: u32,
    submitted: usize,
    claims: usize,
    endings: usize,
    refused: usize,
    doubts: Doubts,
    /// Claims that asking again found to have been committed.
    claims_found: usize,
}

impl Happened {
    /// What can be told before the end.
    pub fn so_far(told: &Acknowledged) -> Happened {
        Happened {
            kills: 0,
            submitted: told.submitted.len(),
            claims: told.claims.iter().map(|claim| claim.leases.len()).sum(),
            endings: told.endings.len(),
            refused: told.refused.len(),
            doubts: told.doubts,
            claims_found: 0,
        }
    }

    pub fn in_all(finished: &Finished, kills: u32) -> Happened {
        Happened {
            kills,
            claims_found: checker::claims_found(&finished.told, &finished.stored),
            ..Happened::so_far(&finished.told)
        }
    }

    /// Engines and commits were hit in the middle of a call, and asking again found work that had
    /// been done.
    pub fn is_enough(&self) -> bool {
        let Doubts {
            lost,
            unknown,
            submits_found,
            settlements_found,
        } = self.doubts;
        lost >= 3 && unknown >= 1 && submits_found + settlements_found >= 1
    }
}
