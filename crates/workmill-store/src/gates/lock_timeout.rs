//! How long a change of gates waits for the locks of transactions that began before it.
//!
//! A claim that does not end, because its server is stopped or cut off, holds the rows of its agents
//! and often the lock of the gates. A change of gates must not wait for it without end: each of its
//! transactions waits until one common moment, and is then refused with nothing changed.

use std::time::{Duration, Instant};

use tokio_postgres::error::SqlState;
use workmill_queries::queries::gates::gates as statements;

use crate::error::StoreError;
use crate::operation::Work;

#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    until: Instant,
}

impl Patience {
    pub(super) fn of(duration: Duration) -> Patience {
        Patience {
            until: Instant::now() + duration,
        }
    }

    /// Lets no lock of this transaction be waited for longer than what is left.
    pub(super) async fn bound_waits(self, work: &Work<'_>) -> Result<(), StoreError> {
        let left = self.until.saturating_duration_since(Instant::now());
        // Zero would mean without end.
        let timeout = format!("{}ms", left.as_millis().max(1));
        statements::set_lock_timeout()
            .bind(work.transaction, &timeout)
            .one()
            .await
            .map(drop)
            .map_err(|error| work.failed(error))
    }

    /// Names a lock that was not had in time as what it means here.
    pub(super) fn refusal(error: StoreError) -> StoreError {
        match error {
            StoreError::Refused { source, .. }
                if source.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) =>
            {
                StoreError::ClaimsUnderWay
            }
            error => error,
        }
    }
}
