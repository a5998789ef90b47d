//! Claiming: the best-ranked ready tasks that agents may do, with what they need to do them.
//!
//! The agents' rows are locked first, and their leases counted under that lock, so their slots
//! are exact. Ready tasks are taken with SKIP LOCKED: no claim waits for another. Agents that
//! match the same lanes are served together, in the order they asked.

mod context;

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use uuid::Uuid;
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_core::lane::{LaneId, Offer};
use workmill_core::lifecycle::State;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::claim;
use workmill_queries::queries::execution::attempt as running;

use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::look::Attempt;
use crate::operation::{Operation, Work};
use context::Context;

/// What one agent asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRequest {
    pub key: Uuid,
    pub agent: String,
    /// At most this many; never more than the agent has slots free.
    pub most: i32,
    /// Claim and start in one step.
    pub start: bool,
    /// Asking again with the same id returns what the first call was given.
    pub request: Option<Uuid>,
}

#[derive(Debug)]
pub struct Claim<'a> {
    pub ns: Namespace,
    pub requests: &'a [ClaimRequest],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimRefusal {
    UnknownAgent,
    /// The agent was registered by another key.
    ForeignAgent,
    /// The agent is draining or offline.
    NotActive,
}

/// A task handed out, with everything that is known to help with it.
#[derive(Debug, Clone)]
pub struct Claimed {
    pub lease: LeaseId,
    pub graph: GraphId,
    pub state: State,
    /// How many attempts count, this one included.
    pub attempt: i32,
    pub ttl_ms: i64,
    pub heartbeat_ms: i64,
    pub submitted_at: Timestamp,
    pub created_by: String,
    pub body: Box<RawValue>,
    /// Which models to use: the preferred ones, or those to fall back on.
    pub models: Vec<String>,
    pub dependencies: Vec<DependencyOutput>,
    pub earlier_attempts: Vec<Attempt>,
    pub checkpoint: Option<Value>,
    pub answers: Vec<Value>,
}

/// What a task that this one depended on has put out.
#[derive(Debug, Clone, PartialEq)]
pub struct DependencyOutput {
    pub task: TaskId,
    pub state: State,
    /// Missing when it did not complete.
    pub output: Option<Value>,
}

impl Operation for Claim<'_> {
    type Answer = Vec<Result<Vec<Claimed>, ClaimRefusal>>;
    const DOING: &'static str = "claim tasks";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let agents = Agents::lock(work, self.requests).await?;
        let now = work.now().await?;
        let mut shares: Vec<Result<Share<'_>, ClaimRefusal>> = self
            .requests
            .iter()
            .map(|request| agents.admit(request))
            .collect();
        let mut handed = repeats(work, self.requests, &mut shares).await?;
        let twins = twins(self.requests, &mut shares);
        work.refresh_lanes(now).await?;
        handed.extend(take(work, &agents, &mut shares, now).await?);
        let context = Context::read(work, &handed).await?;
        let claimed = lease(work, handed, context, self.requests, now).await?;
        Ok(answer(shares, claimed, &twins))
    }
}

/// How much one request may still get.
struct Share<'a> {
    request: &'a ClaimRequest,
    wanted: i32,
}

/// A task that goes to a request.
struct Handed {
    place: usize,
    task: TaskId,
    graph: GraphId,
    lane: LaneId,
    epoch: i32,
    attempts: i32,
    /// It was handed out by an earlier call with the same request id.
    repeat: Option<(State, i64)>,
}

struct Agents {
    offers: BTreeMap<String, (Offer, String, Uuid)>,
    free: BTreeMap<String, i32>,
}

impl Agents {
    async fn lock(work: &mut Work<'_>, requests: &[ClaimRequest]) -> Result<Agents, StoreError> {
        let names: BTreeSet<&str> = requests
            .iter()
            .map(|request| request.agent.as_str())
            .collect();
        let names: Vec<&str> = names.into_iter().collect();
        let rows = claim::lock_agents()
            .bind(&work.transaction, &work.ns, &names)
            .all()
            .await;
        let rows = rows.map_err(|error| work.failed(error))?;
        let held = claim::count_leases()
            .bind(&work.transaction, &work.ns, &names)
            .all()
            .await;
        let held: BTreeMap<String, i32> = held
            .map_err(|error| work.failed(error))?
            .into_iter()
            .map(|row| (row.agent, row.leases))
            .collect();
        let mut agents = Agents {
            offers: BTreeMap::new(),
            free: BTreeMap::new(),
        };
        for row in rows {
            let mut busy = held.get(&row.agent).copied().unwrap_or(0);
            if work.is_planted("slots not counted") {
                busy = 0;
            }
            agents.free.insert(row.agent.clone(), row.slots - busy);
            let offer = Offer {
                agent: row.agent.clone(),
                agent_type: row.r#type,
                capabilities: row.capabilities,
                models: row.models,
            };
            agents
                .offers
                .insert(row.agent, (offer, row.status, row.key));
        }
        Ok(agents)
    }

