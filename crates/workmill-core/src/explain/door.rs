//! The gates as somebody sees them who only looks: what a task would meet there, and what would be
//! left for those behind it.
//!
//! The order in which gates are asked, and what each takes, is [`Admission::asks`]; a claim asks the
//! same gates in the same order, under their lock.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::Date;

use crate::admission::{Admission, Ask, Passage, source_of};
use crate::gate::{Gate, Limited, Paused, Purse, Room};
use crate::ids::{GraphId, TaskId};
use crate::lane::LaneId;
use crate::money::Micros;
use crate::resource_lock::ResourceLock;

/// A gate that somebody has set up, as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenGate {
    pub room: Room,
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

/// What gates need to know of a task.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    pub task: TaskId,
    pub graph: GraphId,
    pub lane: LaneId,
    pub spent: Micros,
    pub created_by: &'a str,
    pub admission: &'a Admission,
    /// What such an attempt usually costs.
    pub usual: Option<Micros>,
}

impl Candidate<'_> {
    /// What an attempt would reserve.
    pub fn reservation(&self) -> Micros {
        self.admission.reservation(self.spent, self.usual)
    }

    /// Every gate that could stop it with an agent, whether or not anybody has set it up.
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
}

/// What a task meets at one gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    pub ask: Ask,
    pub seen: SeenGate,
}

impl Check {
    pub fn passes(&self) -> bool {
        self.seen.room.takes(self.ask.amount)
    }
}

/// What is in the way of a task's locks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LockObstacle {
    Held { wanted: String, by: HeldLock },
    Reserved { wanted: String, by: TaskId },
}

#[derive(Debug, Clone)]
pub struct Door {
    gates: BTreeMap<Gate, SeenGate>,
    held: Vec<HeldLock>,
    /// The budget of each day. Without one, days are not counted.
    each_day: Option<SeenGate>,
    /// The namespace's day.
    day: Date,
}

impl Door {
    pub fn new(each_day: Option<SeenGate>, day: Date) -> Door {
        Door {
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
            room: Room {
                used: 0,
                ..each_day.room
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

    /// Whatever is in the way of its locks: other tasks that hold or have reserved what conflicts.
    pub fn lock_obstacles(&self, candidate: &Candidate<'_>) -> Vec<LockObstacle> {
        let mut obstacles = Vec::new();
        for wanted in &candidate.admission.locks {
            let others = self.held.iter().filter(|held| held.task != candidate.task);
            for held in others.filter(|held| wanted.conflicts_with(&held.lock)) {
                obstacles.push(LockObstacle::Held {
                    wanted: wanted.path.clone(),
                    by: held.clone(),
                });
            }
            let root = Gate::Locks(wanted.root().to_owned());
            let reserved = self
                .gates
                .get(&root)
                .and_then(|seen| seen.reserved.as_ref());
            if let Some((task, locks)) = reserved.filter(|(task, _)| *task != candidate.task)
                && locks.iter().any(|lock| wanted.conflicts_with(lock))
            {
                obstacles.push(LockObstacle::Reserved {
                    wanted: wanted.path.clone(),
                    by: *task,
                });
            }
        }
        obstacles
    }

    /// The gate that would stop the task with this agent: the first that has no room for it.
    pub fn stops(&self, candidate: &Candidate<'_>, agent: &str, now: Timestamp) -> Option<Gate> {
        let checks = self.checks(candidate, agent, now);
        let closed = checks.into_iter().find(|check| !check.passes());
        closed.map(|check| check.ask.gate).or_else(|| {
            let obstacles = self.lock_obstacles(candidate);
            let roots: BTreeSet<&str> = obstacles
                .iter()
                .map(|obstacle| match obstacle {
                    LockObstacle::Held { wanted, .. } | LockObstacle::Reserved { wanted, .. } => {
                        wanted.split('/').next().unwrap_or_default()
                    }
                })
                .collect();
            let first = roots.first();
            first.map(|root| Gate::Locks((*root).to_owned()))
        })
    }

    /// Lets the task through: what is left is for those behind it.
    pub fn take(&mut self, candidate: &Candidate<'_>, agent: &str, now: Timestamp) {
        for Check { ask, mut seen } in self.checks(candidate, agent, now) {
            seen.room.used = seen.room.used.saturating_add(ask.amount);
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
