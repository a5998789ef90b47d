//! Gates as they are meant, in plain sums: what each task asks for, what is taken, who passes.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use workmill_core::gate::{Gate, Limited, Paused, Purse};
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::priority::Class;
use workmill_core::resource_lock::ResourceLock;

use super::step::{AGENTS, End, LABELS, Plan, SOURCES, TYPES};

/// What is reserved where a task names no maximum.
const UNNAMED_COST: i64 = 100_000;

/// The place of a task in the order of submission.
pub type Place = usize;

/// What the tasks of one lane have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lane {
    needs_gpu: bool,
    of_type: usize,
    /// The power of two in what a task can still cost, if it says so.
    cost: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    Ready,
    Running,
    Over,
}

#[derive(Debug, Clone)]
pub struct Known {
    pub id: TaskId,
    pub graph: Option<GraphId>,
    pub source: usize,
    pub plan: Plan,
    pub version: i32,
    pub life: Life,
    pub epoch: i32,
    pub spent: i64,
}

/// An attempt, alive or not.
#[derive(Debug, Clone)]
pub struct Attempt {
    pub place: Place,
    pub epoch: i32,
    pub agent: usize,
    pub claimed_at: Timestamp,
    pub fate: Fate,
    /// What it has taken of gates.
    pub holds: BTreeMap<Gate, i64>,
    pub locks: Vec<ResourceLock>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Alive,
    /// Its agent has said so, with what it cost.
    Said(End, i64),
    /// Its agent was silent.
    Lost,
    /// Its agent was silent, and has said this since, with the most that it told of its cost.
    SaidLate(End, i64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meter {
    /// A pause lets not even nothing pass.
    pub cap: i64,
    pub used: i64,
    pub spent: i64,
}

impl Meter {
    pub fn takes(self, amount: i64) -> bool {
        self.used + amount <= self.cap
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Passes,
    Waits(Gate, i64),
    /// Another agent may have it.
    NotThisAgent,
}

#[derive(Debug, Default)]
pub struct World {
    pub tasks: Vec<Known>,
    pub graphs: Vec<GraphId>,
    pub attempts: Vec<Attempt>,
    pub gates: BTreeMap<Gate, Meter>,
    /// All were removed at a time: attempts that ended then have left rows to the duty.
    pub has_been_without_gates: bool,
    /// Whom others make way for, below each root, and for what; as the store says.
    pub reserved: BTreeMap<String, (TaskId, Vec<ResourceLock>)>,
}

pub const EACH_DAY: Gate = Gate::Budget(Purse::EachDay);

pub fn day_of(now: Timestamp) -> Gate {
    Gate::Budget(Purse::Day(now.to_zoned(TimeZone::UTC).date()))
}

impl World {
    pub fn place_of(&self, id: TaskId) -> Place {
        let found = self.tasks.iter().position(|known| known.id == id);
        found.expect("only what was submitted is there")
    }

    /// The order of claims.
    pub fn rank(&self, place: Place) -> (i64, Place) {
        (self.tasks[place].plan.priority, place)
    }

    pub fn suits(&self, place: Place, agent: usize) -> bool {
        !self.tasks[place].plan.needs_gpu || AGENTS[agent].1.contains(&"gpu")
    }

    /// What a task can still cost, if it says so.
    fn left_to(&self, place: Place) -> Option<i64> {
        let known = &self.tasks[place];
        known.plan.max_cost.map(|most| (most - known.spent).max(0))
    }

    pub fn lane(&self, place: Place) -> Lane {
        let plan = &self.tasks[place].plan;
        Lane {
            needs_gpu: plan.needs_gpu,
            of_type: plan.of_type,
            cost: self
                .left_to(place)
                .map(|most| most.checked_ilog2().unwrap_or(0)),
        }
    }

    /// Whether an agent has money for the cheapest task that can be in this one's lane. An agent looks
    /// at no other lanes: what is in them stays there, also where a gate would stop it.
    pub fn can_pay(&self, place: Place, agent: usize) -> bool {
        let purse = Gate::Budget(Purse::Agent(AGENTS[agent].0.to_owned()));
        let least = match self.lane(place).cost {
            None => UNNAMED_COST,
            Some(0) => 0,
            Some(power) => 1 << power,
        };
        let meter = self.gates.get(&purse);
        meter.is_none_or(|meter| meter.takes(least))
    }

    pub fn is_paused(&self, agent: usize) -> bool {
        let pause = Gate::Pause(Paused::Agent(AGENTS[agent].0.to_owned()));
        self.gates.contains_key(&pause)
    }

    /// What a task asks of gates with an agent at a moment, in the order they are asked.
    pub fn asks(&self, place: Place, agent: usize, now: Timestamp) -> Vec<(Gate, i64)> {
        let known = &self.tasks[place];
        let plan = &known.plan;
        let graph = known.graph.unwrap_or_else(|| known.id.into());
        let (of_type, class) = (TYPES[plan.of_type].to_owned(), plan.class());
        let agent = AGENTS[agent].0.to_owned();
        let source = SOURCES[known.source].split(':').next().unwrap_or_default();
        let labels: Vec<String> = plan
            .labels
            .iter()
            .map(|at| LABELS[*at].to_owned())
            .collect();
        let money = self.left_to(place).unwrap_or(UNNAMED_COST);
        let mut asks = vec![
            (Gate::Pause(Paused::Namespace), 0),
            (Gate::Pause(Paused::Graph(graph)), 0),
            (Gate::Pause(Paused::Type(of_type.clone())), 0),
        ];
        let paused = labels.iter().cloned().map(Paused::Label);
        asks.extend(paused.map(|paused| (Gate::Pause(paused), 0)));
        asks.push((Gate::Limit(Limited::Namespace), 1));
        if class != Class::Critical {
            asks.push((Gate::Limit(Limited::AllButCritical), 1));
        }
        asks.push((Gate::Limit(Limited::Class(class)), 1));
        asks.push((Gate::Limit(Limited::Source(source.to_owned())), 1));
        asks.push((Gate::Limit(Limited::Type(of_type)), 1));
        let limited = labels.into_iter().map(Limited::Label);
        asks.extend(limited.map(|limited| (Gate::Limit(limited), plan.units)));
        asks.push((Gate::Limit(Limited::Agent(agent.clone())), 1));
        asks.push((Gate::Budget(Purse::Namespace), money));
        asks.push((day_of(now), money));
        asks.push((Gate::Budget(Purse::Graph(graph)), money));
        asks.push((Gate::Budget(Purse::Agent(agent)), money));
        asks
    }

    /// The locks that others hold.
    fn held_beside(&self, place: Place) -> impl Iterator<Item = &ResourceLock> {
        let alive = self.attempts.iter();
        alive
            .filter(move |one| one.fate == Fate::Alive && one.place != place)
            .flat_map(|one| &one.locks)
    }

    /// Whether everything it wants below a root is free, and whoever is made way for there wants
    /// nothing of what it wants.
    pub fn is_free(&self, place: Place, root: &str) -> bool {
        let known = &self.tasks[place];
        let is_in_the_way =
            |other: &ResourceLock| known.plan.locks.iter().any(|lock| conflict(lock, other));
        let mut held = self.held_beside(place).filter(|lock| lock.root() == root);
        let reserved = self.reserved.get(root);
        let reserved = reserved.filter(|(task, _)| *task != known.id);
        let mut reserved = reserved.iter().flat_map(|(_, locks)| locks);
        !held.any(is_in_the_way) && !reserved.any(is_in_the_way)
    }

    /// The first thing that stops it with this agent.
    pub fn judge(&self, place: Place, agent: usize, now: Timestamp) -> Verdict {
        for (gate, amount) in self.asks(place, agent, now) {
            if self
                .gates
                .get(&gate)
                .is_none_or(|meter| meter.takes(amount))
            {
                continue;
            }
            return if gate.is_of_an_agent() {
                Verdict::NotThisAgent
            } else {
                Verdict::Waits(gate, amount)
            };
        }
        let locks = self.tasks[place].plan.locks.iter();
        let roots: BTreeSet<&str> = locks.map(ResourceLock::root).collect();
        let locked = roots.into_iter().find(|root| !self.is_free(place, root));
        match locked {
            Some(root) => Verdict::Waits(Gate::Locks(root.to_owned()), 0),
            None => Verdict::Passes,
        }
    }

    /// It runs from now on, with what it takes.
    pub fn take(&mut self, place: Place, epoch: i32, agent: usize, now: Timestamp) {
        let asks = self.asks(place, agent, now).into_iter();
        let asks = asks.filter(|(gate, amount)| *amount != 0 && self.gates.contains_key(gate));
        let holds: BTreeMap<Gate, i64> = asks.collect();
        for (gate, amount) in &holds {
            let meter = self.gates.get_mut(gate).expect("it is there");
            meter.used += amount;
        }
        self.tasks[place].life = Life::Running;
        self.tasks[place].epoch = epoch;
        let lost = |one: &&mut Attempt| (one.place, one.epoch) == (place, epoch);
        let attempt = Attempt {
            place,
            epoch,
            agent,
            claimed_at: now,
            fate: Fate::Alive,
            holds,
            locks: self.tasks[place].plan.locks.clone(),
        };
        match self.attempts.iter_mut().find(lost) {
            Some(resumed) => *resumed = attempt,
            None => self.attempts.push(attempt),
        }
    }

    /// An attempt ends: it gives back what it has taken.
    pub fn give_back(&mut self, attempt: usize, fate: Fate) {
        let attempt = &mut self.attempts[attempt];
        attempt.fate = fate;
        attempt.locks.clear();
        for (gate, amount) in std::mem::take(&mut attempt.holds) {
            if let Some(meter) = self.gates.get_mut(&gate) {
                meter.used -= amount;
            }
        }
    }

    /// What an attempt has cost is paid by everybody who pays for it, from the day it was claimed:
    /// by that day also when days are no longer counted, if it still holds something of it.
    pub fn pay(&mut self, attempt: usize, cost: i64) {
        let attempt = &self.attempts[attempt];
        let (place, agent, claimed_at) = (attempt.place, attempt.agent, attempt.claimed_at);
        let holds = attempt.holds.clone();
        let asks = self.asks(place, agent, claimed_at);
        let counts_days = self.gates.contains_key(&EACH_DAY);
        for (gate, _) in asks {
            let pays = match &gate {
                Gate::Budget(Purse::Day(_)) => counts_days || holds.contains_key(&gate),
                Gate::Budget(_) => true,
                _ => false,
            };
            if let Some(meter) = self.gates.get_mut(&gate).filter(|_| pays) {
                meter.used += cost;
                meter.spent += cost;
            }
        }
        self.tasks[place].spent += cost;
    }

    /// Sets a gate up, or changes its cap. What runs counts at a gate that is new.
    pub fn set(&mut self, gate: &Gate, cap: i64, now: Timestamp) {
        if *gate == EACH_DAY {
            let is_new = !self.gates.contains_key(gate);
            let today = day_of(now);
            if is_new {
                self.set_up(&today, cap);
            } else if let Some(meter) = self.gates.get_mut(&today) {
                meter.cap = cap;
            }
        }
        match self.gates.get_mut(gate) {
            Some(meter) => meter.cap = cap,
            None => self.set_up(gate, cap),
        }
    }

    fn set_up(&mut self, gate: &Gate, cap: i64) {
        let spent = match gate {
            Gate::Budget(Purse::Graph(graph)) => {
                let of_graph = self.tasks.iter().filter(|one| one.graph == Some(*graph));
                of_graph.map(|known| known.spent).sum()
            }
            _ => 0,
        };
        let mut used = spent;
        for number in 0..self.attempts.len() {
            let attempt = &self.attempts[number];
            if attempt.fate != Fate::Alive {
                continue;
            }
            let asks = self.asks(attempt.place, attempt.agent, attempt.claimed_at);
            let ask = asks.into_iter().find(|(asked, _)| asked == gate);
            if let Some((gate, amount)) = ask.filter(|(_, amount)| *amount != 0) {
                used += amount;
                self.attempts[number].holds.insert(gate, amount);
            }
        }
        self.gates.insert(gate.clone(), Meter { cap, used, spent });
    }

    pub fn remove(&mut self, gate: &Gate, now: Timestamp) {
        if self.gates.remove(gate).is_some() {
            self.forget(gate);
            if *gate == EACH_DAY {
                let today = day_of(now);
                self.gates.remove(&today);
                self.forget(&today);
            }
        }
    }

    fn forget(&mut self, gate: &Gate) {
        self.has_been_without_gates |= self.gates.is_empty();
        for attempt in &mut self.attempts {
            attempt.holds.remove(gate);
        }
    }

    /// A day that nobody has spent anything of has the budget of each day.
    pub fn begin_day(&mut self, now: Timestamp) {
        if let Some(each) = self.gates.get(&EACH_DAY).copied() {
            let fresh = Meter {
                cap: each.cap,
                used: 0,
                spent: 0,
            };
            self.gates.entry(day_of(now)).or_insert(fresh);
        }
    }

    pub fn alive(&self) -> impl Iterator<Item = &Attempt> {
        let attempts = self.attempts.iter();
        attempts.filter(|attempt| attempt.fate == Fate::Alive)
    }
}

/// Two locks conflict when one of them is for both, or above, and not both are shared.
pub fn conflict(one: &ResourceLock, other: &ResourceLock) -> bool {
    let (first, second): (Vec<&str>, Vec<&str>) = (
        one.path.split('/').collect(),
        other.path.split('/').collect(),
    );
    let shorter = first.len().min(second.len());
    first[..shorter] == second[..shorter] && !(one.shared && other.shared)
}
