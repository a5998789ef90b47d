//! Acting on a lease.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use workmill_core::attempt::Outcome;
use workmill_core::bounded::{MOST_TASKS, MOST_WORDS, up_to};
use workmill_core::failure::Reason;
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::json_text::JsonText;
use workmill_core::lifecycle::State;
use workmill_core::question::WaitsFor;
use workmill_core::schema::{Artifact, Json, Text};
use workmill_core::task::NewTask;

use crate::claims::{ClaimedTask, NextClaim};
use crate::error::Problem;
pub use crate::usage::{ModelUsage, Usage};

/// The answer to `start` and `heartbeat`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LeaseAlive {
    pub directive: Directive,
    /// The reason to stop, or the name of the pause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub expires_in_ms: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Directive {
    Continue,
    Stop,
    /// Rest at the next convenient moment, and continue when the directive is `continue` again. Heartbeats
    /// keep the lease alive; an agent that cannot rest may continue.
    Pause,
}

/// `POST /v1/leases/{lease}/heartbeat`
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct SendHeartbeat {
    /// At most 64 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json)]
    pub progress: Option<JsonText>,
    /// A checkpoint for the next attempt, if this one ends without a result: at most 1 MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json)]
    pub checkpoint: Option<JsonText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// `POST /v1/leases/{lease}/block`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BlockTask {
    pub waits_for: MayWaitFor,
    /// The question to a person: at most 64 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json)]
    pub question: Option<Value>,
    /// Without an answer within this time, the attempt fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 315_360_000_000i64)]
    pub timeout_ms: Option<i64>,
    #[serde(default)]
    pub usage: Usage,
}

/// What an agent may wait for; only Workmill asks for a stale check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MayWaitFor {
    Input,
    Approval,
    OutsideEvent,
}

impl From<MayWaitFor> for WaitsFor {
    fn from(said: MayWaitFor) -> Self {
        match said {
            MayWaitFor::Input => WaitsFor::Input,
            MayWaitFor::Approval => WaitsFor::Approval,
            MayWaitFor::OutsideEvent => WaitsFor::OutsideEvent,
        }
    }
}

/// `POST /v1/leases/{lease}/spawn`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpawnTasks {
    #[serde(deserialize_with = "up_to::<{ MOST_TASKS }, _, _>")]
    #[schema(min_items = 1, max_items = 10_000)]
    pub tasks: Vec<NewTask>,
    /// The spawning task goes back to pending and gets their outputs with its next claim.
    #[serde(default)]
    pub wait: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SpawnedTasks {
    /// In the order of the request.
    pub tasks: Vec<TaskId>,
}

/// `POST /v1/leases/{lease}/release`
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ReleaseTask {
    pub usage: Usage,
}

/// `POST /v1/leases/{lease}/complete`
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct CompleteTask {
    /// Any JSON; stored unchanged.
    #[serde(default = "null")]
    #[schema(value_type = Json)]
    pub output: Box<RawValue>,
    /// References to artifacts, as texts or objects: at most 100, 64 KiB together.
    #[serde(
        default,
        deserialize_with = "up_to::<{ MOST_WORDS }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(value_type = Vec<Artifact>, max_items = 100)]
    pub artifacts: Vec<Value>,
    #[serde(default)]
    pub usage: Usage,
    /// Claim the next tasks in the same transaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<NextClaim>,
}

/// `POST /v1/leases/{lease}/fail`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FailTask {
    pub reason: Reason,
    #[serde(default)]
    #[schema(value_type = Text)]
    pub message: String,
    /// Any JSON, at most 64 KiB; shown with the attempt and handed to the next one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json)]
    pub details: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 315_360_000_000i64)]
    pub retry_after_ms: Option<i64>,
    #[serde(default)]
    pub usage: Usage,
    /// Claim the next tasks in the same transaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<NextClaim>,
}

/// The new status of the task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SettledTask {
    pub status: State,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_in_ms: Option<i64>,
    /// The claims that `claim` asked for, as `POST /v1/claims` returns them. Empty if there was no task
    /// for the agent, or if its claim was refused; absent without `claim`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<ClaimedTask>>,
    /// Why the claim was refused. The end of the lease was accepted nevertheless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_problem: Option<Problem>,
}

fn null() -> Box<RawValue> {
    RawValue::NULL.to_owned()
}

/// The answer to `GET /v1/leases/{lease}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LeaseState {
    pub lease: LeaseId,
    /// The lease is the current one of its task.
    pub is_held: bool,
    /// How the attempt ended; left out while the lease is held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Why the attempt failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The message of the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The details of the failure, up to 64 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json)]
    pub details: Option<Value>,
}

/// The answer to `POST /v1/leases/{lease}/token`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LeaseToken {
    pub lease: LeaseId,
    /// Valid for calls on this lease only.
    pub token: String,
}
