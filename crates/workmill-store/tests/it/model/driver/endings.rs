//! Attempts that end, by their agents or by upkeep.

use anyhow::Result;
use serde_json::value::to_raw_value;
use uuid::Uuid;
use workmill_core::lane::Selection;
use workmill_store::settlement::and_claim::{NextClaim, SettleAndClaim, SettleRequest};
use workmill_store::settlement::answer::ExpireBlocks;
use workmill_store::settlement::{Ending, Settle, Settlement, Settler, WaitsFor};

use super::super::step::{End, Hold};
use super::words::settled;
use super::{ALL, Driver, key, settlement};

impl Driver {
    pub(super) async fn settle(&self, endings: &[(Hold, u8, End)]) -> Result<Vec<String>> {
        let operation = Settle {
            ns: self.ns,
            settlements: &self.settlements(endings)?,
        };
        let answers = self.store.run(&operation).await?.0;
        Ok(answers.into_iter().map(settled).collect())
    }

    /// Returns what became of the settlements, and then what each accepted one claimed.
    pub(super) async fn settle_and_claim(
        &self,
        endings: &[(Hold, u8, End)],
        most: i32,
        request: u8,
    ) -> Result<Vec<String>> {
        let settlements = self.settlements(endings)?.into_iter();
        let requests: Vec<SettleRequest> = settlements
            .map(|settlement| SettleRequest {
                settlement,
                next: Some(NextClaim {
                    most,
                    start: true,
                    request: Some(Uuid::from_u128(request.into())),
                    lease_ms: None,
                    selection: Selection::default(),
                }),
            })
            .collect();
        let operation = SettleAndClaim {
            ns: self.ns,
            requests: &requests,
        };
        let (mut told, mut claimed) = (Vec::new(), Vec::new());
        for answer in self.store.run(&operation).await?.0 {
            told.push(settled(answer.settled));
            claimed.extend(answer.claims.map(|claims| self.claimed(claims.answer)));
        }
        told.extend(claimed);
        Ok(told)
    }

    fn settlements(&self, endings: &[(Hold, u8, End)]) -> Result<Vec<Settlement>> {
        let mut settlements = Vec::new();
        for (hold, by, end) in endings {
            let ending = match end {
                End::Complete(output) => Ending::Complete {
                    output: to_raw_value(output)?,
                    artifacts: Vec::new(),
                },
                End::Fail {
                    reason,
                    message,
                    retry_after_ms,
                } => Ending::Fail {
                    reason: *reason,
                    message: (*message).to_owned(),
                    details: None,
                    retry_after_ms: *retry_after_ms,
                },
                End::Release => Ending::Release,
                End::Block { timeout_ms } => Ending::Block {
                    waits_for: WaitsFor::Input,
                    question: None,
                    timeout_ms: *timeout_ms,
                },
            };
            let settler = Settler::Key(key(*by));
            settlements.push(settlement(settler, self.lease(*hold), ending));
        }
        Ok(settlements)
    }

    /// What the lease reaper does.
    pub(super) async fn reap(&self) -> Result<Vec<String>> {
        let mut lost = self.store.find_lost_leases(self.clock.now(), ALL).await?;
        let leases = lost.remove(&self.ns).unwrap_or_default();
        let settlements: Vec<Settlement> = leases
            .iter()
            .map(|lease| settlement(Settler::Upkeep, *lease, Ending::Expire))
            .collect();
        let operation = Settle {
            ns: self.ns,
            settlements: &settlements,
        };
        let answers = self.store.run(&operation).await?.0;
        let told = leases.iter().zip(answers).map(|(lease, answer)| {
            let label = self.label(lease.task);
            format!("t{label}#{} {}", lease.epoch, settled(answer))
        });
        Ok(told.collect())
    }

    /// What the block expirer does.
    pub(super) async fn expire_blocks(&self) -> Result<Vec<String>> {
        let now = self.clock.now();
        let mut expired = self.store.find_expired_blocks(now, ALL).await?;
        let operation = ExpireBlocks {
            ns: self.ns,
            tasks: expired.remove(&self.ns).unwrap_or_default(),
            random: 0.5,
        };
        Ok(vec![self.store.run(&operation).await?.0.to_string()])
    }
}
