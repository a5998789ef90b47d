//! How the agents do at other tasks.

use std::collections::{BTreeMap, BTreeSet};

use super::{Count, ENOUGH_FAILURES, FAILING_RATIO, History, Hours};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Health {
    Healthy,
    Failing,
    /// Nothing was tried, or too little.
    Unclear,
}

impl Count {
    pub(super) fn health(self) -> Health {
        if self.completed > 0 && self.failed <= self.completed {
            Health::Healthy
        } else if self.failed >= ENOUGH_FAILURES && self.failed >= FAILING_RATIO * self.completed {
            Health::Failing
        } else {
            Health::Unclear
        }
    }

    fn with(self, more: Count) -> Count {
        Count {
            completed: self.completed + more.completed,
            failed: self.failed + more.failed,
        }
    }
}

/// The agents that are healthy and those that fail, with some of the models.
#[derive(Debug, Default)]
pub(super) struct Standing<'a> {
    pub(super) healthy: BTreeSet<&'a str>,
    pub(super) failing: BTreeSet<&'a str>,
}

impl Standing<'_> {
    pub(super) fn without(mut self, agent: &str) -> Self {
        self.healthy.remove(agent);
        self.failing.remove(agent);
        self
    }
}

/// By agent and model, without the attempts at the task itself.
#[derive(Debug)]
pub(super) struct Elsewhere<'a> {
    counts: BTreeMap<(&'a str, &'a str), Count>,
}

impl<'a> Elsewhere<'a> {
    pub(super) fn new(history: &'a History, hours: Option<Hours>) -> Elsewhere<'a> {
        let mut counts: BTreeMap<(&str, &str), Count> = BTreeMap::new();
        for tally in &history.tallies {
            let count = counts.entry((&tally.agent, &tally.model)).or_default();
            *count = count.with(tally.count);
        }
        let in_time = |at| hours.is_some_and(|hours| hours.from <= at && at < hours.until);
        for attempt in &history.here {
            if !attempt.is_telling() || !in_time(attempt.ended_at) {
                continue;
            }
            let Some(count) = counts.get_mut(&(attempt.agent.as_str(), attempt.model.as_str()))
            else {
                continue;
            };
            // Tallies are written a moment later, and what a server had not written when it died is
            // missing.
            let own = match attempt.failed {
                Some(_) => &mut count.failed,
                None => &mut count.completed,
            };
            *own = (*own - 1).max(0);
        }
        Elsewhere { counts }
    }

    /// Together, of the agents and models that are taken.
    pub(super) fn count(&self, takes: impl Fn(&str, &str) -> bool) -> Count {
        let counts = self.counts.iter();
        let counts = counts.filter(|((agent, model), _)| takes(agent, model));
        counts.fold(Count::default(), |sum, (_, count)| sum.with(*count))
    }

    pub(super) fn health(&self, agent: &str, takes: impl Fn(&str) -> bool) -> Health {
        let count = self.count(|one, model| one == agent && takes(model));
        count.health()
    }

    pub(super) fn standing(&self, takes: impl Fn(&str) -> bool) -> Standing<'a> {
        let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
        for ((agent, model), count) in &self.counts {
            if takes(model) {
                let sum = counts.entry(agent).or_default();
                *sum = sum.with(*count);
            }
        }
        let mut standing = Standing::default();
        for (agent, count) in counts {
            match count.health() {
                Health::Healthy => standing.healthy.insert(agent),
                Health::Failing => standing.failing.insert(agent),
                Health::Unclear => continue,
            };
        }
        standing
    }

    /// The models that were tried, without the attempts that named none.
    pub(super) fn models(&self) -> BTreeSet<&'a str> {
        let models = self.counts.keys().map(|(_, model)| *model);
        models.filter(|model| !model.is_empty()).collect()
    }
}
