//! The database's clock is the only clock; tests put a hand-moved one in its place.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};

#[derive(Debug, Clone, Default)]
pub enum Clock {
    /// One `now` for each transaction, read from the database after its locks are held, or taken for
    /// granted and made sure of then.
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

/// What the database's clock said last, and when that was here.
#[derive(Debug, Default)]
pub(crate) struct LastReading {
    read: Mutex<Option<(Timestamp, Instant)>>,
}

/// In this time two clocks hardly go apart.
const LONGEST: Duration = Duration::from_mins(1);

impl LastReading {
    pub(crate) fn was(&self, now: Timestamp) {
        *self.lock() = Some((now, Instant::now()));
    }

    /// What the clock says now, or said as long ago as its answer took; as exact as the database is.
    pub(crate) fn likely_now(&self) -> Option<Timestamp> {
        let (then, here) = (*self.lock())?;
        let passed = here.elapsed();
        if passed > LONGEST {
            return None;
        }
        let now = then.checked_add(passed).ok()?;
        Timestamp::from_microsecond(now.as_microsecond()).ok()
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Timestamp, Instant)>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
