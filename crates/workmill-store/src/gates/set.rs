//! Setting announced gates, changing and removing gates, under the lock of all of them.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;
use workmill_core::audit::{Action, AuditEntry, Subject};
use workmill_core::gate::{Gate, Purse};
use workmill_core::ids::{GraphId, Namespace};
use workmill_queries::queries::gates::gates as statements;
use workmill_queries::queries::task::locked_rows::lock_graph;

use super::change::{ChangeGates, Changed, GateChange, GateView, NoSuchGate};
use super::lock_timeout::Patience;
use super::retire::{bring_back, graph_of};
use super::rows::{GateRow, Gates};
use super::running::{self, Running};
use super::waiters;
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::operation::{Operation, Work};

/// How many go back to their lanes with the change itself; the rest follows.
const MOST_RETURNED: i64 = 1000;

/// Sets, changes and removes gates; those that are set up have been announced.
pub(super) struct SetGates<'a> {
    pub(super) change: &'a ChangeGates<'a>,
    pub(super) patience: Patience,
    /// When this change has announced its gates. The claims that began before were waited for, so an
    /// announcement that another change has made later does not serve this one.
    pub(super) announced_at: Option<Timestamp>,
}

pub(super) enum Outcome {
    Done(Vec<Changed>),
    Missing(NoSuchGate),
    /// A gate was removed since it was announced.
    NotAnnounced,
}

impl Operation for SetGates<'_> {
    type Answer = Outcome;
    const DOING: &'static str = "change gates";

    fn namespace(&self) -> Namespace {
        self.change.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Outcome, StoreError> {
        let change = self.change;
        self.patience.bound_waits(work).await?;
        let graphs = change.changes.iter();
        let graphs = graphs.filter_map(|one| graph_of(&one.gate()));
        let graphs: BTreeSet<GraphId> = graphs.collect();
        lock_graphs(work, &graphs).await?;
        // PostgreSQL bounds the wait for each lock, not their sum.
        self.patience.bound_waits(work).await?;
        let mut gates = Gates::default();
        gates.lock(work).await?;
        work.change_gates().await?;
        // Gates of ended graphs are put aside under this lock: looked for after it, none is missed.
        let of_graphs = graphs.into_iter().map(|graph| (graph, None)).collect();
        Box::pin(bring_back(work, &of_graphs)).await?;
        work.know_gates().await?;
        let now = work.now().await?;
        let wanted: BTreeSet<Gate> = change.changes.iter().map(GateChange::gate).collect();
        gates.read(work, &wanted).await?;
        if !self.are_announced(work, &gates) {
            work.abandon();
            return Ok(Outcome::NotAnnounced);
        }
        let mut changed = Vec::with_capacity(change.changes.len());
        let (mut new, mut is_any_changed) = (BTreeSet::new(), false);
        for one in change.changes {
            let gate = one.gate();
            let before = gates.rows.get(&gate).filter(|row| row.is_set()).cloned();
            if !change.apply(&mut gates, one, now) {
                work.abandon();
                return Ok(Outcome::Missing(NoSuchGate(gate)));
            }
            let after = gates.rows.get(&gate).filter(|row| row.is_set()).cloned();
            if before.is_none() && after.is_some() {
                new.insert(gate.clone());
            }
            if before != after || !matches!(one, GateChange::Leave { .. }) {
                is_any_changed = true;
                tell(work, &gate, after.as_ref(), change.by);
                record(work, &gate, before.as_ref(), after.as_ref());
            }
            changed.push(Changed {
                before: before.map(|row| GateView::of(&gate, &row)),
                after: after.map(|row| GateView::of(&gate, &row)),
            });
        }
        if !is_any_changed {
            // The servers need not read the gates again.
            work.abandon();
            return Ok(Outcome::Done(changed));
        }
        new.extend(change_today(work, &mut gates, change.changes, &new, now).await?);
        adopt_running(work, &mut gates, &new).await?;
        work.refresh_lanes(now).await?;
        let returning = open_up(work, &gates).await?;
        for one in changed.iter_mut().filter_map(|one| one.after.as_mut()) {
            one.used = gates.rows[&one.gate].capacity.used;
            one.spent = gates.rows[&one.gate].spent;
        }
        gates.tell(work);
        gates.write(work).await?;
        waiters::announce(work, &returning);
        waiters::put_back(work, &returning).await?;
        Ok(Outcome::Done(changed))
    }
}

