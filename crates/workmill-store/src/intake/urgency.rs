//! What waits behind a task makes it more urgent: chains are measured for all tasks and weigh where
//! the policy says so.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use uuid::Uuid;
use workmill_core::ids::TaskId;
use workmill_core::rank::{CRITICAL_PATH_CAP, POINT};
use workmill_queries::queries::intake::grow;

use crate::error::StoreError;
use crate::locked_rows::{LockedRows, TaskRow};
use crate::operation::Work;

/// Walks up from edges that are new and lengthens the chains above them, as far as that goes; at
/// most as many levels as a chain counts for.
pub(super) async fn lengthen(
    work: &mut Work<'_>,
    held: &mut LockedRows,
    new_edges: &[(TaskId, TaskId)],
    length_of: impl Fn(TaskId) -> Option<i16>,
) -> Result<(), StoreError> {
    let mut lengths = Lengths::default();
    let mut edges: Vec<(TaskId, TaskId)> = new_edges.to_vec();
    for _ in 0..CRITICAL_PATH_CAP {
        let above: BTreeSet<TaskId> = edges.iter().map(|(_, on)| *on).collect();
        held.lock_more(work, &above).await?;
        let mut longer = BTreeSet::new();
        for (task, on) in &edges {
            let below = held
                .tasks
                .get(task)
                .map(|row| row.critical_path)
                .or_else(|| length_of(*task));
            let (Some(below), Some(row)) = (below, held.tasks.get_mut(on)) else {
                continue;
            };
            let length = one_more(below);
            if length > row.critical_path {
                lengths.set(row, length);
                longer.insert(*on);
            }
        }
        if longer.is_empty() {
            break;
        }
        edges = dependencies(work, &longer).await?;
    }
    lengths.make_urgent(work, held).await
}

/// Walks up from a task that one less waits for and measures the chains anew, as far as they have
/// become shorter.
pub(super) async fn shorten(
    work: &mut Work<'_>,
    held: &mut LockedRows,
    task: TaskId,
) -> Result<(), StoreError> {
    let mut lengths = Lengths::default();
    let mut above = BTreeSet::from([task]);
    while !above.is_empty() {
        held.lock_more(work, &above).await?;
        let measured = measure(work, held, &above).await?;
        let mut shorter = BTreeSet::new();
        for (task, length) in measured {
            let row = held.tasks.get_mut(&task);
            if let Some(row) = row.filter(|row| length < row.critical_path) {
                lengths.set(row, length);
                shorter.insert(task);
            }
        }
        let edges = dependencies(work, &shorter).await?;
        above = edges.into_iter().map(|(_, on)| on).collect();
    }
    lengths.make_urgent(work, held).await
}

/// The longest chain below each of these tasks.
async fn measure(
    work: &mut Work<'_>,
    held: &LockedRows,
    tasks: &BTreeSet<TaskId>,
) -> Result<BTreeMap<TaskId, i16>, StoreError> {
    let ids: Vec<Uuid> = tasks.iter().map(|task| task.0).collect();
    let rows = grow::find_chains_below()
        .bind(work.transaction, &work.ns, &ids)
        .all()
        .await;
    let mut lengths: BTreeMap<TaskId, i16> = tasks.iter().map(|task| (*task, 0)).collect();
    for row in rows? {
        let in_memory = held.tasks.get(&TaskId(row.task));
        let below = in_memory.map_or(row.critical_path, |row| row.critical_path);
        let longest = lengths.entry(TaskId(row.depends_on)).or_insert(0);
        *longest = one_more(below).max(*longest);
    }
    Ok(lengths)
}

fn one_more(below: i16) -> i16 {
    (below + 1).min(i16::from(CRITICAL_PATH_CAP))
}

/// Chains that have changed, as long as they were before.
#[derive(Default)]
pub(super) struct Lengths {
    before: BTreeMap<TaskId, i16>,
}

impl Lengths {
    pub(super) fn set(&mut self, row: &mut TaskRow, length: i16) {
        self.before.entry(row.task).or_insert(row.critical_path);
        row.critical_path = length;
    }

    /// Moves the ranks of those whose policy says that what waits behind them counts.
    pub(super) async fn make_urgent(
        self,
        work: &mut Work<'_>,
        held: &mut LockedRows,
    ) -> Result<(), StoreError> {
        if self.before.is_empty() || work.is_planted("growth not weighed") {
            return Ok(());
        }
        let most_points = find_most_points(work, self.before.keys()).await?;
        for (task, most) in most_points {
            if let (Some(before), Some(row)) = (self.before.get(&task), held.tasks.get_mut(&task)) {
                let most = i16::from(most.unwrap_or(CRITICAL_PATH_CAP));
                row.rank -= i64::from(row.critical_path.min(most) - before.min(&most)) * POINT;
            }
        }
        Ok(())
    }
}

/// Finds those of the tasks that become more urgent by what waits behind them, each with its own bound
/// on the points, if it has one.
pub(super) async fn find_most_points(
    work: &Work<'_>,
    tasks: impl IntoIterator<Item = &TaskId>,
) -> Result<BTreeMap<TaskId, Option<u8>>, StoreError> {
    let ids: Vec<Uuid> = tasks.into_iter().map(|task| task.0).collect();
    let rows = grow::find_tasks_with_urgent_chains()
        .bind(work.transaction, &ids, &work.ns)
        .all()
        .await;
    let rows = rows?.into_iter();
    let most = |most: Option<i16>| most.and_then(|most| u8::try_from(most).ok());
    Ok(rows.map(|row| (TaskId(row.task), most(row.most))).collect())
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
        .await?;
    Ok(rows
        .into_iter()
        .map(|row| (TaskId(row.task), TaskId(row.depends_on)))
        .collect())
}

/// The way along dependencies from one of these tasks to another one, if there is one.
pub(super) async fn path(
    work: &mut Work<'_>,
    from: &BTreeSet<TaskId>,
    to: TaskId,
) -> Result<Option<Vec<TaskId>>, StoreError> {
    let ids: Vec<Uuid> = from.iter().map(|task| task.0).collect();
    let rows = grow::find_edges_above()
        .bind(work.transaction, &work.ns, &ids)
        .all()
        .await;
    let mut above: BTreeMap<TaskId, Vec<TaskId>> = BTreeMap::new();
    for row in rows? {
        let on = TaskId(row.depends_on);
        above.entry(TaskId(row.task)).or_default().push(on);
    }
    let mut came_from: BTreeMap<TaskId, Option<TaskId>> =
        from.iter().map(|task| (*task, None)).collect();
    let mut next: VecDeque<TaskId> = from.iter().copied().collect();
    while let Some(task) = next.pop_front().filter(|_| !came_from.contains_key(&to)) {
        for on in above.remove(&task).unwrap_or_default() {
            if let Entry::Vacant(new) = came_from.entry(on) {
                new.insert(Some(task));
                next.push_back(on);
            }
        }
    }
    if !came_from.contains_key(&to) {
        return Ok(None);
    }
    let mut way = vec![to];
    while let Some(Some(before)) = way.last().and_then(|last| came_from.get(last)) {
        way.push(*before);
    }
    way.reverse();
    Ok(Some(way))
}
