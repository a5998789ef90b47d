//! Gates and locks, as they are seen without their lock.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use uuid::Uuid;
use workmill_core::explain::gate_decision::{GateDecisions, HeldLock, SeenGate};
use workmill_core::gate::{Gate, Purse};
use workmill_core::ids::TaskId;
use workmill_core::resource_lock::ResourceLock;
use workmill_queries::client::Params;
use workmill_queries::queries::gates::gates;
use workmill_queries::queries::look::explain as statements;

use super::{Look, failed};
use crate::column::column;
use crate::error::StoreError;
use crate::gates::rows::{GateRow, read_gate_row};

/// The doors of a namespace on its day of this moment; which gates are there is yet to be learned.
pub(super) fn gate_decisions(
    each_day: Option<(SeenGate, Option<String>)>,
    now: Timestamp,
) -> Result<GateDecisions, StoreError> {
    let (each_day, zone) = each_day.unzip();
    let zone = zone.flatten();
    let zone = zone.as_deref().unwrap_or("UTC");
    let zone = TimeZone::get(zone)
        .map_err(|error| StoreError::Corrupt(format!("time zone {zone}: {error}")))?;
    Ok(GateDecisions::new(each_day, now.to_zoned(zone).date()))
}

fn seen(row: GateRow) -> SeenGate {
    let reserved = row.reserved;
    SeenGate {
        capacity: row.capacity,
        set_by: row.set_by,
        set_at: row.set_at,
        note: row.note,
        reserved: reserved.map(|reserved| (reserved.task, reserved.locks)),
    }
}

impl Look<'_> {
    /// Those of the gates that are set up; an announced gate stops nothing. Locks are set up by whoever waits for them, and stay
    /// open.
    pub(super) async fn gates(
        &self,
        wanted: &BTreeSet<Gate>,
    ) -> Result<BTreeMap<Gate, SeenGate>, StoreError> {
        let rows = self.gate_rows(wanted).await?;
        let rows = rows.into_iter();
        let rows = rows.filter(|(gate, row)| row.is_set() || matches!(gate, Gate::Locks(_)));
        Ok(rows.map(|(gate, row)| (gate, seen(row))).collect())
    }

    async fn gate_rows(&self, wanted: &BTreeSet<Gate>) -> Result<Vec<(Gate, GateRow)>, StoreError> {
        let names: Vec<String> = wanted.iter().map(ToString::to_string).collect();
        let rows = gates::find_gates()
            .bind(self.transaction, &names, &self.ns)
            .all()
            .await
            .map_err(failed)?;
        rows.into_iter().map(|row| read_gate_row!(row)).collect()
    }

    /// The budget of each day, and where a day begins.
    pub(super) async fn each_day(&self) -> Result<Option<(SeenGate, Option<String>)>, StoreError> {
        let wanted = BTreeSet::from([Gate::Budget(Purse::EachDay)]);
        let mut rows = self.gate_rows(&wanted).await?;
        let row = rows.pop().map(|(_, row)| row).filter(GateRow::is_set);
        Ok(row.map(|row| {
            let zone = row.time_zone.clone();
            (seen(row), zone)
        }))
    }

    /// The gate that a task waits at.
    pub(super) async fn gated(&self, task: Uuid) -> Result<Option<(Gate, Timestamp)>, StoreError> {
        let row = statements::find_explained_gate()
            .bind(self.transaction, &self.ns, &task)
            .opt()
            .await
            .map_err(failed)?;
        row.map(|row| {
            let gate = row.gate.parse();
            let gate = gate.map_err(|error| StoreError::Corrupt(format!("{error}")))?;
            Ok((gate, row.since))
        })
        .transpose()
    }

    /// The held locks that conflict with those of a task; of very many only some.
    pub(super) async fn locks_in_the_way(
        &self,
        task: TaskId,
        wanted: &[ResourceLock],
    ) -> Result<Vec<HeldLock>, StoreError> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let parameters = statements::FindLocksInTheWayParams {
            ns: self.ns,
            task: task.0,
            roots: wanted.iter().map(ResourceLock::root).collect::<Vec<_>>(),
            paths: column(wanted, |lock| lock.path.as_str()),
            are_shared: column(wanted, |lock| lock.shared),
        };
        let rows = statements::find_locks_in_the_way()
            .params(self.transaction, &parameters)
            .all()
            .await
            .map_err(failed)?;
        let held = rows.into_iter().map(|row| HeldLock {
            task: TaskId(row.task),
            agent: row.agent,
            lock: ResourceLock {
                path: row.path,
                shared: row.is_shared,
            },
        });
        Ok(held.collect())
    }

    /// All locks that are held below these roots.
    pub(super) async fn held_locks(&self, roots: &[&str]) -> Result<Vec<HeldLock>, StoreError> {
        if roots.is_empty() {
            return Ok(Vec::new());
        }
        let rows = gates::find_held_locks()
            .bind(self.transaction, &roots, &self.ns)
            .all()
            .await
            .map_err(failed)?;
        let held = rows.into_iter().map(|row| HeldLock {
            task: TaskId(row.task),
            agent: row.agent,
            lock: ResourceLock {
                path: row.path,
                shared: row.is_shared,
            },
        });
        Ok(held.collect())
    }
}
