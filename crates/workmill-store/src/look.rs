//! Looking at tasks, graphs and agents without locking anything.

pub mod agents;
pub mod bulk;
pub mod dead_letters;
pub mod explain;
pub mod graphs;
pub mod outputs;
pub mod ownership;
pub mod projects;
pub mod questions;
pub mod queue;
mod spent;
pub mod stats;

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use uuid::Uuid;
use workmill_core::attempt::Outcome;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::failure::{LARGEST_DETAILS, Reason};
use workmill_core::gate::{Gate, Purse};
use workmill_core::graph::{GraphStatus, Tally};
use workmill_core::ids::{GraphId, Namespace, ProjectId, TaskId};
use workmill_core::json_text::JsonText;
use workmill_core::lifecycle::State;
use workmill_core::rank::Boost;
use workmill_core::task::NewTask;
use workmill_core::usage::Usage;
use workmill_queries::client::GenericClient;
use workmill_queries::queries::intake::submit;
use workmill_queries::queries::look::tasks;
use workmill_queries::queries::task::locked_rows as statements;

use crate::beside::beside;
use crate::connect::Store;
use crate::error::StoreError;
use crate::settlement::spent::read_usage;

use questions::{Answered, Blocked, read_answers, read_blocks};
pub use spent::Spent;

/// An attempt that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    pub epoch: i32,
    pub agent: String,
    pub outcome: Outcome,
    pub reason: Option<Reason>,
    pub message: Option<String>,
    /// What its agent sent besides the message.
    pub details: Option<Value>,
    /// The details are too large to be here.
    pub details_left_out: bool,
    pub claimed_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub ended_at: Timestamp,
    /// Beyond what earlier attempts with this epoch have cost.
    pub cost_micros: i64,
    /// All that was reported since the claim.
    pub usage: Usage,
}

/// What came in after its attempt had ended.
#[derive(Debug, Clone, PartialEq)]
pub struct LateResult {
    pub epoch: i32,
    pub at: Timestamp,
    pub outcome: Outcome,
    /// It became the outcome of the task.
    pub was_accepted: bool,
    /// Missing when there is none, and when it is large.
    pub output: Option<Value>,
    /// How large it is as text.
    pub output_bytes: Option<i32>,
    pub artifacts: Vec<Value>,
    pub message: Option<String>,
    pub cost_micros: i64,
    pub usage: Usage,
    /// Who made it the outcome afterwards, and when.
    pub adopted: Option<(String, Timestamp)>,
}

/// Outputs that are larger than this are fetched by themselves.
const LARGEST_OUTPUT: i32 = 256 * 1024;

/// Late outputs that are larger than this are fetched by themselves.
const LARGEST_LATE_OUTPUT: i32 = 64 * 1024;

/// The details of a task's attempts are shown up to this size in total, in bytes of JSON text, those of
/// the newest attempts first. A page of dead letters contains the attempts of many tasks.
const LARGEST_DETAILS_OF_A_TASK: usize = 4 * LARGEST_DETAILS;

/// Of many tasks the outputs are shorter than this together, so those that are shown are smaller.
const OUTPUTS_TEXT: usize = 32 * 1024 * 1024;
const SMALLEST_OUTPUT: usize = 4 * 1024;

/// The most memory that outputs and progress take in one answer. Outputs that do not fit are fetched by
/// themselves.
const OUTPUTS_MEMORY: usize = 64 * 1024 * 1024;

/// So many tasks are described beside the threads that answer requests.
const MANY: usize = 100;

