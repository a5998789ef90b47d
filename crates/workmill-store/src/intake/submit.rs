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

pub(crate) use super::arrival::Last;
use super::arrival::{self, Arrival, TaskDraft};
use super::keys::{self, Known, OtherRequest, find_taken_key};
use super::projects::find_missing;
use super::references::{Unreadable, find_unreadable};
use crate::column::column;
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::gates::of_graphs::set_new_budgets;
use crate::locked_rows::TaskRow;
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
    /// The idempotency key belongs to another request.
    OtherRequest {
        key: String,
    },
    /// The idempotency key of the task at this place belongs to another task.
    TaskKeyUsed {
        task: usize,
    },
    /// A task has this planner's id already.
    KeyTaken {
        key: String,
    },
    NoSuchProject {
        project: ProjectId,
    },
    /// A task refers to an output that its author may not read, or that does not exist.
    Unreadable(Unreadable),
}

pub type Answer = Result<Submitted, SubmitRefusal>;

impl Operation for Submit<'_> {
    type Answer = Vec<Answer>;
    const DOING: &'static str = "submit tasks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Vec<Answer>, StoreError> {
        let entering = Entering::decide(work, self.submissions).await?;
        entering.write(work, Last::Commit).await?;
        Ok(entering.answers())
    }
}

/// Submissions with what becomes of each.
pub(crate) struct Entering<'a> {
    submissions: &'a [Submission],
    plans: Vec<Plan<'a>>,
}

/// What becomes of a submission.
enum Plan<'a> {
    Answered(Answer),
    /// It repeats the submission at this place of the batch.
    SameAs(usize),
    Enters(Arrival<'a>),
}

impl<'a> Entering<'a> {
    /// Decides what becomes of submissions, each for itself; nothing is written yet.
    pub(crate) async fn decide(
        work: &mut Work<'_>,
        submissions: &'a [Submission],
    ) -> Result<Entering<'a>, StoreError> {
        let known = find_known(work, submissions).await?;
        let mut plans = Vec::with_capacity(submissions.len());
        let mut batch = KeysOfBatch::default();
        for place in 0..submissions.len() {
            plans.push(decide(work, submissions, place, &known, &mut batch).await?);
        }
        Ok(Entering { submissions, plans })
    }

    /// Returns the new tasks.
    pub(crate) fn tasks(&self) -> impl Iterator<Item = &TaskRow> {
        self.entering().flat_map(|(_, arrival)| &arrival.rows)
    }

    fn entering(&self) -> impl Iterator<Item = (&'a Submission, &Arrival<'a>)> {
        let each = self.submissions.iter().zip(&self.plans);
        each.filter_map(|(submission, plan)| match plan {
            Plan::Enters(arrival) => Some((submission, arrival)),
            Plan::Answered(_) | Plan::SameAs(_) => None,
        })
    }

    /// Writes the new graphs and tasks.
    pub(crate) async fn write(&self, work: &mut Work<'_>, last: Last) -> Result<(), StoreError> {
        let entering: Vec<(&Submission, &Arrival<'_>)> = self.entering().collect();
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

    /// Returns what each submission is answered, in their order.
    pub(crate) fn answers(self) -> Vec<Answer> {
        let mut answers: Vec<Answer> = Vec::with_capacity(self.plans.len());
        for plan in self.plans {
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
}

/// The keys that earlier submissions of a batch bring.
#[derive(Default)]
struct KeysOfBatch<'a> {
    /// Idempotency keys, with the places of the submissions that bring them.
    requests: BTreeMap<&'a str, usize>,
    /// Planners' ids.
    tasks: BTreeSet<&'a str>,
}

async fn decide<'a>(
    work: &mut Work<'_>,
    submissions: &'a [Submission],
    place: usize,
    known: &Known,
    batch: &mut KeysOfBatch<'a>,
) -> Result<Plan<'a>, StoreError> {
    let submission = &submissions[place];
    let refused = |refusal| Ok(Plan::Answered(Err(refusal)));
    if let Some(answer) = known_answer(known, submission) {
        return Ok(Plan::Answered(answer));
    }
    if let Some(plan) = meets_own(&mut batch.requests, submissions, place) {
        return Ok(plan);
    }
    if let Some(key) = find_taken_key(work, &submission.tasks).await? {
        return refused(SubmitRefusal::KeyTaken { key });
    }
    if let Some(key) = first_of_own(&batch.tasks, submission) {
        return refused(SubmitRefusal::KeyTaken { key });
    }
    if let Some(project) = find_missing(work, named_projects(submission)).await? {
        return refused(SubmitRefusal::NoSuchProject { project });
    }
    if let Some(unreadable) = find_unreadable(work, &submission.tasks).await?.first() {
        return refused(SubmitRefusal::Unreadable(*unreadable));
    }
    batch.tasks.extend(task_keys(submission));
    Ok(Plan::Enters(number(work, submission).await?))
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

/// Returns the budgets of new graphs, with their creators.
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

/// The idempotency keys of tasks, each with the place of its task.
fn keys_of_tasks(submission: &Submission) -> impl Iterator<Item = (usize, &str)> {
    let tasks = submission.tasks.iter().enumerate();
    tasks.filter_map(|(place, task)| Some((place, task.idempotency.as_ref()?.key.as_str())))
}

/// What becomes of a submission that has an idempotency key of an earlier one of this batch. `own`
/// holds the keys with the places of the submissions that brought them.
fn meets_own<'a>(
    own: &mut BTreeMap<&'a str, usize>,
    submissions: &'a [Submission],
    place: usize,
) -> Option<Plan<'a>> {
    let submission = &submissions[place];
    if let Some(idempotency) = &submission.idempotency
        && let Some(first) = own.get(idempotency.key.as_str())
    {
        let is_the_same = submissions[*first].idempotency.as_ref() == Some(idempotency);
        let key = idempotency.key.clone();
        return Some(if is_the_same {
            Plan::SameAs(*first)
        } else {
            Plan::Answered(Err(SubmitRefusal::OtherRequest { key }))
        });
    }
    if let Some((task, _)) = keys_of_tasks(submission).find(|(_, key)| own.contains_key(key)) {
        return Some(Plan::Answered(Err(SubmitRefusal::TaskKeyUsed { task })));
    }
    let keys = keys_of_tasks(submission).map(|(_, key)| key);
    own.extend(
        key_of(submission)
            .into_iter()
            .chain(keys)
            .map(|key| (key, place)),
    );
    None
}

