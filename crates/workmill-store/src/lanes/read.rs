//! Reading which lanes have tasks, and what lanes ask that this process does not know.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use postgres_types::Json;
use serde::Deserialize;
use workmill_core::ids::Namespace;
use workmill_core::lane::{Lane, LaneId};
use workmill_core::policy::Policy;
use workmill_core::task::NewTask;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::lanes as statements;

use super::LanesOfWork;
use crate::connect::Store;
use crate::error::StoreError;
use crate::operation::Work;
use crate::upkeep::agenda::Ready;

impl Store {
    /// Returns how many tasks are ready in each lane of these namespaces, counted to a hundred.
    pub async fn count_ready_lanes(
        &self,
        namespaces: &[Namespace],
    ) -> Result<BTreeMap<Namespace, Ready>, StoreError> {
        const DOING: &str = "count ready tasks";
        let mut ready = BTreeMap::new();
        let ids: Vec<i64> = namespaces.iter().map(|ns| ns.0).collect();
        let client = self.client(DOING).await?;
        let rows = statements::count_ready_lanes()
            .bind(&client, &ids)
            .all()
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        for row in rows {
            let tasks = usize::try_from(row.tasks).unwrap_or(usize::MAX);
            let lanes: &mut Ready = ready.entry(Namespace(row.ns)).or_default();
            lanes.insert(LaneId(row.lane), tasks);
        }
        Ok(ready)
    }
}

/// Reads a lane as it is stored.
pub(crate) fn read_lane(id: i64, asks: serde_json::Value) -> Result<Lane, StoreError> {
    serde_json::from_value(asks).map_err(|error| StoreError::Corrupt(format!("lane {id}: {error}")))
}

impl Work<'_> {
    /// Returns the lanes of this namespace, as far as this process knows, and those written here.
    pub(crate) fn lanes(&self) -> LanesOfWork<'_> {
        LanesOfWork::new(self.lane_cache().of(self.ns), &self.new_lanes)
    }

    pub(crate) fn knows_lane(&self, lane: LaneId) -> bool {
        self.lanes().get(lane).is_some()
    }

    /// Finds the lanes with ready tasks, if that was not done lately: another server may have added
    /// one with more urgent work. Also if a task has become ready in a lane that is not known, in an
    /// earlier transaction or in this one.
    pub(crate) async fn refresh_lanes(&self, now: Timestamp) -> Result<(), StoreError> {
        let cache = self.lane_cache();
        let knows_all = self.effects.ready.keys().all(|lane| self.knows_lane(*lane));
        if !knows_all || !cache.is_fresh(self.ns, now) {
            let before = cache.reading(self.ns);
            self.find_ready_lanes().await?;
            cache.was_read(self.ns, before, now);
        }
        Ok(())
    }

    /// Returns the lanes with ready tasks; they are known then.
    pub(crate) async fn find_ready_lanes(&self) -> Result<BTreeSet<LaneId>, StoreError> {
        let rows = statements::find_ready_lanes()
            .bind(self.transaction, &self.ns)
            .all()
            .await?;
        let found = rows.into_iter().map(LaneId).collect();
        self.learn_lanes(&found, &[]).await?;
        Ok(found)
    }

    /// Returns the lanes of tasks that wait at these gates; they are known then.
    pub(crate) async fn find_gated_lanes(
        &self,
        gates: &[String],
    ) -> Result<BTreeSet<LaneId>, StoreError> {
        let rows = statements::find_gated_lanes()
            .bind(self.transaction, &gates, &self.ns)
            .all()
            .await?;
        let found = rows.into_iter().map(LaneId).collect();
        self.learn_lanes(&found, gates).await?;
        Ok(found)
    }

    /// Reads those of the lanes that are not known. Where a row is gone, a task that is in the lane
    /// tells what it asks, and the row is written again.
    async fn learn_lanes(
        &self,
        lanes: &BTreeSet<LaneId>,
        gates: &[String],
    ) -> Result<(), StoreError> {
        let known = self.lanes();
        let unknown = lanes.iter().filter(|lane| known.get(**lane).is_none());
        let mut unknown: BTreeSet<LaneId> = unknown.copied().collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let ids: Vec<i64> = unknown.iter().map(|lane| lane.0).collect();
        let rows = statements::find_lanes()
            .bind(self.transaction, &ids, &self.ns)
            .all()
            .await?;
        let mut found = BTreeMap::new();
        for row in rows {
            found.insert(LaneId(row.lane), read_lane(row.lane, row.asks)?);
        }
        unknown.retain(|lane| !found.contains_key(lane));
        if !unknown.is_empty() {
            let told = self.tell_lanes(&unknown, gates).await?;
            self.write_lanes(&told).await?;
            found.extend(told);
        }
        self.lane_cache().learn(self.ns, found);
        Ok(())
    }

    /// Tells from one task of each what these lanes ask.
    async fn tell_lanes(
        &self,
        lanes: &BTreeSet<LaneId>,
        gates: &[String],
    ) -> Result<BTreeMap<LaneId, Lane>, StoreError> {
        let ids: Vec<i64> = lanes.iter().map(|lane| lane.0).collect();
        let rows = statements::find_members_of_lanes()
            .bind(self.transaction, &ids, &self.ns, &gates)
            .all()
            .await?;
        let mut told = BTreeMap::new();
        for row in rows {
            let corrupt = |error: serde_json::Error| {
                StoreError::Corrupt(format!("a task of lane {}: {error}", row.lane))
            };
            let asked = NewTask::deserialize(&row.body).map_err(corrupt)?;
            let policy = Policy::deserialize(&row.policy).map_err(corrupt)?;
            let id = LaneId(row.lane);
            if let Some(lane) = asked.lane_with_id(policy.boost, id) {
                told.insert(id, lane);
            } else {
                // The tasks of this lane cannot be claimed; the other lanes must not suffer for it.
                tracing::error!(lane = row.lane, "a lane is not that of its tasks");
            }
        }
        Ok(told)
    }

    /// Interns what tasks ask of agents; a lane that is there stays as it is.
    pub(crate) async fn write_lanes(
        &self,
        lanes: &BTreeMap<LaneId, Lane>,
    ) -> Result<(), StoreError> {
        if lanes.is_empty() {
            return Ok(());
        }
        let parameters = statements::InsertLanesParams {
            ns: self.ns,
            now: self.now().await?,
            lanes: lanes.keys().map(|id| id.0).collect::<Vec<_>>(),
            asks: lanes.values().map(Json).collect::<Vec<_>>(),
        };
        statements::insert_lanes()
            .params(self.transaction, &parameters)
            .await?;
        Ok(())
    }

    /// Refuses new lanes beyond the most that a namespace may have, whoever adds others at the same
    /// time.
    pub(crate) async fn check_lanes(&self, new: &BTreeMap<LaneId, Lane>) -> Result<(), StoreError> {
        if new.is_empty() {
            return Ok(());
        }
        let bound = statements::lock_lane_bound()
            .bind(self.transaction, &self.ns)
            .one()
            .await?;
        let most = usize::try_from(bound).unwrap_or(0);
        let ids: Vec<i64> = new.keys().map(|lane| lane.0).collect();
        let counted = statements::count_lanes()
            .bind(self.transaction, &self.ns, &(i64::from(bound) + 1), &ids)
            .one()
            .await?;
        let added = new.len() - usize::try_from(counted.known).unwrap_or(0).min(new.len());
        let lanes = usize::try_from(counted.lanes).unwrap_or(usize::MAX);
        if added > 0 && lanes.saturating_add(added) > most {
            return Err(StoreError::TooManyLanes { most });
        }
        Ok(())
    }
}
