//! The rows that settlements add: ended attempts, outputs and late results, each kind written by one
//! statement.

use std::collections::BTreeMap;

use futures_util::try_join;
use jiff::Timestamp;
use postgres_types::Json;
use serde_json::Value;
use serde_json::value::RawValue;
use workmill_core::attempt::Outcome;
use workmill_core::failure::{self, Reason};
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::lane::{Lane, LaneId};
use workmill_queries::client::Params;
use workmill_queries::queries::execution::attempt as running;
use workmill_queries::queries::settlement::settle;

use super::Spent;
use crate::column::column;
use crate::error::StoreError;
use crate::event::Event;
use crate::gates::release;
use crate::locked_rows::{LeaseRow, LockedRows};
use crate::operation::Work;
use crate::write_back::Remarks;

/// Why an attempt failed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Failed {
    pub(crate) reason: Reason,
    pub(crate) message: String,
    pub(crate) details: Option<Value>,
    pub(crate) fingerprint: i64,
}

impl Failed {
    pub(crate) fn new(reason: Reason, message: impl Into<String>) -> Self {
        let message = message.into();
        let fingerprint = failure::fingerprint(reason, &message);
        Failed {
            reason,
            message,
            details: None,
            fingerprint,
        }
    }
}

/// An attempt that ends now.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) lease: LeaseRow,
    pub(crate) outcome: Outcome,
    /// Its agent says so; otherwise Workmill has found out.
    pub(crate) said_by_agent: bool,
    pub(crate) failed: Option<Failed>,
    /// With all that was reported before: what the attempt adds to the bill.
    pub(crate) spent: Spent,
}

impl Ended {
    /// Its lease ran out, or its agent was gone: it may still be taken up again.
    fn was_lost(&self) -> bool {
        let failed = self.failed.as_ref();
        failed.is_some_and(|failed| failed.reason.is_expiry())
    }
}

/// The output of a completed attempt, with references to what was put elsewhere.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    pub(crate) lease: LeaseId,
    pub(crate) value: Box<RawValue>,
    pub(crate) artifacts: Vec<Value>,
}

/// A result or failure that came in after its attempt had ended.
#[derive(Debug)]
pub(crate) struct Late {
    pub(crate) lease: LeaseId,
    pub(crate) outcome: Outcome,
    /// The agent of the attempt, and when it claimed the task.
    pub(crate) agent: String,
    pub(crate) claimed_at: Timestamp,
    pub(crate) was_accepted: bool,
    pub(crate) output: Option<Box<RawValue>>,
    pub(crate) artifacts: Vec<Value>,
    pub(crate) message: Option<String>,
    /// The usage and the cost beyond those in the attempt's row.
    pub(crate) spent: Spent,
}

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) ended: Vec<Ended>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) late: Vec<Late>,
    /// Leases whose agents are told to stop, and why.
    pub(crate) stops: Vec<(LeaseId, &'static str)>,
    /// Tasks that are sent round again, with the epoch up to which all is forgiven.
    pub(crate) revivals: Vec<(TaskId, i32)>,
    pub(crate) remarks: Remarks,
    /// Lanes that tasks have moved to.
    pub(crate) lanes: BTreeMap<LaneId, Lane>,
    pub(crate) events: Vec<Event>,
}

impl Ledger {
    /// Adds what attempts have cost to their tasks.
    pub(crate) fn count_costs(&self, held: &mut LockedRows) {
        let ended = self
            .ended
            .iter()
            .map(|one| (one.lease.lease.task, one.spent.cost_micros));
        let late = self
            .late
            .iter()
            .map(|one| (one.lease.task, one.spent.cost_micros));
        for (task, cost) in ended.chain(late) {
            if let Some(row) = held.tasks.get_mut(&task) {
                row.spent_micros += cost;
            }
        }
    }

