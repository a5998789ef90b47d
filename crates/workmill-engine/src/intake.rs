//! Intake: what comes in is checked whole before anything is stored.
//!
//! Names become places, cycles are named, sizes and durations are held within limits. What the
//! store still has to check needs the database: keys that are taken, tasks that are not there,
//! cycles through what is there.

mod edit;
mod growth;
mod hand_over;
pub(crate) mod inbox;
pub(crate) mod limits;
mod names;
pub mod plan;

use std::borrow::Borrow;
use std::io;

use serde::Serialize;
use sha2::{Digest, Sha256};
use workmill_core::graph;
use workmill_core::ids::{GraphId, Namespace, ProjectId, TaskId};
use workmill_core::money::Micros;
use workmill_core::task::NewTask;
use workmill_store::StoreError;
use workmill_store::intake::submit::Idempotency;
use workmill_store::intake::{NewGraph, Submission, Submit, SubmitRefusal, Submitted, TaskDraft};

use crate::beside::beside;
use crate::engine::{Caller, Engine, Shared};
use crate::error::EngineError;
use crate::gather::{Batch, is_somebodys_fault};

pub(crate) use edit::Changes;
pub use edit::Edited;
pub(crate) use limits::{LONGEST_TITLE, LONGEST_WORD, check_text};
pub use limits::{MOST_EDGES, MOST_TASKS};

/// Tasks that were accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmittedTasks {
    pub tasks: Vec<TaskId>,
    /// The same request had been accepted before.
    pub is_repeat: bool,
}

/// A graph that is to be created.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GraphRequest {
    pub title: String,
    /// Nothing of it runs before it is submitted.
    pub draft: bool,
    /// The most that all its attempts together may cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_usd: Option<Micros>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project_id: Option<ProjectId>,
    pub tasks: Vec<NewTask>,
}

/// A graph that was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmittedGraph {
    pub id: GraphId,
    /// In the order of the request, with the names it gave.
    pub tasks: Vec<(String, TaskId)>,
    pub roots: Vec<TaskId>,
    pub leaves: Vec<TaskId>,
    pub is_repeat: bool,
}

impl Engine {
    /// Submits tasks of their own, all or none. A key for the call makes repeating it harmless; a
    /// single task may bring its own. Tasks that are handed over are not kept longer than needed.
    pub async fn submit_tasks(
        &self,
        caller: &Caller,
        tasks: impl AsRef<[NewTask]>,
        key: Option<&str>,
    ) -> Result<SubmittedTasks, EngineError> {
        let count = tasks.as_ref().len();
        limits::check_count(count)?;
        let at = |place| format!("tasks[{place}]");
        let submission = Submission {
            key: Some(caller.key),
            ..beside(count, move || {
                submission_of_tasks(caller.name.clone(), tasks.as_ref(), key, at)
            })?
        };
        let submitted = self.submit(caller, submission).await?;
        Ok(SubmittedTasks {
            tasks: submitted.tasks,
            is_repeat: submitted.is_repeat,
        })
    }

    /// Submits a whole graph, all or nothing. Tasks refer to each other by name. A request that is
    /// handed over is not kept longer than needed.
    pub async fn submit_graph(
        &self,
        caller: &Caller,
        request: impl Borrow<GraphRequest>,
        key: Option<&str>,
    ) -> Result<SubmittedGraph, EngineError> {
        let count = Borrow::<GraphRequest>::borrow(&request).tasks.len();
        let (submission, shape, names) = beside(count, move || {
            submission_of_graph(caller, request.borrow(), key)
        })?;
        let submitted = self.submit(caller, submission).await?;
        let Some(id) = submitted.graph else {
            let problem = "this key was used for tasks, not for a graph".to_owned();
            return Err(EngineError::Conflict { problem });
        };
        let ids = submitted.tasks;
        Ok(SubmittedGraph {
            id,
            roots: shape.roots.iter().map(|place| ids[*place]).collect(),
            leaves: shape.leaves.iter().map(|place| ids[*place]).collect(),
            tasks: names.into_iter().zip(ids).collect(),
            is_repeat: submitted.is_repeat,
        })
    }

    async fn submit(
        &self,
        caller: &Caller,
        submission: Submission,
    ) -> Result<Submitted, EngineError> {
        let answer = if submission.tasks.len() < A_BATCH_BY_ITSELF {
            self.submits
                .call(&self.shared, caller.ns, submission)
                .await?
        } else {
            self.large_submits
                .call(&self.shared, caller.ns, submission)
                .await?
        };
        answer.map_err(refused)
    }
}

/// A graph, checked; with its shape and the names of its tasks.
fn submission_of_graph(
    caller: &Caller,
    request: &GraphRequest,
    key: Option<&str>,
) -> Result<(Submission, graph::Shape<usize>, Vec<String>), EngineError> {
    limits::check_text("title", &request.title, limits::LONGEST_TITLE)?;
    if request.budget_usd.is_some_and(Micros::is_negative) {
        return Err(EngineError::invalid("budget_usd", "must not be negative"));
    }
    let tasks = &request.tasks;
    limits::check_count(tasks.len())?;
    let resolved = names::resolve(tasks, names::Existing::Refused)?;
    let shape = graph::shape(&resolved.among_new()).map_err(|path| EngineError::Cycle {
        path: path
            .into_iter()
            .map(|place| names::name_of(tasks, place))
            .collect(),
    })?;
    let drafts = resolved.drafts(tasks, &shape)?;
    let idempotency = key
        .map(|key| idempotency(key, &("graph", request)))
        .transpose()?;
    let graph = NewGraph {
        title: request.title.clone(),
        is_draft: request.draft,
        budget: request.budget_usd,
        project: request.project_id,
    };
    let submission = Submission {
        created_by: caller.name.clone(),
        key: Some(caller.key),
        graph: Some(graph),
        tasks: drafts,
        idempotency,
    };
    let names = (0..tasks.len()).map(|place| names::name_of(tasks, place));
    Ok((submission, shape, names.collect()))
}

