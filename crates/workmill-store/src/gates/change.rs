//! Setting up gates, changing and removing them.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;
use workmill_core::audit::{Action, AuditEntry, Subject};
use workmill_core::gate::{Gate, Paused, Purse};
use workmill_core::ids::{GraphId, Namespace};
use workmill_core::money::Micros;
use workmill_queries::queries::gates::gates as statements;

use super::rows::{GateRow, Gates, read_gate_row};
use super::running::{self, Running};
use super::waiters;
use crate::connect::Store;
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::operation::{Operation, Work};

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
    /// Nobody has to pass it any more.
    Remove {
        gate: Gate,
    },
}

impl GateChange {
    fn gate(&self) -> Gate {
        match self {
            GateChange::Set { gate, .. }
            | GateChange::Raise { gate, .. }
            | GateChange::Remove { gate } => gate.clone(),
            GateChange::Pause { what, .. } => Gate::Pause(what.clone()),
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
    fn of(gate: &Gate, row: &GateRow) -> GateView {
        GateView {
            gate: gate.clone(),
            cap: row.room.cap,
            used: row.room.used,
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
        for row in rows.into_iter().filter(|row| !row.is_removed) {
            let (gate, row) = read_gate_row!(row)?;
            if !matches!(gate, Gate::Locks(_)) {
                views.push(GateView::of(&gate, &row));
            }
        }
        Ok(views)
    }
}

/// What a change has done; the gate as it was and as it is, if it was and is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    pub before: Option<GateView>,
    pub after: Option<GateView>,
}

/// Changes gates of a namespace, all of them or, when one is raised that is not there, none.
#[derive(Debug)]
pub struct ChangeGates<'a> {
    pub ns: Namespace,
    pub by: &'a str,
    pub changes: &'a [GateChange],
}

/// The gate that was to be raised is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSuchGate(pub Gate);

/// How many go back to their lanes with the change itself; the rest follows.
const MOST_RETURNED: i64 = 1000;

impl Operation for ChangeGates<'_> {
    type Answer = Result<Vec<Changed>, NoSuchGate>;
    const DOING: &'static str = "change gates";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let mut gates = Gates::default();
        gates.lock(work).await?;
        statements::bump_gates_version()
            .bind(work.transaction, &work.ns)
            .await
            .map_err(|error| work.failed(error))?;
        work.changes_gates();
        let now = work.now().await?;
        let wanted: BTreeSet<Gate> = self.changes.iter().map(GateChange::gate).collect();
        gates.read(work, &wanted).await?;
        let mut changed = Vec::with_capacity(self.changes.len());
        let mut new = BTreeSet::new();
        for change in self.changes {
            let gate = change.gate();
            let before = gates.rows.get(&gate).filter(|row| !row.is_removed).cloned();
            if !self.apply(&mut gates, change, now) {
                work.abandon();
                return Ok(Err(NoSuchGate(gate)));
            }
            let after = gates.rows.get(&gate).filter(|row| !row.is_removed).cloned();
            if before.is_none() && after.is_some() {
                new.insert(gate.clone());
            }
            tell(work, &gate, after.as_ref(), self.by);
            record(work, &gate, before.as_ref(), after.as_ref());
            changed.push(Changed {
                before: before.map(|row| GateView::of(&gate, &row)),
                after: after.map(|row| GateView::of(&gate, &row)),
            });
        }
        new.extend(change_today(work, &mut gates, self.changes, &new, now).await?);
        adopt_running(work, &mut gates, &new).await?;
        work.refresh_lanes(now).await?;
        let returning = open_up(work, &gates).await?;
        for one in changed.iter_mut().filter_map(|one| one.after.as_mut()) {
            one.used = gates.rows[&one.gate].room.used;
            one.spent = gates.rows[&one.gate].spent;
        }
        gates.tell(work);
        gates.write(work).await?;
        waiters::announce(work, &returning);
        waiters::put_back(work, &returning).await?;
        Ok(Ok(changed))
    }
}

