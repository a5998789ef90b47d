//! Outputs of other tasks that a task refers to: they exist, and whoever refers to them may read them.
//!
//! What comes in are drafts; what goes out is the first reference of each that is refused. It is
//! asked in the transaction that lets the drafts in, after a repeated request has found its answer.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;
use workmill_core::ids::TaskId;
use workmill_core::task::{NewTask, referenced_task};
use workmill_queries::queries::intake::references as statements;
use workmill_queries::queries::task::held::find_specs;

use super::arrival::TaskDraft;
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
}

/// Returns the first reference of each draft that is refused.
pub(crate) async fn find_unreadable<'a>(
    work: &Work<'_>,
    drafts: impl IntoIterator<Item = &'a TaskDraft>,
) -> Result<Vec<Unreadable>, StoreError> {
    let drafts = drafts
        .into_iter()
        .map(|draft| &draft.references)
        .enumerate();
    let referring: Vec<(usize, &References)> = drafts
        .filter(|(_, references)| !references.tasks.is_empty())
        .collect();
    if referring.is_empty() {
        return Ok(Vec::new());
    }
    let tasks = referring
        .iter()
        .flat_map(|(_, references)| &references.tasks);
    let tasks: BTreeSet<TaskId> = tasks.copied().collect();
    let submitters = find_submitters(work, &tasks).await?;
    let mut handed = BTreeMap::new();
    let mut refused = Vec::new();
    for (place, references) in referring {
        if let Reader::Holder { key, task: held } = references.reader
            && !handed.contains_key(&(key, held))
        {
            handed.insert((key, held), find_handed(work, &tasks, key, held).await?);
        }
        let is_readable = |task: &TaskId| {
            let Some(submitter) = submitters.get(task) else {
                return false;
            };
            match &references.reader {
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
        let first = references.tasks.iter().find(|task| !is_readable(task));
        refused.extend(first.map(|task| Unreadable {
            place,
            task: *task,
            exists: submitters.contains_key(task),
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
    let rows = rows.map_err(|error| work.failed(error))?.into_iter();
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
        .await;
    let rows = rows.map_err(|error| work.failed(error))?;
    let mut handed: BTreeSet<TaskId> = rows.into_iter().map(TaskId).collect();
    let spec = find_specs()
        .bind(work.transaction, &&[held.0][..], &work.ns)
        .opt()
        .await;
    if let Some(spec) = spec.map_err(|error| work.failed(error))? {
        let asked: NewTask = serde_json::from_value(spec.body)
            .map_err(|error| StoreError::Corrupt(format!("{held}: {error}")))?;
        let own = asked.spec.context_refs.iter();
        handed.extend(own.filter_map(|text| referenced_task(text)));
    }
    Ok(handed)
}
