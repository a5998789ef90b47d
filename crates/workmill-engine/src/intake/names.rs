//! Names in a request: each task may have one, and dependencies are named by it, by the planner's key
//! of a task of the request, or by the id or the key of a task that is in the graph already.

use std::collections::{BTreeMap, BTreeSet};

use workmill_core::graph::Shape;
use workmill_core::ids::TaskId;
use workmill_core::task::NewTask;
use workmill_store::intake::submit::Idempotency;
use workmill_store::intake::{Dependency, TaskDraft};

use super::{Author, check_references, draft, idempotency, limits};
use crate::error::EngineError;

/// What each task depends on, by place.
pub(super) struct Resolved {
    depends_on: Vec<BTreeSet<Dependency>>,
}

impl Resolved {
    /// The dependencies among the tasks of the request.
    pub(super) fn among_new(&self) -> BTreeMap<usize, BTreeSet<usize>> {
        let new = |dependency: &Dependency| match dependency {
            Dependency::New(place) => Some(*place),
            Dependency::Existing(_) => None,
        };
        let places = self.depends_on.iter().enumerate();
        places
            .map(|(place, on)| (place, on.iter().filter_map(new).collect()))
            .collect()
    }

    pub(super) fn drafts(
        self,
        author: &Author,
        tasks: &[NewTask],
        shape: &Shape<usize>,
    ) -> Result<Vec<TaskDraft>, EngineError> {
        let mut drafts = Vec::with_capacity(tasks.len());
        for (place, (task, depends_on)) in tasks.iter().zip(self.depends_on).enumerate() {
            let at = format!("tasks[{place}]");
            let draft = author.sign(&at, task, draft(&at, task)?)?;
            drafts.push(TaskDraft {
                depends_on: depends_on.into_iter().collect(),
                critical_path: shape.critical_path[&place],
                idempotency: task_key(task)?,
                ..draft
            });
        }
        check_references(&drafts)?;
        Ok(drafts)
    }
}

/// What a task of a graph is remembered by, if it has a key of its own.
pub(super) fn task_key(task: &NewTask) -> Result<Option<Idempotency>, EngineError> {
    let key = task.idempotency_key.as_deref();
    key.map(|key| idempotency(key, &("task", task))).transpose()
}

/// A task without a name goes by its place.
pub(super) fn name_of(tasks: &[NewTask], place: usize) -> String {
    tasks[place]
        .name
        .clone()
        .unwrap_or_else(|| format!("#{place}"))
}

/// Returns the dependencies that no task of the request has as its name or key.
pub(super) fn unresolved(tasks: &[NewTask]) -> Result<Vec<&str>, EngineError> {
    let names = read_names(tasks)?;
    let all = tasks.iter().flat_map(|task| &task.depends_on);
    let others: BTreeSet<&str> = all
        .map(String::as_str)
        .filter(|name| !names.contains_key(name))
        .collect();
    Ok(others.into_iter().collect())
}

/// `existing` are tasks that exist already, by the names they are depended on with.
pub(super) fn resolve(
    tasks: &[NewTask],
    existing: &BTreeMap<String, TaskId>,
) -> Result<Resolved, EngineError> {
    let names = read_names(tasks)?;
    let mut depends_on = Vec::with_capacity(tasks.len());
    for (place, task) in tasks.iter().enumerate() {
        let mut on = BTreeSet::new();
        for (nth, name) in task.depends_on.iter().enumerate() {
            let dependency = match names.get(name.as_str()) {
                Some(place) => Some(Dependency::New(*place)),
                None => existing.get(name).copied().map(Dependency::Existing),
            };
            let Some(dependency) = dependency else {
                let at = format!("tasks[{place}].depends_on[{nth}]");
                return Err(EngineError::invalid(
                    at,
                    format!("no task is called `{name}`"),
                ));
            };
            on.insert(dependency);
        }
        depends_on.push(on);
    }
    limits::check_edges(depends_on.iter().map(BTreeSet::len).sum())?;
    Ok(Resolved { depends_on })
}

/// The places of the tasks, by name and by key. A name goes before another task's key.
fn read_names(tasks: &[NewTask]) -> Result<BTreeMap<&str, usize>, EngineError> {
    let mut names = BTreeMap::new();
    for (place, task) in tasks.iter().enumerate() {
        if let Some(name) = task.name.as_deref()
            && names.insert(name, place).is_some()
        {
            let problem = format!("another task is called `{name}` too");
            return Err(EngineError::invalid(
                format!("tasks[{place}].name"),
                problem,
            ));
        }
    }
    for (place, task) in tasks.iter().enumerate() {
        if let Some(key) = task.key.as_deref() {
            names.entry(key).or_insert(place);
        }
    }
    Ok(names)
}
