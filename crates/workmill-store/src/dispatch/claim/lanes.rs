//! Step 2, match lanes: which requests may take tasks from which lanes.
//!
//! Requests that match the same lanes form a group: one look at the lanes serves all of them. If
//! slots stay open, the requests are looked at once more, each alone and with lanes that have just
//! been read, because a group looks past tasks that any of its agents failed lately. At last a request
//! may get tasks that its own agent failed, if no other live agent could run them.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use workmill_core::lane::{Lane, LaneId, Offer, Selection, has_another};
use workmill_queries::queries::dispatch::claim;

use super::super::agents::live_workers;
use super::agents::Agents;
use super::slots::Slots;
use crate::error::StoreError;
use crate::operation::Work;

/// With more known lanes than this, the lanes that have tasks are read before agents are matched:
/// matching each agent with each known lane would cost more.
const MANY_LANES: usize = 64;

/// A lane that an agent matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MatchedLane {
    pub(crate) lane: LaneId,
    /// How much ageing has taken off the ranks of the lane by now.
    pub(crate) aged: i64,
}

/// Requests that may take tasks from the same lanes.
pub(super) struct Group {
    pub(super) lanes: Vec<MatchedLane>,
    pub(super) places: Vec<usize>,
    /// Tasks that one of the agents failed lately are looked past.
    pub(super) minds_failures: bool,
}

/// The looks of a claim at the lanes, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Together,
    EachAlone,
    FailedByItself,
}

impl Turn {
    pub(super) const ALL: [Turn; 3] = [Turn::Together, Turn::EachAlone, Turn::FailedByItself];
}

/// Matches requests with lanes.
pub(super) struct LaneMatcher<'a> {
    agents: &'a Agents,
    now: Timestamp,
    /// The lanes that have tasks, once they were read.
    ready: Option<BTreeSet<LaneId>>,
}

impl<'a> LaneMatcher<'a> {
    pub(super) fn new(agents: &'a Agents, now: Timestamp) -> LaneMatcher<'a> {
        LaneMatcher {
            agents,
            now,
            ready: None,
        }
    }

    /// Returns the groups of a turn, those that asked first at the front.
    pub(super) async fn groups(
        &mut self,
        work: &Work<'_>,
        slots: &Slots<'_>,
        turn: Turn,
    ) -> Result<Vec<Group>, StoreError> {
        match turn {
            Turn::Together => self.together(work, slots).await,
            // A claim answers "nothing" only after it has read which lanes have tasks.
            Turn::EachAlone => {
                self.ready = Some(work.find_ready_lanes().await?);
                Ok(self.group(work, slots, true))
            }
            Turn::FailedByItself => self.failed_by_itself(work, slots).await,
        }
    }

    async fn together(
        &mut self,
        work: &Work<'_>,
        slots: &Slots<'_>,
    ) -> Result<Vec<Group>, StoreError> {
        if work.lanes().count() > MANY_LANES {
            self.ready = Some(work.find_ready_lanes().await?);
        }
        let groups = self.group(work, slots, false);
        if self.ready.is_some() || groups.len() <= 1 {
            return Ok(groups);
        }
        // Lanes without tasks would separate agents that can be served together.
        self.ready = Some(work.find_ready_lanes().await?);
        Ok(self.group(work, slots, false))
    }

    fn group(&self, work: &Work<'_>, slots: &Slots<'_>, each_alone: bool) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut group_of: BTreeMap<Vec<MatchedLane>, usize> = BTreeMap::new();
        let mut lanes_of: BTreeMap<(&str, &Selection), Vec<MatchedLane>> = BTreeMap::new();
        for (place, request) in slots.requests.iter().enumerate() {
            if !slots.is_open(place) {
                continue;
            }
            let lanes = lanes_of
                .entry((&request.agent, &request.selection))
                .or_insert_with(|| {
                    self.lanes(work, |lane| self.agents.may_take(work, request, lane))
                });
            match group_of.get(lanes) {
                Some(group) if !each_alone => groups[*group].places.push(place),
                Some(_) | None if lanes.is_empty() => {}
                Some(_) | None => {
                    group_of.insert(lanes.clone(), groups.len());
                    groups.push(Group {
                        lanes: lanes.clone(),
                        places: vec![place],
                        minds_failures: true,
                    });
                }
            }
        }
        groups
    }

    /// Returns the lanes that an agent may take from: of those that have tasks, once these were read.
    fn lanes(&self, work: &Work<'_>, may_take: impl Fn(&Lane) -> bool) -> Vec<MatchedLane> {
        let known = work.lanes();
        let matched = |id: LaneId, lane: &Lane| MatchedLane {
            lane: id,
            aged: work.aged(lane.boost),
        };
        match &self.ready {
            Some(ready) => ready
                .iter()
                .filter_map(|id| Some((*id, known.get(*id).filter(|lane| may_take(lane))?)))
                .map(|(id, lane)| matched(id, lane))
                .collect(),
            None => known
                .iter()
                .filter(|(_, lane)| may_take(lane))
                .map(|(id, lane)| matched(*id, lane))
                .collect(),
        }
    }

    /// Returns for each request the lanes with tasks that its agent failed and that no other live
    /// agent could run. A claim that finds other tasks does not come here.
    async fn failed_by_itself(
        &self,
        work: &Work<'_>,
        slots: &Slots<'_>,
    ) -> Result<Vec<Group>, StoreError> {
        let mut groups = self.group(work, slots, true);
        let mut workers: Option<Vec<Offer>> = None;
        for group in &mut groups {
            group.minds_failures = false;
            let agent = slots.requests[group.places[0]].agent.as_str();
            let failed = find_lanes_with_excluded_tasks(work, &group.lanes, agent, self.now);
            let failed = failed.await?;
            group.lanes.retain(|one| failed.contains(&one.lane));
            if group.lanes.is_empty() {
                continue;
            }
            let others = match &mut workers {
                Some(workers) => workers,
                None => workers.insert(live_workers(work).await?),
            };
            let known = work.lanes();
            group.lanes.retain(|one| {
                let lane = known.get(one.lane);
                lane.is_some_and(|lane| !has_another(lane, agent, others))
            });
        }
        groups.retain(|group| !group.lanes.is_empty());
        Ok(groups)
    }
}

async fn find_lanes_with_excluded_tasks(
    work: &Work<'_>,
    lanes: &[MatchedLane],
    agent: &str,
    now: Timestamp,
) -> Result<BTreeSet<LaneId>, StoreError> {
    let ids: Vec<i64> = lanes.iter().map(|one| one.lane.0).collect();
    let found = claim::find_lanes_with_excluded_tasks()
        .bind(work.transaction, &ids, &work.ns, &now, &agent)
        .all()
        .await?;
    Ok(found.into_iter().map(LaneId).collect())
}
