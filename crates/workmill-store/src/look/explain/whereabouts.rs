//! Who has a task or had it last, and whom it waits for.

use futures_util::try_join;
use jiff::SignedDuration;
use uuid::Uuid;
use workmill_core::explain::{Blocked, DeadLetter, Held};
use workmill_queries::queries::look::explain as statements;

use super::{Look, failed};
use crate::error::StoreError;

impl Look<'_> {
    /// The lease that is held or, where there is none, the last attempt.
    pub(super) async fn held(&self, task: Uuid) -> Result<Option<Held>, StoreError> {
        let lease = async {
            let statement = statements::find_explained_lease();
            let row = statement.bind(self.transaction, &self.ns, &task).opt();
            row.await.map_err(failed)
        };
        let attempt = async {
            let statement = statements::find_last_attempt();
            let row = statement.bind(self.transaction, &self.ns, &task).opt();
            row.await.map_err(failed)
        };
        let (lease, attempt) = try_join!(lease, attempt)?;
        let running = lease.map(|row| Held {
            agent: row.agent,
            epoch: row.epoch,
            claimed_at: row.claimed_at,
            started_at: row.started_at,
            expires_at: row
                .renewed_at
                .checked_add(SignedDuration::from_millis(row.ttl_ms))
                .ok(),
            stop: row.stop,
            outcome: None,
        });
        Ok(running.or_else(|| {
            attempt.map(|row| Held {
                agent: row.agent,
                epoch: row.epoch,
                claimed_at: row.claimed_at,
                started_at: row.started_at,
                expires_at: None,
                stop: None,
                outcome: Some(row.outcome),
            })
        }))
    }

    /// Where it waits for somebody.
    pub(super) async fn rest(
        &self,
        task: Uuid,
    ) -> Result<(Option<Blocked>, Option<DeadLetter>), StoreError> {
        let blocked = async {
            let statement = statements::find_explained_block();
            let row = statement.bind(self.transaction, &self.ns, &task).opt();
            row.await.map_err(failed)
        };
        let dead_letter = async {
            let statement = statements::find_explained_dead_letter();
            let row = statement.bind(self.transaction, &self.ns, &task).opt();
            row.await.map_err(failed)
        };
        let (blocked, dead_letter) = try_join!(blocked, dead_letter)?;
        let blocked = blocked.map(|row| Blocked {
            waits_for: row.waits_for,
            question: row.question,
            since: row.at,
            until: row.until,
        });
        let dead_letter = dead_letter.map(|row| DeadLetter {
            since: row.at,
            cause: row.cause,
            reason: row.reason,
        });
        Ok((blocked, dead_letter))
    }
}
