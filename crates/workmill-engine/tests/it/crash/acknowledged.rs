//! What the clients were told. It lives in the test's own process, which nobody kills.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::Value;
use workmill_core::ids::LeaseId;
use workmill_testkit::history::Graphs;

use super::wire::Ending;

#[derive(Debug, Default, Clone)]
pub struct Acknowledged {
    pub submitted: Graphs,
    pub claims: Vec<Claim>,
    pub starts: Vec<LeaseId>,
    /// The last checkpoint of each lease.
    pub checkpoints: BTreeMap<LeaseId, Value>,
    pub endings: Vec<(LeaseId, Ending)>,
    /// Endings that were refused because the lease was gone.
    pub refused: Vec<(LeaseId, Ending)>,
    /// Answers that nobody should have got.
    pub strange: Vec<String>,
    pub doubts: Doubts,
}

/// A claim that was answered.
#[derive(Debug, Clone)]
pub struct Claim {
    pub agent: String,
    pub leases: Vec<LeaseId>,
    pub asked_at: Timestamp,
    /// When it was asked for the last time; later than `asked_at` if it was repeated.
    pub last_asked_at: Timestamp,
    pub answered_at: Timestamp,
    /// An answer was lost, so the claim may have been done before it was repeated.
    pub was_in_doubt: bool,
}

/// Calls whose answer was not to be had, and what asking again found.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Doubts {
    /// The engine died in the middle of the call.
    pub lost: usize,
    /// The engine lost the answer to its commit.
    pub unknown: usize,
    /// Submissions that had been committed.
    pub submits_found: usize,
    /// Settlements that had been committed.
    pub settlements_found: usize,
}

/// Which checkpoint of a task is the newest, as agents number them.
pub fn number_of(checkpoint: &Value) -> i64 {
    checkpoint["number"].as_i64().unwrap_or(-1)
}
