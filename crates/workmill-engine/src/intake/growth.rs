//! Graphs that are there grow: by tasks, by what a running task spawns, by single edges. And a
//! draft is submitted.

use std::collections::BTreeMap;

use serde::Serialize;
use workmill_core::authority::Authority;
use workmill_core::graph;
use workmill_core::ids::{GraphId, LeaseId, TaskId};
use workmill_core::task::NewTask;
use workmill_store::beside::beside;
use workmill_store::intake::TaskDraft;
use workmill_store::intake::draft::{DraftRefusal, SubmitDraft};
use workmill_store::intake::edges::{AddEdge, Edge, EdgeRefusal, RemoveEdge};
use workmill_store::intake::grow::{GrowGraph, GrowRefusal};
use workmill_store::intake::spawn::{Spawn, SpawnRefusal};
use workmill_store::intake::submit::Idempotency;

use super::bounds::too_many;
use super::{
    Author, check_keys, idempotency, limits, names, no_such_project, other_request, task_key_used,
    unreadable_as,
};
use crate::engine::{Caller, Engine};
use crate::error::EngineError;

pub use workmill_store::intake::grow::Grown;

/// Tasks that a running one spawns.
#[derive(Debug, Clone, Copy)]
pub struct SpawnRequest<'a, T> {
    pub tasks: T,
    /// The running task waits for them.
    pub wait: bool,
    /// The idempotency key of the call.
    pub key: Option<&'a str>,
}

impl Engine {
    /// Adds tasks to a graph; they may depend on each other and on tasks that are in it. Repeating the
    /// call with the same key adds nothing.
    pub async fn grow_graph(
        &self,
        caller: &Caller,
        graph: GraphId,
        tasks: impl AsRef<[NewTask]>,
        key: Option<&str>,
    ) -> Result<Grown, EngineError> {
        let existing = self.existing(caller, tasks.as_ref()).await?;
        let is_much = limits::is_much(tasks.as_ref());
        let named = &existing;
        let (drafts, idempotency) = beside(is_much, move || {
            let tasks = tasks.as_ref();
            let drafts = drafts(&Author::of(caller), tasks, named)?;
            let idempotency = keyed(tasks, key, &("grow", graph, tasks))?;
            Ok::<_, EngineError>((drafts, idempotency))
        })?;
        let operation = GrowGraph {
            ns: caller.ns,
            graph,
            created_by: &caller.name,
            key: Some(caller.key),
            tasks: &drafts,
            idempotency: idempotency.as_ref(),
        };
        let added = self.run(&operation).await?;
        added.map_err(|refusal| growth_refused(graph.to_string(), refusal, &existing))
    }

