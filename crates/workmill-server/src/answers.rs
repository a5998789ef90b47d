//! What the engine returns, in the words of the protocol.

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::json_text::JsonText;
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::rank::Boost;
use workmill_core::task::NewTask;
use workmill_core::usage::Usage;
use workmill_core::verdict::DeadLetterCause;
use workmill_engine::beside;
use workmill_engine::dispatch::Claimed;
use workmill_engine::look;
use workmill_engine::settlement::SettledWithClaims;
use workmill_protocol::agents::Agent;
use workmill_protocol::claims::{
    ClaimedTask, Context, DependencyResult, RemainingBudget, ResolvedReference, TaskToDo,
};
use workmill_protocol::dead_letters::{
    DeadLetter, DeadLetterGroup, EarlierDeadLetter, FailedAttempt,
};
use workmill_protocol::error::{ErrorCode, Problem};
use workmill_protocol::graphs::{Graph, GraphCounts, GraphSummary};
use workmill_protocol::lists::TaskSummary;
use workmill_protocol::questions::{Answered, Blocked, Question};
use workmill_protocol::tasks::{
    Attempt, LateResult, RunningAttempt, SubmittedTask, Task, TaskOutput, TokensUsed,
};
use workmill_protocol::usage::UsageShown;

use crate::problem::Refused;

pub(crate) fn task(task: look::Task) -> Task {
    let (started_at, completed_at) = (task.started_at(), task.completed_at());
    let failure_reason = task.failure_reason();
    Task {
        id: task.id,
        dag_id: task.graph,
        updated_at: task.updated_at,
        started_at,
        completed_at,
        failure_reason,
        project_id: task.project,
        status: task.state,
        version: task.version,
        output: task.output_bytes.map(|bytes| {
            let is_left_out = task.output.is_none();
            TaskOutput {
                output_type: task.asked.output.output_type,
                data: task.output.unwrap_or_default(),
                output_url: is_left_out.then(|| output_url(task.id)),
                output_bytes: usize::try_from(bytes).ok().filter(|_| is_left_out),
                artifacts: task.artifacts,
            }
        }),
        task: task.asked,
        priority_boost_per_minute: task.boost.per_minute(),
        parent_id: task.parent,
        depends_on: task.depends_on,
        blocked_by: task.blocked_by,
        created_at: task.created_at,
        created_by: task.created_by,
        attempts_counted: task.attempts_counted,
        due_at: task.due,
        cost_usd: look::dollars(task.spent.cost_micros),
        tokens_used: TokensUsed {
            input: task.spent.input_tokens,
            output: task.spent.output_tokens,
            cached_input: task.spent.cached_input_tokens,
        },
        unpriced: task.spent.is_unpriced,
        attempts: attempts(task.id, task.attempts, task.late),
        blocked: task.blocked.map(blocked),
        answers: task.answers.into_iter().map(answered).collect(),
        claim: task.running.map(|running| RunningAttempt {
            epoch: running.epoch,
            agent: running.agent,
            claimed_at: running.claimed_at,
            started_at: running.started_at,
            heartbeat_at: running.renewed_at,
            heartbeat_interval_sec: seconds(task.heartbeat_ms),
            lease_expires_at: running.expires_at,
            progress: running.progress,
            cost_usd: look::dollars(running.cost_micros),
            usage: usage(&running.usage),
        }),
    }
}

/// A task as a list shows it.
pub(crate) fn summary((id, task): (TaskId, look::Candidate)) -> TaskSummary {
    // Of several holders the last one: the others were told to stop and have not confirmed it.
    let agent = task.done_by().or(task.held_by.last().map(String::as_str));
    let agent = agent.map(ToOwned::to_owned);
    TaskSummary {
        id,
        dag_id: task.graph,
        project_id: task.project,
        status: task.state,
        task_type: task.task_type,
        title: task.title,
        priority: task.priority,
        priority_tier: task.priority.class(),
        tags: task.tags,
        created_at: task.submitted_at,
        created_by: task.created_by,
        attempts_counted: task.attempts,
        agent,
        target_agent: task.target_agent,
        key: task.key,
        waits_for: task.waits_for,
        due_at: task.due,
        cost_usd: task.spent,
    }
}

/// A question with what an answer needs.
pub(crate) fn question(question: look::Question) -> Question {
    Question {
        task_id: question.task,
        dag_id: question.graph,
        project_id: question.project,
        task_type: question.task_type,
        title: question.title,
        agent: question.agent,
        blocked: blocked(question.blocked),
    }
}

