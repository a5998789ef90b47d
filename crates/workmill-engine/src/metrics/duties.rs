//! How the duties of upkeep fare.

use std::sync::atomic::AtomicU64;
use std::time::SystemTime;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfDuty {
    duty: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Run {
    duty: &'static str,
    result: &'static str,
}

#[derive(Debug, Default)]
pub(crate) struct Duties {
    runs: Family<Run, Counter>,
    last_successes: Family<OfDuty, Gauge<f64, AtomicU64>>,
}

impl Duties {
    pub(crate) fn count(&self, duty: &'static str, is_success: bool) {
        let result = if is_success { "success" } else { "failure" };
        self.runs.get_or_create(&Run { duty, result }).inc();
        if is_success {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            let now = now.map_or(0.0, |since| since.as_secs_f64());
            self.last_successes.get_or_create(&OfDuty { duty }).set(now);
        }
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register(
            "workmill_duty_runs",
            "Runs of a background duty",
            self.runs.clone(),
        );
        registry.register(
            "workmill_duty_last_success_timestamp_seconds",
            "When a duty last ran without a failure, in Unix time",
            self.last_successes.clone(),
        );
    }
}
