//! New tasks: they get their identity and their place in the order, and are written in sets.

use std::collections::BTreeMap;

use futures_util::try_join;
use jiff::{SignedDuration, Timestamp};
use postgres_types::Json;
use serde_json::json;
use serde_json::value::RawValue;
use uuid::Uuid;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::ids::{GraphId, ProjectId, TaskId};
use workmill_core::lane::{Lane, LaneId};
use workmill_core::lifecycle::Trigger;
use workmill_core::policy::Policy;
use workmill_core::priority::Priority;
use workmill_core::rank::{CRITICAL_PATH_CAP, POINT, Urgency};
use workmill_core::task::NewTask;
use workmill_queries::client::Params;
use workmill_queries::queries::intake::submit as statements;
use workmill_queries::queries::task::write_back as rows;

use super::keys::{write_keys, write_requests};
use super::references::References;
use super::submit::Idempotency;
use crate::column::column;
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::locked_rows::{NewTaskRow, StateColumns, TaskRow};
use crate::operation::Work;
use crate::settlement::impossible;
use crate::write_back::{Remarks, announce, enter};

/// A task that is to enter.
#[derive(Debug, Clone)]
pub struct TaskDraft {
    /// The task as it was asked for.
    pub body: Box<RawValue>,
    pub policy: Policy,
    pub lane: Lane,
    pub priority: Priority,
    pub critical_path: u8,
    pub scheduled_for: Option<Timestamp>,
    pub deadline: Option<Timestamp>,
    pub estimate: SignedDuration,
    pub on_dependency_failure: OnDependencyFailure,
    pub depends_on: Vec<Dependency>,
    /// The planner's own id for it.
    pub key: Option<String>,
    /// Its own idempotency key, in a call that names each task's.
    pub idempotency: Option<Idempotency>,
    pub project: Option<ProjectId>,
    /// For whom it was submitted, if not for the caller.
    pub created_by: Option<String>,
    /// Outputs of other tasks that it is handed; checked when it enters.
    pub references: References,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dependency {
    /// The place of a task that enters together with this one.
    New(usize),
    /// A task that is in the graph already.
    Existing(TaskId),
}

/// Tasks that enter a graph, or each on its own, in one transaction.
pub(super) struct Arrival<'a> {
    pub(super) created_by: &'a str,
    /// The key that submits them, where somebody does.
    pub(super) key: Option<Uuid>,
    /// What the request is remembered by, where it is.
    pub(super) idempotency: Option<&'a Idempotency>,
    /// What the request is answered, if these are not just the tasks that enter.
    pub(super) answered: Option<Vec<TaskId>>,
    /// The task that spawns them, and how far they are from the one that nobody spawned.
    pub(super) parent: Option<TaskId>,
    pub(super) depth: i16,
    pub(super) graph: Option<GraphId>,
    /// Of those that name none: that of the graph.
    pub(super) project: Option<ProjectId>,
    pub(super) drafts: &'a [TaskDraft],
    pub(super) rows: Vec<TaskRow>,
}

