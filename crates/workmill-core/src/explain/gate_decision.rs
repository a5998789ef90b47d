//! The gates as explain and dry runs read them, without their lock: what a task would meet there, and
//! what would be left for the tasks behind it.
//!
//! Whether a task passes is [`Candidate::decide`], as in a claim.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::Date;

use crate::admission::{Ask, Candidate, Decision, GateView, Reservation};
use crate::gate::{Capacity, Gate, Limited, Paused, Purse};
use crate::ids::TaskId;
use crate::resource_lock::ResourceLock;

/// A gate that somebody has set up, as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenGate {
    pub capacity: Capacity,
    pub set_by: String,
    pub set_at: Timestamp,
    pub note: Option<String>,
    /// At locks: the task that others make way for, and what it asks for.
    pub reserved: Option<(TaskId, Vec<ResourceLock>)>,
}

/// A lock that a running attempt holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldLock {
    pub task: TaskId,
    pub agent: String,
    pub lock: ResourceLock,
}

/// What a task meets at one gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    pub ask: Ask,
    pub seen: SeenGate,
}

impl Check {
    pub fn passes(&self) -> bool {
        self.seen.capacity.takes(self.ask.amount)
    }
}

/// What is in the way of a task's locks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LockObstacle {
    Held { wanted: String, by: HeldLock },
    Reserved { wanted: String, by: TaskId },
}

#[derive(Debug, Clone)]
pub struct GateDecisions {
    gates: BTreeMap<Gate, SeenGate>,
    held: Vec<HeldLock>,
    /// The budget of each day. Without one, days are not counted.
    each_day: Option<SeenGate>,
    /// The namespace's day.
    day: Date,
}

impl GateDecisions {
    pub fn new(each_day: Option<SeenGate>, day: Date) -> GateDecisions {
        GateDecisions {
            gates: BTreeMap::new(),
            held: Vec::new(),
            each_day,
            day,
        }
    }

    /// Adds gates that are set up, and locks that are held, as they stand.
    pub fn learn(&mut self, gates: BTreeMap<Gate, SeenGate>, held: Vec<HeldLock>) {
        for (gate, seen) in gates {
            self.gates.entry(gate).or_insert(seen);
        }
        self.held.extend(held);
    }

    /// Which gates a task may have to pass, with any of these agents.
    pub fn wanted<'a>(
        &self,
        candidate: &Candidate<'_>,
        agents: impl IntoIterator<Item = &'a str>,
        now: Timestamp,
    ) -> BTreeSet<Gate> {
        let asks = candidate.asks("", self.day, now).into_iter();
        let mut wanted: BTreeSet<Gate> = asks.map(|ask| ask.gate).collect();
        wanted.retain(|gate| !gate.is_of_an_agent());
        for agent in agents {
            wanted.insert(Gate::Pause(Paused::Agent(agent.to_owned())));
            wanted.insert(Gate::Limit(Limited::Agent(agent.to_owned())));
            wanted.insert(Gate::Budget(Purse::Agent(agent.to_owned())));
        }
        let roots = candidate.admission.lock_roots().into_iter();
        wanted.extend(roots.map(|root| Gate::Locks(root.to_owned())));
        wanted
    }

    /// A gate as it stands, if it is set up. A day that nobody has spent anything of yet has the
    /// budget of each day.
    pub fn gate(&self, gate: &Gate) -> Option<SeenGate> {
        let known = self.gates.get(gate).cloned();
        if !matches!(gate, Gate::Budget(Purse::Day(_))) {
            return known;
        }
        let each_day = self.each_day.clone()?;
        known.or(Some(SeenGate {
            capacity: Capacity {
                used: 0,
                ..each_day.capacity
            },
            ..each_day
        }))
    }

    /// Every gate that is set up and that the task has to pass with this agent, in order.
    pub fn checks(&self, candidate: &Candidate<'_>, agent: &str, now: Timestamp) -> Vec<Check> {
        let asks = candidate.asks(agent, self.day, now).into_iter();
        asks.filter_map(|ask| {
            let seen = self.gate(&ask.gate)?;
            Some(Check { ask, seen })
        })
        .collect()
    }

    /// Returns everything that is in the way of the task's locks: conflicting locks that other tasks
    /// hold, and reservations of other tasks below one of its roots, which cover all their locks.
    pub fn lock_obstacles(&self, candidate: &Candidate<'_>) -> Vec<LockObstacle> {
        let roots = candidate.admission.lock_roots().into_iter();
        let reserved = roots.filter_map(|root| self.reserved_below(root));
        let reserved = reserved.filter(|reserved| reserved.task != candidate.task);
        let reserved: Vec<Reservation<'_>> = reserved.collect();
        let mut obstacles = Vec::new();
        for wanted in &candidate.admission.locks {
            let others = self.held.iter().filter(|held| held.task != candidate.task);
            for held in others.filter(|held| wanted.conflicts_with(&held.lock)) {
                obstacles.push(LockObstacle::Held {
                    wanted: wanted.path.clone(),
                    by: held.clone(),
                });
            }
            let is_in_the_way = |reserved: &&Reservation<'_>| {
                let mut locks = reserved.locks.iter();
                locks.any(|lock| wanted.conflicts_with(lock))
            };
            let tasks = reserved.iter().filter(is_in_the_way);
            let tasks: BTreeSet<TaskId> = tasks.map(|reserved| reserved.task).collect();
            obstacles.extend(tasks.into_iter().map(|by| LockObstacle::Reserved {
                wanted: wanted.path.clone(),
                by,
            }));
        }
        obstacles
    }

    /// Decides whether the task would pass with this agent, as a claim decides.
    pub fn decide(&self, candidate: &Candidate<'_>, agent: &str, now: Timestamp) -> Decision {
        candidate.decide(&candidate.asks(agent, self.day, now), self)
    }

    /// Lets the task through: what is left is for those behind it.
    pub fn take(&mut self, candidate: &Candidate<'_>, agent: &str, now: Timestamp) {
        for Check { ask, mut seen } in self.checks(candidate, agent, now) {
            seen.capacity.used = seen.capacity.used.saturating_add(ask.amount);
            self.gates.insert(ask.gate, seen);
        }
        for lock in &candidate.admission.locks {
            let root = Gate::Locks(lock.root().to_owned());
            if let Some(seen) = self.gates.get_mut(&root) {
                seen.reserved.take_if(|(task, _)| *task == candidate.task);
            }
            self.held.push(HeldLock {
                task: candidate.task,
                agent: agent.to_owned(),
                lock: lock.clone(),
            });
        }
    }
}

impl GateView for GateDecisions {
    fn capacity(&self, gate: &Gate) -> Option<Capacity> {
        self.gate(gate).map(|seen| seen.capacity)
    }

    fn held_below<'a>(
        &'a self,
        root: &'a str,
        task: TaskId,
    ) -> impl Iterator<Item = &'a ResourceLock> {
        let others = self.held.iter().filter(move |held| held.task != task);
        let below = others.filter(move |held| held.lock.root() == root);
        below.map(|held| &held.lock)
    }

    fn reserved_below(&self, root: &str) -> Option<Reservation<'_>> {
        let seen = self.gates.get(&Gate::Locks(root.to_owned()))?;
        let (task, locks) = seen.reserved.as_ref()?;
        Some(Reservation { task: *task, locks })
    }
}
