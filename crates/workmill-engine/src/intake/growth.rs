//! Graphs that are there grow: by tasks, by what a running task spawns, by single edges. And a
//! draft is submitted.

use workmill_core::graph;
use workmill_core::ids::{GraphId, LeaseId, TaskId};
use workmill_core::task::NewTask;
use workmill_store::intake::TaskDraft;
use workmill_store::intake::draft::{DraftRefusal, SubmitDraft};
use workmill_store::intake::edges::{AddEdge, Edge, EdgeRefusal, RemoveEdge};
use workmill_store::intake::grow::{GrowGraph, GrowRefusal};
use workmill_store::intake::spawn::{Spawn, SpawnRefusal};

use super::{limits, names, no_such_project};
use crate::beside::beside;
use crate::engine::{Caller, Engine};
use crate::error::EngineError;

impl Engine {
    /// Adds tasks to a graph; they may depend on each other and on tasks that are in it.
    pub async fn grow_graph(
        &self,
        caller: &Caller,
        graph: GraphId,
        tasks: impl AsRef<[NewTask]>,
    ) -> Result<Vec<TaskId>, EngineError> {
        let count = tasks.as_ref().len();
        let drafts = beside(count, move || drafts(tasks.as_ref()))?;
        let operation = GrowGraph {
            ns: caller.ns,
            graph,
            created_by: &caller.name,
            tasks: &drafts,
        };
        let added = self.run(&operation).await?;
        added.map_err(|refusal| growth_refused(graph.to_string(), refusal))
    }

    /// Adds tasks below a running one, which goes on or waits for them.
    pub async fn spawn(
        &self,
        caller: &Caller,
        lease: LeaseId,
        tasks: impl AsRef<[NewTask]>,
        wait: bool,
    ) -> Result<Vec<TaskId>, EngineError> {
        let count = tasks.as_ref().len();
        let drafts = beside(count, move || drafts(tasks.as_ref()))?;
        let _share = self.shares.take(caller.ns).await?;
        let operation = Spawn {
            ns: caller.ns,
            key: caller.key,
            lease,
            created_by: &caller.name,
            tasks: &drafts,
            wait,
        };
        match self.run(&operation).await? {
            Ok(spawned) => Ok(spawned),
            Err(SpawnRefusal::Lease(refusal)) => {
                Err(self.lease_refused(caller, lease, refusal).await)
            }
            Err(SpawnRefusal::Growth(refusal)) => {
                Err(growth_refused(lease.task.to_string(), refusal))
            }
        }
    }

    /// Submits a drafted graph; answers how many tasks it has.
    pub async fn submit_draft(
        &self,
        caller: &Caller,
        graph: GraphId,
    ) -> Result<usize, EngineError> {
        let submitted = self
            .run(&SubmitDraft {
                ns: caller.ns,
                graph,
            })
            .await?;
        submitted.map_err(|refusal| match refusal {
            DraftRefusal::NoSuchGraph => EngineError::NotFound {
                what: graph.to_string(),
            },
            DraftRefusal::NotADraft => EngineError::Conflict {
                problem: format!("{graph} is not a draft"),
            },
        })
    }

    /// Makes a task wait for another one of its graph; answers whether that is new.
    pub async fn add_dependency(
        &self,
        caller: &Caller,
        task: TaskId,
        depends_on: TaskId,
    ) -> Result<bool, EngineError> {
        let operation = AddEdge {
            ns: caller.ns,
            edge: Edge { task, depends_on },
        };
        let answer = self.run_by(caller, &operation).await?;
        answer.map_err(edge_refused)
    }

    /// Answers whether there was such a dependency.
    pub async fn remove_dependency(
        &self,
        caller: &Caller,
        task: TaskId,
        depends_on: TaskId,
    ) -> Result<bool, EngineError> {
        let operation = RemoveEdge {
            ns: caller.ns,
            edge: Edge { task, depends_on },
        };
        let answer = self.run_by(caller, &operation).await?;
        answer.map_err(edge_refused)
    }
}

fn drafts(tasks: &[NewTask]) -> Result<Vec<TaskDraft>, EngineError> {
    limits::check_count(tasks.len())?;
    let resolved = names::resolve(tasks, names::Existing::Allowed)?;
    let shape = graph::shape(&resolved.among_new()).map_err(|path| EngineError::Cycle {
        path: path
            .into_iter()
            .map(|place| names::name_of(tasks, place))
            .collect(),
    })?;
    resolved.drafts(tasks, &shape)
}

fn growth_refused(what: String, refusal: GrowRefusal) -> EngineError {
    match refusal {
        GrowRefusal::NoSuchGraph => EngineError::NotFound { what },
        GrowRefusal::NoSuchTask(task) => EngineError::NotFound {
            what: format!("{task} in the same graph"),
        },
        GrowRefusal::Closed => EngineError::Conflict {
            problem: format!("{what} is cancelled"),
        },
        GrowRefusal::KeyTaken(key) => EngineError::Conflict {
            problem: format!("another task has the key `{key}`"),
        },
        GrowRefusal::NoSuchProject(project) => no_such_project(project),
        GrowRefusal::Cycle(path) => cycle(&path),
    }
}

fn edge_refused(refusal: EdgeRefusal) -> EngineError {
    match refusal {
        EdgeRefusal::NoSuchTask(task) => EngineError::NotFound {
            what: task.to_string(),
        },
        EdgeRefusal::DifferentGraphs => EngineError::Conflict {
            problem: "the two tasks are not in one graph".to_owned(),
        },
        EdgeRefusal::Cycle(path) => cycle(&path),
        EdgeRefusal::TooLate(state) => EngineError::Conflict {
            problem: format!("a task that is {state} can wait for nothing any more"),
        },
    }
}

fn cycle(path: &[TaskId]) -> EngineError {
    EngineError::Cycle {
        path: path.iter().map(ToString::to_string).collect(),
    }
}
