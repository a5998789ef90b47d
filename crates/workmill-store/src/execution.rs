//! What a running attempt does before it ends: it starts, and it shows signs of life.
//!
//! Every call names the lease, task and epoch, and is a compare-and-set on it: a stale caller
//! changes nothing and is told that its lease is lost.

mod reported;

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::try_join_all;
use futures_util::{TryFutureExt, try_join};
use postgres_types::Json;
use serde_json::json;
use uuid::Uuid;
use workmill_core::failure::Reason;
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_core::json_text::JsonText;
use workmill_core::lifecycle::{State, Trigger};
use workmill_core::usage::Usage;
use workmill_queries::client::Params;
use workmill_queries::queries::execution::attempt;

use crate::column::column;
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::gates::charge::charge;
use crate::gates::pauses::tell_pauses;
use crate::locked_rows::LockedRows;
use crate::operation::{Operation, Work};
use crate::settlement::Refusal;
use crate::write_back::Remarks;

/// A lease that goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alive {
    pub lease: LeaseId,
    pub expires_in_ms: i64,
    /// Why the agent is to stop, if it is.
    pub stop: Option<String>,
    /// What is paused, where the agent is to rest at the next good moment.
    pub pause: Option<String>,
}

/// Starts claimed tasks. Starting twice is starting once, and a sign of life.
#[derive(Debug)]
pub struct Start<'a> {
    pub ns: Namespace,
    pub leases: &'a [(Uuid, LeaseId)],
}

impl Operation for Start<'_> {
    type Answer = Vec<Result<Alive, Refusal>>;
    const DOING: &'static str = "start tasks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let tasks = self.leases.iter().map(|(_, lease)| lease.task);
        let mut held = LockedRows::lock_without_graphs(work, tasks).await?;
        let mut answers = Vec::with_capacity(self.leases.len());
        let mut starting: Vec<(LeaseId, GraphId, String)> = Vec::new();
        let mut started: Vec<Beat> = Vec::new();
        for (key, lease) in self.leases {
            let answer = start(&mut held, &mut starting, *key, *lease);
            let is_new = starting.last().is_some_and(|(new, ..)| new == lease);
            if answer.as_ref().is_ok_and(|alive| alive.stop.is_none()) && !is_new {
                started.push(Beat::bare(*key, *lease));
            }
            answers.push(answer);
        }
        write_starts(work, &starting).await?;
        renew(work, &started).await?;
        held.write_back(work, &Remarks::default()).await?;
        Ok(answers)
    }
}

fn start(
    held: &mut LockedRows,
    starting: &mut Vec<(LeaseId, GraphId, String)>,
    key: Uuid,
    lease: LeaseId,
) -> Result<Alive, Refusal> {
    let lease_row = held.leases.get(&lease).ok_or(Refusal::LeaseLost)?;
    let row = held.tasks.get_mut(&lease.task).ok_or(Refusal::LeaseLost)?;
    if lease_row.key != key {
        return Err(Refusal::NotTheHolder);
    }
    if row.state() == State::Claimed {
        row.follow(Trigger::Start).map_err(Refusal::Illegal)?;
        starting.push((lease, row.graph, lease_row.agent.clone()));
    } else if row.state() != State::Running && lease_row.stop.is_none() {
        let illegal = workmill_core::lifecycle::IllegalTransition {
            from: row.state(),
            trigger: Trigger::Start,
        };
        return Err(Refusal::Illegal(illegal));
    }
    Ok(Alive {
        lease,
        expires_in_ms: lease_row.lease_ms,
        stop: lease_row.stop.clone(),
        pause: None,
    })
}

async fn write_starts(
    work: &mut Work<'_>,
    starting: &[(LeaseId, GraphId, String)],
) -> Result<(), StoreError> {
    if starting.is_empty() {
        return Ok(());
    }
    let parameters = attempt::StartLeasesParams {
        ns: work.ns,
        now: work.now().await?,
        tasks: column(starting, |(lease, ..)| lease.task.0),
        epochs: column(starting, |(lease, ..)| lease.epoch),
    };
    attempt::start_leases()
        .params(work.transaction, &parameters)
        .await?;
    for (lease, graph, agent) in starting {
        let data = json!({"agent": agent, "epoch": lease.epoch});
        work.emit(Event::of_task(
            EventType::TaskStarted,
            *graph,
            lease.task,
            data,
        ));
    }
    Ok(())
}

/// A sign of life, with what there is to tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Beat {
    pub key: Uuid,
    pub lease: LeaseId,
    pub progress: Option<JsonText>,
    pub checkpoint: Option<JsonText>,
    /// What was used since the claim, priced.
    pub usage: Option<Usage>,
}

impl Beat {
    fn bare(key: Uuid, lease: LeaseId) -> Beat {
        Beat {
            key,
            lease,
            progress: None,
            checkpoint: None,
            usage: None,
        }
    }
}

#[derive(Debug)]
pub struct Heartbeat<'a> {
    pub ns: Namespace,
    pub beats: &'a [Beat],
}