impl<'a> Arrival<'a> {
    pub(super) async fn number(
        work: &mut Work<'_>,
        created_by: &'a str,
        drafts: &'a [TaskDraft],
        graph: Option<GraphId>,
    ) -> Result<Arrival<'a>, StoreError> {
        let mut ids = Vec::with_capacity(drafts.len());
        for _ in drafts {
            ids.push(TaskId(work.mint().await?));
        }
        Arrival::with_ids(work, created_by, drafts, ids, graph).await
    }

    pub(super) async fn with_ids(
        work: &mut Work<'_>,
        created_by: &'a str,
        drafts: &'a [TaskDraft],
        ids: Vec<TaskId>,
        graph: Option<GraphId>,
    ) -> Result<Arrival<'a>, StoreError> {
        let now = work.now().await?;
        let mut rows: Vec<TaskRow> = drafts
            .iter()
            .zip(ids)
            .map(|(draft, id)| new_row(id, graph, draft, now))
            .collect();
        if work.is_planted("chains make less urgent") {
            for row in &mut rows {
                row.rank += 2 * i64::from(row.critical_path) * POINT;
            }
        }
        Ok(Arrival {
            created_by,
            key: None,
            idempotency: None,
            answered: None,
            parent: None,
            depth: 0,
            graph,
            project: None,
            drafts,
            rows,
        })
    }

    /// Submits each task, unless its graph is a draft, and makes it ready if it waits neither for a
    /// dependency nor for its time. `is_met` says whether a task with this rule does not wait for an
    /// existing task.
    pub(super) fn settle(
        &mut self,
        work: &mut Work<'_>,
        now: Timestamp,
        is_draft: bool,
        mut is_met: impl FnMut(TaskId, OnDependencyFailure) -> bool,
    ) -> Result<(), StoreError> {
        for (draft, row) in self.drafts.iter().zip(&mut self.rows) {
            let unmet = draft
                .depends_on
                .iter()
                .filter(|dependency| match dependency {
                    Dependency::New(_) => true,
                    Dependency::Existing(task) => !is_met(*task, draft.on_dependency_failure),
                });
            row.unmet = i32::try_from(unmet.count()).unwrap_or(i32::MAX);
            row.due = draft.scheduled_for.filter(|due| *due > now);
            if !is_draft {
                row.follow(Trigger::Submit).map_err(impossible)?;
                row.promote_if_due(now).map_err(impossible)?;
            }
            let by = draft.created_by.as_deref().unwrap_or(self.created_by);
            let data = json!({"by": by});
            work.emit(Event::of_task(
                EventType::TaskSubmitted,
                row.graph,
                row.task,
                data,
            ));
        }
        Ok(())
    }

    /// The edges from the new tasks to what they wait for.
    pub(super) fn edges(&self) -> Vec<(TaskId, TaskId)> {
        let tasks = self.drafts.iter().zip(&self.rows);
        tasks
            .flat_map(|(draft, row)| {
                draft.depends_on.iter().map(|dependency| match dependency {
                    Dependency::New(place) => (row.task, self.rows[*place].task),
                    Dependency::Existing(on) => (row.task, *on),
                })
            })
            .collect()
    }
}

impl TaskDraft {
    /// Returns a task as it is asked for, with no dependencies. `body` is its text. Names every field of the
    /// request, so that a new one cannot be left out.
    pub fn new(task: &NewTask, policy: Policy, body: Box<RawValue>) -> TaskDraft {
        let NewTask {
            key,
            project_id,
            priority,
            deadline,
            scheduled_for,
            // The engine resolves names, checks who may set a creator, and hashes the idempotency key.
            name: _,
            depends_on: _,
            created_by: _,
            idempotency_key: _,
            // Only in the body.
            title: _,
            output: _,
            tags: _,
            metadata: _,
            // In the lane.
            task_type: _,
            spec: _,
            agent_type: _,
            target_agent: _,
            excluded_agents: _,
            // In the policy.
            profile: _,
            priority_boost_per_minute: _,
            max_attempts: _,
            retry: _,
            claim_ttl_sec: _,
            lease_sec: _,
            heartbeat_interval_sec: _,
            max_timeout_sec: _,
            labels: _,
            cost_units: _,
            locks: _,
            // Read by the methods below.
            estimate_sec: _,
            on_dependency_failure: _,
        } = task;
        TaskDraft {
            body,
            lane: task.lane(policy.boost),
            policy,
            priority: *priority,
            critical_path: 0,
            scheduled_for: *scheduled_for,
            deadline: *deadline,
            estimate: task.estimate(),
            on_dependency_failure: task.dependency_rule(),
            depends_on: Vec::new(),
            key: key.clone(),
            idempotency: None,
            project: *project_id,
            created_by: None,
            references: References::default(),
        }
    }

    /// What its rank is composed of, when it ages from `submitted` on and the chain below it is
    /// this long.
    pub(super) fn urgency(&self, submitted: Timestamp, critical_path: u8) -> Urgency {
        Urgency {
            base: self.priority,
            boost: self.policy.boost,
            submitted,
            critical_path: self.policy.points_of_chain(critical_path),
            deadline: self.deadline,
            estimate: self.estimate,
        }
    }
}

