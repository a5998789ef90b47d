//! Those who wait at gates: who is let in when there is room.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, ensure};
use workmill_core::gate::{Gate, Purse};
use workmill_core::resource_lock::ResourceLock;

use super::super::world::{Lane, Life, Place, conflict, day_of};
use super::Stage;

type Waiting = BTreeMap<Place, (Gate, i64)>;

impl Stage<'_> {
    /// Who waits at which gate, the best-ranked first.
    fn queues(&self, waiting: &Waiting) -> BTreeMap<Gate, Vec<(Place, i64)>> {
        let mut queues: BTreeMap<Gate, Vec<(Place, i64)>> = BTreeMap::new();
        for (place, (gate, amount)) in waiting {
            let queue = queues.entry(gate.clone()).or_default();
            queue.push((*place, *amount));
        }
        for queue in queues.values_mut() {
            queue.sort_by_key(|(place, _)| self.world.rank(*place));
        }
        queues
    }

    fn fits(&self, gate: &Gate, place: Place, amount: i64) -> bool {
        match gate {
            Gate::Locks(root) => self.world.is_free(place, root),
            gate => {
                let meter = self.world.gates.get(gate);
                meter.is_none_or(|meter| meter.takes(amount))
            }
        }
    }

    /// Whoever has freed a gate has let in the best-ranked of those who fit.
    pub(super) fn next_is_let_in(&self, before: &Waiting, freed: &BTreeSet<Gate>) -> Result<()> {
        for (gate, queue) in self.queues(before) {
            if !freed.contains(&gate) {
                continue;
            }
            let still_waits = |(place, _): &&(Place, i64)| {
                self.world.tasks[*place].life == Life::Ready && !self.rows.ready.contains(place)
            };
            let waits_on = queue.iter().filter(still_waits);
            let mut fitting = waits_on.filter(|(place, amount)| self.fits(&gate, *place, *amount));
            let Some((best, _)) = fitting.next() else {
                continue;
            };
            // Another one that ranks before it may have been let in for the same room.
            let is_before = |(place, _): &&(Place, i64)| {
                self.world.rank(*place) < self.world.rank(*best) && self.rows.ready.contains(place)
            };
            ensure!(
                queue.iter().any(|one| is_before(&one)),
                "{gate} is free, and {best} waits on"
            );
        }
        Ok(())
    }

    /// The duty lets in, of each lane, the best-ranked that fit together; nobody else.
    pub(super) fn fits_are_let_in(&self, before: &Waiting) -> Result<()> {
        let today = day_of(self.clock.now());
        for (gate, queue) in self.queues(before) {
            let is_over = matches!(gate, Gate::Budget(Purse::Day(_))) && gate != today;
            let mut taken: BTreeMap<Lane, i64> = BTreeMap::new();
            let mut locked: Vec<&ResourceLock> = Vec::new();
            for (place, amount) in queue {
                let plan = &self.world.tasks[place].plan;
                let taken = taken.entry(self.world.lane(place)).or_default();
                // Whoever is let in is made way for with all its locks, below other roots, too.
                let is_free = |lock| !locked.iter().any(|other| conflict(lock, other));
                let is_beside = plan.locks.iter().all(is_free);
                let fits = self.fits(&gate, place, amount + *taken) && is_beside;
                if fits {
                    *taken += amount;
                    if matches!(gate, Gate::Locks(_)) {
                        locked.extend(&plan.locks);
                    }
                }
                ensure!(
                    self.rows.ready.contains(&place) == (fits || is_over),
                    "{place} at {gate}: fits is {fits}, in its lane {}",
                    self.rows.ready.contains(&place)
                );
            }
        }
        Ok(())
    }
}
