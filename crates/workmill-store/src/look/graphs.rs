//! Graphs for lists, the newest first, and the tasks in them that rest nowhere.

use uuid::Uuid;
use workmill_core::graph::{GraphStatus, Tally};
use workmill_core::ids::{GraphId, Namespace, ProjectId, first_id_at};
use workmill_core::list::{GraphFilter, ListedGraph};
use workmill_core::money::Micros;
use workmill_queries::client::Params;
use workmill_queries::queries::look::graphs as statements;

use crate::column::column;
use crate::connect::Store;
use crate::error::StoreError;
use crate::look::bulk::LONGER_THAN_AN_ID_KNOWS;

const DOING: &str = "look for graphs";

/// Statements that read the same columns have row types of their own; this reads any of them.
macro_rules! read {
    ($rows:expr) => {
        $rows
            .into_iter()
            .map(|row| {
                let id = GraphId(row.graph);
                let status = GraphStatus::from_name(&row.status);
                let corrupt = || StoreError::Corrupt(format!("{id} has status {}", row.status));
                Ok(ListedGraph {
                    id,
                    project: row.project.map(ProjectId),
                    status: status.ok_or_else(corrupt)?,
                    title: row.title,
                    created_by: row.created_by,
                    created_at: row.created_at,
                    tally: Tally {
                        tasks: row.tasks,
                        completed: row.completed,
                        cancelled: row.cancelled,
                        stale: row.stale,
                        dead: row.dead,
                        moving: row.moving,
                    },
                    spent: Micros(row.spent_micros),
                })
            })
            .collect::<Result<Vec<_>, StoreError>>()
    };
}

impl Store {
    /// Returns the next graphs before one, the newest first, whether or not they fit the filter. The
    /// filter chooses the way to them: graphs that have not ended are found by their status, those of a
    /// project by it, all others by their age.
    pub async fn find_newest_graphs(
        &self,
        ns: Namespace,
        filter: &GraphFilter,
        before: Option<GraphId>,
        most: i64,
    ) -> Result<Vec<ListedGraph>, StoreError> {
        let client = self.client(DOING).await?;
        let failed = |error| StoreError::from_statement(DOING, error);
        let until = filter.until.map(|until| until + LONGER_THAN_AN_ID_KNOWS);
        let before = before.map_or(Uuid::max(), |graph| graph.0);
        let before = before.min(until.map_or(Uuid::max(), first_id_at));
        let from_ = filter.since.map_or(Uuid::nil(), first_id_at);
        if let Some(statuses) = filter.open_statuses() {
            let parameters = statements::FindNewestOpenGraphsParams {
                statuses: column(&statuses, |one| one.name()),
                ns: ns.0,
                before,
                from_,
                most,
            };
            let statement = statements::find_newest_open_graphs();
            return read!(
                statement
                    .params(&client, &parameters)
                    .all()
                    .await
                    .map_err(failed)?
            );
        }
        if let Some(project) = filter.project {
            let parameters = statements::FindNewestGraphsOfProjectParams {
                ns: ns.0,
                project: project.0,
                before,
                from_,
                most,
            };
            let statement = statements::find_newest_graphs_of_project();
            return read!(
                statement
                    .params(&client, &parameters)
                    .all()
                    .await
                    .map_err(failed)?
            );
        }
        let parameters = statements::FindNewestGraphsParams {
            ns: ns.0,
            before,
            from_,
            most,
        };
        let statement = statements::find_newest_graphs();
        read!(
            statement
                .params(&client, &parameters)
                .all()
                .await
                .map_err(failed)?
        )
    }
}
