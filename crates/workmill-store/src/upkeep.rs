//! What time brings about: leases that ran out, tasks whose moment has come, questions that
//! nobody answered.
//!
//! Each duty finds candidates with one cheap read over all namespaces, then changes them
//! namespace by namespace under the usual locks. Overlapping runs, on one server or on many, have no
//! double effect. While such a read fails, the duties go from namespace to namespace: see `reach`.

pub mod agenda;
pub mod agents;
pub mod amnesty;
pub mod consistency;
pub mod deadlines;
pub mod events;
pub mod idempotency;
pub mod lanes;
pub(crate) mod reach;
pub mod retention;

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;
use workmill_core::ids::{LeaseId, Namespace, TaskId};
use workmill_core::lifecycle::State;
use workmill_queries::client::Params;
use workmill_queries::queries::upkeep::due;

use crate::clock::Clock;
use crate::connect::Store;
use crate::error::StoreError;
use crate::locked_rows::LockedRows;
use crate::operation::{Operation, Work};
use crate::settlement::impossible;
use crate::write_back::Remarks;

impl Store {
    /// The moment now, as this store's clock shows it.
    pub async fn now(&self) -> Result<Timestamp, StoreError> {
        const DOING: &str = "read the clock";
        match &self.clock {
            Clock::Manual(clock) => Ok(clock.now()),
            Clock::Database => self
                .client(DOING)
                .await?
                .query_one("select clock_timestamp()", &[])
                .await
                .and_then(|row| row.try_get(0))
                .map_err(|error| StoreError::from_statement(DOING, error)),
        }
    }

    /// Returns leases that seem lost, by namespace. A hint: settling looks again under the lock.
    pub async fn find_lost_leases(
        &self,
        now: Timestamp,
        most: i64,
    ) -> Result<BTreeMap<Namespace, Vec<LeaseId>>, StoreError> {
        const DOING: &str = "look for lost leases";
        if let Some(reachable) = self.reachable() {
            let mut lost = BTreeMap::new();
            for ns in reachable {
                lost.insert(ns, self.find_lost(ns, now, most).await?);
            }
            lost.retain(|_, leases| !leases.is_empty());
            return Ok(lost);
        }
        let client = self.client(DOING).await?;
        let rows = due::find_lost_leases()
            .bind(&client, &now, &most)
            .all()
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        let mut lost: BTreeMap<Namespace, Vec<LeaseId>> = BTreeMap::new();
        for row in rows {
            let lease = LeaseId {
                task: TaskId(row.task),
                epoch: row.epoch,
            };
            lost.entry(Namespace(row.ns)).or_default().push(lease);
        }
        Ok(lost)
    }

    /// Returns leases of one namespace that seem lost. Returns none after an outage, until the
    /// duties have given every lease its time again. A hint, as above.
    pub async fn find_lost_leases_of(
        &self,
        ns: Namespace,
        longest_silence: SignedDuration,
        most: i64,
    ) -> Result<Vec<LeaseId>, StoreError> {
        let now = self.now().await?;
        if !self.was_reached(now, longest_silence).await? {
            return Ok(Vec::new());
        }
        self.find_lost(ns, now, most).await
    }

    async fn find_lost(
        &self,
        ns: Namespace,
        now: Timestamp,
        most: i64,
    ) -> Result<Vec<LeaseId>, StoreError> {
        const DOING: &str = "look for lost leases of a namespace";
        let client = self.client(DOING).await?;
        let rows = due::find_lost_leases_of_namespace()
            .bind(&client, &ns.0, &now, &most)
            .all()
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        let lost = rows.into_iter().map(|row| LeaseId {
            task: TaskId(row.task),
            epoch: row.epoch,
        });
        Ok(lost.collect())
    }

    /// Blocked tasks whose time is up, by namespace.
    pub async fn find_expired_blocks(
        &self,
        now: Timestamp,
        most: i64,
    ) -> Result<BTreeMap<Namespace, Vec<TaskId>>, StoreError> {
        const DOING: &str = "look for expired questions";
        let failed = |error| StoreError::from_statement(DOING, error);
        let client = self.client(DOING).await?;
        if let Some(reachable) = self.reachable() {
            let mut expired = BTreeMap::new();
            for ns in reachable {
                let find = due::find_expired_blocks_of_namespace();
                let tasks = find.bind(&client, &ns.0, &now, &most).map(TaskId).all();
                expired.insert(ns, tasks.await.map_err(failed)?);
            }
            expired.retain(|_, tasks| !tasks.is_empty());
            return Ok(expired);
        }
        let rows = due::find_expired_blocks()
            .bind(&client, &now, &most)
            .all()
            .await
            .map_err(failed)?;
        let mut expired: BTreeMap<Namespace, Vec<TaskId>> = BTreeMap::new();
        for row in rows {
            expired
                .entry(Namespace(row.ns))
                .or_default()
                .push(TaskId(row.task));
        }
        Ok(expired)
    }

    pub async fn find_namespaces_with_due_tasks(
        &self,
        now: Timestamp,
    ) -> Result<Vec<Namespace>, StoreError> {
        const DOING: &str = "look for due tasks";
        let client = self.client(DOING).await?;
        let rows = due::find_namespaces_with_due_tasks()
            .bind(&client, &now)
            .all()
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(rows.into_iter().map(Namespace).collect())
    }
}

/// Makes due retries and scheduled tasks ready. A task that somebody holds is left for later.
#[derive(Debug)]
pub struct PromoteDue {
    pub ns: Namespace,
    pub most: i64,
}

impl Operation for PromoteDue {
    /// How many were promoted.
    type Answer = usize;
    const DOING: &'static str = "promote due tasks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<usize, StoreError> {
        let now = work.now().await?;
        let found = due::FindDueTasksParams {
            ns: work.ns,
            now,
            most: self.most,
        };
        let tasks = due::find_due_tasks()
            .params(work.transaction, &found)
            .all()
            .await;
        let tasks: Vec<Uuid> = tasks?;
        if tasks.is_empty() {
            return Ok(0);
        }
        let mut held = LockedRows::lock_what_is_free(work, tasks.into_iter().map(TaskId)).await?;
        let mut promoted = 0;
        for row in held.tasks.values_mut() {
            // What was found may have moved on before it was locked.
            let waits = matches!(row.state(), State::Pending | State::Retrying) && row.unmet == 0;
            if waits && row.due.is_some_and(|due| due <= now) {
                row.promote_if_due(now).map_err(impossible)?;
                promoted += 1;
            }
        }
        held.write_back(work, &Remarks::default()).await?;
        Ok(promoted)
    }
}
