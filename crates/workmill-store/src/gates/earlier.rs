//! Waiting for the claims and settlements that began before a gate was announced.
//!
//! A claim locks the rows of its agents for update before it reads which gates there are, and holds
//! these locks until it ends. So when the row of an agent could be locked once after a gate was
//! announced, every claim of this agent that does not know the gate is over. Settlements and
//! heartbeats lock leases in the same way. Nothing else is waited for: a key share lock conflicts
//! with no other lock on these rows, and neither a dump nor a held snapshot takes one.
//!
//! Rows that are free are locked together and let go at once. For each of the others there is a
//! transaction that waits for this row and holds nothing, so no claim has to wait meanwhile.

use std::collections::BTreeSet;

use uuid::Uuid;
use workmill_core::ids::Namespace;
use workmill_queries::queries::gates::gates as statements;

use super::lock_timeout::Patience;
use crate::connect::Store;
use crate::error::StoreError;
use crate::operation::{Operation, Work};

impl Store {
    /// Returns when every claim and settlement that began before is over; fails when patience ends.
    pub(super) async fn await_earlier(
        &self,
        ns: Namespace,
        patience: Patience,
    ) -> Result<(), StoreError> {
        for agent in self.run(&FindClaiming { ns }).await?.0 {
            let row = Row::Agent(agent);
            let wait = Await { ns, row, patience };
            self.run(&wait).await.map_err(Patience::refusal)?;
        }
        for task in self.run(&FindSettling { ns }).await?.0 {
            let row = Row::Lease(task);
            let wait = Await { ns, row, patience };
            self.run(&wait).await.map_err(Patience::refusal)?;
        }
        Ok(())
    }
}

/// The agents that claim at this moment.
struct FindClaiming {
    ns: Namespace,
}

impl Operation for FindClaiming {
    type Answer = Vec<String>;
    const DOING: &'static str = "look for claims under way";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Vec<String>, StoreError> {
        let all = statements::find_agents_that_may_claim()
            .bind(work.transaction, &work.ns)
            .all()
            .await?;
        let free = statements::find_agents_without_claims()
            .bind(work.transaction, &work.ns)
            .all()
            .await?;
        let free: BTreeSet<String> = free.into_iter().collect();
        let busy = all.into_iter().filter(|agent| !free.contains(agent));
        Ok(busy.collect())
    }
}

/// The tasks whose leases are settled or renewed at this moment.
struct FindSettling {
    ns: Namespace,
}

impl Operation for FindSettling {
    type Answer = Vec<Uuid>;
    const DOING: &'static str = "look for settlements under way";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Vec<Uuid>, StoreError> {
        let all = statements::find_leases_that_may_end()
            .bind(work.transaction, &work.ns)
            .all()
            .await?;
        let free = statements::find_leases_without_change()
            .bind(work.transaction, &work.ns)
            .all()
            .await?;
        let free: BTreeSet<Uuid> = free.into_iter().collect();
        Ok(all
            .into_iter()
            .filter(|task| !free.contains(task))
            .collect())
    }
}

#[derive(Debug)]
enum Row {
    Agent(String),
    Lease(Uuid),
}

/// Waits for the transaction that holds a row.
struct Await {
    ns: Namespace,
    row: Row,
    patience: Patience,
}

impl Operation for Await {
    type Answer = ();
    const DOING: &'static str = "wait for a claim under way";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<(), StoreError> {
        self.patience.bound_waits(work).await?;
        let waited = match &self.row {
            Row::Agent(agent) => {
                statements::await_claims_of_agent()
                    .bind(work.transaction, &work.ns, agent)
                    .await
            }
            Row::Lease(task) => {
                statements::await_changes_of_lease()
                    .bind(work.transaction, &work.ns, task)
                    .await
            }
        };
        waited.map(drop).map_err(|error| work.failed(error))
    }
}