fn blocked(blocked: look::Blocked) -> Blocked {
    Blocked {
        waits_for: blocked.waits_for,
        question: blocked.question,
        since: blocked.since,
        until: blocked.until,
    }
}

fn answered(answer: look::Answered) -> Answered {
    Answered {
        waits_for: answer.waits_for,
        question: answer.question,
        input: answer.input,
        answered_by: answer.answered_by,
        answered_at: answer.answered_at,
    }
}

/// What a task that was accepted is told of itself.
/// What each task gains by waiting, rounded as it is stored.
pub(crate) fn boosts(tasks: &[NewTask]) -> Vec<Boost> {
    tasks.iter().map(|task| task.policy().boost).collect()
}

pub(crate) fn submitted(boost: Boost, id: TaskId, dag_id: GraphId) -> SubmittedTask {
    SubmittedTask {
        id,
        dag_id,
        priority_boost_per_minute: boost.per_minute(),
    }
}

fn graph(graph: look::Graph) -> Graph {
    let (roots, leaves) = graph.roots_and_leaves();
    let tasks: Vec<Task> = graph.tasks.into_iter().map(task).collect();
    let spent_usd = tasks.iter().map(|task| task.cost_usd).sum();
    Graph {
        id: graph.id,
        project_id: graph.project,
        title: graph.title,
        status: graph.status,
        created_by: graph.created_by,
        created_at: graph.created_at,
        roots,
        leaves,
        cost_usd: spent_usd,
        budget_ceiling_usd: graph.budget_micros.map(Micros),
        spent_usd,
        tasks,
    }
}

/// A graph as a list shows it.
pub(crate) fn listed_graph(graph: look::ListedGraph) -> GraphSummary {
    let tally = graph.tally;
    GraphSummary {
        id: graph.id,
        project_id: graph.project,
        title: graph.title,
        status: graph.status,
        created_by: graph.created_by,
        created_at: graph.created_at,
        counts: GraphCounts {
            tasks: tally.tasks,
            completed: tally.completed,
            cancelled: tally.cancelled,
            stale: tally.stale,
            dead_lettered: tally.dead,
            waiting: tally.waiting(),
            moving: tally.moving,
        },
        cost_usd: graph.spent,
    }
}

pub(crate) fn agent(agent: look::Agent) -> Agent {
    Agent {
        id: agent.agent,
        agent_type: agent.agent_type,
        capabilities: agent.capabilities,
        models_available: agent.models,
        task_types: agent.task_types,
        max_concurrent_tasks: agent.slots,
        current_tasks: agent.current_tasks,
        tasks: Vec::new(),
        status: agent.status,
        status_set_by: agent.status_set_by,
        offline_since: agent.silent_since,
        by_hand: agent.is_by_hand,
        last_heartbeat: agent.last_seen_at,
        registered_at: agent.registered_at,
        poll_interval_sec: seconds(agent.poll_interval_ms),
        claim_ttl_sec: agent.claim_ttl_ms.map(seconds),
        budget_remaining_usd: agent.budget_left,
    }
}

/// A dead letter with its whole history.
pub(crate) fn dead_letter(letter: look::DeadLetter) -> DeadLetter {
    let look::DeadLetter {
        summary,
        task,
        resolved,
        earlier,
    } = letter;
    let attempts = task.attempts.into_iter().map(attempt).enumerate();
    let failure_history = attempts.map(|(place, attempt)| FailedAttempt {
        attempt: place + 1,
        agent: attempt.agent,
        outcome: attempt.outcome,
        reason: attempt.reason,
        error: attempt.error,
        details: attempt.details,
        details_left_out: attempt.details_left_out,
        ended_at: attempt.ended_at,
        duration_sec: attempt.duration_sec,
        cost_usd: attempt.cost_usd,
    });
    DeadLetter {
        task_id: summary.task,
        dag_id: task.graph,
        task_type: task.asked.task_type,
        title: task.asked.title,
        created_by: task.created_by,
        poison_pill: summary.cause == DeadLetterCause::Poison.name(),
        cause: summary.cause,
        reason: summary.reason,
        fingerprint: summary.fingerprint.to_string(),
        failure_history: failure_history.collect(),
        total_cost_usd: Micros(summary.cost_micros),
        dead_lettered_at: summary.at,
        reviewed: summary.is_reviewed,
        resolution: resolved.as_ref().and_then(|one| one.resolution),
        resolved_by: resolved.as_ref().map(|one| one.by.clone()),
        resolved_at: resolved.as_ref().map(|one| one.at),
        note: resolved.and_then(|one| one.note),
        earlier: earlier.into_iter().map(earlier_dead_letter).collect(),
        dependents: summary.dependents,
    }
}