    /// What the gates need to know of those that end.
    pub(crate) fn endings(&self, held: &LockedRows) -> Vec<release::Ending<'_>> {
        let graph = |task: TaskId| {
            let row = held.tasks.get(&task);
            row.map_or_else(|| task.into(), |row| row.graph)
        };
        let ended = self.ended.iter().map(|one| release::Ending {
            lease: one.lease.lease,
            graph: graph(one.lease.lease.task),
            agent: &one.lease.agent,
            claimed_at: one.lease.claimed_at,
            cost_micros: one.spent.cost_micros,
            has_holds: one.lease.has_holds,
            was_lost: one.was_lost(),
        });
        let late = self.late.iter().map(|one| release::Ending {
            lease: one.lease,
            graph: graph(one.lease.task),
            agent: &one.agent,
            claimed_at: one.claimed_at,
            cost_micros: one.spent.cost_micros,
            has_holds: false,
            was_lost: false,
        });
        ended.chain(late).collect()
    }

    pub(crate) async fn write(&self, work: &Work<'_>) -> Result<(), StoreError> {
        try_join!(
            self.write_attempts(work),
            self.write_outputs(work),
            self.write_late(work),
            self.write_stops(work),
            self.write_revivals(work),
        )?;
        Ok(())
    }

    async fn write_attempts(&self, work: &Work<'_>) -> Result<(), StoreError> {
        let ended = self.ended.as_slice();
        if ended.is_empty() {
            return Ok(());
        }
        // An attempt of a blocked task that times out has no lease: the statement then deletes no row.
        let leases = settle::DeleteLeasesParams {
            ns: work.ns,
            tasks: column(ended, |one| one.lease.lease.task.0),
            epochs: column(ended, |one| one.lease.lease.epoch),
        };
        let attempts = settle::InsertAttemptsParams {
            ns: work.ns,
            now: work.now().await?,
            tasks: leases.tasks.as_slice(),
            epochs: leases.epochs.as_slice(),
            resumed: column(ended, |one| one.lease.resumed),
            agents: column(ended, |one| one.lease.agent.as_str()),
            agent_types: column(ended, |one| one.lease.agent_type.as_deref()),
            outcomes: column(ended, |one| one.outcome.name()),
            said_by_agent: column(ended, |one| one.said_by_agent),
            reasons: column(ended, |one| Some(one.failed.as_ref()?.reason.name())),
            messages: column(ended, |one| Some(one.failed.as_ref()?.message.as_str())),
            details: column(ended, |one| one.failed.as_ref()?.details.as_ref().map(Json)),
            fingerprints: column(ended, |one| Some(one.failed.as_ref()?.fingerprint)),
            claimed_ats: column(ended, |one| one.lease.claimed_at),
            started_ats: column(ended, |one| one.lease.started_at),
            costs: column(ended, |one| one.spent.cost_micros),
            usages: column(ended, |one| one.spent.stored_usage().map(Json)),
            lease_mss: column(ended, |one| one.was_lost().then_some(one.lease.lease_ms)),
            spawned: column(ended, |one| one.lease.spawned),
        };
        let (delete_leases, insert_attempts) = (settle::delete_leases(), settle::insert_attempts());
        try_join!(
            delete_leases.params(work.transaction, &leases),
            insert_attempts.params(work.transaction, &attempts),
        )?;
        Ok(())
    }

    async fn write_outputs(&self, work: &Work<'_>) -> Result<(), StoreError> {
        let outputs = self.outputs.as_slice();
        if outputs.is_empty() {
            return Ok(());
        }
        let parameters = settle::InsertResultsParams {
            ns: work.ns,
            tasks: column(outputs, |one| one.lease.task.0),
            epochs: column(outputs, |one| one.lease.epoch),
            outputs: column(outputs, |one| Json(&one.value)),
            artifacts: column(outputs, |one| listed(&one.artifacts)),
        };
        settle::insert_results()
            .params(work.transaction, &parameters)
            .await?;
        Ok(())
    }

    async fn write_late(&self, work: &Work<'_>) -> Result<(), StoreError> {
        let late = self.late.as_slice();
        if late.is_empty() {
            return Ok(());
        }
        let parameters = settle::InsertLateResultsParams {
            ns: work.ns,
            now: work.now().await?,
            tasks: column(late, |one| one.lease.task.0),
            epochs: column(late, |one| one.lease.epoch),
            outcomes: column(late, |one| one.outcome.name()),
            was_accepted: column(late, |one| one.was_accepted),
            outputs: column(late, |one| one.output.as_ref().map(Json)),
            artifacts: column(late, |one| listed(&one.artifacts)),
            messages: column(late, |one| one.message.as_deref()),
            costs: column(late, |one| one.spent.cost_micros),
            usages: column(late, |one| one.spent.stored_usage().map(Json)),
        };
        settle::insert_late_results()
            .params(work.transaction, &parameters)
            .await?;
        Ok(())
    }

    async fn write_revivals(&self, work: &Work<'_>) -> Result<(), StoreError> {
        let revivals = self.revivals.as_slice();
        if revivals.is_empty() {
            return Ok(());
        }
        let parameters = settle::UpsertRevivalsParams {
            ns: work.ns,
            tasks: column(revivals, |(task, _)| task.0),
            epochs: column(revivals, |(_, epoch)| *epoch),
        };
        settle::upsert_revivals()
            .params(work.transaction, &parameters)
            .await?;
        Ok(())
    }

    async fn write_stops(&self, work: &Work<'_>) -> Result<(), StoreError> {
        let stops = self.stops.as_slice();
        if stops.is_empty() {
            return Ok(());
        }
        let parameters = running::StopLeasesParams {
            ns: work.ns,
            now: work.now().await?,
            tasks: column(stops, |(lease, _)| lease.task.0),
            epochs: column(stops, |(lease, _)| lease.epoch),
            stops: column(stops, |(_, stop)| *stop),
        };
        running::stop_leases()
            .params(work.transaction, &parameters)
            .await?;
        Ok(())
    }
}

/// Returns the list as it is stored: an empty one as null.
fn listed(artifacts: &[Value]) -> Option<Json<&[Value]>> {
    (!artifacts.is_empty()).then_some(Json(artifacts))
}
