//! Taking ready tasks, and finding those that an earlier call with the same request id was given.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::try_join;
use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::ids::{GraphId, LeaseId, TaskId};
use workmill_core::lane::{Lane, LaneId, Selection, has_another};
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::claim;
use workmill_queries::queries::task::write_back as rows;

use super::super::agents::live_workers;
use super::agents::Agents;
use super::pick::pick;
use super::{ClaimRefusal, ClaimRequest, Handed, Share};
use crate::error::StoreError;
use crate::gates::{Door, Stopped, write_stopped};
use crate::marks::Mark;
use crate::operation::Work;

/// What `pick_ready` takes from a lane in one go.
const MOST_AT_ONCE: usize = 1000;

/// What earlier calls with the same request ids were given; those get nothing new.
pub(super) fn repeats(
    agents: &mut Agents,
    requests: &[ClaimRequest],
    shares: &mut [Result<Share<'_>, ClaimRefusal>],
) -> Vec<Handed> {
    let mut handed = Vec::new();
    for row in agents.requested.drain(..) {
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
                in_graph: row.in_graph,
                lane: LaneId(row.lane),
                epoch: row.epoch,
                attempts: row.attempts,
                rank: 0,
                starts: false,
                has_holds: false,
                spent: Micros(row.spent_micros),
                spec: None,
                repeat: Some((state, row.ttl_ms)),
            });
        }
    }
    handed
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
    pub(super) stopped: Vec<Stopped>,
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

    /// Takes tasks for all who still want some. Agents that match the same lanes with tasks are one
    /// group and cost one statement; the group of who asked first is served first. A group looks past
    /// what shuns any of its agents, so who went away empty is served once more, alone. Who still gets
    /// nothing is served tasks that it failed, where no other live agent could run them any more.
    pub(super) async fn take(
        &mut self,
        work: &mut Work<'_>,
        agents: &Agents,
        shares: &mut [Result<Share<'_>, ClaimRefusal>],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut free = agents.free.clone();
        // Matching each agent with each lane that is known would cost more than finding those with tasks.
        let mut ready = if work.lanes().count() > MANY_LANES {
            Some(work.find_ready_lanes().await?)
        } else {
            None
        };
        let mut is_last = false;
        loop {
            let groups = group(work, agents, shares, &free, ready.as_ref(), is_last);
            if ready.is_none() && groups.len() > 1 {
                // Only those that have tasks are worth a look. Those without would part agents
                // that are one group, as far as this process happens to know them.
                ready = Some(work.find_ready_lanes().await?);
                continue;
            }
            for (lanes, places) in groups {
                if !lanes.is_empty() {
                    self.serve(work, agents, shares, &mut free, &lanes, &places, true, now)
                        .await?;
                }
            }
            let somebody_waits = shares.iter().flatten().any(|share| {
                share.wanted > 0 && free.get(&share.request.agent).is_some_and(|free| *free > 0)
            });
            if !somebody_waits || work.is_planted("lanes not read again") {
                return Ok(());
            }
            if is_last {
                let groups = group(work, agents, shares, &free, ready.as_ref(), true);
                return self
                    .serve_failed(work, agents, shares, &mut free, groups, now)
                    .await;
            }
            // Never "nothing" without having found the lanes again that have tasks.
            ready = Some(work.find_ready_lanes().await?);
            is_last = true;
        }
    }

    /// Serves tasks that agents failed before, where an agent is the only one left for them: each group is
    /// one request. A claim that finds other tasks does not come here, so it costs no busy agent anything.
    async fn serve_failed(
        &mut self,
        work: &mut Work<'_>,
        agents: &Agents,
        shares: &mut [Result<Share<'_>, ClaimRefusal>],
        free: &mut BTreeMap<String, i32>,
        groups: Vec<Group>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut workers = None;
        for (mut lanes, places) in groups {
            let request = places
                .first()
                .and_then(|place| shares[*place].as_ref().ok());
            let Some(agent) = request.map(|share| share.request.agent.clone()) else {
                continue;
            };
            let excluding = find_lanes_with_excluded_tasks(work, &lanes, &agent, now).await?;
            if excluding.is_empty() {
                continue;
            }
            if workers.is_none() {
                workers = Some(live_workers(work).await?);
            }
            let others = workers.as_deref().unwrap_or_default();
            let known = work.lanes();
            lanes.retain(|(id, _)| {
                let lane = known.get(*id).filter(|_| excluding.contains(id));
                lane.is_some_and(|lane| !has_another(lane, &agent, others))
            });
            if !lanes.is_empty() {
                self.serve(work, agents, shares, free, &lanes, &places, false, now)
                    .await?;
            }
        }
        Ok(())
    }

    /// Serves those at these places from these lanes. Agents are kept from what they failed lately, unless
    /// `minds_failures` is false.
    #[expect(clippy::too_many_arguments, reason = "what one group is served with")]
    async fn serve(
        &mut self,
        work: &mut Work<'_>,
        agents_of: &Agents,
        shares: &mut [Result<Share<'_>, ClaimRefusal>],
        free: &mut BTreeMap<String, i32>,
        lanes: &[(LaneId, i64)],
        places: &[usize],
        minds_failures: bool,
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
        let names = agents.iter().map(String::as_str);
        let names: Vec<&str> = names.filter(|_| minds_failures).collect();
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
            let door = &mut self.door;
            let picked = pick(work, door, lanes, &marks, &names, wanted, now).await?;
            let is_all_there_is = picked.tasks.len() < wanted;
            let outcome = self
                .let_pass(work, agents_of, shares, &mut places, picked, now)
                .await?;
            if self.moved + self.stopped.len() > MOST_STOPPED && !is_all_there_is {
                work.effects.is_unfinished = true;
                break;
            }
            // Where many are stopped or passed over, many more are likely to be.
            let in_vain = outcome.stopped + outcome.passed_over.len();
            wanted = places.len().max(2 * in_vain);
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

    /// Reads what is left of the budgets of what was handed out before.
    pub(super) async fn read_budgets_of_repeats(
        &mut self,
        work: &Work<'_>,
    ) -> Result<(), StoreError> {
        let repeated = self.handed.iter().filter(|task| task.repeat.is_some());
        let attempts = repeated.map(|task| LeaseId {
            task: task.task,
            epoch: task.epoch,
        });
        let attempts: Vec<LeaseId> = attempts.collect();
        self.door.read_budgets_of(work, &attempts).await
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
        let (running, claimed): (Vec<&Handed>, Vec<&Handed>) =
            fresh.iter().partition(|task| task.starts);
        try_join!(
            claim_states(work, State::Claimed, &claimed, now),
            claim_states(work, State::Running, &running, now),
            leave_lanes(work, &self.stopped),
        )?;
        let anew = "update workmill.state set epoch = 1 where epoch > 1";
        work.run_if_planted("epoch starts anew", anew).await?;
        self.written = self.handed.len();
        self.moved += self.stopped.len();
        self.stopped.clear();
        Ok(())
    }
}

async fn find_lanes_with_excluded_tasks(
    work: &Work<'_>,
    lanes: &[(LaneId, i64)],
    agent: &str,
    now: Timestamp,
) -> Result<BTreeSet<LaneId>, StoreError> {
    if lanes.is_empty() {
        return Ok(BTreeSet::new());
    }
    let ids: Vec<i64> = lanes.iter().map(|(id, _)| id.0).collect();
    let found = claim::find_lanes_with_excluded_tasks()
        .bind(work.transaction, &ids, &work.ns, &now, &agent)
        .all()
        .await
        .map_err(|error| work.failed(error))?;
    Ok(found.into_iter().map(LaneId).collect())
}

/// They leave their lanes, and are claimed, or running.
async fn claim_states(
    work: &Work<'_>,
    state: State,
    tasks: &[&Handed],
    now: Timestamp,
) -> Result<(), StoreError> {
    if tasks.is_empty() {
        return Ok(());
    }
    let parameters = claim::ClaimStatesParams {
        ns: work.ns,
        now,
        state: state.code(),
        lanes: tasks.iter().map(|task| task.lane.0).collect::<Vec<_>>(),
        ranks: tasks.iter().map(|task| task.rank).collect::<Vec<_>>(),
        tasks: tasks.iter().map(|task| task.task.0).collect::<Vec<_>>(),
    };
    let written = claim::claim_states()
        .params(work.transaction, &parameters)
        .await;
    written.map_err(|error| work.failed(error))?;
    Ok(())
}

async fn leave_lanes(work: &Work<'_>, tasks: &[Stopped]) -> Result<(), StoreError> {
    if tasks.is_empty() {
        return Ok(());
    }
    let parameters = rows::DeleteReadyParams {
        ns: work.ns,
        lanes: tasks.iter().map(|task| task.lane.0).collect::<Vec<_>>(),
        ranks: tasks.iter().map(|task| task.rank).collect::<Vec<_>>(),
        tasks: tasks.iter().map(|task| task.task.0).collect::<Vec<_>>(),
    };
    let left = rows::delete_ready()
        .params(work.transaction, &parameters)
        .await;
    left.map_err(|error| work.failed(error))?;
    Ok(())
}

/// The lanes, and the places of those who may take from them.
type Group = (Vec<(LaneId, i64)>, Vec<usize>);

/// Where more lanes than this are known, a look begins with finding those that have tasks.
const MANY_LANES: usize = 64;

/// Groups those who still want something by the lanes that they may take it from, in the order of who
/// asked first. Where it is known which lanes have tasks, only those count.
fn group(
    work: &Work<'_>,
    agents: &Agents,
    shares: &[Result<Share<'_>, ClaimRefusal>],
    free: &BTreeMap<String, i32>,
    ready: Option<&BTreeSet<LaneId>>,
    each_alone: bool,
) -> Vec<Group> {
    let known = work.lanes();
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of: BTreeMap<Vec<(LaneId, i64)>, usize> = BTreeMap::new();
    let mut lanes_of: BTreeMap<(&str, &Selection), Vec<(LaneId, i64)>> = BTreeMap::new();
    for (place, share) in shares.iter().enumerate() {
        let Ok(share) = share else { continue };
        let (request, agent) = (share.request, share.request.agent.as_str());
        if share.wanted <= 0 || free.get(agent).is_none_or(|free| *free <= 0) {
            continue;
        }
        let lanes = lanes_of
            .entry((agent, &request.selection))
            .or_insert_with(|| {
                let may_take = |lane: &&Lane| agents.may_take(work, request, lane);
                let place = |id: LaneId, lane: &Lane| (id, work.aged(lane.boost));
                match ready {
                    Some(ready) => ready
                        .iter()
                        .filter_map(|id| Some((*id, known.get(*id).filter(may_take)?)))
                        .map(|(id, lane)| place(id, lane))
                        .collect(),
                    None => known
                        .iter()
                        .filter(|(_, lane)| may_take(lane))
                        .map(|(id, lane)| place(*id, lane))
                        .collect(),
                }
            });
        match group_of.get(lanes) {
            Some(group) if !each_alone => groups[*group].1.push(place),
            Some(_) | None => {
                group_of.insert(lanes.clone(), groups.len());
                groups.push((lanes.clone(), vec![place]));
            }
        }
    }
    groups
}
