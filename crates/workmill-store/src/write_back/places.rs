//! Where tasks rest: the place that follows from a task's row, and how it is left and entered.

use futures_util::try_join;
use jiff::Timestamp;
use postgres_types::Json;
use uuid::Uuid;
use workmill_core::lane::LaneId;
use workmill_core::lifecycle::State;
use workmill_queries::client::Params;
use workmill_queries::queries::gates::gates;
use workmill_queries::queries::task::write_back as statements;

use super::Remarks;
use crate::column::column;
use crate::error::StoreError;
use crate::locked_rows::TaskRow;
use crate::operation::Work;

/// Where a task is found while it is in its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// Only in `state`: it waits for a dependency, for its graph, or is leased.
    Nowhere,
    Ready(LaneId, i64),
    Due(Timestamp),
    Blocked,
    Finished,
    Dead,
}

pub(super) fn rest(row: &TaskRow) -> Rest {
    match row.state() {
        State::Created | State::Claimed | State::Running | State::Validating => Rest::Nowhere,
        State::Pending if row.unmet > 0 => Rest::Nowhere,
        State::Pending | State::Retrying => row.due.map_or(Rest::Nowhere, Rest::Due),
        State::Ready => Rest::Ready(row.lane, row.rank),
        State::Blocked => Rest::Blocked,
        State::Completed | State::Cancelled | State::Stale => Rest::Finished,
        State::DeadLettered => Rest::Dead,
    }
}

/// Whether a task rests where it did. One that was edited comes to its lane anew: it may wait at a
/// gate that it has no more to do with. One that ends in another way ends at another moment.
pub(super) fn stays(before: &TaskRow, after: &TaskRow) -> bool {
    let is_edited = before.spec_version != after.spec_version;
    let was_ready = before.state() == State::Ready;
    let ends_otherwise = before.state().is_finished() && before.state() != after.state();
    rest(before) == rest(after) && !(is_edited && was_ready) && !ends_otherwise
}

/// Takes tasks out of the places they leave.
pub(super) async fn leave(
    work: &Work<'_>,
    changed: &[(TaskRow, TaskRow)],
) -> Result<(), StoreError> {
    let mut ready: Vec<(LaneId, i64, Uuid)> = Vec::new();
    let mut due: Vec<(Timestamp, Uuid)> = Vec::new();
    let (mut blocked, mut finished, mut dead) = (Vec::new(), Vec::new(), Vec::new());
    for (before, after) in changed {
        let task = before.task.0;
        match rest(before) {
            _ if stays(before, after) => {}
            Rest::Nowhere => {}
            Rest::Ready(lane, rank) => ready.push((lane, rank, task)),
            Rest::Due(at) => due.push((at, task)),
            Rest::Blocked => blocked.push(task),
            Rest::Finished => finished.push(task),
            Rest::Dead => dead.push(task),
        }
    }
    if work.is_planted("place not left") {
        ready.clear();
    }
    try_join!(
        leave_ready(work, &ready),
        leave_due(work, &due),
        leave_blocked(work, &blocked),
        leave_finished(work, &finished),
        leave_dead(work, &dead),
    )?;
    Ok(())
}

/// A ready task may wait at a gate, and leaves that first: whoever lets it in just now is waited
/// for, so that it is found in its lane afterwards.
async fn leave_ready(work: &Work<'_>, rows: &[(LaneId, i64, Uuid)]) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let lanes: Vec<i64> = rows.iter().map(|(lane, ..)| lane.0).collect();
    let ranks: Vec<i64> = rows.iter().map(|(_, rank, _)| *rank).collect();
    let tasks: Vec<Uuid> = rows.iter().map(|(.., task)| *task).collect();
    let (leave_gates, leave_lanes) = (gates::delete_gated_tasks(), statements::delete_ready());
    try_join!(
        leave_gates.bind(work.transaction, &work.ns, &tasks),
        leave_lanes.bind(work.transaction, &work.ns, &lanes, &ranks, &tasks),
    )?;
    Ok(())
}

async fn leave_due(work: &Work<'_>, rows: &[(Timestamp, Uuid)]) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let parameters = statements::DeleteDueParams {
        ns: work.ns,
        ats: column(rows, |(at, _)| *at),
        tasks: column(rows, |(_, task)| *task),
    };
    statements::delete_due()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}

async fn leave_blocked(work: &Work<'_>, tasks: &[Uuid]) -> Result<(), StoreError> {
    if tasks.is_empty() {
        return Ok(());
    }
    statements::delete_blocked()
        .bind(work.transaction, &work.ns, &tasks)
        .await?;
    Ok(())
}

