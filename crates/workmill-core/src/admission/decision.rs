//! Whether a task passes its gates with an agent: the one decision that claims, explain and dry runs
//! share.
//!
//! A caller shows the gates as it knows them, as a [`GateView`]: a claim under their lock, explain and
//! dry runs as they were read. [`Candidate::decide`] asks pauses, limits and budgets in the order of
//! [`Admission::asks`], then the locks root by root, and stops at the first gate without capacity. It
//! changes nothing: the caller takes what the task asks for.

use jiff::Timestamp;
use jiff::civil::Date;

use super::{Admission, Ask, Passage, source_of};
use crate::gate::{Capacity, Gate};
use crate::ids::{GraphId, TaskId};
use crate::lane::LaneId;
use crate::money::Micros;
use crate::resource_lock::{ResourceLock, find_conflict};

/// What gates need to know of a task.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    pub task: TaskId,
    pub graph: GraphId,
    pub lane: LaneId,
    pub spent: Micros,
    pub created_by: &'a str,
    pub admission: &'a Admission,
    /// What an attempt at such a task usually costs.
    pub usual: Option<Micros>,
}

/// The locks below one root that a task has reserved because it waited long: other tasks whose locks
/// conflict with them wait.
#[derive(Debug, Clone, Copy)]
pub struct Reservation<'a> {
    pub task: TaskId,
    pub locks: &'a [ResourceLock],
}

/// The gates as the caller of [`Candidate::decide`] knows them.
pub trait GateView {
    /// Returns the room of a pause, a limit or a budget; none if it is not set and stops no task.
    fn capacity(&self, gate: &Gate) -> Option<Capacity>;

    /// Returns the locks below a root that tasks other than this one hold.
    fn held_below<'a>(
        &'a self,
        root: &'a str,
        task: TaskId,
    ) -> impl Iterator<Item = &'a ResourceLock>;

    fn reserved_below(&self, root: &str) -> Option<Reservation<'_>>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    Passes,
    /// A gate that is the same for every agent has no capacity: the task waits there.
    Stopped(Ask),
    /// A gate of this agent has no capacity: the task stays in its lane for other agents.
    NotThisAgent(Ask),
}

impl Candidate<'_> {
    /// Returns what an attempt would reserve of budgets.
    pub fn reservation(&self) -> Micros {
        self.admission.reservation(self.spent, self.usual)
    }

    /// Returns every pause, limit and budget that could stop the task with an agent, in the order in
    /// which they are asked, set or not.
    pub fn asks(&self, agent: &str, day: Date, now: Timestamp) -> Vec<Ask> {
        self.admission.asks(Passage {
            graph: self.graph,
            lane: self.lane,
            source: source_of(self.created_by),
            agent,
            class: self.admission.class(now),
            day,
            reservation: self.reservation(),
        })
    }

    /// Decides whether the task passes: the first of these pauses, limits and budgets without room
    /// for it stops it, then the first root below which a lock is in its way.
    pub fn decide(&self, asks: &[Ask], gates: &impl GateView) -> Decision {
        let is_full = |ask: &&Ask| {
            let capacity = gates.capacity(&ask.gate);
            capacity.is_some_and(|capacity| !capacity.takes(ask.amount))
        };
        if let Some(ask) = asks.iter().find(is_full).cloned() {
            return if ask.gate.is_of_an_agent() {
                Decision::NotThisAgent(ask)
            } else {
                Decision::Stopped(ask)
            };
        }
        let locks = &self.admission.locks;
        let is_locked = |root: &&str| {
            let held = gates.held_below(root, self.task);
            !are_free(self.task, locks, held, gates.reserved_below(root))
        };
        let locked = self.admission.lock_roots().into_iter().find(is_locked);
        locked.map_or(Decision::Passes, |root| {
            Decision::Stopped(Ask {
                gate: Gate::Locks(root.to_owned()),
                amount: 0,
            })
        })
    }
}

/// Returns whether a task can take its locks: no lock that is held conflicts with them, and no
/// reservation of another task does.
pub fn are_free<'a>(
    task: TaskId,
    wanted: &[ResourceLock],
    held: impl IntoIterator<Item = &'a ResourceLock>,
    reserved: Option<Reservation<'a>>,
) -> bool {
    let reserved = reserved.filter(|reserved| reserved.task != task);
    let reserved = reserved.map_or(&[][..], |reserved| reserved.locks);
    find_conflict(wanted, held).is_none() && find_conflict(wanted, reserved).is_none()
}

#[cfg(test)]
mod tests;
