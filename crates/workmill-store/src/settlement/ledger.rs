//! What ends with the attempts: their rows, outputs and late results, written in sets.

use std::collections::BTreeMap;

use futures_util::try_join;
use jiff::Timestamp;
use postgres_types::Json;
use serde_json::Value;
use serde_json::value::RawValue;
use uuid::Uuid;
use workmill_core::attempt::Outcome;
use workmill_core::failure::{self, Reason};
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::lane::{Lane, LaneId};
use workmill_queries::client::Params;
use workmill_queries::queries::execution::attempt as running;
use workmill_queries::queries::settlement::settle;

use super::Spent;
use crate::error::StoreError;
use crate::event::Event;
use crate::gates::release;
use crate::held::{Held, LeaseRow};
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

/// Something that came in after its attempt had ended.
#[derive(Debug)]
pub(crate) struct Late {
    pub(crate) lease: LeaseId,
    pub(crate) outcome: Outcome,
    /// Who had it, and since when.
    pub(crate) agent: String,
    pub(crate) claimed_at: Timestamp,
    pub(crate) was_accepted: bool,
    pub(crate) output: Option<Box<RawValue>>,
    pub(crate) artifacts: Vec<Value>,
    pub(crate) message: Option<String>,
    /// What goes beyond the attempt's own row.
    pub(crate) spent: Spent,
}

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) ended: Vec<Ended>,
    /// Outputs, each with references to what was put elsewhere.
    pub(crate) results: Vec<(LeaseId, Box<RawValue>, Vec<Value>)>,
    pub(crate) late: Vec<Late>,
    /// Leases whose agents are told to stop, and why.
    pub(crate) stops: Vec<(LeaseId, &'static str)>,
    /// Tasks that are sent round again, with the epoch up to which all is forgiven.
    pub(crate) revivals: Vec<(TaskId, i32)>,
    pub(crate) remarks: Remarks,
    /// Lanes that tasks have moved to.
    pub(crate) lanes: BTreeMap<LaneId, Lane>,
    /// What is told of it.
    pub(crate) events: Vec<Event>,
}

