//! Names in a request: each task may have one, and dependencies are named by it, or by the id of
//! a task that is in the graph already.

use std::collections::{BTreeMap, BTreeSet};

use workmill_core::graph::Shape;
use workmill_core::ids::TaskId;
use workmill_core::task::NewTask;
use workmill_store::intake::submit::Idempotency;
use workmill_store::intake::{Dependency, TaskDraft};

use super::{Author, check_references, draft, idempotency, limits};
use crate::error::EngineError;

/// Whether a dependency may be a task that exists already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Existing {
    Allowed,
    Refused,
}

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
            drafts.push(TaskDraft {
                depends_on: depends_on.into_iter().collect(),
                critical_path: shape.critical_path[&place],
                idempotency: task_key(task)?,
                ..author.sign(&at, task, draft(&at, task)?)?
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

pub(super) fn resolve(tasks: &[NewTask], existing: Existing) -> Result<Resolved, EngineError> {
    let names = read_names(tasks)?;
    let mut depends_on = Vec::with_capacity(tasks.len());
    for (place, task) in tasks.iter().enumerate() {
        let mut on = BTreeSet::new();
        for (nth, name) in task.depends_on.iter().enumerate() {
            let dependency = match names.get(name.as_str()) {
                Some(place) => Some(Dependency::New(*place)),
                None if existing == Existing::Refused => None,
                None => name.parse::<TaskId>().ok().map(Dependency::Existing),
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
    Ok(names)
}
