//! Outputs of other tasks that a new task is handed: they exist, and its author may read them.
//!
//! What comes in are drafts; what goes out is the first reference of each that is refused. It is
//! asked in the transaction that lets the drafts in, after a repeated request has found its answer.
//! A claim hands over the results of dependencies as well, so those of a task that an agent spawns
//! count as references.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;
use workmill_core::ids::TaskId;
use workmill_core::task::{NewTask, referenced_task};
use workmill_queries::queries::intake::references as statements;
use workmill_queries::queries::task::locked_rows::find_specs;

use super::arrival::{Dependency, TaskDraft};
use crate::error::StoreError;
use crate::operation::Work;

/// The tasks whose outputs a draft refers to, and what its author may read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct References {
    pub tasks: Vec<TaskId>,
    pub reader: Reader,
}

/// Whose outputs may be referred to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Reader {
    /// All of the namespace.
    #[default]
    Namespace,
    /// Those of tasks that this key has submitted.
    Submitter(Uuid),
    /// Those of tasks that were submitted without a key, under this name.
    Named(String),
    /// Those that the claim of this task has handed to an agent of this key, and those of its own.
    Holder { key: Uuid, task: TaskId },
}

/// A reference that is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreadable {
    /// The place of the draft.
    pub place: usize,
    /// The task that it refers to.
    pub task: TaskId,
    pub exists: bool,
    /// It is a dependency and not one of the references that the draft names.
    pub is_dependency: bool,
}

/// What a draft is handed, and what its author may read.
struct Asked<'a> {
    place: usize,
    reader: &'a Reader,
    references: &'a [TaskId],
    dependencies: Vec<TaskId>,
}

impl<'a> Asked<'a> {
    fn of(place: usize, draft: &'a TaskDraft) -> Asked<'a> {
        Asked {
            place,
            reader: &draft.references.reader,
            references: &draft.references.tasks,
            dependencies: match draft.references.reader {
                Reader::Namespace | Reader::Submitter(_) | Reader::Named(_) => Vec::new(),
                Reader::Holder { task: held, .. } => {
                    let existing = draft.depends_on.iter().filter_map(|on| match on {
                        Dependency::New(_) => None,
                        Dependency::Existing(task) => Some(*task),
                    });
                    // The agent itself gives the result of the task that it holds.
                    existing.filter(|task| *task != held).collect()
                }
            },
        }
    }

    fn tasks(&self) -> impl Iterator<Item = TaskId> {
        self.references.iter().chain(&self.dependencies).copied()
    }
}

/// Returns the first reference of each draft that is refused.
pub(crate) async fn find_unreadable<'a>(
    work: &Work<'_>,
    drafts: impl IntoIterator<Item = &'a TaskDraft>,
) -> Result<Vec<Unreadable>, StoreError> {
    let drafts = drafts.into_iter().enumerate();
    let asked = drafts.map(|(place, draft)| Asked::of(place, draft));
    find_refused(work, &asked.collect::<Vec<_>>()).await
}

/// Returns the place of the first draft whose idempotency key stands for a task that an agent may not
/// read: it would get the result of that task by waiting for it.
pub(super) async fn find_unreadable_known(
    work: &Work<'_>,
    drafts: &[TaskDraft],
    known: &BTreeMap<usize, TaskId>,
) -> Result<Option<usize>, StoreError> {
    let asked = known.iter().filter_map(|(place, task)| {
        let reader = &drafts[*place].references.reader;
        match reader {
            Reader::Namespace | Reader::Submitter(_) | Reader::Named(_) => None,
            Reader::Holder { .. } => Some(Asked {
                place: *place,
                reader,
                references: &[],
                dependencies: vec![*task],
            }),
        }
    });
    let refused = find_refused(work, &asked.collect::<Vec<_>>()).await?;
    Ok(refused.first().map(|refused| refused.place))
}

async fn find_refused(work: &Work<'_>, asked: &[Asked<'_>]) -> Result<Vec<Unreadable>, StoreError> {
    let tasks: BTreeSet<TaskId> = asked.iter().flat_map(Asked::tasks).collect();
    if tasks.is_empty() {
        return Ok(Vec::new());
    }
    let submitters = find_submitters(work, &tasks).await?;
    let mut handed = BTreeMap::new();
    let mut refused = Vec::new();
    for one in asked {
        if one.tasks().next().is_none() {
            continue;
        }
        if let Reader::Holder { key, task: held } = *one.reader
            && !handed.contains_key(&(key, held))
        {
            handed.insert((key, held), find_handed(work, &tasks, key, held).await?);
        }
        let is_readable = |task: &TaskId| {
            let Some(submitter) = submitters.get(task) else {
                return false;
            };
            match one.reader {
                Reader::Namespace => true,
                Reader::Submitter(key) => submitter.key == Some(*key),
                Reader::Named(name) => submitter.key.is_none() && submitter.name == *name,
                Reader::Holder { key, task: held } => {
                    let handed = handed.get(&(*key, *held));
                    submitter.key == Some(*key)
                        || handed.is_some_and(|handed| handed.contains(task))
                }
            }
        };
        let mut tasks = one.tasks().enumerate();
        let first = tasks.find(|(_, task)| !is_readable(task));
        refused.extend(first.map(|(nth, task)| Unreadable {
            place: one.place,
            task,
            exists: submitters.contains_key(&task),
            is_dependency: nth >= one.references.len(),
        }));
    }
    Ok(refused)
}

struct Submitter {
    key: Option<Uuid>,
    name: String,
}

async fn find_submitters(
    work: &Work<'_>,
    tasks: &BTreeSet<TaskId>,
) -> Result<BTreeMap<TaskId, Submitter>, StoreError> {
    let ids: Vec<Uuid> = tasks.iter().map(|task| task.0).collect();
    let rows = statements::find_submitters()
        .bind(work.transaction, &ids, &work.ns)
        .all()
        .await;
    let rows = rows?.into_iter();
    let submitters = rows.map(|row| {
        let submitter = Submitter {
            key: row.created_by_key,
            name: row.created_by,
        };
        (TaskId(row.task), submitter)
    });
    Ok(submitters.collect())
}

/// Returns those of the tasks that the claim of another one hands over, or that lie below it.
async fn find_handed(
    work: &Work<'_>,
    tasks: &BTreeSet<TaskId>,
    key: Uuid,
    held: TaskId,
) -> Result<BTreeSet<TaskId>, StoreError> {
    let ids: Vec<Uuid> = tasks.iter().map(|task| task.0).collect();
    let rows = statements::find_handed()
        .bind(work.transaction, &ids, &work.ns, &held.0, &key)
        .all()
        .await?;
    let mut handed: BTreeSet<TaskId> = rows.into_iter().map(TaskId).collect();
    let spec = find_specs()
        .bind(work.transaction, &&[held.0][..], &work.ns)
        .opt()
        .await;
    if let Some(spec) = spec? {
        let asked: NewTask = serde_json::from_value(spec.body)
            .map_err(|error| StoreError::Corrupt(format!("{held}: {error}")))?;
        let own = asked.spec.context_refs.iter();
        handed.extend(own.filter_map(|text| referenced_task(text)));
    }
    Ok(handed)
}
