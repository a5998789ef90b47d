//! How an attempt ends: with the server's answer, however long that takes.

use std::time::Duration;

use serde_json::Value;
use serde_json::value::RawValue;
use workmill_core::attempt::Outcome;
use workmill_core::failure::{LARGEST_DETAILS, Reason};
use workmill_protocol::claims::{ClaimedTask, NextClaim};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::leases::{
    CompleteTask, FailTask, LeaseState, ReleaseTask, SettledTask, Usage,
};

use super::context::{Cancelled, TaskContext};
use super::handler::{Failure, Handled, NotDone};
use super::server::{Server, is_lost, refusal};
use super::stop::Stop;
use crate::client::Client;
use crate::error::ClientError;

/// How long a worker that lets go tries to say so.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// Of a message; more says no more.
const LONGEST_MESSAGE: usize = 16 * 1024;

/// What became of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Completed,
    Failed,
    /// The attempt ran for as long as it may, or the deadline of the task passed.
    TimedOut,
    /// The attempt cost more than it may.
    OverBudget,
    /// The task waits for an answer.
    Blocked,
    /// The task waits for tasks that it spawned.
    Waits,
    /// The task was cancelled.
    Cancelled,
    /// The task was given back without a result.
    Released,
    /// The lease ran out, or another agent has the task.
    Lost,
    /// The server could not be reached before the worker had to end. The lease expires by itself.
    Unreported,
}

impl Ended {
    /// What the server knows of an attempt that this worker did not end.
    fn of(state: &LeaseState) -> Ended {
        match state.outcome {
            Some(Outcome::Completed) => Ended::Completed,
            Some(Outcome::Failed) => state.reason.map_or(Ended::Failed, Ended::of_failure),
            Some(Outcome::Released | Outcome::Preempted) => Ended::Released,
            Some(Outcome::Waited) => Ended::Waits,
            Some(Outcome::Blocked) => Ended::Blocked,
            Some(Outcome::Cancelled) => Ended::Cancelled,
            None => Ended::Lost,
        }
    }

    fn of_failure(reason: Reason) -> Ended {
        match reason {
            Reason::Timeout | Reason::DeadlineExceeded => Ended::TimedOut,
            Reason::BudgetExceeded => Ended::OverBudget,
            Reason::Cancelled => Ended::Cancelled,
            Reason::HeartbeatTimeout | Reason::ClaimExpired => Ended::Lost,
            Reason::Crash
            | Reason::RateLimit
            | Reason::InvalidOutput
            | Reason::AuthFailure
            | Reason::PermissionDenied
            | Reason::InvalidInput
            | Reason::NotFound
            | Reason::Network
            | Reason::Unknown => Ended::Failed,
        }
    }
}

/// Reports the end of an attempt, for as long as it takes. A lease that runs out while the server is
/// away is not lost by that: what comes late is taken, unless somebody else has the task by then.
///
/// A completion and a failure claim the next task, if `next` asks for one.
pub(super) async fn settle(
    context: &TaskContext,
    handled: Handled,
    stop: &Stop,
    next: Option<NextClaim>,
) -> EndedAndNext {
    let Server::Real(client) = context.server() else {
        return (Ended::Lost, None);
    };
    let told = async {
        match handled {
            Ok(output) => complete(client, context, output, next).await,
            Err(not_done) => match (context.why_cancelled(), not_done) {
                (None, NotDone::Failed(failure)) => fail(client, context, failure, next).await,
                (Some(Cancelled::TimeIsUp), not_done) => {
                    fail(client, context, timeout(context, not_done), next).await
                }
                // The server knows why it told the attempt to stop, and keeps the details.
                (Some(Cancelled::ToldToStop(why)), NotDone::Failed(failure)) => {
                    fail(client, context, stopped(&why, failure), next).await
                }
                // The server refuses the report, but stores it with the attempt.
                (Some(Cancelled::LeaseLost), NotDone::Failed(failure)) => {
                    fail(client, context, failure, next).await
                }
                (_, NotDone::Failed(_) | NotDone::Released) => {
                    Ok((release(client, context).await?, None))
                }
            },
        }
    };
    let enough = async {
        stop.released().await;
        tokio::time::sleep(LAST_WORDS).await;
    };
    tokio::select! {
        ended = async {
            match told.await {
                Ok(ended) => ended,
                Err(_) => (what_became_of_it(client, context).await, None),
            }
        } => ended,
        () = enough => (Ended::Unreported, None),
    }
}

/// The attempt ended without this worker: the work itself ended it, or time, a person or another agent
/// did.
async fn what_became_of_it(client: &Client, context: &TaskContext) -> Ended {
    let state = client.lease(context.lease()).await;
    state.map_or(Ended::Lost, |state| Ended::of(&state))
}

/// What the handler says of its end if it was stopped in time, or the plain fact.
fn timeout(context: &TaskContext, not_done: NotDone) -> Failure {
    match not_done {
        NotDone::Failed(failure) if failure.reason == Reason::Timeout => failure,
        NotDone::Failed(_) | NotDone::Released => {
            let limit = context.time_limit().unwrap_or_default();
            let message = format!(
                "stopped after {} s, the longest that this attempt may run (`max_duration_sec`)",
                limit.as_secs_f64()
            );
            Failure::new(Reason::Timeout, message)
        }
    }
}

