//! Intake: what comes in is checked whole before anything is stored.
//!
//! Names become places, cycles are named, sizes and durations are held within limits. What the
//! store still has to check needs the database: keys that are taken, tasks that are not there,
//! cycles through what is there.

mod author;
mod bounds;
mod edit;
mod growth;
mod hand_over;
pub(crate) mod inbox;
pub(crate) mod limits;
mod names;
pub mod plan;

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde::Serialize;
use sha2::{Digest, Sha256};
use workmill_core::graph;
use workmill_core::ids::{GraphId, Namespace, ProjectId, TaskId};
use workmill_core::money::Micros;
use workmill_core::task::NewTask;
use workmill_store::StoreError;
use workmill_store::beside::beside;
use workmill_store::intake::submit::Idempotency;
use workmill_store::intake::{NewGraph, Submission, Submit, SubmitRefusal, Submitted, TaskDraft};

use crate::engine::{Caller, Engine, Shared};
use crate::error::EngineError;
use crate::gather::{Batch, is_somebodys_fault};

pub(crate) use author::Author;
use author::{check_references, unreadable, unreadable_as};
pub(crate) use edit::Changes;
pub use edit::Edited;
pub use growth::{Grown, SpawnRequest};
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
    /// On whose behalf; also that of its tasks, unless they name another creator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
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
        limits::check_count(tasks.as_ref().len())?;
        let at = |place| format!("tasks[{place}]");
        let submission = Submission {
            key: Some(caller.key),
            ..beside(limits::is_much(tasks.as_ref()), move || {
                let author = Author::of(caller);
                submission_of_tasks(&author, caller.name.clone(), tasks.as_ref(), key, at)
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
        let is_much = limits::is_much(&Borrow::<GraphRequest>::borrow(&request).tasks);
        let (submission, shape, names) = beside(is_much, move || {
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
    let resolved = names::resolve(tasks, &BTreeMap::new())?;
    let shape = graph::shape(&resolved.among_new()).map_err(|path| EngineError::Cycle {
        path: path
            .into_iter()
            .map(|place| names::name_of(tasks, place))
            .collect(),
    })?;
    let author = Author::of(caller);
    if let Some(creator) = &request.created_by {
        author.check_creator("created_by", creator)?;
    }
    let drafts = resolved.drafts(&author, tasks, &shape)?;
    check_keys(tasks, key)?;
    let idempotency = graph_key(request, key)?;
    let graph = NewGraph {
        title: request.title.clone(),
        is_draft: request.draft,
        budget: request.budget_usd,
        project: request.project_id,
    };
    let creator = request.created_by.as_deref();
    let creator = creator.or_else(|| common_creator(tasks));
    let submission = Submission {
        created_by: creator.unwrap_or(&caller.name).to_owned(),
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
    author: &Author,
    created_by: String,
    tasks: &[NewTask],
    key: Option<&str>,
    at: impl Fn(usize) -> String,
) -> Result<Submission, EngineError> {
    let mut drafts = Vec::with_capacity(tasks.len());
    for (place, task) in tasks.iter().enumerate() {
        let at = at(place);
        if !task.depends_on.is_empty() {
            let problem = "`POST /v1/tasks` and the inbox take no dependencies; create a graph with the \
                           tasks (`POST /v1/graphs`, `workmill graph create -f FILE`), or add the task to the \
                           graph of its dependency (`POST /v1/graphs/{id}/tasks`, `workmill submit \
                           --depends-on TASK`)";
            return Err(EngineError::invalid(format!("{at}.depends_on"), problem));
        }
        drafts.push(author.sign(&at, task, draft(&at, task)?)?);
    }
    check_references(&drafts)?;
    let own = own_key(tasks)?;
    let keyed = |key: &str| idempotency(key, &("tasks", tasks));
    // The key of a single task is what it is known by; that of the call is then used up, too.
    if let (Some(own), Some(key), [draft]) = (own, key, &mut drafts[..])
        && own != key
    {
        draft.idempotency = Some(keyed(key)?);
    }
    let idempotency = own.or(key).map(keyed).transpose()?;
    Ok(Submission {
        created_by,
        key: None,
        graph: None,
        tasks: drafts,
        idempotency,
    })
}

/// What a graph is remembered by. Without a key of the call, a graph whose tasks have keys is known
/// again by all that it says: its tasks cannot enter another one.
fn graph_key(
    request: &GraphRequest,
    key: Option<&str>,
) -> Result<Option<Idempotency>, EngineError> {
    if let Some(key) = key {
        return Ok(Some(idempotency(key, &("graph", request))?));
    }
    let has_keys = request
        .tasks
        .iter()
        .any(|task| task.idempotency_key.is_some());
    if !has_keys {
        return Ok(None);
    }
    let digest = digest_of(&("graph", request))?;
    let digits = digest.iter().map(|byte| format!("{byte:02x}"));
    let key = format!("graph {}", digits.collect::<String>());
    Ok(Some(Idempotency { key, digest }))
}

/// Each idempotency key of a call stands for one thing.
fn check_keys(tasks: &[NewTask], of_call: Option<&str>) -> Result<(), EngineError> {
    let mut keys: BTreeSet<&str> = of_call.into_iter().collect();
    for (place, task) in tasks.iter().enumerate() {
        if let Some(key) = task.idempotency_key.as_deref()
            && !keys.insert(key)
        {
            let at = format!("tasks[{place}].idempotency_key");
            let problem = "is the key of another task of this call, or of the call itself";
            return Err(EngineError::invalid(at, problem));
        }
    }
    Ok(())
}

fn other_request() -> EngineError {
    EngineError::Conflict {
        problem: "the idempotency key belongs to another request".to_owned(),
    }
}

fn task_key_used(task: usize) -> EngineError {
    EngineError::Conflict {
        problem: format!("tasks[{task}].idempotency_key belongs to another task"),
    }
}

fn refused(refusal: SubmitRefusal) -> EngineError {
    match refusal {
        SubmitRefusal::OtherRequest { .. } => other_request(),
        SubmitRefusal::TaskKeyUsed { task } => task_key_used(task),
        SubmitRefusal::KeyTaken { key } => EngineError::Conflict {
            problem: format!("another task has the key `{key}`"),
        },
        SubmitRefusal::NoSuchProject { project } => no_such_project(project),
        SubmitRefusal::Unreadable(refused) => {
            unreadable(&format!("tasks[{}]", refused.place), refused)
        }
    }
}

/// Whoever all tasks of a graph were submitted for.
fn common_creator(tasks: &[NewTask]) -> Option<&str> {
    let first = tasks.first()?.created_by.as_deref()?;
    let is_common = |task: &NewTask| task.created_by.as_deref() == Some(first);
    tasks.iter().all(is_common).then_some(first)
}

fn no_such_project(project: ProjectId) -> EngineError {
    EngineError::invalid("project_id", format!("{project} does not exist"))
}

/// So many tasks gain nothing from sharing a commit.
const A_BATCH_BY_ITSELF: usize = 100;

/// The key of the only task of a call.
fn own_key(tasks: &[NewTask]) -> Result<Option<&str>, EngineError> {
    let mut keys = tasks.iter().map(|task| task.idempotency_key.as_deref());
    let own = keys.find_map(|key| key);
    if own.is_some() && tasks.len() > 1 {
        let problem =
            "an idempotency key covers a whole call: send it with the call, not with its tasks";
        return Err(EngineError::invalid("tasks", problem));
    }
    Ok(own)
}

pub(crate) fn idempotency(key: &str, request: &impl Serialize) -> Result<Idempotency, EngineError> {
    limits::check_text("idempotency_key", key, limits::LONGEST_WORD)?;
    Ok(Idempotency {
        key: key.to_owned(),
        digest: digest_of(request)?,
    })
}

fn digest_of(request: &impl Serialize) -> Result<Vec<u8>, EngineError> {
    let mut digest = Digesting(Sha256::new());
    serde_json::to_writer(&mut digest, request)
        .map_err(|error| EngineError::invalid("request", error.to_string()))?;
    Ok(digest.0.finalize().to_vec())
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
            let invited = hand_over::invite(shared, ns, submission);
            if !invited.is_empty() {
                match hand_over::serve(shared, ns, submission, invited).await {
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
    limits::check_timeout(at, task)?;
    let body = serde_json::value::to_raw_value(task)
        .map_err(|error| EngineError::invalid(at, error.to_string()))?;
    limits::check_body(at, &body)?;
    Ok(TaskDraft::new(task, task.policy(), body))
}
