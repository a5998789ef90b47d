//! The state of a claim between its steps: what is granted, what a gate has stopped, and which part of
//! it is written already.

use jiff::Timestamp;
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::lifecycle::{self, State, Trigger};

use super::agents::Agents;
use super::lanes::Group;
use super::pick::{MOST_AT_ONCE, Pick, Picked, pick};
use super::slots::{Facts, Grant, Origin, Slot, Slots};
use super::spec::find_specs;
use crate::error::StoreError;
use crate::gates::{GateDecisions, Stopped};
use crate::lane_cursors::Cursor;
use crate::operation::Work;
use crate::settlement::impossible;

/// A claim that has moved more tasks than this to their gates leaves the rest to the next claim, so
/// that no transaction becomes long.
const MOST_STOPPED: usize = 4000;

pub(super) struct Round<'a> {
    pub(super) agents: &'a Agents,
    pub(super) now: Timestamp,
    pub(super) grants: Vec<Grant>,
    /// The gates that the granted tasks have passed.
    pub(super) gate_decisions: GateDecisions,
    /// Granted tasks that are locked, but still in their lanes.
    pub(super) leaving: Vec<Leaving>,
    /// Tasks that a gate has stopped, locked, and still in their lanes.
    pub(super) stopped: Vec<Stopped>,
    /// The number of tasks that were moved to their gates.
    pub(super) moved: usize,
}

/// A granted task that is to leave its lane.
pub(super) struct Leaving {
    pub(super) lane: LaneId,
    pub(super) rank: i64,
    pub(super) task: TaskId,
    pub(super) state: State,
}

impl<'a> Round<'a> {
    pub(super) fn new(agents: &'a Agents, now: Timestamp) -> Round<'a> {
        Round {
            agents,
            now,
            grants: Vec::new(),
            gate_decisions: GateDecisions::default(),
            leaving: Vec::new(),
            stopped: Vec::new(),
            moved: 0,
        }
    }

    /// Grants the tasks again that earlier calls with the same request ids got.
    pub(super) async fn repeat(
        &mut self,
        work: &Work<'_>,
        slots: &mut Slots<'_>,
    ) -> Result<(), StoreError> {
        let requested = &self.agents.requested;
        if requested.is_empty() {
            return Ok(());
        }
        let tasks: Vec<_> = requested.iter().map(|lease| lease.facts.task.0).collect();
        let mut specs = find_specs(work, &tasks).await?;
        for lease in requested {
            let Some(place) = slots.close_repeat(&lease.agent, lease.request) else {
                continue;
            };
            let task = lease.facts.task;
            let spec = specs
                .remove(&task)
                .ok_or_else(|| StoreError::Corrupt(format!("{task} has no description")))?;
            self.grants.push(Grant {
                place,
                facts: lease.facts,
                spec,
                state: lease.state,
                origin: Origin::Repeated {
                    ttl_ms: lease.ttl_ms,
                },
            });
        }
        Ok(())
    }

    /// Reads what is left of the budgets of repeated grants. After all tasks were picked: rows of gates that
    /// are read without their lock must not serve for decisions.
    pub(super) async fn read_budgets_of_repeats(
        &mut self,
        work: &Work<'_>,
    ) -> Result<(), StoreError> {
        let repeated = self
            .grants
            .iter()
            .filter(|grant| matches!(grant.origin, Origin::Repeated { .. }));
        let attempts = repeated.map(|grant| LeaseId {
            task: grant.facts.task,
            epoch: grant.facts.epoch,
        });
        let attempts: Vec<LeaseId> = attempts.collect();
        self.gate_decisions.read_budgets_of(work, &attempts).await
    }

    /// Picks and admits tasks for the slots of a group, until they are filled or no task is left.
    pub(super) async fn serve(
        &mut self,
        work: &mut Work<'_>,
        slots: &mut Slots<'_>,
        group: &Group,
    ) -> Result<(), StoreError> {
        let mut open = slots.take(&group.places);
        let mut agents: Vec<&str> = Vec::new();
        if group.minds_failures {
            agents.extend(open.iter().map(|slot| slot.request.agent.as_str()));
            agents.sort_unstable();
            agents.dedup();
        }
        // The planted fault: no time passes, and no look from the beginning is due.
        let are_trusted = work.is_planted("cursors trusted");
        let looks_at = if are_trusted {
            Timestamp::UNIX_EPOCH
        } else {
            self.now
        };
        let lanes = group.lanes.iter().map(|one| one.lane);
        let mut cursors = work.lane_cursors().of(work.ns, lanes, looks_at);
        let mut is_from_the_beginning = cursors.iter().all(|cursor| *cursor == Cursor::BEGINNING);
        let mut wanted = open.len();
        while !open.is_empty() {
            self.write(work).await?;
            let most = MOST_AT_ONCE.max(open.len());
            wanted = wanted.clamp(open.len(), most).min(MOST_AT_ONCE);
            let wish = Pick {
                lanes: &group.lanes,
                cursors: &cursors,
                agents: &agents,
                wanted,
            };
            let found = pick(work, &mut self.gate_decisions, &wish, self.now).await?;
            let is_all_there_is = found.tasks.len() < wanted;
            let not_granted = self.admit(work, &mut open, found).await?;
            if self.moved + self.stopped.len() > MOST_STOPPED && !is_all_there_is {
                work.effects.is_unfinished = true;
                break;
            }
            // If many tasks were stopped or passed over, the same is likely for many more.
            wanted = open.len().max(2 * not_granted.count());
            if !is_all_there_is {
                not_granted.pass_over(&group.lanes, &mut cursors);
            } else if is_from_the_beginning || are_trusted {
                break;
            } else {
                // Tasks that came in before the cursors were not seen.
                cursors.fill(Cursor::BEGINNING);
                is_from_the_beginning = true;
            }
        }
        slots.give_back(open);
        Ok(())
    }

    /// Grants a picked task to a slot.
    pub(super) fn grant(
        &mut self,
        slot: Slot<'_>,
        picked: Picked,
        has_holds: bool,
    ) -> Result<(), StoreError> {
        let Picked { facts, rank, spec } = picked;
        let Facts { task, lane, .. } = facts;
        let state = state_of(slot.request.start || spec.policy.claim_ttl_ms.is_none())?;
        self.leaving.push(Leaving {
            lane,
            rank,
            task,
            state,
        });
        self.grants.push(Grant {
            place: slot.place,
            facts,
            spec,
            state,
            origin: Origin::Picked { has_holds },
        });
        Ok(())
    }
}

/// Returns the state of a ready task that is claimed, and started with it or not.
fn state_of(starts: bool) -> Result<State, StoreError> {
    let claimed = lifecycle::next(State::Ready, Trigger::Claim);
    let state = if starts {
        claimed.and_then(|claimed| lifecycle::next(claimed, Trigger::Start))
    } else {
        claimed
    };
    state.map_err(impossible)
}
