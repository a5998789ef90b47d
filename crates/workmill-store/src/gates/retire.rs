//! Budgets and pauses of graphs that have ended are put aside: nobody passes them any more, and whoever reads
//! the gates of a namespace shall not read those of all graphs that there ever were. They come back when
//! their graph goes on, in the transaction that lets it.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;
use workmill_core::gate::{Gate, Paused, Purse};
use workmill_core::graph::Tally;
use workmill_core::ids::{GraphId, Namespace};
use workmill_core::lifecycle::State;
use workmill_queries::client::Params;
use workmill_queries::queries::gates::{gates as rows, retired as statements};

use super::change::GateView;
use super::rows::{GateRow, Gates};
use crate::column::column;
use crate::connect::Store;
use crate::error::StoreError;
use crate::operation::{Operation, Work};

/// Graphs whose gates are put aside in one transaction.
const MOST: i64 = 500;

/// Budgets of ended graphs in a list, those of the newest graphs.
pub const MOST_LISTED: i64 = 500;

/// The graph that a gate is of, if it is of one.
pub(super) fn graph_of(gate: &Gate) -> Option<GraphId> {
    match gate {
        Gate::Budget(Purse::Graph(graph)) | Gate::Pause(Paused::Graph(graph)) => Some(*graph),
        Gate::Budget(Purse::Namespace | Purse::EachDay | Purse::Day(_) | Purse::Agent(_))
        | Gate::Pause(
            Paused::Namespace
            | Paused::Type(_)
            | Paused::Label(_)
            | Paused::Lane(_)
            | Paused::Agent(_),
        )
        | Gate::Limit(_)
        | Gate::Locks(_) => None,
    }
}

fn read_gate(name: &str) -> Result<Gate, StoreError> {
    name.parse()
        .map_err(|error| StoreError::Corrupt(format!("{error}")))
}

impl Store {
    pub async fn find_namespaces_with_gates_of_graphs(&self) -> Result<Vec<Namespace>, StoreError> {
        const DOING: &str = "look for gates of graphs";
        let client = self.client(DOING).await?;
        let found = statements::find_namespaces_with_gates_of_graphs()
            .bind(&client)
            .all()
            .await;
        let found = found.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(found.into_iter().map(Namespace).collect())
    }

    /// Returns the budgets of graphs that have ended, those of the newest graphs first.
    pub async fn find_retired_budgets(&self, ns: Namespace) -> Result<Vec<GateView>, StoreError> {
        const DOING: &str = "look at budgets of ended graphs";
        let client = self.client(DOING).await?;
        let found = statements::find_last_retired_gates()
            .bind(&client, &ns.0, &MOST_LISTED)
            .all()
            .await;
        let found = found.map_err(|error| StoreError::from_statement(DOING, error))?;
        let mut budgets = Vec::with_capacity(found.len());
        for row in found {
            let gate = read_gate(&row.gate)?;
            if matches!(gate, Gate::Budget(_)) {
                budgets.push(GateView {
                    gate,
                    cap: row.cap,
                    used: row.spent,
                    spent: row.spent,
                    set_by: row.set_by,
                    set_at: row.set_at,
                    note: row.note,
                    time_zone: None,
                    has_waiters: false,
                });
            }
        }
        Ok(budgets)
    }
}

/// Puts the gates of ended graphs aside.
#[derive(Debug)]
pub struct RetireGates {
    pub ns: Namespace,
}

