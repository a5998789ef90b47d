//! Graphs: order without cycles, what waits behind a task, and the status of the whole.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::lifecycle::State;
use crate::rank::CRITICAL_PATH_CAP;

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum GraphStatus {
    /// Still a draft.
    Pending,
    Running,
    Completed,
    /// Something in it is dead-lettered or stale and nothing in it can move.
    Failed,
    Cancelled,
}

impl GraphStatus {
    pub const ALL: [GraphStatus; 5] = [
        GraphStatus::Pending,
        GraphStatus::Running,
        GraphStatus::Completed,
        GraphStatus::Failed,
        GraphStatus::Cancelled,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            GraphStatus::Pending => "pending",
            GraphStatus::Running => "running",
            GraphStatus::Completed => "completed",
            GraphStatus::Failed => "failed",
            GraphStatus::Cancelled => "cancelled",
        }
    }

    /// Whether the graph has neither completed nor been cancelled: it moves, or waits for a decision.
    pub const fn is_open(self) -> bool {
        match self {
            GraphStatus::Pending | GraphStatus::Running | GraphStatus::Failed => true,
            GraphStatus::Completed | GraphStatus::Cancelled => false,
        }
    }

    pub fn from_name(name: &str) -> Option<GraphStatus> {
        GraphStatus::ALL
            .into_iter()
            .find(|status| status.name() == name)
    }
}

/// How many tasks of a graph are where. Kept on the graph's row, changed under its lock by
/// whatever finishes, dead-letters, frees or adds a task; claims never touch it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    pub tasks: i32,
    pub completed: i32,
    pub cancelled: i32,
    pub stale: i32,
    pub dead: i32,
    /// Neither finished, nor dead-lettered, nor waiting for a dependency.
    pub moving: i32,
}

impl Tally {
    /// Returns the tally of a standalone task, which is a graph of its own.
    pub fn of_one(state: State, waits: bool) -> Tally {
        let mut tally = Tally::default();
        tally.add(state, waits, 1);
        tally
    }

    /// Counts a task that is in `state`; `waits` when a dependency of it is not met.
    pub fn add(&mut self, state: State, waits: bool, how_many: i32) {
        self.tasks += how_many;
        match state {
            State::Completed => self.completed += how_many,
            State::Cancelled => self.cancelled += how_many,
            State::Stale => self.stale += how_many,
            State::DeadLettered => self.dead += how_many,
            State::Created => {}
            State::Pending
            | State::Ready
            | State::Claimed
            | State::Running
            | State::Validating
            | State::Blocked
            | State::Retrying => {
                if !waits {
                    self.moving += how_many;
                }
            }
        }
    }

    /// Tasks that wait for a dependency, or that are part of a draft.
    pub fn waiting(&self) -> i32 {
        self.tasks - self.completed - self.cancelled - self.stale - self.dead - self.moving
    }

    /// Whether everything in it is finished: nothing moves, waits or is a dead letter.
    pub fn has_ended(&self) -> bool {
        self.tasks == self.completed + self.cancelled + self.stale
    }

    /// Returns the status of the graph. A graph that was cancelled as a whole runs until its last
    /// task stops and is `cancelled` from then on, whatever its other tasks have come to. One whose
    /// tasks were cancelled singly is `completed` if any of the others completed.
    pub fn status(&self, is_draft: bool, is_cancelled: bool) -> GraphStatus {
        let unfinished = self.tasks - self.completed - self.cancelled - self.stale;
        if is_cancelled && self.moving == 0 {
            GraphStatus::Cancelled
        } else if is_cancelled {
            GraphStatus::Running
        } else if is_draft {
            GraphStatus::Pending
        } else if self.moving == 0 && self.dead + self.stale > 0 {
            GraphStatus::Failed
        } else if unfinished > 0 {
            GraphStatus::Running
        } else if self.completed == 0 && self.cancelled > 0 {
            GraphStatus::Cancelled
        } else {
            GraphStatus::Completed
        }
    }
}

/// What the edges of a graph say about each of its nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape<Node> {
    /// Nodes with no dependencies.
    pub roots: Vec<Node>,
    /// Nodes that nothing depends on.
    pub leaves: Vec<Node>,
    /// Nodes on the longest chain below each one, at most [`CRITICAL_PATH_CAP`].
    pub critical_path: BTreeMap<Node, u8>,
}

/// Reads the shape off the nodes and their dependencies; `Err` is the path of a cycle, from a
/// node to itself along what each depends on.
pub fn shape<Node: Copy + Ord>(
    depends_on: &BTreeMap<Node, BTreeSet<Node>>,
) -> Result<Shape<Node>, Vec<Node>> {
    let mut dependents: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    for (node, dependencies) in depends_on {
        for dependency in dependencies {
            dependents.entry(*dependency).or_default().push(*node);
        }
    }
    // Leaves first: a node is placed when all that depends on it has been.
    let mut unplaced: BTreeMap<Node, usize> = depends_on
        .keys()
        .map(|node| (*node, dependents.get(node).map_or(0, Vec::len)))
        .collect();
    let leaves: Vec<Node> = unplaced
        .iter()
        .filter(|(_, below)| **below == 0)
        .map(|(node, _)| *node)
        .collect();
    let mut critical_path: BTreeMap<Node, u8> = BTreeMap::new();
    let mut next = leaves.clone();
    while let Some(node) = next.pop() {
        unplaced.remove(&node);
        let below = critical_path.entry(node).or_insert(0);
        let above = (*below + 1).min(CRITICAL_PATH_CAP);
        for dependency in &depends_on[&node] {
            let longest = critical_path.entry(*dependency).or_insert(0);
            *longest = (*longest).max(above);
            if let Some(left) = unplaced.get_mut(dependency) {
                *left -= 1;
                if *left == 0 {
                    next.push(*dependency);
                }
            }
        }
    }
    if let Some(start) = unplaced.keys().next() {
        return Err(cycle_among(&dependents, &unplaced, *start));
    }
    let roots = depends_on
        .iter()
        .filter(|(_, dependencies)| dependencies.is_empty())
        .map(|(node, _)| *node)
        .collect();
    Ok(Shape {
        roots,
        leaves,
        critical_path,
    })
}