/// The running attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct RunningAttempt {
    pub epoch: i32,
    pub agent: String,
    pub claimed_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub renewed_at: Timestamp,
    /// When the lease expires without a heartbeat.
    pub expires_at: Option<Timestamp>,
    /// What its agent has told of it last.
    pub progress: Option<Value>,
    /// So far, as its agent has told.
    pub cost_micros: i64,
    pub usage: Usage,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    pub id: TaskId,
    pub graph: GraphId,
    pub project: Option<ProjectId>,
    pub state: State,
    /// Of what was asked for; an edit adds one.
    pub version: i32,
    pub epoch: i32,
    pub attempts_counted: i32,
    pub due: Option<Timestamp>,
    pub created_at: Timestamp,
    /// Time of the last change of its state, description or holder.
    pub updated_at: Timestamp,
    pub created_by: String,
    /// How often its agent is to show a sign of life.
    pub heartbeat_ms: i64,
    /// The task that spawned it.
    pub parent: Option<TaskId>,
    pub asked: NewTask,
    /// What it gains a minute: the class that what was asked for is rounded to.
    pub boost: Boost,
    pub depends_on: Vec<TaskId>,
    /// Those of them that it still waits for.
    pub blocked_by: Vec<TaskId>,
    pub attempts: Vec<Attempt>,
    pub late: Vec<LateResult>,
    pub running: Option<RunningAttempt>,
    /// What it waits for, while it is blocked.
    pub blocked: Option<Blocked>,
    /// What it was answered, oldest first.
    pub answers: Vec<Answered>,
    /// Missing when there is none, and when it is large.
    pub output: Option<Value>,
    /// How large it is as text.
    pub output_bytes: Option<i32>,
    /// References to what it has put elsewhere.
    pub artifacts: Vec<Value>,
    pub spent: Spent,
}

impl Task {
    /// Returns when the attempt started that runs or ran last.
    pub fn started_at(&self) -> Option<Timestamp> {
        let running = self.running.as_ref().and_then(|one| one.started_at);
        let mut ended = self.attempts.iter().rev();
        running.or_else(|| ended.find_map(|attempt| attempt.started_at))
    }

    /// Returns when its result was accepted.
    pub fn completed_at(&self) -> Option<Timestamp> {
        if self.state != State::Completed {
            return None;
        }
        let mut late = self.late.iter().filter(|late| late.was_accepted);
        let accepted = late.next_back().map(|late| {
            let adopted = late.adopted.as_ref();
            adopted.map_or(late.at, |(_, at)| *at)
        });
        let mut attempts = self.attempts.iter().rev();
        accepted.or_else(|| {
            let completed = attempts.find(|attempt| attempt.outcome == Outcome::Completed);
            completed.map(|attempt| attempt.ended_at)
        })
    }

    /// Returns why its last failed attempt failed, as long as it has not completed.
    pub fn failure_reason(&self) -> Option<Reason> {
        if self.state == State::Completed {
            return None;
        }
        let failed = |attempt: &&Attempt| attempt.outcome == Outcome::Failed;
        self.attempts.iter().rev().find(failed)?.reason
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    pub id: GraphId,
    pub project: Option<ProjectId>,
    pub title: String,
    pub status: GraphStatus,
    pub created_by: String,
    pub created_at: Timestamp,
    /// The most that all its attempts together may cost.
    pub budget_micros: Option<i64>,
    pub tasks: Vec<Task>,
}

impl Graph {
    /// The tasks that depend on nothing, and those that nothing depends on. Read off the edges as
    /// they are, so they are true however the graph has grown.
    pub fn roots_and_leaves(&self) -> (Vec<TaskId>, Vec<TaskId>) {
        let edges = self.tasks.iter().flat_map(|task| &task.depends_on);
        let depended_on: BTreeSet<TaskId> = edges.copied().collect();
        let roots = self.tasks.iter().filter(|task| task.depends_on.is_empty());
        let ids = self.tasks.iter().map(|task| task.id);
        (
            roots.map(|task| task.id).collect(),
            ids.filter(|task| !depended_on.contains(task)).collect(),
        )
    }
}

/// Money is counted in millionths of a dollar and shown in dollars.
#[expect(
    clippy::cast_precision_loss,
    reason = "exact up to nine billion dollars"
)]
pub fn dollars(micros: i64) -> f64 {
    micros as f64 / 1_000_000.0
}

const DOING: &str = "look at tasks";

impl Store {
    pub async fn find_task(&self, ns: Namespace, task: TaskId) -> Result<Option<Task>, StoreError> {
        let client = self.client(DOING).await?;
        Ok(read_tasks(&client, ns, &[task.0]).await?.pop())
    }

