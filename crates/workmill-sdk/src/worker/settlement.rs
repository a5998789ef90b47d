//! How an attempt ends: with the server's answer, however long that takes.

use std::time::Duration;

use serde_json::value::RawValue;
use workmill_core::failure::Reason;
use workmill_protocol::error::ErrorCode;
use workmill_protocol::leases::{CompleteTask, FailTask, ReleaseTask, Usage};

use super::context::TaskContext;
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
    Released,
    /// The task was somebody else's, or nobody's, before.
    Lost,
}

/// Reports the end of an attempt, for as long as it takes. A lease that runs out while the server is
/// away is not lost by that: what comes late is taken, unless somebody else has the task by then.
pub(super) async fn settle(context: &TaskContext, handled: Handled, stop: &Stop) -> Ended {
    let Server::Real(client) = context.server() else {
        return Ended::Lost;
    };
    let told = async {
        match handled {
            Ok(output) => complete(client, context, output).await,
            Err(NotDone::Failed(failure)) if !context.is_cancelled() => {
                fail(client, context, failure).await
            }
            // Who is told to stop gives back what is not done, and the server knows why.
            Err(_) => release(client, context).await,
        }
    };
    let enough = async {
        stop.released().await;
        tokio::time::sleep(LAST_WORDS).await;
    };
    tokio::select! {
        told = told => told.unwrap_or(Ended::Lost),
        () = enough => Ended::Lost,
    }
}

async fn complete(
    client: &Client,
    context: &TaskContext,
    output: Box<RawValue>,
) -> Result<Ended, ClientError> {
    let completion = CompleteTask {
        output,
        artifacts: context.artifacts(),
        usage: context.used(),
    };
    let answer = client.complete(context.lease(), &completion).await;
    match answer {
        Ok(_) => Ok(Ended::Completed),
        Err(error) if is_unusable(&error) => {
            let message = format!("the result was refused: {error}");
            let failure = Failure::new(Reason::InvalidOutput, message);
            fail(client, context, failure).await
        }
        Err(error) => Err(error),
    }
}

async fn fail(
    client: &Client,
    context: &TaskContext,
    failure: Failure,
) -> Result<Ended, ClientError> {
    flush(client, context).await;
    let retry_after = failure.retry_after.map(|time| time.as_millis());
    let mut failure = FailTask {
        reason: failure.reason,
        message: storable(&failure.message),
        details: failure.details,
        retry_after_ms: retry_after.map(|ms| i64::try_from(ms).unwrap_or(i64::MAX)),
        usage: context.used(),
    };
    let answer = client.fail(context.lease(), &failure).await;
    match answer {
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
    Ok(Ended::Failed)
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
    Ok(Ended::Released)
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

/// Without what no database can hold, and not too long.
fn storable(message: &str) -> String {
    let kept = message.floor_char_boundary(LONGEST_MESSAGE);
    message[..kept].replace('\0', "\u{fffd}")
}
