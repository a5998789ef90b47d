//! The rows of gates: read under the lock, changed in memory, written together.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use postgres_types::Json;
use serde_json::{Value, json};
use workmill_core::admission::Reservation;
use workmill_core::gate::{Capacity, Gate};
use workmill_core::ids::TaskId;
use workmill_core::resource_lock::ResourceLock;
use workmill_queries::client::Params;
use workmill_queries::queries::gates::gates as statements;

use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::operation::Work;

#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "a row has what its table has"
)]
pub(crate) struct GateRow {
    pub(crate) capacity: Capacity,
    /// Of what is used, what is spent.
    pub(crate) spent: i64,
    pub(crate) has_waiters: bool,
    pub(crate) is_nearly_used_up: bool,
    pub(crate) is_used_up: bool,
    pub(crate) is_removed: bool,
    pub(crate) set_by: String,
    pub(crate) set_at: Timestamp,
    pub(crate) note: Option<String>,
    pub(crate) time_zone: Option<String>,
    /// At a lock: the task that others make way for.
    pub(crate) reserved: Option<Reserved>,
}

/// A task that has waited long for locks: those behind it that are in its way wait, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reserved {
    pub(crate) task: TaskId,
    pub(crate) at: Timestamp,
    pub(crate) locks: Vec<ResourceLock>,
}

/// Statements that read the same columns have row types of their own; this reads any of them.
macro_rules! read_gate_row {
    ($row:expr) => {{
        let row = $row;
        let gate: Gate = row
            .gate
            .parse()
            .map_err(|error| StoreError::Corrupt(format!("{error}")))?;
        let read = $crate::gates::rows::GateRow {
            capacity: workmill_core::gate::Capacity {
                used: row.used,
                cap: row.cap,
            },
            spent: row.spent,
            has_waiters: row.has_waiters,
            is_nearly_used_up: row.is_nearly_used_up,
            is_used_up: row.is_used_up,
            is_removed: row.is_removed,
            set_by: row.set_by,
            set_at: row.set_at,
            note: row.note,
            time_zone: row.time_zone,
            reserved: match (row.reserved_for, row.reserved_at, row.reserved_locks) {
                (Some(task), Some(at), Some(locks)) => Some($crate::gates::rows::Reserved {
                    task: workmill_core::ids::TaskId(task),
                    at,
                    locks: $crate::gates::rows::read_locks(locks)?,
                }),
                _ => None,
            },
        };
        Ok::<_, StoreError>((gate, read))
    }};
}
pub(crate) use read_gate_row;

pub(crate) fn read_locks(locks: Value) -> Result<Vec<ResourceLock>, StoreError> {
    serde_json::from_value(locks).map_err(|error| StoreError::Corrupt(format!("locks: {error}")))
}

/// Percent of a budget from which on it is told that it is nearly used up.
const NEARLY: i64 = 80;

impl GateRow {
    pub(crate) fn new(cap: Option<i64>, set_by: &str, set_at: Timestamp) -> GateRow {
        GateRow {
            capacity: Capacity { used: 0, cap },
            spent: 0,
            has_waiters: false,
            is_nearly_used_up: false,
            is_used_up: false,
            is_removed: false,
            set_by: set_by.to_owned(),
            set_at,
            note: None,
            time_zone: None,
            reserved: None,
        }
    }

    /// An announced gate: claims take from it and pass, until it is set with its cap.
    pub(crate) fn announced(set_by: &str, set_at: Timestamp) -> GateRow {
        GateRow::new(None, set_by, set_at)
    }

    /// Whether it is there for people: set, and not removed since. Of limits, budgets and pauses; locks
    /// have no cap.
    pub(crate) fn is_set(&self) -> bool {
        !self.is_removed && self.capacity.cap.is_some()
    }

    pub(crate) fn is_announced(&self) -> bool {
        !self.is_removed && self.capacity.cap.is_none()
    }

    /// A removed gate stops nobody.
    pub(crate) fn takes(&self, amount: i64) -> bool {
        self.is_removed || self.capacity.takes(amount)
    }

    /// What of its cap is not spent; what is reserved may still be.
    pub(crate) fn unspent(&self) -> i64 {
        let cap = self.capacity.cap.unwrap_or(i64::MAX);
        cap.saturating_sub(self.spent)
    }

    /// Returns the locks that a task has reserved here.
    pub(crate) fn reservation(&self) -> Option<Reservation<'_>> {
        self.reserved.as_ref().map(|reserved| Reservation {
            task: reserved.task,
            locks: &reserved.locks,
        })
    }

    pub(crate) fn left(&self) -> i64 {
        if self.is_removed {
            i64::MAX
        } else {
            self.capacity.left()
        }
    }
}

/// The gates that a transaction has to do with, as they were read and as they shall be.
#[derive(Debug, Default)]
pub(crate) struct Gates {
    before: BTreeMap<Gate, GateRow>,
    pub(crate) rows: BTreeMap<Gate, GateRow>,
    looked_for: BTreeSet<Gate>,
    is_locked: bool,
}

impl Gates {
    pub(crate) async fn lock(&mut self, work: &Work<'_>) -> Result<(), StoreError> {
        self.locking(work).await
    }

