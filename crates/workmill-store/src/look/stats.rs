//! How much there is, by where tasks rest.

use workmill_core::ids::Namespace;
use workmill_queries::queries::look::graphs::count_waiting_tasks;
use workmill_queries::queries::look::stats::count_places;

use crate::connect::Store;
use crate::error::StoreError;

/// Tasks of a place, or graphs, that are counted; beyond, the number is what there is at least.
pub const MOST_COUNTED: i64 = 10_000;

/// How many rest in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    pub tasks: i64,
    /// False: there are more.
    pub is_whole: bool,
}

/// What waits for a dependency rests nowhere: it is added up from the tallies of the graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stats {
    /// In drafts.
    pub created: Counted,
    /// Waiting for a dependency.
    pub pending: Counted,
    pub ready: Counted,
    /// Ready, but stopped at a gate.
    pub gated: Counted,
    /// Retries and scheduled tasks that wait for their time.
    pub due: Counted,
    /// With an agent, those included that were told to stop and have not confirmed it.
    pub leases: Counted,
    pub blocked: Counted,
    pub dead_letters: Counted,
    pub finished: Counted,
}

impl Store {
    pub async fn count_places(&self, ns: Namespace) -> Result<Stats, StoreError> {
        const DOING: &str = "count tasks";
        let client = self.client(DOING).await?;
        let statement = count_places();
        let row = statement.bind(&client, &ns.0, &(MOST_COUNTED + 1)).one();
        let row = row
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        let counted = |tasks: i64| Counted {
            tasks: tasks.min(MOST_COUNTED),
            is_whole: tasks <= MOST_COUNTED,
        };
        let statement = count_waiting_tasks();
        let namespaces: &[i64] = &[ns.0];
        let waiting = statement
            .bind(&client, &(MOST_COUNTED + 1), &namespaces)
            .one();
        let waiting = waiting
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        let added_up = |tasks| Counted {
            tasks,
            is_whole: !waiting.is_cut,
        };
        Ok(Stats {
            created: added_up(waiting.created),
            pending: added_up(waiting.pending),
            ready: counted(row.ready),
            gated: counted(row.gated),
            due: counted(row.due),
            leases: counted(row.leases),
            blocked: counted(row.blocked),
            dead_letters: counted(row.dead_letters),
            finished: counted(row.finished),
        })
    }
}
