//! What all attempts at a task have used, with what came in late and what is running.

use std::collections::BTreeMap;

use workmill_core::usage::Usage;

use super::{Attempt, LateResult, RunningAttempt};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    pub cost_micros: i64,
    pub input_tokens: i64,
    pub output_tokens: i64,
    pub cached_input_tokens: i64,
    /// Tokens were used that nobody knows the price of: the true cost is higher.
    pub is_unpriced: bool,
}

impl Spent {
    /// Every row posts a cost of its own. Its usage goes back to the claim, so rows with one epoch
    /// tell of the same tokens.
    pub(super) fn sum(
        attempts: &[Attempt],
        running: Option<&RunningAttempt>,
        late: &[LateResult],
    ) -> Spent {
        let attempts = attempts
            .iter()
            .map(|one| (one.epoch, one.cost_micros, &one.usage));
        let running = running.map(|one| (one.epoch, one.cost_micros, &one.usage));
        let late = late
            .iter()
            .map(|one| (one.epoch, one.cost_micros, &one.usage));
        let mut spent = Spent::default();
        let mut epochs: BTreeMap<i32, Usage> = BTreeMap::new();
        for (epoch, cost_micros, usage) in attempts.chain(running).chain(late) {
            spent.cost_micros = spent.cost_micros.saturating_add(cost_micros);
            let known = epochs.entry(epoch).or_default();
            *known = known.merge(usage);
        }
        for usage in epochs.values() {
            spent.input_tokens = add(spent.input_tokens, usage.input_tokens());
            spent.output_tokens = add(spent.output_tokens, usage.output_tokens());
            spent.cached_input_tokens = add(spent.cached_input_tokens, usage.cached_input_tokens());
            spent.is_unpriced |= usage.is_unpriced();
        }
        spent
    }
}

/// What agents say is bounded, but a sum of it may be too large.
fn add(sum: i64, tokens: u64) -> i64 {
    sum.saturating_add_unsigned(tokens)
}
