//! Taking ready tasks, and finding those that an earlier call with the same request id was given.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use futures_util::{TryFutureExt, try_join};
use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::policy::Policy;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::claim;
use workmill_queries::queries::gates::gates;
use workmill_queries::queries::task::write_back as rows;

use super::agents::Agents;
use super::context::Spec;
use super::{ClaimRefusal, ClaimRequest, Handed, Share};
use crate::error::StoreError;
use crate::gates::{Candidate, Decision, Door, Stopped, write_stopped};
use crate::marks::{Look, Mark};
use crate::operation::Work;

/// What `pick_ready` takes from a lane in one go.
const MOST_AT_ONCE: usize = 1000;

/// Finds what earlier calls with the same request ids were given; those get nothing new.
pub(super) async fn repeats(
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
    let agents: BTreeSet<&str> = requests
        .iter()
        .map(|request| request.agent.as_str())
        .collect();
    let agents: Vec<&str> = agents.into_iter().collect();
    let rows = claim::find_requested_leases()
        .bind(work.transaction, &agents, &work.ns, &ids)
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
                rank: 0,
                starts: false,
                has_holds: false,
                spent: Micros::ZERO,
                spec: None,
                repeat: Some((state, row.ttl_ms)),
            });
        }
    }
    Ok(handed)
}