/// What is answered to a submission of which a key is known already.
fn known_answer(known: &Known, submission: &Submission) -> Option<Answer> {
    if let Some(idempotency) = &submission.idempotency
        && let Some(first) = known.first_answer(idempotency)
    {
        return Some(match first {
            Ok(earlier) => Ok(Submitted {
                graph: earlier.graph.map(GraphId),
                tasks: earlier.tasks.iter().copied().map(TaskId).collect(),
                is_repeat: true,
            }),
            Err(OtherRequest) => Err(SubmitRefusal::OtherRequest {
                key: idempotency.key.clone(),
            }),
        });
    }
    let mut keys = keys_of_tasks(submission);
    let (task, _) = keys.find(|(_, key)| known.get(key).is_some())?;
    Some(Err(SubmitRefusal::TaskKeyUsed { task }))
}

/// Reads which of the keys are known.
async fn find_known(work: &Work<'_>, submissions: &[Submission]) -> Result<Known, StoreError> {
    let keys = submissions.iter().flat_map(|submission| {
        let of_tasks = keys_of_tasks(submission).map(|(_, key)| key);
        key_of(submission).into_iter().chain(of_tasks)
    });
    let keys: Vec<&str> = keys.collect();
    keys::find_known(work, &keys).await
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
    arrival.settle(work, now, is_draft, |_, _| false)?;
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
            tally.add(row.state(), row.unmet > 0, 1);
        }
        graphs.push((graph.0, new, *submission, tally));
    }
    if graphs.is_empty() {
        return Ok(());
    }
    let parameters = statements::InsertGraphsParams {
        ns: work.ns,
        now: work.now().await?,
        graphs: column(&graphs, |(graph, ..)| *graph),
        titles: column(&graphs, |(_, new, ..)| new.title.as_str()),
        creators: column(&graphs, |(_, _, submission, _)| {
            submission.created_by.as_str()
        }),
        keys: column(&graphs, |(_, _, submission, _)| submission.key),
        is_draft: column(&graphs, |(_, new, ..)| new.is_draft),
        statuses: column(&graphs, |(_, new, _, tally)| {
            tally.status(new.is_draft, false).name()
        }),
        tasks: column(&graphs, |(.., tally)| tally.tasks),
        moving: column(&graphs, |(.., tally)| tally.moving),
        projects: column(&graphs, |(_, new, ..)| new.project.map(|project| project.0)),
    };
    statements::insert_graphs()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}
