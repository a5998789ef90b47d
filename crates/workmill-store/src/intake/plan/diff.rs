//! What a planner's list says against what is there: decided in memory, before anything is written.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use serde_json::value::RawValue;
use workmill_core::graph;
use workmill_core::ids::TaskId;

use super::existing::{ExistingPlan, Known};
use super::{PlanAction, PlanChange, PlanChanges, PlanMode, PlanProblem, PlanRefusal, PlannedTask};

/// A task that is there, or one that the list brings, by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Node {
    ExistingPlan(TaskId),
    New(usize),
}

pub(super) type NodeEdges = BTreeMap<Node, BTreeSet<Node>>;

/// What has to be done.
#[derive(Debug, Default)]
pub(super) struct Diff {
    /// Places of tasks that are new.
    pub(super) inserted: Vec<usize>,
    /// Tasks that are described anew, by the place of the new description.
    pub(super) described: Vec<(TaskId, usize)>,
    /// Tasks that belong to another document now.
    pub(super) moved: Vec<(TaskId, usize)>,
    pub(super) restored: BTreeSet<TaskId>,
    pub(super) deleted: BTreeSet<TaskId>,
    /// Whose edges change, with what they will depend on; new tasks included.
    pub(super) rewired: NodeEdges,
    /// All edges as they will be; empty when none changes.
    pub(super) edges: NodeEdges,
    /// How long the chain below each is; empty when no edge changes.
    pub(super) lengths: BTreeMap<Node, u8>,
    pub(super) told: PlanChanges,
}

impl Diff {
    pub(super) fn of(
        existing: &ExistingPlan,
        tasks: &[PlannedTask],
        mode: PlanMode,
    ) -> Result<Diff, PlanRefusal> {
        let places: BTreeMap<&str, usize> = tasks
            .iter()
            .enumerate()
            .map(|(place, task)| (task.key.as_str(), place))
            .collect();
        let mut diff = Diff::default();
        if mode == PlanMode::Sync {
            diff.find_deleted(existing, tasks, &places);
        }
        let mut problems = Vec::new();
        for (place, task) in tasks.iter().enumerate() {
            let depends_on = match diff.resolve(existing, tasks, &places, place) {
                Ok(depends_on) => depends_on,
                Err(found) => {
                    problems.extend(found.into_iter().map(|problem| (place, problem)));
                    continue;
                }
            };
            match existing.known.get(&task.key) {
                Some(_) if mode == PlanMode::Add => problems.push((place, PlanProblem::KeyTaken)),
                None if existing.taken.contains(&task.key) => {
                    problems.push((place, PlanProblem::KeyTaken));
                }
                None => diff.insert(tasks, place, depends_on),
                Some(known) if existing.is_done(known) => diff.told.skipped += 1,
                Some(known) => diff.compare(existing, known, task, place, depends_on),
            }
        }
        if !problems.is_empty() {
            return Err(PlanRefusal::Tasks(problems));
        }
        diff.let_go(existing);
        diff.measure(existing, tasks)?;
        Ok(diff)
    }

    /// What belongs to a document that is listed, and is not on its list any more.
    fn find_deleted(
        &mut self,
        existing: &ExistingPlan,
        tasks: &[PlannedTask],
        places: &BTreeMap<&str, usize>,
    ) {
        let documents: BTreeSet<&str> = tasks.iter().map(|task| task.spec_ref.as_str()).collect();
        for (key, known) in &existing.known {
            let is_listed = places.contains_key(key.as_str());
            let is_left = existing.is_done(known) || existing.is_deleted(known);
            if is_listed || is_left || !documents.contains(known.spec_ref.as_str()) {
                continue;
            }
            self.deleted.insert(known.task);
            self.told.tell(key, PlanAction::Deleted, Vec::new());
        }
    }

    /// What a task of the list depends on. What has completed and was removed holds nothing back.
    fn resolve(
        &self,
        existing: &ExistingPlan,
        tasks: &[PlannedTask],
        places: &BTreeMap<&str, usize>,
        place: usize,
    ) -> Result<BTreeSet<Node>, Vec<PlanProblem>> {
        let (mut nodes, mut problems) = (BTreeSet::new(), Vec::new());
        for on in &tasks[place].deps {
            match (existing.known.get(on), places.get(on.as_str())) {
                (None, None) => problems.push(PlanProblem::UnknownDependency(on.clone())),
                (None, Some(place)) => {
                    nodes.insert(Node::New(*place));
                }
                (Some(known), _) if self.deleted.contains(&known.task) => {
                    problems.push(PlanProblem::RemovedDependency(on.clone()));
                }
                (Some(known), _) if existing.is_gone(known) => {}
                (Some(known), _) => {
                    nodes.insert(Node::ExistingPlan(known.task));
                }
            }
        }
        if problems.is_empty() {
            Ok(nodes)
        } else {
            Err(problems)
        }
    }

    fn insert(&mut self, tasks: &[PlannedTask], place: usize, depends_on: BTreeSet<Node>) {
        self.inserted.push(place);
        self.rewired.insert(Node::New(place), depends_on);
        let key = &tasks[place].key;
        self.told.tell(key, PlanAction::Inserted, Vec::new());
    }