/// Returns the row of a task that enters, before it is known which tasks it waits for.
fn new_row(task: TaskId, graph: Option<GraphId>, draft: &TaskDraft, now: Timestamp) -> TaskRow {
    TaskRow::new(NewTaskRow {
        task,
        graph,
        lane: draft.lane.id(),
        rank: draft.urgency(now, draft.critical_path).rank(now),
        // Measured for all, so that chains go on through those who do not weigh them.
        critical_path: draft.critical_path.min(CRITICAL_PATH_CAP).into(),
        on_dependency_failure: draft.on_dependency_failure,
        has_deadline: draft.deadline.is_some(),
    })
}

/// What arrivals bring: each kind of row is written in one statement.
struct Entry<'a> {
    arrivals: &'a [&'a Arrival<'a>],
    rows: Vec<&'a TaskRow>,
    /// The last stretch of them; the others are written before.
    specs: Vec<Described<'a>>,
    lanes: BTreeMap<LaneId, Lane>,
    edges: Vec<(TaskId, TaskId)>,
    urgencies: Vec<(TaskId, Urgency)>,
}

impl<'a> Entry<'a> {
    fn of(
        work: &mut Work<'_>,
        arrivals: &'a [&'a Arrival<'a>],
        specs: Vec<Described<'a>>,
        now: Timestamp,
    ) -> Entry<'a> {
        let lanes: BTreeMap<_, _> = each(arrivals)
            .filter(|(_, _, row)| !work.knows_lane(row.lane))
            .map(|(_, draft, row)| (row.lane, draft.lane.clone()))
            .collect();
        work.wrote_lanes(&lanes);
        let used = each(arrivals).map(|(_, _, row)| row.lane);
        work.lane_cache().are_used(work.ns, used);
        Entry {
            arrivals,
            rows: arrivals.iter().flat_map(|one| &one.rows).collect(),
            specs,
            lanes,
            edges: arrivals.iter().flat_map(|one| one.edges()).collect(),
            urgencies: each(arrivals)
                .map(|(_, draft, row)| (row.task, draft.urgency(now, draft.critical_path)))
                .collect(),
        }
    }

    /// Sends all statements together; they are executed in this order.
    async fn write(&self, work: &Work<'_>) -> Result<(), StoreError> {
        let remarks = Remarks::default();
        try_join!(
            work.write_lanes(&self.lanes),
            write_specs(work, &self.specs),
            write_requests(work, self.arrivals),
            write_tasks(work, self.arrivals),
            write_edges(work, &self.edges),
            write_keys(work, self.arrivals),
            write_deadlines(work, &self.urgencies),
            enter(work, &self.rows, &remarks),
        )
        .map(drop)
    }
}

/// Writes the tasks of all arrivals.
pub(super) async fn write(
    work: &mut Work<'_>,
    arrivals: &[&Arrival<'_>],
    last: Last,
) -> Result<(), StoreError> {
    announce(work, arrivals.iter().flat_map(|one| &one.rows));
    let now = work.now().await?;
    let mut specs = described(arrivals);
    let last_specs = specs.pop().unwrap_or_default();
    let entry = Entry::of(work, arrivals, last_specs, now);
    work.check_lanes(&entry.lanes).await?;
    for stretch in specs {
        write_specs(work, &stretch).await?;
    }
    let facts = work.take_facts();
    let work = &*work;
    let writes =
        Box::pin(async { try_join!(entry.write(work), work.write_facts(&facts)).map(drop) });
    match last {
        Last::Commit => work.commit_behind(writes).await,
        Last::More => writes.await,
    }
}

/// Whether the operation goes on when the tasks are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Last {
    Commit,
    More,
}

/// The tasks of all arrivals, each with its draft and its row.
pub(super) fn each<'a>(
    arrivals: &'a [&'a Arrival<'a>],
) -> impl Iterator<Item = (&'a Arrival<'a>, &'a TaskDraft, &'a TaskRow)> {
    arrivals.iter().flat_map(|arrival| {
        let tasks = arrival.drafts.iter().zip(&arrival.rows);
        tasks.map(move |(draft, row)| (*arrival, draft, row))
    })
}

/// A statement that writes specs carries about so many bytes of them. More in one statement would be in
/// memory once more, whole.
const SPECS_TOGETHER: usize = 8 * 1024 * 1024;

type Described<'a> = (&'a Arrival<'a>, &'a TaskDraft, &'a TaskRow);

