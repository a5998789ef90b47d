//! What attempts have cost, and what a task has given to those that it spawned, moves it to a cheaper
//! lane: an agent with a budget looks only at lanes that it can afford.

use serde::Deserialize;
use workmill_core::ids::TaskId;
use workmill_core::lane::Lane;
use workmill_core::money::Micros;
use workmill_core::policy::Policy;
use workmill_core::task::NewTask;
use workmill_queries::queries::task::locked_rows::find_spec_versions;

use super::Ledger;
use crate::error::StoreError;
use crate::locked_rows::{LockedRows, TaskRow};
use crate::operation::Work;

/// Adds what attempts have cost to their tasks, and moves those that can still run to the lanes of
/// what they have left. What was asked for is read in the version that this transaction leaves behind.
pub(super) async fn count(
    work: &Work<'_>,
    held: &mut LockedRows,
    ledger: &mut Ledger,
) -> Result<(), StoreError> {
    ledger.count_costs(held);
    let lanes = work.lanes();
    let can_spend_less = |row: &&TaskRow| {
        let before = held.tasks_before.get(&row.task);
        before.is_some_and(|before| {
            before.spent_micros != row.spent_micros || before.spec_version != row.spec_version
        })
    };
    // A lane that another server has added need not be known here.
    let can_get_cheaper = |row: &&TaskRow| lanes.get(row.lane).is_none_or(Lane::can_get_cheaper);
    let tasks = held.tasks.values().filter(can_spend_less);
    let tasks = tasks.filter(|row| !row.state().is_finished());
    let (tasks, versions): (Vec<_>, Vec<_>) = tasks
        .filter(can_get_cheaper)
        .map(|row| (row.task.0, row.spec_version))
        .unzip();
    if tasks.is_empty() {
        return Ok(());
    }
    let specs = find_spec_versions()
        .bind(work.transaction, &tasks, &versions, &work.ns)
        .all()
        .await?;
    for spec in specs {
        let task = TaskId(spec.task);
        let corrupt = |error: serde_json::Error| StoreError::Corrupt(format!("{task}: {error}"));
        let asked = NewTask::deserialize(&spec.body).map_err(corrupt)?;
        let policy = Policy::deserialize(&spec.policy).map_err(corrupt)?;
        let Some(row) = held.tasks.get_mut(&task) else {
            continue;
        };
        let current = asked.lane_with_id(policy.boost, row.lane);
        let Some(current) = current.filter(Lane::can_get_cheaper) else {
            continue;
        };
        let left = policy
            .admission
            .left_of_own_budget(Micros(row.spent_micros));
        let lane = current.costing(left);
        if lane.id() != row.lane {
            row.lane = lane.id();
            ledger.lanes.insert(row.lane, lane);
        }
    }
    Ok(())
}