/// Confirms the reason that the server gave. An unknown reason is reported as `unknown`: the server
/// counts the one that it gave.
fn stopped(why: &str, failure: Failure) -> Failure {
    Failure {
        reason: Reason::from_name(why).unwrap_or(Reason::Unknown),
        ..failure
    }
}

type EndedAndNext = (Ended, Option<ClaimedTask>);

async fn complete(
    client: &Client,
    context: &TaskContext,
    output: Box<RawValue>,
    next: Option<NextClaim>,
) -> Result<EndedAndNext, ClientError> {
    let mut completion = CompleteTask {
        output,
        artifacts: context.artifacts(),
        usage: context.used(),
        claim: next.clone(),
    };
    let mut answer = client.complete(context.lease(), &completion).await;
    if answer.as_ref().is_err_and(is_without_claims) {
        completion.claim = None;
        answer = client.complete(context.lease(), &completion).await;
    }
    match answer {
        Ok(settled) => Ok((Ended::Completed, first_claim(settled))),
        Err(error) if is_unusable(&error) => {
            let message = format!("the result was refused: {error}");
            tracing::warn!(task = %context.task().id, %error, "the result was refused");
            let failure = Failure {
                details: context.failure_details(),
                ..Failure::new(Reason::InvalidOutput, message)
            };
            fail(client, context, failure, next).await
        }
        Err(error) => Err(error),
    }
}

async fn fail(
    client: &Client,
    context: &TaskContext,
    failure: Failure,
    next: Option<NextClaim>,
) -> Result<EndedAndNext, ClientError> {
    flush(client, context).await;
    let reason = failure.reason;
    let retry_after = failure.retry_after.map(|time| time.as_millis());
    let mut failure = FailTask {
        reason: failure.reason,
        message: storable(&failure.message),
        details: failure.details.filter(is_small_enough),
        retry_after_ms: retry_after.map(|ms| i64::try_from(ms).unwrap_or(i64::MAX)),
        usage: context.used(),
        claim: next,
    };
    let mut answer = client.fail(context.lease(), &failure).await;
    if answer.as_ref().is_err_and(is_without_claims) {
        failure.claim = None;
        answer = client.fail(context.lease(), &failure).await;
    }
    let settled = match answer {
        Err(error) if is_unusable(&error) => {
            // The plain fact can be refused by nobody.
            failure.message = format!("{}; the report was refused: {error}", failure.reason);
            failure.reason = Reason::Unknown;
            failure.details = None;
            failure.retry_after_ms = None;
            failure.usage = Usage::default();
            client.fail(context.lease(), &failure).await?
        }
        answer => answer?,
    };
    Ok((Ended::of_failure(reason), first_claim(settled)))
}

/// A slot claims one task at a time.
fn first_claim(settled: SettledTask) -> Option<ClaimedTask> {
    settled.claims.into_iter().flatten().next()
}

/// Whether the server is older than this client and does not know claims with the end of a lease.
fn is_without_claims(error: &ClientError) -> bool {
    matches!(error, ClientError::Refused(problem) if problem.field.as_deref() == Some("claim"))
}

async fn release(client: &Client, context: &TaskContext) -> Result<Ended, ClientError> {
    flush(client, context).await;
    let release = ReleaseTask {
        usage: context.used(),
    };
    let answer = client.release_with(context.lease(), &release).await;
    match answer {
        Err(error) if is_unusable(&error) => client.release(context.lease()).await?,
        answer => answer?,
    };
    Ok(match context.why_cancelled() {
        Some(Cancelled::ToldToStop(why)) => {
            Reason::from_name(&why).map_or(Ended::Released, Ended::of_failure)
        }
        Some(Cancelled::LeaseLost) => what_became_of_it(client, context).await,
        Some(Cancelled::TimeIsUp | Cancelled::Released) | None => Ended::Released,
    })
}

/// What the next attempt is to go on from must be there before this one ends.
async fn flush(client: &Client, context: &TaskContext) {
    let report = context.take_report();
    if report.checkpoint.is_some() {
        // Refused means lost, and then there is nothing to go on from.
        let _ = client.heartbeat(context.lease(), &report).await;
    }
}

/// Whether the server cannot take what was said, rather than from whom.
fn is_unusable(error: &ClientError) -> bool {
    let too_much = matches!(
        refusal(error),
        Some(ErrorCode::Invalid | ErrorCode::TooLarge)
    );
    too_much && !is_lost(error)
}

/// Whether the server takes these details. The reason and the message matter more than them.
fn is_small_enough(details: &Value) -> bool {
    details.to_string().len() <= LARGEST_DETAILS
}

/// Without what no database can hold, and not too long.
fn storable(message: &str) -> String {
    let kept = message.floor_char_boundary(LONGEST_MESSAGE);
    message[..kept].replace('\0', "\u{fffd}")
}