    /// Returns the tasks that have these planners' keys; keys of no task are left out.
    pub async fn find_tasks_by_key(
        &self,
        ns: Namespace,
        keys: &[&str],
    ) -> Result<BTreeMap<String, TaskId>, StoreError> {
        let client = self.client(DOING).await?;
        let found = submit::find_task_keys()
            .bind(&client, &keys, &ns.0)
            .all()
            .await;
        let found = found.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(found
            .into_iter()
            .map(|row| (row.key, TaskId(row.task)))
            .collect())
    }

    pub async fn find_graph(
        &self,
        ns: Namespace,
        graph: GraphId,
    ) -> Result<Option<Graph>, StoreError> {
        let client = self.client(DOING).await?;
        let row = tasks::find_graph()
            .bind(&client, &ns.0, &graph.0)
            .opt()
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        let Some(row) = row else {
            return find_single(&client, ns, graph).await;
        };
        let members = tasks::find_tasks_of_graph()
            .bind(&client, &ns.0, &graph.0)
            .all()
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        let status = GraphStatus::from_name(&row.status)
            .ok_or_else(|| StoreError::Corrupt(format!("{graph} has status {}", row.status)))?;
        Ok(Some(Graph {
            id: GraphId(row.graph),
            project: row.project.map(ProjectId),
            title: row.title,
            status,
            created_by: row.created_by,
            created_at: row.created_at,
            budget_micros: find_budget(&client, ns, graph).await?,
            tasks: read_tasks(&client, ns, &members).await?,
        }))
    }

    /// Whether there is a graph, or a task of its own, with this id.
    pub async fn has_graph(&self, ns: Namespace, graph: GraphId) -> Result<bool, StoreError> {
        let client = self.client(DOING).await?;
        let failed = |error| StoreError::from_statement(DOING, error);
        let statement = tasks::find_graph();
        let row = statement.bind(&client, &ns.0, &graph.0).opt().await;
        if row.map_err(failed)?.is_some() {
            return Ok(true);
        }
        let ids: &[Uuid] = &[graph.0];
        let statement = tasks::find_tasks();
        let alone = statement.bind(&client, &ns.0, &ids).opt().await;
        let alone = alone.map_err(failed)?;
        Ok(alone.is_some_and(|task| task.graph == graph.0))
    }
}

/// Returns a standalone task as the graph of one task that it is.
async fn find_single(
    client: &deadpool_postgres::Object,
    ns: Namespace,
    graph: GraphId,
) -> Result<Option<Graph>, StoreError> {
    let mut tasks = read_tasks(client, ns, &[graph.0]).await?;
    tasks.retain(|task| task.graph == graph);
    let Some(task) = tasks.first() else {
        return Ok(None);
    };
    let tally = Tally::of_one(task.state, !task.blocked_by.is_empty());
    Ok(Some(Graph {
        id: graph,
        project: task.project,
        title: task.asked.title.clone(),
        status: tally.status(false, false),
        created_by: task.created_by.clone(),
        created_at: task.created_at,
        budget_micros: find_budget(client, ns, graph).await?,
        tasks,
    }))
}

/// Returns the budget of a graph, also of one that has ended.
async fn find_budget(
    client: &deadpool_postgres::Object,
    ns: Namespace,
    graph: GraphId,
) -> Result<Option<i64>, StoreError> {
    let gate = Gate::Budget(Purse::Graph(graph)).to_string();
    let statement = tasks::find_budget_of_graph();
    let budget = statement
        .bind(client, &ns.0, &gate.as_str(), &graph.0)
        .opt()
        .await;
    let budget = budget.map_err(|error| StoreError::from_statement(DOING, error))?;
    Ok(budget.flatten())
}

