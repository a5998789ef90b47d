//! What the test knows of the queue: what was asked, what hangs on what, when ranks were looked
//! at. And what follows from the formula for who may be claimed before whom.

use std::collections::BTreeSet;

use workmill_core::ids::{GraphId, LeaseId, TaskId};
use workmill_core::policy::Profile;

use super::formula::{BOOSTS, Milliseconds, USUAL_ESTIMATE, Urgency};
use super::step::{Ask, Brings};

/// A refresh leaves what is off by less than a point.
const LEFT_ALONE: f64 = 1.0;

/// Stored values are cut to whole micro-points, one when a rank is stored and one when it is
/// compared.
const CUT: f64 = 0.000_002;

/// Sums of the same numbers in another order differ by less.
const SAME: f64 = 0.000_000_001;

/// The place of a task in the order of submission.
pub type Place = usize;

#[derive(Debug, Clone)]
pub struct Known {
    pub id: TaskId,
    pub graph: Option<GraphId>,
    pub ask: Ask,
    pub version: i32,
    submitted: Milliseconds,
    deadline: Option<Milliseconds>,
    chain: u32,
    /// When its rank was made last, by submitting or editing it.
    ranked: Milliseconds,
    /// How far growth has moved its rank since; with a deadline the next look makes that right.
    moved: u32,
    pub failures: u32,
}

#[derive(Debug, Default)]
pub struct World {
    /// Since the case began.
    pub now: Milliseconds,
    /// When the ranks were looked at last.
    pub looked: Milliseconds,
    pub tasks: Vec<Known>,
    /// Who waits for whom.
    pub edges: BTreeSet<(Place, Place)>,
    pub leases: Vec<(Place, LeaseId)>,
}

impl World {
    pub fn add(&mut self, id: TaskId, graph: Option<GraphId>, ask: &Ask) -> Place {
        let known = Known {
            id,
            graph,
            ask: ask.clone(),
            version: 1,
            submitted: self.now,
            deadline: ask.due_in.map(|seconds| self.now + 1000 * seconds),
            chain: 0,
            ranked: self.now,
            moved: 0,
            failures: 0,
        };
        self.tasks.push(known);
        self.tasks.len() - 1
    }

    /// It goes on ageing from when it was submitted.
    pub fn edit(&mut self, place: Place, ask: &Ask) {
        let now = self.now;
        let known = &mut self.tasks[place];
        known.version += 1;
        known.ask = Ask {
            profile: known.ask.profile,
            ..ask.clone()
        };
        known.deadline = ask.due_in.map(|seconds| now + 1000 * seconds);
        known.ranked = now;
        known.moved = 0;
    }

    pub fn look(&mut self) {
        self.looked = self.now;
        for known in &mut self.tasks {
            known.moved = 0;
        }
    }

    /// Measures every chain anew, after edges have come or gone. `new` tasks had their rank made
    /// with their chain.
    pub fn measure(&mut self, new: std::ops::Range<Place>) {
        let mut lengths = vec![None; self.tasks.len()];
        for place in 0..self.tasks.len() {
            let length = self.length_below(place, &mut lengths);
            let known = &mut self.tasks[place];
            if !new.contains(&place) {
                known.moved += length.abs_diff(known.chain);
            }
            known.chain = length;
        }
    }

    fn length_below(&self, place: Place, lengths: &mut [Option<u32>]) -> u32 {
        if let Some(length) = lengths[place] {
            return length;
        }
        let below = self.edges.iter().filter(|(_, on)| *on == place);
        let below: Vec<Place> = below.map(|(task, _)| *task).collect();
        let lengths_below = below
            .into_iter()
            .map(|task| self.length_below(task, lengths) + 1);
        let length = lengths_below.max().unwrap_or(0);
        lengths[place] = Some(length);
        length
    }

    pub fn place_of(&self, id: TaskId) -> Place {
        let found = self.tasks.iter().position(|known| known.id == id);
        found.expect("only what was submitted is there")
    }

    fn urgency(&self, place: Place) -> Urgency {
        let known = &self.tasks[place];
        let is_of_the_factory = known.ask.profile == Profile::Agent;
        let usual_boost = if is_of_the_factory { 0.1 } else { 0.0 };
        Urgency {
            base: known.ask.base.into(),
            boost_per_minute: known.ask.boost.map_or(usual_boost, |place| BOOSTS[place].1),
            submitted: known.submitted,
            deadline: known.deadline,
            estimate: known
                .ask
                .estimate
                .map_or(USUAL_ESTIMATE, |seconds| 1000 * seconds),
            chain: if is_of_the_factory { known.chain } else { 0 },
        }
    }

    /// Its value now.
    pub fn effective(&self, place: Place) -> f64 {
        self.urgency(place).effective(self.now)
    }

    /// The least and the most that it may count for. Without a deadline they are one: its value.
    /// With one, its rank may be as it was when it was made or last looked at, and a look leaves
    /// what is off by less than a point.
    fn may_count_for(&self, place: Place) -> (f64, f64) {
        let (known, urgency) = (&self.tasks[place], self.urgency(place));
        let value = urgency.effective(self.now);
        if urgency.deadline.is_none() {
            return (value - CUT, value + CUT);
        }
        let earlier = urgency.aged(known.ranked.max(self.looked), self.now);
        let off = LEFT_ALONE + f64::from(known.moved);
        (value.min(earlier) - off, value.max(earlier) + off)
    }

    /// Why `first` must not be claimed before `second`, if both can be.
    pub fn objection(&self, first: Place, second: Place) -> Option<String> {
        let ((best, _), (_, worst)) = (self.may_count_for(first), self.may_count_for(second));
        let (value, other) = (self.effective(first), self.effective(second));
        let has_deadline = |place: Place| self.tasks[place].deadline.is_some();
        let is_tie = !has_deadline(first) && !has_deadline(second) && (value - other).abs() < SAME;
        let tells = |what: &str| {
            format!(
                "{what}: claimed {value:.6} before {other:.6}\n  {:?}\n  {:?}",
                self.tasks[first], self.tasks[second]
            )
        };
        if best > worst {
            Some(tells("the less urgent came first"))
        } else if is_tie && first > second {
            Some(tells("of two that are equal the younger came first"))
        } else {
            None
        }
    }

    /// Why `first` must not be claimed before `second` in the `task` profile.
    pub fn plain_objection(&self, first: Place, second: Place) -> Option<String> {
        let by_priority_then_age = |place: Place| (self.tasks[place].ask.base, place);
        (by_priority_then_age(first) > by_priority_then_age(second)).then(|| {
            format!(
                "not by priority, then age\n  {:?}\n  {:?}",
                self.tasks[first], self.tasks[second]
            )
        })
    }

    /// Whether the agent may have it. From the second failure on it asks for other models.
    pub fn suits(&self, place: Place, agent: &Brings) -> bool {
        let known = &self.tasks[place];
        let is_able = |capability| agent.capabilities.contains(capability);
        let model = if known.failures >= 2 { "small" } else { "big" };
        known.ask.capabilities.iter().all(is_able)
            && (!known.ask.falls_back || agent.models.is_empty() || agent.models.contains(&model))
    }
}
