//! An outage kills no work: when no server could reach the database for a while, no agent could
//! show a sign of life either, and every lease gets its own full time again.
//!
//! Every server looks before its first duty of a turn. Several that find an outage at once give
//! the same leases the same time; none of them takes a lease away before it has given.

use jiff::Timestamp;
use workmill_core::ids::Namespace;
use workmill_queries::queries::upkeep::{agenda, due};

use crate::connect::Store;
use crate::error::StoreError;
use crate::operation::{Operation, Work};

impl Store {
    /// Records that this server has reached the database. While a part cannot be reached, nothing is
    /// recorded: leases there are spared when it is back.
    pub async fn touch_liveness(&self, now: Timestamp) -> Result<(), StoreError> {
        const DOING: &str = "show a sign of life";
        if !self.reaches_all() {
            self.has_spared_reachable();
            return Ok(());
        }
        let client = self.client(DOING).await?;
        let touched = agenda::touch_liveness().bind(&client, &now).await;
        touched.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(())
    }

    pub async fn find_namespaces(&self) -> Result<Vec<Namespace>, StoreError> {
        const DOING: &str = "list the namespaces";
        let client = self.client(DOING).await?;
        let rows = agenda::find_namespaces().bind(&client).all().await;
        let rows = rows.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(rows.into_iter().map(Namespace).collect())
    }
}

/// Gives every lease its own full time again.
#[derive(Debug)]
pub struct GrantAmnesty {
    pub ns: Namespace,
}

impl Operation for GrantAmnesty {
    /// How many leases there are.
    type Answer = u64;
    const DOING: &'static str = "extend leases";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<u64, StoreError> {
        let now = work.now().await?;
        due::renew_all_agents()
            .bind(work.transaction, &now, &work.ns)
            .await?;
        let renewed = due::renew_all_leases()
            .bind(work.transaction, &now, &work.ns)
            .await;
        renewed.map_err(|error| work.failed(error))
    }
}
