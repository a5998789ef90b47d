//! How the whole queue stands, read from the database when somebody asks, and not too often.

use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::registry::Registry;
use std::sync::atomic::AtomicU64;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};
use workmill_core::agent::AgentStatus;
use workmill_core::lifecycle::State;
use workmill_store::Store;
use workmill_store::look::queue::{Agents, Queue};

use super::agents::{self, AgentMetrics};
use super::labels::{OTHER, Values};
use super::seconds;

/// However often somebody asks, the database is not asked more often.
const AT_MOST_EVERY: Duration = Duration::from_secs(15);
/// Who scrapes does not wait longer than ten seconds, usually.
const LONGEST_LOOK: Duration = Duration::from_secs(5);
/// Sources of work that are told apart.
const MOST_SOURCES: usize = 20;

type Figure = Gauge<f64, AtomicU64>;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StatusAndTier {
    status: &'static str,
    priority_tier: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WithStatus {
    status: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct FromSource {
    source: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfKind {
    kind: String,
}

#[derive(Debug)]
pub(super) struct QueueWatch {
    last: Mutex<LastLook>,
    failures: Counter,
    sources: Values,
}

#[derive(Debug, Default)]
struct LastLook {
    tried_at: Option<Instant>,
    seen: Option<(Instant, Arc<Queue>)>,
}

impl Default for QueueWatch {
    fn default() -> Self {
        QueueWatch {
            last: Mutex::default(),
            failures: Counter::default(),
            sources: Values::at_most(MOST_SOURCES),
        }
    }
}

impl QueueWatch {
    pub(super) async fn register(
        &self,
        store: &Store,
        names: &AgentMetrics,
        registry: &mut Registry,
    ) {
        let seen = self.look(store).await;
        registry.register(
            "workmill_queue_look_failures",
            "Failed reads of the state of the queue",
            self.failures.clone(),
        );
        let Some((at, queue)) = seen else {
            return;
        };
        registry.register(
            "workmill_queue_look_age_seconds",
            "How old the figures of the queue are",
            ConstGauge::new(at.elapsed().as_secs_f64()),
        );
        registry.register(
            "workmill_queue_look_whole",
            "1 if all tasks were counted, else 0",
            ConstGauge::new(i64::from(queue.is_whole)),
        );
        registry.register(
            "workmill_queue_look_namespaces",
            "Namespaces that were looked at",
            ConstGauge::new(i64::try_from(queue.namespaces).unwrap_or(i64::MAX)),
        );
        self.register_tasks(&queue, registry);
        register_agents(&queue, names, registry);
        register_gates(&queue, names, registry);
        registry.register(
            "workmill_event_lag_seconds",
            "How long the oldest event has waited for its number",
            ConstGauge::new(seconds(queue.oldest_event)),
        );
    }

    /// One look at a time: whoever asks meanwhile gets what it has seen.
    async fn look(&self, store: &Store) -> Option<(Instant, Arc<Queue>)> {
        let mut last = self.last.lock().await;
        if last.tried_at.is_none_or(|at| at.elapsed() >= AT_MOST_EVERY) {
            last.tried_at = Some(Instant::now());
            match timeout(LONGEST_LOOK, store.look_at_queue()).await {
                Ok(Ok(queue)) => last.seen = Some((Instant::now(), Arc::new(queue))),
                Ok(Err(error)) => {
                    self.failures.inc();
                    tracing::debug!(%error, "the queue cannot be looked at");
                }
                Err(_) => {
                    self.failures.inc();
                    tracing::debug!("looking at the queue takes too long");
                }
            }
        }
        last.seen.clone()
    }

    fn register_tasks(&self, queue: &Queue, registry: &mut Registry) {
        let depth = Family::<StatusAndTier, Gauge>::default();
        let oldest = Family::<WithStatus, Figure>::default();
        let ready = Family::<FromSource, Gauge>::default();
        let gated = Family::<OfKind, Gauge>::default();
        for place in &queue.places {
            // Cancelled, and its agent has not confirmed it yet.
            if place.state.is_finished() {
                continue;
            }
            let status = place.state.name();
            let labels = StatusAndTier {
                status,
                priority_tier: place.class.name(),
            };
            depth.get_or_create(&labels).inc_by(place.tasks);
            let labels = WithStatus {
                status: status.to_owned(),
            };
            let known = oldest.get_or_create_owned(&labels);
            known.set(known.get().max(seconds(place.age)));
            if place.state == State::Ready {
                let source = self.sources.bounded(Some(&place.source));
                let labels = FromSource { source };
                ready.get_or_create(&labels).inc_by(place.tasks);
            }
            if let Some(kind) = &place.gate {
                let labels = OfKind { kind: kind.clone() };
                gated.get_or_create(&labels).inc_by(place.tasks);
            }
        }
        // Tallies of graphs know no priorities.
        for (state, tasks) in &queue.waiting {
            let labels = StatusAndTier {
                status: state.name(),
                priority_tier: OTHER,
            };
            depth.get_or_create(&labels).inc_by(*tasks);
        }
        registry.register(
            "task_queue_depth",
            "Tasks that wait or run, by status and priority",
            depth,
        );
        registry.register(
            "task_queue_oldest_seconds",
            "How long ago the oldest task was submitted",
            oldest,
        );
        registry.register(
            "workmill_ready_tasks",
            "Ready tasks, by where they come from",
            ready,
        );
        registry.register(
            "workmill_gated_tasks",
            "Ready tasks that a gate has stopped, by its kind",
            gated,
        );
    }
}

fn register_agents(queue: &Queue, names: &AgentMetrics, registry: &mut Registry) {
    let agents = Family::<WithStatus, Gauge>::default();
    let mut all = Agents::default();
    let mut active = Agents::default();
    for (status, group) in &queue.agents {
        let labels = WithStatus {
            status: status.name().to_owned(),
        };
        agents.get_or_create(&labels).set(group.agents);
        all.busy += group.busy;
        all.leases += group.leases;
        if *status == AgentStatus::Active {
            active = *group;
        }
    }
    registry.register("agents", "Agents that are registered", agents);
    registry.register(
        "agents_busy",
        "Agents that hold a task",
        ConstGauge::new(all.busy),
    );
    registry.register(
        "agent_slots",
        "Tasks that the active agents can hold at a time",
        ConstGauge::new(active.slots),
    );
    registry.register(
        "agent_slots_used",
        "Tasks that agents hold",
        ConstGauge::new(all.leases),
    );
    #[expect(clippy::cast_precision_loss, reason = "a ratio")]
    let utilization = active.leases as f64 / active.slots.max(1) as f64;
    registry.register(
        "agent_utilization_ratio",
        "The part of the active agents' slots that is in use",
        ConstGauge::new(utilization),
    );
    let at_work = queue.at_work.iter();
    let at_work = at_work.map(|(agent, slots)| (agent.clone(), *slots));
    let at_work = names.bounded(at_work, |a, b| (a.0 + b.0, a.1 + b.1));
    #[expect(clippy::cast_precision_loss, reason = "a ratio")]
    let ratio = |(used, slots): (i64, i64)| used as f64 / slots.max(1) as f64;
    let at_work = at_work.into_iter();
    agents::register_each(
        registry,
        "agent_utilization",
        "The part of an active agent's slots that is in use",
        at_work
            .map(|(agent, slots)| (agent, ratio(slots)))
            .collect(),
    );
}

fn register_gates(queue: &Queue, names: &AgentMetrics, registry: &mut Registry) {
    let gates = Family::<OfKind, Gauge>::default();
    for (kind, number) in &queue.gates.kinds {
        let labels = OfKind {
            kind: (*kind).to_owned(),
        };
        gates.get_or_create(&labels).set(*number);
    }
    let left = Family::<Vec<(&'static str, String)>, Figure>::default();
    for (scope, least) in &queue.gates.least_left {
        let labels = vec![("scope", (*scope).to_owned())];
        left.get_or_create_owned(&labels).set(least.dollars());
    }
    let of_agents = queue.gates.agents_left.iter();
    let of_agents = of_agents.map(|(agent, left)| (agent.clone(), *left));
    for (agent, least) in names.bounded(of_agents, Ord::min) {
        let labels = vec![("agent", agent)];
        left.get_or_create_owned(&labels).set(least.dollars());
    }
    registry.register(
        "workmill_gates",
        "Pauses, limits, budgets and locks that are set",
        gates,
    );
    registry.register(
        "budget_remaining_usd",
        "Dollars that are left of the budget of an agent, and of the smallest budget of a scope",
        left,
    );
    registry.register(
        "daily_spend_usd",
        "Dollars that were spent today",
        ConstGauge::new(queue.spent_today.dollars()),
    );
}
