//! What a blocked task waits for.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitsFor {
    Input,
    Approval,
    OutsideEvent,
    /// Its lease ran out, and a person is to look before it is tried again.
    StaleCheck,
}

impl WaitsFor {
    pub const ALL: [WaitsFor; 4] = [
        WaitsFor::Input,
        WaitsFor::Approval,
        WaitsFor::OutsideEvent,
        WaitsFor::StaleCheck,
    ];

    /// Returns the word that is stored and shown.
    pub const fn name(self) -> &'static str {
        match self {
            WaitsFor::Input => "input",
            WaitsFor::Approval => "approval",
            WaitsFor::OutsideEvent => "outside_event",
            WaitsFor::StaleCheck => "stale_check",
        }
    }

    pub fn from_name(name: &str) -> Option<WaitsFor> {
        WaitsFor::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Whether a person can end the wait; an outside event is reported by a program.
    pub const fn is_for_a_person(self) -> bool {
        match self {
            WaitsFor::Input | WaitsFor::Approval | WaitsFor::StaleCheck => true,
            WaitsFor::OutsideEvent => false,
        }
    }
}

/// The largest question as JSON text, in bytes: questions are listed whole.
pub const LARGEST_QUESTION: usize = 64 * 1024;

/// An event carries a question up to this size; a larger one is read from the task.
pub const LARGEST_QUESTION_OF_AN_EVENT: usize = 8 * 1024;
