//! What a task's context talks to: the server, or a test that writes down what it is told.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use workmill_core::ids::LeaseId;
use workmill_core::json_text::JsonText;
use workmill_protocol::claims::DependencyResult;
use workmill_protocol::error::ErrorCode;
use workmill_protocol::leases::{SendHeartbeat, SpawnTasks};

use super::testkit::Recording;
use crate::client::Client;
use crate::error::ClientError;

#[derive(Debug, Clone)]
pub(super) enum Server {
    Real(Client),
    Recorded(Arc<Mutex<Recording>>),
}

impl Server {
    pub(super) async fn spawn(&self, lease: LeaseId, spawn: SpawnTasks) -> Result<(), ClientError> {
        match self {
            Server::Real(client) => match client.spawn(lease, &spawn).await {
                Err(error) if !is_there_already(&error, lease) => Err(error),
                _ => Ok(()),
            },
            Server::Recorded(recording) => {
                let mut recording = recording.lock().unwrap_or_else(PoisonError::into_inner);
                recording.spawned.extend(spawn.tasks);
                Ok(())
            }
        }
    }

    pub(super) async fn lease_token(&self, lease: LeaseId) -> Result<String, ClientError> {
        match self {
            Server::Real(client) => Ok(client.lease_token(lease).await?.token),
            Server::Recorded(_) => Ok("a token of no server".to_owned()),
        }
    }

    pub(super) async fn output(&self, result: &DependencyResult) -> Result<Value, ClientError> {
        match self {
            Server::Real(client) if result.left_out => client.output(result.task).await,
            Server::Real(_) | Server::Recorded(_) => Ok(result.output.clone()),
        }
    }

    /// What a context has told, for those who do not hear it from the heartbeats.
    pub(super) fn told(&self, heartbeat: &SendHeartbeat) {
        if let Server::Recorded(recording) = self {
            let mut recording = recording.lock().unwrap_or_else(PoisonError::into_inner);
            recording
                .progress
                .extend(heartbeat.progress.as_ref().map(JsonText::value));
            recording
                .checkpoints
                .extend(heartbeat.checkpoint.as_ref().map(JsonText::value));
        }
    }
}

/// A key for the n-th task that was spawned with a lease. The server refuses the same key twice, and
/// so a spawn whose answer was lost can be repeated.
pub(super) fn spawned_key(lease: LeaseId, n: usize) -> String {
    format!("{lease}-{n}")
}

fn is_there_already(error: &ClientError, lease: LeaseId) -> bool {
    let ClientError::Refused(problem) = error else {
        return false;
    };
    let own = format!("`{lease}-");
    let detail = problem.detail.as_str();
    problem.code == ErrorCode::Conflict && detail.contains(&own)
}

/// Whether the right to work on the task is gone: somebody else has it, or decided.
pub(super) fn is_lost(error: &ClientError) -> bool {
    matches!(
        refusal(error),
        Some(
            ErrorCode::LeaseLost
                | ErrorCode::IllegalTransition
                | ErrorCode::Conflict
                | ErrorCode::NotFound
                // The key was revoked, and its leases with it.
                | ErrorCode::Unauthorized
                | ErrorCode::Forbidden
        )
    )
}

pub(super) fn refusal(error: &ClientError) -> Option<ErrorCode> {
    match error {
        ClientError::Refused(problem) => Some(problem.code),
        _ => None,
    }
}