/// Every unplaced node is depended on by another unplaced one, so walking from dependency to
/// dependent never ends: the first node met twice closes a cycle.
fn cycle_among<Node: Copy + Ord>(
    dependents: &BTreeMap<Node, Vec<Node>>,
    unplaced: &BTreeMap<Node, usize>,
    start: Node,
) -> Vec<Node> {
    let mut walked = vec![start];
    let mut places = BTreeMap::from([(start, 0)]);
    loop {
        let here = walked[walked.len() - 1];
        let above = *dependents[&here]
            .iter()
            .find(|node| unplaced.contains_key(*node))
            .expect("an unplaced node has an unplaced dependent");
        if let Some(first) = places.insert(above, walked.len()) {
            let mut path: Vec<Node> = walked.drain(first..).collect();
            path.push(above);
            path.reverse();
            return path;
        }
        walked.push(above);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(u32, &[u32])]) -> BTreeMap<u32, BTreeSet<u32>> {
        edges
            .iter()
            .map(|(node, on)| (*node, on.iter().copied().collect()))
            .collect()
    }

    #[test]
    fn a_diamond_has_one_root_one_leaf_and_its_chain_lengths() {
        let shape = shape(&graph(&[(1, &[]), (2, &[1]), (3, &[1]), (4, &[2, 3])])).unwrap();
        assert_eq!((shape.roots, shape.leaves), (vec![1], vec![4]));
        assert_eq!(
            shape.critical_path,
            BTreeMap::from([(1, 2), (2, 1), (3, 1), (4, 0)])
        );
    }

    #[test]
    fn a_long_chain_counts_no_further_than_the_cap() {
        let chain: BTreeMap<u32, BTreeSet<u32>> = (0..50)
            .map(|node| (node, (node > 0).then(|| node - 1).into_iter().collect()))
            .collect();
        assert_eq!(shape(&chain).unwrap().critical_path[&0], CRITICAL_PATH_CAP);
    }

    /// F-12
    #[test]
    fn a_cycle_is_named_along_its_edges() {
        let edges = graph(&[(1, &[]), (2, &[1, 4]), (3, &[2]), (4, &[3]), (5, &[4])]);
        let path = shape(&edges).unwrap_err();
        assert_eq!(path.first(), path.last());
        assert_eq!(path.len(), 4);
        for step in path.windows(2) {
            assert!(edges[&step[0]].contains(&step[1]), "{path:?}");
        }
        assert_eq!(shape(&graph(&[(7, &[7])])), Err(vec![7, 7]));
    }

    fn tally(tasks: &[(State, bool)]) -> Tally {
        let mut tally = Tally::default();
        for (state, waits) in tasks {
            tally.add(*state, *waits, 1);
        }
        tally
    }

    /// F-8
    #[test]
    fn the_status_follows_from_where_the_tasks_are() {
        use State as S;
        let status = |tasks: &[(State, bool)]| tally(tasks).status(false, false);
        assert_eq!(
            tally(&[(S::Created, false)]).status(true, false),
            GraphStatus::Pending
        );
        assert_eq!(
            status(&[(S::Running, false), (S::Pending, true)]),
            GraphStatus::Running
        );
        assert_eq!(
            status(&[(S::Completed, false), (S::Cancelled, false)]),
            GraphStatus::Completed
        );
        assert_eq!(status(&[(S::Cancelled, false)]), GraphStatus::Cancelled);
        assert_eq!(
            status(&[(S::DeadLettered, false), (S::Pending, true)]),
            GraphStatus::Failed
        );
        assert_eq!(
            status(&[(S::DeadLettered, false), (S::Retrying, false)]),
            GraphStatus::Running
        );
        assert_eq!(
            status(&[(S::Stale, false), (S::Completed, false)]),
            GraphStatus::Failed
        );
    }

    #[test]
    fn a_graph_that_was_cancelled_as_a_whole_ends_cancelled() {
        use State as S;
        let status = |tasks: &[(State, bool)]| tally(tasks).status(false, true);
        assert_eq!(
            status(&[(S::Completed, false), (S::Running, false)]),
            GraphStatus::Running
        );
        for last in [S::Completed, S::Cancelled, S::DeadLettered, S::Stale] {
            let tasks = [(S::Completed, false), (last, false)];
            assert_eq!(status(&tasks), GraphStatus::Cancelled, "{last}");
        }
        let draft = tally(&[(S::Cancelled, false)]);
        assert_eq!(draft.status(true, true), GraphStatus::Cancelled);
    }
}
