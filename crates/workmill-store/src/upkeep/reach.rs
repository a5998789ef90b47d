//! Which namespaces the duties work on while a part of the database cannot be reached.
//!
//! In a distributed database, a read over all namespaces fails while one machine is away. The duties then go
//! from namespace to namespace and leave out those that cannot be reached. Each turn tries the wide read
//! again first.

use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};

use workmill_core::ids::Namespace;
use workmill_queries::queries::upkeep::agenda as statements;

use crate::connect::Store;
use crate::error::StoreError;

/// `None`: the last wide read succeeded.
#[derive(Debug, Default)]
pub(crate) struct Reach(Mutex<Option<Partial>>);

#[derive(Debug, Clone)]
struct Partial {
    /// In ascending order.
    reachable: Vec<Namespace>,
    unreachable: usize,
}

impl Reach {
    fn lock(&self) -> MutexGuard<'_, Option<Partial>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    /// Whether the last turn of the duties read all namespaces at once.
    pub fn reaches_all(&self) -> bool {
        self.reach.lock().is_none()
    }

    /// Returns how many namespaces could not be reached at the last turn of the duties.
    pub fn unreachable_namespaces(&self) -> usize {
        let reach = self.reach.lock();
        reach.as_ref().map_or(0, |partial| partial.unreachable)
    }

    /// Returns the namespaces that a wide read finds. While wide reads fail, returns every namespace that can
    /// be reached instead.
    pub async fn namespaces(
        &self,
        wide: impl Future<Output = Result<Vec<Namespace>, StoreError>>,
    ) -> Result<Vec<Namespace>, StoreError> {
        match self.reachable() {
            Some(reachable) => Ok(reachable),
            None => wide.await,
        }
    }

    /// Returns the namespaces that can be reached while wide reads fail.
    pub(crate) fn reachable(&self) -> Option<Vec<Namespace>> {
        let reach = self.reach.lock();
        reach.as_ref().map(|partial| partial.reachable.clone())
    }

    /// Returns the first namespace behind this one, of those that can be reached.
    pub(crate) async fn next_namespace(
        &self,
        after: Namespace,
    ) -> Result<Option<Namespace>, StoreError> {
        const DOING: &str = "look for the next namespace";
        if let Some(reachable) = self.reachable() {
            return Ok(reachable.into_iter().find(|ns| *ns > after));
        }
        let client = self.client(DOING).await?;
        let found = statements::find_next_namespace()
            .bind(&client, &after.0)
            .opt()
            .await;
        let found = found.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(found.map(Namespace))
    }

    pub(crate) fn is_reachable(&self, ns: Namespace) -> bool {
        let reach = self.reach.lock();
        let partial = reach.as_ref();
        partial.is_none_or(|partial| partial.reachable.binary_search(&ns).is_ok())
    }

    pub(crate) fn widen(&self) {
        *self.reach.lock() = None;
    }

    /// Finds out which namespaces can be reached, after a wide read has failed. Returns the error of that
    /// read if none can.
    pub(crate) async fn narrow(&self, refused: StoreError) -> Result<(), StoreError> {
        let Ok(all) = self.find_namespaces().await else {
            return Err(refused);
        };
        let mut reachable = Vec::new();
        for ns in &all {
            if self.can_reach(*ns).await {
                reachable.push(*ns);
            }
        }
        if reachable.is_empty() {
            return Err(refused);
        }
        let unreachable = all.len() - reachable.len();
        let cause = std::error::Error::source(&refused).map(ToString::to_string);
        tracing::warn!(error = %refused, cause, unreachable, "upkeep goes from namespace to namespace");
        *self.reach.lock() = Some(Partial {
            reachable,
            unreachable,
        });
        Ok(())
    }

    async fn can_reach(&self, ns: Namespace) -> bool {
        let Ok(client) = self.client("reach a namespace").await else {
            return false;
        };
        let there = statements::can_reach().bind(&client, &ns.0).opt().await;
        there.is_ok()
    }
}
