//! Who is to blame when a task fails: the task itself, an agent, or a model or its provider.
//!
//! In comes the [`History`] of a task: how attempts at it ended, and how attempts of all agents ended
//! around its last failure. Out goes an [`AttemptMatrix`]: a line for each agent and model that
//! tried it, and who is suspect.
//!
//! The rule. What counts is *elsewhere*: at other tasks, in the hours around the last failure. With a
//! model an agent is *healthy* that completes at least as many attempts as it fails, and one *fails*
//! that has failed [`ENOUGH_FAILURES`] or more and [`FAILING_RATIO`] times as many as it completed.
//! All else says nothing. Where an attempt named no model, all models count together: what ends
//! early has often used none. Each agent and model that failed the task points at one of these:
//!
//! - *the task*, if the agent is healthy with the model. Also if too little is known of that, but it
//!   is healthy with others and the model is in order with other agents. A failure of the network
//!   does not point at the task: it may never have been looked at.
//! - *the model*, if another agent fails with it, more agents fail with it than are healthy, this one
//!   counted, and somebody is healthy with another model. It is *the provider*, if the same is true
//!   of all its models together, and more agents fail than are healthy with the others of them.
//! - *the agent*, if it fails, and more other agents are healthy with the model than fail with it.
//!
//! Suspect is the task, if [`ENOUGH_AGENTS`] different agents point at it; otherwise the provider, the
//! model or the agent that is pointed at, in this order. Otherwise it cannot be told yet.

mod elsewhere;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::failure::Reason;
use crate::price::PriceTable;
use elsewhere::{Elsewhere, Health};

/// So many different agents that succeed elsewhere have to fail a task before it is suspect.
pub const ENOUGH_AGENTS: usize = 2;

/// So often an agent has to fail elsewhere before that says something.
pub const ENOUGH_FAILURES: i64 = 2;

/// Who fails so many times as often as it completes does not only fail now and then.
pub const FAILING_RATIO: i64 = 2;

/// What ended in these hours counts: that of the last failure, two before and two after.
pub const HOURS_AROUND: i64 = 2;

/// How long it is kept how attempts ended: over a weekend.
pub const KEPT: SignedDuration = SignedDuration::from_hours(72);

/// The most lines that are shown.
pub const MOST_LINES: usize = 20;

/// What is known of the attempts at a task, and of those at others at that time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct History {
    /// The attempts that were completed or failed, the last one first.
    pub here: Vec<Attempt>,
    /// There were so many that the first ones were not read.
    pub is_cut_off: bool,
    /// All that ended in the [`History::hours`], the attempts at this task included.
    pub tallies: Vec<Tally>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    pub agent: String,
    /// Empty where none was reported.
    pub model: String,
    pub ended_at: Timestamp,
    /// None: it was completed.
    pub failed: Option<Failure>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    pub reason: Reason,
    /// Equal for failures of one kind.
    pub fingerprint: i64,
}

/// How attempts of an agent with a model ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    pub agent: String,
    /// Empty where none was reported.
    pub model: String,
    pub count: Count,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[schema(as = AttemptCount)]
pub struct Count {
    pub completed: i64,
    pub failed: i64,
}

/// The beginning of its hour.
pub fn hour_of(at: Timestamp) -> Timestamp {
    const HOUR: i64 = 3600;
    let seconds = at.as_second().div_euclid(HOUR) * HOUR;
    Timestamp::from_second(seconds).unwrap_or(at)
}

/// A span of whole hours: `from` is included, `until` is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Hours {
    pub from: Timestamp,
    pub until: Timestamp,
}

impl History {
    /// The hours whose tallies count. Of attempts that were not read nobody knows which tallies they
    /// are part of, so their hours are left out.
    pub fn hours(&self) -> Option<Hours> {
        let mut telling = self.here.iter().filter(|attempt| attempt.is_telling());
        let last = hour_of(telling.find(|attempt| attempt.failed.is_some())?.ended_at);
        let hours = |number| SignedDuration::from_hours(number);
        let first = self.here.last().filter(|_| self.is_cut_off);
        let from = last - hours(HOURS_AROUND);
        Some(Hours {
            from: first.map_or(from, |first| from.max(hour_of(first.ended_at) + hours(1))),
            until: last + hours(HOURS_AROUND + 1),
        })
    }
}