    fn compare(
        &mut self,
        existing: &ExistingPlan,
        known: &Known,
        task: &PlannedTask,
        place: usize,
        depends_on: BTreeSet<Node>,
    ) {
        let mut fields = Vec::new();
        let body = known.body.as_deref().map_or("", RawValue::get);
        let wanted = task.body.get();
        // Nearly all are what they were, to the letter.
        if body != wanted {
            let [before, after] =
                [body, wanted].map(|text| serde_json::from_str::<Value>(text).ok());
            if before != after {
                fields.extend(changed_fields(before.as_ref(), after.as_ref()));
                self.described.push((known.task, place));
            }
        }
        if task.spec_ref != known.spec_ref {
            self.moved.push((known.task, place));
        }
        let (planned, mut unplanned) = existing.edges_of(known.task);
        if !existing.has_begun(known.task) && depends_on != planned {
            fields.push("deps");
            unplanned.extend(depends_on);
            self.rewired
                .insert(Node::ExistingPlan(known.task), unplanned);
        }
        if existing.is_deleted(known) {
            fields.push("status");
            self.restored.insert(known.task);
        }
        if fields.is_empty() {
            self.told.unchanged += 1;
        } else {
            self.told.tell(&task.key, PlanAction::Updated, fields);
        }
    }

    /// What comes back is waited for by those that can. Who has begun without it goes on without it, as
    /// if it had never depended on it.
    fn let_go(&mut self, existing: &ExistingPlan) {
        for task in existing
            .bereft
            .iter()
            .filter(|task| existing.has_begun(**task))
        {
            let depends_on = existing.edges[task].difference(&self.restored);
            let depends_on = depends_on.copied().map(Node::ExistingPlan).collect();
            self.rewired.insert(Node::ExistingPlan(*task), depends_on);
        }
    }

    /// Looks for cycles, and measures the chains, where an edge changes.
    fn measure(
        &mut self,
        existing: &ExistingPlan,
        tasks: &[PlannedTask],
    ) -> Result<(), PlanRefusal> {
        if self.rewired.is_empty() && self.restored.is_empty() {
            return Ok(());
        }
        let edges = existing.edges.iter();
        self.edges = edges
            .map(|(task, on)| {
                let on = on.iter().copied().map(Node::ExistingPlan);
                (Node::ExistingPlan(*task), on.collect())
            })
            .collect();
        self.edges.extend(
            self.rewired
                .iter()
                .map(|(node, depends_on)| (*node, depends_on.clone())),
        );
        // Whoever depends on nothing is a node, too.
        let restored = self.restored.iter().copied().map(Node::ExistingPlan);
        let targets = self.edges.values().flatten().copied().chain(restored);
        let nodes: Vec<Node> = targets.collect();
        for node in nodes {
            self.edges.entry(node).or_default();
        }
        let shape = graph::shape(&self.edges).map_err(|path| {
            let names: BTreeMap<TaskId, &str> = existing
                .known
                .iter()
                .map(|(key, known)| (known.task, key.as_str()))
                .collect();
            let name = |node: &Node| match node {
                Node::New(place) => tasks[*place].key.clone(),
                Node::ExistingPlan(task) => names
                    .get(task)
                    .map_or_else(|| task.to_string(), ToString::to_string),
            };
            PlanRefusal::Cycle(path.iter().map(name).collect())
        })?;
        self.lengths = shape.critical_path;
        Ok(())
    }

    /// What is there and whose state this was decided by: it has to stay until it is done.
    pub(super) fn touched(&self, existing: &ExistingPlan) -> BTreeSet<TaskId> {
        let described = self.described.iter().map(|(task, _)| *task);
        let rewired = self.rewired.keys().filter_map(|node| match node {
            Node::ExistingPlan(task) => Some(*task),
            Node::New(_) => None,
        });
        let gone_or_back = self.deleted.iter().chain(&self.restored).copied();
        let bereft = existing.bereft.iter().copied();
        let touched = described.chain(rewired).chain(gone_or_back);
        touched.chain(bereft).collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.told.changes.is_empty() && self.moved.is_empty()
    }
}

impl PlanChanges {
    fn tell(&mut self, key: &str, action: PlanAction, fields: Vec<&'static str>) {
        self.changes.push(PlanChange {
            key: key.to_owned(),
            action,
            fields,
        });
    }
}

/// Which of a planner's words say something else.
fn changed_fields(before: Option<&Value>, after: Option<&Value>) -> Vec<&'static str> {
    const FIELDS: [(&str, &str); 6] = [
        ("title", "/title"),
        ("description", "/spec/prompt"),
        ("category", "/metadata/category"),
        ("priority", "/priority"),
        ("steps", "/metadata/steps"),
        ("spec_ref", "/metadata/spec_ref"),
    ];
    let value =
        |body: Option<&Value>, pointer: &str| body.and_then(|body| body.pointer(pointer)).cloned();
    let changed = FIELDS
        .into_iter()
        .filter(|(_, pointer)| value(before, pointer) != value(after, pointer));
    let mut fields: Vec<&'static str> = changed.map(|(field, _)| field).collect();
    // Somebody else has changed what planners have no word for.
    if fields.is_empty() {
        fields.push("other");
    }
    fields
}
