//! Submitting: new tasks on their own, or as graphs. Many submissions in one transaction; each is
//! accepted or refused for itself.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use uuid::Uuid;
use workmill_core::graph::Tally;
use workmill_core::ids::{GraphId, Namespace, ProjectId, TaskId};
use workmill_core::money::Micros;
use workmill_queries::client::Params;
use workmill_queries::queries::intake::submit as statements;

use super::arrival::{self, Arrival, Last, TaskDraft};
use super::keys::find_taken_key;
use super::projects::find_missing;
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::gates::of_graphs::set_new_budgets;
use crate::operation::{Operation, Work};

/// Work that enters together: all of it or nothing.
#[derive(Debug, Clone)]
pub struct Submission {
    pub created_by: String,
    /// The key of whoever submits it; it may cancel what it has submitted.
    pub key: Option<Uuid>,
    /// The graph that the tasks form; without one each task is its own graph.
    pub graph: Option<NewGraph>,
    pub tasks: Vec<TaskDraft>,
    pub idempotency: Option<Idempotency>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGraph {
    pub title: String,
    /// Nothing of it runs before it is submitted.
    pub is_draft: bool,
    /// The most that all its attempts together may cost.
    pub budget: Option<Micros>,
    /// Its tasks belong to it, too, unless they name another one.
    pub project: Option<ProjectId>,
}

/// Submitting twice with the same key and the same request is submitting once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    pub key: String,
    /// A hash of the request.
    pub digest: Vec<u8>,
}

#[derive(Debug)]
pub struct Submit<'a> {
    pub ns: Namespace,
    pub submissions: &'a [Submission],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitted {
    pub graph: Option<GraphId>,
    pub tasks: Vec<TaskId>,
    /// The same request had been accepted before.
    pub is_repeat: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubmitRefusal {
    /// The idempotency key stands for another request.
    OtherRequest {
        key: String,
    },
    /// A task has this planner's id already.
    KeyTaken {
        key: String,
    },
    NoSuchProject {
        project: ProjectId,
    },
}

pub type Answer = Result<Submitted, SubmitRefusal>;

impl Operation for Submit<'_> {
    type Answer = Vec<Answer>;
    const DOING: &'static str = "submit tasks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Vec<Answer>, StoreError> {
        let known = find_known(work, self.submissions).await?;
        enter(work, self.submissions, &known, Last::Commit).await
    }
}

/// Lets submissions in, or refuses them, each for itself.
pub(super) async fn enter(
    work: &mut Work<'_>,
    submissions: &[Submission],
    known: &Known,
    last: Last,
) -> Result<Vec<Answer>, StoreError> {
    let plans = decide(work, submissions, known).await?;
    write(work, submissions, &plans, last).await?;
    Ok(answer(plans))
}

/// Decides what becomes of submissions; nothing is written yet.
pub(super) async fn decide<'a>(
    work: &mut Work<'_>,
    submissions: &'a [Submission],
    known: &Known,
) -> Result<Vec<Plan<'a>>, StoreError> {
    let mut plans = Vec::with_capacity(submissions.len());
    // Keys that earlier submissions of this batch bring along, for calls and for tasks.
    let mut own: BTreeMap<&str, usize> = BTreeMap::new();
    let mut own_tasks = BTreeSet::new();
    for (place, submission) in submissions.iter().enumerate() {
        plans.push(if let Some(answer) = known.answer(submission) {
            Plan::Answered(answer)
        } else if let Some(first) = first_with_key(&mut own, submission, place) {
            repeat_of(&submissions[first], first, submission)
        } else if let Some(key) = find_taken_key(work, &submission.tasks).await? {
            Plan::Answered(Err(SubmitRefusal::KeyTaken { key }))
        } else if let Some(key) = first_of_own(&own_tasks, submission) {
            Plan::Answered(Err(SubmitRefusal::KeyTaken { key }))
        } else if let Some(project) = find_missing(work, named_projects(submission)).await? {
            Plan::Answered(Err(SubmitRefusal::NoSuchProject { project }))
        } else {
            own_tasks.extend(task_keys(submission));
            Plan::Enters(number(work, submission).await?)
        });
    }
    Ok(plans)
}

