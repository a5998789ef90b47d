//! Reads the tasks that a list or a bulk action may concern, one resting place after the other, in
//! stretches of bounded length.

mod newest;
mod oldest;
mod position;

use std::collections::BTreeMap;

use serde_json::Value;
use uuid::Uuid;
use workmill_core::bulk::{Candidate, Change, Place, TaskFilter, places};
use workmill_core::ids::{GraphId, Namespace, ProjectId, TaskId, first_id_at};
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::question::WaitsFor;
use workmill_queries::client::GenericClient;
use workmill_queries::queries::look::bulk;

pub use position::Position;

use crate::connect::Store;
use crate::error::StoreError;
use position::Key;

const DOING: &str = "look for tasks that match a filter";

/// Tasks that one look goes over at most, however few of them fit.
pub const LONGEST_STRETCH: usize = 5_000;

/// Tasks of a stretch, in the order of their place, each with its description.
#[derive(Debug, Clone, Default)]
pub struct Stretch {
    pub tasks: Vec<(TaskId, Candidate)>,
    positions: BTreeMap<TaskId, Position>,
    place: Option<Place>,
    /// Where the next one begins; none after the last.
    pub next: Option<Position>,
}

impl Stretch {
    /// Whether a task of this state is listed from here, and not from another place.
    pub fn is_home_of(&self, state: State) -> bool {
        self.place.is_some_and(|place| place.is_home_of(state))
    }

    /// To go on right behind a task of this stretch.
    pub fn behind(&self, task: TaskId) -> Option<Position> {
        self.positions.get(&task).copied()
    }
}

/// Where a list looks, one place after the other, and in which direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    pub places: Vec<Place>,
    /// From the end of each place to its beginning.
    pub is_descending: bool,
}

impl Store {
    /// The tasks of the next stretch, whether or not they fit; nothing is locked.
    pub async fn find_stretch_of_tasks(
        &self,
        ns: Namespace,
        filter: &TaskFilter,
        change: &Change,
        position: Option<Position>,
    ) -> Result<Stretch, StoreError> {
        let client = self.client(DOING).await?;
        find_stretch(&client, DOING, ns.0, filter, change, position).await
    }

    /// The tasks of the next stretch of at most so many for a list over these places, whether or not
    /// they fit.
    pub async fn find_stretch_to_list(
        &self,
        ns: Namespace,
        filter: &TaskFilter,
        walk: &Walk,
        position: Option<Position>,
        most: usize,
    ) -> Result<Stretch, StoreError> {
        let client = self.client(DOING).await?;
        let most = most.min(LONGEST_STRETCH);
        go_over(&client, DOING, ns.0, filter, walk, position, most).await
    }
}

pub(crate) async fn find_stretch<C: GenericClient>(
    client: &C,
    doing: &'static str,
    ns: i64,
    filter: &TaskFilter,
    change: &Change,
    position: Option<Position>,
) -> Result<Stretch, StoreError> {
    let walk = Walk {
        places: places(filter, change),
        is_descending: false,
    };
    go_over(client, doing, ns, filter, &walk, position, LONGEST_STRETCH).await
}

async fn go_over<C: GenericClient>(
    client: &C,
    doing: &'static str,
    ns: i64,
    filter: &TaskFilter,
    walk: &Walk,
    position: Option<Position>,
    most: usize,
) -> Result<Stretch, StoreError> {
    let is_descending = walk.is_descending;
    let Some(place) = position
        .map(|position| position.place)
        .or(walk.places.first().copied())
    else {
        return Ok(Stretch::default());
    };
    let range = KeyRange {
        ns,
        filter,
        place,
        from: position.map_or(Key::start(is_descending), |position| position.key),
        most: i64::try_from(most).unwrap_or(i64::MAX),
    };
    let keys = range.find_keys(client, is_descending).await;
    let mut keys = keys.map_err(|error| StoreError::from_statement(doing, error))?;
    let at = |place, key| Position {
        is_descending,
        place,
        key,
    };
    let next = if keys.len() == most {
        keys.last().map(|key| at(place, *key))
    } else {
        let mut others = walk.places.iter().copied();
        let following = others.find(|other| *other > place);
        following.map(|place| at(place, Key::start(is_descending)))
    };
    // A task with two leases has two keys in a row.
    keys.dedup_by_key(|key| key.task);
    let ids: Vec<Uuid> = keys.iter().map(|key| key.task).collect();
    let tasks = describe(client, doing, ns, &ids).await?;
    let positions = keys
        .into_iter()
        .map(|key| (TaskId(key.task), at(place, key)));
    Ok(Stretch {
        tasks,
        positions: positions.collect(),
        place: Some(place),
        next,
    })
}