fn earlier_dead_letter(one: look::ResolvedLetter) -> EarlierDeadLetter {
    EarlierDeadLetter {
        dead_lettered_at: one.dead_at,
        cause: one.cause,
        reason: one.reason,
        resolution: one.resolution,
        resolved_by: one.by,
        resolved_at: one.at,
        note: one.note,
    }
}

pub(crate) fn dead_letter_group(group: &look::DeadLetterGroup) -> DeadLetterGroup {
    DeadLetterGroup {
        fingerprint: group.fingerprint.to_string(),
        reason: group.reason,
        count: group.letters,
        first_at: group.first_at,
        last_at: group.last_at,
        example: group.example,
    }
}

#[expect(clippy::cast_precision_loss, reason = "years are exact")]
pub(crate) fn seconds(milliseconds: i64) -> f64 {
    milliseconds as f64 / 1000.0
}

/// Attempts with what came in late; of several with one epoch, it goes with the last.
fn attempts(task: TaskId, ended: Vec<look::Attempt>, late: Vec<look::LateResult>) -> Vec<Attempt> {
    let mut shown: Vec<Attempt> = ended.into_iter().map(attempt).collect();
    for one in late {
        let epoch = one.epoch;
        let mut of_epoch = shown.iter_mut().rev();
        if let Some(attempt) = of_epoch.find(|attempt| attempt.epoch == epoch) {
            attempt.late = Some(late_result(task, one));
        }
    }
    shown
}

fn late_result(task: TaskId, late: look::LateResult) -> LateResult {
    let is_left_out = late.output.is_none() && late.output_bytes.is_some();
    let (adopted_by, adopted_at) = late.adopted.unzip();
    LateResult {
        at: late.at,
        outcome: late.outcome,
        accepted: late.was_accepted,
        adopted_by,
        adopted_at,
        output: late.output,
        output_url: is_left_out.then(|| format!("{}?epoch={}", output_url(task), late.epoch)),
        artifacts: late.artifacts,
        message: late.message,
        cost_usd: look::dollars(late.cost_micros),
    }
}

/// Where the whole output of a task is.
fn output_url(task: TaskId) -> String {
    format!("/v1/tasks/{task}/output")
}

fn attempt(attempt: look::Attempt) -> Attempt {
    let since = attempt.started_at.unwrap_or(attempt.claimed_at);
    Attempt {
        epoch: attempt.epoch,
        agent: attempt.agent,
        outcome: attempt.outcome,
        reason: attempt.reason,
        error: attempt.message,
        details: attempt.details,
        details_left_out: attempt.details_left_out,
        claimed_at: attempt.claimed_at,
        started_at: attempt.started_at,
        ended_at: attempt.ended_at,
        duration_sec: attempt.ended_at.duration_since(since).as_secs_f64(),
        cost_usd: look::dollars(attempt.cost_micros),
        usage: usage(&attempt.usage),
        late: None,
    }
}

fn usage(usage: &Usage) -> Option<UsageShown> {
    (!usage.is_empty()).then(|| usage.into())
}

fn read_text(text: Option<&JsonText>) -> Value {
    text.map_or(Value::Null, JsonText::value)
}

fn read_list(text: Option<&JsonText>) -> Vec<Value> {
    match read_text(text) {
        Value::Array(items) => items,
        _ => Vec::new(),
    }
}

pub(crate) fn claims(claimed: Vec<Claimed>) -> Result<Claims, Refused> {
    let claims = claims_of(claimed)?;
    Ok(Claims { claims })
}

/// Writes claims as JSON. Of one at a time there are values, which take many times as much memory as
/// its text.
fn claims_of(claimed: Vec<Claimed>) -> Result<Vec<Box<RawValue>>, Refused> {
    let bytes: usize = claimed.iter().map(Claimed::bytes).sum();
    beside(bytes > A_FEW_BYTES, || {
        let claims = claimed.into_iter().map(|claimed| {
            let task = claimed.lease.task;
            to_raw_value(&claim(claimed)?).map_err(|error| unreadable(task, &error))
        });
        claims.collect()
    })
}

