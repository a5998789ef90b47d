//! Step 4, admit: each picked task passes its gates and is granted to a slot, moves to the gate that
//! stopped it, or stays in its lane for other agents.

use std::collections::BTreeSet;

use uuid::Uuid;
use workmill_core::ids::TaskId;
use workmill_core::lane::LaneId;

use super::lanes::MatchedLane;
use super::pick::{Found, Picked};
use super::round::Round;
use super::slots::Slot;
use crate::error::StoreError;
use crate::gates::{Candidate, Decision, Stopped};
use crate::lane_cursors::Cursor;
use crate::operation::Work;

/// What became of a picked task.
enum Admission {
    /// It goes to the slot at this place of the list.
    Granted {
        slot: usize,
        has_holds: bool,
    },
    Stopped(Stopped),
    /// Some of the agents may not take it, others do not want it.
    PassedOver,
    /// A gate refused all agents that want it, but not all agents of the group were asked.
    Left,
}

/// What became of the tasks that were not granted.
#[derive(Default)]
pub(super) struct NotGranted {
    stopped: usize,
    /// Tasks that no agent of this group may take.
    passed_over: Vec<PassedOver>,
}

struct PassedOver {
    lane: LaneId,
    rank: i64,
    task: TaskId,
}

impl Round<'_> {
    /// Grants what was picked, in the order of its rank, to these slots, as far as gates let it pass.
    /// Removes the slots that get a task.
    pub(super) async fn admit(
        &mut self,
        work: &mut Work<'_>,
        slots: &mut Vec<Slot<'_>>,
        found: Found,
    ) -> Result<NotGranted, StoreError> {
        let agents: BTreeSet<&str> = slots.iter().map(|slot| &*slot.request.agent).collect();
        let candidates: Vec<Candidate<'_>> = found.tasks.iter().map(Picked::candidate).collect();
        self.gate_decisions
            .look_up(work, &candidates, &agents, found.are_gates_new, self.now)
            .await?;
        let mut not_granted = NotGranted::default();
        for picked in found.tasks {
            if slots.is_empty() {
                break;
            }
            if self.gate_decisions.is_gone(picked.facts.task) {
                continue;
            }
            match self.ask(work, slots, agents.len(), &picked) {
                Admission::Granted { slot, has_holds } => {
                    let slot = slots.remove(slot);
                    self.grant(slot, picked, has_holds)?;
                }
                Admission::Stopped(stopped) => {
                    self.stopped.push(stopped);
                    not_granted.stopped += 1;
                }
                Admission::PassedOver => not_granted.passed_over.push(PassedOver {
                    lane: picked.facts.lane,
                    rank: picked.rank,
                    task: picked.facts.task,
                }),
                Admission::Left => {}
            }
        }
        Ok(not_granted)
    }

    /// Asks the gates for one slot after the other, until one gets the task or a gate stops it for all.
    fn ask(
        &mut self,
        work: &mut Work<'_>,
        slots: &[Slot<'_>],
        agents: usize,
        picked: &Picked,
    ) -> Admission {
        let candidate = picked.candidate();
        let mut refused: BTreeSet<&str> = BTreeSet::new();
        let mut is_wanted = false;
        for (place, slot) in slots.iter().enumerate() {
            let agent = slot.request.agent.as_str();
            if refused.contains(agent) || !self.agents.wants(slot.request, &picked.spec.policy) {
                continue;
            }
            is_wanted = true;
            match self
                .gate_decisions
                .decide(work, &candidate, agent, self.now)
            {
                Decision::Passed { has_holds } => {
                    return Admission::Granted {
                        slot: place,
                        has_holds,
                    };
                }
                Decision::Stopped(stopped) => return Admission::Stopped(stopped),
                Decision::NotThisAgent => {
                    refused.insert(agent);
                }
            }
        }
        if !is_wanted || refused.len() == agents {
            Admission::PassedOver
        } else {
            Admission::Left
        }
    }
}

impl NotGranted {
    pub(super) fn count(&self) -> usize {
        self.stopped + self.passed_over.len()
    }

    /// Moves the cursors behind the tasks that no agent of the group may take, so that they are not
    /// picked again.
    pub(super) fn pass_over(&self, lanes: &[MatchedLane], cursors: &mut [Cursor]) {
        for (matched, cursor) in lanes.iter().zip(cursors) {
            let passed = self.passed_over.iter();
            let passed = passed.filter(|passed| passed.lane == matched.lane);
            if let Some(last) = passed.max_by_key(|passed| (passed.rank, passed.task)) {
                let behind = Cursor {
                    rank: last.rank,
                    task: Uuid::from_u128(last.task.0.as_u128().saturating_add(1)),
                };
                *cursor = behind.max(*cursor);
            }
        }
    }
}
