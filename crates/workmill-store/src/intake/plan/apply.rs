//! Carries out what a list asks for: new tasks, other descriptions, other edges, what is gone and what
//! is back.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use uuid::Uuid;
use workmill_core::attempt::Outcome;
use workmill_core::audit::{Action, AuditEntry, Subject};
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lifecycle::{State, Trigger};
use workmill_core::usage::Usage;
use workmill_queries::client::Params;
use workmill_queries::queries::intake::plan as statements;
use workmill_queries::queries::task::locked_rows::find_specs;

use super::super::arrival::{self, Arrival, Dependency, Last, TaskDraft, write_edges};
use super::super::edit::{Edit, rewrite};
use super::super::urgency::Lengths;
use super::diff::{Diff, Node};
use super::{Edges, MANY, PlanAction, PlanChanges, SyncPlan};
use crate::beside::beside;
use crate::column::column;
use crate::error::StoreError;
use crate::locked_rows::LockedRows;
use crate::operation::Work;
use crate::settlement::cancel::cancel;
use crate::settlement::{Ended, Ledger, finish, impossible};

/// So many tasks are drafted and written together: all tasks of a list would take several times its memory.
const TOGETHER: usize = 5_000;

impl SyncPlan<'_> {
    pub(super) async fn apply(
        &self,
        work: &mut Work<'_>,
        graph: GraphId,
        mut held: LockedRows,
        edges: &Edges,
        diff: &Diff,
    ) -> Result<(), StoreError> {
        if let Some(graph) = held.graphs.get_mut(&graph) {
            // Whoever has cancelled the plan has cancelled what was in it.
            graph.is_draining = false;
        }
        let mut ids: BTreeMap<usize, TaskId> = BTreeMap::new();
        for place in &diff.inserted {
            ids.insert(*place, TaskId(work.mint().await?));
        }
        let id = |node: &Node| match node {
            Node::ExistingPlan(task) => *task,
            Node::New(place) => ids[place],
        };
        let mut ledger = Ledger::default();
        restore(work, &mut held, &mut ledger, diff).await?;
        self.rewire(work, edges, diff, &id).await?;
        recount(work, &mut held, diff, &ids, &id).await?;
        held.lock_more(work, &targets(diff)).await?;
        weigh(work, &mut held, graph, diff).await?;
        self.describe(work, &mut held, &mut ledger, diff).await?;
        let deleted: Vec<Uuid> = diff.deleted.iter().map(|task| task.0).collect();
        held.lock_leases(work, &deleted).await?;
        for task in &diff.deleted {
            // What cannot be cancelled has ended, and was not to be deleted.
            let _ = cancel(&mut held, &mut ledger, *task, self.planner);
        }
        self.remember(work, diff, &ids).await?;
        self.insert(work, graph, &mut held, diff, &ids).await?;
        work.audit(AuditEntry::new(
            Action::PlanSynced,
            Subject::Graph(graph),
            Value::Null,
            counts(&diff.told),
        ));
        finish(work, held, ledger).await
    }

    /// Writes the new tasks, some of them at a time.
    async fn insert(
        &self,
        work: &mut Work<'_>,
        graph: GraphId,
        held: &mut LockedRows,
        diff: &Diff,
        ids: &BTreeMap<usize, TaskId>,
    ) -> Result<(), StoreError> {
        let now = work.now().await?;
        let new: BTreeSet<TaskId> = ids.values().copied().collect();
        for places in diff.inserted.chunks(TOGETHER) {
            let drafts = beside(places.len() > MANY, || self.new_drafts(diff, places, ids))?;
            let own = places.iter().map(|place| ids[place]).collect();
            let mut arrival =
                Arrival::with_ids(work, self.planner, &drafts, own, Some(graph)).await?;
            arrival.key = self.key;
            arrival.settle(work, now, false, |task, rule| {
                let on = held.tasks.get_mut(&task);
                !new.contains(&task) && !on.is_some_and(|row| row.holds_back(rule))
            })?;
            arrival::write(work, &[&arrival], Last::More).await?;
            if let Some(graph) = held.graphs.get_mut(&graph) {
                for row in &arrival.rows {
                    graph.tally.add(row.state(), row.unmet > 0, 1);
                }
            }
        }
        Ok(())
    }

    /// What the new tasks at these places are, with what they depend on: other new ones, too, which may
    /// be written later.
    fn new_drafts(
        &self,
        diff: &Diff,
        places: &[usize],
        ids: &BTreeMap<usize, TaskId>,
    ) -> Result<Vec<TaskDraft>, StoreError> {
        let drafts = places.iter().map(|place| {
            let node = Node::New(*place);
            let depends_on = diff.rewired[&node].iter().map(|on| match on {
                Node::ExistingPlan(task) => Dependency::Existing(*task),
                Node::New(place) => Dependency::Existing(ids[place]),
            });
            Ok(TaskDraft {
                depends_on: depends_on.collect(),
                critical_path: diff.lengths.get(&node).copied().unwrap_or(0),
                ..self.tasks[*place].draft()?
            })
        });
        drafts.collect()
    }

    /// Writes the edges of tasks that are there; those of new ones come with them.
    async fn rewire(
        &self,
        work: &mut Work<'_>,
        edges: &Edges,
        diff: &Diff,
        id: &impl Fn(&Node) -> TaskId,
    ) -> Result<(), StoreError> {
        let (mut added, mut removed) = (Vec::new(), Vec::new());
        for (node, after) in &diff.rewired {
            let Node::ExistingPlan(task) = node else {
                continue;
            };
            let nothing = BTreeSet::new();
            let before = edges.get(task).unwrap_or(&nothing);
            let after: BTreeSet<TaskId> = after.iter().map(id).collect();
            added.extend(after.difference(before).map(|on| (*task, *on)));
            removed.extend(before.difference(&after).map(|on| (*task, *on)));
        }
        write_edges(work, &added).await?;
        if removed.is_empty() {
            return Ok(());
        }
        let tasks: Vec<Uuid> = removed.iter().map(|(task, _)| task.0).collect();
        let depends_on: Vec<Uuid> = removed.iter().map(|(_, on)| on.0).collect();
        statements::delete_edges()
            .bind(work.transaction, &work.ns, &tasks, &depends_on)
            .await?;
        Ok(())
    }

    async fn describe(
        &self,
        work: &mut Work<'_>,
        held: &mut LockedRows,
        ledger: &mut Ledger,
        diff: &Diff,
    ) -> Result<(), StoreError> {
        for described in diff.described.chunks(TOGETHER) {
            self.describe_some(work, held, ledger, described).await?;
        }
        Ok(())
    }

    async fn describe_some(
        &self,
        work: &mut Work<'_>,
        held: &mut LockedRows,
        ledger: &mut Ledger,
        described: &[(TaskId, usize)],
    ) -> Result<(), StoreError> {
        let ids: Vec<Uuid> = described.iter().map(|(task, _)| task.0).collect();
        let submitted = find_specs()
            .bind(work.transaction, &ids, &work.ns)
            .map(|spec| (TaskId(spec.task), spec.submitted_at))
            .all()
            .await?;
        let submitted: BTreeMap<TaskId, _> = submitted.into_iter().collect();
        let drafts = beside(described.len() > MANY, || {
            let drafts = described.iter();
            let drafts = drafts.map(|(_, place)| self.tasks[*place].draft());
            drafts.collect::<Result<Vec<TaskDraft>, StoreError>>()
        })?;
        let edits = described.iter().zip(&drafts);
        let edits = edits.filter_map(|((task, _), draft)| {
            Some(Edit {
                task: *task,
                submitted_at: *submitted.get(task)?,
                draft,
            })
        });
        let edits: Vec<Edit<'_>> = edits.collect();
        rewrite(work, held, ledger, &edits, self.planner).await
    }

    /// Writes down what is new in the plan, and what belongs to another document.
    async fn remember(
        &self,
        work: &Work<'_>,
        diff: &Diff,
        ids: &BTreeMap<usize, TaskId>,
    ) -> Result<(), StoreError> {
        let new = ids.iter().map(|(place, task)| (*task, *place));
        let written: Vec<(TaskId, usize)> = new.chain(diff.moved.iter().copied()).collect();
        if written.is_empty() {
            return Ok(());
        }
        let planned = |(_, place): &(TaskId, usize)| &self.tasks[*place];
        let parameters = statements::WritePlanTasksParams {
            ns: work.ns,
            keys: column(&written, |one| planned(one).key.as_str()),
            spec_refs: column(&written, |one| planned(one).spec_ref.as_str()),
            tasks: column(&written, |(task, _)| task.0),
        };
        statements::write_plan_tasks()
            .params(work.transaction, &parameters)
            .await?;
        Ok(())
    }
}

