//! What running attempts hold of gates, as it is written and read.

use workmill_core::admission::Ask;
use workmill_core::ids::TaskId;
use workmill_core::resource_lock::ResourceLock;
use workmill_queries::client::Params;
use workmill_queries::queries::gates::gates as statements;

use crate::column::column;
use crate::error::StoreError;
use crate::operation::Work;

/// What an attempt takes.
#[derive(Debug)]
pub(super) struct Hold {
    pub(super) task: TaskId,
    pub(super) epoch: i32,
    pub(super) agent: String,
    pub(super) asks: Vec<Ask>,
    pub(super) locks: Vec<ResourceLock>,
}

/// What an attempt holds, as `write_holds` has written it.
pub(super) fn read_asks(gates: &[String], amounts: Vec<i64>) -> Result<Vec<Ask>, StoreError> {
    let held = gates.iter().zip(amounts).map(|(gate, amount)| {
        let gate = gate.parse();
        let gate = gate.map_err(|error| StoreError::Corrupt(format!("{error}")))?;
        Ok(Ask { gate, amount })
    });
    held.collect()
}

pub(super) async fn write_holds(
    work: &Work<'_>,
    holds: Vec<(TaskId, i32, &[Ask])>,
) -> Result<(), StoreError> {
    if holds.is_empty() {
        return Ok(());
    }
    let joined = |asks: &[Ask], text: fn(&Ask) -> String, by: &str| -> String {
        asks.iter().map(text).collect::<Vec<_>>().join(by)
    };
    let parameters = statements::InsertHoldsParams {
        ns: work.ns,
        tasks: column(&holds, |(task, ..)| task.0),
        epochs: column(&holds, |(_, epoch, _)| *epoch),
        gates: column(&holds, |(.., asks)| {
            joined(asks, |ask| ask.gate.to_string(), "\n")
        }),
        amounts: column(&holds, |(.., asks)| {
            joined(asks, |ask| ask.amount.to_string(), ",")
        }),
    };
    statements::insert_holds()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}

pub(super) async fn write_locks(work: &Work<'_>, holds: &[Hold]) -> Result<(), StoreError> {
    let locks: Vec<(&Hold, &ResourceLock)> = holds
        .iter()
        .flat_map(|hold| hold.locks.iter().map(move |lock| (hold, lock)))
        .collect();
    if locks.is_empty() {
        return Ok(());
    }
    let parameters = statements::InsertHeldLocksParams {
        ns: work.ns,
        roots: column(&locks, |(_, lock)| lock.root()),
        tasks: column(&locks, |(hold, _)| hold.task.0),
        paths: column(&locks, |(_, lock)| lock.path.as_str()),
        are_shared: column(&locks, |(_, lock)| lock.shared),
        agents: column(&locks, |(hold, _)| hold.agent.as_str()),
    };
    statements::insert_held_locks()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}
