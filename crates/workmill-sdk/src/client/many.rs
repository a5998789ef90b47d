//! Calls about many: lists, batches.

use workmill_protocol::batches::{
    HeartbeatAnswers, SendHeartbeats, SettleLeases, SettlementAnswers,
};
use workmill_protocol::lists::{ListTasks, TaskList};

use super::{Client, asking};
use crate::error::ClientError;

impl Client {
    /// A page of tasks that fit.
    pub async fn tasks(&self, list: &ListTasks) -> Result<TaskList, ClientError> {
        self.get(&asking("/v1/tasks", list)).await
    }

    /// Heartbeats of many leases; each is answered for itself.
    pub async fn heartbeats(
        &self,
        heartbeats: &SendHeartbeats,
    ) -> Result<HeartbeatAnswers, ClientError> {
        self.post("/v1/heartbeats", heartbeats).await
    }

    /// Ends many leases; each is answered for itself.
    pub async fn settlements(
        &self,
        settlements: &SettleLeases,
    ) -> Result<SettlementAnswers, ClientError> {
        self.post("/v1/settlements", settlements).await
    }
}
