//! The database's clock is the only clock; tests put a hand-moved one in its place.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::{SignedDuration, Timestamp};

#[derive(Debug, Clone, Default)]
pub enum Clock {
    /// One `now` for each transaction, read from the database after its locks are held.
    #[default]
    Database,
    Manual(ManualClock),
}

/// A clock that moves only when told to.
#[derive(Debug, Clone)]
pub struct ManualClock {
    microseconds: Arc<AtomicI64>,
}

impl ManualClock {
    pub fn at(start: Timestamp) -> Self {
        ManualClock {
            microseconds: Arc::new(AtomicI64::new(start.as_microsecond())),
        }
    }

    pub fn now(&self) -> Timestamp {
        Timestamp::from_microsecond(self.microseconds.load(Ordering::SeqCst))
            .unwrap_or(Timestamp::UNIX_EPOCH)
    }

    pub fn advance(&self, by: SignedDuration) {
        let microseconds = i64::try_from(by.as_micros()).unwrap_or(0);
        self.microseconds.fetch_add(microseconds, Ordering::SeqCst);
    }
}
