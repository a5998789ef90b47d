//! The gates of a claim, shown to the decision that it shares with explain and dry runs.

use workmill_core::admission::{GateView, Reservation};
use workmill_core::gate::{Capacity, Gate};
use workmill_core::ids::TaskId;
use workmill_core::resource_lock::ResourceLock;

use super::GateDecisions;

/// The gates of a transaction, with what was taken from them, as the shared decision asks for them.
pub(super) struct View<'a> {
    pub(super) gate_decisions: &'a GateDecisions,
    pub(super) wanted: &'a [ResourceLock],
    /// The planted fault that only locks above a wanted one are in its way.
    pub(super) is_inverted: bool,
}

impl GateView for View<'_> {
    fn capacity(&self, gate: &Gate) -> Option<Capacity> {
        let row = self.gate_decisions.gates.rows.get(gate)?;
        (!row.is_removed).then_some(row.capacity)
    }

    /// A task that is about to be claimed holds no locks, so all that are held are of other tasks.
    fn held_below<'a>(
        &'a self,
        root: &'a str,
        _: TaskId,
    ) -> impl Iterator<Item = &'a ResourceLock> {
        let is_above = |held: &ResourceLock| {
            let mut wanted = self.wanted.iter();
            wanted.any(|lock| lock.path.starts_with(&held.path))
        };
        let held = self.gate_decisions.held.get(root).into_iter().flatten();
        held.filter(move |held| !self.is_inverted || is_above(held))
    }

    fn reserved_below(&self, root: &str) -> Option<Reservation<'_>> {
        let row = self
            .gate_decisions
            .gates
            .rows
            .get(&Gate::Locks(root.to_owned()))?;
        row.reservation().filter(|_| !self.is_inverted)
    }
}
