//! How an attempt ended, and whether it counts against the task.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Completed,
    Failed,
    /// Given back by the agent, or by its drain.
    Released,
    Preempted,
    /// Stopped to wait for a task that it spawned.
    Waited,
    Blocked,
    Cancelled,
}

impl Outcome {
    pub const ALL: [Outcome; 7] = [
        Outcome::Completed,
        Outcome::Failed,
        Outcome::Released,
        Outcome::Preempted,
        Outcome::Waited,
        Outcome::Blocked,
        Outcome::Cancelled,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Completed => "completed",
            Outcome::Failed => "failed",
            Outcome::Released => "released",
            Outcome::Preempted => "preempted",
            Outcome::Waited => "waited",
            Outcome::Blocked => "blocked",
            Outcome::Cancelled => "cancelled",
        }
    }

    pub fn from_name(name: &str) -> Option<Outcome> {
        Outcome::ALL
            .into_iter()
            .find(|outcome| outcome.name() == name)
    }

    /// Attempts are counted when they are claimed; those that were no try are taken back.
    pub const fn burns_an_attempt(self) -> bool {
        matches!(
            self,
            Outcome::Completed | Outcome::Failed | Outcome::Cancelled
        )
    }
}