/// Reads the attempts of these tasks that hold a lease.
async fn read_running(
    client: &deadpool_postgres::Object,
    ns: Namespace,
    ids: &[Uuid],
    left: &mut usize,
) -> Result<BTreeMap<Uuid, RunningAttempt>, StoreError> {
    let rows = tasks::find_leases()
        .bind(client, &ns.0, &ids)
        .map(|mut row| {
            let progress = row.progress.take().map(|text| JsonText::from(text.0));
            (tasks::FindLeases::from(row), progress)
        })
        .all()
        .await;
    let rows = rows.map_err(|error| StoreError::from_statement(DOING, error))?;
    let attempts = rows.into_iter().map(|(row, progress)| {
        let ttl = SignedDuration::from_millis(row.ttl_ms);
        let attempt = RunningAttempt {
            epoch: row.epoch,
            agent: row.agent,
            claimed_at: row.claimed_at,
            started_at: row.started_at,
            renewed_at: row.renewed_at,
            expires_at: row.renewed_at.checked_add(ttl).ok(),
            progress: progress.and_then(|text| text.value_within(left)),
            cost_micros: row.cost_micros,
            usage: read_usage(row.usage.as_ref())?,
        };
        Ok((row.task, attempt))
    });
    attempts.collect()
}

/// Reads whole tasks in the order of their ids; ids of no task are left out.
async fn read_tasks(
    client: &deadpool_postgres::Object,
    ns: Namespace,
    ids: &[Uuid],
) -> Result<Vec<Task>, StoreError> {
    let rows = tasks::find_tasks().bind(client, &ns.0, &ids).all().await;
    let rows = rows.map_err(|error| StoreError::from_statement(DOING, error))?;
    let mut parts = Parts::read(client, ns, ids, &rows).await?;
    let tasks = rows.into_iter().map(|row| parts.complete(row));
    beside(ids.len() > MANY, || tasks.collect())
}

/// The rows that complete tasks, by task.
struct Parts {
    edges: BTreeMap<Uuid, Vec<tasks::FindEdges>>,
    attempts: BTreeMap<Uuid, Vec<Attempt>>,
    running: BTreeMap<Uuid, RunningAttempt>,
    outputs: BTreeMap<Uuid, Stored>,
    late: BTreeMap<Uuid, Vec<LateResult>>,
    blocks: BTreeMap<Uuid, Blocked>,
    answers: BTreeMap<Uuid, Vec<Answered>>,
}

impl Parts {
    async fn read(
        client: &deadpool_postgres::Object,
        ns: Namespace,
        ids: &[Uuid],
        rows: &[tasks::FindTasks],
    ) -> Result<Parts, StoreError> {
        let edges = read_edges(client, ns, ids).await?;
        let attempts = read_attempts(client, ns, ids).await?;
        let mut left = OUTPUTS_MEMORY;
        let running = read_running(client, ns, ids, &mut left).await?;
        let outputs = read_outputs(client, ns, ids, &mut left).await?;
        let late = read_late(client, ns, ids, &mut left).await?;
        let blocked = rows.iter().filter(|row| row.state == State::Blocked.code());
        let blocked: Vec<Uuid> = blocked.map(|row| row.task).collect();
        let claimed = rows.iter().filter(|row| row.epoch > 0);
        let claimed: Vec<Uuid> = claimed.map(|row| row.task).collect();
        Ok(Parts {
            edges,
            attempts,
            running,
            outputs,
            late,
            blocks: read_blocks(client, ns.0, &blocked).await?,
            answers: read_answers(client, ns.0, &claimed).await?,
        })
    }