/// The keys that a statement reads: at most `most` of one place, next to the key `from`.
struct KeyRange<'a> {
    ns: i64,
    filter: &'a TaskFilter,
    place: Place,
    from: Key,
    most: i64,
}

impl KeyRange<'_> {
    /// Returns the next keys of the place in the direction of the walk.
    async fn find_keys<C: GenericClient>(
        &self,
        client: &C,
        is_descending: bool,
    ) -> Result<Vec<Key>, tokio_postgres::Error> {
        let mut keys = if is_descending {
            newest::find_keys(client, self).await?
        } else {
            oldest::find_keys(client, self).await?
        };
        // A standalone task is its own graph, and the index of graphs does not contain it.
        if let Place::Graph(graph) = self.place
            && keys.is_empty()
            && self.from == Key::start(is_descending)
        {
            keys.push(Key::of(graph.0));
        }
        Ok(keys)
    }

    /// Returns the first id that a task may have that was submitted at or after `filter.since`.
    fn first_id(&self) -> Uuid {
        self.filter.since.map_or(Uuid::nil(), first_id_at)
    }

    /// Returns the first id after those of tasks that were submitted at or before `filter.until`.
    fn end_id(&self) -> Uuid {
        let later = self
            .filter
            .until
            .map(|until| until + LONGER_THAN_AN_ID_KNOWS);
        later.map_or(Uuid::max(), first_id_at)
    }
}

/// The id of a task contains the time of its submission, to the millisecond.
pub(super) const LONGER_THAN_AN_ID_KNOWS: jiff::SignedDuration =
    jiff::SignedDuration::from_millis(1);

/// Those of the tasks that are there, in the same order.
pub(crate) async fn describe<C: GenericClient>(
    client: &C,
    doing: &'static str,
    ns: i64,
    tasks: &[Uuid],
) -> Result<Vec<(TaskId, Candidate)>, StoreError> {
    if tasks.is_empty() {
        return Ok(Vec::new());
    }
    let rows = bulk::describe_tasks().bind(client, &ns, &tasks).all().await;
    let rows = rows.map_err(|error| StoreError::from_statement(doing, error))?;
    rows.into_iter().map(read).collect()
}

fn read(row: bulk::DescribeTasks) -> Result<(TaskId, Candidate), StoreError> {
    let task = TaskId(row.task);
    let corrupt = |what: &str| StoreError::Corrupt(format!("{task}: {what}"));
    let tags = match row.tags {
        None | Some(Value::Null) => Vec::new(),
        Some(tags) => serde_json::from_value(tags).map_err(|_| corrupt("its tags"))?,
    };
    let candidate = Candidate {
        state: State::from_code(row.state).ok_or_else(|| corrupt("its state"))?,
        graph: GraphId(row.graph),
        project: row.project.map(ProjectId),
        task_type: row.type_name,
        title: row.title,
        tags,
        created_by: row.created_by,
        priority: serde_json::from_value(row.priority).map_err(|_| corrupt("its priority"))?,
        submitted_at: row.submitted_at,
        held_by: row.held_by,
        last_agent: row.last_agent,
        target_agent: row.target_agent,
        key: row.key,
        dead_since: row.dead_since,
        waits_for: row.waits_for.as_deref().and_then(WaitsFor::from_name),
        due: row.due,
        attempts: row.attempts,
        spent: Micros(row.spent_micros),
    };
    Ok((task, candidate))
}
