//! What waits behind a task makes it more urgent: new work below lifts what is above.

use std::collections::BTreeSet;

use uuid::Uuid;
use workmill_core::ids::TaskId;
use workmill_core::rank::{CRITICAL_PATH_CAP, POINT};
use workmill_queries::queries::intake::grow;

use crate::error::StoreError;
use crate::held::Held;
use crate::operation::Work;

/// Walks up from edges that are new and lengthens the chains above them, as far as that goes; at
/// most as many levels as a chain counts for.
pub(super) async fn lift(
    work: &mut Work<'_>,
    held: &mut Held,
    new_edges: &[(TaskId, TaskId)],
    length_of: impl Fn(TaskId) -> Option<i16>,
) -> Result<(), StoreError> {
    let mut edges: Vec<(TaskId, TaskId)> = new_edges.to_vec();
    for _ in 0..CRITICAL_PATH_CAP {
        let above: BTreeSet<TaskId> = edges.iter().map(|(_, on)| *on).collect();
        held.lock_more(work, &above).await?;
        let mut lifted = BTreeSet::new();
        for (task, on) in &edges {
            let below = held
                .tasks
                .get(task)
                .map(|row| row.critical_path)
                .or_else(|| length_of(*task));
            let (Some(below), Some(row)) = (below, held.tasks.get_mut(on)) else {
                continue;
            };
            let length = (below + 1).min(i16::from(CRITICAL_PATH_CAP));
            if length > row.critical_path {
                row.rank -= i64::from(length - row.critical_path) * POINT;
                row.critical_path = length;
                lifted.insert(*on);
            }
        }
        if lifted.is_empty() {
            break;
        }
        edges = dependencies(work, &lifted).await?;
    }
    Ok(())
}

/// What these tasks wait for.
pub(super) async fn dependencies(
    work: &mut Work<'_>,
    tasks: &BTreeSet<TaskId>,
) -> Result<Vec<(TaskId, TaskId)>, StoreError> {
    let ids: Vec<Uuid> = tasks.iter().map(|task| task.0).collect();
    let rows = grow::find_dependencies()
        .bind(work.transaction, &work.ns, &ids)
        .all()
        .await;
    let rows = rows.map_err(|error| work.failed(error))?;
    Ok(rows
        .into_iter()
        .map(|row| (TaskId(row.task), TaskId(row.depends_on)))
        .collect())
}

/// The way along dependencies from one task to another, if there is one.
pub(super) async fn path(
    work: &mut Work<'_>,
    from: TaskId,
    to: TaskId,
) -> Result<Option<Vec<TaskId>>, StoreError> {
    let mut came_from = std::collections::BTreeMap::from([(from, from)]);
    let mut frontier = BTreeSet::from([from]);
    while !frontier.is_empty() && !came_from.contains_key(&to) {
        let mut next = BTreeSet::new();
        for (task, on) in dependencies(work, &frontier).await? {
            if let std::collections::btree_map::Entry::Vacant(new) = came_from.entry(on) {
                new.insert(task);
                next.insert(on);
            }
        }
        frontier = next;
    }
    if !came_from.contains_key(&to) {
        return Ok(None);
    }
    let mut path = vec![to];
    while let Some(last) = path.last().copied().filter(|last| *last != from) {
        path.push(came_from[&last]);
    }
    path.reverse();
    Ok(Some(path))
}