impl Attempt {
    /// It is counted by the tallies, too.
    fn is_telling(&self) -> bool {
        self.failed
            .is_none_or(|failure| failure.reason.is_telling())
    }
}

/// The agents and models that tried a task, how their attempts ended at this task and at others,
/// and which of them is suspect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AttemptMatrix {
    /// The most failures first; only some lines if there are very many.
    pub lines: Vec<Line>,
    /// The hours in which attempts at other tasks are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<Hours>,
    pub suspect: Suspect,
    /// The reason for `suspect`, in one or two sentences.
    pub because: String,
}

/// An agent and a model that tried the task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AttemptLine)]
pub struct Line {
    pub agent: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    pub here: Vec<Ending>,
    /// Attempts of the agent at other tasks, with all models.
    pub agent_elsewhere: Count,
    /// Attempts with the model at other tasks, of all agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_elsewhere: Option<Count>,
}

/// One way in which attempts at the task ended, and how often.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AttemptEnding)]
pub struct Ending {
    /// `completed`, or the reason of the failure.
    pub ended: String,
    pub times: usize,
}

/// Programs may rely on these names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", content = "name", rename_all = "snake_case")]
pub enum Suspect {
    /// The attempts do not show a suspect yet.
    Unknown,
    Task,
    Agent(String),
    Model(String),
    Provider(String),
}

/// What an agent and a model that failed the task point at.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Points {
    Task,
    Agent,
    Model,
    Provider,
    Nowhere(Doubt),
}

/// Why it cannot be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doubt {
    /// The network failed a healthy agent.
    Network,
    /// The agent has done too little elsewhere.
    TooLittle,
    /// Nobody else has done enough with the model.
    NobodyElse,
    /// Others fail as well, and nothing tells what they have in common.
    OthersToo,
}

/// None for a task that never failed.
pub fn attempt_matrix(history: &History, prices: &PriceTable) -> Option<AttemptMatrix> {
    history.here.iter().find(|one| one.failed.is_some())?;
    let hours = history.hours();
    let elsewhere = Elsewhere::new(history, hours);
    let (suspect, because) = judge(history, &elsewhere, prices);
    Some(AttemptMatrix {
        lines: lines(history, &elsewhere),
        elsewhere: hours.filter(|hours| hours.from < hours.until),
        suspect,
        because,
    })
}

fn lines(history: &History, elsewhere: &Elsewhere<'_>) -> Vec<Line> {
    let mut endings: BTreeMap<(&str, &str), BTreeMap<&str, usize>> = BTreeMap::new();
    let mut failures: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for attempt in &history.here {
        let key = (attempt.agent.as_str(), attempt.model.as_str());
        let ended = attempt.failed.map_or("completed", |one| one.reason.name());
        *endings.entry(key).or_default().entry(ended).or_default() += 1;
        *failures.entry(key).or_default() += usize::from(attempt.failed.is_some());
    }
    let mut lines: Vec<((&str, &str), Line)> = endings
        .into_iter()
        .map(|((agent, model), endings)| {
            let of_agent = elsewhere.count(|one, _| one == agent);
            let of_model = elsewhere.count(|_, other| other == model);
            let here = endings.into_iter().map(|(ended, times)| Ending {
                ended: ended.to_owned(),
                times,
            });
            let line = Line {
                agent: agent.to_owned(),
                model: (!model.is_empty()).then(|| model.to_owned()),
                here: here.collect(),
                agent_elsewhere: of_agent,
                model_elsewhere: (!model.is_empty()).then_some(of_model),
            };
            ((agent, model), line)
        })
        .collect();
    lines.sort_by_key(|(key, _)| std::cmp::Reverse(failures[key]));
    let lines = lines.into_iter().map(|(_, line)| line);
    lines.take(MOST_LINES).collect()
}

/// What failed the task, and where it points.
struct Found<'a> {
    agent: &'a str,
    model: &'a str,
    points: Points,
}

