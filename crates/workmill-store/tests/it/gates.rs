//! Gates: pauses, limits, budgets and locks.

mod beside_claims;
mod budgets;
mod cheaper;
mod limits;
mod locks;
mod pauses;

use anyhow::Result;
use uuid::Uuid;
use workmill_core::gate::Gate;
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::money::Micros;
use workmill_core::usage::{ModelUsage, Usage};
use workmill_store::dispatch::claim::Claimed;
use workmill_store::execution::{Alive, Beat, Heartbeat};
use workmill_store::gates::change::{ChangeGates, Changed, GateChange, GateView, PATIENCE};
use workmill_store::gates::keep::{KeepGates, Report};
use workmill_store::settlement::{Ending, Refusal, Settle, Settled, Settlement, Settler, Spent};

use crate::actors::{Agent, Queue};

impl Queue {
    pub async fn change_gates(&self, changes: &[GateChange]) -> Result<Vec<Changed>> {
        let operation = ChangeGates {
            ns: self.ns,
            by: "operator",
            changes,
            patience: PATIENCE,
        };
        Ok(self
            .store
            .change_gates(None, &operation)
            .await?
            .0
            .expect("the gate is there"))
    }

    pub async fn set_gate(&self, gate: Gate, cap: i64) -> Result<Changed> {
        let change = GateChange::Set {
            gate,
            cap,
            note: None,
            time_zone: None,
        };
        Ok(self.change_gates(&[change]).await?.remove(0))
    }

    pub async fn remove_gate(&self, gate: Gate) -> Result<Changed> {
        Ok(self
            .change_gates(&[GateChange::Remove { gate }])
            .await?
            .remove(0))
    }

    pub async fn settle_with(
        &self,
        key: Uuid,
        lease: LeaseId,
        ending: Ending,
        spent: Spent,
    ) -> Result<Result<Settled, Refusal>> {
        let settlement = Settlement {
            settler: Settler::Key(key),
            lease,
            ending,
            spent,
            random: 0.5,
        };
        let operation = Settle {
            ns: self.ns,
            settlements: &[settlement],
        };
        Ok(self.store.run(&operation).await?.0.remove(0))
    }

    /// The types of the events that begin so, in their order.
    pub async fn events_named(&self, beginning: &str) -> Result<Vec<String>> {
        let types = crate::events::types(self).await?;
        let named = types.into_iter();
        Ok(named.filter(|name| name.starts_with(beginning)).collect())
    }

    pub async fn gate(&self, gate: &Gate) -> Result<GateView> {
        let gates = self.store.find_gates(self.ns).await?;
        let found = gates.into_iter().find(|view| view.gate == *gate);
        Ok(found.expect("the gate is there"))
    }

    /// The duty, with its look at the figures.
    pub async fn keep_gates(&self) -> Result<Report> {
        let operation = KeepGates {
            ns: self.ns,
            reconciles: true,
        };
        Ok(self.store.run(&operation).await?.0)
    }
}

fn tasks_of(claimed: &[Claimed]) -> Vec<TaskId> {
    claimed.iter().map(|claim| claim.lease.task).collect()
}

impl Agent<'_> {
    pub async fn heartbeat_with(
        &self,
        lease: LeaseId,
        usage: Usage,
    ) -> Result<Result<Alive, Refusal>> {
        let beat = Beat {
            key: self.key,
            lease,
            progress: None,
            checkpoint: None,
            usage: Some(usage),
        };
        let operation = Heartbeat {
            ns: self.queue.ns,
            beats: &[beat],
        };
        Ok(self.queue.store.run(&operation).await?.0.remove(0))
    }
}

/// A report of what an attempt has cost.
pub fn used(cost_micros: i64) -> Usage {
    let whole = ModelUsage {
        cost_usd: Some(Micros(cost_micros)),
        ..ModelUsage::default()
    };
    Usage {
        whole,
        ..Usage::default()
    }
}

pub fn spent(cost_micros: i64) -> Spent {
    Spent::reported(used(cost_micros))
}