impl Operation for RetireGates {
    /// How many gates were put aside.
    type Answer = usize;
    const DOING: &'static str = "put gates of ended graphs aside";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<usize, StoreError> {
        let names = statements::find_gates_of_graphs()
            .bind(work.transaction, &work.ns)
            .all()
            .await?;
        let mut gates_of: BTreeMap<Uuid, Vec<Gate>> = BTreeMap::new();
        for name in names {
            let gate = read_gate(&name)?;
            if let Some(graph) = graph_of(&gate) {
                gates_of.entry(graph.0).or_default().push(gate);
            }
        }
        let graphs: Vec<Uuid> = gates_of.keys().copied().collect();
        if graphs.is_empty() {
            return Ok(0);
        }
        let ended = statements::lock_ended_graphs()
            .bind(work.transaction, &graphs, &work.ns, &MOST)
            .all()
            .await?;
        let alone = statements::lock_ended_standalone_tasks()
            .bind(work.transaction, &graphs, &work.ns, &ended_states(), &MOST)
            .all()
            .await?;
        let ended = ended.into_iter().map(|row| (row.graph, row.spent_micros));
        let alone = alone.into_iter().map(|row| (row.graph, row.spent_micros));
        let ended: BTreeMap<Uuid, i64> = ended.chain(alone).collect();
        if ended.is_empty() {
            return Ok(0);
        }
        let wanted: BTreeSet<Gate> = ended
            .keys()
            .flat_map(|graph| gates_of.remove(graph).unwrap_or_default())
            .collect();
        let mut gates = change_locked(work).await?;
        gates.read(work, &wanted).await?;
        let idle: Vec<(&Gate, &GateRow, Uuid)> = gates
            .rows
            .iter()
            .filter(|(_, row)| row.is_set() && !row.has_waiters && row.capacity.used == row.spent)
            .filter_map(|(gate, row)| Some((gate, row, graph_of(gate)?.0)))
            .collect();
        put_aside(work, &idle, &ended).await?;
        Ok(idle.len())
    }
}

/// The states in which a standalone task is a graph that has ended.
fn ended_states() -> Vec<i16> {
    let ended = State::ALL.into_iter().filter(|state| {
        let status = Tally::of_one(*state, false).status(false, false);
        !status.is_open()
    });
    ended.map(State::code).collect()
}

/// Locks the gates for a change that other servers learn of.
async fn change_locked(work: &Work<'_>) -> Result<Gates, StoreError> {
    let mut gates = Gates::default();
    gates.lock(work).await?;
    work.change_gates().await?;
    Ok(gates)
}

async fn put_aside(
    work: &Work<'_>,
    idle: &[(&Gate, &GateRow, Uuid)],
    graphs_spent: &BTreeMap<Uuid, i64>,
) -> Result<(), StoreError> {
    let names: Vec<String> = idle.iter().map(|(gate, ..)| gate.to_string()).collect();
    let parameters = statements::InsertRetiredGatesParams {
        graphs: column(idle, |(.., graph)| *graph),
        gates: names.iter().map(String::as_str).collect::<Vec<_>>(),
        caps: column(idle, |(_, row, _)| row.capacity.cap),
        spent: column(idle, |(_, row, _)| row.spent),
        graphs_spent: column(idle, |(.., graph)| graphs_spent[graph]),
        set_by: column(idle, |(_, row, _)| row.set_by.as_str()),
        set_ats: column(idle, |(_, row, _)| row.set_at),
        notes: column(idle, |(_, row, _)| row.note.as_deref()),
        ns: work.ns,
    };
    statements::insert_retired_gates()
        .params(work.transaction, &parameters)
        .await?;
    rows::delete_gates()
        .bind(work.transaction, &work.ns, &names)
        .await?;
    Ok(())
}

/// Brings the gates of these graphs back. The graphs are locked; `spent` is what a graph has cost, where
/// that is not written yet.
pub(crate) async fn bring_back(
    work: &Work<'_>,
    graphs: &BTreeMap<GraphId, Option<i64>>,
) -> Result<(), StoreError> {
    let ids: Vec<Uuid> = graphs.keys().map(|graph| graph.0).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let retired = statements::find_retired_gates()
        .bind(work.transaction, &ids, &work.ns)
        .all()
        .await?;
    if retired.is_empty() {
        return Ok(());
    }
    let mut gates = change_locked(work).await?;
    for row in retired {
        let gate = read_gate(&row.gate)?;
        let spent_now = graphs.get(&GraphId(row.graph)).copied().flatten();
        let since = spent_now.unwrap_or(row.spent_micros) - row.graph_spent;
        let mut back = GateRow::new(row.cap, &row.set_by, row.set_at);
        if matches!(gate, Gate::Budget(_)) {
            back.spent = row.spent.saturating_add(since.max(0));
            back.capacity.used = back.spent;
        }
        back.note = row.note;
        gates.rows.insert(gate, back);
    }
    gates.write(work).await?;
    statements::delete_retired_gates()
        .bind(work.transaction, &work.ns, &ids)
        .await?;
    Ok(())
}
