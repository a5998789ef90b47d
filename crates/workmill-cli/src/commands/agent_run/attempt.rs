//! One attempt: a command is started for a task, and what it leaves becomes the task's result.

use std::ffi::OsStr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use workmill_core::failure::Reason;
use workmill_core::task::NewTask;
use workmill_protocol::claims::ClaimedTask;
use workmill_sdk::ClientError;
use workmill_sdk::worker::{Cancelled, Ended, Failure, NotDone, TaskContext};

use super::ending;
use super::process::{self, Finished};
use super::program::{Program, Reading};
use super::progress_file::ProgressFile;
use super::result_file::ResultFile;
use crate::plain_text::plain;
use crate::render::{STDERR, stderr_of};
use crate::work_folder::WorkFolder;

/// What every attempt needs.
#[derive(Debug)]
pub(super) struct Runner {
    pub(super) program: Program,
    pub(super) url: String,
    pub(super) grace: Duration,
    pub(super) has_own_folder: bool,
}

impl Runner {
    pub(super) async fn attempt(
        self: Arc<Self>,
        task: TaskContext,
    ) -> Result<Box<RawValue>, NotDone> {
        let (id, title) = (task.task().id, plain(&task.task().asked.title));
        tracing::info!(task = %id, title, attempt = task.claim().attempt, "started");
        let ended = self.run(&task).await;
        // What the server makes of it is told by `tell_end`.
        match &ended {
            Ok(_) => tracing::debug!(task = %id, "the command ended"),
            // Logged where standard error is known.
            Err(NotDone::Released) => {}
            Err(NotDone::Failed(failure)) if failure.reason == Reason::Cancelled => {}
            Err(NotDone::Failed(failure)) => {
                let error = plain(&failure.message);
                let stderr = stderr_of(failure.details.as_ref()).map(plain);
                tracing::warn!(
                    task = %id, reason = %failure.reason, error, stderr, "the command failed"
                );
            }
        }
        ended
    }

    async fn run(&self, task: &TaskContext) -> Result<Box<RawValue>, NotDone> {
        let token = tokio::select! {
            token = task.lease_token() => token.map_err(|error| not_ours(&error))?,
            _ = task.cancelled() => return Err(NotDone::Released),
        };
        let files = WorkFolder::new()?;
        let result = files.path().join("result.json");
        let mut progress = ProgressFile::create(files.path().join("progress.jsonl"))?;
        let own_folder = self.has_own_folder.then(WorkFolder::new).transpose()?;
        let id = task.task().id.to_string();
        let lease = task.lease().to_string();
        let progress_path = progress.path().to_owned();
        let variables = [
            ("WORKMILL_TASK_ID", OsStr::new(&id)),
            ("WORKMILL_LEASE", OsStr::new(&lease)),
            ("WORKMILL_URL", OsStr::new(&self.url)),
            ("WORKMILL_TOKEN", OsStr::new(&token)),
            ("WORKMILL_RESULT", result.as_os_str()),
            ("WORKMILL_PROGRESS", progress_path.as_os_str()),
        ];
        let launch = self.program.launch(task.claim())?;
        let finished = process::run(
            launch,
            &variables,
            own_folder.as_ref().map(WorkFolder::path),
            task,
            &mut progress,
            self.grace,
        );
        let finished = finished.await.map_err(|error| {
            let message = format!("the command does not start: {error}");
            NotDone::from(Failure::new(Reason::Crash, message))
        })?;
        let reading = self
            .program
            .read(&finished.output, &finished.complaints, task.claim());
        let stderr = finished.complaints.text();
        let stderr = stderr.trim();
        if !stderr.is_empty() {
            task.details(json!({STDERR: stderr}));
        }
        let ended = report(task, finished, reading, ResultFile::read(&result)).await;
        let printed = (!stderr.is_empty()).then(|| plain(stderr));
        match ended {
            Err(NotDone::Released) => {
                tracing::info!(task = %id, stderr = printed, "the command was stopped");
                Err(stopped(task, stderr))
            }
            Ok(output) => {
                if printed.is_some() {
                    tracing::info!(task = %id, stderr = printed, "the command ended");
                }
                Ok(output)
            }
            Err(not_done) => Err(with_stderr(not_done, stderr)),
        }
    }
}