    /// Adds tasks below a running one, which goes on or waits for them. Repeating the call with the
    /// same key adds nothing, also when the lease has moved on since.
    pub async fn spawn(
        &self,
        caller: &Caller,
        lease: LeaseId,
        spawn: SpawnRequest<'_, impl Into<Vec<NewTask>>>,
    ) -> Result<Grown, EngineError> {
        let SpawnRequest { tasks, wait, key } = spawn;
        let mut tasks: Vec<NewTask> = tasks.into();
        let existing = self.existing(caller, &tasks).await?;
        let author = Author::holding(caller, lease.task);
        let is_much = limits::is_much(&tasks);
        // What is wrong with them whoever sends them is said first.
        let (mut asked, idempotency) = beside(is_much, || {
            let drafts = drafts(&author, &tasks, &existing)?;
            let request = ("spawn", caller.key, lease, &tasks, wait);
            Ok::<_, EngineError>((drafts, keyed(&tasks, key, &request)?))
        })?;
        let _share = self.shares.take(caller.ns).await?;
        let bounded = self.bound(caller, lease, &mut tasks).await?;
        if let Some(spawner) = bounded.spawner {
            // A repeated request is known by what was asked for, whatever was set then.
            let of_request: Vec<_> = asked.into_iter().map(|draft| draft.idempotency).collect();
            let drafts = beside(is_much, || drafts(&author, &tasks, &existing))?;
            let drafts = drafts.into_iter().zip(of_request);
            asked = drafts
                .map(|(draft, idempotency)| TaskDraft {
                    idempotency,
                    policy: spawner.bound_policy(draft.policy),
                    ..draft
                })
                .collect();
        }
        drop(tasks);
        let operation = Spawn {
            ns: caller.ns,
            key: caller.key,
            lease,
            created_by: &caller.name,
            tasks: &asked,
            wait,
            idempotency: idempotency.as_ref(),
            limits: bounded.limits,
        };
        match self.run(&operation).await? {
            Ok(spawned) => Ok(spawned),
            Err(SpawnRefusal::Lease(refusal)) => {
                Err(self.lease_refused(caller, lease, refusal).await)
            }
            Err(SpawnRefusal::Growth(GrowRefusal::Cycle(mut path))) => {
                if caller.authority != Authority::Orchestrator {
                    // The tasks in between are none of the agent's business.
                    path.retain(|task| *task == lease.task || written(&existing, *task).is_some());
                }
                Err(cycle(&path, &existing))
            }
            Err(SpawnRefusal::Growth(refusal)) => {
                Err(growth_refused(lease.task.to_string(), refusal, &existing))
            }
            Err(SpawnRefusal::BeyondBounds) => {
                Err(bounded.beyond.unwrap_or(EngineError::LeaseLost { lease }))
            }
            Err(SpawnRefusal::TooMany(refused)) => Err(too_many(refused)),
            Err(SpawnRefusal::TooCostly { left }) => Err(EngineError::not_allowed(
                "tasks",
                format!("they may cost more than the {left} that the spawning task has left"),
            )),
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

    /// Returns the tasks that exist already and that these depend on, by the names they are given.
    async fn existing(
        &self,
        caller: &Caller,
        tasks: &[NewTask],
    ) -> Result<BTreeMap<String, TaskId>, EngineError> {
        limits::check_count(tasks.len())?;
        limits::check_edges(tasks.iter().map(|task| task.depends_on.len()).sum())?;
        self.named_tasks(caller, &names::unresolved(tasks)?).await
    }
}

fn drafts(
    author: &Author,
    tasks: &[NewTask],
    existing: &BTreeMap<String, TaskId>,
) -> Result<Vec<TaskDraft>, EngineError> {
    let resolved = names::resolve(tasks, existing)?;
    let shape = graph::shape(&resolved.among_new()).map_err(|path| EngineError::Cycle {
        path: path
            .into_iter()
            .map(|place| names::name_of(tasks, place))
            .collect(),
    })?;
    resolved.drafts(author, tasks, &shape)
}

/// What the call is remembered by. A single task may name the key of the call as its own.
fn keyed(
    tasks: &[NewTask],
    key: Option<&str>,
    request: &impl Serialize,
) -> Result<Option<Idempotency>, EngineError> {
    check_keys(tasks, key.filter(|_| tasks.len() > 1))?;
    let key = key.filter(|key| {
        tasks
            .iter()
            .all(|task| task.idempotency_key.as_deref() != Some(*key))
    });
    key.map(|key| idempotency(key, request)).transpose()
}

/// Returns what the caller has called an existing task.
fn written(existing: &BTreeMap<String, TaskId>, task: TaskId) -> Option<&str> {
    let mut names = existing.iter();
    names.find_map(|(name, id)| (*id == task).then_some(name.as_str()))
}

/// Returns the name of a task for a refusal. A caller that named it by a key learns no id from it.
fn name_for_caller(existing: &BTreeMap<String, TaskId>, task: TaskId) -> String {
    written(existing, task).map_or_else(|| task.to_string(), ToOwned::to_owned)
}

fn growth_refused(
    what: String,
    refusal: GrowRefusal,
    existing: &BTreeMap<String, TaskId>,
) -> EngineError {
    match refusal {
        GrowRefusal::NoSuchGraph => EngineError::NotFound { what },
        GrowRefusal::NoSuchTask(task) => EngineError::NotFound {
            what: format!("`{}` in the same graph", name_for_caller(existing, task)),
        },
        GrowRefusal::Closed(graph) => EngineError::Conflict {
            problem: format!("{graph} was cancelled and takes no more tasks"),
        },
        GrowRefusal::OtherRequest => other_request(),
        GrowRefusal::TaskKeyUsed(task) => task_key_used(task),
        GrowRefusal::KeyTaken(key) => EngineError::Conflict {
            problem: format!("another task has the key `{key}`"),
        },
        GrowRefusal::NoSuchProject(project) => no_such_project(project),
        GrowRefusal::Unreadable(refused) => {
            let at = format!("tasks[{}]", refused.place);
            let name = if refused.is_dependency {
                name_for_caller(existing, refused.task)
            } else {
                refused.task.to_string()
            };
            unreadable_as(&at, refused, &name)
        }
        GrowRefusal::Cycle(path) => cycle(&path, existing),
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
        EdgeRefusal::Cycle(path) => cycle(&path, &BTreeMap::new()),
        EdgeRefusal::TooLate(state) => EngineError::Conflict {
            problem: format!("a task that is {state} can no longer get a dependency"),
        },
    }
}

fn cycle(path: &[TaskId], existing: &BTreeMap<String, TaskId>) -> EngineError {
    let names = path.iter().map(|task| name_for_caller(existing, *task));
    EngineError::Cycle {
        path: names.collect(),
    }
}