    /// Takes the parts of this task and returns the whole task.
    fn complete(&mut self, row: tasks::FindTasks) -> Result<Task, StoreError> {
        let id = TaskId(row.task);
        let corrupt = |what: String| StoreError::Corrupt(format!("{id}: {what}"));
        let asked: NewTask =
            serde_json::from_value(row.body).map_err(|error| corrupt(error.to_string()))?;
        let edges = self.edges.remove(&row.task).unwrap_or_default();
        let attempts = self.attempts.remove(&row.task).unwrap_or_default();
        let running = self.running.remove(&row.task);
        let late = self.late.remove(&row.task).unwrap_or_default();
        let stored = self.outputs.remove(&row.task).unwrap_or_default();
        Ok(Task {
            id,
            graph: GraphId(row.graph),
            project: row.project.map(ProjectId),
            state: State::from_code(row.state)
                .ok_or_else(|| corrupt(format!("state {}", row.state)))?,
            version: row.spec_version,
            epoch: row.epoch,
            attempts_counted: row.attempts,
            due: row.due,
            created_at: row.submitted_at,
            updated_at: row.updated_at,
            heartbeat_ms: row.heartbeat_ms.unwrap_or_default(),
            created_by: row.created_by,
            parent: row.parent.map(TaskId),
            boost: Boost::from_name(&row.boost)
                .ok_or_else(|| corrupt(format!("boost {}", row.boost)))?,
            blocked_by: unmet(asked.dependency_rule(), &edges),
            depends_on: edges.iter().map(|edge| TaskId(edge.depends_on)).collect(),
            asked,
            output: stored.output,
            output_bytes: stored.bytes,
            artifacts: stored.artifacts,
            spent: Spent::sum(&attempts, running.as_ref(), &late),
            attempts,
            late,
            running,
            blocked: self.blocks.remove(&row.task),
            answers: self.answers.remove(&row.task).unwrap_or_default(),
        })
    }
}

/// Reads the dependencies of tasks.
async fn read_edges(
    client: &deadpool_postgres::Object,
    ns: Namespace,
    ids: &[Uuid],
) -> Result<BTreeMap<Uuid, Vec<tasks::FindEdges>>, StoreError> {
    let rows = tasks::find_edges().bind(client, &ns.0, &ids).all().await;
    let rows = rows.map_err(|error| StoreError::from_statement(DOING, error))?;
    let mut edges: BTreeMap<Uuid, Vec<tasks::FindEdges>> = BTreeMap::new();
    for row in rows {
        edges.entry(row.task).or_default().push(row);
    }
    Ok(edges)
}

/// Reads the ended attempts of tasks with their details.
async fn read_attempts(
    client: &deadpool_postgres::Object,
    ns: Namespace,
    ids: &[Uuid],
) -> Result<BTreeMap<Uuid, Vec<Attempt>>, StoreError> {
    let failed = |error| StoreError::from_statement(DOING, error);
    let details = Details::read(client, ns.0, ids, LARGEST_DETAILS_OF_A_TASK).await;
    let mut details = details.map_err(failed)?;
    let statement = statements::find_attempts();
    let rows = statement.bind(client, &ids, &ns.0).all().await;
    let mut attempts: BTreeMap<Uuid, Vec<Attempt>> = BTreeMap::new();
    for row in rows.map_err(failed)? {
        let (task, attempt) = read_attempt(row, &mut details)?;
        attempts.entry(task).or_default().push(attempt);
    }
    Ok(attempts)
}

/// What a task has put out.
#[derive(Default)]
struct Stored {
    output: Option<Value>,
    bytes: Option<i32>,
    artifacts: Vec<Value>,
}

/// Outputs of tasks of which so many are shown at once may be this large, and no larger than `most`.
fn largest_of(tasks: usize, most: i32) -> i32 {
    let share = (OUTPUTS_TEXT / tasks.max(1)).max(SMALLEST_OUTPUT);
    i32::try_from(share).map_or(most, |share| share.min(most))
}

/// Reads what tasks have put out, as far as it is small and its values fit into the memory that is left.
async fn read_outputs(
    client: &deadpool_postgres::Object,
    ns: Namespace,
    ids: &[Uuid],
    left: &mut usize,
) -> Result<BTreeMap<Uuid, Stored>, StoreError> {
    let largest = largest_of(ids.len(), LARGEST_OUTPUT);
    let rows = statements::find_small_results()
        .bind(client, &ids, &largest, &ns.0)
        .map(|mut row| {
            let output = row.output.take().map(|text| JsonText::from(text.0));
            (statements::FindSmallResults::from(row), output)
        })
        .all()
        .await;
    let rows = rows.map_err(|error| StoreError::from_statement(DOING, error))?;
    let stored = rows.into_iter().map(|(row, output)| {
        let stored = Stored {
            output: output.and_then(|text| text.value_within(left)),
            bytes: Some(row.output_bytes),
            artifacts: listed(row.artifacts),
        };
        (row.task, stored)
    });
    Ok(beside(ids.len() > MANY, || stored.collect()))
}