impl SetGates<'_> {
    /// Whether all that it sets up is there already, or was announced before it waited.
    fn are_announced(&self, work: &Work<'_>, gates: &Gates) -> bool {
        let is_waited_for = |row: &GateRow| {
            row.is_announced() && self.announced_at.is_some_and(|at| row.set_at <= at)
        };
        let changes = self.change.changes.iter();
        let mut sets_up = changes.filter(|change| change.sets_up());
        work.is_planted("gates set without waiting")
            || sets_up.all(|change| {
                let row = gates.rows.get(&change.gate());
                row.is_some_and(|row| row.is_set() || is_waited_for(row))
            })
    }
}

impl ChangeGates<'_> {
    /// Whether there is something to change.
    fn apply(&self, gates: &mut Gates, change: &GateChange, now: Timestamp) -> bool {
        let gate = change.gate();
        let is_there = gates.rows.get(&gate).is_some_and(GateRow::is_set);
        match change {
            GateChange::Remove { .. } => {
                // One that is only announced belongs to whoever sets it up.
                if let Some(row) = gates.rows.get_mut(&gate).filter(|row| row.is_set()) {
                    row.is_removed = true;
                }
                return true;
            }
            GateChange::Raise { .. } if !is_there => return false,
            GateChange::Leave {
                left, only_lower, ..
            } if *only_lower && is_there && gates.rows[&gate].unspent() <= *left => {
                return true;
            }
            GateChange::Raise { .. }
            | GateChange::Leave { .. }
            | GateChange::Set { .. }
            | GateChange::Pause { .. } => {}
        }
        let row = gates
            .rows
            .entry(gate)
            .or_insert_with(|| GateRow::new(None, self.by, now));
        if !is_there {
            row.capacity.used = 0;
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
                row.capacity.cap = Some(*cap);
                row.note.clone_from(note);
                row.time_zone.clone_from(time_zone);
            }
            GateChange::Raise { by, .. } => {
                let cap = row.capacity.cap.unwrap_or(0).saturating_add(*by).max(0);
                row.capacity.cap = Some(cap);
            }
            GateChange::Leave { left, .. } => {
                row.capacity.cap = Some(row.spent.saturating_add(*left));
                row.note = None;
            }
            GateChange::Pause { note, .. } => {
                row.capacity.cap = Some(-1);
                row.note.clone_from(note);
            }
            GateChange::Remove { .. } => {}
        }
        true
    }
}

fn tell(work: &mut Work<'_>, gate: &Gate, after: Option<&GateRow>, by: &str) {
    let event_type = match after {
        Some(_) => EventType::GateSet,
        None => EventType::GateRemoved,
    };
    let mut event = Event::of_gate(event_type, gate);
    event.data["by"] = json!(by);
    if let Some(row) = after {
        event.data["cap"] = json!(row.capacity.cap);
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
            json!({"cap": row.capacity.cap, "note": row.note, "time_zone": row.time_zone})
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
            ..GateRow::new(row.capacity.cap, &row.set_by, now)
        };
        gates.rows.insert(today.clone(), begun);
        return Ok(Some(today));
    }
    if let Some(today) = gates.rows.get_mut(&today) {
        today.capacity.cap = row.capacity.cap;
        today.is_removed = row.is_removed;
    }
    Ok(None)
}

/// Locks the graphs whose gates change, in id order and before the gates. What their tasks have cost is
/// added up for a budget that is set or brought back: settlements, late results included, change that
/// under the lock of the graph.
async fn lock_graphs(work: &Work<'_>, graphs: &BTreeSet<GraphId>) -> Result<(), StoreError> {
    for graph in graphs {
        lock_graph()
            .bind(work.transaction, &work.ns, &graph.0)
            .opt()
            .await?;
    }
    Ok(())
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
            .await?;
        if let Some(row) = gates.rows.get_mut(gate) {
            row.spent = spent;
            row.capacity.used = spent;
        }
    }
    let counts = |gate: &Gate| matches!(gate, Gate::Limit(_) | Gate::Budget(_));
    if !new.iter().any(counts) {
        return Ok(());
    }
    let mut running = Running::read(work).await?;
    running.adopt(work, gates, new);
    running::write_adopted(work, &running).await
}

/// Those who go back to their lanes because there is room now.
async fn open_up(work: &Work<'_>, gates: &Gates) -> Result<Vec<waiters::Waiter>, StoreError> {
    let wanted = waiters::with_room(&gates.rows, MOST_RETURNED);
    let waiting = waiters::lock_waiters(work, &wanted).await?;
    Ok(waiters::choose(waiting, gates, waiters::HeldLocks::new()))
}