/// Tasks of their own, checked. `at` is where the task of a place stands in the request.
fn submission_of_tasks(
    created_by: String,
    tasks: &[NewTask],
    key: Option<&str>,
    at: impl Fn(usize) -> String,
) -> Result<Submission, EngineError> {
    let mut drafts = Vec::with_capacity(tasks.len());
    for (place, task) in tasks.iter().enumerate() {
        let at = at(place);
        if !task.depends_on.is_empty() {
            let problem = "only a task of a graph can depend on others; create a graph";
            return Err(EngineError::invalid(format!("{at}.depends_on"), problem));
        }
        drafts.push(draft(&at, task)?);
    }
    let key = call_key(tasks, key)?;
    let idempotency = key
        .map(|key| idempotency(key, &("tasks", tasks)))
        .transpose()?;
    Ok(Submission {
        created_by,
        key: None,
        graph: None,
        tasks: drafts,
        idempotency,
    })
}

fn refused(refusal: SubmitRefusal) -> EngineError {
    match refusal {
        SubmitRefusal::OtherRequest { .. } => EngineError::Conflict {
            problem: "the idempotency key stands for another request".to_owned(),
        },
        SubmitRefusal::KeyTaken { key } => EngineError::Conflict {
            problem: format!("another task has the key `{key}`"),
        },
        SubmitRefusal::NoSuchProject { project } => no_such_project(project),
    }
}

fn no_such_project(project: ProjectId) -> EngineError {
    EngineError::invalid("project_id", format!("{project} does not exist"))
}

/// So many tasks gain nothing from sharing a commit.
const A_BATCH_BY_ITSELF: usize = 100;

/// The key of the call: its own, or that of its only task.
fn call_key<'a>(
    tasks: &'a [NewTask],
    key: Option<&'a str>,
) -> Result<Option<&'a str>, EngineError> {
    let own = tasks
        .iter()
        .find_map(|task| task.idempotency_key.as_deref());
    match (own, key) {
        (Some(_), _) if tasks.len() > 1 => Err(EngineError::invalid(
            "tasks",
            "an idempotency key covers a whole call: send it with the call, not with its tasks",
        )),
        (Some(own), Some(key)) if own != key => Err(EngineError::invalid(
            "idempotency_key",
            "the task and the call name different keys",
        )),
        (own, key) => Ok(key.or(own)),
    }
}

pub(crate) fn idempotency(key: &str, request: &impl Serialize) -> Result<Idempotency, EngineError> {
    limits::check_text("idempotency_key", key, limits::LONGEST_WORD)?;
    let mut digest = Digesting(Sha256::new());
    serde_json::to_writer(&mut digest, request)
        .map_err(|error| EngineError::invalid("request", error.to_string()))?;
    Ok(Idempotency {
        key: key.to_owned(),
        digest: digest.0.finalize().to_vec(),
    })
}

/// Digests what is written, so that a large request is not in memory once more.
struct Digesting(Sha256);

impl io::Write for Digesting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Submissions of one namespace, gathered.
#[derive(Debug)]
pub(crate) struct Submits;

impl Batch for Submits {
    type Request = Submission;
    type Answer = Result<Submitted, SubmitRefusal>;
    const MOST: usize = 500;
    /// Four batches: who comes later is sooner served by coming again.
    const LONGEST_QUEUE: usize = 2_000;

    async fn run(
        shared: &Shared,
        ns: Namespace,
        submissions: &[Submission],
    ) -> Result<Vec<Self::Answer>, StoreError> {
        // Only who comes alone, and so has no commit to share, shares that of those who wait.
        if let [submission] = submissions {
            let guests = hand_over::invite(shared, ns, submission);
            if !guests.is_empty() {
                match hand_over::serve(shared, ns, submission, guests).await {
                    // Perhaps it is what the others would have got: they look for themselves.
                    Err(error) if is_somebodys_fault(&error) => {
                        tracing::warn!(%error, "a submission cannot be handed over");
                    }
                    answer => return answer.map(|answer| vec![answer]),
                }
            }
        }
        shared.run(&Submit { ns, submissions }).await
    }
}

/// Submissions of many tasks that may be under way at once, of all namespaces: they leave room for
/// the others.
pub(crate) const LARGE_SUBMITS: usize = 2;

/// Submissions of many tasks, one by one: not behind the others of the namespace. Namespaces take
/// turns.
#[derive(Debug)]
pub(crate) struct LargeSubmits;

impl Batch for LargeSubmits {
    type Request = Submission;
    type Answer = Result<Submitted, SubmitRefusal>;
    const MOST: usize = 1;
    const LONGEST_QUEUE: usize = 100;
    const AT_ONCE: usize = LARGE_SUBMITS;

    async fn run(
        shared: &Shared,
        ns: Namespace,
        submissions: &[Submission],
    ) -> Result<Vec<Self::Answer>, StoreError> {
        // Never closed.
        let _turn = shared.large_turns.acquire().await;
        shared.run(&Submit { ns, submissions }).await
    }
}

/// The task with its policy stamped on it.
pub(crate) fn draft(at: &str, task: &NewTask) -> Result<TaskDraft, EngineError> {
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
        deadline: task.deadline,
        estimate: task.estimate(),
        on_dependency_failure: task.dependency_rule(),
        depends_on: Vec::new(),
        key: task.key.clone(),
        project: task.project_id,
    })
}
