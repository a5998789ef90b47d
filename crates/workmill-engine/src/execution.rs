//! Execution: attempts start and show signs of life.

use workmill_core::ids::LeaseId;
use workmill_store::execution::{Heartbeat, Start};

pub use workmill_store::execution::Alive;

use crate::engine::{Caller, Engine};
use crate::error::EngineError;

impl Engine {
    pub async fn start(&self, caller: &Caller, lease: LeaseId) -> Result<Alive, EngineError> {
        let operation = Start {
            ns: caller.ns,
            key: caller.key,
            leases: vec![lease],
        };
        only(lease, self.run(&operation).await?)
    }

    pub async fn heartbeat(&self, caller: &Caller, lease: LeaseId) -> Result<Alive, EngineError> {
        let operation = Heartbeat {
            ns: caller.ns,
            key: caller.key,
            leases: vec![lease],
        };
        only(lease, self.run(&operation).await?)
    }
}

/// The one answer to the one request.
pub(crate) fn only<T>(
    lease: LeaseId,
    mut answers: Vec<Result<T, workmill_store::settlement::Refusal>>,
) -> Result<T, EngineError> {
    match answers.pop() {
        Some(answer) => answer.map_err(|refusal| EngineError::refused(lease, refusal)),
        None => Err(EngineError::LeaseLost { lease }),
    }
}
