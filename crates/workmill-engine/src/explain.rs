//! Explaining: why a task is not running, why it runs where it does, and what a claim would return.

use workmill_core::explain;
use workmill_core::ids::TaskId;
use workmill_core::lane::Selection;

pub use workmill_core::attempt_matrix::{AttemptMatrix, Suspect};
pub use workmill_core::explain::dry_run::{Refusal, StoppedAt, WouldClaim};
pub use workmill_core::explain::{Code, Condition, Explanation};

use crate::dispatch::{MOST_CLAIMS, check_agent_name};
use crate::engine::{Caller, Engine};
use crate::error::EngineError;
use crate::intake::limits::check_words;

impl Engine {
    /// Each condition between a task and running, met or not, as it stands at this moment.
    pub async fn explain(&self, caller: &Caller, id: TaskId) -> Result<Explanation, EngineError> {
        let facts = self.store().find_facts(caller.ns, id).await?;
        let facts = facts.ok_or_else(|| EngineError::NotFound {
            what: id.to_string(),
        })?;
        Ok(explain::explain(&facts, &self.prices))
    }

    /// What a claim of this agent for at most so many tasks would return at this moment, by the same
    /// rules; nothing is claimed.
    pub async fn would_claim(
        &self,
        caller: &Caller,
        agent: &str,
        selection: &Selection,
        most: i32,
    ) -> Result<WouldClaim, EngineError> {
        check_agent_name("agent", agent)?;
        check_words("task_types", &selection.task_types)?;
        let wanted = usize::try_from(most).ok();
        let Some(wanted) = wanted.filter(|_| (1..=MOST_CLAIMS).contains(&most)) else {
            let problem = format!("{most} is not between 1 and {MOST_CLAIMS}");
            return Err(EngineError::invalid("max", problem));
        };
        let would = self
            .store()
            .find_would_claim(caller.ns, agent, selection, wanted)
            .await?;
        if would.refusal == Some(Refusal::UnknownAgent) {
            return Err(EngineError::NotFound {
                what: format!("agent `{agent}`"),
            });
        }
        Ok(would)
    }
}