/// What each submission is answered, in their order.
pub(super) fn answer(plans: Vec<Plan<'_>>) -> Vec<Answer> {
    let mut answers: Vec<Answer> = Vec::with_capacity(plans.len());
    for plan in plans {
        answers.push(match plan {
            Plan::Answered(answer) => answer,
            Plan::SameAs(first) => answers[first].clone().map(|submitted| Submitted {
                is_repeat: true,
                ..submitted
            }),
            Plan::Enters(arrival) => Ok(Submitted {
                graph: arrival.graph,
                tasks: arrival.rows.iter().map(|row| row.task).collect(),
                is_repeat: false,
            }),
        });
    }
    answers
}

fn named_projects(submission: &Submission) -> impl Iterator<Item = ProjectId> {
    let graph = submission.graph.iter().filter_map(|graph| graph.project);
    graph.chain(submission.tasks.iter().filter_map(|task| task.project))
}

fn task_keys(submission: &Submission) -> impl Iterator<Item = &str> {
    let tasks = submission.tasks.iter();
    tasks.filter_map(|task| task.key.as_deref())
}

/// The first planner's id that comes twice: in the batch before, or in the submission itself.
fn first_of_own(before: &BTreeSet<&str>, submission: &Submission) -> Option<String> {
    let mut here = BTreeSet::new();
    let twice = task_keys(submission).find(|key| before.contains(key) || !here.insert(*key));
    twice.map(str::to_owned)
}

/// What becomes of a submission.
pub(super) enum Plan<'a> {
    Answered(Answer),
    /// It says again what the one at this place of the batch says.
    SameAs(usize),
    Enters(Arrival<'a>),
}

pub(super) async fn write(
    work: &mut Work<'_>,
    submissions: &[Submission],
    plans: &[Plan<'_>],
    last: Last,
) -> Result<(), StoreError> {
    let entering: Vec<(&Submission, &Arrival<'_>)> = submissions
        .iter()
        .zip(plans)
        .filter_map(|(submission, plan)| match plan {
            Plan::Enters(arrival) => Some((submission, arrival)),
            Plan::Answered(_) | Plan::SameAs(_) => None,
        })
        .collect();
    if entering.is_empty() {
        return Ok(());
    }
    write_graphs(work, &entering).await?;
    let arrivals: Vec<&Arrival<'_>> = entering.iter().map(|(_, arrival)| *arrival).collect();
    let budgets = budgets(&entering);
    if budgets.is_empty() {
        return arrival::write(work, &arrivals, last).await;
    }
    arrival::write(work, &arrivals, Last::More).await?;
    set_new_budgets(work, &budgets).await
}

/// The most that graphs may cost, and who says so.
fn budgets<'a>(entering: &[(&'a Submission, &Arrival<'_>)]) -> Vec<(GraphId, Micros, &'a str)> {
    entering
        .iter()
        .filter_map(|(submission, arrival)| {
            let budget = submission.graph.as_ref()?.budget?;
            Some((arrival.graph?, budget, submission.created_by.as_str()))
        })
        .collect()
}

fn key_of(submission: &Submission) -> Option<&str> {
    Some(submission.idempotency.as_ref()?.key.as_str())
}

/// The place of an earlier submission of this batch with the same key.
fn first_with_key<'a>(
    own: &mut BTreeMap<&'a str, usize>,
    submission: &'a Submission,
    place: usize,
) -> Option<usize> {
    let key = key_of(submission)?;
    let first = *own.entry(key).or_insert(place);
    (first != place).then_some(first)
}

fn repeat_of<'a>(first: &Submission, place: usize, again: &Submission) -> Plan<'a> {
    if first.idempotency == again.idempotency {
        return Plan::SameAs(place);
    }
    let key = again
        .idempotency
        .as_ref()
        .map(|idempotency| idempotency.key.clone());
    Plan::Answered(Err(SubmitRefusal::OtherRequest {
        key: key.unwrap_or_default(),
    }))
}

/// What earlier submissions with the same keys were answered.
#[derive(Default)]
pub(super) struct Known {
    by_key: BTreeMap<String, Earlier>,
}

/// A submission that was let in before.
struct Earlier {
    digest: Vec<u8>,
    graph: Option<Uuid>,
    tasks: Vec<Uuid>,
}

