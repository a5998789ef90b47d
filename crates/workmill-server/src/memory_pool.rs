//! A pool of memory that requests share, counted in bytes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use workmill_core::ids::Namespace;

/// Bytes for all, of which one namespace may take a quarter: several that take all they may leave
/// something for the others.
#[derive(Debug)]
pub(crate) struct Pool {
    all: Arc<Semaphore>,
    share: usize,
    /// One entry for each namespace that has ever called; only admins create those.
    of_namespace: Mutex<HashMap<Namespace, Arc<Semaphore>>>,
}

/// Bytes of a pool, given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Taken {
    of_namespace: OwnedSemaphorePermit,
    of_all: OwnedSemaphorePermit,
}

impl Pool {
    pub(crate) fn new(bytes: usize) -> Self {
        let share = bytes / 4;
        Pool {
            all: Arc::new(Semaphore::new(bytes)),
            share,
            of_namespace: Mutex::default(),
        }
    }

    /// Waits until so many bytes are free; `None` if they are not after `wait`.
    pub(crate) async fn take(&self, ns: Namespace, bytes: usize, wait: Duration) -> Option<Taken> {
        let bytes = u32::try_from(bytes).ok()?;
        let namespace = {
            let mut namespaces = lock(&self.of_namespace);
            let new = || Arc::new(Semaphore::new(self.share));
            Arc::clone(namespaces.entry(ns).or_insert_with(new))
        };
        let taking = async {
            let of_namespace = namespace.acquire_many_owned(bytes).await.ok()?;
            let of_all = Arc::clone(&self.all).acquire_many_owned(bytes).await.ok()?;
            Some(Taken {
                of_namespace,
                of_all,
            })
        };
        timeout(wait, taking).await.ok().flatten()
    }

    /// What one namespace may take at most.
    pub(crate) fn share(&self) -> usize {
        self.share
    }

    pub(crate) fn is_of(&self, taken: &Taken) -> bool {
        Arc::ptr_eq(&self.all, taken.of_all.semaphore())
    }

    #[cfg(test)]
    pub(crate) fn free(&self) -> usize {
        self.all.available_permits()
    }
}

impl Taken {
    pub(crate) fn bytes(&self) -> usize {
        self.of_all.num_permits()
    }

    pub(crate) fn merge(&mut self, more: Taken) {
        self.of_namespace.merge(more.of_namespace);
        self.of_all.merge(more.of_all);
    }

    pub(crate) fn give_back(&mut self, bytes: usize) {
        drop(self.of_namespace.split(bytes));
        drop(self.of_all.split(bytes));
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