impl ChangeGates<'_> {
    /// Whether there is something to change.
    fn apply(&self, gates: &mut Gates, change: &GateChange, now: Timestamp) -> bool {
        let gate = change.gate();
        let is_there = gates.rows.get(&gate).is_some_and(|row| !row.is_removed);
        match change {
            GateChange::Remove { .. } => {
                if let Some(row) = gates.rows.get_mut(&gate) {
                    row.is_removed = true;
                }
                return true;
            }
            GateChange::Raise { .. } if !is_there => return false,
            GateChange::Raise { .. } | GateChange::Set { .. } | GateChange::Pause { .. } => {}
        }
        let row = gates
            .rows
            .entry(gate)
            .or_insert_with(|| GateRow::new(None, self.by, now));
        if !is_there {
            row.room.used = 0;
            row.spent = 0;
        }
        row.is_removed = false;
        self.by.clone_into(&mut row.set_by);
        row.set_at = now;
        match change {
            GateChange::Set {
                cap,
                note,
                time_zone,
                ..
            } => {
                row.room.cap = Some(*cap);
                row.note.clone_from(note);
                row.time_zone.clone_from(time_zone);
            }
            GateChange::Raise { by, .. } => {
                let cap = row.room.cap.unwrap_or(0).saturating_add(*by).max(0);
                row.room.cap = Some(cap);
            }
            GateChange::Pause { note, .. } => {
                row.room.cap = Some(-1);
                row.note.clone_from(note);
            }
            GateChange::Remove { .. } => {}
        }
        true
    }
}

/// What an agent says it may still spend. It can lower its budget that way, not raise it: that is
/// for others.
#[derive(Debug)]
pub struct LimitAgentBudget<'a> {
    pub ns: Namespace,
    pub agent: &'a str,
    pub left: Micros,
    pub by: &'a str,
}

impl Operation for LimitAgentBudget<'_> {
    type Answer = ();
    const DOING: &'static str = "limit the budget of an agent";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<(), StoreError> {
        let gate = Gate::Budget(Purse::Agent(self.agent.to_owned()));
        let mut gates = Gates::default();
        gates.lock(work).await?;
        gates.read(work, &BTreeSet::from([gate.clone()])).await?;
        let row = gates.rows.get(&gate).filter(|row| !row.is_removed);
        if row.is_some_and(|row| row.left() <= self.left.0) {
            return Ok(());
        }
        let used = row.map_or(0, |row| row.room.used);
        let change = GateChange::Set {
            gate,
            cap: used.saturating_add(self.left.0),
            note: None,
            time_zone: None,
        };
        let operation = ChangeGates {
            ns: self.ns,
            by: self.by,
            changes: &[change],
        };
        operation.run(work).await?.ok();
        Ok(())
    }
}

/// The budgets of graphs that are just being submitted: nothing of them runs yet.
pub(crate) async fn set_new_budgets(
    work: &mut Work<'_>,
    budgets: &[(GraphId, Micros, &str)],
) -> Result<(), StoreError> {
    if budgets.is_empty() {
        return Ok(());
    }
    let mut gates = Gates::default();
    gates.lock(work).await?;
    statements::bump_gates_version()
        .bind(work.transaction, &work.ns)
        .await
        .map_err(|error| work.failed(error))?;
    work.changes_gates();
    let now = work.now().await?;
    for (graph, budget, by) in budgets {
        let gate = Gate::Budget(Purse::Graph(*graph));
        let row = GateRow::new(Some(budget.0), by, now);
        gates.rows.insert(gate, row);
    }
    gates.write(work).await
}

/// The budgets and pauses of graphs that are removed go with them.
pub(crate) async fn forget_graphs(work: &Work<'_>, graphs: &[GraphId]) -> Result<(), StoreError> {
    let gates: Vec<String> = graphs
        .iter()
        .flat_map(|graph| {
            let budget = Gate::Budget(Purse::Graph(*graph));
            [budget, Gate::Pause(Paused::Graph(*graph))]
        })
        .map(|gate| gate.to_string())
        .collect();
    Gates::default().lock(work).await?;
    statements::delete_gates()
        .bind(work.transaction, &work.ns, &gates)
        .await
        .map_err(|error| work.failed(error))?;
    Ok(())
}