/// Finds requests that are in the batch twice, each with the place of the first one: they are
/// served once and answered twice.
pub(super) fn twins(
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

/// The tasks that go to the requests of a batch.
pub(super) struct Takings {
    pub(super) handed: Vec<Handed>,
    /// So many of them are written as taken. The rest is locked, and is written together with
    /// its leases, or before somebody picks again.
    written: usize,
    /// The gates they have passed.
    pub(super) door: Door,
    /// Stopped at a gate, locked, and to be moved there.
    stopped: Vec<Stopped>,
    /// How many were moved there.
    moved: usize,
}

/// Whoever finds more than this stopped at gates leaves the rest for the next look, so that no
/// transaction becomes long.
const MOST_STOPPED: usize = 4000;

impl Takings {
    /// What was handed out before is not taken again.
    pub(super) fn new(repeats: Vec<Handed>) -> Takings {
        Takings {
            written: repeats.len(),
            handed: repeats,
            door: Door::default(),
            stopped: Vec::new(),
            moved: 0,
        }
    }

    /// Takes tasks for all who still want some. Agents that match the same lanes are one group
    /// and cost one statement. A group looks past what shuns any of its agents, so who went away
    /// empty is served once more, alone.
    pub(super) async fn take(
        &mut self,
        work: &mut Work<'_>,
        agents: &Agents,
        shares: &mut [Result<Share<'_>, ClaimRefusal>],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut free = agents.free.clone();
        let mut is_fresh = false;
        loop {
            let groups = group(work, agents, shares, &free, is_fresh);
            for ((lanes, _), places) in groups {
                if !lanes.is_empty() {
                    self.serve(work, shares, &mut free, &lanes, &places, now)
                        .await?;
                }
            }
            let somebody_waits = shares.iter().flatten().any(|share| {
                share.wanted > 0 && free.get(&share.request.agent).is_some_and(|free| *free > 0)
            });
            if !somebody_waits || is_fresh || work.is_planted("lanes not read again") {
                return Ok(());
            }
            // Never "nothing" without having read the lanes again.
            work.read_lanes().await?;
            is_fresh = true;
        }
    }

    /// Serves those at these places from these lanes.
    async fn serve(
        &mut self,
        work: &mut Work<'_>,
        shares: &mut [Result<Share<'_>, ClaimRefusal>],
        free: &mut BTreeMap<String, i32>,
        lanes: &[(LaneId, i64)],
        places: &[usize],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut takers = Vec::new();
        let mut agents = BTreeSet::new();
        for place in places {
            let Ok(share) = &mut shares[*place] else {
                continue;
            };
            let slots = free.entry(share.request.agent.clone()).or_insert(0);
            let wanted = share.wanted.min(*slots).max(0);
            *slots -= wanted;
            share.wanted -= wanted;
            agents.insert(share.request.agent.clone());
            takers.extend(std::iter::repeat_n(
                *place,
                usize::try_from(wanted).unwrap_or(0),
            ));
        }
        let names: Vec<&str> = agents.iter().map(String::as_str).collect();
        let mut places = takers;
        // The planted fault: no time passes, and no look from the beginning is due.
        let are_trusted = work.is_planted("marks trusted");
        let looks_at = if are_trusted {
            Timestamp::UNIX_EPOCH
        } else {
            now
        };
        let mut marks = work.marks().of(work.ns, lanes, looks_at);
        let mut is_from_the_beginning = marks.iter().all(|mark| *mark == Mark::BEGINNING);
        let mut wanted = places.len();
        while !places.is_empty() {
            self.write(work, now).await?;
            wanted = wanted
                .clamp(places.len(), MOST_AT_ONCE.max(places.len()))
                .min(MOST_AT_ONCE);
            let picked = pick(work, lanes, &marks, &names, wanted, now).await?;
            let is_all_there_is = picked.tasks.len() < wanted;
            let outcome = self
                .let_pass(work, shares, &mut places, picked, now)
                .await?;
            if self.moved + self.stopped.len() > MOST_STOPPED && !is_all_there_is {
                work.effects.is_unfinished = true;
                break;
            }
            // Where many are stopped, many more are likely to be.
            wanted = places.len().max(2 * outcome.stopped);
            if is_all_there_is {
                if is_from_the_beginning || are_trusted {
                    break;
                }
                // What came in before the marks was overlooked.
                marks.fill(Mark::BEGINNING);
                is_from_the_beginning = true;
            } else {
                outcome.pass_over(lanes, &mut marks);
            }
        }
        // Those who went away empty may try again, and their slots are free.
        for place in places {
            if let Ok(share) = &mut shares[place] {
                share.wanted += 1;
                *free.entry(share.request.agent.clone()).or_insert(0) += 1;
            }
        }
        Ok(())
    }

    /// Hands what was picked, in the order of its rank, to those at these places, as far as gates
    /// let it pass.
    async fn let_pass(
        &mut self,
        work: &mut Work<'_>,
        shares: &[Result<Share<'_>, ClaimRefusal>],
        places: &mut Vec<usize>,
        picked: Picked,
        now: Timestamp,
    ) -> Result<Passing, StoreError> {
        let Picked {
            tasks: picked,
            are_gates_new,
        } = picked;
        let mut passing = Passing::default();
        let agent_at = |place: usize| shares[place].as_ref().map(|share| share.request);
        let agents: BTreeSet<&str> = places
            .iter()
            .filter_map(|place| agent_at(*place).ok())
            .map(|request| request.agent.as_str())
            .collect();
        let candidates: Vec<Candidate<'_>> = picked.iter().filter_map(Handed::candidate).collect();
        self.door
            .look_up(work, &candidates, &agents, are_gates_new, now)
            .await?;
        for mut task in picked {
            if places.is_empty() {
                break;
            }
            if self.door.is_gone(task.task) {
                continue;
            }
            let Some(candidate) = task.candidate() else {
                continue;
            };
            let mut refused: BTreeSet<&str> = BTreeSet::new();
            let mut taker = None;
            for (nth, place) in places.iter().enumerate() {
                let Ok(request) = agent_at(*place) else {
                    continue;
                };
                if refused.contains(request.agent.as_str()) {
                    continue;
                }
                match self.door.decide(work, &candidate, &request.agent, now) {
                    Decision::Passed { has_holds } => {
                        taker = Some((nth, *place, request, has_holds));
                        break;
                    }
                    Decision::Stopped(stopped) => {
                        self.stopped.push(stopped);
                        passing.stopped += 1;
                        break;
                    }
                    Decision::NotThisAgent => {
                        refused.insert(&request.agent);
                    }
                }
            }
            let is_for_nobody_here = refused.len() == agents.len();
            if is_for_nobody_here {
                passing.passed_over.push((task.lane, task.rank, task.task));
            }
            if let Some((nth, place, request, has_holds)) = taker {
                let starts_by_itself = task
                    .spec
                    .as_ref()
                    .is_some_and(|spec| spec.policy.claim_ttl_ms.is_none());
                task.starts = request.start || starts_by_itself;
                task.place = place;
                task.has_holds = has_holds;
                places.remove(nth);
                self.handed.push(task);
            }
        }
        Ok(passing)
    }

    pub(super) fn has_stopped(&self) -> bool {
        !self.stopped.is_empty()
    }

    /// Writes what is locked but not written yet: it leaves its lane, claimed, running, or for the
    /// gate that stopped it.
    pub(super) async fn write(
        &mut self,
        work: &Work<'_>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let fresh = &self.handed[self.written..];
        if fresh.is_empty() && self.stopped.is_empty() {
            return Ok(());
        }
        // To the gates first: it reads what leaves the lanes.
        write_stopped(work, &self.stopped, now).await?;
        let tasks = |starts: bool| -> Vec<Uuid> {
            let some = fresh.iter().filter(|task| task.starts == starts);
            some.map(|task| task.task.0).collect()
        };
        let (claimed, running) = (tasks(false), tasks(true));
        let taken = fresh.iter().map(|task| (task.lane, task.rank, task.task));
        let stopped = self.stopped.iter();
        let stopped = stopped.map(|task| (task.lane, task.rank, task.task));
        let leaving: Vec<(LaneId, i64, TaskId)> = taken.chain(stopped).collect();
        let left = rows::DeleteReadyParams {
            ns: work.ns,
            lanes: leaving.iter().map(|(lane, ..)| lane.0).collect::<Vec<_>>(),
            ranks: leaving.iter().map(|(_, rank, _)| *rank).collect::<Vec<_>>(),
            tasks: leaving.iter().map(|(.., task)| task.0).collect::<Vec<_>>(),
        };
        let delete_ready = rows::delete_ready();
        let leave = delete_ready.params(work.transaction, &left);
        try_join!(
            write_states(work, State::Claimed, &claimed),
            write_states(work, State::Running, &running),
            leave.map_err(|error| work.failed(error)),
        )?;
        let anew = "update workmill.state set epoch = 1 where epoch > 1";
        work.run_if_planted("epoch starts anew", anew).await?;
        self.written = self.handed.len();
        self.moved += self.stopped.len();
        self.stopped.clear();
        Ok(())
    }
}

/// What became of those that were picked, besides those that were handed out.
#[derive(Default)]
struct Passing {
    stopped: usize,
    /// No agent of this group may take them; others may.
    passed_over: Vec<(LaneId, i64, TaskId)>,
}

impl Passing {
    /// Those that nobody here may take stay where they are, and are not picked again.
    fn pass_over(&self, lanes: &[(LaneId, i64)], marks: &mut [Mark]) {
        for ((lane, _), mark) in lanes.iter().zip(marks) {
            let of_lane = self
                .passed_over
                .iter()
                .filter(|(passed, ..)| passed == lane);
            if let Some((_, rank, task)) = of_lane.max_by_key(|(_, rank, task)| (*rank, *task)) {
                let behind = Mark {
                    rank: *rank,
                    task: Uuid::from_u128(task.0.as_u128().saturating_add(1)),
                };
                *mark = behind.max(*mark);
            }
        }
    }
}

async fn write_states(work: &Work<'_>, state: State, tasks: &[Uuid]) -> Result<(), StoreError> {
    if tasks.is_empty() {
        return Ok(());
    }
    let written = claim::claim_states()
        .bind(work.transaction, &state.code(), &work.ns, &tasks)
        .await;
    written.map_err(|error| work.failed(error))?;
    Ok(())
}

/// Tasks that are locked, and whether other gates were known when they were picked.
struct Picked {
    tasks: Vec<Handed>,
    are_gates_new: bool,
}

/// The best of the lanes, each from its mark on, locked, the best first.
async fn pick(
    work: &Work<'_>,
    lanes: &[(LaneId, i64)],
    marks: &[Mark],
    agents: &[&str],
    wanted: usize,
    now: Timestamp,
) -> Result<Picked, StoreError> {
    let parameters = claim::PickReadyParams {
        ns: work.ns,
        now,
        lanes: lanes.iter().map(|(lane, _)| lane.0).collect::<Vec<_>>(),
        aged: lanes.iter().map(|(_, aged)| *aged).collect::<Vec<_>>(),
        mark_ranks: marks.iter().map(|mark| mark.rank).collect::<Vec<_>>(),
        mark_tasks: marks.iter().map(|mark| mark.task).collect::<Vec<_>>(),
        agents,
        wanted: i64::try_from(wanted).unwrap_or(i64::MAX),
        ready: State::Ready.code(),
    };
    // Sent together, executed in this order: the gates of what was picked are known then. Prepared
    // before, so that none is overtaken.
    let (pick_ready, find_gates_version) = try_join!(
        claim::pick_ready().prepare(work.transaction),
        gates::find_gates_version().prepare(work.transaction),
    )
    .map_err(|error| work.failed(error))?;
    let begun = Instant::now();
    let picked = pick_ready
        .params(work.transaction, &parameters)
        .map(|row| {
            let policy = serde_json::from_str::<Policy>(row.policy.0.get());
            let task = Handed {
                place: 0,
                task: TaskId(row.task),
                graph: GraphId(row.graph),
                lane: LaneId(row.lane),
                epoch: row.epoch + 1,
                attempts: row.attempts + 1,
                rank: row.rank,
                starts: false,
                has_holds: false,
                spent: Micros(row.spent_micros),
                spec: None,
                repeat: None,
            };
            let body = row.body.0.to_owned();
            (
                task,
                row.submitted_at,
                row.created_by.to_owned(),
                body,
                policy,
            )
        })
        .all();
    let version = find_gates_version.bind(work.transaction, &work.ns).opt();
    let (picked, version) = try_join!(picked, version).map_err(|error| work.failed(error))?;
    let took = begun.elapsed();
    let are_gates_new = work.expect_gates(version.unwrap_or(0), now).await?;
    let mut handed = Vec::with_capacity(picked.len());
    for (task, submitted_at, created_by, body, policy) in picked {
        let spec = Spec::new(task.task, submitted_at, created_by, body, policy)?;
        handed.push(Handed {
            spec: Some(spec),
            ..task
        });
    }
    remember_look(work, lanes, marks, &handed, took, now);
    if work.is_planted("epoch starts anew") {
        for task in &mut handed {
            task.epoch = 1;
        }
    }
    let aged: BTreeMap<LaneId, i64> = lanes.iter().copied().collect();
    handed.sort_by_key(|task| {
        let aged = aged.get(&task.lane).copied().unwrap_or(0);
        (task.rank - aged, task.task)
    });
    Ok(Picked {
        tasks: handed,
        are_gates_new,
    })
}

/// Remembers how long it took, and how far it went.
fn remember_look(
    work: &Work<'_>,
    lanes: &[(LaneId, i64)],
    marks: &[Mark],
    handed: &[Handed],
    took: Duration,
    now: Timestamp,
) {
    let counts_as_slow = work.is_planted("every look is slow");
    if work.is_timed_by_a_test() && !counts_as_slow {
        return;
    }
    let ended = |lane: LaneId| {
        let taken = handed.iter().filter(|task| task.lane == lane);
        let places = taken.map(|task| Mark {
            rank: task.rank,
            task: task.task.0,
        });
        places.max()
    };
    let look = Look {
        took,
        tasks: u32::try_from(handed.len()).unwrap_or(u32::MAX),
        counts_as_slow,
        lanes: lanes
            .iter()
            .zip(marks)
            .map(|((lane, _), begun)| (*lane, *begun, ended(*lane)))
            .collect(),
    };
    work.marks().looked(work.ns, &look, now);
}

/// The lanes, and the place of whoever is alone in it.
type Group = (Vec<(LaneId, i64)>, Option<usize>);

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
            .entry((lanes.clone(), each_alone.then_some(place)))
            .or_default()
            .push(place);
    }
    groups
}
