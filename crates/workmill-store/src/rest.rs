//! Where tasks rest next: written by intake, settlement and upkeep alike.

use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lane::LaneId;
use workmill_queries::client::Params;
use workmill_queries::queries::settlement::rest;

use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::operation::Work;

/// A task that nothing holds back but, perhaps, its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unblocked {
    pub task: TaskId,
    pub graph: GraphId,
    pub lane: LaneId,
    pub rank: i64,
    /// Not before this moment.
    pub due: Option<Timestamp>,
}

impl Unblocked {
    pub(crate) fn is_due(&self, now: Timestamp) -> bool {
        self.due.is_none_or(|due| due <= now)
    }
}

impl Work<'_> {
    /// Puts each into its lane, or among those that wait for their time.
    pub(crate) async fn place(&mut self, tasks: &[Unblocked]) -> Result<(), StoreError> {
        let now = self.now().await?;
        let (ready, waiting): (Vec<Unblocked>, Vec<Unblocked>) =
            tasks.iter().copied().partition(|task| task.is_due(now));
        self.insert_ready(&ready).await?;
        let waiting: Vec<(Timestamp, Uuid)> = waiting
            .iter()
            .filter_map(|task| Some((task.due?, task.task.0)))
            .collect();
        self.insert_due(&waiting).await
    }

    async fn insert_ready(&mut self, tasks: &[Unblocked]) -> Result<(), StoreError> {
        if tasks.is_empty() {
            return Ok(());
        }
        let parameters = rest::InsertReadyParams {
            ns: self.ns,
            lanes: tasks.iter().map(|task| task.lane.0).collect::<Vec<_>>(),
            ranks: tasks.iter().map(|task| task.rank).collect::<Vec<_>>(),
            tasks: tasks.iter().map(|task| task.task.0).collect::<Vec<_>>(),
        };
        rest::insert_ready()
            .params(&self.transaction, &parameters)
            .await
            .map_err(|error| self.failed(error))?;
        for task in tasks {
            *self.effects.ready.entry(task.lane).or_default() += 1;
            self.emit(Event::of_task(
                EventType::TaskReady,
                task.graph,
                task.task,
                serde_json::json!({}),
            ));
        }
        Ok(())
    }

    async fn insert_due(&mut self, tasks: &[(Timestamp, Uuid)]) -> Result<(), StoreError> {
        if tasks.is_empty() {
            return Ok(());
        }
        let parameters = rest::InsertDueParams {
            ns: self.ns,
            ats: tasks.iter().map(|(at, _)| *at).collect::<Vec<_>>(),
            tasks: tasks.iter().map(|(_, task)| *task).collect::<Vec<_>>(),
        };
        rest::insert_due()
            .params(&self.transaction, &parameters)
            .await
            .map_err(|error| self.failed(error))?;
        Ok(())
    }
}