/// How many of what, for the record.
fn counts(told: &PlanChanges) -> Value {
    let count = |action: PlanAction| {
        let changes = told.changes.iter();
        changes.filter(|change| change.action == action).count()
    };
    json!({
        "inserted": count(PlanAction::Inserted),
        "updated": count(PlanAction::Updated),
        "deleted": count(PlanAction::Deleted),
        "skipped": told.skipped,
    })
}

/// The tasks that are there and that new ones depend on.
fn targets(diff: &Diff) -> BTreeSet<TaskId> {
    let rewired = diff.rewired.iter();
    let new = rewired.filter(|(node, _)| matches!(node, Node::New(_)));
    let existing = new.flat_map(|(_, depends_on)| depends_on);
    let existing = existing.filter_map(|on| match on {
        Node::ExistingPlan(task) => Some(*task),
        Node::New(_) => None,
    });
    existing.collect()
}

/// Brings tasks back. Whoever was told to stop and has not stopped yet loses its lease: somebody else may
/// have the task next.
async fn restore(
    work: &mut Work<'_>,
    held: &mut LockedRows,
    ledger: &mut Ledger,
    diff: &Diff,
) -> Result<(), StoreError> {
    let ids: Vec<Uuid> = diff.restored.iter().map(|task| task.0).collect();
    held.lock_leases(work, &ids).await?;
    for task in &diff.restored {
        if let Some(row) = held.tasks.get_mut(task) {
            row.follow(Trigger::Restore).map_err(impossible)?;
            row.freed_runners = false;
        }
    }
    let leases = held.leases.values();
    let left = leases.filter(|lease| diff.restored.contains(&lease.lease.task));
    ledger.ended.extend(left.map(|lease| Ended {
        lease: lease.clone(),
        outcome: Outcome::Cancelled,
        said_by_agent: false,
        failed: None,
        spent: lease.spent_with(&Usage::default()),
    }));
    Ok(())
}