/// [`ClaimedTasks`](workmill_protocol::claims::ClaimedTasks), written.
#[derive(Debug, Serialize)]
pub(crate) struct Claims {
    claims: Vec<Box<RawValue>>,
}

/// The end of a lease, with the claims that it asked for.
pub(crate) fn settled(answer: SettledWithClaims) -> Result<Settled, Refused> {
    let SettledWithClaims { settled, claims } = answer;
    let (claimed, claim_problem) = match claims {
        None => (None, None),
        Some(Ok(claimed)) => (Some(claims_of(claimed)?), None),
        Some(Err(refusal)) => {
            let Refused(problem) = refusal.into();
            (Some(Vec::new()), Some(*problem))
        }
    };
    Ok(Settled {
        status: settled.state,
        retry_in_ms: settled.retry_in_ms,
        claims: claimed,
        claim_problem,
    })
}

/// [`SettledTask`](workmill_protocol::leases::SettledTask), with its claims written.
#[derive(Debug, Serialize)]
pub(crate) struct Settled {
    status: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_in_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claims: Option<Vec<Box<RawValue>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claim_problem: Option<Problem>,
}

/// More text takes longer to write than a change of threads.
const A_FEW_BYTES: usize = 32 * 1024;

/// Writes a graph as JSON.
pub(crate) fn written_graph(found: look::Graph) -> Response {
    beside(found.tasks.len() > A_FEW_TASKS, || {
        Json(graph(found)).into_response()
    })
}

const A_FEW_TASKS: usize = 100;

fn claim(claimed: Claimed) -> Result<ClaimedTask, Refused> {
    let id = claimed.lease.task;
    let asked = serde_json::from_str(claimed.body.get()).map_err(|error| unreadable(id, &error))?;
    Ok(ClaimedTask {
        lease: claimed.lease,
        epoch: claimed.lease.epoch,
        attempt: claimed.attempt,
        status: claimed.state,
        expires_in_ms: claimed.ttl_ms,
        heartbeat_ms: claimed.heartbeat_ms,
        deadline_in_ms: claimed.deadline_in_ms,
        task: TaskToDo {
            id,
            dag_id: claimed.graph,
            created_at: claimed.submitted_at,
            created_by: claimed.created_by,
            asked,
        },
        context: Context {
            models: claimed.models,
            dependency_results: claimed
                .dependencies
                .into_iter()
                .map(|dependency| DependencyResult {
                    task: dependency.task,
                    name: dependency.name,
                    title: dependency.title,
                    task_type: dependency.task_type,
                    status: dependency.state,
                    output: read_text(dependency.output.as_ref()),
                    artifacts: read_list(dependency.artifacts.as_ref()),
                    left_out: dependency.left_out_bytes.is_some(),
                    output_url: dependency
                        .left_out_bytes
                        .map(|_| output_url(dependency.task)),
                    output_bytes: dependency.left_out_bytes,
                })
                .collect(),
            references: claimed
                .references
                .into_iter()
                .map(|one| ResolvedReference {
                    reference: one.reference,
                    status: one.state,
                    output: read_text(one.output.as_ref()),
                    artifacts: read_list(one.artifacts.as_ref()),
                    left_out: one.is_left_out,
                    output_url: one.left_out_bytes.and(one.task).map(output_url),
                    output_bytes: one.left_out_bytes,
                })
                .collect(),
            budget: RemainingBudget {
                agent_usd: claimed.budget.agent,
                graph_usd: claimed.budget.graph,
                task_usd: claimed.budget.task,
            },
            checkpoint: claimed.checkpoint.as_ref().map(JsonText::value),
            answers: claimed.answers.into_iter().map(answered).collect(),
            earlier_attempts: claimed
                .earlier_attempts
                .into_iter()
                .map(|earlier| Attempt {
                    // What it has used does not help whoever tries next.
                    usage: None,
                    ..attempt(earlier)
                })
                .collect(),
        },
    })
}

fn unreadable(task: TaskId, error: &serde_json::Error) -> Refused {
    tracing::error!(%task, %error, "a stored task cannot be read");
    Refused::new(ErrorCode::Internal, format!("{task} cannot be read"))
}
