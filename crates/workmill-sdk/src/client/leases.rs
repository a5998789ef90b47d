//! What a lease allows besides going on and ending.

use workmill_core::ids::LeaseId;
use workmill_protocol::leases::{LeaseState, LeaseToken, SpawnTasks, SpawnedTasks};

use super::Client;
use crate::error::ClientError;

impl Client {
    /// Adds tasks below the one that is held. The call carries a key of its own: it is repeated when
    /// its reply was lost, and adds nothing twice.
    pub async fn spawn(
        &self,
        lease: LeaseId,
        spawn: &SpawnTasks,
    ) -> Result<SpawnedTasks, ClientError> {
        self.create(&format!("/v1/leases/{lease}/spawn"), spawn)
            .await
    }

    /// Whether the lease is held, and otherwise how its attempt ended.
    pub async fn lease(&self, lease: LeaseId) -> Result<LeaseState, ClientError> {
        self.get(&format!("/v1/leases/{lease}")).await
    }

    /// A token for acting on this lease and nothing else: for whoever does the work and shall have
    /// no key.
    pub async fn lease_token(&self, lease: LeaseId) -> Result<LeaseToken, ClientError> {
        let path = format!("/v1/leases/{lease}/token");
        self.post(&path, &serde_json::json!({})).await
    }
}
