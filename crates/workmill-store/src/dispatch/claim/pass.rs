//! Passing gates: what was picked goes to those who ask, waits at a gate, or is left for others.

use std::collections::BTreeSet;

use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::ids::TaskId;
use workmill_core::lane::LaneId;

use super::agents::Agents;
use super::pick::Picked;
use super::take::Takings;
use super::{ClaimRefusal, Handed, Share};
use crate::error::StoreError;
use crate::gates::{Candidate, Decision};
use crate::marks::Mark;
use crate::operation::Work;

impl Takings {
    /// Hands what was picked, in the order of its rank, to those at these places, as far as gates
    /// let it pass.
    pub(super) async fn let_pass(
        &mut self,
        work: &mut Work<'_>,
        agents_of: &Agents,
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
            let Some(policy) = task.policy() else {
                continue;
            };
            let mut refused: BTreeSet<&str> = BTreeSet::new();
            let mut taker = None;
            let mut looked_at = 0;
            for (nth, place) in places.iter().enumerate() {
                let Ok(request) = agent_at(*place) else {
                    continue;
                };
                if refused.contains(request.agent.as_str()) || !agents_of.wants(request, policy) {
                    continue;
                }
                looked_at += 1;
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
            let is_for_nobody_here = refused.len() == agents.len() || looked_at == 0;
            if is_for_nobody_here {
                passing.passed_over.push((task.lane, task.rank, task.task));
            }
            if let Some((nth, place, request, has_holds)) = taker {
                task.goes_to(place, request);
                task.has_holds = has_holds;
                places.remove(nth);
                self.handed.push(task);
            }
        }
        Ok(passing)
    }
}

/// What became of those that were picked, besides those that were handed out.
#[derive(Default)]
pub(super) struct Passing {
    pub(super) stopped: usize,
    /// No agent of this group may take them; others may.
    pub(super) passed_over: Vec<(LaneId, i64, TaskId)>,
}

impl Passing {
    /// Those that nobody here may take stay where they are, and are not picked again.
    pub(super) fn pass_over(&self, lanes: &[(LaneId, i64)], marks: &mut [Mark]) {
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
