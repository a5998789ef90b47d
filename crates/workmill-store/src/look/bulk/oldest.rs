//! The keys of a place in ascending order: one statement for each place.

use uuid::Uuid;
use workmill_core::bulk::Place;
use workmill_core::ids::{GraphId, ProjectId};
use workmill_queries::client::{GenericClient, Params};
use workmill_queries::queries::look::bulk;

use super::KeyRange;
use super::position::Key;

type Keys = Result<Vec<Key>, tokio_postgres::Error>;

/// Returns the next keys of the place after `range.from`.
pub(super) async fn find_keys<C: GenericClient>(client: &C, range: &KeyRange<'_>) -> Keys {
    let KeyRange { ns, from, most, .. } = range;
    match range.place {
        Place::Everything => of_everything(client, range).await,
        Place::Graph(graph) => of_graph(client, range, graph).await,
        Place::Project(project) => of_project(client, range, project).await,
        Place::Ready => of_ready(client, range).await,
        Place::Due => of_due(client, range).await,
        Place::Finished => of_finished(client, range).await,
        Place::Leases => {
            bulk::find_stretch_of_leases()
                .bind(client, ns, &from.task, most)
                .map(Key::of)
                .all()
                .await
        }
        Place::Gated => {
            bulk::find_stretch_of_gated()
                .bind(client, ns, &from.task, most)
                .map(Key::of)
                .all()
                .await
        }
        Place::Blocked => {
            bulk::find_stretch_of_blocked()
                .bind(client, ns, &from.task, most)
                .map(Key::of)
                .all()
                .await
        }
        Place::DeadLetters => {
            bulk::find_stretch_of_dead_letters()
                .bind(client, ns, &from.task, most)
                .map(Key::of)
                .all()
                .await
        }
    }
}

async fn of_everything<C: GenericClient>(client: &C, range: &KeyRange<'_>) -> Keys {
    let parameters = bulk::FindStretchOfEverythingParams {
        ns: range.ns,
        after: range.from.task.max(before(range.first_id())),
        upto: range.end_id(),
        most: range.most,
    };
    let statement = bulk::find_stretch_of_everything();
    let keys = statement.params(client, &parameters).map(Key::of);
    keys.all().await
}

fn before(id: Uuid) -> Uuid {
    Uuid::from_u128(id.as_u128().saturating_sub(1))
}

async fn of_graph<C: GenericClient>(client: &C, range: &KeyRange<'_>, graph: GraphId) -> Keys {
    let parameters = bulk::FindStretchOfGraphParams {
        ns: range.ns,
        graph: graph.0,
        after: range.from.task,
        most: range.most,
    };
    let statement = bulk::find_stretch_of_graph();
    let keys = statement.params(client, &parameters).map(Key::of);
    keys.all().await
}

async fn of_project<C: GenericClient>(
    client: &C,
    range: &KeyRange<'_>,
    project: ProjectId,
) -> Keys {
    let parameters = bulk::FindStretchOfProjectParams {
        ns: range.ns,
        project: project.0,
        after: range.from.task,
        most: range.most,
    };
    let statement = bulk::find_stretch_of_project();
    let keys = statement.params(client, &parameters).map(Key::of);
    keys.all().await
}

async fn of_ready<C: GenericClient>(client: &C, range: &KeyRange<'_>) -> Keys {
    let parameters = bulk::FindStretchOfReadyParams {
        ns: range.ns,
        lane: range.from.lane,
        rank: range.from.rank,
        after: range.from.task,
        most: range.most,
    };
    let statement = bulk::find_stretch_of_ready();
    let keys = statement.params(client, &parameters).map(|row| Key {
        lane: row.lane,
        rank: row.rank,
        ..Key::of(row.task)
    });
    keys.all().await
}

async fn of_due<C: GenericClient>(client: &C, range: &KeyRange<'_>) -> Keys {
    let parameters = bulk::FindStretchOfDueParams {
        ns: range.ns,
        at: range.from.at,
        after: range.from.task,
        most: range.most,
    };
    let statement = bulk::find_stretch_of_due();
    let keys = statement.params(client, &parameters);
    keys.map(|row| Key::of_time(row.at, row.task)).all().await
}

async fn of_finished<C: GenericClient>(client: &C, range: &KeyRange<'_>) -> Keys {
    let parameters = bulk::FindStretchOfFinishedParams {
        ns: range.ns,
        at: range.from.at,
        after: range.from.task,
        most: range.most,
    };
    let statement = bulk::find_stretch_of_finished();
    let keys = statement.params(client, &parameters);
    keys.map(|row| Key::of_time(row.at, row.task)).all().await
}
