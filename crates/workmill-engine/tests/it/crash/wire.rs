//! What goes through the pipes between the clients and an engine's process, one line of JSON each.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;
use workmill_core::failure::Reason;
use workmill_core::ids::{GraphId, LeaseId, TaskId};
use workmill_core::task::NewTask;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Call {
    Register {
        agent: String,
        slots: i32,
    },
    /// As an operator does who thinks better of an agent.
    LetWork {
        agent: String,
    },
    Submit {
        key: String,
        tasks: Vec<NewTask>,
        is_graph: bool,
    },
    Grow {
        key: String,
        graph: GraphId,
        tasks: Vec<NewTask>,
    },
    Spawn {
        key: String,
        lease: LeaseId,
        tasks: Vec<NewTask>,
    },
    Claim {
        agent: String,
        most: i32,
        start: bool,
        request: Uuid,
    },
    Start {
        lease: LeaseId,
    },
    Heartbeat {
        lease: LeaseId,
        checkpoint: Value,
    },
    Settle {
        lease: LeaseId,
        ending: Ending,
    },
}

/// How an agent ends its attempt. The words are its own, so that what is stored shows whose it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Ending {
    Complete { output: Value },
    Fail { reason: Reason, message: String },
    Release,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Answer {
    Registered,
    Submitted {
        graph: Option<GraphId>,
        tasks: Vec<TaskId>,
        is_repeat: bool,
    },
    Claimed {
        leases: Vec<Claimed>,
    },
    Alive,
    Settled {
        is_repeat: bool,
    },
    /// The lease is not the current one, or what it brought came too late to count.
    LeaseGone,
    /// Anything else that the engine would not do.
    Refused {
        why: String,
    },
    /// Nothing was changed; to be asked again.
    Unavailable,
    /// The answer to a commit was lost; asking again finds out.
    Unknown,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Claimed {
    pub lease: LeaseId,
    pub is_started: bool,
}
