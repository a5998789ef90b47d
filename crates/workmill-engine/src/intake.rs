//! Intake: what comes in is checked whole before anything is stored.
//!
//! Names become places, cycles are named, sizes and durations are held within limits. What goes
//! on to the store needs no second look.

mod limits;

use std::collections::{BTreeMap, BTreeSet};

use workmill_core::graph;
use workmill_core::ids::{GraphId, Namespace, TaskId};
use workmill_core::task::NewTask;
use workmill_store::StoreError;
use workmill_store::intake::{Submission, Submit, Submitted, TaskDraft};

use crate::engine::{Caller, Engine, Shared};
use crate::error::EngineError;
use crate::gather::Batch;

pub use limits::{MOST_EDGES, MOST_TASKS};

/// A graph that was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmittedGraph {
    pub id: GraphId,
    /// In the order of the request, with the names it gave.
    pub tasks: Vec<(String, TaskId)>,
    pub roots: Vec<TaskId>,
    pub leaves: Vec<TaskId>,
}

impl Engine {
    /// Submits tasks of their own, all or none.
    pub async fn submit_tasks(
        &self,
        caller: &Caller,
        tasks: &[NewTask],
    ) -> Result<Vec<TaskId>, EngineError> {
        limits::check_count(tasks.len())?;
        let mut drafts = Vec::with_capacity(tasks.len());
        for (place, task) in tasks.iter().enumerate() {
            let at = format!("tasks[{place}]");
            if !task.depends_on.is_empty() {
                let problem = "only a task of a graph can depend on others; create a graph";
                return Err(EngineError::invalid(format!("{at}.depends_on"), problem));
            }
            drafts.push(draft(&at, task)?);
        }
        let submitted = self.submit(caller, None, drafts).await?;
        Ok(submitted.tasks)
    }

    /// Submits a whole graph, all or nothing. Tasks refer to each other by name.
    pub async fn submit_graph(
        &self,
        caller: &Caller,
        title: &str,
        tasks: &[NewTask],
    ) -> Result<SubmittedGraph, EngineError> {
        limits::check_text("title", title, limits::LONGEST_TITLE)?;
        limits::check_count(tasks.len())?;
        let names = names(tasks)?;
        let depends_on = resolve(tasks, &names)?;
        let shape = graph::shape(&depends_on).map_err(|path| EngineError::Cycle {
            path: path
                .into_iter()
                .map(|place| name_of(tasks, place))
                .collect(),
        })?;
        let mut drafts = Vec::with_capacity(tasks.len());
        for (place, task) in tasks.iter().enumerate() {
            drafts.push(TaskDraft {
                depends_on: depends_on[&place].iter().copied().collect(),
                critical_path: shape.critical_path[&place],
                ..draft(&format!("tasks[{place}]"), task)?
            });
        }
        let submitted = self.submit(caller, Some(title.to_owned()), drafts).await?;
        let id = submitted.graph.ok_or_else(|| EngineError::NotFound {
            what: "the graph that was just created".to_owned(),
        })?;
        let ids = submitted.tasks;
        Ok(SubmittedGraph {
            id,
            roots: shape.roots.iter().map(|place| ids[*place]).collect(),
            leaves: shape.leaves.iter().map(|place| ids[*place]).collect(),
            tasks: ids
                .iter()
                .enumerate()
                .map(|(place, id)| (name_of(tasks, place), *id))
                .collect(),
        })
    }

    async fn submit(
        &self,
        caller: &Caller,
        graph: Option<String>,
        tasks: Vec<TaskDraft>,
    ) -> Result<Submitted, EngineError> {
        let submission = Submission {
            created_by: caller.name.clone(),
            graph,
            tasks,
        };
        self.submits.call(&self.shared, caller.ns, submission).await
    }
}

/// Submissions of one namespace, gathered.
#[derive(Debug)]
pub(crate) struct Submits;

impl Batch for Submits {
    type Request = Submission;
    type Answer = Submitted;
    const MOST: usize = 500;

    async fn run(
        shared: &Shared,
        ns: Namespace,
        submissions: &[Submission],
    ) -> Result<Vec<Submitted>, StoreError> {
        shared.run(&Submit { ns, submissions }).await
    }
}

/// The task with its policy stamped on it.
fn draft(at: &str, task: &NewTask) -> Result<TaskDraft, EngineError> {
    limits::check_task(at, task)?;
    let body = serde_json::value::to_raw_value(task)
        .map_err(|error| EngineError::invalid(at, error.to_string()))?;
    limits::check_body(at, &body)?;
    let policy = task.policy();
    Ok(TaskDraft {
        body,
        lane: task.lane(policy.boost),
        policy,
        priority: task.priority,
        critical_path: 0,
        scheduled_for: task.scheduled_for,
        on_dependency_failure: task.dependency_rule(),
        depends_on: Vec::new(),
    })
}

/// A task without a name goes by its place.
fn name_of(tasks: &[NewTask], place: usize) -> String {
    tasks[place]
        .name
        .clone()
        .unwrap_or_else(|| format!("#{place}"))
}

fn names(tasks: &[NewTask]) -> Result<BTreeMap<&str, usize>, EngineError> {
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

/// Places of the tasks that each one depends on.
fn resolve(
    tasks: &[NewTask],
    names: &BTreeMap<&str, usize>,
) -> Result<BTreeMap<usize, BTreeSet<usize>>, EngineError> {
    let mut depends_on = BTreeMap::new();
    let mut edges = 0;
    for (place, task) in tasks.iter().enumerate() {
        let mut on = BTreeSet::new();
        for (nth, name) in task.depends_on.iter().enumerate() {
            let Some(dependency) = names.get(name.as_str()) else {
                let at = format!("tasks[{place}].depends_on[{nth}]");
                return Err(EngineError::invalid(
                    at,
                    format!("no task is called `{name}`"),
                ));
            };
            on.insert(*dependency);
        }
        edges += on.len();
        depends_on.insert(place, on);
    }
    limits::check_edges(edges)?;
    Ok(depends_on)
}