impl Ledger {
    /// Adds what attempts have cost to their tasks.
    pub(crate) fn count_costs(&self, held: &mut Held) {
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
    pub(crate) fn endings(&self, held: &Held) -> Vec<release::Ending<'_>> {
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
            self.write_results(work),
            self.write_late(work),
            self.write_stops(work),
            self.write_revivals(work),
        )?;
        Ok(())
    }

    async fn write_attempts(&self, work: &Work<'_>) -> Result<(), StoreError> {
        if self.ended.is_empty() {
            return Ok(());
        }
        let now = work.now().await?;
        let ended = &self.ended;
        // A blocked task that times out ends an attempt that has no lease any more; deleting
        // nothing does no harm.
        let tasks: Vec<Uuid> = ended.iter().map(|one| one.lease.lease.task.0).collect();
        let epochs: Vec<i32> = ended.iter().map(|one| one.lease.lease.epoch).collect();
        let gone = settle::DeleteLeasesParams {
            ns: work.ns,
            tasks: tasks.as_slice(),
            epochs: epochs.as_slice(),
        };
        let failed = |one: &Ended| one.failed.clone();
        let parameters = settle::InsertAttemptsParams {
            ns: work.ns,
            now,
            tasks: tasks.as_slice(),
            epochs: epochs.as_slice(),
            resumed: ended
                .iter()
                .map(|one| one.lease.resumed)
                .collect::<Vec<_>>(),
            agents: ended
                .iter()
                .map(|one| one.lease.agent.as_str())
                .collect::<Vec<_>>(),
            outcomes: ended
                .iter()
                .map(|one| one.outcome.name())
                .collect::<Vec<_>>(),
            said_by_agent: ended
                .iter()
                .map(|one| one.said_by_agent)
                .collect::<Vec<_>>(),
            reasons: ended
                .iter()
                .map(|one| one.failed.as_ref().map(|failed| failed.reason.name()))
                .collect::<Vec<_>>(),
            messages: ended
                .iter()
                .map(|one| failed(one).map(|failed| failed.message))
                .collect::<Vec<_>>(),
            details: ended
                .iter()
                .map(|one| {
                    one.failed
                        .as_ref()
                        .and_then(|failed| failed.details.as_ref())
                        .map(Json)
                })
                .collect::<Vec<_>>(),
            fingerprints: ended
                .iter()
                .map(|one| one.failed.as_ref().map(|failed| failed.fingerprint))
                .collect::<Vec<_>>(),
            claimed_ats: ended
                .iter()
                .map(|one| one.lease.claimed_at)
                .collect::<Vec<_>>(),
            started_ats: ended
                .iter()
                .map(|one| one.lease.started_at)
                .collect::<Vec<_>>(),
            costs: ended
                .iter()
                .map(|one| one.spent.cost_micros)
                .collect::<Vec<_>>(),
            usages: ended
                .iter()
                .map(|one| one.spent.stored_usage().map(Json))
                .collect::<Vec<_>>(),
            lease_mss: ended
                .iter()
                .map(|one| one.was_lost().then_some(one.lease.lease_ms))
                .collect::<Vec<_>>(),
            spawned: ended
                .iter()
                .map(|one| one.lease.spawned)
                .collect::<Vec<_>>(),
            agent_types: ended
                .iter()
                .map(|one| one.lease.agent_type.as_deref())
                .collect::<Vec<_>>(),
        };
        let (delete_leases, insert_attempts) = (settle::delete_leases(), settle::insert_attempts());
        try_join!(
            delete_leases.params(work.transaction, &gone),
            insert_attempts.params(work.transaction, &parameters),
        )
        .map_err(|error| work.failed(error))?;
        Ok(())
    }

    async fn write_results(&self, work: &Work<'_>) -> Result<(), StoreError> {
        if self.results.is_empty() {
            return Ok(());
        }
        let parameters = settle::InsertResultsParams {
            ns: work.ns,
            tasks: self
                .results
                .iter()
                .map(|(lease, ..)| lease.task.0)
                .collect::<Vec<_>>(),
            epochs: self
                .results
                .iter()
                .map(|(lease, ..)| lease.epoch)
                .collect::<Vec<_>>(),
            outputs: self
                .results
                .iter()
                .map(|(_, output, _)| Json(output))
                .collect::<Vec<_>>(),
            artifacts: self
                .results
                .iter()
                .map(|(.., artifacts)| listed(artifacts))
                .collect::<Vec<_>>(),
        };
        let inserted = settle::insert_results()
            .params(work.transaction, &parameters)
            .await;
        inserted.map_err(|error| work.failed(error))?;
        Ok(())
    }

    async fn write_late(&self, work: &Work<'_>) -> Result<(), StoreError> {
        if self.late.is_empty() {
            return Ok(());
        }
        let late = &self.late;
        let parameters = settle::InsertLateResultsParams {
            ns: work.ns,
            now: work.now().await?,
            tasks: late.iter().map(|one| one.lease.task.0).collect::<Vec<_>>(),
            epochs: late.iter().map(|one| one.lease.epoch).collect::<Vec<_>>(),
            outcomes: late
                .iter()
                .map(|one| one.outcome.name())
                .collect::<Vec<_>>(),
            was_accepted: late.iter().map(|one| one.was_accepted).collect::<Vec<_>>(),
            outputs: late
                .iter()
                .map(|one| one.output.as_ref().map(Json))
                .collect::<Vec<_>>(),
            artifacts: late
                .iter()
                .map(|one| listed(&one.artifacts))
                .collect::<Vec<_>>(),
            messages: late
                .iter()
                .map(|one| one.message.as_deref())
                .collect::<Vec<_>>(),
            costs: late
                .iter()
                .map(|one| one.spent.cost_micros)
                .collect::<Vec<_>>(),
            usages: late
                .iter()
                .map(|one| one.spent.stored_usage().map(Json))
                .collect::<Vec<_>>(),
        };
        let inserted = settle::insert_late_results()
            .params(work.transaction, &parameters)
            .await;
        inserted.map_err(|error| work.failed(error))?;
        Ok(())
    }

    async fn write_revivals(&self, work: &Work<'_>) -> Result<(), StoreError> {
        if self.revivals.is_empty() {
            return Ok(());
        }
        let parameters = settle::UpsertRevivalsParams {
            ns: work.ns,
            tasks: self
                .revivals
                .iter()
                .map(|(task, _)| task.0)
                .collect::<Vec<_>>(),
            epochs: self
                .revivals
                .iter()
                .map(|(_, epoch)| *epoch)
                .collect::<Vec<_>>(),
        };
        let written = settle::upsert_revivals()
            .params(work.transaction, &parameters)
            .await;
        written.map_err(|error| work.failed(error))?;
        Ok(())
    }

    async fn write_stops(&self, work: &Work<'_>) -> Result<(), StoreError> {
        if self.stops.is_empty() {
            return Ok(());
        }
        let parameters = running::StopLeasesParams {
            ns: work.ns,
            now: work.now().await?,
            tasks: self
                .stops
                .iter()
                .map(|(lease, _)| lease.task.0)
                .collect::<Vec<_>>(),
            epochs: self
                .stops
                .iter()
                .map(|(lease, _)| lease.epoch)
                .collect::<Vec<_>>(),
            stops: self.stops.iter().map(|(_, stop)| *stop).collect::<Vec<_>>(),
        };
        let updated = running::stop_leases()
            .params(work.transaction, &parameters)
            .await;
        updated.map_err(|error| work.failed(error))?;
        Ok(())
    }
}

/// An empty list is not worth a value.
fn listed(artifacts: &[Value]) -> Option<Json<&[Value]>> {
    (!artifacts.is_empty()).then_some(Json(artifacts))
}