/// Logs what the server says of the end of an attempt.
pub(super) fn tell_end(claim: &ClaimedTask, ended: Ended) {
    let task = claim.task.id;
    match ended {
        Ended::Completed => tracing::info!(%task, "completed"),
        Ended::Failed => tracing::warn!(%task, "failed"),
        Ended::TimedOut => tracing::warn!(%task, "timed out"),
        Ended::OverBudget => tracing::warn!(%task, "over budget"),
        Ended::Blocked => tracing::info!(%task, "blocked: it waits for an answer"),
        Ended::Waits => tracing::info!(%task, "waits for the tasks that it spawned"),
        Ended::Cancelled => tracing::info!(%task, "cancelled"),
        Ended::Released => tracing::info!(%task, "released"),
        Ended::Lost => tracing::warn!(%task, "the lease is lost"),
        Ended::Unreported => tracing::warn!(%task, "not reported: the server was away"),
    }
}

/// Reports a stop by the server as a failure if there is standard error to keep: the server counts the
/// attempt by its own reason. A runner that ends gives the task back.
fn stopped(task: &TaskContext, stderr: &str) -> NotDone {
    match task.why_cancelled() {
        Some(Cancelled::ToldToStop(_) | Cancelled::LeaseLost) if !stderr.is_empty() => {
            let message = format!("the command was stopped: {stderr}");
            NotDone::from(Failure {
                details: Some(json!({STDERR: stderr})),
                ..Failure::new(Reason::Cancelled, message)
            })
        }
        _ => NotDone::Released,
    }
}

/// Keeps the end of standard error with the attempt, unless its message quotes it already.
fn with_stderr(not_done: NotDone, stderr: &str) -> NotDone {
    match not_done {
        NotDone::Failed(failure) if !stderr.is_empty() && !failure.message.contains(stderr) => {
            let mut details = match failure.details {
                Some(Value::Object(details)) => details,
                Some(other) => Map::from_iter([("details".to_owned(), other)]),
                None => Map::new(),
            };
            details.insert(STDERR.to_owned(), stderr.into());
            NotDone::Failed(Failure {
                details: Some(details.into()),
                ..failure
            })
        }
        other => other,
    }
}

/// Tells what was used whatever the end, and then how it ended.
async fn report(
    task: &TaskContext,
    finished: Finished,
    reading: Reading,
    left: Result<ResultFile, String>,
) -> Result<Box<RawValue>, NotDone> {
    let (left, problem) = match left {
        Ok(left) => (left, None),
        Err(problem) => (ResultFile::default(), Some(problem)),
    };
    if let Some(usage) = left.usage.or(reading.usage) {
        task.usage(usage);
    }
    if finished.was_stopped {
        return Err(match (task.why_cancelled(), task.time_limit()) {
            (Some(Cancelled::TimeIsUp), Some(limit)) => {
                ending::timeout(limit, &finished.complaints).into()
            }
            _ => NotDone::Released,
        });
    }
    let failure = ending::failure(finished.status, &finished.complaints);
    if let Some(failure) = reading.failure.or(failure) {
        return Err(failure.into());
    }
    if let Some(problem) = problem {
        let message = format!("the result file cannot be used: {problem}");
        return Err(Failure::new(Reason::InvalidOutput, message).into());
    }
    for artifact in left.artifacts {
        task.artifact(artifact);
    }
    if !left.tasks.is_empty() {
        spawn(task, left.tasks).await?;
    }
    let output = left.output.or(reading.output);
    Ok(output.unwrap_or_else(|| ending::printed(&finished.output)))
}

async fn spawn(task: &TaskContext, tasks: Vec<NewTask>) -> Result<(), NotDone> {
    let spawned = tokio::select! {
        spawned = task.spawn(tasks) => spawned,
        _ = task.cancelled() => return Err(NotDone::Released),
    };
    spawned.map_err(|error| {
        let message = format!("the follow-up tasks were refused: {error}");
        Failure::new(Reason::InvalidOutput, message).into()
    })
}

/// Who gets no token for a lease does not hold it.
fn not_ours(error: &ClientError) -> NotDone {
    tracing::warn!("the task was taken away: {}", plain(&error.to_string()));
    NotDone::Released
}