/// Counts anew what tasks wait for whose dependencies are others now, or are back: they wait, or wait
/// no more. What is about to be deleted still counts; that it goes is followed later.
async fn recount(
    work: &mut Work<'_>,
    held: &mut LockedRows,
    diff: &Diff,
    new: &BTreeMap<usize, TaskId>,
    id: &impl Fn(&Node) -> TaskId,
) -> Result<(), StoreError> {
    let back: BTreeSet<Node> = diff
        .restored
        .iter()
        .copied()
        .map(Node::ExistingPlan)
        .collect();
    let concerned = diff.edges.iter().filter(|(node, depends_on)| {
        diff.rewired.contains_key(node) || back.contains(node) || !depends_on.is_disjoint(&back)
    });
    let concerned: Vec<(TaskId, BTreeSet<TaskId>)> = concerned
        .filter_map(|(node, depends_on)| match node {
            Node::ExistingPlan(task) => Some((*task, depends_on.iter().map(id).collect())),
            Node::New(_) => None,
        })
        .collect();
    let new: BTreeSet<TaskId> = new.values().copied().collect();
    let named = concerned.iter().flat_map(|(task, depends_on)| {
        let on = depends_on.iter().filter(|on| !new.contains(*on));
        on.chain([task])
    });
    let named: BTreeSet<TaskId> = named.copied().collect();
    held.lock_more(work, &named).await?;
    let now = work.now().await?;
    for (task, depends_on) in concerned {
        let Some(rule) = held.tasks.get(&task).map(|row| row.on_dependency_failure) else {
            continue;
        };
        let mut unmet = 0;
        for on in &depends_on {
            let on = held.tasks.get_mut(on);
            unmet += i32::from(on.is_none_or(|row| row.holds_back(rule)));
        }
        let Some(row) = held.tasks.get_mut(&task) else {
            continue;
        };
        row.unmet = unmet;
        if unmet > 0 && matches!(row.state(), State::Ready | State::Retrying) {
            row.follow(Trigger::AddDependency).map_err(impossible)?;
            row.due = None;
        }
        if row.state() == State::Pending {
            row.promote_if_due(now).map_err(impossible)?;
        }
    }
    Ok(())
}

/// Measures the chains below tasks that are there anew; most are as long as they were.
async fn weigh(
    work: &mut Work<'_>,
    held: &mut LockedRows,
    graph: GraphId,
    diff: &Diff,
) -> Result<(), StoreError> {
    if diff.lengths.is_empty() {
        return Ok(());
    }
    let rows = statements::find_lengths_of_graph()
        .bind(work.transaction, &work.ns, &graph.0)
        .all()
        .await?;
    let others = rows.into_iter().filter_map(|row| {
        let task = TaskId(row.task);
        let length = i16::from(*diff.lengths.get(&Node::ExistingPlan(task))?);
        (length != row.critical_path).then_some((task, length))
    });
    let others: BTreeMap<TaskId, i16> = others.collect();
    held.lock_more(work, &others.keys().copied().collect())
        .await?;
    let mut lengths = Lengths::default();
    for (task, length) in others {
        if let Some(row) = held.tasks.get_mut(&task) {
            lengths.set(row, length);
        }
    }
    lengths.make_urgent(work, held).await
}
