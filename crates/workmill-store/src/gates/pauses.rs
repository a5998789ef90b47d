//! What is paused while it runs: its agents hear so with their signs of life, and may rest at the
//! next good moment. Pauses of types, lanes and labels only keep back what has not begun.

use std::collections::BTreeMap;

use uuid::Uuid;
use workmill_core::gate::{Gate, Paused};
use workmill_core::ids::{GraphId, LeaseId};
use workmill_queries::queries::gates::gates as statements;

use crate::error::StoreError;
use crate::execution::Alive;
use crate::operation::Work;

/// Adds to each lease what is paused of it.
pub(crate) async fn tell_pauses(
    work: &Work<'_>,
    alive: &mut BTreeMap<(LeaseId, Uuid), Alive>,
) -> Result<(), StoreError> {
    if alive.is_empty() {
        return Ok(());
    }
    work.know_gates().await?;
    let known = work.gates();
    if !known.pauses_what_runs() {
        return Ok(());
    }
    let tasks: Vec<Uuid> = alive.keys().map(|(lease, _)| lease.task.0).collect();
    let epochs: Vec<i32> = alive.keys().map(|(lease, _)| lease.epoch).collect();
    let rows = statements::find_whereabouts()
        .bind(work.transaction, &tasks, &epochs, &work.ns)
        .all()
        .await?;
    for row in rows {
        let pauses = [
            Paused::Namespace,
            Paused::Graph(GraphId(row.graph)),
            Paused::Agent(row.agent),
        ];
        let mut pauses = pauses.into_iter().map(Gate::Pause);
        let pause = pauses.find(|gate| known.contains(gate));
        let of_lease = alive
            .iter_mut()
            .filter(|((lease, _), _)| lease.task.0 == row.task && lease.epoch == row.epoch);
        for (_, alive) in of_lease {
            alive.pause = pause.as_ref().map(ToString::to_string);
        }
    }
    Ok(())
}
