//! Acting on many leases in one call. Each is answered for itself, in the order of the request.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::Problem;
use crate::leases::{
    BlockTask, CompleteTask, FailTask, LeaseAlive, ReleaseTask, SettledTask, Usage,
};
use workmill_core::bounded::{MOST_LEASES, up_to};
use workmill_core::json_text::JsonText;
use workmill_core::schema::Json;

/// `POST /v1/heartbeats`: at most 1,000.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SendHeartbeats {
    #[serde(deserialize_with = "up_to::<{ MOST_LEASES }, _, _>")]
    #[schema(min_items = 1, max_items = 1000)]
    pub heartbeats: Vec<LeaseHeartbeat>,
}

/// The body of `POST /v1/leases/{lease}/heartbeat`, with the lease.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct LeaseHeartbeat {
    /// An invalid lease is answered with a problem in its place; the other items are processed.
    pub lease: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json)]
    pub progress: Option<JsonText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json)]
    pub checkpoint: Option<JsonText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// `POST /v1/settlements`: at most 1,000.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct SettleLeases {
    #[serde(deserialize_with = "up_to::<{ MOST_LEASES }, _, _>")]
    #[schema(min_items = 1, max_items = 1000)]
    pub settlements: Vec<LeaseSettlement>,
}

/// The end of one lease: exactly one of the four members, with the body of its single call.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct LeaseSettlement {
    pub lease: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<CompleteTask>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fail: Option<FailTask>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<ReleaseTask>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<BlockTask>,
}

/// The answer to `POST /v1/heartbeats`.
pub type HeartbeatAnswers = Answers<LeaseAlive>;

/// The answer to `POST /v1/settlements`.
pub type SettlementAnswers = Answers<SettledTask>;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Answers<T> {
    /// One item per item of the request, in the same order.
    pub items: Vec<Answer<T>>,
}

/// The outcome of one item: its result, or the problem that a single call would have returned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Answer<T> {
    pub lease: String,
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub result: Option<T>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
}

fn none<T>() -> Option<T> {
    None
}
