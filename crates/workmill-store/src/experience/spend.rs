//! What the attempts of a namespace cost, day by day, for whoever watches over it. Budgets keep accounts of
//! their own.

use jiff::Timestamp;
use workmill_core::ids::Namespace;
use workmill_core::money::Micros;
use workmill_queries::queries::experience::spend as statements;

use crate::error::StoreError;
use crate::operation::{Operation, Work};

const SECONDS: i64 = 24 * 60 * 60;

/// The beginning of the day, in UTC.
pub(crate) fn day_of(moment: Timestamp) -> Timestamp {
    let day = moment.as_second().div_euclid(SECONDS) * SECONDS;
    Timestamp::from_second(day).unwrap_or(moment)
}

/// Adds what attempts have cost that ended a moment ago to the spending of this day.
#[derive(Debug)]
pub struct RecordSpend {
    pub ns: Namespace,
    pub spent: Micros,
}

impl Operation for RecordSpend {
    type Answer = ();
    const DOING: &'static str = "record spending";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<(), StoreError> {
        let day = day_of(work.now().await?);
        statements::add_to_daily_spend()
            .bind(work.transaction, &day, &self.spent.0, &work.ns)
            .await?;
        Ok(())
    }
}