impl Known {
    fn answer(&self, submission: &Submission) -> Option<Answer> {
        let idempotency = submission.idempotency.as_ref()?;
        let earlier = self.by_key.get(&idempotency.key)?;
        if earlier.digest != idempotency.digest {
            let key = idempotency.key.clone();
            return Some(Err(SubmitRefusal::OtherRequest { key }));
        }
        Some(Ok(Submitted {
            graph: earlier.graph.map(GraphId),
            tasks: earlier.tasks.iter().copied().map(TaskId).collect(),
            is_repeat: true,
        }))
    }
}

/// Reads the clock on the way.
pub(super) async fn find_known(
    work: &Work<'_>,
    submissions: &[Submission],
) -> Result<Known, StoreError> {
    let keys: Vec<&str> = submissions.iter().filter_map(key_of).collect();
    if keys.is_empty() {
        return Ok(Known::default());
    }
    let found = statements::find_idempotent()
        .bind(work.transaction, &keys, &work.ns)
        .all()
        .await;
    let found = found.map_err(|error| work.failed(error))?;
    if let Some(row) = found.first() {
        work.has_read_clock(row.now);
    }
    let earlier = found.into_iter().filter_map(|row| {
        let earlier = Earlier {
            digest: row.digest?,
            graph: row.graph,
            tasks: row.tasks?,
        };
        Some((row.key, earlier))
    });
    Ok(Known {
        by_key: earlier.collect(),
    })
}

async fn number<'a>(
    work: &mut Work<'_>,
    submission: &'a Submission,
) -> Result<Arrival<'a>, StoreError> {
    let now = work.now().await?;
    let (graph, is_draft) = match &submission.graph {
        None => (None, false),
        Some(new) => {
            let graph = GraphId(work.mint().await?);
            let data = json!({"title": new.title, "tasks": submission.tasks.len()});
            work.emit(Event::of_graph(EventType::GraphSubmitted, graph, data));
            (Some(graph), new.is_draft)
        }
    };
    let mut arrival =
        Arrival::number(work, &submission.created_by, &submission.tasks, graph).await?;
    arrival.key = submission.key;
    arrival.idempotency = submission.idempotency.as_ref();
    arrival.project = submission.graph.as_ref().and_then(|graph| graph.project);
    arrival.settle(work, now, is_draft, |_, _| false);
    Ok(arrival)
}

async fn write_graphs(
    work: &mut Work<'_>,
    arrivals: &[(&Submission, &Arrival<'_>)],
) -> Result<(), StoreError> {
    let mut graphs = Vec::new();
    for (submission, arrival) in arrivals {
        let (Some(graph), Some(new)) = (arrival.graph, &submission.graph) else {
            continue;
        };
        let mut tally = Tally::default();
        for row in &arrival.rows {
            tally.add(row.state, row.unmet > 0, 1);
        }
        graphs.push((graph.0, new, *submission, tally));
    }
    if graphs.is_empty() {
        return Ok(());
    }
    let parameters = statements::InsertGraphsParams {
        ns: work.ns,
        now: work.now().await?,
        graphs: graphs.iter().map(|(graph, ..)| *graph).collect::<Vec<_>>(),
        titles: graphs
            .iter()
            .map(|(_, new, ..)| new.title.as_str())
            .collect::<Vec<_>>(),
        creators: graphs
            .iter()
            .map(|(_, _, submission, _)| submission.created_by.as_str())
            .collect::<Vec<_>>(),
        keys: graphs
            .iter()
            .map(|(_, _, submission, _)| submission.key)
            .collect::<Vec<_>>(),
        is_draft: graphs
            .iter()
            .map(|(_, new, ..)| new.is_draft)
            .collect::<Vec<_>>(),
        statuses: graphs
            .iter()
            .map(|(_, new, _, tally)| tally.status(new.is_draft, false).name())
            .collect::<Vec<_>>(),
        tasks: graphs
            .iter()
            .map(|(.., tally)| tally.tasks)
            .collect::<Vec<_>>(),
        moving: graphs
            .iter()
            .map(|(.., tally)| tally.moving)
            .collect::<Vec<_>>(),
        projects: graphs
            .iter()
            .map(|(_, new, ..)| new.project.map(|project| project.0))
            .collect::<Vec<_>>(),
    };
    let inserted = statements::insert_graphs()
        .params(work.transaction, &parameters)
        .await;
    inserted.map_err(|error| work.failed(error))?;
    Ok(())
}
