//! Which namespaces the duties work on while a part of the database cannot be reached.
//!
//! In a distributed database, a read over all namespaces fails while one machine is away. The duties then go
//! from namespace to namespace and leave out those that cannot be reached. Each turn tries the wide read
//! again first.

use std::collections::BTreeSet;
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
    /// Those that were reached all the time, or whose leases were spared since.
    spared: BTreeSet<Namespace>,
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

    /// Records that the leases of the reachable namespaces were spared.
    pub(crate) fn has_spared_reachable(&self) {
        if let Some(partial) = &mut *self.reach.lock() {
            partial.spared = partial.reachable.iter().copied().collect();
        }
    }

    /// Finds out which namespaces can be reached, after a wide read has failed. Returns whether leases of some
    /// are to be spared, or the error of that read if no namespace can be reached.
    pub(crate) async fn narrow(
        &self,
        refused: StoreError,
        was_away: bool,
    ) -> Result<bool, StoreError> {
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
        let mut reach = self.reach.lock();
        let stayed = |ns: &&Namespace| match &*reach {
            Some(before) => before.spared.contains(ns),
            None => !was_away,
        };
        let spared: BTreeSet<Namespace> = reachable.iter().filter(stayed).copied().collect();
        let is_any_to_be_spared = spared.len() < reachable.len();
        *reach = Some(Partial {
            reachable,
            unreachable,
            spared,
        });
        Ok(is_any_to_be_spared)
    }

    async fn can_reach(&self, ns: Namespace) -> bool {
        let Ok(client) = self.client("reach a namespace").await else {
            return false;
        };
        let there = statements::can_reach().bind(&client, &ns.0).opt().await;
        there.is_ok()
    }
}
