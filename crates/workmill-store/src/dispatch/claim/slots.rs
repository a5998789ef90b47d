//! Slots and grants: what the requests of a batch may still get, and what they get.

use std::collections::BTreeMap;

use uuid::Uuid;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;

use super::agents::Agents;
use super::claimed::Claimed;
use super::request::{ClaimAnswer, ClaimRefusal, ClaimRequest};
use super::spec::Spec;
use crate::gates::cache::KnownGates;

/// The right of a request to one task: a free slot of its agent.
#[derive(Clone, Copy)]
pub(super) struct Slot<'a> {
    /// The place of the request in its batch.
    pub(super) place: usize,
    pub(super) request: &'a ClaimRequest,
}

/// A task that goes to a request.
pub(super) struct Grant {
    /// The place of the request in its batch.
    pub(super) place: usize,
    pub(super) facts: Facts,
    pub(super) spec: Spec,
    pub(super) state: State,
    pub(super) origin: Origin,
}

pub(super) enum Origin {
    /// This claim picked the task, which gets a lease.
    Picked {
        /// It holds something of a gate.
        has_holds: bool,
    },
    /// An earlier call with the same request id got the task, and the lease is still there.
    Repeated { ttl_ms: i64 },
}

/// What a claim knows of a task besides its spec.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    pub(super) task: TaskId,
    pub(super) graph: GraphId,
    /// The graph has a row of its own; only then can the task have dependencies.
    pub(super) in_graph: bool,
    pub(super) lane: LaneId,
    /// Epoch and number of attempts, this attempt included.
    pub(super) epoch: i32,
    pub(super) attempts: i32,
    /// The cost of the attempts so far.
    pub(super) spent: Micros,
}

/// The free slots of the agents of a batch, and how many tasks each request still wants.
pub(super) struct Slots<'a> {
    pub(super) requests: &'a [ClaimRequest],
    wanted: Vec<Result<i32, ClaimRefusal>>,
    /// By agent.
    free: BTreeMap<&'a str, i32>,
    /// Requests that are in the batch twice, each with the place of the first one: they are served
    /// once and answered twice.
    twins: BTreeMap<usize, usize>,
}

impl<'a> Slots<'a> {
    /// Admits the requests. The agents are locked, and the transaction knows which gates there are.
    pub(super) fn open(
        agents: &Agents,
        requests: &'a [ClaimRequest],
        gates: &KnownGates,
    ) -> Slots<'a> {
        let wanted = requests.iter().map(|one| agents.admit(one, gates));
        let free = requests
            .iter()
            .map(|one| (one.agent.as_str(), agents.free_slots(&one.agent)));
        let mut slots = Slots {
            requests,
            wanted: wanted.collect(),
            free: free.collect(),
            twins: BTreeMap::new(),
        };
        slots.close_twins();
        slots
    }

    fn close_twins(&mut self) {
        let mut firsts: BTreeMap<(&str, Uuid), usize> = BTreeMap::new();
        for (place, request) in self.requests.iter().enumerate() {
            let (Some(id), Ok(wanted)) = (request.request, &mut self.wanted[place]) else {
                continue;
            };
            let first = *firsts.entry((&request.agent, id)).or_insert(place);
            if first != place {
                *wanted = 0;
                self.twins.insert(place, first);
            }
        }
    }

    /// Closes the request that an earlier call with the same id has made, and returns its place.
    pub(super) fn close_repeat(&mut self, agent: &str, request: Option<Uuid>) -> Option<usize> {
        let mut admitted = self.requests.iter().zip(&self.wanted);
        let place = admitted.position(|(one, wanted)| {
            wanted.is_ok() && one.agent == agent && one.request == request
        })?;
        self.wanted[place] = Ok(0);
        Some(place)
    }

    /// Returns whether a request wants a task and its agent has a free slot.
    pub(super) fn is_open(&self, place: usize) -> bool {
        let free = self.free.get(self.requests[place].agent.as_str());
        self.wanted[place].is_ok_and(|wanted| wanted > 0) && free.is_some_and(|free| *free > 0)
    }

    pub(super) fn is_any_open(&self) -> bool {
        (0..self.requests.len()).any(|place| self.is_open(place))
    }

    /// Takes the open slots of the requests at these places.
    pub(super) fn take(&mut self, places: &[usize]) -> Vec<Slot<'a>> {
        let mut taken = Vec::new();
        for place in places {
            let request = &self.requests[*place];
            let (Ok(wanted), Some(free)) = (
                &mut self.wanted[*place],
                self.free.get_mut(request.agent.as_str()),
            ) else {
                continue;
            };
            let count = (*wanted).min(*free).max(0);
            *wanted -= count;
            *free -= count;
            let slot = Slot {
                place: *place,
                request,
            };
            taken.extend(std::iter::repeat_n(
                slot,
                usize::try_from(count).unwrap_or(0),
            ));
        }
        taken
    }

    /// Opens slots again that got no task.
    pub(super) fn give_back(&mut self, slots: Vec<Slot<'a>>) {
        for slot in slots {
            if let Ok(wanted) = &mut self.wanted[slot.place] {
                *wanted += 1;
            }
            if let Some(free) = self.free.get_mut(slot.request.agent.as_str()) {
                *free += 1;
            }
        }
    }

    /// Returns what each request gets, in their order, from claimed tasks with the places of requests.
    pub(super) fn into_answers(self, claimed: Vec<(usize, Claimed)>) -> Vec<ClaimAnswer> {
        let answers = self.wanted.into_iter();
        let mut answers: Vec<ClaimAnswer> = answers.map(|one| one.map(|_| Vec::new())).collect();
        for (place, task) in claimed {
            if let Ok(tasks) = &mut answers[place] {
                tasks.push(task);
            }
        }
        for (place, first) in self.twins {
            let again = answers[first].clone();
            answers[place] = again;
        }
        answers
    }
}
