//! Room for bodies: how many bytes of requests are in memory at a time.
//!
//! The first part of each body is free, so that ordinary calls never wait for large ones; what goes
//! beyond takes room, and keeps it until the request is answered. Who finds none for a second is told
//! to come back later.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use workmill_protocol::error::ErrorCode;

use crate::problem::Refused;

/// Of each body, taken in without asking for room.
const FREE: usize = 16 * 1024;

const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// What one request takes of the room. Given back when the last clone is dropped.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    room: Arc<Semaphore>,
    taken: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
}

/// Keeps what the body of a request takes until it is answered.
pub(crate) async fn keep(
    State(room): State<Arc<Semaphore>>,
    mut request: Request,
    next: Next,
) -> Response {
    let place = Place {
        room,
        taken: Arc::default(),
    };
    request.extensions_mut().insert(place.clone());
    let response = next.run(request).await;
    drop(place);
    response
}

impl Place {
    /// Has room for a body of so many bytes, or waits for it.
    pub(crate) async fn take(&self, bytes: usize) -> Result<(), Refused> {
        let has = self
            .lock()
            .as_ref()
            .map_or(0, OwnedSemaphorePermit::num_permits);
        let missing = bytes.saturating_sub(FREE + has);
        if missing == 0 {
            return Ok(());
        }
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        let room = Arc::clone(&self.room).acquire_many_owned(missing);
        let Ok(Ok(more)) = timeout(LONGEST_WAIT, room).await else {
            let detail = "there is no room for a body of this size at the moment";
            return Err(Refused::new(ErrorCode::Overloaded, detail));
        };
        let mut taken = self.lock();
        match taken.as_mut() {
            Some(taken) => taken.merge(more),
            None => *taken = Some(more),
        }
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<OwnedSemaphorePermit>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(room: &Arc<Semaphore>) -> Place {
        Place {
            room: Arc::clone(room),
            taken: Arc::default(),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_takes_room_as_it_grows_and_gives_all_of_it_back() {
        let room = Arc::new(Semaphore::new(1_000));
        let one = place(&room);
        for bytes in [FREE, FREE + 10, FREE + 5, FREE + 900] {
            one.take(bytes).await.unwrap();
        }
        assert_eq!(room.available_permits(), 100);
        let other = place(&room);
        other.take(FREE).await.expect("that much is free");
        let refused = other.take(FREE + 101).await.unwrap_err();
        assert_eq!(refused.0.code, ErrorCode::Overloaded);
        other.take(FREE + 100).await.unwrap();
        drop(one);
        assert_eq!(room.available_permits(), 900);
    }
}
