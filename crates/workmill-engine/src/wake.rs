//! Waking those who wait for work in this process, the moment some becomes ready.
//!
//! A hint, never a promise: whoever waits also looks again after a while, which catches what
//! other servers have made ready.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;
use workmill_core::ids::Namespace;

#[derive(Debug, Default)]
pub(crate) struct WakeUp {
    bells: Mutex<HashMap<Namespace, Arc<Notify>>>,
}

impl WakeUp {
    /// The bell of a namespace. Subscribe to it first, look for work, then wait.
    pub(crate) fn bell(&self, ns: Namespace) -> Arc<Notify> {
        self.lock().entry(ns).or_default().clone()
    }

    pub(crate) fn ring(&self, ns: Namespace) {
        let bell = self.lock().get(&ns).cloned();
        if let Some(bell) = bell {
            bell.notify_waiters();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Namespace, Arc<Notify>>> {
        self.bells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