/// The tasks of all arrivals, as many together as one statement carries.
fn described<'a>(arrivals: &'a [&'a Arrival<'a>]) -> Vec<Vec<Described<'a>>> {
    let mut stretches = vec![Vec::new()];
    let mut bytes = 0;
    for task in each(arrivals) {
        let size = task.1.body.get().len();
        if bytes + size > SPECS_TOGETHER && bytes > 0 {
            stretches.push(Vec::new());
            bytes = 0;
        }
        bytes += size;
        if let Some(stretch) = stretches.last_mut() {
            stretch.push(task);
        }
    }
    stretches
}

/// Writes what the tasks ask for.
async fn write_specs(work: &Work<'_>, tasks: &[Described<'_>]) -> Result<(), StoreError> {
    let parameters = statements::InsertSpecsParams {
        ns: work.ns,
        now: work.now().await?,
        tasks: column(tasks, |(.., row)| row.task.0),
        creators: column(tasks, |(from, draft, _)| {
            draft.created_by.as_deref().unwrap_or(from.created_by)
        }),
        keys: column(tasks, |(from, ..)| from.key),
        parents: column(tasks, |(from, ..)| from.parent.map(|id| id.0)),
        depths: column(tasks, |(from, ..)| from.depth),
        bodies: column(tasks, |(_, draft, _)| Json(&draft.body)),
        policies: column(tasks, |(_, draft, _)| Json(&draft.policy)),
    };
    statements::insert_specs()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}

/// Writes the tasks.
async fn write_tasks(work: &Work<'_>, arrivals: &[&Arrival<'_>]) -> Result<(), StoreError> {
    let StateColumns {
        tasks,
        graphs,
        states,
        lanes,
        ranks,
        dues,
        // The first version; nothing has been tried yet.
        spec_versions: _,
        epochs,
        attempts,
        crashes: _,
        unmets,
        critical_paths,
        on_dependency_failures,
        in_graphs,
        has_deadlines,
        freed_runners: _,
        shunned: _,
        shunned_untils: _,
        spent: _,
    } = StateColumns::of(each(arrivals).map(|(.., row)| row));
    let parameters = statements::InsertTasksParams {
        ns: work.ns,
        tasks,
        graphs,
        lanes,
        ranks,
        dues,
        states,
        epochs,
        attempts,
        unmets,
        critical_paths,
        on_dependency_failures,
        in_graphs,
        has_deadlines,
        projects: each(arrivals)
            .map(|(from, draft, _)| draft.project.or(from.project).map(|id| id.0))
            .collect::<Vec<_>>(),
    };
    statements::insert_tasks()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}

pub(super) async fn write_edges(
    work: &Work<'_>,
    edges: &[(TaskId, TaskId)],
) -> Result<(), StoreError> {
    if edges.is_empty() {
        return Ok(());
    }
    let parameters = statements::InsertEdgesParams {
        ns: work.ns,
        tasks: column(edges, |(task, _)| task.0),
        depends_on: column(edges, |(_, on)| on.0),
    };
    statements::insert_edges()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}

/// Remembers the deadlines among these, with what their ranks are composed of.
pub(super) async fn write_deadlines(
    work: &Work<'_>,
    tasks: &[(TaskId, Urgency)],
) -> Result<(), StoreError> {
    let pressed: Vec<(Uuid, &Urgency, Timestamp, Timestamp)> = tasks
        .iter()
        .filter_map(|(task, urgency)| {
            Some((task.0, urgency, urgency.presses_at()?, urgency.deadline?))
        })
        .collect();
    if pressed.is_empty() {
        return Ok(());
    }
    let milliseconds =
        |urgency: &Urgency| i64::try_from(urgency.estimate.as_millis()).unwrap_or(i64::MAX);
    let parameters = rows::InsertDeadlinesParams {
        ns: work.ns,
        presses_ats: column(&pressed, |(_, _, presses_at, _)| *presses_at),
        tasks: column(&pressed, |(task, ..)| *task),
        ats: column(&pressed, |(.., at)| *at),
        submitted_ats: column(&pressed, |(_, urgency, ..)| urgency.submitted),
        estimates: column(&pressed, |(_, urgency, ..)| milliseconds(urgency)),
        bases: column(&pressed, |(_, urgency, ..)| urgency.base.value()),
        boosts: column(&pressed, |(_, urgency, ..)| urgency.boost.name()),
    };
    rows::insert_deadlines()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}
