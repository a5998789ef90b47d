//! What tokens cost, for agents that report no money.

use std::sync::Arc;

use workmill_core::price::PriceTable;
use workmill_core::usage::Usage;

use crate::engine::Engine;
use crate::error::EngineError;

impl Engine {
    /// Prices other than the ones that are built in.
    #[must_use]
    pub fn with_prices(self, prices: PriceTable) -> Self {
        Engine {
            prices: Arc::new(prices),
            ..self
        }
    }

    /// What an agent reports, with a cost wherever one is known.
    pub(crate) fn priced(&self, usage: Usage) -> Result<Usage, EngineError> {
        usage.check().map_err(|invalid| {
            EngineError::invalid(format!("usage.{}", invalid.at), invalid.problem)
        })?;
        Ok(self.prices.estimate(usage))
    }
}
