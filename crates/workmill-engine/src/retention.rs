//! How long finished tasks are kept: saying it, and seeing beforehand what it would mean.

use std::collections::BTreeMap;

use workmill_core::edition::Expected;
use workmill_core::lifecycle::State;
use workmill_store::upkeep::retention::{Position, RetentionChanged, SetRetention};

pub use workmill_core::retention::Retention;
pub use workmill_store::upkeep::retention::edition;

use crate::engine::{Caller, Engine};
use crate::error::EngineError;

/// Tasks that a dry run goes over; beyond, its numbers are what there is at least.
pub const MOST_COUNTED: i64 = 100_000;

const STRETCH: i64 = 5_000;

/// What would go.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DryRun {
    pub tasks: BTreeMap<State, usize>,
    /// Old enough, but their graph has not ended or an agent still holds them.
    pub kept_for_now: usize,
    /// False: there are more than were looked at, and all numbers are lower bounds.
    pub is_whole: bool,
}

impl Engine {
    pub async fn retention(&self, caller: &Caller) -> Result<Retention, EngineError> {
        Ok(self.store().find_retention(caller.ns).await?)
    }

    /// Answers what was said before.
    pub async fn set_retention(
        &self,
        caller: &Caller,
        retention: Retention,
        expected: Expected,
    ) -> Result<Retention, EngineError> {
        let operation = SetRetention {
            ns: caller.ns,
            retention,
            expected,
        };
        let set = self.run_by(caller, &operation).await?;
        set.map_err(|RetentionChanged| EngineError::Changed {
            problem: "the retention was changed meanwhile".to_owned(),
        })
    }

    /// What would go now if tasks were kept so long. Changes nothing and locks nothing.
    pub async fn count_due_tasks(
        &self,
        caller: &Caller,
        retention: &Retention,
    ) -> Result<DryRun, EngineError> {
        let mut counted = DryRun::default();
        let (mut after, mut looked_at) = (Position::FIRST, 0);
        loop {
            let store = self.store();
            let due = store.count_due_tasks(caller.ns, retention, after, STRETCH);
            let due = due.await?;
            for (state, tasks) in due.tasks {
                *counted.tasks.entry(state).or_default() += tasks;
            }
            counted.kept_for_now += due.kept_for_now;
            looked_at += STRETCH;
            counted.is_whole = due.next.is_none();
            match due.next {
                Some(next) if looked_at < MOST_COUNTED => after = next,
                _ => return Ok(counted),
            }
        }
    }
}
