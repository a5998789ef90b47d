//! Submitting a graph that was drafted: from then on it runs.

use std::collections::BTreeSet;

use serde_json::json;
use workmill_core::ids::{GraphId, Namespace, TaskId};
use workmill_core::lifecycle::{State, Trigger};
use workmill_queries::queries::look::tasks;

use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::intake::grow::lock_graph_of_any_kind;
use crate::operation::{Operation, Work};
use crate::settlement::impossible;
use crate::write_back::Remarks;

#[derive(Debug)]
pub struct SubmitDraft {
    pub ns: Namespace,
    pub graph: GraphId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftRefusal {
    NoSuchGraph,
    NotADraft,
}

impl Operation for SubmitDraft {
    /// How many tasks it has.
    type Answer = Result<usize, DraftRefusal>;
    const DOING: &'static str = "submit a drafted graph";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let Some(mut held) = lock_graph_of_any_kind(work, self.graph).await? else {
            return Ok(Err(DraftRefusal::NoSuchGraph));
        };
        let Some(graph) = held
            .graphs
            .get_mut(&self.graph)
            .filter(|graph| graph.is_draft && !graph.is_draining)
        else {
            // A standalone task needs no row for its graph because of this.
            work.abandon();
            return Ok(Err(DraftRefusal::NotADraft));
        };
        graph.is_draft = false;
        let members = tasks::find_tasks_of_graph()
            .bind(work.transaction, &work.ns, &self.graph.0)
            .all()
            .await?;
        let members: BTreeSet<TaskId> = members.into_iter().map(TaskId).collect();
        held.lock_more(work, &members).await?;
        let now = work.now().await?;
        for row in held
            .tasks
            .values_mut()
            .filter(|row| row.state() == State::Created)
        {
            row.follow(Trigger::Submit).map_err(impossible)?;
            row.promote_if_due(now).map_err(impossible)?;
        }
        let data = json!({"tasks": members.len()});
        work.emit(Event::of_graph(EventType::GraphRunning, self.graph, data));
        held.write_back(work, &Remarks::default()).await?;
        Ok(Ok(members.len()))
    }
}
