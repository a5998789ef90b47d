//! What is told apart by agent: cost, lost heartbeats, and how often a call for work finds some. The
//! first agents are named, the rest are `other`.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::ClaimOutcome;
use super::labels::{OTHER, Values};

/// Agents that are told apart.
const MOST_AGENTS: usize = 50;
/// Combinations of type, agent and model that are told apart.
const MOST_COMBINATIONS: usize = 1_000;

type Figure = Gauge<f64, AtomicU64>;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfAgent {
    agent_id: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfTypeAgentAndModel {
    r#type: String,
    agent: String,
    model: String,
}

#[derive(Debug)]
pub(super) struct AgentMetrics {
    names: Values,
    combinations: Values,
    cost: Family<OfTypeAgentAndModel, Figure>,
    heartbeat_misses: Family<OfAgent, Counter>,
    /// Calls for work, and those of them that found some.
    calls: Mutex<HashMap<String, (u64, u64)>>,
}

impl Default for AgentMetrics {
    fn default() -> Self {
        AgentMetrics {
            names: Values::at_most(MOST_AGENTS),
            combinations: Values::at_most(MOST_COMBINATIONS),
            cost: Family::default(),
            heartbeat_misses: Family::default(),
            calls: Mutex::default(),
        }
    }
}

impl AgentMetrics {
    pub(super) fn count_cost(&self, task_type: &str, agent: &str, model: &str, dollars: f64) {
        let agent = self.names.bounded(Some(agent));
        let combination = format!("{task_type}\n{agent}\n{model}");
        let labels = if self.combinations.bounded(Some(&combination)) == combination {
            OfTypeAgentAndModel {
                r#type: task_type.to_owned(),
                agent,
                model: model.to_owned(),
            }
        } else {
            OfTypeAgentAndModel {
                r#type: OTHER.to_owned(),
                agent: OTHER.to_owned(),
                model: OTHER.to_owned(),
            }
        };
        self.cost.get_or_create(&labels).inc_by(dollars);
    }

    pub(super) fn count_heartbeat_miss(&self, agent: &str) {
        let agent_id = self.names.bounded(Some(agent));
        self.heartbeat_misses
            .get_or_create(&OfAgent { agent_id })
            .inc();
    }

    /// A refused call names nothing that is known, so it is not counted.
    pub(super) fn count_claim(&self, agent: &str, outcome: ClaimOutcome) {
        let has_found = match outcome {
            ClaimOutcome::Claimed => true,
            ClaimOutcome::Nothing => false,
            ClaimOutcome::Refused => return,
        };
        let agent = self.names.bounded(Some(agent));
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, found) = calls.entry(agent).or_default();
        *all += 1;
        *found += u64::from(has_found);
    }

    /// The agents with what belongs to each, those that are not told apart together as `other`.
    pub(super) fn bounded<T>(
        &self,
        of_agents: impl IntoIterator<Item = (String, T)>,
        add: impl Fn(T, T) -> T,
    ) -> BTreeMap<String, T> {
        let mut bounded: BTreeMap<String, T> = BTreeMap::new();
        for (agent, value) in of_agents {
            let name = self.names.bounded(Some(&agent));
            let value = match bounded.remove(&name) {
                Some(known) => add(known, value),
                None => value,
            };
            bounded.insert(name, value);
        }
        bounded
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register(
            "task_cost_usd",
            "What attempts have cost since this server started, by agent",
            self.cost.clone(),
        );
        registry.register(
            "agent_heartbeat_misses",
            "Attempts that were lost because their agents fell silent",
            self.heartbeat_misses.clone(),
        );
        let rates = Family::<OfAgent, Figure>::default();
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        for (agent, (all, found)) in &*calls {
            let labels = OfAgent {
                agent_id: agent.clone(),
            };
            #[expect(clippy::cast_precision_loss, reason = "a ratio")]
            let rate = *found as f64 / *all as f64;
            rates.get_or_create(&labels).set(rate);
        }
        registry.register(
            "agent_claim_success_rate",
            "Share of the claims of an agent that returned a task, since this server started",
            rates,
        );
    }
}

/// Puts one figure for each agent into the registry.
pub(super) fn register_each(
    registry: &mut Registry,
    name: &str,
    help: &str,
    figures: BTreeMap<String, f64>,
) {
    let family = Family::<OfAgent, Figure>::default();
    for (agent_id, figure) in figures {
        family.get_or_create(&OfAgent { agent_id }).set(figure);
    }
    registry.register(name, help, family);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_beyond_the_first_are_one() {
        let metrics = AgentMetrics::default();
        let agents = (0..60).map(|number| (format!("agent {number:02}"), 1));
        let bounded = metrics.bounded(agents, |a, b| a + b);
        assert_eq!(bounded.len(), 51);
        assert_eq!(bounded[OTHER], 10);
        for number in 0..2_000 {
            metrics.count_cost(&format!("type {number}"), "agent 01", "m", 1.0);
            metrics.count_claim(&format!("agent {number:02}"), ClaimOutcome::Nothing);
        }
        let mut registry = Registry::default();
        metrics.register(&mut registry);
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
        let series = |name: &str| text.lines().filter(|line| line.starts_with(name)).count();
        assert_eq!(series("task_cost_usd{"), 1_001);
        assert_eq!(series("agent_claim_success_rate{"), 51);
    }
}
