//! The keys of a place in descending order: the newest task first, of the finished tasks the one that
//! ended last. One statement for each place that has such an order.

use workmill_core::bulk::Place;
use workmill_core::ids::{GraphId, ProjectId};
use workmill_queries::client::{GenericClient, Params};
use workmill_queries::queries::look::bulk;

use super::KeyRange;
use super::position::Key;

type Keys = Result<Vec<Key>, tokio_postgres::Error>;

/// Returns the next keys of the place before `range.from`.
pub(super) async fn find_keys<C: GenericClient>(client: &C, range: &KeyRange<'_>) -> Keys {
    let KeyRange { ns, from, most, .. } = range;
    match range.place {
        // Lanes, gates and due times are not in the order of ids, so their tasks are found among all.
        Place::Everything | Place::Ready | Place::Gated | Place::Due => {
            of_everything(client, range).await
        }
        Place::Graph(graph) => of_graph(client, range, graph).await,
        Place::Project(project) => of_project(client, range, project).await,
        Place::Finished => of_finished(client, range).await,
        Place::Leases => {
            bulk::find_newest_of_leases()
                .bind(client, ns, &from.task, most)
                .map(Key::of)
                .all()
                .await
        }
        Place::Blocked => {
            bulk::find_newest_of_blocked()
                .bind(client, ns, &from.task, most)
                .map(Key::of)
                .all()
                .await
        }
        Place::DeadLetters => {
            bulk::find_newest_of_dead_letters()
                .bind(client, ns, &from.task, most)
                .map(Key::of)
                .all()
                .await
        }
    }
}

async fn of_everything<C: GenericClient>(client: &C, range: &KeyRange<'_>) -> Keys {
    let parameters = bulk::FindNewestOfEverythingParams {
        ns: range.ns,
        before: range.from.task.min(range.end_id()),
        from_: range.first_id(),
        most: range.most,
    };
    let statement = bulk::find_newest_of_everything();
    let keys = statement.params(client, &parameters).map(Key::of);
    keys.all().await
}

async fn of_graph<C: GenericClient>(client: &C, range: &KeyRange<'_>, graph: GraphId) -> Keys {
    let parameters = bulk::FindNewestOfGraphParams {
        ns: range.ns,
        graph: graph.0,
        before: range.from.task,
        most: range.most,
    };
    let statement = bulk::find_newest_of_graph();
    let keys = statement.params(client, &parameters).map(Key::of);
    keys.all().await
}

async fn of_project<C: GenericClient>(
    client: &C,
    range: &KeyRange<'_>,
    project: ProjectId,
) -> Keys {
    let parameters = bulk::FindNewestOfProjectParams {
        ns: range.ns,
        project: project.0,
        before: range.from.task,
        most: range.most,
    };
    let statement = bulk::find_newest_of_project();
    let keys = statement.params(client, &parameters).map(Key::of);
    keys.all().await
}

async fn of_finished<C: GenericClient>(client: &C, range: &KeyRange<'_>) -> Keys {
    let parameters = bulk::FindLastFinishedParams {
        ns: range.ns,
        at: range.from.at,
        before: range.from.task,
        most: range.most,
    };
    let statement = bulk::find_last_finished();
    let keys = statement.params(client, &parameters);
    keys.map(|row| Key::of_time(row.at, row.task)).all().await
}