    fn admit<'a>(&self, request: &'a ClaimRequest) -> Result<Share<'a>, ClaimRefusal> {
        let (_, status, key) = self
            .offers
            .get(&request.agent)
            .ok_or(ClaimRefusal::UnknownAgent)?;
        if *key != request.key {
            return Err(ClaimRefusal::ForeignAgent);
        }
        if status != "active" {
            return Err(ClaimRefusal::NotActive);
        }
        Ok(Share {
            request,
            wanted: request.most,
        })
    }
}

/// Finds what earlier calls with the same request ids were given; those get nothing new.
async fn repeats(
    work: &mut Work<'_>,
    requests: &[ClaimRequest],
    shares: &mut [Result<Share<'_>, ClaimRefusal>],
) -> Result<Vec<Handed>, StoreError> {
    let ids: Vec<Uuid> = requests
        .iter()
        .filter_map(|request| request.request)
        .collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let agents: Vec<&str> = requests
        .iter()
        .map(|request| request.agent.as_str())
        .collect();
    let rows = claim::find_requested_leases()
        .bind(&work.transaction, &work.ns, &agents, &ids)
        .all()
        .await
        .map_err(|error| work.failed(error))?;
    let mut handed = Vec::new();
    for row in rows {
        let mut admitted = requests.iter().zip(shares.iter());
        let place = admitted.position(|(request, share)| {
            share.is_ok() && request.agent == row.agent && request.request == row.request
        });
        let Some(place) = place else { continue };
        if let Ok(share) = &mut shares[place] {
            share.wanted = 0;
            let state = if row.started_at.is_some() {
                State::Running
            } else {
                State::Claimed
            };
            handed.push(Handed {
                place,
                task: TaskId(row.task),
                graph: GraphId(row.graph),
                lane: LaneId(row.lane),
                epoch: row.epoch,
                attempts: row.attempts,
                repeat: Some((state, row.ttl_ms)),
            });
        }
    }
    Ok(handed)
}

/// Finds requests that are in the batch twice, each with the place of the first one: they are
/// served once and answered twice.
fn twins(
    requests: &[ClaimRequest],
    shares: &mut [Result<Share<'_>, ClaimRefusal>],
) -> BTreeMap<usize, usize> {
    let mut firsts: BTreeMap<(&str, Uuid), usize> = BTreeMap::new();
    let mut twins = BTreeMap::new();
    for (place, request) in requests.iter().enumerate() {
        let (Some(id), Ok(share)) = (request.request, &mut shares[place]) else {
            continue;
        };
        let first = *firsts.entry((&request.agent, id)).or_insert(place);
        if first != place {
            share.wanted = 0;
            twins.insert(place, first);
        }
    }
    twins
}

/// Takes tasks for all who still want some. Agents that match the same lanes, and start alike,
/// are one group and cost one statement. A group looks past what shuns any of its agents, so who
/// went away empty is served once more, alone.
async fn take(
    work: &mut Work<'_>,
    agents: &Agents,
    shares: &mut [Result<Share<'_>, ClaimRefusal>],
    now: Timestamp,
) -> Result<Vec<Handed>, StoreError> {
    let mut handed = Vec::new();
    let mut free = agents.free.clone();
    let mut is_fresh = false;
    loop {
        let groups = group(work, agents, shares, &free, is_fresh);
        for ((lanes, start, _), places) in groups {
            if lanes.is_empty() {
                continue;
            }
            serve(
                work,
                shares,
                &mut free,
                &mut handed,
                &lanes,
                start,
                &places,
                now,
            )
            .await?;
        }
        let somebody_waits = shares.iter().flatten().any(|share| {
            share.wanted > 0 && free.get(&share.request.agent).is_some_and(|free| *free > 0)
        });
        if !somebody_waits || is_fresh || work.is_planted("lanes not read again") {
            return Ok(handed);
        }
        // Never "nothing" without having read the lanes again.
        work.read_lanes().await?;
        is_fresh = true;
    }
}

/// The lanes, whether to start, and the place of whoever is alone in it.
type Group = (Vec<(LaneId, i64)>, bool, Option<usize>);

fn group(
    work: &Work<'_>,
    agents: &Agents,
    shares: &[Result<Share<'_>, ClaimRefusal>],
    free: &BTreeMap<String, i32>,
    each_alone: bool,
) -> BTreeMap<Group, Vec<usize>> {
    let known = work.lanes();
    let mut groups: BTreeMap<Group, Vec<usize>> = BTreeMap::new();
    let mut lanes_of: BTreeMap<&str, Vec<(LaneId, i64)>> = BTreeMap::new();
    for (place, share) in shares.iter().enumerate() {
        let Ok(share) = share else { continue };
        let agent = share.request.agent.as_str();
        if share.wanted <= 0 || free.get(agent).is_none_or(|free| *free <= 0) {
            continue;
        }
        let lanes = lanes_of.entry(agent).or_insert_with(|| {
            let (offer, ..) = &agents.offers[agent];
            known
                .iter()
                .filter(|(_, lane)| lane.matches(offer))
                .map(|(id, lane)| (*id, work.aged(lane.boost)))
                .collect()
        });
        groups
            .entry((
                lanes.clone(),
                share.request.start,
                each_alone.then_some(place),
            ))
            .or_default()
            .push(place);
    }
    groups
}

#[expect(
    clippy::too_many_arguments,
    reason = "the state of one pass over the groups"
)]
async fn serve(
    work: &mut Work<'_>,
    shares: &mut [Result<Share<'_>, ClaimRefusal>],
    free: &mut BTreeMap<String, i32>,
    handed: &mut Vec<Handed>,
    lanes: &[(LaneId, i64)],
    start: bool,
    places: &[usize],
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut takers = Vec::new();
    for place in places {
        let Ok(share) = &mut shares[*place] else {
            continue;
        };
        let slots = free.entry(share.request.agent.clone()).or_insert(0);
        let wanted = share.wanted.min(*slots).max(0);
        *slots -= wanted;
        share.wanted -= wanted;
        takers.extend(std::iter::repeat_n(
            *place,
            usize::try_from(wanted).unwrap_or(0),
        ));
    }
    let names: BTreeSet<&str> = places
        .iter()
        .filter_map(|place| shares[*place].as_ref().ok())
        .map(|share| share.request.agent.as_str())
        .collect();
    let parameters = claim::TakeReadyParams {
        ns: work.ns,
        now,
        lanes: lanes.iter().map(|(lane, _)| lane.0).collect::<Vec<_>>(),
        aged: lanes.iter().map(|(_, aged)| *aged).collect::<Vec<_>>(),
        agents: names.into_iter().collect::<Vec<_>>(),
        wanted: i64::try_from(takers.len()).unwrap_or(i64::MAX),
        state: if start {
            State::Running
        } else {
            State::Claimed
        }
        .code(),
    };
    let rows = claim::take_ready()
        .params(&work.transaction, &parameters)
        .all()
        .await;
    let mut rows = rows.map_err(|error| work.failed(error))?;
    if work.is_planted("epoch starts anew") {
        for row in &mut rows {
            row.epoch = 1;
        }
        let anew = "update workmill.state set epoch = 1 where epoch > 1";
        work.run_if_planted("epoch starts anew", anew).await?;
    }
    let aged: BTreeMap<i64, i64> = lanes.iter().map(|(lane, aged)| (lane.0, *aged)).collect();
    rows.sort_by_key(|row| {
        (
            row.rank - aged.get(&row.lane).copied().unwrap_or(0),
            row.task,
        )
    });
    let mut takers = takers.into_iter();
    for row in rows {
        let Some(place) = takers.next() else { break };
        handed.push(Handed {
            place,
            task: TaskId(row.task),
            graph: GraphId(row.graph),
            lane: LaneId(row.lane),
            epoch: row.epoch,
            attempts: row.attempts,
            repeat: None,
        });
    }
    // Those who went away empty may try again, and their slots are free.
    for place in takers {
        if let Ok(share) = &mut shares[place] {
            share.wanted += 1;
            *free.entry(share.request.agent.clone()).or_insert(0) += 1;
        }
    }
    Ok(())
}

/// Writes the leases and completes what is handed out.
async fn lease(
    work: &mut Work<'_>,
    handed: Vec<Handed>,
    mut context: Context,
    requests: &[ClaimRequest],
    now: Timestamp,
) -> Result<Vec<(usize, Claimed)>, StoreError> {
    let mut claimed = Vec::with_capacity(handed.len());
    let mut leases = Vec::new();
    let mut starting: Vec<Uuid> = Vec::new();
    for task in handed {
        let request = &requests[task.place];
        let mut given = context.complete(work, &task)?;
        if let Some((state, ttl_ms)) = task.repeat {
            claimed.push((
                task.place,
                Claimed {
                    state,
                    ttl_ms,
                    ..given.claimed
                },
            ));
            continue;
        }
        let policy = &given.policy;
        let starts = request.start || policy.claim_ttl_ms.is_none();
        if starts && !request.start {
            starting.push(task.task.0);
        }
        given.claimed.ttl_ms = match policy.claim_ttl_ms {
            Some(claim_ttl_ms) if !starts => claim_ttl_ms,
            _ => policy.lease_ms,
        };
        given.claimed.state = if starts {
            State::Running
        } else {
            State::Claimed
        };
        leases.push(NewLease {
            task: task.task.0,
            epoch: task.epoch,
            agent: request.agent.as_str(),
            request: request.request,
            started_at: starts.then_some(now),
            ttl_ms: given.claimed.ttl_ms,
            lease_ms: policy.lease_ms,
            max_duration_ms: given.max_duration_ms,
        });
        let data = json!({"agent": request.agent, "epoch": task.epoch, "attempt": task.attempts});
        work.emit(Event::of_task(
            EventType::TaskClaimed,
            task.graph,
            task.task,
            data,
        ));
        if starts {
            let data = json!({"agent": request.agent, "epoch": task.epoch});
            work.emit(Event::of_task(
                EventType::TaskStarted,
                task.graph,
                task.task,
                data,
            ));
        }
        claimed.push((task.place, given.claimed));
    }
    write_leases(work, &leases, now).await?;
    if !starting.is_empty() {
        let code = State::Running.code();
        let started = running::start_states()
            .bind(&work.transaction, &code, &work.ns, &starting)
            .await;
        started.map_err(|error| work.failed(error))?;
    }
    Ok(claimed)
}

struct NewLease<'a> {
    task: Uuid,
    epoch: i32,
    agent: &'a str,
    request: Option<Uuid>,
    started_at: Option<Timestamp>,
    ttl_ms: i64,
    lease_ms: i64,
    max_duration_ms: Option<i64>,
}

async fn write_leases(
    work: &mut Work<'_>,
    leases: &[NewLease<'_>],
    now: Timestamp,
) -> Result<(), StoreError> {
    if leases.is_empty() {
        return Ok(());
    }
    let parameters = claim::InsertLeasesParams {
        ns: work.ns,
        now,
        tasks: leases.iter().map(|lease| lease.task).collect::<Vec<_>>(),
        epochs: leases.iter().map(|lease| lease.epoch).collect::<Vec<_>>(),
        resumed: leases.iter().map(|_| 0).collect::<Vec<i16>>(),
        agents: leases.iter().map(|lease| lease.agent).collect::<Vec<_>>(),
        requests: leases.iter().map(|lease| lease.request).collect::<Vec<_>>(),
        started_ats: leases
            .iter()
            .map(|lease| lease.started_at)
            .collect::<Vec<_>>(),
        ttls: leases.iter().map(|lease| lease.ttl_ms).collect::<Vec<_>>(),
        lease_mss: leases
            .iter()
            .map(|lease| lease.lease_ms)
            .collect::<Vec<_>>(),
        max_durations: leases
            .iter()
            .map(|lease| lease.max_duration_ms)
            .collect::<Vec<_>>(),
    };
    let inserted = claim::insert_leases()
        .params(&work.transaction, &parameters)
        .await;
    inserted.map_err(|error| work.failed(error))?;
    Ok(())
}

fn answer(
    shares: Vec<Result<Share<'_>, ClaimRefusal>>,
    claimed: Vec<(usize, Claimed)>,
    twins: &BTreeMap<usize, usize>,
) -> Vec<Result<Vec<Claimed>, ClaimRefusal>> {
    let mut answers: Vec<Result<Vec<Claimed>, ClaimRefusal>> = shares
        .into_iter()
        .map(|share| share.map(|_| Vec::new()))
        .collect();
    for (place, task) in claimed {
        if let Ok(tasks) = &mut answers[place] {
            tasks.push(task);
        }
    }
    for (place, first) in twins {
        let same = answers[*first].clone();
        answers[*place] = same;
    }
    answers
}
