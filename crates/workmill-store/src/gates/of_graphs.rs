//! The gates that come and go with graphs.

use uuid::Uuid;
use workmill_core::gate::{Gate, Paused, Purse};
use workmill_core::ids::GraphId;
use workmill_core::money::Micros;
use workmill_queries::queries::gates::{gates as statements, retired};

use super::rows::{GateRow, Gates};
use crate::error::StoreError;
use crate::operation::Work;

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
    work.change_gates().await?;
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
    let graphs: Vec<Uuid> = graphs.iter().map(|graph| graph.0).collect();
    let has_gates = retired::has_gates()
        .bind(work.transaction, &work.ns, &gates, &graphs)
        .one()
        .await?;
    if !has_gates {
        return Ok(());
    }
    Gates::default().lock(work).await?;
    statements::delete_gates()
        .bind(work.transaction, &work.ns, &gates)
        .await?;
    retired::delete_retired_gates()
        .bind(work.transaction, &work.ns, &graphs)
        .await?;
    Ok(())
}