fn tell(work: &mut Work<'_>, gate: &Gate, after: Option<&GateRow>, by: &str) {
    let event_type = match after {
        Some(_) => EventType::GateSet,
        None => EventType::GateRemoved,
    };
    let mut event = Event::of_gate(event_type, gate);
    event.data["by"] = json!(by);
    if let Some(row) = after {
        event.data["cap"] = json!(row.room.cap);
        event.data["note"] = json!(row.note);
    }
    work.emit(event);
}

/// Who did it is known to the transaction.
fn record(work: &mut Work<'_>, gate: &Gate, before: Option<&GateRow>, after: Option<&GateRow>) {
    let action = match after {
        Some(_) => Action::GateSet,
        None => Action::GateRemoved,
    };
    let told = |row: Option<&GateRow>| match row {
        Some(row) => {
            json!({"cap": row.room.cap, "note": row.note, "time_zone": row.time_zone})
        }
        None => json!({}),
    };
    let subject = Subject::Gate(gate.to_string());
    work.audit(AuditEntry::new(action, subject, told(before), told(after)));
}

/// A change of what each day may cost counts from today on. Answers today's budget if it is new.
async fn change_today(
    work: &Work<'_>,
    gates: &mut Gates,
    changes: &[GateChange],
    new: &BTreeSet<Gate>,
    now: Timestamp,
) -> Result<Option<Gate>, StoreError> {
    let each_day = Gate::Budget(Purse::EachDay);
    if !changes.iter().any(|change| change.gate() == each_day) {
        return Ok(None);
    }
    let Some(row) = gates.rows.get(&each_day).cloned() else {
        return Ok(None);
    };
    let zone = row.time_zone.as_deref().unwrap_or("UTC");
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    let today = Gate::Budget(Purse::Day(now.to_zoned(zone).date()));
    gates.read(work, &BTreeSet::from([today.clone()])).await?;
    if new.contains(&each_day) {
        let has_waiters = gates.rows.get(&today).is_some_and(|row| row.has_waiters);
        let begun = GateRow {
            has_waiters,
            ..GateRow::new(row.room.cap, &row.set_by, now)
        };
        gates.rows.insert(today.clone(), begun);
        return Ok(Some(today));
    }
    if let Some(today) = gates.rows.get_mut(&today) {
        today.room.cap = row.room.cap;
        today.is_removed = row.is_removed;
    }
    Ok(None)
}

/// What runs already has passed the new gates: it counts, and gives back when it ends.
async fn adopt_running(
    work: &Work<'_>,
    gates: &mut Gates,
    new: &BTreeSet<Gate>,
) -> Result<(), StoreError> {
    for gate in new {
        let Gate::Budget(Purse::Graph(graph)) = gate else {
            continue;
        };
        let spent = statements::find_graph_cost()
            .bind(work.transaction, &work.ns, &graph.0)
            .one()
            .await
            .map_err(|error| work.failed(error))?;
        if let Some(row) = gates.rows.get_mut(gate) {
            row.spent = spent;
            row.room.used = spent;
        }
    }
    let counts = |gate: &Gate| matches!(gate, Gate::Limit(_) | Gate::Budget(_));
    if !new.iter().any(counts) {
        return Ok(());
    }
    let mut running = Running::read(work).await?;
    running.adopt(work, gates, |gate, _| new.contains(gate));
    running::write_adopted(work, &running).await
}

/// Those who go back to their lanes because there is room now.
async fn open_up(work: &Work<'_>, gates: &Gates) -> Result<Vec<waiters::Waiter>, StoreError> {
    let wanted = waiters::with_room(&gates.rows, MOST_RETURNED);
    let waiting = waiters::lock_waiters(work, &wanted).await?;
    Ok(waiters::choose(waiting, gates, waiters::HeldLocks::new()))
}
