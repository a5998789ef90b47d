//! What was decided about a dead letter.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decided {
    Retry,
    Cancel,
    ModifyAndRetry,
    /// An operator made a late result the outcome.
    Adopt,
    /// Its agent came back with the result.
    LateResult,
    /// Its agent took the lost lease up again.
    Resumed,
}

impl Decided {
    pub const ALL: [Decided; 6] = [
        Decided::Retry,
        Decided::Cancel,
        Decided::ModifyAndRetry,
        Decided::Adopt,
        Decided::LateResult,
        Decided::Resumed,
    ];

    /// Returns the word that is stored and shown. Never give one a second meaning.
    pub const fn name(self) -> &'static str {
        match self {
            Decided::Retry => "retry",
            Decided::Cancel => "cancel",
            Decided::ModifyAndRetry => "modify_and_retry",
            Decided::Adopt => "adopt",
            Decided::LateResult => "late_result",
            Decided::Resumed => "resumed",
        }
    }

    pub fn from_name(name: &str) -> Option<Decided> {
        Decided::ALL.into_iter().find(|one| one.name() == name)
    }
}
