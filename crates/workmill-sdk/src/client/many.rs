//! Calls about many: lists.

use workmill_protocol::lists::{ListTasks, TaskList};

use super::{Client, asking};
use crate::error::ClientError;

impl Client {
    /// A page of tasks that fit.
    pub async fn tasks(&self, list: &ListTasks) -> Result<TaskList, ClientError> {
        self.get(&asking("/v1/tasks", list)).await
    }
}
