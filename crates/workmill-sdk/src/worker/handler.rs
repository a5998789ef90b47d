//! Running a handler: what it answers, and what becomes of one that does not end or panics.

use std::any::Any;
use std::fmt::Write;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use tokio::task::{JoinError, JoinSet};
use workmill_core::failure::Reason;

use super::context::{Cancelled, TaskContext};
use super::stop::Stop;

/// What a handler has put out, or why it has not.
pub type Handled = Result<Box<RawValue>, NotDone>;

/// Why there is no result.
///
/// Any error becomes a failure with the reason `unknown`, so `?` works in handlers.
#[derive(Debug, Clone, PartialEq)]
pub enum NotDone {
    Failed(Failure),
    /// Given back for somebody else to do; does not count as an attempt.
    Released,
}

/// Why an attempt failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// Decides whether another attempt follows.
    pub reason: Reason,
    pub message: String,
    /// Up to 64 KiB of JSON; larger details are not sent.
    pub details: Option<Value>,
    /// Not before so much time has passed.
    pub retry_after: Option<Duration>,
}

impl Failure {
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Failure {
            reason,
            message: message.into(),
            details: None,
            retry_after: None,
        }
    }
}

impl From<Failure> for NotDone {
    fn from(failure: Failure) -> Self {
        NotDone::Failed(failure)
    }
}

impl<E: std::error::Error> From<E> for NotDone {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            // Writing to a string cannot fail.
            let _ = write!(message, ": {error}");
            cause = error.source();
        }
        Failure::new(Reason::Unknown, message).into()
    }
}

/// Runs the handler in a task of its own, so that a panic ends the attempt and not the worker.
pub(super) async fn run<Handle, Handling, Output>(
    handle: &Handle,
    context: &TaskContext,
    stop: &Stop,
    grace: Duration,
) -> Handled
where
    Handle: Fn(TaskContext) -> Handling,
    Handling: Future<Output = Result<Output, NotDone>> + Send + 'static,
    Output: Serialize + Send + 'static,
{
    // A set of one: dropped, it takes its task along.
    let mut handling = JoinSet::new();
    handling.spawn(handle(context.clone()));
    tokio::select! {
        Some(ended) = handling.join_next() => return answer(ended),
        () = stop.released() => context.cancel(Cancelled::Released),
        () = time_is_up(context) => context.cancel(Cancelled::TimeIsUp),
    }
    match tokio::time::timeout(grace, handling.join_next()).await {
        Ok(Some(ended)) => answer(ended),
        _ => Err(NotDone::Released),
    }
}

/// Returns when the attempt has run for as long as it may. The server ends it then, too; but the agent
/// would hear of that with its next heartbeat only, and not at all while the server is away.
async fn time_is_up(context: &TaskContext) {
    match context.time_limit() {
        Some(limit) => tokio::time::sleep(limit).await,
        None => std::future::pending().await,
    }
}

fn answer<Output: Serialize>(ended: Result<Result<Output, NotDone>, JoinError>) -> Handled {
    match ended {
        Ok(Ok(output)) => to_raw_value(&output).map_err(|error| {
            let message = format!("the output cannot be written as JSON: {error}");
            Failure::new(Reason::InvalidOutput, message).into()
        }),
        Ok(Err(not_done)) => Err(not_done),
        Err(error) => {
            let words = error.try_into_panic().ok();
            let words = words.as_deref().map_or("", what_it_said);
            let message = format!("the handler panicked: {words}");
            Err(Failure::new(Reason::Crash, message).into())
        }
    }
}

fn what_it_said(panic: &(dyn Any + Send)) -> &str {
    match panic.downcast_ref::<&str>() {
        Some(words) => words,
        None => panic.downcast_ref::<String>().map_or("", String::as_str),
    }
}
