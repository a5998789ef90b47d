//! The share of the database that a request takes, and when: once its body has arrived, so that a
//! request that is still on its way holds nothing that others of its namespace wait for.

use std::sync::{Arc, Mutex, PoisonError};

use workmill_core::ids::Namespace;
use workmill_engine::Engine;
use workmill_engine::shares::Share;

use crate::problem::Refused;

/// Given back when the last clone is dropped.
#[derive(Clone)]
pub(crate) struct DatabaseShare {
    engine: Arc<Engine>,
    ns: Namespace,
    taken: Arc<Mutex<Option<Share>>>,
}

impl DatabaseShare {
    pub(crate) fn new(engine: Arc<Engine>, ns: Namespace) -> Self {
        DatabaseShare {
            engine,
            ns,
            taken: Arc::default(),
        }
    }

    /// Waits for the share.
    pub(crate) async fn take(&self) -> Result<(), Refused> {
        let share = self.engine.shares.take(self.ns).await?;
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner) = Some(share);
        Ok(())
    }
}
