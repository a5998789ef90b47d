//! What is counted in this process, and how the whole queue stands: for Prometheus.
//!
//! Comes in: what operations have done, once it is committed. Goes out: metrics in a registry that is
//! made for one scrape. Counting touches no database, and no label has more than a bounded number of
//! values. `docs/metrics.md` lists them all.

mod agents;
mod duties;
mod labels;
mod queue;
mod waits;

use std::sync::atomic::AtomicU64;
use std::time::SystemTime;

use jiff::SignedDuration;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use workmill_core::failure::Reason;
use workmill_store::connect::Connections;
use workmill_store::event::EventType;
use workmill_store::operation::Effects;
use workmill_store::settlement::EndedAttempt;

use crate::engine::Engine;
use agents::AgentMetrics;
use duties::Duties;
use labels::Values;
use queue::QueueWatch;
use waits::Waits;

/// Types of tasks that are told apart.
const MOST_TYPES: usize = 50;
/// Models that are told apart.
const MOST_MODELS: usize = 20;

/// Seconds, from a moment to days.
const LONG_TIMES: [f64; 14] = [
    0.005, 0.025, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14_400.0, 43_200.0,
    86_400.0,
];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfType {
    r#type: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfEvent {
    r#type: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ForReason {
    reason: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WithOutcome {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfTypeAndModel {
    r#type: String,
    model: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfOperation {
    operation: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct InState {
    state: &'static str,
}

type Dollars = Counter<f64, AtomicU64>;

/// The counters of this process.
#[derive(Debug)]
pub(crate) struct Metrics {
    events: Family<OfEvent, Counter>,
    enqueued: Counter,
    completed: Family<OfType, Counter>,
    failed: Family<ForReason, Counter>,
    retried: Counter,
    dead_lettered: Counter,
    cost: Family<OfTypeAndModel, Dollars>,
    waits: Waits,
    agents: AgentMetrics,
    runs: Family<WithOutcome, Histogram, fn() -> Histogram>,
    claims: Family<WithOutcome, Counter>,
    types: Values,
    models: Values,
    pub(crate) duties: Duties,
    queue: QueueWatch,
    started: SystemTime,
}

fn long_times() -> Histogram {
    Histogram::new(LONG_TIMES)
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics {
            events: Family::default(),
            enqueued: Counter::default(),
            completed: Family::default(),
            failed: Family::default(),
            retried: Counter::default(),
            dead_lettered: Counter::default(),
            cost: Family::default(),
            waits: Waits::default(),
            agents: AgentMetrics::default(),
            runs: Family::new_with_constructor(long_times),
            claims: Family::default(),
            types: Values::at_most(MOST_TYPES),
            models: Values::at_most(MOST_MODELS),
            duties: Duties::default(),
            queue: QueueWatch::default(),
            started: SystemTime::now(),
        }
    }
}

/// How a call for work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClaimOutcome {
    Claimed,
    Nothing,
    Refused,
}

impl ClaimOutcome {
    const fn name(self) -> &'static str {
        match self {
            ClaimOutcome::Claimed => "claimed",
            ClaimOutcome::Nothing => "nothing",
            ClaimOutcome::Refused => "refused",
        }
    }
}

impl Metrics {
    /// Counts what was committed, as far as it is known at once.
    pub(crate) fn count(&self, effects: &Effects) {
        for (event_type, times) in &effects.events {
            let name = event_type.name();
            let labels = OfEvent { r#type: name };
            self.events.get_or_create(&labels).inc_by(*times);
            match event_type {
                EventType::TaskSubmitted => self.enqueued.inc_by(*times),
                EventType::TaskDeadLettered => self.dead_lettered.inc_by(*times),
                _ => 0,
            };
        }
        self.waits
            .observe(effects.waits.iter().map(|wait| seconds(*wait)));
        for ended in &effects.ended {
            self.count_end(ended);
        }
    }

    fn count_end(&self, ended: &EndedAttempt) {
        if let Some(reason) = ended.reason {
            let labels = ForReason {
                reason: reason_label(reason),
            };
            self.failed.get_or_create(&labels).inc();
            if reason == Reason::HeartbeatTimeout {
                self.agents.count_heartbeat_miss(&ended.agent);
            }
        }
        if ended.is_retried {
            self.retried.inc();
        }
        if let (Some(outcome), Some(ran)) = (ended.outcome, ended.ran) {
            let labels = WithOutcome {
                outcome: outcome.name(),
            };
            self.runs.get_or_create(&labels).observe(seconds(ran));
        }
    }

    /// Counts what is told apart by the type of the task, which is looked up a moment later.
    pub(crate) fn count_of_type(&self, ended: &EndedAttempt) {
        let task_type = self.types.bounded(ended.task_type.as_deref());
        if ended.is_completion {
            let labels = OfType {
                r#type: task_type.clone(),
            };
            self.completed.get_or_create(&labels).inc();
        }
        if ended.cost.0 > 0 {
            let labels = OfTypeAndModel {
                r#type: task_type,
                model: self.models.bounded(ended.model.as_deref()),
            };
            let dollars = ended.cost.dollars();
            self.cost.get_or_create(&labels).inc_by(dollars);
            self.agents
                .count_cost(&labels.r#type, &ended.agent, &labels.model, dollars);
        }
    }

    pub(crate) fn count_claim(&self, agent: &str, outcome: ClaimOutcome) {
        self.agents.count_claim(agent, outcome);
        let labels = WithOutcome {
            outcome: outcome.name(),
        };
        self.claims.get_or_create(&labels).inc();
    }

    fn register(&self, registry: &mut Registry) {
        let r = registry;
        r.register(
            "tasks_enqueued",
            "Tasks that were submitted",
            self.enqueued.clone(),
        );
        r.register(
            "tasks_completed",
            "Tasks that were completed",
            self.completed.clone(),
        );
        r.register("tasks_failed", "Attempts that failed", self.failed.clone());
        r.register(
            "tasks_retried",
            "Failed attempts after which the task is tried again",
            self.retried.clone(),
        );
        r.register(
            "tasks_dead_lettered",
            "Tasks that became dead letters",
            self.dead_lettered.clone(),
        );
        r.register(
            "task_cost_usd",
            "What attempts have cost, counted when they end",
            self.cost.clone(),
        );
        self.waits.register(r);
        r.register(
            "task_execution_seconds",
            "From the start of an attempt to its end",
            self.runs.clone(),
        );
        self.agents.register(r);
        r.register(
            "agent_claims",
            "Calls for work, by how they ended",
            self.claims.clone(),
        );
        r.register(
            "workmill_events",
            "Events that were written",
            self.events.clone(),
        );
        self.duties.register(r);
        let started = self.started.duration_since(SystemTime::UNIX_EPOCH);
        let started = started.map_or(0.0, |since| since.as_secs_f64());
        r.register(
            "process_start_time_seconds",
            "When this server started, in Unix time",
            ConstGauge::new(started),
        );
    }
}

/// The reason as the metric names it: the name of the metric, its label and the values of the label are
/// those of its source.
const fn reason_label(reason: Reason) -> &'static str {
    if matches!(reason, Reason::BudgetExceeded) {
        "budget"
    } else {
        reason.name()
    }
}

/// Never negative: clocks are set back now and then.
fn seconds(duration: SignedDuration) -> f64 {
    duration.as_secs_f64().max(0.0)
}

impl Engine {
    /// Puts all there is to tell into the registry, made for this one scrape. The queue is looked at
    /// again if that was not done lately; without the database, the rest is told all the same.
    pub async fn register_metrics(&self, registry: &mut Registry) {
        let metrics = &self.shared.metrics;
        metrics.register(registry);
        self.register_process(registry);
        let agents = &metrics.agents;
        metrics.queue.register(self.store(), agents, registry).await;
    }

    /// What waits in this process, and how busy its connections are.
    fn register_process(&self, registry: &mut Registry) {
        let waiting = Family::<OfOperation, Gauge>::default();
        let queues = [
            ("submit", self.submits.waiting()),
            ("large_submit", self.large_submits.waiting()),
            ("claim", self.claims.waiting()),
            ("start", self.starts.waiting()),
            ("heartbeat", self.heartbeats.waiting()),
            ("settle", self.settlements.waiting()),
        ];
        for (operation, length) in queues {
            let labels = OfOperation { operation };
            waiting.get_or_create(&labels).set(whole(length));
        }
        registry.register(
            "workmill_gatherer_waiting",
            "Requests that wait for the next batch of their kind",
            waiting,
        );
        registry.register(
            "workmill_claims_waiting",
            "Claims that wait for a task",
            ConstGauge::new(whole(self.waiting_claims())),
        );
        registry.register(
            "workmill_event_streams",
            "Open event streams",
            ConstGauge::new(whole(self.feeds.followers())),
        );
        let Connections {
            in_use,
            idle,
            waiting,
            most,
        } = self.store().connections();
        let connections = Family::<InState, Gauge>::default();
        for (state, number) in [("in_use", in_use), ("idle", idle)] {
            connections
                .get_or_create(&InState { state })
                .set(whole(number));
        }
        registry.register(
            "workmill_database_connections",
            "Connections to the database",
            connections,
        );
        registry.register(
            "workmill_database_connections_max",
            "The most connections to the database",
            ConstGauge::new(whole(most)),
        );
        registry.register(
            "workmill_database_connections_waiting",
            "Operations that wait for a connection",
            ConstGauge::new(whole(waiting)),
        );
    }
}

fn whole(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;
    use workmill_core::ids::TaskId;
    use workmill_core::money::Micros;

    use super::*;

    /// Dashboards of the metric's source ask for `reason="budget"`.
    #[test]
    fn an_attempt_that_exceeds_its_budget_fails_for_the_reason_budget() {
        let metrics = Metrics::default();
        for reason in [Reason::BudgetExceeded, Reason::Crash] {
            metrics.count_end(&EndedAttempt {
                task_type: None,
                task: TaskId(Uuid::nil()),
                agent: "a".to_owned(),
                outcome: None,
                reason: Some(reason),
                is_completion: false,
                is_retried: false,
                cost: Micros::ZERO,
                model: None,
                ran: None,
            });
        }
        let mut registry = Registry::default();
        metrics.register(&mut registry);
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
        for reason in ["budget", "crash"] {
            let line = format!("tasks_failed_total{{reason=\"{reason}\"}} 1");
            assert!(text.contains(&line), "{text}");
        }
    }
}
