//! The tasks of a place from its end to its beginning: by their ids the newest first, of those that have
//! ended the last one first. One statement for each place that has such an order.

use uuid::Uuid;
use workmill_core::bulk::{Place, TaskFilter};
use workmill_core::ids::first_id_at;
use workmill_queries::client::{GenericClient, Params};
use workmill_queries::queries::look::bulk;

use super::position::Key;

/// Returns the keys of the next tasks before one of the place.
pub(super) async fn find_keys<C: GenericClient>(
    client: &C,
    ns: i64,
    filter: &TaskFilter,
    place: Place,
    before: Key,
    most: usize,
) -> Result<Vec<Key>, tokio_postgres::Error> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let tasks: Vec<Uuid> = match place {
        Place::Graph(graph) => {
            let parameters = bulk::FindNewestOfGraphParams {
                ns,
                graph: graph.0,
                before: before.task,
                most,
            };
            let statement = bulk::find_newest_of_graph();
            let mut tasks = statement.params(client, &parameters).all().await?;
            // A task of its own is its own graph, and is not among those of graphs.
            if tasks.is_empty() && before == Key::LAST {
                tasks.push(graph.0);
            }
            tasks
        }
        Place::Project(project) => {
            let parameters = bulk::FindNewestOfProjectParams {
                ns,
                project: project.0,
                before: before.task,
                most,
            };
            let statement = bulk::find_newest_of_project();
            statement.params(client, &parameters).all().await?
        }
        Place::Leases => {
            let statement = bulk::find_newest_of_leases();
            let bound = statement.bind(client, &ns, &before.task, &most);
            bound.all().await?
        }
        Place::Blocked => {
            let statement = bulk::find_newest_of_blocked();
            let bound = statement.bind(client, &ns, &before.task, &most);
            bound.all().await?
        }
        Place::DeadLetters => {
            let statement = bulk::find_newest_of_dead_letters();
            let bound = statement.bind(client, &ns, &before.task, &most);
            bound.all().await?
        }
        Place::Finished => {
            let parameters = bulk::FindLastFinishedParams {
                ns,
                at: before.at,
                before: before.task,
                most,
            };
            let statement = bulk::find_last_finished();
            let rows = statement.params(client, &parameters).all().await?;
            let key = |row: bulk::FindLastFinished| Key {
                at: row.at,
                ..Key::of(row.task)
            };
            return Ok(rows.into_iter().map(key).collect());
        }
        // Lanes, gates and due times are in no order of ids: what rests there is found among all.
        Place::Everything | Place::Ready | Place::Gated | Place::Due => {
            let until = filter
                .until
                .map(|until| until + super::LONGER_THAN_AN_ID_KNOWS);
            let parameters = bulk::FindNewestOfEverythingParams {
                ns,
                before: before.task.min(until.map_or(Uuid::max(), first_id_at)),
                from_: filter.since.map_or(Uuid::nil(), first_id_at),
                most,
            };
            let statement = bulk::find_newest_of_everything();
            statement.params(client, &parameters).all().await?
        }
    };
    Ok(tasks.into_iter().map(Key::of).collect())
}
