//! Settlement: attempts end.

use workmill_core::ids::LeaseId;
use workmill_store::settlement::{Settle, Settlement, Settler};

pub use workmill_store::settlement::{Ending, Settled, Spent};

use crate::engine::{Caller, Engine};
use crate::error::EngineError;
use crate::execution::only;

impl Engine {
    pub async fn settle(
        &self,
        caller: &Caller,
        lease: LeaseId,
        ending: Ending,
        spent: Spent,
    ) -> Result<Settled, EngineError> {
        if spent.cost_micros < 0 {
            return Err(EngineError::invalid(
                "usage.cost_usd",
                "must not be negative",
            ));
        }
        let operation = Settle {
            ns: caller.ns,
            settler: Settler::Key(caller.key),
            settlements: vec![Settlement {
                lease,
                ending,
                spent,
            }],
            random: vec![rand::random()],
        };
        only(lease, self.run(&operation).await?)
    }
}