impl Operation for Heartbeat<'_> {
    type Answer = Vec<Result<Alive, Refusal>>;
    const DOING: &'static str = "renew leases";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let mut alive = renew(work, self.beats).await?;
        let told = {
            let work = &*work;
            let (told, ()) = try_join!(
                reported::write(work, self.beats, &alive),
                write_checkpoints(work, self.beats, &alive),
            )?;
            told
        };
        // Those who were told to stop before need not be told again.
        let going_on = |lease: &LeaseId| {
            let mut named = alive.iter();
            named.any(|((named, _), alive)| named == lease && alive.stop.is_none())
        };
        let told: Vec<(LeaseId, i64)> = told
            .into_iter()
            .filter(|(lease, _)| going_on(lease))
            .collect();
        let stopping = charge(work, &told).await?;
        for ((lease, _), alive) in &mut alive {
            if stopping.contains(lease) {
                alive.stop = Some(Reason::BudgetExceeded.name().to_owned());
            }
        }
        tell_pauses(work, &mut alive).await?;
        Ok(self
            .beats
            .iter()
            .map(|beat| {
                let alive = alive.get(&(beat.lease, beat.key));
                alive.cloned().ok_or(Refusal::LeaseLost)
            })
            .collect())
    }
}

/// Renews the leases whose beats come with the right key, and tells which.
async fn renew(
    work: &mut Work<'_>,
    beats: &[Beat],
) -> Result<BTreeMap<(LeaseId, Uuid), Alive>, StoreError> {
    let found = lock_named(work, beats).await?;
    let alive: Vec<&Beat> = beats
        .iter()
        .filter(|beat| found.contains_key(&(beat.lease, beat.key)))
        .collect();
    if alive.is_empty() {
        return Ok(found);
    }
    let parameters = attempt::RenewLeasesParams {
        ns: work.ns,
        now: work.now().await?,
        tasks: column(&alive, |beat| beat.lease.task.0),
        epochs: column(&alive, |beat| beat.lease.epoch),
    };
    let renew_leases = attempt::renew_leases();
    let renewed = renew_leases.params(work.transaction, &parameters);
    let work = &*work;
    let told = alive.iter().filter_map(|beat| {
        let progress = beat.progress.as_ref()?;
        Some(write_progress(work, beat.lease, progress))
    });
    try_join!(
        renewed.map_err(|error| work.failed(error)),
        try_join_all(told)
    )?;
    Ok(found)
}

/// The leases that are still there, each under the key that may speak for it.
async fn lock_named(
    work: &Work<'_>,
    beats: &[Beat],
) -> Result<BTreeMap<(LeaseId, Uuid), Alive>, StoreError> {
    let named: BTreeSet<LeaseId> = beats.iter().map(|beat| beat.lease).collect();
    if named.is_empty() {
        return Ok(BTreeMap::new());
    }
    let tasks: Vec<Uuid> = named.iter().map(|lease| lease.task.0).collect();
    let epochs: Vec<i32> = named.iter().map(|lease| lease.epoch).collect();
    // Sent in this order: clock and gates are read under the locks.
    let lock_leases = attempt::lock_named_leases();
    let (rows, ()) = try_join!(
        lock_leases
            .bind(work.transaction, &tasks, &epochs, &work.ns)
            .all()
            .map_err(|error| work.failed(error)),
        work.read_moment(),
    )?;
    let alive = rows.into_iter().map(|row| {
        let lease = LeaseId {
            task: TaskId(row.task),
            epoch: row.epoch,
        };
        let alive = Alive {
            lease,
            expires_in_ms: row.ttl_ms,
            stop: row.stop,
            pause: None,
        };
        ((lease, row.key), alive)
    });
    Ok(alive.collect())
}

async fn write_progress(
    work: &Work<'_>,
    lease: LeaseId,
    progress: &JsonText,
) -> Result<(), StoreError> {
    let parameters = attempt::UpdateProgressParams {
        ns: work.ns,
        task: lease.task.0,
        epoch: lease.epoch,
        progress: Json(progress),
    };
    attempt::update_progress()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}

async fn write_checkpoints(
    work: &Work<'_>,
    beats: &[Beat],
    alive: &BTreeMap<(LeaseId, Uuid), Alive>,
) -> Result<(), StoreError> {
    let mut checkpoints: BTreeMap<Uuid, (i32, &JsonText)> = BTreeMap::new();
    for beat in beats {
        if let Some(checkpoint) = &beat.checkpoint
            && alive.contains_key(&(beat.lease, beat.key))
        {
            checkpoints.insert(beat.lease.task.0, (beat.lease.epoch, checkpoint));
        }
    }
    if checkpoints.is_empty() {
        return Ok(());
    }
    let parameters = attempt::UpsertCheckpointsParams {
        ns: work.ns,
        now: work.now().await?,
        tasks: checkpoints.keys().copied().collect::<Vec<_>>(),
        epochs: checkpoints
            .values()
            .map(|(epoch, _)| *epoch)
            .collect::<Vec<_>>(),
        data: checkpoints
            .values()
            .map(|(_, data)| Json(*data))
            .collect::<Vec<_>>(),
    };
    attempt::upsert_checkpoints()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}