fn judge(history: &History, elsewhere: &Elsewhere<'_>, prices: &PriceTable) -> (Suspect, String) {
    let telling = history.here.iter().filter(|attempt| attempt.is_telling());
    let mut failed: BTreeMap<(&str, &str), Vec<Failure>> = BTreeMap::new();
    for attempt in telling {
        if let Some(failure) = attempt.failed {
            let key = (attempt.agent.as_str(), attempt.model.as_str());
            failed.entry(key).or_default().push(failure);
        }
    }
    let found: Vec<Found<'_>> = failed
        .iter()
        .map(|((agent, model), failures)| {
            let is_network = failures.iter().all(|one| one.reason == Reason::Network);
            let points = match points(elsewhere, prices, agent, model) {
                Points::Task if is_network => Points::Nowhere(Doubt::Network),
                points => points,
            };
            Found {
                agent,
                model,
                points,
            }
        })
        .collect();
    let blamers: BTreeSet<&str> = found
        .iter()
        .filter(|one| one.points == Points::Task)
        .map(|one| one.agent)
        .collect();
    if blamers.len() >= ENOUGH_AGENTS {
        let kinds = failed
            .iter()
            .filter(|((agent, _), _)| blamers.contains(agent))
            .flat_map(|(_, failures)| failures.iter().map(|failure| failure.fingerprint));
        let kinds: BTreeSet<i64> = kinds.collect();
        return (Suspect::Task, words::task(&blamers, kinds.len() == 1));
    }
    let first = |points: Points| found.iter().find(|one| one.points == points);
    if let Some(one) = first(Points::Provider) {
        let provider = prices.provider(one.model);
        let because = words::provider(elsewhere, prices, provider);
        return (Suspect::Provider(provider.to_owned()), because);
    }
    if let Some(one) = first(Points::Model) {
        let because = words::model(elsewhere, prices, one.agent, one.model);
        return (Suspect::Model(one.model.to_owned()), because);
    }
    if let Some(one) = first(Points::Agent) {
        let because = words::agent(elsewhere, one.agent, one.model);
        return (Suspect::Agent(one.agent.to_owned()), because);
    }
    (Suspect::Unknown, words::unknown(history, &found))
}

/// What it means that this agent failed the task with this model.
fn points(elsewhere: &Elsewhere<'_>, prices: &PriceTable, agent: &str, model: &str) -> Points {
    let with_it = |other: &str| model.is_empty() || other == model;
    let with_it_elsewhere = elsewhere.health(agent, with_it);
    if with_it_elsewhere == Health::Healthy {
        return Points::Task;
    }
    if !model.is_empty() {
        let provider = prices.provider(model);
        let of_it = |other: &str| !other.is_empty() && prices.provider(other) == provider;
        let siblings = elsewhere.standing(|other| of_it(other) && other != model);
        if siblings.failing.len() > siblings.healthy.len() && is_out(elsewhere, agent, of_it) {
            return Points::Provider;
        }
        if is_out(elsewhere, agent, with_it) {
            return Points::Model;
        }
    }
    let others = elsewhere.standing(with_it).without(agent);
    if others.healthy.len() <= others.failing.len() {
        let is_nobody = others.failing.is_empty();
        return Points::Nowhere(if is_nobody {
            Doubt::NobodyElse
        } else {
            Doubt::OthersToo
        });
    }
    match (with_it_elsewhere, elsewhere.health(agent, |_| true)) {
        (Health::Failing, _) | (_, Health::Failing) => Points::Agent,
        (_, Health::Healthy) => Points::Task,
        (_, Health::Unclear) => Points::Nowhere(Doubt::TooLittle),
    }
}

/// Whether these models are out of order: this agent, which has just failed with one of them, is not
/// the only one, and with others there is success.
fn is_out(elsewhere: &Elsewhere<'_>, agent: &str, takes: impl Fn(&str) -> bool) -> bool {
    let others = elsewhere.standing(&takes).without(agent);
    let rest = elsewhere.standing(|other| !other.is_empty() && !takes(other));
    elsewhere.health(agent, &takes) != Health::Healthy
        && !others.failing.is_empty()
        && others.failing.len() + 1 > others.healthy.len()
        && !rest.healthy.is_empty()
}

#[cfg(test)]
mod tests;