/// Reads what came in after attempts had ended, by task.
async fn read_late(
    client: &deadpool_postgres::Object,
    ns: Namespace,
    ids: &[Uuid],
    left: &mut usize,
) -> Result<BTreeMap<Uuid, Vec<LateResult>>, StoreError> {
    let largest = largest_of(ids.len(), LARGEST_LATE_OUTPUT);
    let rows = tasks::find_late()
        .bind(client, &largest, &ns.0, &ids)
        .map(|mut row| {
            let output = row.output.take().map(|text| JsonText::from(text.0));
            (tasks::FindLate::from(row), output)
        })
        .all()
        .await
        .map_err(|error| StoreError::from_statement(DOING, error))?;
    let mut late: BTreeMap<Uuid, Vec<LateResult>> = BTreeMap::new();
    for (row, output) in rows {
        let corrupt = || StoreError::Corrupt(format!("a late result is {}", row.outcome));
        let one = LateResult {
            epoch: row.epoch,
            at: row.at,
            outcome: Outcome::from_name(&row.outcome).ok_or_else(corrupt)?,
            was_accepted: row.was_accepted,
            output: output.and_then(|text| text.value_within(left)),
            output_bytes: row.output_bytes,
            artifacts: listed(row.artifacts),
            message: row.message,
            cost_micros: row.cost_micros,
            usage: read_usage(row.usage.as_ref())?,
            adopted: row.adopted_by.zip(row.adopted_at),
        };
        late.entry(row.task).or_default().push(one);
    }
    Ok(late)
}

/// The dependencies that hold a task of this rule back.
fn unmet(rule: OnDependencyFailure, edges: &[tasks::FindEdges]) -> Vec<TaskId> {
    let holds_back = |edge: &&tasks::FindEdges| {
        let state = State::from_code(edge.state);
        !state.is_some_and(|state| rule.goes_on(state, edge.freed_runners))
    };
    let unmet = edges.iter().filter(holds_back);
    unmet.map(|edge| TaskId(edge.depends_on)).collect()
}

/// Artifacts are stored as a list, or not at all.
pub(crate) fn listed(artifacts: Option<Value>) -> Vec<Value> {
    match artifacts {
        Some(Value::Array(artifacts)) => artifacts,
        _ => Vec::new(),
    }
}

/// What agents sent with their attempts, by task, epoch and number of the resumption; `None` if it is
/// too large.
#[derive(Debug, Default)]
pub(crate) struct Details(BTreeMap<(Uuid, i32, i16), Option<Value>>);

impl Details {
    /// Reads the details of all attempts of these tasks, up to `most` bytes for each task.
    pub(crate) async fn read<C: GenericClient>(
        client: &C,
        ns: i64,
        tasks: &[Uuid],
        most: usize,
    ) -> Result<Details, tokio_postgres::Error> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = statements::find_details()
            .bind(client, &most, &tasks, &ns)
            .all()
            .await?;
        let details = rows
            .into_iter()
            .map(|row| ((row.task, row.epoch, row.resumed), row.details));
        Ok(Details(details.collect()))
    }
}

pub(crate) fn read_attempt(
    row: statements::FindAttempts,
    details: &mut Details,
) -> Result<(Uuid, Attempt), StoreError> {
    let corrupt = || StoreError::Corrupt(format!("an attempt ended as {}", row.outcome));
    let details = details.0.remove(&(row.task, row.epoch, row.resumed));
    let attempt = Attempt {
        details_left_out: details == Some(None),
        details: details.flatten(),
        epoch: row.epoch,
        outcome: Outcome::from_name(&row.outcome).ok_or_else(corrupt)?,
        agent: row.agent,
        reason: row.reason.as_deref().and_then(Reason::from_name),
        message: row.message,
        claimed_at: row.claimed_at,
        started_at: row.started_at,
        ended_at: row.ended_at,
        cost_micros: row.cost_micros,
        usage: read_usage(row.usage.as_ref())?,
    };
    Ok((row.task, attempt))
}
