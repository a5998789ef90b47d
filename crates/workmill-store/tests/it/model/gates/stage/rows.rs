//! What the store's tables hold, and whether that is what the plain world says.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use futures_util::try_join;
use tokio_postgres::Client;
use uuid::Uuid;
use workmill_core::gate::{Gate, Purse};
use workmill_core::ids::TaskId;
use workmill_core::resource_lock::ResourceLock;

use super::super::world::{EACH_DAY, Life, Meter, Place, World, conflict};

#[derive(Debug, Default)]
pub struct Rows {
    pub ready: BTreeSet<Place>,
    /// Who waits at which gate, for how much of it.
    pub gated: BTreeMap<Place, (Gate, i64)>,
    pub reserved: BTreeMap<String, (TaskId, Vec<ResourceLock>)>,
    gates: BTreeMap<Gate, Meter>,
    holds: BTreeMap<(Place, i32), BTreeMap<Gate, i64>>,
    locks: BTreeSet<(Place, ResourceLock)>,
}

const GATES: &str = "select gate, cap, used, spent, is_removed, reserved_for, reserved_locks
                     from workmill.gate where ns = $1";
const READY: &str = "select task from workmill.ready where ns = $1";
const GATED: &str = "select task, gate, amount from workmill.gated where ns = $1";
const HOLDS: &str = "select task, epoch, gates, amounts from workmill.hold where ns = $1";
const LOCKS: &str = "select task, path, is_shared from workmill.held_lock where ns = $1";

impl Rows {
    pub async fn read(client: &Client, ns: i64, world: &World) -> Result<Rows> {
        let of: [&(dyn tokio_postgres::types::ToSql + Sync); 1] = [&ns];
        let (gates, ready, waiting, holds, locks) = try_join!(
            client.query(GATES, &of),
            client.query(READY, &of),
            client.query(GATED, &of),
            client.query(HOLDS, &of),
            client.query(LOCKS, &of),
        )?;
        let mut rows = Rows::default();
        let place = |id: Uuid| world.place_of(TaskId(id));
        for row in gates {
            let gate: Gate = row.get::<_, &str>(0).parse()?;
            if let (Gate::Locks(root), Some(task)) = (&gate, row.get::<_, Option<Uuid>>(5)) {
                let locks = serde_json::from_value(row.get(6)).context("reserved locks")?;
                rows.reserved.insert(root.clone(), (TaskId(task), locks));
            }
            let is_removed: bool = row.get(4);
            if let Some(cap) = row.get::<_, Option<i64>>(1).filter(|_| !is_removed) {
                let (used, spent) = (row.get(2), row.get(3));
                rows.gates.insert(gate, Meter { cap, used, spent });
            }
        }
        for row in ready {
            let is_new = rows.ready.insert(place(row.get(0)));
            ensure!(is_new, "a task is in two lanes");
        }
        for row in waiting {
            let (place, gate) = (place(row.get(0)), row.get::<_, &str>(1).parse()?);
            let earlier = rows.gated.insert(place, (gate, row.get(2)));
            ensure!(earlier.is_none(), "{place} waits at {earlier:?}, too");
        }
        for row in holds {
            let gates: Vec<String> = row.get(2);
            let amounts: Vec<i64> = row.get(3);
            let mut hold = BTreeMap::new();
            for (gate, amount) in gates.iter().zip(amounts) {
                hold.insert(gate.parse::<Gate>()?, amount);
            }
            rows.holds.insert((place(row.get(0)), row.get(1)), hold);
        }
        for row in locks {
            let lock = ResourceLock {
                path: row.get(1),
                shared: row.get(2),
            };
            rows.locks.insert((place(row.get(0)), lock));
        }
        Ok(rows)
    }

    pub fn agree_with(&self, world: &World) -> Result<()> {
        self.places_agree_with(world)?;
        self.figures_agree_with(world)?;
        self.holds_agree_with(world)?;
        self.locks_agree_with(world)
    }

    /// What is ready is in its lane or at a gate, nothing else is in either.
    fn places_agree_with(&self, world: &World) -> Result<()> {
        for (place, known) in world.tasks.iter().enumerate() {
            let found = (self.ready.contains(&place), self.gated.get(&place));
            let is_found_once = found.0 != found.1.is_some();
            let is_ready = known.life == Life::Ready;
            ensure!(
                if is_ready {
                    is_found_once
                } else {
                    found == (false, None)
                },
                "{place} is {:?}, in its lane and at a gate: {found:?}",
                known.life
            );
        }
        Ok(())
    }

    /// Every gate is used as much as what has passed it and has not come back.
    fn figures_agree_with(&self, world: &World) -> Result<()> {
        // A day is written down by whoever first wants something of it.
        let is_unwritten = |gate: &Gate, meter: &Meter| {
            matches!(gate, Gate::Budget(Purse::Day(_))) && meter.used == 0 && meter.spent == 0
        };
        let gates: BTreeSet<&Gate> = world.gates.keys().chain(self.gates.keys()).collect();
        for gate in gates {
            let (meant, found) = (world.gates.get(gate), self.gates.get(gate));
            let is_day_to_come =
                found.is_none() && meant.is_some_and(|one| is_unwritten(gate, one));
            let is_same = match (meant, found) {
                // Nothing is taken from what each day has.
                (Some(one), Some(other)) if *gate == EACH_DAY => one.cap == other.cap,
                (one, other) => one == other,
            };
            ensure!(
                is_same || is_day_to_come,
                "{gate} is {found:?} instead of {meant:?}"
            );
        }
        Ok(())
    }

    /// Only what runs holds something, and just what it has taken.
    fn holds_agree_with(&self, world: &World) -> Result<()> {
        let alive = world
            .alive()
            .map(|one| ((one.place, one.epoch), &one.holds));
        let alive: BTreeMap<_, _> = alive.collect();
        for (key, hold) in &self.holds {
            let Some(meant) = alive.get(key) else {
                let is_left = world.has_been_without_gates;
                ensure!(is_left, "{key:?} has ended and holds {hold:?}");
                continue;
            };
            let counts =
                |(gate, amount): &(&Gate, &i64)| **amount != 0 && world.gates.contains_key(*gate);
            let hold: BTreeMap<&Gate, &i64> = hold.iter().filter(counts).collect();
            let meant: BTreeMap<&Gate, &i64> = meant.iter().collect();
            ensure!(hold == meant, "{key:?} holds {hold:?} instead of {meant:?}");
        }
        for (key, meant) in alive {
            let is_there = meant.is_empty() || self.holds.contains_key(&key);
            ensure!(is_there, "{key:?} holds nothing instead of {meant:?}");
        }
        Ok(())
    }

    /// Nobody holds what conflicts with what somebody else holds.
    fn locks_agree_with(&self, world: &World) -> Result<()> {
        for (place, lock) in &self.locks {
            let mut others = self.locks.iter().filter(|(other, _)| other != place);
            let other = others.find(|(_, other)| conflict(lock, other));
            ensure!(other.is_none(), "{place} holds {lock:?} beside {other:?}");
        }
        let meant = world.alive().flat_map(|attempt| {
            let locks = attempt.locks.iter().cloned();
            locks.map(|lock| (attempt.place, lock))
        });
        let meant: BTreeSet<(Place, ResourceLock)> = meant.collect();
        ensure!(
            self.locks == meant,
            "held is {:?} instead of {meant:?}",
            self.locks
        );
        Ok(())
    }
}