    /// Takes the lock, if it is not held. The first poll of the future sends the statement; the gates count
    /// as locked from this call on, because what is sent behind it is read under the lock.
    pub(crate) fn locking<'a>(
        &mut self,
        work: &'a Work<'_>,
    ) -> impl Future<Output = Result<(), StoreError>> + use<'a> {
        let is_needed = !self.is_locked && !work.is_planted("gates not locked");
        self.is_locked |= is_needed;
        async move {
            if is_needed {
                let lock_anchor = statements::lock_anchor();
                lock_anchor.bind(work.transaction, &work.ns).opt().await?;
            }
            Ok(())
        }
    }

    pub(crate) fn is_locked(&self) -> bool {
        self.is_locked
    }

    pub(crate) fn has(&self, gate: &Gate) -> bool {
        self.looked_for.contains(gate)
    }

    pub(crate) fn add(&mut self, gate: Gate, row: GateRow) {
        self.looked_for.insert(gate.clone());
        self.before.insert(gate.clone(), row.clone());
        self.rows.insert(gate, row);
    }

    /// Reads those that were not read yet; the lock is held.
    pub(crate) async fn read(
        &mut self,
        work: &Work<'_>,
        wanted: &BTreeSet<Gate>,
    ) -> Result<(), StoreError> {
        let wanted = wanted.iter().filter(|gate| !self.has(gate));
        let wanted: Vec<Gate> = wanted.cloned().collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = wanted.iter().map(ToString::to_string).collect();
        let rows = statements::find_gates()
            .bind(work.transaction, &names, &work.ns)
            .all()
            .await?;
        for row in rows {
            let (gate, row) = read_gate_row!(row)?;
            self.add(gate, row);
        }
        self.looked_for.extend(wanted);
        Ok(())
    }

    /// All of the namespace; the lock is held.
    pub(crate) async fn read_all(&mut self, work: &Work<'_>) -> Result<(), StoreError> {
        let rows = statements::find_all_gates()
            .bind(work.transaction, &work.ns)
            .all()
            .await?;
        for row in rows {
            let (gate, row) = read_gate_row!(row)?;
            self.add(gate, row);
        }
        Ok(())
    }

    /// Tells, once, of budgets that are nearly or wholly used up.
    pub(crate) fn tell(&mut self, work: &mut Work<'_>) {
        for (gate, row) in &mut self.rows {
            let (Gate::Budget(purse), Some(cap)) = (gate, row.capacity.cap) else {
                continue;
            };
            let is_nearly = row.capacity.used.saturating_mul(100) >= cap.saturating_mul(NEARLY);
            let is_news = is_nearly && !row.is_nearly_used_up;
            row.is_nearly_used_up = is_nearly;
            if is_news {
                let mut event = Event::of_gate(EventType::BudgetNearlyUsedUp, gate);
                event.data["used_usd"] = json!(crate::look::dollars(row.capacity.used));
                event.data["cap_usd"] = json!(crate::look::dollars(cap));
                if let workmill_core::gate::Purse::Graph(graph) = purse {
                    event.graph = Some(*graph);
                }
                work.emit(event);
            }
            // Told when a task is stopped by it; over when there is room again.
            row.is_used_up &= row.capacity.left() == 0 || row.has_waiters;
        }
    }

    /// Writes those that changed.
    pub(crate) async fn write(&self, work: &Work<'_>) -> Result<(), StoreError> {
        let changed: Vec<(&Gate, &GateRow)> = self
            .rows
            .iter()
            .filter(|(gate, row)| self.before.get(*gate) != Some(*row))
            .collect();
        if changed.is_empty() {
            return Ok(());
        }
        let column = |value: fn(&GateRow) -> bool| -> Vec<bool> {
            changed.iter().map(|(_, row)| value(row)).collect()
        };
        let parameters = statements::UpdateGatesParams {
            ns: work.ns,
            gates: changed
                .iter()
                .map(|(gate, _)| gate.to_string())
                .collect::<Vec<_>>(),
            caps: changed
                .iter()
                .map(|(_, row)| row.capacity.cap)
                .collect::<Vec<_>>(),
            used: changed
                .iter()
                .map(|(_, row)| row.capacity.used)
                .collect::<Vec<_>>(),
            spent: changed.iter().map(|(_, row)| row.spent).collect::<Vec<_>>(),
            have_waiters: column(|row| row.has_waiters),
            are_nearly_used_up: column(|row| row.is_nearly_used_up),
            are_used_up: column(|row| row.is_used_up),
            are_removed: column(|row| row.is_removed),
            set_by: changed
                .iter()
                .map(|(_, row)| row.set_by.as_str())
                .collect::<Vec<_>>(),
            set_ats: changed
                .iter()
                .map(|(_, row)| row.set_at)
                .collect::<Vec<_>>(),
            notes: changed
                .iter()
                .map(|(_, row)| row.note.as_deref())
                .collect::<Vec<_>>(),
            time_zones: changed
                .iter()
                .map(|(_, row)| row.time_zone.as_deref())
                .collect::<Vec<_>>(),
            reserved_for: changed
                .iter()
                .map(|(_, row)| row.reserved.as_ref().map(|reserved| reserved.task.0))
                .collect::<Vec<_>>(),
            reserved_ats: changed
                .iter()
                .map(|(_, row)| row.reserved.as_ref().map(|reserved| reserved.at))
                .collect::<Vec<_>>(),
            reserved_locks: changed
                .iter()
                .map(|(_, row)| row.reserved.as_ref().map(|reserved| Json(&reserved.locks)))
                .collect::<Vec<_>>(),
        };
        statements::update_gates()
            .params(work.transaction, &parameters)
            .await?;
        Ok(())
    }
}
