//! Lanes that are not used go. A submission that uses one meanwhile may find its row gone: claims
//! tell such a lane again from its tasks, see [`crate::lanes`].

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use workmill_core::ids::Namespace;
use workmill_core::lane::LaneId;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::lanes as statements;

use crate::column::column;
use crate::connect::Store;
use crate::error::StoreError;
use crate::operation::{Operation, Work};

/// A lane that no task was submitted to for this long is removed, unless a ready task is in it.
pub const UNUSED: SignedDuration = SignedDuration::from_mins(10);

/// That a lane is used is written down at most this often.
const USE_IS_WRITTEN_EVERY: SignedDuration = SignedDuration::from_mins(1);

const DOING: &str = "look for lanes that are not used";

impl Store {
    /// Returns the namespaces that have lanes to be removed, or in which this process uses some.
    pub async fn find_namespaces_with_old_lanes(
        &self,
        now: Timestamp,
    ) -> Result<Vec<Namespace>, StoreError> {
        let client = self.client(DOING).await?;
        let found = statements::find_namespaces_with_old_lanes()
            .bind(&client, &(now - UNUSED))
            .all()
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        let known = self.lanes.namespaces();
        let namespaces: BTreeSet<i64> = found.into_iter().chain(known).collect();
        Ok(namespaces.into_iter().map(Namespace).collect())
    }

    /// Forgets the lanes that are gone.
    pub async fn forget_removed_lanes(&self, ns: Namespace) -> Result<(), StoreError> {
        let client = self.client(DOING).await?;
        let ids = statements::find_lane_ids()
            .bind(&client, &ns.0)
            .all()
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        let there: BTreeSet<LaneId> = ids.into_iter().map(LaneId).collect();
        self.lanes.keep_only(ns.0, &there);
        Ok(())
    }
}

/// Writes down which lanes this process has used, and removes some that are not used any more.
#[derive(Debug)]
pub struct PruneLanes {
    pub ns: Namespace,
    pub most: i64,
}

impl Operation for PruneLanes {
    /// How many were removed.
    type Answer = u64;
    const DOING: &'static str = "remove lanes that are not used";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<u64, StoreError> {
        let now = work.now().await?;
        touch(work, now).await?;
        let mut used = work.find_ready_lanes().await?;
        let gated = statements::find_all_gated_lanes()
            .bind(work.transaction, &work.ns)
            .all()
            .await?;
        used.extend(gated.into_iter().map(LaneId));
        let except: Vec<i64> = used.iter().map(|lane| lane.0).collect();
        let before = now - UNUSED;
        let parameters = statements::FindOldLanesParams {
            ns: work.ns,
            before,
            except,
            most: self.most,
        };
        let old = statements::find_old_lanes()
            .params(work.transaction, &parameters)
            .all()
            .await?;
        if old.is_empty() {
            return Ok(0);
        }
        work.test_point("prune.lanes.found").await?;
        statements::delete_lanes()
            .bind(work.transaction, &work.ns, &old, &before)
            .await
            .map_err(|error| work.failed(error))
    }
}

async fn touch(work: &Work<'_>, now: Timestamp) -> Result<(), StoreError> {
    let used = work.lane_cache().take_used(work.ns);
    if used.is_empty() {
        return Ok(());
    }
    let parameters = statements::TouchLanesParams {
        ns: work.ns,
        now,
        lanes: column(&used, |lane| lane.0),
        stale: now - USE_IS_WRITTEN_EVERY,
    };
    statements::touch_lanes()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}
