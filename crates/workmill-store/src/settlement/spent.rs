//! What an attempt has used and what it adds to the bill.
//!
//! Agents report what they have used since the claim. A lease can end several times: it is lost,
//! taken up again, lost again, and its result comes in late. Each of these is a row of its own,
//! and each posts only what goes beyond the rows before, so that costs can be added up.

use serde::Deserialize;
use serde_json::Value;
use workmill_core::money::Micros;
use workmill_core::usage::Usage;

use crate::error::StoreError;
use crate::locked_rows::LeaseRow;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spent {
    /// Beyond what was posted before.
    pub(crate) cost_micros: i64,
    /// All that was reported since the claim.
    pub(crate) usage: Usage,
}

impl Spent {
    /// What an agent reports, priced.
    pub fn reported(usage: Usage) -> Spent {
        Spent::beyond(usage, Micros::ZERO)
    }

    pub(crate) fn beyond(usage: Usage, posted: Micros) -> Spent {
        let cost = usage.cost().saturating_sub(posted).max(Micros::ZERO);
        Spent {
            cost_micros: cost.0,
            usage,
        }
    }

    /// As it is stored: most attempts have nothing to tell.
    pub(crate) fn stored_usage(&self) -> Option<Value> {
        stored(&self.usage)
    }
}

impl LeaseRow {
    /// What the attempt has used when it ends with this report.
    pub(crate) fn spent_with(&self, last: &Usage) -> Spent {
        let posted = Micros(self.posted_micros.unwrap_or(0));
        Spent::beyond(self.usage.merge(last), posted)
    }
}

pub(crate) fn stored(usage: &Usage) -> Option<Value> {
    (!usage.is_empty()).then(|| serde_json::json!(usage))
}

/// Reads what `stored` has written.
pub(crate) fn read_usage(stored: Option<&Value>) -> Result<Usage, StoreError> {
    let Some(stored) = stored else {
        return Ok(Usage::default());
    };
    Usage::deserialize(stored)
        .map_err(|error| StoreError::Corrupt(format!("what an attempt has used: {error}")))
}