async fn leave_finished(work: &Work<'_>, tasks: &[Uuid]) -> Result<(), StoreError> {
    if tasks.is_empty() {
        return Ok(());
    }
    statements::delete_finished()
        .bind(work.transaction, &tasks, &work.ns)
        .await?;
    Ok(())
}

async fn leave_dead(work: &Work<'_>, tasks: &[Uuid]) -> Result<(), StoreError> {
    if tasks.is_empty() {
        return Ok(());
    }
    statements::delete_dead_letters()
        .bind(work.transaction, &work.ns, &tasks)
        .await?;
    Ok(())
}

/// Puts tasks into the places they come to; also used for tasks that are new.
pub(crate) async fn enter(
    work: &Work<'_>,
    rows: &[&TaskRow],
    remarks: &Remarks,
) -> Result<(), StoreError> {
    let of = |wanted: fn(Rest) -> bool| -> Vec<&TaskRow> {
        rows.iter()
            .copied()
            .filter(|row| wanted(rest(row)))
            .collect()
    };
    let (ready, due) = (
        of(|rest| matches!(rest, Rest::Ready(..))),
        of(|rest| matches!(rest, Rest::Due(_))),
    );
    let (finished, dead, blocked) = (
        of(|rest| rest == Rest::Finished),
        of(|rest| rest == Rest::Dead),
        of(|rest| rest == Rest::Blocked),
    );
    try_join!(
        enter_ready(work, &ready),
        enter_due(work, &due),
        enter_finished(work, &finished),
        enter_dead(work, &dead, remarks),
        enter_blocked(work, &blocked, remarks),
    )?;
    Ok(())
}

async fn enter_ready(work: &Work<'_>, rows: &[&TaskRow]) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let parameters = statements::InsertReadyParams {
        ns: work.ns,
        lanes: column(rows, |row| row.lane.0),
        ranks: column(rows, |row| row.rank),
        tasks: column(rows, |row| row.task.0),
        shunned_untils: column(rows, |row| row.shunned_until),
        shunned: column(rows, |row| row.shunned.join("\n")),
    };
    statements::insert_ready()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}

async fn enter_due(work: &Work<'_>, rows: &[&TaskRow]) -> Result<(), StoreError> {
    let rows: Vec<(Timestamp, Uuid)> = rows
        .iter()
        .filter_map(|row| Some((row.due?, row.task.0)))
        .collect();
    if rows.is_empty() {
        return Ok(());
    }
    let parameters = statements::InsertDueParams {
        ns: work.ns,
        ats: column(&rows, |(at, _)| *at),
        tasks: column(&rows, |(_, task)| *task),
    };
    statements::insert_due()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}

async fn enter_finished(work: &Work<'_>, rows: &[&TaskRow]) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let parameters = statements::InsertFinishedParams {
        ns: work.ns,
        now: work.now().await?,
        tasks: column(rows, |row| row.task.0),
    };
    statements::insert_finished()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}

async fn enter_dead(
    work: &Work<'_>,
    rows: &[&TaskRow],
    remarks: &Remarks,
) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut letters = Vec::with_capacity(rows.len());
    for row in rows {
        let letter = remarks.dead_letters.get(&row.task).ok_or_else(|| {
            StoreError::Corrupt(format!("{} is dead-lettered for no cause", row.task))
        })?;
        letters.push(letter);
    }
    let parameters = statements::InsertDeadLettersParams {
        ns: work.ns,
        now: work.now().await?,
        tasks: column(rows, |row| row.task.0),
        causes: column(&letters, |letter| letter.cause.name()),
        reasons: column(&letters, |letter| letter.reason.name()),
        fingerprints: column(&letters, |letter| letter.fingerprint),
    };
    statements::insert_dead_letters()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}

async fn enter_blocked(
    work: &Work<'_>,
    rows: &[&TaskRow],
    remarks: &Remarks,
) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut blocks = Vec::with_capacity(rows.len());
    for row in rows {
        let block = remarks
            .blocks
            .get(&row.task)
            .ok_or_else(|| StoreError::Corrupt(format!("{} is blocked for nothing", row.task)))?;
        blocks.push(block);
    }
    let parameters = statements::InsertBlockedParams {
        ns: work.ns,
        now: work.now().await?,
        tasks: column(rows, |row| row.task.0),
        waits_for: column(&blocks, |block| block.waits_for.name()),
        questions: column(&blocks, |block| block.question.as_ref().map(Json)),
        untils: column(&blocks, |block| block.until),
    };
    statements::insert_blocked()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}
