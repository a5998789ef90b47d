//! Streams of events that are open, counted by key: one client that opens streams and forgets them does
//! not take them from others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use uuid::Uuid;
use workmill_protocol::error::ErrorCode;

use crate::problem::Refused;

#[derive(Debug, Clone)]
pub(crate) struct OpenStreams {
    most: usize,
    of_key: Arc<Mutex<HashMap<Uuid, usize>>>,
}

/// Held as long as a stream is open.
#[derive(Debug)]
pub(crate) struct StreamPlace {
    streams: OpenStreams,
    key: Uuid,
}

impl OpenStreams {
    /// At most so many for each key.
    pub(crate) fn new(most: usize) -> Self {
        OpenStreams {
            most,
            of_key: Arc::default(),
        }
    }

    pub(crate) fn open(&self, key: Uuid) -> Result<StreamPlace, Refused> {
        let mut of_key = self.lock();
        let count = of_key.entry(key).or_default();
        if *count >= self.most {
            let (count, most) = (*count, self.most);
            let detail =
                format!("this key has {count} streams open; a key may have at most {most}");
            return Err(Refused::new(ErrorCode::RateLimited, detail).hint(
                "close streams that are not needed, or use a key of its own for each client",
            ));
        }
        *count += 1;
        Ok(StreamPlace {
            streams: self.clone(),
            key,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, usize>> {
        self.of_key.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut of_key = self.streams.lock();
        if let Some(count) = of_key.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                of_key.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_so_many_streams_and_another_key_has_its_own() {
        let streams = OpenStreams::new(2);
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let first = streams.open(one).unwrap();
        let _second = streams.open(one).unwrap();
        let refused = streams.open(one).unwrap_err();
        assert_eq!(refused.0.code, ErrorCode::RateLimited);
        let third = streams.open(other).unwrap();
        drop(first);
        let _again = streams.open(one).unwrap();
        drop(third);
        assert_eq!(
            streams.lock().len(),
            1,
            "keys without streams are forgotten"
        );
    }
}
