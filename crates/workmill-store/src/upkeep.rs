//! What time brings about: leases that ran out, and tasks whose moment has come.
//!
//! Each duty finds candidates with one cheap read over all namespaces, then settles them
//! namespace by namespace under the locks that everybody else takes. Overlapping runs, on one
//! server or on many, have no double effect.

use std::collections::BTreeMap;

use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::lifecycle::{self, State, Trigger};
use workmill_queries::client::Params;
use workmill_queries::queries::settlement::settle;
use workmill_queries::queries::upkeep::due;

use crate::clock::Clock;
use crate::connect::Store;
use crate::error::StoreError;
use crate::operation::{Operation, Work};
use crate::rest::Unblocked;

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

    /// Leases that seem lost, by namespace. A hint: settling looks again under the lock.
    pub async fn find_lost_leases(
        &self,
        now: Timestamp,
        most: i64,
    ) -> Result<BTreeMap<Namespace, Vec<LeaseId>>, StoreError> {
        const DOING: &str = "look for lost leases";
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

/// Makes due retries and scheduled tasks ready.
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
        let parameters = due::TakeDueParams {
            ns: work.ns,
            now,
            most: self.most,
        };
        let tasks: Vec<Uuid> = due::take_due()
            .params(&work.transaction, &parameters)
            .all()
            .await
            .map_err(|error| work.failed(error))?;
        if tasks.is_empty() {
            return Ok(0);
        }
        let rows = settle::lock_states()
            .bind(&work.transaction, &work.ns, &tasks)
            .all()
            .await
            .map_err(|error| work.failed(error))?;
        let mut ready = Vec::with_capacity(rows.len());
        for row in &rows {
            let from = State::from_code(row.state);
            let promoted = from.map(|from| lifecycle::next(from, Trigger::Promote));
            if !matches!(promoted, Some(Ok(State::Ready))) {
                let task = TaskId(row.task);
                return Err(StoreError::Corrupt(format!(
                    "{task} is due in state {}",
                    row.state
                )));
            }
            ready.push(Unblocked {
                task: TaskId(row.task),
                graph: GraphId(row.graph),
                lane: LaneId(row.lane),
                rank: row.rank,
                due: None,
            });
        }
        let parameters = settle::UpdateStatesParams {
            ns: work.ns,
            tasks: rows.iter().map(|row| row.task).collect::<Vec<_>>(),
            states: rows.iter().map(|_| State::Ready.code()).collect::<Vec<_>>(),
            dues: rows
                .iter()
                .map(|_| None)
                .collect::<Vec<Option<Timestamp>>>(),
            attempts: rows.iter().map(|row| row.attempts).collect::<Vec<_>>(),
            crashes: rows.iter().map(|row| row.crashes).collect::<Vec<_>>(),
            unmets: rows.iter().map(|row| row.unmet).collect::<Vec<_>>(),
        };
        settle::update_states()
            .params(&work.transaction, &parameters)
            .await
            .map_err(|error| work.failed(error))?;
        work.place(&ready).await?;
        Ok(rows.len())
    }
}
