//! Taking ready tasks, and finding those that an earlier call with the same request id was given.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::lifecycle::State;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::claim;

use super::agents::Agents;
use super::{ClaimRefusal, ClaimRequest, Handed, Share};
use crate::error::StoreError;
use crate::operation::Work;

/// What `take_ready` takes from a lane in one go.
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

/// Takes tasks for all who still want some. Agents that match the same lanes, and start alike,
/// are one group and cost one statement. A group looks past what shuns any of its agents, so who
/// went away empty is served once more, alone.
pub(super) async fn take(
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
    let agents: Vec<&str> = names.into_iter().collect();
    let state = if start {
        State::Running
    } else {
        State::Claimed
    };
    let mut parameters = claim::TakeReadyParams {
        ns: work.ns,
        now,
        lanes: lanes.iter().map(|(lane, _)| lane.0).collect::<Vec<_>>(),
        aged: lanes.iter().map(|(_, aged)| *aged).collect::<Vec<_>>(),
        agents,
        wanted: 0,
        state: state.code(),
    };
    let mut rows = Vec::new();
    for some in takers.chunks(MOST_AT_ONCE) {
        parameters.wanted = i64::try_from(some.len()).unwrap_or(i64::MAX);
        let taken = claim::take_ready()
            .params(&work.transaction, &parameters)
            .all()
            .await;
        let taken = taken.map_err(|error| work.failed(error))?;
        let is_all_there_is = taken.len() < some.len();
        rows.extend(taken);
        if is_all_there_is {
            break;
        }
    }
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
