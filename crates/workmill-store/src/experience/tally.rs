//! How attempts ended, by agent and model, hour by hour: what tells a bad task from a bad agent from
//! a bad model. `workmill_core::attempt_matrix` says what it means.

use std::collections::BTreeMap;

use jiff::Timestamp;
use workmill_core::attempt_matrix::{Count, KEPT, hour_of};
use workmill_core::ids::Namespace;
use workmill_queries::client::Params;
use workmill_queries::queries::experience::tally as statements;

use super::RecordOutcomes;
use crate::connect::Store;
use crate::error::StoreError;
use crate::operation::{Operation, Work};

impl RecordOutcomes<'_> {
    pub(super) async fn add_to_tallies(&self, work: &Work<'_>) -> Result<(), StoreError> {
        let mut tallies: BTreeMap<(Timestamp, &str, &str), Count> = BTreeMap::new();
        for outcome in self.outcomes {
            let model = outcome.model.as_deref().unwrap_or("");
            let key = (hour_of(outcome.ended_at), outcome.agent.as_str(), model);
            let count = tallies.entry(key).or_default();
            count.completed += i64::from(outcome.is_success);
            count.failed += i64::from(outcome.is_failure);
        }
        if tallies.is_empty() {
            return Ok(());
        }
        let (keys, counts) = (tallies.keys(), tallies.values());
        let parameters = statements::AddToTalliesParams {
            ns: work.ns,
            hours: keys.clone().map(|key| key.0).collect::<Vec<_>>(),
            agents: keys.clone().map(|key| key.1).collect::<Vec<_>>(),
            models: keys.map(|key| key.2).collect::<Vec<_>>(),
            completed: counts.clone().map(|one| one.completed).collect::<Vec<_>>(),
            failed: counts.map(|one| one.failed).collect::<Vec<_>>(),
        };
        statements::add_to_tallies()
            .params(work.transaction, &parameters)
            .await?;
        Ok(())
    }
}

/// The first hour that is kept.
pub fn kept_since(now: Timestamp) -> Timestamp {
    hour_of(now - KEPT)
}

impl Store {
    /// Namespaces with tallies of earlier hours.
    pub async fn find_namespaces_with_old_tallies(
        &self,
        before: Timestamp,
    ) -> Result<Vec<Namespace>, StoreError> {
        const DOING: &str = "look for old tallies";
        let client = self.client(DOING).await?;
        let found = statements::find_namespaces_with_old_tallies()
            .bind(&client, &before)
            .all()
            .await;
        let found = found.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(found.into_iter().map(Namespace).collect())
    }
}

/// Removes tallies of hours that have passed long ago, the oldest first.
#[derive(Debug)]
pub struct RemoveOldTallies {
    pub ns: Namespace,
    /// Earlier hours go.
    pub before: Timestamp,
    pub most: i64,
}

impl Operation for RemoveOldTallies {
    /// How many rows went.
    type Answer = u64;
    const DOING: &'static str = "remove old tallies";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<u64, StoreError> {
        statements::delete_old_tallies()
            .bind(work.transaction, &work.ns, &self.before, &self.most)
            .await
            .map_err(|error| work.failed(error))
    }
}
