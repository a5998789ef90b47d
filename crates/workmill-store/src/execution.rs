//! What a running attempt does before it ends: it starts, and it shows signs of life.
//!
//! Every call names the lease, task and epoch, and is a compare-and-set on it: a stale caller
//! changes nothing and is told that its lease is lost.

use std::collections::BTreeMap;

use uuid::Uuid;
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_core::lifecycle::{self, State, Trigger};
use workmill_queries::client::Params;
use workmill_queries::queries::execution::attempt;
use workmill_queries::queries::settlement::settle;

use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::operation::{Operation, Work};
use crate::settlement::Refusal;

/// A lease that goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alive {
    pub lease: LeaseId,
    pub expires_in_ms: i64,
}

/// Starts claimed tasks. Starting twice is starting once.
#[derive(Debug)]
pub struct Start {
    pub ns: Namespace,
    pub key: Uuid,
    pub leases: Vec<LeaseId>,
}

impl Operation for Start {
    type Answer = Vec<Result<Alive, Refusal>>;
    const DOING: &'static str = "start tasks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let tasks: Vec<Uuid> = self.leases.iter().map(|lease| lease.task.0).collect();
        let states = settle::lock_states()
            .bind(&work.transaction, &work.ns, &tasks)
            .all()
            .await
            .map_err(|error| work.failed(error))?;
        let states: BTreeMap<Uuid, settle::LockStates> =
            states.into_iter().map(|row| (row.task, row)).collect();
        let leases = settle::lock_leases()
            .bind(&work.transaction, &work.ns, &tasks)
            .all()
            .await
            .map_err(|error| work.failed(error))?;
        let leases: BTreeMap<(Uuid, i32), settle::LockLeases> = leases
            .into_iter()
            .map(|row| ((row.task, row.epoch), row))
            .collect();

        let mut answers = Vec::with_capacity(self.leases.len());
        let mut starting: Vec<(LeaseId, GraphId, &str)> = Vec::new();
        for lease in &self.leases {
            let held = leases.get(&(lease.task.0, lease.epoch));
            let (Some(held), Some(state)) = (held, states.get(&lease.task.0)) else {
                answers.push(Err(Refusal::LeaseLost));
                continue;
            };
            if held.key != self.key {
                answers.push(Err(Refusal::NotTheHolder));
                continue;
            }
            let from = State::from_code(state.state)
                .ok_or_else(|| StoreError::Corrupt(format!("state {}", state.state)))?;
            if from != State::Running {
                if let Err(illegal) = lifecycle::next(from, Trigger::Start) {
                    answers.push(Err(Refusal::Illegal(illegal)));
                    continue;
                }
                starting.push((*lease, GraphId(state.graph), &held.agent));
            }
            answers.push(Ok(Alive {
                lease: *lease,
                expires_in_ms: held.lease_ms,
            }));
        }
        self.write(work, &starting).await?;
        Ok(answers)
    }
}

impl Start {
    async fn write(
        &self,
        work: &mut Work<'_>,
        starting: &[(LeaseId, GraphId, &str)],
    ) -> Result<(), StoreError> {
        if starting.is_empty() {
            return Ok(());
        }
        let tasks: Vec<Uuid> = starting.iter().map(|(lease, ..)| lease.task.0).collect();
        let parameters = attempt::StartLeasesParams {
            ns: work.ns,
            now: work.now().await?,
            tasks: tasks.as_slice(),
            epochs: starting
                .iter()
                .map(|(lease, ..)| lease.epoch)
                .collect::<Vec<_>>(),
        };
        attempt::start_leases()
            .params(&work.transaction, &parameters)
            .await
            .map_err(|error| work.failed(error))?;
        attempt::start_states()
            .bind(&work.transaction, &State::Running.code(), &work.ns, &tasks)
            .await
            .map_err(|error| work.failed(error))?;
        for (lease, graph, agent) in starting {
            let data = serde_json::json!({"agent": agent, "epoch": lease.epoch});
            work.emit(Event::of_task(
                EventType::TaskStarted,
                *graph,
                lease.task,
                data,
            ));
        }
        Ok(())
    }
}

/// Signs of life.
#[derive(Debug)]
pub struct Heartbeat {
    pub ns: Namespace,
    pub key: Uuid,
    pub leases: Vec<LeaseId>,
}

impl Operation for Heartbeat {
    type Answer = Vec<Result<Alive, Refusal>>;
    const DOING: &'static str = "renew leases";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let parameters = attempt::RenewLeasesParams {
            ns: work.ns,
            key: self.key,
            now: work.now().await?,
            tasks: self
                .leases
                .iter()
                .map(|lease| lease.task.0)
                .collect::<Vec<_>>(),
            epochs: self
                .leases
                .iter()
                .map(|lease| lease.epoch)
                .collect::<Vec<_>>(),
        };
        let renewed = attempt::renew_leases()
            .params(&work.transaction, &parameters)
            .all()
            .await
            .map_err(|error| work.failed(error))?;
        let times: BTreeMap<LeaseId, i64> = renewed
            .into_iter()
            .map(|row| {
                (
                    LeaseId {
                        task: TaskId(row.task),
                        epoch: row.epoch,
                    },
                    row.ttl_ms,
                )
            })
            .collect();
        Ok(self
            .leases
            .iter()
            .map(|lease| match times.get(lease) {
                Some(expires_in_ms) => Ok(Alive {
                    lease: *lease,
                    expires_in_ms: *expires_in_ms,
                }),
                None => Err(Refusal::LeaseLost),
            })
            .collect())
    }
}
