//! Setting up gates, changing and removing them.
//!
//! A gate that is set up must be known to every claim from the moment that this is answered. So it
//! is announced first: a row without a cap, which claims take from and pass. When the claims that
//! began before are over (see [`earlier`](super::earlier)), all others look at its row under
//! the lock of the gates, and it is set: what runs is counted, and the cap holds. An announcement that is
//! left behind by a crash stops nothing; [`keep`](super::keep) removes it.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::Timestamp;
use workmill_core::audit::Actor;
use workmill_core::gate::{Gate, Paused};
use workmill_core::ids::Namespace;
use workmill_queries::queries::gates::gates as statements;

use super::lock_timeout::Patience;
use super::rows::{GateRow, Gates, read_gate_row};
use super::set::{Outcome, SetGates};
use crate::connect::Store;
use crate::error::StoreError;
use crate::operation::{Effects, Operation, Work};

/// How a gate shall be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateChange {
    /// A limit or a budget with this cap; set up if there is none.
    Set {
        gate: Gate,
        cap: i64,
        note: Option<String>,
        /// Where a day begins, for the budget of each day.
        time_zone: Option<String>,
    },
    /// More (or less) of what there is.
    Raise {
        gate: Gate,
        by: i64,
    },
    Pause {
        what: Paused,
        note: Option<String>,
    },
    /// A budget of which this much may be spent from now on, by running attempts too.
    Leave {
        gate: Gate,
        left: i64,
        /// Changes nothing if less may be spent already: an agent may lower its own budget, not raise it.
        only_lower: bool,
    },
    /// Nobody has to pass it any more.
    Remove {
        gate: Gate,
    },
}

impl GateChange {
    pub(super) fn gate(&self) -> Gate {
        match self {
            GateChange::Set { gate, .. }
            | GateChange::Raise { gate, .. }
            | GateChange::Leave { gate, .. }
            | GateChange::Remove { gate } => gate.clone(),
            GateChange::Pause { what, .. } => Gate::Pause(what.clone()),
        }
    }

    /// Whether it sets up a gate that is not there.
    pub(super) fn sets_up(&self) -> bool {
        match self {
            GateChange::Set { .. } | GateChange::Pause { .. } | GateChange::Leave { .. } => true,
            GateChange::Raise { .. } | GateChange::Remove { .. } => false,
        }
    }
}

/// A gate as people see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateView {
    pub gate: Gate,
    pub cap: Option<i64>,
    pub used: i64,
    pub spent: i64,
    pub set_by: String,
    pub set_at: Timestamp,
    pub note: Option<String>,
    pub time_zone: Option<String>,
    pub has_waiters: bool,
}

impl GateView {
    pub(super) fn of(gate: &Gate, row: &GateRow) -> GateView {
        GateView {
            gate: gate.clone(),
            cap: row.capacity.cap,
            used: row.capacity.used,
            spent: row.spent,
            set_by: row.set_by.clone(),
            set_at: row.set_at,
            note: row.note.clone(),
            time_zone: row.time_zone.clone(),
            has_waiters: row.has_waiters,
        }
    }
}

impl Store {
    /// The gates of a namespace, without those that were removed.
    pub async fn find_gates(&self, ns: Namespace) -> Result<Vec<GateView>, StoreError> {
        const DOING: &str = "look at gates";
        let client = self.client(DOING).await?;
        let rows = statements::find_all_gates()
            .bind(&client, &ns.0)
            .all()
            .await;
        let rows = rows.map_err(|error| StoreError::from_statement(DOING, error))?;
        let mut views = Vec::new();
        for row in rows {
            let (gate, row) = read_gate_row!(row)?;
            if row.is_set() {
                views.push(GateView::of(&gate, &row));
            }
        }
        Ok(views)
    }

    /// Changes gates of a namespace, all of them or, when one is raised that is not there, none.
    /// From the moment that this returns no claim exceeds them, on any server.
    pub async fn change_gates(
        &self,
        actor: Option<&Actor>,
        change: &ChangeGates<'_>,
    ) -> Result<(Result<Vec<Changed>, NoSuchGate>, Effects), StoreError> {
        let patience = Patience::of(change.patience);
        loop {
            let announced = self.run(&Announce { change, patience }).await;
            let (announced_at, _) = announced.map_err(Patience::refusal)?;
            if announced_at.is_some() {
                self.test_points.pass("gates.announced").await;
                self.await_earlier(change.ns, patience).await?;
                self.test_points.pass("gates.waited").await;
            }
            let set = SetGates {
                change,
                patience,
                announced_at,
            };
            let set = self.run_for(actor, &set).await;
            let (answer, effects) = set.map_err(Patience::refusal)?;
            match answer {
                Outcome::Done(changed) => return Ok((Ok(changed), effects)),
                Outcome::Missing(missing) => return Ok((Err(missing), effects)),
                Outcome::NotAnnounced => {}
            }
        }
    }
}

/// What a change has done; the gate as it was and as it is, if it was and is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    pub before: Option<GateView>,
    pub after: Option<GateView>,
}

/// What shall change, and how long to wait for claims that began before.
#[derive(Debug)]
pub struct ChangeGates<'a> {
    pub ns: Namespace,
    pub by: &'a str,
    pub changes: &'a [GateChange],
    pub patience: Duration,
}

/// How long a change of gates waits for the claims that began before.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// The gate that was to be raised is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSuchGate(pub Gate);

/// Announces the gates that a change sets up. Returns when, if there are any: then the claims that
/// began before have to be waited for.
struct Announce<'a> {
    change: &'a ChangeGates<'a>,
    patience: Patience,
}

impl Operation for Announce<'_> {
    type Answer = Option<Timestamp>;
    const DOING: &'static str = "announce gates";

    fn namespace(&self) -> Namespace {
        self.change.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Option<Timestamp>, StoreError> {
        let changes = self.change.changes.iter();
        let changes: Vec<&GateChange> = changes.filter(|change| change.sets_up()).collect();
        if changes.is_empty() || work.is_planted("gates set without waiting") {
            return Ok(None);
        }
        self.patience.bound_waits(work).await?;
        let mut gates = Gates::default();
        gates.lock(work).await?;
        let now = work.now().await?;
        let wanted: BTreeSet<Gate> = changes.iter().map(|change| change.gate()).collect();
        gates.read(work, &wanted).await?;
        let mut is_any_new = false;
        for change in changes {
            let new = GateRow::announced(self.change.by, now);
            let row = gates
                .rows
                .entry(change.gate())
                .or_insert_with(|| new.clone());
            if row.is_set() {
                continue;
            }
            is_any_new = true;
            // An earlier announcement stays, because another change may be waiting behind it.
            if !row.is_announced() {
                // Tasks may still wait at a gate that was removed.
                let has_waiters = row.has_waiters;
                *row = GateRow { has_waiters, ..new };
            }
            if let GateChange::Set { time_zone, .. } = change {
                row.time_zone.clone_from(time_zone);
            }
        }
        if is_any_new {
            work.change_gates().await?;
            gates.write(work).await?;
        }
        Ok(is_any_new.then_some(now))
    }
}
