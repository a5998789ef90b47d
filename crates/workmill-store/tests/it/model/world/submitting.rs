//! What enters, and who registers, as the model sees it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;
use workmill_core::graph;
use workmill_core::lane::Offer;
use workmill_core::lifecycle::State;
use workmill_core::rank::Urgency;

use super::super::step::{Label, Plan};
use super::{Agent, Graph, Task, World, agent_name, moment};

impl World {
    pub(super) fn submit(&mut self, plans: &[Plan], graph: Option<Label>) {
        let edges = plans.iter().enumerate();
        let edges = edges.map(|(place, plan)| (place, plan.depends_on.iter().copied().collect()));
        let shape = graph::shape(&edges.collect()).expect("plans have no cycle");
        for (place, plan) in plans.iter().enumerate() {
            let asked = plan.asked();
            let policy = asked.policy();
            let lane = asked.lane(policy.boost);
            let urgency = Urgency {
                base: asked.priority,
                boost: policy.boost,
                submitted: moment(self.now),
                critical_path: if policy.critical_path {
                    shape.critical_path[&place]
                } else {
                    0
                },
                deadline: None,
                estimate: SignedDuration::from_secs(300),
            };
            let due = plan.scheduled_in_ms.filter(|ms| *ms > 0);
            let waits = !plan.depends_on.is_empty() || due.is_some();
            let task = Task {
                rule: asked.dependency_rule(),
                asked,
                graph,
                depends_on: plan
                    .depends_on
                    .iter()
                    .map(|place| plans[*place].label)
                    .collect(),
                state: if waits { State::Pending } else { State::Ready },
                rank: urgency.rank(moment(self.now)),
                due: due.map(|ms| self.now + ms),
                epoch: 0,
                attempts: 0,
                crashes: 0,
                forgiven: 0,
                has_failed: false,
                shunned: BTreeSet::new(),
                shunned_until: 0,
                ended: Vec::new(),
                late: BTreeMap::new(),
                result: None,
                checkpoint: None,
                answers: 0,
                blocked_until: None,
                lane,
                policy,
            };
            self.tasks.insert(plan.label, task);
            self.next_label = self.next_label.max(plan.label + 1);
        }
        if let Some(graph) = graph {
            let members = plans.iter().map(|plan| plan.label).collect();
            let submitted = Graph {
                members,
                is_draining: false,
            };
            self.graphs.insert(graph, submitted);
        }
        self.answer.push(plans.len().to_string());
    }

    /// What somebody has set stays, whoever registers again.
    pub(super) fn register(&mut self, name: u8, mut agent: Agent) {
        let known = self.agents.get(&name);
        if known.is_some_and(|known| known.key != agent.key) {
            self.answer.push("TakenByAnotherKey".to_owned());
            return;
        }
        if let Some(known) = known {
            agent.status = known.status;
        }
        self.answer.push(agent.status.to_string());
        self.agents.insert(name, agent);
    }

    pub fn offer(&self, name: u8) -> Offer {
        let agent = &self.agents[&name];
        Offer {
            agent: agent_name(name),
            agent_type: String::new(),
            capabilities: agent.capabilities.iter().map(ToString::to_string).collect(),
            models: agent.models.iter().map(ToString::to_string).collect(),
            task_types: Vec::new(),
        }
    }
}
